/** Which entries an answer has, in every order, wherever it begins and ends. */
import assert from "node:assert/strict";
import { type ContentResult, type FileResult, search, Workspace } from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { entryByEntry } from "../support/entries.ts";
import { memoryTree, tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** `count` lines that hold a needle and their number. */
const needles = (count: number) =>
  Array.from({ length: count }, (_, index) => `needle ${index + 1}\n`).join("");

Deno.test("without an order, too, an offset skips that many entries and the cap takes as many as it says", async () => {
  await using tree = await tempTree({
    "a.txt": needles(3),
    "b.txt": needles(1),
    "c.txt": needles(4),
  });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", paths: "relative", sort: "none" } as const;
  for (const isStreamed of [true, false]) {
    const page = async (offset: number, maxResults: number) => {
      const rows: string[] = [];
      const onEntry = (entry: unknown) => {
        const { file, line } = entry as ContentResult["matches"][number];
        rows.push(`${file} ${line}`);
      };
      const result = await runSearch(
        { ...query, offset, maxResults },
        isStreamed ? { workspace, onFile: entryByEntry(onEntry) } : { workspace },
      ) as ContentResult;
      for (const entry of result.matches) onEntry(entry);
      return { rows, result };
    };
    const all = (await page(0, 100)).rows;
    assert.equal(all.length, 8);
    for (let offset = 0; offset <= 9; offset++) {
      for (const maxResults of [1, 2, 5, 100]) {
        const { rows, result } = await page(offset, maxResults);
        const end = offset + maxResults;
        assert.deepEqual(rows, all.slice(offset, end), `${offset}, ${maxResults}`);
        assert.equal(result.count, rows.length);
        assert.equal(result.next_offset, end < all.length ? end : undefined);
      }
    }
  }
});

Deno.test("pages put together are the whole answer, in every order and mode", async () => {
  const names = ["b", "a\u{10000}", "a\uffee", "B", "a/z", "a-z", "a.txt", "c/1", "c/2"];
  await using tree = await tempTree(
    Object.fromEntries(names.map((name, index) => [`d/${name}`, needles(index % 4 + 1)])),
  );
  for (const [index, name] of names.entries()) {
    const time = 1_000_000 + Math.floor(index / 2); // two of each age
    Deno.utimeSync(tree.path(`d/${name}`), time, time);
  }
  const workspace = await Workspace.open(tree.root);
  const bytes = (name: string) => [...new TextEncoder().encode(name)].map((byte) => byte + 1000);
  const byPath = names.toSorted((a, b) => `${bytes(a)}` < `${bytes(b)}` ? -1 : 1);
  const byAge = byPath.toSorted((a, b) =>
    Math.floor(names.indexOf(b) / 2) - Math.floor(names.indexOf(a) / 2)
  );
  for (const [sort, expected] of [["path", byPath], ["modified", byAge]] as const) {
    for (const outputMode of ["content", "file", "count"] as const) {
      const files = async (offset: number, maxResults: number) => {
        const query = { pattern: "needle", paths: "relative", sort, outputMode } as const;
        const { next_offset, ...result } = await search(
          { ...query, offset, maxResults },
          { workspace },
        );
        const entries = "files" in result
          ? result.files
          : ("matches" in result ? result.matches : result.counts)
            .map((entry) => `${entry.file} ${JSON.stringify(entry)}`);
        return { entries, next_offset };
      };
      const whole = (await files(0, 1000)).entries;
      const seen = [...new Set(whole.map((entry) => entry.split(" ")[0]))];
      assert.deepEqual(seen, expected.map((name) => `d/${name}`), sort);
      for (const length of [1, 2, 3, 7]) {
        const pages: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page = await files(offset, length);
          assert.equal(page.entries.length, Math.min(length, whole.length - offset));
          pages.push(...page.entries);
          offset = page.next_offset;
        }
        assert.deepEqual(pages, whole);
      }
    }
  }
});

test.slow("the first files by path are found however late they are read", async () => {
  // Whether what lies deeper is read first or last, in one of the trees it comes first by path.
  for (const [directory, name] of [["a/", "z"], ["z/", "a"]] as const) {
    const paths: string[] = [];
    for (let depth = 0; depth < 40; depth++) {
      const prefix = directory.repeat(depth);
      for (let file = 10; file < 60; file++) paths.push(`${prefix}${name}${file}.txt`);
    }
    await using tree = await memoryTree(
      Object.fromEntries(paths.map((path) => [path, "needle\nneedle\n"])),
    );
    const workspace = await Workspace.open(tree.root);
    const { matches, total } = await search(
      { pattern: "needle", maxResults: 10, offset: 0, paths: "relative" },
      { workspace },
    ) as ContentResult;
    const first = paths.toSorted().slice(0, 5).flatMap((path) => [path, path]);
    assert.deepEqual(matches.map(({ file }) => file), first);
    assert.equal(total, 4000);
  }
});

test.slow("counting that takes too long ends, and what comes first by path is still found", async () => {
  const slow = `${"foo".repeat(330)}\n`.repeat(400) + "needle\n";
  // What was listed last is read first.
  const files = Array.from({ length: 40 }, (_, index) => [`z/${index + 10}`, slow]);
  await using tree = await tempTree({ ...Object.fromEntries(files), first: "needle\n" });
  const workspace = await Workspace.open(tree.root);
  const { matches } = await search(
    { pattern: "needle|foo.*bar", maxResults: 2, offset: 0, paths: "relative" },
    { workspace },
  ) as ContentResult;
  assert.deepEqual(matches.map(({ file }) => file), ["first", "z/10"]);
});

test.slow("the newest files are found however late their paths come", async () => {
  const paths: string[] = [];
  for (let directory = 10; directory < 50; directory++) {
    for (let file = 10; file < 60; file++) paths.push(`d${directory}/${file}.txt`);
  }
  await using tree = await memoryTree(Object.fromEntries(paths.map((path) => [path, "needle\n"])));
  for (const [index, path] of paths.entries()) {
    Deno.utimeSync(tree.path(path), 1_000_000 + index, 1_000_000 + index);
  }
  const workspace = await Workspace.open(tree.root);
  const { files } = await search(
    {
      pattern: "needle",
      outputMode: "file",
      sort: "modified",
      maxResults: 3,
      onOverflow: "truncate",
      paths: "relative",
    },
    { workspace },
  ) as FileResult;
  assert.deepEqual(files, paths.slice(-3).reverse());
});

Deno.test("an answer that is cut for its length holds nothing from beyond the cut", async () => {
  // Each entry holds 2,000 lines of 2,000 characters around it: 4 MB, of which 64 MiB are held.
  const line = "x".repeat(1999);
  const around = `${line}\n`.repeat(1000);
  const file = around + `needle ${line}\n`.repeat(60) + around;
  await using tree = await tempTree({ "a.txt": file, "b.txt": "needle in b\n" });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", context: 1000, maxFileSize: 0, maxResults: 100 } as const;
  const page = await search(
    { ...query, paths: "relative", offset: 0 },
    { workspace },
  ) as ContentResult;
  assert.ok(page.count > 0 && page.count < 60, `${page.count}`);
  assert.deepEqual(
    page.matches.map(({ file, line_number }) => `${file}:${line_number}`),
    Array.from({ length: page.count }, (_, index) => `a.txt:${index + 1001}`),
  );
  assert.equal(page.truncated, true);
  assert.equal(page.next_offset, page.count);
  // A page that begins beyond what can be held would be empty, and send its caller in a circle.
  const beyond = search({ ...query, offset: page.next_offset }, { workspace });
  await assert.rejects(beyond, { code: "search_too_broad" });
});
