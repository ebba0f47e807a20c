/**
 * The README: every command and every program in it is run, and answers what it shows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { REPOSITORY } from "../../npm/manifests.ts";
import names from "../../npm/names.json" with { type: "json" };
import { CHECKOUT } from "../support/run.ts";
import { INITIALIZE } from "../packaging/machine.ts";
import { published } from "../support/publish.ts";
import { readFigures } from "../../dev/bench/figures.ts";
import { examples } from "./markdown.ts";
import { drawPicture } from "../../dev/drawings/picture.ts";
import { Reader } from "./reader.ts";
import {
  CALLS,
  callsSentence,
  figuresTable,
  linkDefinitions,
  linkLabels,
  repositoryOf,
  versionLinks,
} from "../../dev/drawings/readme_parts.ts";
import { assertShown } from "./shown.ts";
import { testNeeding } from "../support/needs.ts";

const markdown = await Deno.readTextFile(`${CHECKOUT}README.md`);
/** This very test runs in it. */
const TEST_COMMAND = "npx -y deno@2.9.6 task test\n";

testNeeding("script", "nodes").slow(
  "every command and program of the README does what it shows, in order",
  async (t) => {
    await using reader = await Reader.open(false);
    await reader.tree.write({
      "application/": null,
    });
    const [, unpublished] = /`(npx -y deno\S+ task npm && [^`]+)`/.exec(markdown)!;
    await t.step(unpublished!, async () => {
      const block = { language: "sh", text: `${unpublished} && pathgrep --version`, place: "" };
      const { code, output } = await reader.run(block, "pathgrep");
      assert.equal(code, 0, output);
    });
    const { run, alone } = examples(markdown, "README.md");
    const commands = run.filter(({ text }) => text !== TEST_COMMAND);
    assert.equal(run.length - commands.length, 1, "the command that runs the tests is there");
    for (const example of commands) {
      // What npx starts wants the clone, all else a project of the reader's.
      const directory = example.text.startsWith("npx ") ? "pathgrep" : "project";
      await t.step(example.place, async () => {
        const isTyped = example.language === "sh" && example.output !== undefined;
        const done = await reader.run({ ...example, terminal: isTyped }, directory);
        assertShown(example, done, {
          home: "/home/you",
          actualHome: reader.tree.root,
          lineNumbers: false,
        });
      });
    }
    const [config, ...others] = alone;
    assert.deepEqual(others, []);
    const { command, args } = JSON.parse(config!.text).mcpServers.pathgrep;
    const servers = [...markdown.matchAll(/`([^`\n]* mcp)`/g)].map(([, code]) =>
      code!.split(" -- ").at(-1)!
    );
    for (const server of new Set([[command, ...args].join(" "), ...servers])) {
      await t.step(server, async () => {
        const [program = "", ...args] = server.split(" ");
        const { output } = await reader.spawn(program, args, "project", INITIALIZE);
        assert.equal(JSON.parse(output).result.serverInfo.name, "pathgrep", output);
      });
    }
    const installing = markdown.split("## Install\n")[1]!.split("\n## ")[0]!;
    const rows = [...installing.matchAll(/^\| .* \|$/gm)].flatMap(([row]) =>
      [...row.matchAll(/`((?:npm|npx|deno) [^`]*)`/g)].map(([, command]) => command!)
    );
    assert.equal(rows.length, 8);
    for (const command of rows) {
      await t.step(command, async () => {
        const text = command.replace("PATTERN", "TODO");
        // Deno would ask npm for what is in the manifest of a project.
        const isLibrary = command === "npm install pathgrep";
        const directory = isLibrary ? "application" : "project";
        const done = await reader.run({ language: "sh", text, place: command }, directory);
        assert.equal(done.code, 0, done.output);
      });
    }
    for (const directory of ["installed", "npm"]) {
      await assert.rejects(Deno.lstat(reader.tree.path(`${directory}/bin/pathgrep`)));
    }
  },
);

Deno.test("the README is short, and its figures and links are what the task writes", async () => {
  // Names that are longer than the placeholders wrap more lines.
  const limit = Object.values(names).join("").length > 14 ? 239 : 229;
  assert.ok(markdown.split("\n").length <= limit);
  const costs = await Deno.readTextFile(`${CHECKOUT}docs/costs.md`);
  const cells = (text: string | undefined) => text?.replace(/ +/g, " ").replace(/-+/g, "-");
  const hint = "`deno task readme` writes it anew";
  assert.equal(
    cells(published(markdown, "figures")),
    cells(figuresTable(costs, await readFigures())),
    hint,
  );
  assert.equal(published(markdown, "links"), linkDefinitions(markdown), hint);
  assert.equal(CALLS.exec(markdown)?.[0], callsSentence(costs), hint);
});

Deno.test("what the README offers says where it is not yet published, or was not tried", () => {
  const offers: [RegExp, RegExp][] = [
    [/npx -y (?!deno@)|npm install -g|jsr:@|\[releases\]/, /not\s+yet\s+published/],
    [/\bWindows\b/, /not tried here/],
  ];
  const [prose] = markdown.split("<!-- links -->");
  // A command or a table belongs to the paragraph that introduces it.
  const parts = prose!.replaceAll(/:\n\n(?=```)|(?<=^```\n)\n(?=```)/gm, ":\n").split("\n\n");
  for (const [offer, state] of offers) {
    const offering = parts.filter((part) => offer.test(part));
    assert.ok(offering.length > 1, String(offer));
    for (const part of offering) assert.match(part, state);
  }
});

Deno.test("the README's links are absolute, and those to the repository lead to what is in it", async () => {
  const [text] = markdown.split("<!-- links -->");
  assert.doesNotMatch(text!, /\]\((?!https:)/);
  const labels = linkLabels(text!);
  assert.ok(labels.length > 10);
  for (const label of labels) {
    if (!/^(actions\/workflows|releases)/.test(label)) await Deno.stat(CHECKOUT + label);
  }
});

Deno.test("the address of the repository is that of the manifests, and the task writes links from it", async () => {
  const repository = repositoryOf(markdown);
  const changelog = await Deno.readTextFile(`${CHECKOUT}CHANGELOG.md`);
  assert.equal(
    published(changelog, "links"),
    versionLinks(repository, changelog),
    "`deno task readme` writes it anew",
  );
  assert.equal(repository, REPOSITORY);
});

Deno.test("the README's picture is what the commands in it print", async () => {
  const shown = await Deno.readTextFile(`${CHECKOUT}.github/terminal.svg`);
  assert.equal(shown, await drawPicture(), "`deno task readme` draws it anew");
});

Deno.test("every package from npm is in the table of what pathgrep is made of, with a reason", async () => {
  const contributing = await Deno.readTextFile(`${CHECKOUT}CONTRIBUTING.md`);
  const read = async (name: string) => JSON.parse(await Deno.readTextFile(CHECKOUT + name));
  const { imports } = await read("deno.json");
  const { devDependencies } = await read("examples/node/package.json");
  const names = [
    ...Object.values<string>(imports).map((name) =>
      name.slice("npm:".length, name.lastIndexOf("@"))
    ),
    ...Object.keys(devDependencies),
  ];
  const rows = [...contributing.matchAll(/^\| .*`(?:npm:|node:|Deno|src\/).*\|$/gm)].join("\n");
  for (const name of names) {
    const short = `\`…/${name.split("/").at(-1)}\``;
    assert.ok(rows.includes(`\`npm:${name}\``) || rows.includes(short), name);
  }
  for (const role of ["@std/path", "@std/fs", "@std/regexp", "@std/assert", "@std/expect"]) {
    assert.ok(rows.includes(`\`${role}\``), role);
  }
});

Deno.test("every option, command and error code that the README names exists", async () => {
  const help = new TextDecoder().decode(
    (await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "cli.ts", "--help"],
      cwd: CHECKOUT,
    })
      .output()).stdout,
  );
  const prose = markdown.replace(/^```.*?^```$/gms, "");
  const inTable = [...prose.matchAll(/^\| .*$/gm)].join("\n");
  const options = [...inTable.matchAll(/`(-[^`]*)`/g)].flatMap(([, code]) =>
    code!.split(" ").filter((word) => word.startsWith("-"))
  );
  assert.ok(options.length > 10);
  for (const option of options) assert.match(help, new RegExp(`(^|\\s)${option}\\b`, "m"), option);
});

Deno.test("every file and heading that a document links to exists", async () => {
  const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
  for await (const { name } of Deno.readDir(`${CHECKOUT}docs`)) documents.push(`docs/${name}`);
  assert.ok(documents.length > 8);
  for (const document of documents.filter((name) => name.endsWith(".md"))) {
    const text = (await Deno.readTextFile(CHECKOUT + document)).replace(/`[^`\n]+`/g, "");
    for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
      const url = new URL(target! || document.split("/").at(-1)!, `file://${CHECKOUT}${document}`);
      await Deno.stat(url);
      if (anchor === "") continue;
      const headings = (await Deno.readTextFile(url)).match(/^#+ .*$/gm) ?? [];
      const anchors = headings.map((heading) =>
        heading.replace(/^#+ /, "").toLowerCase().replace(/[^\p{L}\d _-]/gu, "").replaceAll(
          " ",
          "-",
        )
      );
      assert.ok(anchors.includes(anchor!), `${document}: ${target}#${anchor}`);
    }
  }
});
