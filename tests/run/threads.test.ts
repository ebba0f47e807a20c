/** Many files on many threads: nothing missed, nothing twice, the same order on every run. */
import assert from "node:assert/strict";
import { type ContentResult, search, Searcher, Workspace } from "../../mod.ts";
import { WorkerPool } from "../../src/run/worker_pool.ts";
import { runSearch } from "../../src/search/search.ts";
import { memoryTree, tempTree, type Tree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** A wide directory, deep chains and middling ones; every seventh file holds the word. */
async function largeTree(): Promise<{ tree: Tree; expected: string[] }> {
  const entries: Record<string, string> = {};
  const expected: string[] = [];
  const filler = "some text that is searched in vain\n".repeat(60);
  const add = (name: string, index: number) => {
    const hit = index % 7 === 0;
    entries[name] = filler + (hit ? "needle here\n" : "");
    if (hit) expected.push(name);
  };
  for (let index = 0; index < 5000; index++) add(`wide/f${index}.txt`, index);
  for (let index = 0; index < 1500; index++) add(`mid/d${index % 40}/f${index}.txt`, index);
  for (let depth = 1; depth <= 60; depth++) add(`${"deep/".repeat(depth)}f.txt`, depth);
  const tree = await memoryTree(entries);
  expected.sort();
  return { tree, expected };
}

const { tree, expected } = await largeTree();
Deno.test.afterAll(async () => await tree[Symbol.asyncDispose]());

const files = (result: ContentResult) => result.matches.map((match) => match.file);

test.slow("workers share the work and the answer is the same on every run", async () => {
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace });
  const query = { pattern: "needle", paths: "relative", stats: true } as const;
  let shared = 0;
  // On a busy machine a worker may come too late for a search.
  for (let run = 0; run < 6 || shared === 0 && run < 60; run++) {
    const result = await searcher.search(query) as ContentResult;
    assert.deepEqual(files(result), expected);
    assert.equal(result.stats!.files_searched, 6560);
    shared += result.stats!.threads - 1;
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(shared > 0, "a worker took part");
  const once = await search({ ...query, stats: false }, { workspace }) as ContentResult;
  assert.deepEqual(files(once), expected);
});

Deno.test("concurrent searches of one searcher do not mix", async () => {
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  const asked = Array.from({ length: 6 }, (_, index) => index);
  const results = await Promise.all(asked.map((index) =>
    searcher.search({
      pattern: index % 2 === 0 ? "needle" : "f[0-9]+ absent",
      paths: "relative",
    }) as Promise<ContentResult>
  ));
  for (const index of asked) {
    assert.deepEqual(files(results[index]!), index % 2 === 0 ? expected : []);
  }
});

test.slow("truncated pages put together are the whole answer, whatever the threads do", async () => {
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  const pages: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page = await searcher.search({
      pattern: "needle",
      paths: "relative",
      maxResults: 130,
      offset,
    }) as ContentResult;
    assert.ok(page.count <= 130);
    assert.equal(page.truncated === true, page.next_offset !== undefined);
    pages.push(...files(page));
    offset = page.next_offset;
  }
  assert.deepEqual(pages, expected);
});

Deno.test("an overflow names the directories with most matches", async () => {
  const workspace = await Workspace.open(tree.root);
  const of = (directory: string) => expected.filter((name) => name.startsWith(directory)).length;
  await assert.rejects(
    search({ pattern: "needle", maxResults: 10 }, { workspace }),
    (error: Error & { code: string; details: Record<string, unknown> }) => {
      assert.equal(error.code, "search_too_broad");
      assert.equal(error.message, "found more than 10 matches");
      assert.deepEqual(error.details["top_directories"], [
        { path: "wide", count: of("wide/") },
        { path: "mid", count: of("mid/") },
        { path: "deep", count: of("deep/") },
      ]);
      return true;
    },
  );
});

for (const isKept of [false, true]) {
  Deno.test(`a receiver of entries that throws fails its search and nothing else, on ${isKept ? "workers" : "any thread"}`, async () => {
    const workspace = await Workspace.open(tree.root);
    const pool = new WorkerPool({ isKept });
    using _pool = { [Symbol.dispose]: () => pool.close() };
    for (let allowed = 0; allowed < 600; allowed += 120) {
      let entries = 0;
      const onFile = () => {
        if (entries++ >= allowed) throw new Error("no more, please");
      };
      const search = runSearch({ pattern: "needle", sort: "none" }, { pool, workspace, onFile });
      await assert.rejects(search, { code: "search_failed", message: "no more, please" });
    }
    const query = { pattern: "needle", outputMode: "count" } as const;
    const { count } = await runSearch(query, { pool, workspace });
    assert.equal(count, expected.length);
  });
}

test.slow("a search with too many matches says so, also when its threads match ignore rules", async () => {
  let rules = "";
  for (let index = 0; rules.length < 120_000; index++) rules += `*a*a*b*a*${index % 10}*a*x\n`;
  const long = `${"ab".repeat(110)}x`;
  // More than are matched until counting ends.
  const directories = Array.from({ length: 60 }, (_, index): [string, string][] => [
    [`${index}/.gitignore`, rules],
    ...Array.from(
      { length: 200 },
      (_, file): [string, string] => [`${index}/${file}${long}`, "-\n"],
    ),
  ]);
  await using tree = await memoryTree({
    ...Object.fromEntries(directories.flat()),
    "a.txt": "needle\n".repeat(20),
  });
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  const found = searcher.search({ pattern: "needle", maxResults: 10, explain: "never" });
  await assert.rejects(found, { code: "search_too_broad" });
});

test.slow("threads share directories whose names are longer than what they share has room for", async () => {
  // As JSON, which tells of work, each of these characters is six.
  const long = `${"\x01".repeat(250)}/`.repeat(14);
  await using tree = await tempTree();
  const deep = tree.path(long);
  await Deno.mkdir(deep, { recursive: true });
  for (let index = 0; index < 400; index++) {
    Deno.mkdirSync(`${deep}d${index}`);
    Deno.writeTextFileSync(`${deep}d${index}/f`, "needle\n");
  }
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  const query = {
    pattern: "needle",
    outputMode: "count",
    maxResults: 10_000,
    stats: true,
  } as const;
  let shared = 0;
  for (let run = 0; shared < 2 && run < 20; run++) {
    const result = await searcher.search(query);
    assert.equal(result.count, 400);
    if (result.stats!.threads > 1) shared++;
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(shared > 0, "a worker took part");
});
