/** What a search has looked at is trusted by later ones once it is proven, and where nothing changed. */
import assert from "node:assert/strict";
import { DirectoryCache } from "../../src/cache/directory_cache.ts";
import { ThreadCache } from "../../src/cache/thread_cache.ts";
import type { Files, OpenFile } from "../../src/read/files.ts";
import type { SearchJob } from "../../src/run/job.ts";
import { identityOf } from "../../src/paths/verification.ts";
import { ticked } from "../support/quick_cache.ts";
import { tempTree, type Tree } from "../support/tree.ts";

/** A directory with two files, and a cache for what is read of it. */
async function begun(): Promise<{ tree: Tree; cache: ThreadCache; job: SearchJob }> {
  const tree = await tempTree({ a: "a\n", b: "b\n" });
  await ticked();
  const walk = {
    allowedRoots: [tree.root],
    identities: [identityOf(await Deno.lstat(tree.root))],
  };
  const plan = { prefilter: undefined };
  const job = { plan, walk, maxFileSize: Infinity } as unknown as SearchJob;
  return { tree, cache: new ThreadCache({ maxBytes: 1 << 16, changePrecision: 0 }), job };
}

const ASCII = { isAscii: true, isUtf8: true, hasNul: false };
const TRUST = { epoch: 5, changes: [] };

/** Reads a file as a search does: its text, and whether that is still what the file holds. */
function read(files: Files, tree: Tree, name: string): { text: string; isCurrent: boolean } {
  using file = files.open(tree.path(name), [name], 0) as OpenFile;
  const bytes = file.fill(0);
  const text = new TextDecoder().decode(file.buffer.bytes.subarray(0, bytes));
  file.onRead?.({ state: "read", bytes, longLines: false, kind: ASCII });
  return { text, isCurrent: file.stat() !== undefined };
}

Deno.test("a file is trusted from the end of the search that read it", async () => {
  const { tree, cache, job } = await begun();
  await using _ = tree;
  {
    using files = cache.open(job, TRUST);
    assert.deepEqual(read(files, tree, "a"), { text: "a\n", isCurrent: true });
  }
  await tree.write({ a: "more\n" });
  {
    using files = cache.open(job, TRUST);
    assert.deepEqual(read(files, tree, "a"), { text: "a\n", isCurrent: false });
    assert.deepEqual(read(files, tree, "a"), { text: "more\n", isCurrent: true });
  }
  await ticked();
  await tree.write({ a: "again\n" });
  using files = cache.open(job, { ...TRUST, changes: [tree.path("a")] });
  assert.deepEqual(read(files, tree, "a"), { text: "again\n", isCurrent: true });
});

Deno.test("a file is not trusted if something changed in its directory while it was read", async () => {
  const { tree, cache, job } = await begun();
  await using _ = tree;
  {
    using files = cache.open(job, TRUST);
    read(files, tree, "a");
    await Deno.rename(tree.path("b"), tree.path("a"));
  }
  using files = cache.open(job, TRUST);
  assert.equal(read(files, tree, "a").text, "b\n");
});

Deno.test("a search that trusts nothing checks each file, and leaves nothing to trust", async () => {
  const { tree, cache, job } = await begun();
  await using _ = tree;
  for (const trust of [TRUST, undefined]) {
    using files = cache.open(job, trust);
    read(files, tree, trust === undefined ? "b" : "a");
  }
  await tree.write({ a: "more\n", b: "more\n" });
  {
    using files = cache.open(job, undefined);
    assert.equal(read(files, tree, "a").text, "more\n");
  }
  using files = cache.open(job, TRUST);
  assert.equal(read(files, tree, "b").text, "more\n");
});

Deno.test("a search beside another reads the disk", async () => {
  const { tree, cache, job } = await begun();
  await using _ = tree;
  {
    using files = cache.open(job, TRUST);
    read(files, tree, "a");
  }
  await tree.write({ a: "more\n" });
  using first = cache.open(job, TRUST);
  using second = cache.open(job, TRUST);
  assert.equal(read(second, tree, "a").text, "more\n");
  assert.equal(read(first, tree, "a").text, "a\n");
});

Deno.test("a listing is used again once it is proven to be that of the directory", async () => {
  const { tree } = await begun();
  await using _ = tree;
  const findings: [accept: () => void, reject: () => void][] = [];
  const cache = new DirectoryCache(100_000, 0);
  cache.begin({
    epoch: 0,
    proof: {
      addFile() {},
      addListing: (_path, _entries, accept, reject = () => {}) =>
        void findings.push([accept, reject]),
    },
  });
  const entries = () => cache.entriesOf(tree.root);
  const listed = entries();
  assert.notEqual(entries(), listed, "it is not proven yet");
  for (const [, reject] of findings.splice(0)) reject();
  const last = entries();
  for (const [accept] of findings.splice(0)) accept();
  assert.equal(entries(), last);
});

Deno.test("what is derived is computed again when an input is another one", () => {
  const cache = new DirectoryCache(100_000);
  let computed = 0;
  const derive = (...inputs: unknown[]) => cache.derived("name", inputs, () => ++computed);
  assert.deepEqual([derive(1, "a"), derive(1, "a"), derive(2, "a"), derive(1, "a")], [1, 1, 2, 3]);
});
