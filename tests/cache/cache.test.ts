/**
 * What a searcher keeps is never stale: after every few of many random changes, its answer is
 * ripgrep's. `CHANGES` in the environment says how many changes (`deno task test:cache`: 10,000).
 */
import assert from "node:assert/strict";
import {
  type ContentResult,
  type FileResult,
  PathgrepError,
  search,
  Searcher,
  Workspace,
} from "../../mod.ts";
import { CHECKS_ALL, FileCache } from "../../src/cache/file_cache.ts";
import { Changer, ripgrepLines } from "../support/changes.ts";
import { numbersFrom, seeded } from "../support/draw.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { settled, tempTree } from "../support/tree.ts";
import { test, testNeeding } from "../support/needs.ts";

const CHANGES = Number(Deno.env.get("CHANGES") ?? 400);
const CHANGES_PER_SEARCH = 4;
const CHANGES_PER_PAUSE = 100;
test.slow(
  `${CHANGES} random changes, and no verified or watched answer is stale`,
  seeded(async (seed) => {
    await using tree = await tempTree({});
    const changer = new Changer(tree.root, numbersFrom(seed));
    for (let index = 0; index < 60; index++) {
      const directory = `${tree.root}/d${index % 4}/d${index % 3}`;
      await Deno.mkdir(directory, { recursive: true });
      await Deno.writeTextFile(`${directory}/f${index}.txt`, changer.content());
    }
    const workspace = await Workspace.open(tree.root);
    await using verified = new Searcher({ workspace, cache: "verified" });
    await using watched = new Searcher({ workspace, cache: "watched" });
    const query = { pattern: "needle", maxResults: 100_000 } as const;
    for (let made = 0; made < CHANGES;) {
      // Only what has not changed for a second is kept.
      if (made % CHANGES_PER_PAUSE === 0) await settled();
      for (let index = 0; index < CHANGES_PER_SEARCH; index++, made++) changer.change();
      const expected = await ripgrepLines(tree.root);
      for (const [cache, searcher] of Object.entries({ verified, watched })) {
        const { matches, notes } = await searcher.search(query) as ContentResult;
        assert.ok(!notes?.some((note) => note.includes("watched")), String(notes));
        const lines = matches.map(({ file, line_number, line }) =>
          `${file}:${line_number}:${line}`
        );
        assert.deepEqual(lines.sort(), expected, `${cache}, after ${made} changes`);
      }
    }
  }),
);

Deno.test("a cache or a size that there is not is refused with what there is", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const refusal = (options: Record<string, unknown>) => {
    try {
      new Searcher({ workspace, ...options });
    } catch (error) {
      assert.ok(error instanceof PathgrepError && error.code === "invalid_input");
      return error.message;
    }
    assert.fail(`not refused: ${JSON.stringify(options)}`);
  };
  assert.match(refusal({ cache: "verify" }), /one of none, verified, watched, got "verify"/);
  for (const maxCacheBytes of [0, -1, 1.5, NaN, Infinity, 2 ** 32 + 1, 2 ** 33, "1"]) {
    assert.match(refusal({ cache: "verified", maxCacheBytes }), /whole number from 1 to/);
  }
  await using largest = new Searcher({ workspace, cache: "verified", maxCacheBytes: 2 ** 32 });
  assert.equal((await largest.search({ pattern: "x" })).count, 0);
});

test.slow("the cache is bounded, and too little room for all files costs no answer", async () => {
  const lines = "filler\n".repeat(1000);
  const names = Array.from({ length: 50 }, (_, index) => [`${index}.txt`, `${lines}needle\n`]);
  await using tree = await tempTree(Object.fromEntries(names));
  const workspace = await Workspace.open(tree.root);
  await ticked();
  await using searcher = new QuickSearcher({
    workspace,
    cache: "verified",
    maxCacheBytes: 100_000,
  });
  for (let run = 0; run < 3; run++) {
    assert.equal((await searcher.search({ pattern: "needle" })).count, 50);
  }
});

Deno.test("rules above a named directory are seen to change", async () => {
  await using tree = await tempTree({
    ".gitignore": "*.log\n",
    "a/.gitignore": "x\n",
    "a/b/1.log": "yes",
    "a/b/1.txt": "yes",
  });
  await using searcher = new QuickSearcher({
    workspace: await Workspace.open(tree.root),
    cache: "verified",
  });
  const query = { pattern: "yes", path: "a/b", outputMode: "file", paths: "relative" } as const;
  const found = async () => (await searcher.search(query) as FileResult).files;
  await ticked();
  for (let run = 0; run < 3; run++) assert.deepEqual(await found(), ["a/b/1.txt"]);
  await tree.write({ "a/.gitignore": "*.txt\n" });
  assert.deepEqual(await found(), []);
  await tree.write({ ".gitignore": "y\n" });
  assert.deepEqual(await found(), ["a/b/1.log"]);
});

Deno.test("what has changed within a second is not cached: another change may have the same times", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  await using quick = new QuickSearcher({ workspace, cache: "verified" });
  for (let round = 0, isSame = false; !isSame; round++) {
    const name = `${round}.txt`;
    const write = async (text: string) => {
      await tree.write({ [name]: text });
      await Deno.utime(tree.path(name), 1_000_000, 1_000_000);
      return (await Deno.lstat(tree.path(name))).ctime!.getTime();
    };
    const counts = async () => {
      const query = { pattern: "needle", include: name };
      return [(await searcher.search(query)).count, (await quick.search(query)).count];
    };
    const first = await write("needle\n");
    for (let search = 0; search < 2; search++) assert.deepEqual(await counts(), [1, 1]);
    isSame = first === await write("noodle\n");
    // The searcher of tests has kept it, which shows that the times were the same.
    assert.deepEqual(await counts(), isSame ? [0, 1] : [0, 0]);
  }
});

Deno.test("a file is another's where only a directory above has changed its name", async () => {
  await using tree = await tempTree();
  const time = 1_000_000;
  // Two trees of one archive: times and sizes are the same. Deno tells the time of change in whole seconds.
  for (let isSame = false; !isSame;) {
    await tree.write({ "a/d/f.txt": "needle\n", "b/d/f.txt": "noodle\n" });
    for (const name of ["a", "b"]) Deno.utimeSync(tree.path(`${name}/d/f.txt`), time, time);
    const [a, b] = ["a", "b"].map((name) => Deno.lstatSync(tree.path(`${name}/d/f.txt`)));
    isSame = a!.ctime!.getTime() === b!.ctime!.getTime();
  }
  const workspace = await Workspace.open(tree.root);
  await ticked();
  await using searcher = new QuickSearcher({ workspace, cache: "verified" });
  const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
  const found = async () => (await searcher.search(query) as FileResult).files;
  for (let run = 0; run < 3; run++) assert.deepEqual(await found(), ["a/d/f.txt"]);
  for (const [from, to] of [["a", "c"], ["b", "a"], ["c", "b"]] as const) {
    await Deno.rename(tree.path(from), tree.path(to));
  }
  assert.deepEqual(await found(), ["b/d/f.txt"]);
});

Deno.test("files that are empty take room as well", () => {
  const kept = new FileCache(1000);
  const names = Array.from({ length: 10 }, (_, index) => `${index}`);
  const info = { dev: 1, ino: 1, size: 0, mtime: new Date(0), ctime: new Date(0) } as Deno.FileInfo;
  const file = { size: 0, kind: undefined, skip: undefined, startsBinary: false, isArchive: false };
  kept.begin(CHECKS_ALL);
  for (const name of names) kept.put(`/one/${name}`, info, Date.now(), file, new Uint8Array());
  assert.equal(names.filter((name, index) => kept.peek(`/one/${name}`, names, index)).length, 3);
});

test.slow("what comes and goes in a directory costs several threads none of its other files", async () => {
  const files = Array.from({ length: 7000 }, (_, index) => [`d/${index}.txt`, "needle\n"]);
  await using tree = await tempTree(Object.fromEntries(files));
  const workspace = await Workspace.open(tree.root);
  await ticked();
  const script = "while [ -e run ]; do : > d/0x; rm d/0x; : > d/z; rm d/z; done";
  await tree.write({ run: "" });
  const churn = new Deno.Command("sh", { args: ["-c", script], cwd: tree.root }).spawn();
  try {
    for (const cache of ["verified", "watched"] as const) {
      await using searcher = new QuickSearcher({ workspace, cache });
      for (let run = 0; run < 6; run++) {
        const { matches } = await searcher.search({
          pattern: "needle",
          maxResults: 10_000,
        }) as ContentResult;
        assert.equal(matches.length, 7000, cache);
        assert.equal(new Set(matches.map(({ file }) => file)).size, 7000, cache);
      }
    }
  } finally {
    Deno.removeSync(tree.path("run"));
    await churn.status;
  }
});

test.slow("a cache that is too small begins anew, and mixes up no file with another", async () => {
  const word = (directory: string, index: number) => `${directory}${index}.`;
  const filesOf = (directory: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => {
      return [
        `${directory}/${index}.txt`,
        `${`filler ${word(directory, index)}\n`.repeat(400)}needle ${word(directory, index)}\n`,
      ];
    }));
  await using tree = await tempTree({
    ...filesOf("a", 10),
    ...filesOf("b", 60),
    ...filesOf("c", 60),
  });
  const workspace = await Workspace.open(tree.root);
  await ticked();
  // Room for one of the larger directories, not for two of them.
  const cores = navigator.hardwareConcurrency;
  for (const cache of ["verified", "watched"] as const) {
    await using searcher = new QuickSearcher({
      workspace,
      cache,
      maxCacheBytes: Math.min(cores, 9) * 600_000,
    });
    for (const path of [..."aabbcccaabacbbbcccaaccccba"]) {
      const query = { pattern: "needle|filler x", path, paths: "relative" } as const;
      const { matches } = await searcher.search(query) as ContentResult;
      const found = matches.map(({ file, line }) => `${file}: ${line}`);
      const expected = Object.keys(filesOf(path, path === "a" ? 10 : 60)).sort()
        .map((file) => `${file}: needle ${word(path, parseInt(file.slice(2)))}`);
      assert.deepEqual(found, expected, cache);
    }
  }
});

Deno.test("a cache that begins anew in the middle of a directory mixes up none of its files", async () => {
  const filesOf = (directory: string) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => {
      return [`${directory}/${index}.txt`, `${"filler\n".repeat(1400)}needle ${index}\n`];
    }));
  await using tree = await tempTree({ ...filesOf("a"), ...filesOf("b"), "c/0.txt": "needle 0\n" });
  const workspace = await Workspace.open(tree.root);
  await ticked();
  const perThread = 600_000; // of which some 450 kB are for the bytes of files
  const cores = navigator.hardwareConcurrency;
  await using searcher = new QuickSearcher({
    workspace,
    cache: "verified",
    maxCacheBytes: Math.min(cores, 9) * perThread,
  });
  const linesOf = async (path: string) => {
    const result = await searcher.search({ pattern: "needle", path }) as ContentResult;
    return result.matches.map(({ file, line }) =>
      `${file.slice(file.lastIndexOf("/") + 1)}: ${line}`
    ).sort();
  };
  const expected = Object.keys(filesOf("a")).map((file) => {
    const name = file.slice(2);
    return `${name}: needle ${parseInt(name)}`;
  }).sort();
  assert.deepEqual(await linesOf("a"), expected);
  assert.deepEqual(await linesOf("b"), expected);
  // The first file that is read has no room any more until everything else is forgotten.
  const [first] = Deno.readDirSync(tree.path("a"));
  const name = first!.name;
  await tree.write({ [`a/${name}`]: `${"larger\n".repeat(22_000)}needle ${parseInt(name)}\n` });
  await ticked();
  for (const path of ["c", "c", "c"]) assert.equal((await linesOf(path)).length, 1);
  assert.deepEqual(await linesOf("a"), expected);
  assert.deepEqual(await linesOf("b"), expected);
  assert.deepEqual(await linesOf("a"), expected);
});

test.slow("several threads keep their files, and see what has changed", async () => {
  const filler = "some text that is searched in vain\n".repeat(60);
  const files = Array.from({ length: 6000 }, (_, index) => {
    return [`d${index % 90}/f${index}.txt`, `${filler}${index % 7 === 0 ? "needle" : "noodle"}\n`];
  });
  await using tree = await tempTree(Object.fromEntries(files));
  const workspace = await Workspace.open(tree.root);
  await ticked();
  await using searcher = new QuickSearcher({ workspace, cache: "verified" });
  const query = { pattern: "needle", maxResults: 10_000, paths: "relative", stats: true } as const;
  let threads = 1;
  // On a busy machine a worker may come too late for a search.
  for (let run = 0; run < 5 || threads === 1 && run < 60; run++) {
    const result = await searcher.search(query) as ContentResult;
    assert.equal(result.count, Math.ceil(6000 / 7));
    assert.equal(result.stats!.files_searched, 6000);
    threads = Math.max(threads, result.stats!.threads);
    const changed = Array.from({ length: 10 }, (_, index) => 7 * (run % 80 + 85 * index));
    const write = async (words: readonly [string, string]) => {
      for (const index of changed) {
        for (const offset of [0, 1] as const) {
          const name = `d${(index + offset) % 90}/f${index + offset}.txt`;
          await tree.write({ [name]: `${filler}${words[offset]}\n` });
        }
      }
    };
    await write(["noodle", "needle"]);
    const fresh = await search(query, { workspace }) as ContentResult;
    const kept = await searcher.search(query) as ContentResult;
    assert.deepEqual(kept.matches, fresh.matches);
    await write(["needle", "noodle"]);
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
  // What is so little that no worker is worth calling is still shared out as it was.
  for (let index = 3; index < 90; index++) {
    Deno.removeSync(tree.path(`d${index}`), { recursive: true });
  }
  const { matches } = await searcher.search(query) as ContentResult;
  assert.deepEqual(matches, (await search(query, { workspace }) as ContentResult).matches);
});

testNeeding("linux")(
  "a searcher that cannot watch its workspace says why, and answers",
  async () => {
    await using tree = await tempTree({ "a.txt": "needle\n" });
    const workspace = await Workspace.open(tree.root);
    await using first = new Searcher({ workspace, cache: "watched" });
    assert.equal((await first.search({ pattern: "needle" })).notes, undefined);
    await using second = new Searcher({ workspace, cache: "watched" });
    const { count, notes } = await second.search({ pattern: "needle" });
    assert.equal(count, 1);
    const why = "another Searcher in this process already watches its workspace";
    assert.deepEqual(notes, [`the workspace is not watched: ${why}`]);
  },
);
