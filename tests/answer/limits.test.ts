/**
 * Limits: the budget of characters, pages of matched text, very long time limits.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type CountResult,
  listFiles,
  PathgrepError,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { entryByEntry } from "../support/entries.ts";
import { assertInTime, assertSoon, inThreeTries } from "../support/soon.ts";
import { Collector } from "../../src/search/collector.ts";
import { memoryTree, tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

Deno.test("an answer that just fits its budget is given whole, and one character less is too few", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n".repeat(30), "b.txt": "foo\n".repeat(2000) });
  const workspace = await Workspace.open(tree.root);
  const queries: Partial<SearchQuery>[] = [
    { path: "a.txt" },
    { path: "a.txt", maxResults: 7, onOverflow: "truncate" },
    { outputMode: "count" },
    { outputMode: "file" },
    { pattern: "none" },
  ];
  for (const partial of queries) {
    const query = { pattern: "foo", ...partial };
    const whole = await search(query, { workspace });
    const length = JSON.stringify(whole).length;
    assert.deepEqual(await search({ ...query, maxOutputChars: length }, { workspace }), whole);
    const less = search({ ...query, onOverflow: "error", maxOutputChars: length - 1 }, {
      workspace,
    });
    await assert.rejects(less, { code: "search_too_broad" });
  }
});

Deno.test("no page is longer than its budget, and the pages are the whole", async () => {
  await using tree = await tempTree(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}.txt`, "foo\n".repeat(index * 97)]),
    ),
  );
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "foo", outputMode: "count" } as const;
  const whole = await search(query, { workspace });
  for (let budget = 280; budget < 500; budget += 37) {
    const pages = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: CountResult = await search(
        { ...query, offset, maxOutputChars: budget },
        { workspace },
      );
      const { length } = JSON.stringify(page);
      assert.ok(length <= budget, `${length} characters for a budget of ${budget}`);
      pages.push(...page.counts);
      offset = page.next_offset;
    }
    assert.deepEqual(pages, whole.counts, `budget ${budget}`);
  }
});

Deno.test("a page of matched text is not cut short by lines that match nothing but emptiness", async () => {
  await using tree = await tempTree({ "a.txt": "abc\n".repeat(50) + "xxx\n" });
  const workspace = await Workspace.open(tree.root);
  for (const multiline of [false, true]) {
    const query = { pattern: "x*", onlyMatching: true, multiline, offset: 0, maxResults: 5 };
    const page = await search(query, { workspace });
    assert.ok(page.output_mode === "content");
    assert.deepEqual(page.matches.map(({ line }) => line), ["xxx"]);
  }
});

Deno.test("an error of a caller's own callback is reported as it is", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const onEntry = () => {
    throw new Error("mine");
  };
  const searched = runSearch({ pattern: "foo" }, { workspace, onFile: entryByEntry(onEntry) });
  const failed = await searched.catch((error) => error);
  assert.ok(failed instanceof PathgrepError);
  assert.equal(failed.message, "mine");
});

test.slow("a full page of matched text ends the search of its file", async () => {
  await using tree = await tempTree({ "a.txt": `${"foo\n".repeat(10)}${"a".repeat(60)}\n` });
  const workspace = await Workspace.open(tree.root);
  const page = await search({
    // Would never come to the end of the last line.
    pattern: String.raw`foo|(a+)+\1b`,
    onlyMatching: true,
    maxResults: 5,
    onOverflow: "truncate",
    timeout: 3000,
  }, { workspace });
  assert.ok(page.output_mode === "content" && page.truncated);
  assert.deepEqual(page.matches.map(({ line }) => line), Array(5).fill("foo"));
});

Deno.test("an unsorted stream that drops entries for their length says that it is truncated", async () => {
  await using tree = await tempTree({ "a.txt": `${"x".repeat(1500)}\n`.repeat(1000) });
  const workspace = await Workspace.open(tree.root);
  const query: SearchQuery = {
    pattern: "x",
    before: 1000,
    after: 1000,
    maxFileSize: 0,
    maxResults: 5000,
    onOverflow: "truncate",
    sort: "none",
  };
  let entries = 0;
  const result = await runSearch(query, { workspace, onFile: entryByEntry(() => entries++) });
  assert.ok(entries > 0 && entries < 1000, `${entries} entries`);
  assert.equal(result.truncated, true);
  assert.equal(result.next_offset, entries);
});

Deno.test("patterns that are too many together are refused before all of them are read", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const many = Array.from({ length: 100_000 }, (_, index) => `w${index}`);
  for (const fixedStrings of [false, true]) {
    const pattern = [...many, fixedStrings ? "x".repeat(100_000) : "("];
    await assert.rejects(search({ pattern, fixedStrings }, { workspace }), {
      code: "invalid_pattern",
      message: "it is too large with its repeats expanded",
    });
  }
});

test.slow("a path longer than any that exists is refused before it is looked up", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  for (const path of ["x/".repeat(500_000), "../".repeat(500_000), " ".repeat(40_000) + "\\x"]) {
    const error = await search({ pattern: "foo", path }, { workspace }).catch((error) => error);
    if (path.startsWith(" ")) {
      assert.equal(error.code, "path_not_found");
      continue;
    }
    assert.ok(error instanceof PathgrepError);
    assert.equal(error.code, "invalid_input");
    assert.match(error.message, /^path is \d+ characters long, more than 32768$/);
    assert.ok(JSON.stringify(error).length < 1000);
  }
  // The way of a link is as long as it would be without the link.
  const directory = "d/".repeat(510);
  Deno.mkdirSync(`${tree.root}/${directory}`, { recursive: true });
  Deno.symlinkSync(directory, `${tree.root}/link`);
  for (const path of ["x/".repeat(512) + "a.txt", "link/a.txt"]) {
    await assert.rejects(search({ pattern: "foo", path }, { workspace }), {
      code: "invalid_input",
      message: /^the path has 5\d\d segments; at most 512 are followed$/,
    });
  }
  const above = await search({ pattern: "foo", path: "d/".repeat(500) }, { workspace });
  assert.equal(above.count, 0);
  const asLong = await search({ pattern: "foo", path: `${"./".repeat(4000)}a.txt` }, { workspace });
  assert.equal(asLong.count, 1);
});

Deno.test("a walk of the whole file system leaves the kernel's own files out, as some never end", async () => {
  const workspace = await Workspace.open("/");
  const query = { maxDepth: 2, ignore: false, maxResults: 1_000_000, maxFileSize: 0 };
  const { files } = await listFiles(query, { workspace });
  assert.ok(files.some((file) => file.startsWith("/etc/")));
  assert.deepEqual(files.filter((file) => /^\/(?:proc|sys|dev)\//.test(file)), []);
  const named = await search({ pattern: "Linux", path: "/proc/version" }, { workspace });
  assert.equal(named.count, 1);
});

test.slow(
  "many named files hold up neither the time limit, nor an abort, nor other work",
  inThreeTries(async () => {
    const names = Array.from({ length: 8000 }, (_, index) => `d${index % 80}/f${index}.txt`);
    const files = ["d0/short.txt", ...names].map((name) => [name, ""]);
    await using tree = await memoryTree(Object.fromEntries(files));
    const workspace = await Workspace.open(tree.root);
    // The first one has to be looked for.
    const query = { pattern: "x", path: ["short.txt", ...names] } as const;
    let [longest, last] = [0, performance.now()];
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 10);
    const ended = async (timeout: number, abortedAfter: number) => {
      const started = performance.now();
      const signal = AbortSignal.timeout(abortedAfter);
      const error = await search({ ...query, timeout }, { workspace, signal })
        .catch((error) => error);
      const late = performance.now() - started - Math.min(timeout || Infinity, abortedAfter);
      assertInTime(late, 1000, error.code);
      return error.code;
    };
    try {
      let code;
      // Where others have the processor, a short limit ends the walk for the first one.
      for (let limit = 200; limit < 2000 && code !== "search_timed_out"; limit *= 2) {
        code = await ended(limit, 60_000);
      }
      assert.equal(code, "search_timed_out");
      assert.equal(await ended(0, 200), "cancelled");
    } finally {
      clearInterval(timer);
    }
    assertInTime(longest, 1000, "other work");
  }),
);

Deno.test("an answer that is too long is sorted now and then, not for each of its files", () => {
  const line = "x".repeat(2000);
  const count = 80_000;
  for (const sort of ["path", "modified"] as const) {
    const collector = new Collector({
      ...{
        mode: "content",
        context: { before: 0, after: 0 },
        patterns: 1,
        sort,
        maxResults: Infinity,
        offset: 0,
        deadline: Infinity,
      },
      ...{ onOverflow: "truncate", shortens: false, wantsTotal: true, countsPlaces: false },
    });
    const started = performance.now();
    // The last ones come first: each that follows belongs before them.
    for (let index = count; index-- > 0;) {
      const path = `/${String(index).padStart(6, "0")}`;
      const lines = [{ number: 1, text: line }];
      collector.add([{ path, count: 1, lines, chars: line.length, modified: count - index }]);
    }
    assertSoon(started);
    assert.ok(collector.isTooLong);
    const hits = collector.handOut();
    assert.ok(hits.length > 30_000 && hits.length < 34_000, `${hits.length}`);
    assert.deepEqual(hits.map(({ path }) => Number(path.slice(1))), [...hits.keys()]);
  }
});

test.slow("a piece of text may take ten seconds in a search without a limit, and no more", async () => {
  await using tree = await tempTree({ "a.txt": `${"a".repeat(40)}!` });
  const workspace = await Workspace.open(tree.root);
  const found = search({ pattern: "^(a+)+\\1$", timeout: 0 }, { workspace });
  const error = await found.then(() => undefined, PathgrepError.from);
  assert.equal(error?.message, "search timed out after 10000 ms");
  assert.match(error.details.hint!, /lookarounds and backreferences/);
});
