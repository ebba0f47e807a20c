/** Entries one by one: those of the whole answer, no more of them than the caller takes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  PathgrepError,
  search,
  searchEntries,
  type SearchEntriesOptions,
  type SearchQuery,
  type SearchSummary,
  Workspace,
} from "../../mod.ts";
import { hexOf } from "../../src/util/collections.ts";
import { assertHolds } from "../support/draw.ts";
import { test, testNeeding } from "../support/needs.ts";
import { MOD } from "../support/run.ts";
import { assertSoon, withTimeFor } from "../support/soon.ts";
import { spawn } from "../support/spawn.ts";
import { memoryTree, tempTree, type Tree } from "../support/tree.ts";

/** All entries, and the error after them, if there is one. */
async function all(query: SearchQuery, options: SearchEntriesOptions) {
  const entries: unknown[] = [];
  try {
    for await (const entry of searchEntries(query, options)) entries.push(entry);
  } catch (error) {
    assert.ok(error instanceof PathgrepError, String(error));
    return { entries, error };
  }
  return { entries };
}

async function whole(query: SearchQuery, options: SearchEntriesOptions) {
  const result = await search(query, options);
  switch (result.output_mode) {
    case "content":
      return { entries: result.matches, result };
    case "file":
      return { entries: result.files, result };
    case "count":
      return { entries: result.counts, result };
    case "values":
      return { entries: result.values, result };
  }
}

function inOrderOfFiles(entries: readonly unknown[]): unknown[] {
  const fileOf = (entry: unknown) =>
    typeof entry === "string" ? entry : (entry as { file: string }).file;
  const encoder = new TextEncoder();
  const keyOf = (entry: unknown) => hexOf(encoder.encode(fileOf(entry)));
  return entries.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0);
}

/** Names whose order by bytes differs from that of a walk, from that by UTF-16, and within a directory. */
const NAMES = ["a/z", "a.txt", "a-z", "a", "b/c/d", "b/c.txt", "b", "\u{10000}", "\uffee", "m/1"];

function someTree(): Promise<Tree> {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `needle ${index}\nhay\nother\n`).join("");
  const files = NAMES.flatMap((name, index) => [
    [`${name}.d/x.ts`, lines(index)],
    [`${name}.d/y/z.md`, lines(1) + "é\n"],
  ]);
  const large = "hay\n".repeat(100_000) + lines(3);
  return tempTree({
    ...Object.fromEntries(files),
    "b.d/m.txt": large,
    "l.txt": large + "other\n",
    "link.d": { symlink: "a.d" },
  });
}

const drawn = fc.record({
  pattern: fc.constantFrom("needle", "n.*[1-3]", ["needle", "other"], "hay", "absent"),
  outputMode: fc.constantFrom("content", "file", "count", undefined),
  path: fc.constantFrom(undefined, ["b.d/m.txt", "a.d", "a/z.d"], ["l.txt", "b"], "a.d"),
  include: fc.constantFrom(undefined, "*.ts", "!*.txt"),
  sort: fc.constantFrom("path", undefined, "modified"),
  context: fc.constantFrom(0, 0, 1, 4),
  offset: fc.constantFrom(undefined, undefined, 0, 3, 50),
  maxResults: fc.constantFrom(0, 1, 7, 40, undefined),
  onOverflow: fc.constantFrom("truncate", "error"),
  maxOutputChars: fc.constantFrom(undefined, undefined, 2000),
  maxCount: fc.constantFrom(undefined, 2),
  invert: fc.boolean(),
  follow: fc.constantFrom(false, false, true),
  multiline: fc.constantFrom(false, false, true),
  engine: fc.constantFrom(undefined, undefined, "grep"),
  paths: fc.constantFrom("relative", "absolute"),
  onlyMatching: fc.boolean(),
}) as fc.Arbitrary<SearchQuery>;

test.slow("they are those of the whole answer, in the order that is asked for, and then its error", async (t) => {
  await using tree = await someTree();
  const workspace = await Workspace.open(tree.root);
  const counts = { answers: 0, errors: 0 };
  await assertHolds(
    t,
    fc.asyncProperty(drawn, async (drawnQuery) => {
      const query: SearchQuery = { ...drawnQuery, timeout: 0 };
      let summary: SearchSummary | undefined;
      const { entries, error } = await all(query, {
        workspace,
        onSummary: (given) => summary = given,
      });
      try {
        const { entries: expected, result } = await whole(query, { workspace });
        assert.equal(error, undefined);
        const isOrdered = query.sort !== undefined || query.maxOutputChars !== undefined;
        // Which entries a page has depends on their order.
        const isPage = !isOrdered && ("truncated" in result || (query.offset ?? 0) > 0);
        if (isPage) return assert.equal(entries.length, expected.length);
        assert.deepEqual(isOrdered ? entries : inOrderOfFiles(entries), expected);
        const { matches: _, files: __, counts: ___, ...rest } = { ...result } as never as
          & Record<"matches" | "files" | "counts", unknown>
          & SearchSummary;
        assert.deepEqual(summary, rest);
        counts.answers++;
      } catch (thrown) {
        if (!(thrown instanceof PathgrepError)) throw thrown;
        assert.deepEqual(error?.toJSON(), thrown.toJSON());
        assert.equal(summary, undefined);
        const { entries: expected } = await whole(
          { ...query, maxOutputChars: undefined, maxResults: 0 },
          { workspace },
        );
        if (query.sort !== undefined) assert.equal(entries.length, 0);
        const known = new Set(expected.map((entry) => JSON.stringify(entry)));
        assert.ok(entries.every((entry) => known.has(JSON.stringify(entry))));
        counts.errors++;
      }
    }),
    { numRuns: 150 },
  );
  assert.ok(counts.answers > 20 && counts.errors > 0, JSON.stringify(counts));
});

/** Files with one match each, in order. */
function manyFiles(count: number): Record<string, string> {
  const text = "hay\n".repeat(500) + "needle\n";
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index % 10}/f${index}.txt`, text]),
  );
}

/** What a search has read, as it reports it. */
function progressOf() {
  const progress = { files: 0 };
  const onProgress = ({ filesSearched }: { filesSearched: number }) => {
    progress.files = filesSearched;
  };
  return { progress, onProgress };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.slow("the first one comes before most files are read, and leaving the loop ends the search", async () => {
  await using tree = await memoryTree(manyFiles(4000));
  const workspace = await Workspace.open(tree.root);
  for (const sort of [undefined, "none"] as const) {
    const { progress, onProgress } = progressOf();
    const query = { pattern: "needle", sort, maxResults: 0, paths: "relative" } as const;
    for await (const { file } of searchEntries(query, { workspace, onProgress })) {
      assert.match(file, /^d\d\/f\d+\.txt$/);
      break;
    }
    const { files } = progress;
    assert.ok(files > 0 && files < 2000, `${files} files`);
    await pause(100);
    assert.equal(progress.files, files, "nothing goes on reading");
  }
});

test.slow("a search waits for a slow caller, and that is not its time", async () => {
  await using tree = await memoryTree(manyFiles(6000));
  const workspace = await Workspace.open(tree.root);
  await withTimeFor(async (timeout) => {
    const { progress, onProgress } = progressOf();
    const query = { pattern: "needle", maxResults: 0, timeout } as const;
    let count = 0;
    for await (const _ of searchEntries(query, { workspace, onProgress })) {
      if (count++ > 0) continue;
      let files: number;
      do {
        ({ files } = progress);
        await pause(200);
      } while (progress.files > files);
      await pause(timeout);
      assert.equal(progress.files, files);
      assert.ok(files < 3000, `${files} files`);
    }
    assert.equal(count, 6000);
  }, 2000);
});

Deno.test("entries come file by file, in the order of paths where that is asked for", async () => {
  await using tree = await someTree();
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", maxResults: 0, paths: "relative" } as const;
  const filesOf = async (more: Partial<SearchQuery>) => {
    const { entries } = await all({ ...query, ...more }, { workspace });
    const files = entries.map((entry) => (entry as { file: string }).file);
    return files.filter((file, index) => file !== files[index - 1]);
  };
  const { files } = await search({ ...query, outputMode: "file" }, { workspace });
  assert.deepEqual(await filesOf({ sort: "path" }), files);
  const asTheyCome = await filesOf({});
  assert.notDeepEqual(asTheyCome, files);
  assert.deepEqual(asTheyCome.toSorted(), files.toSorted(), "each file comes once");
});

Deno.test("too many are an error after as many as there may be, with where they are", async () => {
  await using tree = await tempTree({
    "a.txt": "needle\n".repeat(900),
    "b/c.txt": "needle\n".repeat(900),
  });
  const workspace = await Workspace.open(tree.root);
  const { entries, error } = await all({ pattern: "needle" }, { workspace });
  assert.equal(entries.length, 1000);
  assert.equal(error?.code, "search_too_broad");
  assert.deepEqual(error?.details["top_directories"], [
    { path: ".", count: 900 },
    { path: "b", count: 900 },
  ]);
  const few = await all({ pattern: "needle", maxResults: 5 }, { workspace });
  assert.deepEqual([few.entries.length, few.error?.code], [5, "search_too_broad"]);
});

test.slow("what was found when time runs out comes before the error", async () => {
  const slow = "needle\n" + "a".repeat(60) + "\n";
  await using tree = await tempTree({ "a.txt": "needle\n", "b.txt": slow, "c.txt": "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const query = {
    pattern: String.raw`needle|^(a+)+\1b`,
    path: ["a.txt", "b.txt", "c.txt"],
    paths: "relative",
    timeout: 2000,
  } as const;
  const { entries, error } = await all(query, { workspace });
  assert.equal(error?.code, "search_timed_out");
  assert.deepEqual(entries, [
    { file: "a.txt", line_number: 1, line: "needle" },
    { file: "b.txt", line_number: 1, line: "needle" },
  ]);
  const partial = error.details["partial"] as Record<string, unknown>;
  assert.deepEqual([partial["count"], "matches" in partial], [2, false]);
});

Deno.test("a wrong query is an error of the first step, and nothing runs before it", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const { progress, onProgress } = progressOf();
  const entries = searchEntries({ pattern: "" }, { workspace, onProgress });
  await pause(20);
  assert.equal(progress.files, 0);
  await assert.rejects(entries.next(), /pattern is empty/);
  assert.deepEqual(await entries.next(), { done: true, value: undefined });
});

Deno.test("no entry comes after a signal, however many were found before it", async () => {
  for (const lines of [1, 400]) {
    await using tree = await tempTree({ "a.txt": "needle\n".repeat(lines), "b.txt": "needle\n" });
    const workspace = await Workspace.open(tree.root);
    for (const sort of ["path", "modified"] as const) {
      const ender = new AbortController();
      let seen = 0;
      let summaries = 0;
      const ran = async () => {
        const options = { workspace, signal: ender.signal, onSummary: () => summaries++ };
        for await (const _ of searchEntries({ pattern: "needle", sort }, options)) {
          if (++seen === 1) ender.abort();
        }
      };
      await assert.rejects(ran(), { code: "cancelled" });
      assert.deepEqual([seen, summaries], [1, 0]);
    }
  }
});

test.slow("a signal ends it with cancelled, also a slow pattern", async () => {
  await using tree = await tempTree({ ...manyFiles(2000), "slow.txt": "a".repeat(60) + "\n" });
  const workspace = await Workspace.open(tree.root);
  const options = () => ({ workspace, signal: AbortSignal.timeout(200) });
  const started = performance.now();
  const slow = { pattern: String.raw`^(a+)+\1b`, path: "slow.txt" };
  const { entries, error } = await all(slow, options());
  assert.deepEqual([entries.length, error?.code], [0, "cancelled"]);
  assertSoon(started);
  const ender = new AbortController();
  const seen: unknown[] = [];
  const ran = async () => {
    const query = { pattern: "needle", maxResults: 0 };
    for await (const entry of searchEntries(query, { workspace, signal: ender.signal })) {
      seen.push(entry);
      ender.abort();
    }
  };
  await assert.rejects(ran(), { code: "cancelled" });
  assert.ok(seen.length > 0 && seen.length < 2000, `${seen.length}`);
  await assert.rejects(
    searchEntries({ pattern: "x" }, { workspace, signal: AbortSignal.abort() }).next(),
    { code: "cancelled" },
  );
});

test.slow("return ends a search that has found nothing yet", async () => {
  await using tree = await memoryTree(manyFiles(8000));
  const workspace = await Workspace.open(tree.root);
  let searched = 0;
  // Where others have the processor, a search may be over before it is ended.
  for (let time = 0; time < 5; time++) {
    const { progress, onProgress } = progressOf();
    const entries = searchEntries({ pattern: "absent" }, { workspace, onProgress });
    const next = entries.next();
    while (progress.files === 0) await pause(1);
    assert.deepEqual(await entries.return?.(), { done: true, value: undefined });
    assert.deepEqual(await next, { done: true, value: undefined });
    searched = progress.files;
    if (searched < 8000) break;
  }
  assert.ok(searched < 8000, `${searched}`);
});

test.slow("those of several searches at once never mix", async () => {
  const words = ["one", "two", "three", "four"];
  const text = (index: number) => words.map((word) => `${word} ${index}\n`.repeat(3)).join("");
  await using tree = await tempTree(
    Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.txt`, text(index)])),
  );
  const workspace = await Workspace.open(tree.root);
  await Promise.all(
    words.flatMap((word) => [word, word]).map(async (word, index) => {
      const query = { pattern: word, maxResults: 0, paths: "relative" } as const;
      const { entries: expected } = await whole(query, { workspace });
      const seen: unknown[] = [];
      for await (const entry of searchEntries(query, { workspace })) {
        seen.push(entry);
        assert.ok(entry.line.startsWith(`${word} `), entry.line);
        if (seen.length % 50 === index) await pause(1);
        if (index > 5 && seen.length === 300) break;
      }
      const isLeft = index > 5;
      assert.equal(seen.length, isLeft ? 300 : expected.length);
      if (!isLeft) assert.deepEqual(inOrderOfFiles(seen), expected);
    }),
  );
});

testNeeding("linux").slow(
  "a process ends that leaves the loop or the iterator, and has closed every file",
  async () => {
    await using tree = await memoryTree(manyFiles(4000));
    const given = `{ pattern: "(?<!x)needle|(h+)+\\\\1x", maxResults: 0 }, { workspace, signal }`;
    const plain = `{ pattern: "needle", maxResults: 0 }, { workspace }`;
    const programs = {
      "the loop": `for await (const _ of searchEntries(${plain})) break;`,
      "the iterator": `await searchEntries(${plain}).next();`,
      "workers": `const entries = searchEntries(${given}); entries.next(); await entries.return();`,
    };
    for (const [name, lines] of Object.entries(programs)) {
      await tree.write({
        "../program.ts": `
      import { searchEntries, Workspace } from ${JSON.stringify(MOD)};
      const [root] = Deno.args;
      const workspace = await Workspace.open(root);
      const { signal } = new AbortController();
      ${lines}
      const open = [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
        try {
          return [Deno.readLinkSync("/proc/self/fd/" + name)];
        } catch {
          return [];
        }
      });
      console.log(JSON.stringify(open.filter((path) => path.startsWith(root))));`,
      });
      const started = performance.now();
      const ran = await spawn(Deno.execPath(), [
        ...["run", "-A", "--no-check", tree.path("../program.ts"), tree.root],
      ]);
      assert.equal(ran.stderr, "", name);
      assert.equal(ran.stdout, "[]\n", name);
      assertSoon(started);
    }
  },
);
