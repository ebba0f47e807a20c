/** Several patterns in one search: which of them match what, and how often each does. */

import assert from "node:assert/strict";
import {
  type ContentResult,
  type CountResult,
  PathgrepError,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { canSetFlags } from "../../src/regex/printer.ts";
import { sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { assertSoon, withTimeFor } from "../support/soon.ts";
import { test } from "../support/needs.ts";

const FILES = {
  "a.txt": "foo\nbar\nfoo bar\nnone\n",
  "b/c.txt": "bar\nFoo\n",
  "d.txt": "none\n",
};

/** Answers a query, with relative paths. */
async function ask<Result = SearchResult>(t: Tree, query: SearchQuery): Promise<Result> {
  const workspace = await Workspace.open(t.root);
  return await search({ paths: "relative", ...query }, { workspace }) as Result;
}

/** Each entry with its patterns. */
function marked({ matches }: ContentResult): string[] {
  return matches.map(({ file, line_number, line, patterns }) =>
    `${file}:${line_number}:${line} ${JSON.stringify(patterns)}`
  );
}

Deno.test("each entry says which patterns match its line, and the answer how many lines each matches", async () => {
  await using t = await tempTree(FILES);
  const result = await ask<ContentResult>(t, { pattern: ["bar", "absent", "fo+"] });
  assert.deepEqual(marked(result), [
    "a.txt:1:foo [2]",
    "a.txt:2:bar [0]",
    "a.txt:3:foo bar [0,2]",
    "b/c.txt:1:bar [0]",
  ]);
  assert.equal(result.pattern, "bar\nabsent\nfo+");
  assert.deepEqual(result.pattern_counts, [3, 0, 2]);
});

Deno.test("a pattern whose reference ignores letter case is one of several, or beside other parts", async () => {
  await using t = await tempTree({ "a.txt": "ababAB\nabab FOO\nfoo\nFoo abAC\n" });
  const asked = [
    { patterns: ["(?i)(ab)\\1", "foo"], lines: ["ababAB", "abab FOO", "foo"], counts: [2, 1] },
    { patterns: ["foo", "(?i)(ab)\\1"], lines: ["ababAB", "abab FOO", "foo"], counts: [1, 2] },
    { patterns: ["(?i:(ab)\\1)x?"], lines: ["ababAB", "abab FOO"], counts: undefined },
    { patterns: ["(?i:(a)b\\1c)|FOO"], lines: ["abab FOO", "Foo abAC"], counts: undefined },
  ];
  for (const { patterns, lines, counts } of asked) {
    const found = () => ask<ContentResult>(t, { pattern: patterns });
    const args = patterns.flatMap((pattern) => ["-e", pattern]);
    const { code, stdout, stderr } = await pathgrep([...args, "--workspace", t.root]);
    if (!canSetFlags()) {
      await assert.rejects(found, { code: "invalid_pattern" });
      assert.match(stdout, /this runtime cannot match a backreference that ignores letter case/);
      continue;
    }
    const { matches, pattern_counts } = await found();
    assert.deepEqual(matches.map(({ line }) => line), lines, patterns.join());
    assert.deepEqual(pattern_counts, counts, patterns.join());
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).matches.map(({ line }: { line: string }) => line), lines);
  }
});

Deno.test("what one line holds says nothing of the next, also where only backtracking can match", async () => {
  await using t = await tempTree({ "a.txt": "-aa\n----aa\n--bb bb\n------bb aa\n" });
  const query = { pattern: ["(a+)+\\1", "(b+)+\\1"], onlyMatching: true } as const;
  assert.deepEqual(marked(await ask<ContentResult>(t, query)), [
    "a.txt:1:aa [0]",
    "a.txt:2:aa [0]",
    "a.txt:3:bb [1]",
    "a.txt:3:bb [1]",
    "a.txt:4:bb [1]",
    "a.txt:4:aa [0]",
  ]);
});

Deno.test("counts are by pattern per file as indices, and in all as lines", async () => {
  await using t = await tempTree(FILES);
  const query = { pattern: ["bar", "absent", "fo+"], outputMode: "count" } as const;
  const { counts, count, pattern_counts } = await ask<CountResult>(t, query);
  assert.deepEqual(counts, [
    { file: "a.txt", count: 3, patterns: [0, 2] },
    { file: "b/c.txt", count: 1, patterns: [0] },
  ]);
  assert.equal(count, 4);
  assert.deepEqual(pattern_counts, [3, 0, 2]);
});

Deno.test("in file mode the counts are files, of every pattern that matches anywhere in them", async () => {
  await using t = await tempTree({ ...FILES, "z.txt": `bar\n${"-\n".repeat(100)}foo\nlast` });
  const result = await ask(t, { pattern: ["bar", "absent", "fo+", "last$"], outputMode: "file" });
  assert.deepEqual(result, {
    pattern: "bar\nabsent\nfo+\nlast$",
    base_path: t.root,
    output_mode: "file",
    files: ["a.txt", "b/c.txt", "z.txt"],
    count: 3,
    pattern_counts: [3, 0, 2, 1],
  });
});

Deno.test("a single pattern has neither key, in a list either", async () => {
  await using t = await tempTree(FILES);
  for (const pattern of ["foo", ["foo"]]) {
    for (const outputMode of ["content", "count", "file"] as const) {
      const text = JSON.stringify(await ask(t, { pattern, outputMode }));
      assert.ok(!text.includes("pattern_counts") && !text.includes('"patterns"'), text);
    }
  }
});

Deno.test("the same pattern twice is two patterns", async () => {
  await using t = await tempTree({ "a.txt": "foo\n" });
  const result = await ask<ContentResult>(t, { pattern: ["foo", "foo"] });
  assert.deepEqual([marked(result), result.pattern_counts], [["a.txt:1:foo [0,1]"], [1, 1]]);
});

Deno.test("with onlyMatching, an entry has the patterns with a match that starts in its text", async () => {
  await using t = await tempTree({ "a.txt": "foobar foo x\n" });
  const entries = async (pattern: string[]) => {
    const result = await ask<ContentResult>(t, { pattern, onlyMatching: true });
    return [...result.matches.map(({ line, patterns }) => [line, patterns]), result.pattern_counts];
  };
  assert.deepEqual(await entries(["foo", "foobar", "x", "oba"]), [
    ["foo", [0, 1, 3]],
    ["foo", [0]],
    ["x", [2]],
    [2, 1, 1, 1],
  ]);
  // An empty match is no entry.
  assert.deepEqual(await entries(["bar", "y*"]), [["bar", [0]], [1, 0]]);
});

Deno.test("with multiline, an entry has the patterns with a match that starts in its lines", async () => {
  await using t = await tempTree({ "a.txt": "one\ntwo three\nfour\n" });
  const result = await ask<ContentResult>(t, {
    pattern: ["two", "e\\ntwo", "^four$", "three\\nfour", "two\\nfour"],
    multiline: true,
  });
  assert.deepEqual(marked(result), [
    "a.txt:1:one\ntwo three [0,1,3]",
    "a.txt:2:two three\nfour [0,2,3]",
  ]);
  assert.deepEqual(result.pattern_counts, [2, 1, 1, 2, 0]);
  // What is asked for next may lie within the match that was found last.
  await t.write({ "a.txt": "ab\n" });
  const parts = await ask<ContentResult>(t, {
    pattern: ["a", "(\\w)(.?)\\2\\1|a*\\P{Lu}*"],
    multiline: true,
    onlyMatching: true,
  });
  assert.deepEqual(marked(parts), ["a.txt:1:a [0,1]", "a.txt:1:b\n [1]"]);
});

Deno.test("an inverted search gives lines of no pattern: their lists are empty and every count is 0", async () => {
  await using t = await tempTree(FILES);
  const pattern = ["bar", "foo"];
  const result = await ask<ContentResult>(t, { pattern, invert: true });
  assert.deepEqual(marked(result), ["a.txt:4:none []", "b/c.txt:2:Foo []", "d.txt:1:none []"]);
  assert.deepEqual(result.pattern_counts, [0, 0]);
  const counts = await ask<CountResult>(t, { pattern, invert: true, outputMode: "count" });
  assert.deepEqual(counts.counts[0], { file: "a.txt", count: 1, patterns: [] });
  assert.deepEqual(counts.pattern_counts, [0, 0]);
  const without = await ask(t, { pattern, outputMode: "file", filesWithoutMatch: true });
  assert.deepEqual("files" in without && without.files, ["d.txt"]);
  assert.deepEqual(without.pattern_counts, [0, 0]);
});

Deno.test("options of matching hold for each pattern by itself, smart case for all together", async () => {
  await using t = await tempTree({ "a.txt": "Foo.bar\nfoobar\nbar\n" });
  const by = async (query: SearchQuery) => {
    const { matches, pattern_counts } = await ask<ContentResult>(t, query);
    return [matches.map(({ patterns }) => patterns), pattern_counts];
  };
  const pattern = ["foo", "bar"];
  assert.deepEqual(await by({ pattern, caseInsensitive: true }), [[[0, 1], [0, 1], [1]], [2, 3]]);
  assert.deepEqual(await by({ pattern, smartCase: true }), [[[0, 1], [0, 1], [1]], [2, 3]]);
  assert.deepEqual(await by({ pattern: ["Foo", "BAR"], smartCase: true }), [[[0]], [1, 0]]);
  assert.deepEqual(await by({ pattern, wholeWord: true }), [[[1], [1]], [0, 2]]);
  assert.deepEqual(await by({ pattern: ["foo", "bar", "foob.."], wholeLine: true }), [
    [[2], [1]],
    [0, 1, 1],
  ]);
  assert.deepEqual(await by({ pattern: ["o.b", "oob"], fixedStrings: true }), [
    [[0], [1]],
    [1, 1],
  ]);
  assert.deepEqual(await by({ pattern: ["(o)\\1", "(?<=oo)b"] }), [[[0], [0, 1]], [2, 1]]);
});

Deno.test("maxCount limits the lines of all patterns together, in every mode", async () => {
  await using t = await tempTree({ "a.txt": "foo\nfoo\nbar\n" });
  for (const outputMode of ["content", "count", "file"] as const) {
    const { pattern_counts } = await ask(t, { pattern: ["foo", "bar"], maxCount: 2, outputMode });
    assert.deepEqual(pattern_counts, [outputMode === "file" ? 1 : 2, 0], outputMode);
  }
});

Deno.test("pattern_counts stands before the notes", async () => {
  await using t = await tempTree({ ...FILES, "long.txt": "x".repeat(2_000_000) });
  const result = await ask(t, { pattern: ["foo", "bar"], stats: true });
  assert.deepEqual(Object.keys(result), [
    ...["pattern", "base_path", "output_mode", "matches", "count"],
    ...["pattern_counts", "notes", "stats"],
  ]);
});

Deno.test("a page counts what all of the answer's entries match, and so does every order", async () => {
  await using t = await tempTree(FILES);
  for (const sort of ["path", "modified", "none"] as const) {
    for (const outputMode of ["content", "count", "file"] as const) {
      const query = { pattern: ["bar", "zzz", "fo+"], sort, outputMode };
      const whole = await ask(t, query);
      const page = await ask(t, { ...query, maxResults: 1, onOverflow: "truncate" });
      assert.equal(page.truncated, true);
      assert.deepEqual(page.pattern_counts, whole.pattern_counts);
      const keys = Object.keys(page);
      assert.deepEqual(keys.slice(keys.indexOf("next_offset")), [
        ...["next_offset", "total", "total_files", "pattern_counts"],
      ]);
    }
  }
  // The last page is not truncated: its counts add up to its own.
  const last = await ask(t, { pattern: ["bar", "zzz", "fo+"], offset: 2 });
  assert.deepEqual([last.count, last.pattern_counts], [2, [2, 0, 1]]);
});

Deno.test("a page counts its own entries where counting them all took too long", async () => {
  await using t = await tempTree();
  const workspace = await Workspace.open(t.root);
  const stdin = async function* () {
    yield new TextEncoder().encode("foo\nfoo bar\nbar\nbar\n");
    await new Promise(() => {});
  };
  for (const onFile of [undefined, () => {}]) {
    await withTimeFor(async (timeout) => {
      const query = { pattern: ["foo", "bar"], path: "-", maxResults: 2, offset: 0, timeout };
      const page = await runSearch(query, { workspace, stdin, onFile });
      assert.deepEqual([page.total_at_least, page.pattern_counts], [4, [2, 1]]);
    }, 100);
  }
});

Deno.test("an answer cut to its budget counts what it had without the cut", async () => {
  await using t = await tempTree({ "a.txt": "foo\n".repeat(50) + "bar\n" });
  const query = { pattern: ["foo", "bar"], maxOutputChars: 1000, onOverflow: "truncate" } as const;
  const result = await ask(t, query);
  assert.ok(result.count < 20);
  assert.deepEqual([result.total, result.pattern_counts], [51, [50, 1]]);
});

Deno.test("an entry that was shortened says which patterns match after that it was", async () => {
  await using t = await tempTree({ "a.txt": `${"x".repeat(900)} foo\n`.repeat(30) });
  for (const maxOutputChars of [9000, 420]) {
    const query = { pattern: ["foo", "bar"], maxOutputChars, onOverflow: "truncate" } as const;
    const { matches, reduced } = await ask<ContentResult>(t, query);
    assert.ok(reduced!.includes("lines"));
    for (const entry of matches) {
      assert.deepEqual(Object.keys(entry), [
        ...["file", "line_number", "line", "column", "line_truncated", "patterns"],
      ]);
    }
  }
});

test.slow("-e repeated and -f say which patterns match, in json and row by row", async () => {
  await using t = await tempTree({ ...FILES, ".patterns": "bar\nzzz\n" });
  const cli = async (...args: string[]) =>
    await pathgrep(["--workspace", t.root, "--paths", "relative", "-g", "*.txt", ...args]);
  const flags = ["-e", "bar", "-e", "zzz", "-e", "fo+"];
  const json = (await cli(...flags)).json() as ContentResult;
  assert.deepEqual(json, await ask(t, { pattern: ["bar", "zzz", "fo+"], include: "*.txt" }));
  const counted = (await cli("-f", t.path(".patterns"), "-e", "fo+", "-c")).json();
  assert.equal(counted.pattern, "fo+\nbar\nzzz");
  assert.deepEqual(counted.counts, [
    { file: "a.txt", count: 3, patterns: [0, 1] },
    { file: "b/c.txt", count: 1, patterns: [1] },
  ]);
  for (const engine of ["js", "rg", "git", "grep"]) {
    const rows = (await cli(...flags, "--format", "jsonl", "--engine", engine)).rows();
    const summary = rows.pop();
    assert.deepEqual(rows.map(({ type: _, ...entry }) => entry), json.matches);
    assert.deepEqual([summary.type, summary.pattern_counts], ["summary", [3, 0, 2]]);
  }
  const text = await cli(...flags, "--format", "text");
  assert.equal(text.stdout, "a.txt:1:foo\na.txt:2:bar\na.txt:3:foo bar\nb/c.txt:1:bar\n");
  const stdin = ["-", "-e", "a", "-e", "b", "--format", "jsonl"];
  const piped = await pathgrep(stdin, { cwd: t.root, stdin: "ab\nb\n" });
  assert.deepEqual(piped.rows().map((row) => row.patterns ?? row.pattern_counts), [
    ...[[0, 1], [1], [1, 2]],
  ]);
});

test.slow("several patterns, paths and roots give one answer on every engine", async () => {
  await using t = await tempTree({ ...FILES, "b/é.txt": "é foo\n", "e.bin": "foo\0bar\n" });
  const pattern = ["bar", "f(o)\\1", "é", "zzz", "(?i)FOO"];
  for (const outputMode of ["content", "count", "file"] as const) {
    for (
      const more of [
        {},
        { onlyMatching: true },
        { multiline: true },
        { invert: true },
        { wholeWord: true },
        { path: ["b", "a.txt"], context: 1 },
        { maxResults: 2, onOverflow: "truncate" },
      ] satisfies Partial<SearchQuery>[]
    ) {
      const answer = await sameAnswer(t.root, { pattern, outputMode, ...more }) as SearchResult;
      assert.equal(answer.pattern_counts?.length, 5, JSON.stringify(answer));
    }
  }
  const workspace = await Workspace.open([t.path("b"), t.root]);
  const { pattern_counts } = await search({ pattern: ["foo", "bar"] }, { workspace });
  assert.deepEqual(pattern_counts, [3, 3]);
});

Deno.test("an error in one of several patterns says which", async () => {
  await using t = await tempTree();
  const error = await ask(t, { pattern: ["ok", "foo(", "bar("] }).catch((error) => error);
  assert.ok(error instanceof PathgrepError);
  assert.equal(error.code, "invalid_pattern");
  assert.equal(error.message, 'pattern 2 of 3, "foo(": unclosed `(` (at character 4)');
  assert.equal(error.details.pattern, "foo(");
  await assert.rejects(ask(t, { pattern: ["ok", ""] }), {
    code: "invalid_input",
    message: "pattern 2 of 2 is empty; give the text or expression to search for",
  });
});

test.slow("a pattern that takes for ever on a line that another found ends with the time limit", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(40)}!\n` });
  const pattern = ["a", ..."bcdefg", "^(a+)+\\1$"];
  for (const outputMode of ["content", "count", "file"] as const) {
    const start = performance.now();
    await assert.rejects(ask(t, { pattern, outputMode, timeout: 100 }), {
      code: "search_timed_out",
    });
    assertSoon(start);
  }
});

Deno.test("a pattern that takes for ever on a line that another found ends when it is cancelled", async () => {
  await using t = await tempTree({ "a.txt": `${"a".repeat(40)}!\n` });
  const workspace = await Workspace.open(t.root);
  for (const multiline of [false, true]) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 80);
    const start = performance.now();
    await assert.rejects(
      search({ pattern: ["a", "^(a+)+\\1$"], multiline, timeout: 20_000 }, {
        workspace,
        signal: controller.signal,
      }),
      { code: "cancelled" },
    );
    clearTimeout(timer);
    assertSoon(start);
  }
});

Deno.test("of more than 1000 patterns it is not reported which match, and a note says so", async () => {
  await using t = await tempTree({ "a.txt": "word7\n" });
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}x?`);
  const result = await ask<ContentResult>(t, { pattern: words(1000) });
  assert.deepEqual(result.matches[0]!.patterns, [7]);
  assert.equal(result.pattern_counts!.length, 1000);
  const more = await ask<ContentResult>(t, { pattern: words(1001) });
  assert.equal(more.count, 1);
  assert.equal(more.pattern_counts, undefined);
  assert.deepEqual(more.notes, [
    "which patterns match is not reported for more than 1000 patterns",
  ]);
});

Deno.test("a line of a million matches is asked about once for several patterns, not for each match", async () => {
  await using tree = await tempTree({ "a.txt": `\u00e9${"a".repeat(1_000_000)}b\n` });
  const workspace = await Workspace.open(tree.root);
  const started = performance.now();
  const { count, pattern_counts } = await search({
    ...{ pattern: ["a", "b"], onlyMatching: true, outputMode: "count", timeout: 0 },
  }, { workspace }) as CountResult;
  assertSoon(started);
  assert.deepEqual([count, pattern_counts], [1_000_001, [1_000_000, 1]]);
});
