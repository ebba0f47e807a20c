/** Pages far into an answer: what comes before them would fill the memory, and is not held. */
import assert from "node:assert/strict";
import { type ContentResult, GrepTool, search, Searcher, type SearchQuery } from "../../mod.ts";
import { Workspace } from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { pathgrep } from "../support/run.ts";
import { test } from "../support/needs.ts";
import { tempTree } from "../support/tree.ts";

const LINES = 800_000;
const numbered = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `line ${first + index}`);
const TEXT = `${numbered(1, LINES).join("\n")}\n`;

/** The entries of lines of {@linkcode TEXT}. */
const FAR = { path: "a.txt", offset: 750_000, maxResults: 3, timeout: 120_000 };
const FOUND = numbered(750_001, 3);

const linesOf = (result: unknown) => (result as ContentResult).matches.map(({ line }) => line);

test.slow("a far page of a long file is found in every kind of search", async (t) => {
  await using tree = await tempTree({ "a.txt": TEXT });
  const workspace = await Workspace.open(tree.root);
  const ways: Record<string, { query: Partial<SearchQuery>; found?: string[] }> = {
    "lines that match": { query: { pattern: "line" } },
    "an expression": { query: { pattern: String.raw`\d+$` } },
    "all lines": { query: { pattern: "^" } },
    "lines that do not match": { query: { pattern: "none", invert: true } },
    "matches": { query: { pattern: "line [0-9]+", onlyMatching: true } },
    "several matches of a line": {
      query: { pattern: "i|e", onlyMatching: true, context: 1, offset: 750_001 },
      found: ["e", "i", "e"],
    },
    "matches across lines": {
      query: { pattern: String.raw`line \d+\n`, multiline: true, before: 2 },
    },
    "the order of arrival": { query: { pattern: "line", sort: "none" } },
  };
  for (const [name, { query, found = FOUND }] of Object.entries(ways)) {
    await t.step(name, async () => {
      const result = await search({ pattern: "", ...FAR, ...query }, { workspace });
      assert.deepEqual(linesOf(result), found);
      const { total = 0, total_at_least = 0 } = result as {
        total?: number;
        total_at_least?: number;
      };
      assert.ok(Math.max(total, total_at_least) >= LINES - 1);
    });
  }
  await t.step("with context", async () => {
    const query = { pattern: "line", ...FAR, maxResults: 1, context: 2 };
    const { matches: [entry] } = await search(query, { workspace }) as ContentResult;
    assert.deepEqual(entry!.before, numbered(749_999, 2));
    assert.deepEqual(entry!.after, numbered(750_002, 2));
  });
  for (const cache of ["none", "verified", "watched"] as const) {
    await t.step(`by a searcher whose cache is ${cache}`, async () => {
      await using searcher = new Searcher({ workspace, cache });
      const query = { pattern: "line", ...FAR };
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(linesOf(await searcher.search(query)), FOUND);
      }
    });
  }
  await t.step("by a tool, whose entries are in an order of their own", async () => {
    const tool = new GrepTool({ workspace });
    const { path, offset, maxResults: max_results } = FAR;
    const result = await tool.execute({ pattern: "line", path, offset, max_results });
    assert.deepEqual(linesOf(result), FOUND);
    const { notes = [] } = result as ContentResult;
    assert.ok(notes.some((note) => note.includes("path order")), `${notes}`);
  });
  await t.step("over MCP", async () => {
    await using client = await connect("v2 of 2026", { cwd: tree.root });
    const { path, offset, maxResults: max_results } = FAR;
    const { text } = await client.call("grep", { pattern: "line", path, offset, max_results });
    for (const line of FOUND) assert.match(text, new RegExp(`${line}\n`));
  });
});

test.slow("and on the command line", async (t) => {
  await using tree = await tempTree({ "a.txt": TEXT });
  const options = ["--offset", "750000", "--max-results", "3"];
  for (const format of ["json", "jsonl", "text"]) {
    for (const from of ["a.txt", "-"]) {
      await t.step(`as ${format}, from ${from}`, async () => {
        const { code, stdout, stderr } = await pathgrep(
          ["line", from, "--format", format, ...options],
          { cwd: tree.root, stdin: from === "-" ? TEXT : "", process: true },
        );
        assert.equal(code, 0, stderr);
        const found = stdout.match(/line 75\d{4}/g);
        assert.deepEqual(found, FOUND, stdout);
      });
    }
  }
});

test.slow("without an order, a far page may lie in any file", async () => {
  await using tree = await tempTree({
    "a.txt": TEXT.slice(0, TEXT.indexOf("line 500001")),
    "b.txt": TEXT.slice(0, TEXT.indexOf("line 400001")),
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "line", maxFileSize: 0, offset: 899_999, maxResults: 5 } as const;
  const result = await search({ ...query, sort: "none" }, { workspace });
  const [line] = linesOf(result);
  assert.ok(line === "line 500000" || line === "line 400000", line);
  assert.equal(result.count, 1);
});

test("the last page far into an answer says that its order is that of paths", async () => {
  await using tree = await tempTree({ "a.txt": `${numbered(1, 12_000).join("\n")}\n` });
  const tool = new GrepTool({ workspace: await Workspace.open(tree.root) });
  for (const [offset, count] of [[11_998, 2], [12_000, 0]] as const) {
    const result = await tool.execute({ pattern: "line", path: "a.txt", offset });
    assert.equal(linesOf(result).length, count);
    const { notes = [] } = result as ContentResult;
    assert.ok(notes.some((note) => note.includes("path order")), `${offset}: ${notes}`);
  }
});

test("the context of entries before the page is not printed, whatever was forgotten of them", async () => {
  const lines = Array.from(
    { length: 400 },
    (_, at) => `${at % 8 === 0 ? "foo" : "bar"}${at} ${"x".repeat(1900)}`,
  );
  await using tree = await tempTree({ "a.txt": `${lines.join("\n")}\n` });
  for (const offset of [13, 20, 48]) {
    const args = ["-U", "-C40", "foo", "a.txt", "--format", "text", "--offset", `${offset}`];
    const { stdout } = await pathgrep(args, { cwd: tree.root });
    const printed = stdout.trimEnd().split("\n").map((line) => Number(/\d+/.exec(line)![0]));
    assert.deepEqual([printed[0], printed.at(-1)], [8 * offset + 1 - 40, 400], `${offset}`);
  }
});
