/**
 * Values mode: each different text that matches, or that one group captures, with its counts.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  GrepTool,
  PathgrepError,
  search,
  searchEntries,
  Searcher,
  type SearchQuery,
  type ValueEntry,
  type ValuesResult,
  Workspace,
} from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";
import { connect } from "../mcp/clients.ts";

const FILES = {
  "a.ts": `import a from "x";\nimport { b } from "y"; import c from "x";\n`,
  "b.ts": `import d from 'x';\nexport const e = require("z");\n`,
  "c.md": "no such line\n",
};
const asked = { outputMode: "values" } as const;

function rows(values: readonly ValueEntry[]): [string, number, number][] {
  return values.map(({ value, count, files }) => [value, count, files]);
}

const CASES: readonly [string, SearchQuery & typeof asked, [string, number, number][]][] = [
  ["whole matches", { pattern: "(?:im|ex)port", ...asked }, [["import", 4, 2], ["export", 1, 1]]],
  ["what the one group captures", { pattern: `from ["']([^"']*)`, ...asked }, [
    ["x", 3, 2],
    ["y", 1, 1],
  ]],
  ["a named group", { pattern: `from ["'](?<module>.)`, ...asked }, [["x", 3, 2], ["y", 1, 1]]],
  ["a group in plain text", { pattern: "im(por)t", ...asked }, [["por", 4, 2]]],
  ["a group with a backreference", { pattern: `(["'])[xz]\\1`, ...asked }, [[`"`, 3, 2], [
    "'",
    1,
    1,
  ]]],
  ["a group that takes no part stands for its match", { pattern: "im(por)t|export", ...asked }, [
    ["por", 4, 2],
    ["export", 1, 1],
  ]],
  ["two groups", { pattern: "(im)(port)", ...asked }, [["import", 4, 2]]],
  ["plain text with parentheses", { pattern: `require("z")`, fixedStrings: true, ...asked }, [
    [`require("z")`, 1, 1],
  ]],
  ["letter case", { pattern: "IM|im", caseInsensitive: true, ...asked }, [["im", 4, 2]]],
  ["ties by bytes", { pattern: "[bde]\\b(?= =| \\}| from)", ...asked }, [
    ["b", 1, 1],
    ["d", 1, 1],
    ["e", 1, 1],
  ]],
  ["whole words", { pattern: "(\\w)", wholeWord: true, path: "b.ts", ...asked }, [
    ["d", 1, 1],
    ["e", 1, 1],
    ["x", 1, 1],
    ["z", 1, 1],
  ]],
  ["a text over lines", { pattern: `;\\n(\\w+)`, multiline: true, ...asked }, [
    ["export", 1, 1],
    ["import", 1, 1],
  ]],
  ["empty matches are none", { pattern: "Q*", ...asked }, []],
  ["lines of each file, at most", { pattern: "import", maxCount: 1, ...asked }, [["import", 2, 2]]],
];

for (const [name, query, expected] of CASES) {
  test(`values: ${name}`, async () => {
    await using tree = await tempTree(FILES);
    const workspace = await Workspace.open(tree.root);
    const result = await search(query, { workspace });
    assert.equal(result.output_mode, "values");
    assert.deepEqual(rows(result.values), expected);
    assert.equal(result.count, expected.reduce((sum, [, count]) => sum + count, 0));
    for (const engine of ["rg", "grep"] as const) {
      const other = await search({ ...query, engine }, { workspace });
      assert.deepEqual(other.values, result.values, engine);
    }
  });
}

test("values of several patterns say which match them", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: ["import", "[ie]\\w+t"], ...asked };
  const { values, pattern_counts } = await search(query, { workspace });
  assert.deepEqual(values, [
    { value: "import", count: 4, files: 2, patterns: [0, 1] },
    { value: "export", count: 1, files: 1, patterns: [1] },
  ]);
  assert.deepEqual(pattern_counts, [4, 5]);
});

test("a value is shown up to its 200th character, and differs by all of them", async () => {
  const long = "é".repeat(300);
  await using tree = await tempTree({ "a.txt": `<${long}a>\n<${long}b>\n<\u{1f600}>\n` });
  const { values } = await search({ pattern: "<(.*)>", ...asked }, {
    workspace: await Workspace.open(tree.root),
  });
  assert.deepEqual(rows(values), [
    [long.slice(0, 200), 1, 1],
    [long.slice(0, 200), 1, 1],
    ["\u{1f600}", 1, 1],
  ]);
});

test("pages of values: each value once, with totals of values", async () => {
  await using tree = await tempTree({
    "a.txt": Array.from({ length: 10 }, (_, index) => `v${index}\n`.repeat(index + 1)).join(""),
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "v\\d", maxResults: 4, onOverflow: "truncate", ...asked } as const;
  const seen: ValueEntry[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: Awaited<ReturnType<typeof search<"values">>> = await search(
      { ...query, offset },
      { workspace },
    );
    assert.equal(page.count, page.values.reduce((sum, { count }) => sum + count, 0));
    if (page.truncated) assert.equal(page.total, 10);
    seen.push(...page.values);
    offset = page.next_offset;
  }
  assert.deepEqual(
    rows(seen),
    Array.from({ length: 10 }, (_, index) => [`v${9 - index}`, 10 - index, 1]),
  );
  const tooMany = await search({ ...query, onOverflow: "error" }, { workspace }).catch((e) => e);
  assert.equal(tooMany.code, "search_too_broad");
  assert.match(tooMany.message, /more than 4 values/);
});

test("over 100,000 values there is no answer, but the most frequent of those found", async () => {
  const lines = Array.from({ length: 100_001 }, (_, index) => `${index}\n`).join("");
  await using tree = await tempTree({ "a.txt": `${lines}7\n` });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "\\d+", maxResults: 2, onOverflow: "truncate", ...asked } as const;
  const error = await search(query, { workspace }).catch((error) => error);
  assert.ok(error instanceof PathgrepError);
  assert.equal(error.code, "search_too_broad");
  assert.match(error.message, /more than 100000 values/);
  const partial = error.details["partial"] as { values: ValueEntry[]; total_at_least: number };
  assert.deepEqual(rows(partial.values), [["7", 2, 1], ["0", 1, 1]]);
  assert.equal(partial.total_at_least, 100_000);
});

test("what has no values is refused", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const refused: [Partial<SearchQuery>, RegExp][] = [
    [{ context: 1 }, /omit context/],
    [{ before: 1 }, /omit context/],
    [{ invert: true }, /omit invert/],
    [{ filesWithoutMatch: true }, /omit filesWithoutMatch/],
  ];
  for (const [query, message] of refused) {
    await assert.rejects(search({ pattern: "x", ...asked, ...query }, { workspace }), {
      code: "invalid_input",
      message,
    });
  }
  await assert.rejects(search({ pattern: "(a+)+b", ...asked }, { workspace }), {
    code: "invalid_pattern",
  });
  const quiet = await pathgrep(["x", "--output-mode", "values", "-q"], { cwd: tree.root });
  assert.equal(quiet.code, 2);
  assert.match(quiet.stdout + quiet.stderr, /--quiet/);
});

test("values on the command line, in each format, and of standard input", async () => {
  await using tree = await tempTree(FILES);
  const args = ["(?:im|ex)port", ".", "--output-mode", "values"];
  const text = await pathgrep([...args, "--format", "text"], { cwd: tree.root });
  assert.equal(text.stdout, "4\timport\n1\texport\n");
  const jsonl = await pathgrep([...args, "--format", "jsonl"], { cwd: tree.root });
  const [first, , summary] = jsonl.stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(first, { type: "value", value: "import", count: 4, files: 2 });
  assert.equal(summary.count, 5);
  const none = await pathgrep(["nothing here", ".", "--output-mode", "values"], { cwd: tree.root });
  assert.equal(none.code, 1);
  assert.deepEqual(JSON.parse(none.stdout).values, []);
  const piped = await pathgrep(["b(.)", "-", "--output-mode", "values", "--format", "text"], {
    cwd: tree.root,
    stdin: "bx by bx\nb\u0007\n",
  });
  assert.equal(piped.stdout, "2\tx\n1\t\\x07\n1\ty\n");
});

test("values as entries, from a searcher and from the tool", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "(?:im|ex)port", ...asked };
  const entries: ValueEntry[] = [];
  let summary: object | undefined;
  const onSummary = (given: object) => summary = given;
  for await (const entry of searchEntries(query, { workspace, onSummary })) entries.push(entry);
  assert.deepEqual(rows(entries), [["import", 4, 2], ["export", 1, 1]]);
  assert.ok(summary !== undefined && !("values" in summary));
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const all = await Promise.all(
    Array.from(
      { length: 8 },
      (_, index) =>
        searcher.search({ ...query, pattern: index % 2 === 0 ? "im(p)" : "ex(p)ort", ...asked }),
    ),
  );
  assert.deepEqual(all.map(({ count }) => count), [4, 1, 4, 1, 4, 1, 4, 1]);
  const tool = new GrepTool({ workspace });
  const answer = await tool.execute({ pattern: "import", output_mode: "distinct" }) as ValuesResult;
  assert.deepEqual(answer.values, [{ value: "import", count: 4, files: 2 }]);
  const concise = await tool.execute({
    pattern: "(?:im|ex)port",
    output_mode: "values",
    response_format: "concise",
  }) as { text: string };
  assert.equal(concise.text, "4\timport\n1\texport\n");
});

test("over MCP, the summary says in how many files the values are", async () => {
  await using tree = await tempTree({
    "a.ts": 'import "x";\nimport "y";\n',
    "b.ts": 'import "x";\n',
    "c.ts": "",
  });
  await using client = await connect("v1", { cwd: tree.root });
  const call = { pattern: 'import "(.*)"', output_mode: "values" };
  const { text } = await client.call("grep", call);
  assert.equal(text, "2\tx\n1\ty\n\n2 values, 3 matches in 2 files; searched 3 files");
  const one = await client.call("grep", { ...call, max_results: 1 });
  assert.match(one.text, /^2\tx\n\nvalues 1-1 of 2, with 2 matches on this page; searched 3 files/);
});
