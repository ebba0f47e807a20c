/**
 * The README: every command and every program in it is run, and answers what it shows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/acceptance.ts";
import { examples } from "./markdown.ts";
import { Reader } from "./reader.ts";
import { assertShown } from "./shown.ts";

const markdown = await Deno.readTextFile(`${CHECKOUT}README.md`);
/** This very test runs in it. */
const TEST_COMMAND = "npx -y deno@2.9.6 task test\n";

Deno.test("every command and program of the README does what it shows, in order", async (t) => {
  await using reader = await Reader.open(false);
  await reader.tree.write({
    "project/src/lib.rs": "//! TODO: describe\npub fn answer() -> u32 {\n    42\n}\n",
  });
  const { run, alone } = examples(markdown, "README.md");
  const commands = run.filter(({ text }) => text !== TEST_COMMAND);
  assert.equal(run.length - commands.length, 1, "the command that runs the tests is there");
  let home = "pathgrep";
  for (const example of commands) {
    // The first commands want the clone, all after the first `jsr:` a project of the reader's.
    if (example.text.includes("jsr:")) home = "project";
    // What names the repository's own files wants the clone as well.
    const directory = example.text.includes("testdata/") ? "pathgrep" : home;
    await t.step(example.place, async () => {
      assertShown(example, await reader.run(example, directory), {
        home: "/home/you",
        actualHome: reader.tree.root,
        lineNumbers: false,
      });
    });
  }
  assert.equal(alone.length, 1);
  for (const { text, place } of alone) {
    await t.step(place, async () => {
      const { mcpServers: { pathgrep } } = JSON.parse(text);
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      };
      const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      const { output } = await reader.spawn(
        pathgrep.command,
        pathgrep.args,
        "project",
        `${request}\n`,
      );
      assert.equal(JSON.parse(output).result.serverInfo.name, "pathgrep", output);
    });
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

Deno.test("every file that a document links to exists", async () => {
  const documents = ["README.md", "CONTRIBUTING.md"];
  for await (const { name } of Deno.readDir(`${CHECKOUT}docs`)) documents.push(`docs/${name}`);
  assert.ok(documents.length > 8);
  for (const document of documents) {
    const text = await Deno.readTextFile(CHECKOUT + document);
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await Deno.stat(new URL(target!, `file://${CHECKOUT}${document}`));
    }
  }
});
