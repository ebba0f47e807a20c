/**
 * The guides: every example is run, and answers what is shown; every row of the table of permissions
 * holds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { RawServer } from "../mcp/raw_server.ts";
import { CHECKOUT } from "../support/run.ts";
import { type Example, examples, longCells } from "./markdown.ts";
import { type Done, Reader } from "./reader.ts";
import { assertShown } from "./shown.ts";
import { hasNeed, test } from "../support/needs.ts";

const DOCS = `${CHECKOUT}docs/`;
const INDEX = "README.md";
/** For those who change pathgrep, without examples. */
const FOR_CONTRIBUTORS = ["architecture.md", "lab-notes.md"];
/** What these show is measured and counted elsewhere. */
const FIGURES = ["absence.md", "costs.md", "hook-commands.md", "performance.md"];
/** These need another program's server. */
const NOT_RUN = ["large-repositories.md"];
const guides = [...Deno.readDirSync(DOCS)].map(({ name }) => name)
  .filter((name) => name.endsWith(".md") && name !== INDEX && !FOR_CONTRIBUTORS.includes(name))
  .sort();

/** The calls of one guide, in one session of `pathgrep mcp`. */
class Session implements AsyncDisposable {
  readonly #workspace: string;
  #server: RawServer | undefined;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Sends a block, the `params` of `tools/call`; gives the text that answers it. */
  async call({ text }: Example): Promise<Done> {
    if (this.#server === undefined) {
      const flags = ["--allow-read", `--preload=${CHECKOUT}tests/support/patience.ts`];
      this.#server = new RawServer(this.#workspace, flags, [], undefined, "text");
      await this.#server.initialize();
    }
    const { result } = await this.#server.request("tools/call", JSON.parse(text));
    const [content] = result!["content"] as { text: string }[];
    return { code: result!["isError"] ? 2 : 0, output: `${content!.text}\n` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

Deno.test("the index lists every guide", async () => {
  const index = await Deno.readTextFile(DOCS + INDEX);
  const listed = Array.from(index.matchAll(/^\| \[.*?\]\((.*?)\)/gm), ([, name]) => name!);
  assert.deepEqual(listed.sort(), guides);
});

Deno.test("no cell of a table is longer than 200 characters: what is longer is a list", async () => {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const { stdout } = await new Deno.Command("git", { args, cwd: CHECKOUT }).output();
  const files = new TextDecoder().decode(stdout).trim().split("\n");
  assert.ok(files.length > guides.length, files.join(" "));
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(CHECKOUT + file)));
  assert.deepEqual(files.flatMap((file, index) => longCells(texts[index]!, file, 200)), []);
});

Deno.test("each mistake of another search tool names its report, and tests that are there", async () => {
  const page = await Deno.readTextFile(`${DOCS}search-mistakes.md`);
  const sections = page.split(/^## /m).slice(1);
  assert.equal(sections.length, 6);
  for (const section of sections) {
    assert.match(section, /\]\[[\w-]+\]/, "it names its report");
    const places = [...section.matchAll(/in `(tests\/\S+)`:\n\n((?:- `.*`\n)+)/g)];
    assert.ok(places.length > 0, section);
    for (const [, file, list] of places) {
      const source = await Deno.readTextFile(CHECKOUT + file);
      for (const [, name] of list!.matchAll(/^- `(.*)`$/gm)) {
        assert.ok(["`", '"'].some((quote) => source.includes(quote + name + quote)), name);
      }
    }
  }
});

test.slow("every example of every guide does what it shows", async (t) => {
  await using reader = await Reader.open(true);
  assert.ok(guides.length >= 8);
  for (const guide of guides.filter((name) => !NOT_RUN.includes(name))) {
    await t.step(guide, async () => {
      const { run, alone } = examples(await Deno.readTextFile(DOCS + guide), `docs/${guide}`);
      assert.ok(run.length > 1 || FIGURES.includes(guide), "it has a worked example");
      assert.deepEqual(alone, [], "every output belongs to a command");
      const home = `${guide.replace(".md", "")}/project`;
      await reader.tree.write({ [`${home}/`]: null });
      await using session = new Session(reader.tree.path(home));
      for (const example of run) {
        if (example.terminal && !hasNeed("script")) continue;
        if (example.language === "js" && !hasNeed("nodes")) continue;
        const isCall = example.language === "mcp";
        const done = isCall ? await session.call(example) : await reader.run(example, home);
        assertShown(example, done, {
          home: "/home/you",
          actualHome: reader.tree.path(home.replace("/project", "")),
          lineNumbers: true,
        });
      }
    });
  }
});

Deno.test("what each client needs for MCP starts the server as the README does, or by npm", async () => {
  const readme = await Deno.readTextFile(`${CHECKOUT}README.md`);
  const [, start] = /`(deno run [^`]* mcp)`/.exec(readme)!;
  const guide = await Deno.readTextFile(`${DOCS}mcp.md`);
  const cells = Array.from(guide.matchAll(/^\| [A-Za-z].*? \| (.*`.*) \|$/gm), ([, cell]) => cell!);
  const starts = cells.flatMap((cell) =>
    Array.from(cell.matchAll(/`(.*?)`/g), ([, code]) => code!).flatMap((code) => {
      const [, added] = /^(?:claude|codex) mcp add pathgrep -- (.*)$/.exec(code) ?? [];
      if (added !== undefined) return [added];
      if (!code.startsWith("{")) return [];
      const { mcpServers, servers = mcpServers, ...server } = JSON.parse(code);
      const { command, args } = servers?.pathgrep ?? server;
      return [[command, ...args].join(" ")];
    })
  );
  assert.deepEqual(starts, [
    ...Array.from({ length: 5 }, () => "npx -y pathgrep mcp"),
    ...Array.from({ length: 3 }, () => start),
  ]);
});

Deno.test("each documented start of mcp and hook by Deno lets it know the home directory", async () => {
  const texts = ["README.md", "SECURITY.md"].map((name) => CHECKOUT + name);
  for await (const { name } of Deno.readDir(DOCS)) {
    if (name.endsWith(".md")) texts.push(DOCS + name);
  }
  const markdown = (await Promise.all(texts.map((path) => Deno.readTextFile(path)))).join("\n");
  const starts = [...markdown.matchAll(/\brun\b[^`]*?\/cli[", ]+(?:mcp|hook)\b/g)].map(([start]) =>
    start
  );
  assert.ok(starts.length >= 6, starts.join("\n"));
  for (const start of starts) assert.match(start, /--allow-env=HOME,USERPROFILE\b/);
});

test.slow("each row of the table of permissions is enough, and none of it is too much", async (t) => {
  await using reader = await Reader.open(true);
  const guide = await Deno.readTextFile(`${DOCS}permissions.md`);
  const [setup] = examples(guide, "docs/permissions.md").run;
  await reader.run(setup!, "project");
  const rows = [...guide.matchAll(/^\| (.*?) +\| `(deno run .*)` +\|$/gm)];
  assert.ok(rows.length >= 9, `${rows.length} rows`);
  for (const [, use, command] of rows) {
    await t.step(use!, async () => {
      const run = async (text: string) =>
        await reader.run({ language: "sh", text, place: use! }, "project");
      const done = await run(command!);
      assert.equal(done.code, 0, done.output);
      assert.ok(!/"notes":\[/.test(done.output), done.output);
      for (const [flag] of command!.matchAll(/--allow-(read|run)=\S+ /g)) {
        const without = await run(command!.replace(flag, ""));
        assert.equal(without.code, 2, `without ${flag}: ${without.output}`);
      }
      for (const [path] of command!.matchAll(/(?<==)[\w.]+,|,[\w.]+(?= )/g)) {
        const without = await run(command!.replace(path, ""));
        assert.equal(without.code, 2, `without ${path}: ${without.output}`);
      }
    });
  }
});

Deno.test("the guide to errors has a row for every code, and no other", async () => {
  const guide = await Deno.readTextFile(`${DOCS}errors.md`);
  const source = await Deno.readTextFile(`${CHECKOUT}src/util/errors.ts`);
  const [, union] = /^export type ErrorCode =\n(.*?);$/ms.exec(source)!;
  const codes = Array.from(union!.matchAll(/"(\w+)"/g), ([, code]) => code!);
  const rows = [...guide.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) => cell!.split(", "));
  assert.deepEqual(rows.sort(), codes.map((code) => `\`${code}\``).sort());
});
