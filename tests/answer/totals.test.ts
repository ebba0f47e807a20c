/** A truncated answer knows how much there is. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  listFiles,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { pathgrep as runCli } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { assertHolds } from "../support/draw.ts";
import { ENGINES, sameAnswer } from "../support/engines.ts";

import { assertSoon, quickest, withTimeFor } from "../support/soon.ts";
import { test } from "../support/needs.ts";

/** A tree with matches in many files, some that are not searched, and one with most of them. */
const TREE: Record<string, string | Uint8Array> = {
  "a/one.txt": "needle\nhay\nneedle needle\n",
  "a/two.txt": "hay\nneedle\n",
  "b/binary": "needle\nneedle\n".repeat(40) + "\0",
  "b/legacy.txt": Uint8Array.of(...new TextEncoder().encode("needle\n"), 0xff, 0x0a),
  "b/many.txt": "needle\nhay\n".repeat(50),
  "c/none.txt": "hay\n",
  "c/Übung.txt": "eine Übung: needle\n".repeat(3),
  "z.txt": "needle\n",
};

/** Runs the command line with every engine at its disposal. */
const runAll = (args: readonly string[], options: { cwd: string }) =>
  runCli(args, { ...options, permissions: ["-A"] });

/** The files that an answer names. */
function filesOf(result: SearchResult): Set<string> {
  if (result.output_mode === "file") return new Set(result.files);
  assert.ok(result.output_mode !== "values");
  return new Set(
    (result.output_mode === "content" ? result.matches : result.counts).map(({ file }) => file),
  );
}

Deno.test("every page of a longer answer says how many entries there are, and in how many files", async (t) => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  const query = fc.record({
    outputMode: fc.constantFrom("content", "file", "count"),
    sort: fc.constantFrom("path", "modified", "none"),
    pattern: fc.constantFrom("needle", "hay|needle", "(?=need)needle"),
    onlyMatching: fc.boolean(),
    multiline: fc.boolean(),
    invert: fc.boolean(),
    maxCount: fc.constantFrom(undefined, 2),
    context: fc.constantFrom(0, 1),
  });
  await assertHolds(
    t,
    fc.asyncProperty(
      query,
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      async (asked, offset, maxResults) => {
        const query: SearchQuery = { maxFileSize: 0, ...asked };
        const whole = await search({ ...query, maxResults: 10_000 }, { workspace });
        for (const ask of [search, searcher.search.bind(searcher)] as const) {
          const page = await ask({ ...query, offset, maxResults }, { workspace });
          assert.equal("total_at_least" in page, false);
          assert.deepEqual(
            [page.total, page.total_files],
            page.truncated ? [whole.count, filesOf(whole).size] : [undefined, undefined],
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test.slow("the totals are the same on every engine", async () => {
  await using tree = await tempTree(TREE);
  for (const outputMode of ["content", "file", "count"] as const) {
    for (const maxResults of [1, 2, 4]) {
      const query = { pattern: "needle", outputMode, maxResults, onOverflow: "truncate" } as const;
      const page = await sameAnswer(tree.root, query) as SearchResult;
      assert.deepEqual(
        [page.truncated, page.total, page.total_files],
        [true, outputMode === "file" ? 5 : 57, 5],
      );
    }
  }
});

test.slow("totals stand between where to go on and the notes, in every format", async () => {
  await using tree = await tempTree({ ...TREE, "y.txt": "needle\n".repeat(200_000) });
  // How much is not shown is said of quick searches alone.
  const page = [
    "needle",
    "--max-results=2",
    "--on-overflow=truncate",
    "--stats",
    "--explain=never",
  ];
  for (const engine of ENGINES) {
    const { stdout } = await runAll([...page, `--engine=${engine}`], { cwd: tree.root });
    const keys = Object.keys(JSON.parse(stdout)).filter((key) => key !== "notes");
    assert.deepEqual(keys.slice(-6), [
      "count",
      "truncated",
      "next_offset",
      "total",
      "total_files",
      "stats",
    ]);
  }
  const rows = await runAll([...page, "--format=jsonl"], { cwd: tree.root });
  const summary = JSON.parse(rows.stdout.trim().split("\n").at(-1)!);
  assert.deepEqual([summary.type, summary.total, summary.total_files], ["summary", 57, 5]);
  const text = await runAll([...page, "--format=text"], { cwd: tree.root });
  assert.match(
    text.stderr,
    /truncated: 57 matches in 5 files in all; use --offset 2 for the next page, or --max-results 0/,
  );
  const files = await runAll([...page, "--format=text", "-l"], { cwd: tree.root });
  assert.match(
    files.stderr,
    /truncated: 5 files in all; use --offset 2 for the next page, or --max-results 0 for all/,
  );
  const listed = await runAll(["files", "--max-results=2", "--on-overflow=truncate"], {
    cwd: tree.root,
  });
  assert.deepEqual([JSON.parse(listed.stdout).total, JSON.parse(listed.stdout).total_files], [
    8,
    8,
  ]);
});

Deno.test("an answer that is not truncated has no totals", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  for (const more of [{}, { offset: 50 }, { offset: 1000 }, { onOverflow: "truncate" as const }]) {
    const result = await search({ pattern: "needle", ...more }, { workspace });
    assert.deepEqual(Object.keys(result).filter((key) => key.startsWith("total")), []);
  }
});

test.slow("counting that takes longer than a second ends, and the answer says what was counted", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const line = new TextEncoder().encode("needle\n".repeat(1000));
  const endless = async function* () {
    for (;;) {
      await null;
      yield line;
    }
  };
  const silent = async function* () {
    yield line;
    await new Promise(() => {});
  };
  for (const [stdin, least] of [[endless, 1001], [silent, 1000]] as const) {
    const started = performance.now();
    const page = await runSearch(
      { pattern: "needle", path: "-", maxResults: 2, onOverflow: "truncate" },
      { workspace, stdin },
    );
    assert.ok(performance.now() - started > 900);
    assertSoon(started);
    assert.equal(page.count, 2);
    assert.ok(page.total_at_least! >= least);
    assert.ok(!("total" in page) && !("total_files" in page));
  }
});

Deno.test("counting leaves time to answer within the limit", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const stdin = async function* () {
    yield new TextEncoder().encode("needle\nneedle\nneedle\n");
    await new Promise(() => {});
  };
  await withTimeFor(async (timeout) => {
    const query = { pattern: "needle", path: "-", maxResults: 2, offset: 0, timeout };
    const page = await runSearch(query, { workspace, stdin });
    assert.deepEqual([page.count, page.total_at_least], [2, 3]);
  }, 100);
});

Deno.test("counting ends with an abort", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", path: "-", maxResults: 2, offset: 0 };
  const ms = await quickest(async () => {
    const controller = new AbortController();
    const stdin = async function* () {
      yield new TextEncoder().encode("needle\nneedle\nneedle\n");
      setTimeout(() => controller.abort(), 50);
      await new Promise(() => {});
    };
    const started = performance.now();
    const searched = runSearch(query, { workspace, stdin, signal: controller.signal });
    await assert.rejects(searched, { code: "cancelled" });
    return started;
  });
  assert.ok(ms < 800, "counting would end after a second by itself");
});

Deno.test("a file that turns out to be binary after the page is full is not counted", async () => {
  await using tree = await tempTree({
    "a.bin": "needle\n".repeat(400_000) + "\0",
    "b.txt": "needle\nneedle\n",
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", maxResults: 1, offset: 0, maxFileSize: 0 } as const;
  const page = await search({ ...query, paths: "relative" }, { workspace });
  assert.ok(page.output_mode === "content");
  assert.deepEqual([page.matches[0]!.file, page.total, page.total_files], ["b.txt", 2, 1]);
});

Deno.test("listed files have totals, too", async () => {
  await using tree = await tempTree(TREE);
  const workspace = await Workspace.open(tree.root);
  for (const sort of ["path", "modified", "none"] as const) {
    const page = await listFiles({ maxResults: 3, offset: 1, sort }, { workspace });
    assert.deepEqual([page.count, page.next_offset, page.total, page.total_files], [3, 4, 8, 8]);
  }
});

Deno.test("patterns that no file was searched for are counted too", async () => {
  await using tree = await tempTree({ "a": "x\n", "b": "x\n", "c": "x\n" });
  const query = {
    pattern: ["yyy", "zzz"],
    filesWithoutMatch: true,
    outputMode: "file",
    maxResults: 2,
    onOverflow: "truncate",
  } as const;
  const result = await search(query, { workspace: await Workspace.open(tree.root) });
  assert.deepEqual([result.total, result.pattern_counts], [3, [0, 0]]);
});

Deno.test("top directories lie in the workspace, and standard input in none", async () => {
  const text = "needle\n".repeat(5);
  await using tree = await tempTree({ "a/x/f": text, "b/x/f": text, "b/x/d/f": text });
  const broad = async (args: readonly string[], stdin = "") => {
    const { stdout } = await runCli([...args, "--max-results", "2"], {
      cwd: tree.root,
      stdin: new TextEncoder().encode(stdin),
    });
    return JSON.parse(stdout).top_directories;
  };
  const roots = ["--workspace", "a/x", "--workspace", "b/x"];
  assert.deepEqual(await broad(["needle", ...roots]), [
    { path: "b/x", count: 10 },
    { path: "a/x", count: 5 },
  ]);
  assert.deepEqual(await broad(["needle", "-", "b"], text), [
    { path: "b/x", count: 5 },
    { path: "b/x/d", count: 5 },
  ]);
  assert.deepEqual(await broad(["needle", "-"], text), []);
});

Deno.test("a reused searcher names files that were not searched in one order", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.bin`);
  await using tree = await tempTree(Object.fromEntries(names.map((name) => [name, "x\0y"])));
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  const answers = new Set<string>();
  for (let run = 0; run < 20; run++) {
    answers.add(JSON.stringify(await searcher.search({ pattern: "needle", path: names })));
  }
  assert.equal(answers.size, 1, [...answers].join("\n"));
});

Deno.test("a filter that would find something names the first of it by path", async () => {
  await using tree = await tempTree({ "d/z.txt": "needle\n", "d/e/f.js": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const { notes } = await search({ pattern: "needle", include: "d", explain: "auto" }, {
    workspace,
  });
  assert.match(String(notes), /the first in d\/e\/f\.js/);
});
