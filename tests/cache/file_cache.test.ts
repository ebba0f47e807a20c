import assert from "node:assert/strict";
import type { ByteKind } from "../../src/read/byte_search.ts";
import { FileCache, type SearchTrust } from "../../src/cache/file_cache.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const NAMES = ["a", "b", "c"];
const HOUR = 3_600_000;
/** Trusts an epoch, and takes everything for proven at once. */
const trusting = (epoch: number): SearchTrust => ({
  epoch,
  proof: { addFile: (_path, _directory, _id, accept) => accept(), addListing() {} },
});

/** A cache in which files of some bytes are kept, every one of them the same byte. */
class Files {
  readonly cache: FileCache;
  readonly #length: number;

  constructor(maxBytes: number, length: number) {
    this.cache = new FileCache(maxBytes);
    this.#length = length;
    this.begin();
  }

  begin(epoch = 0, isFurther = false): void {
    this.cache.begin(trusting(epoch), isFurther);
  }

  put(
    index: number,
    length = this.#length,
    kind?: ByteKind,
    info: Deno.FileInfo = this.#info(index),
    time = Date.now(),
  ): void {
    const file = { size: length, kind, skip: undefined, startsBinary: false, isArchive: false };
    this.cache.put(`/ws/${NAMES[index]}`, info, time, file, new Uint8Array(length).fill(index));
  }

  /** Keeps a file that has changed just now, or has several names, as it was at some time. */
  putUnlike(index: number, unlike: Partial<Deno.FileInfo>, time?: number): void {
    this.put(index, this.#length, undefined, { ...this.#info(index), ...unlike }, time);
  }

  /** Whether a file is kept, with its own bytes. */
  has(index: number): boolean {
    const path = `/ws/${NAMES[index]}`;
    const kept = this.cache.peek(path, NAMES, index);
    if (kept === undefined || !this.cache.isCurrent(path, kept, this.#info(index))) return false;
    const bytes = this.cache.bytesOf(kept);
    if (bytes === undefined) return false;
    assert.ok(bytes.every((byte) => byte === index), "another file's bytes");
    return true;
  }

  /** Whether a file is kept, changed or not, and whether it is trusted. */
  look(index: number): "trusted" | "kept" | undefined {
    const kept = this.cache.peek(`/ws/${NAMES[index]}`, NAMES, index);
    return kept && (this.cache.isTrusted(kept) ? "trusted" : "kept");
  }

  #info(index: number): Deno.FileInfo {
    const past = new Date(Date.now() - HOUR - Date.now() % HOUR);
    return { dev: 1, ino: index, size: this.#length, mtime: past, ctime: past } as Deno.FileInfo;
  }
}

Deno.test("room that no search uses anymore is freed", () => {
  const files = new Files(2000, 400);
  for (const index of NAMES.keys()) files.put(index);
  assert.deepEqual([files.has(0), files.has(1), files.has(2)], [true, true, false]);
  for (let search = 0; search < 2; search++) {
    files.begin();
    assert.ok(files.has(0));
  }
  // `b` was used in none of the last two searches.
  files.begin();
  files.put(2);
  files.begin();
  files.put(2);
  assert.ok(files.has(2));
});

Deno.test("what was forgotten is not found by a listing that was seen before", () => {
  const files = new Files(2000, 400);
  files.put(0);
  assert.ok(files.has(0));
  files.cache.clear();
  assert.equal(files.look(0), undefined);
  files.put(1); // where the other was
  assert.deepEqual([files.has(0), files.has(1)], [false, true]);
  files.begin();
  assert.deepEqual([files.has(0), files.has(1)], [false, true]);
});

Deno.test("a file that is reported as changed is checked again", () => {
  const files = new Files(2000, 400);
  files.begin(7);
  files.put(0);
  assert.ok(files.has(0) && files.look(0) === "trusted");
  files.cache.drop("/ws/a");
  assert.equal(files.look(0), undefined);
  assert.equal(files.has(0), false);
});

Deno.test("only what was looked at since the last change is trusted", () => {
  const files = new Files(2000, 400);
  files.begin(7);
  files.put(0);
  assert.equal(files.look(0), "trusted");
  for (const epoch of [8, 0]) {
    files.begin(epoch);
    assert.equal(files.look(0), "kept", `${epoch}`);
  }
});

Deno.test("a file without room is not cached, and harms no cached one", () => {
  const files = new Files(2000, 400);
  files.put(0);
  files.put(1);
  files.put(2, 10_000);
  assert.deepEqual([files.has(0), files.has(1), files.has(2)], [true, true, false]);
});

Deno.test("a file that may still change within the same time of change is not cached", () => {
  const files = new Files(2000, 400);
  const now = new Date();
  // Deno truncates the time of change to seconds.
  const times = [{ mtime: now }, { ctime: now }, { ctime: new Date(now.getTime() - 1000) }];
  for (const [index, time] of times.entries()) {
    files.putUnlike(index, time, now.getTime());
    assert.equal(files.look(index), undefined, JSON.stringify(time));
  }
});

Deno.test("a file with several names is never trusted: a change may be reported by another name", () => {
  const files = new Files(2000, 400);
  files.begin(7);
  files.putUnlike(0, { nlink: 2 });
  assert.equal(files.look(0), "kept");
});

/** What is known of text that holds nothing beyond ASCII. */
const ASCII: ByteKind = { isAscii: true, isUtf8: true, hasNul: false };
const NO_MATCH = { isForAscii: false, maxFileSize: Infinity };

/** A cache that holds the kind of one file on disk, long unchanged, and its index if it was `built`. */
async function indexed(tree: Tree, built: boolean): Promise<FileCache> {
  await Deno.writeTextFile(tree.path("a"), "some hay\n");
  const cache = new FileCache(100_000);
  cache.begin(trusting(7));
  const info = await Deno.stat(tree.path("a"));
  const file = {
    size: info.size,
    kind: ASCII,
    skip: undefined,
    startsBinary: false,
    isArchive: false,
  };
  cache.put(tree.path("a"), info, Date.now() + HOUR, file);
  if (built) { for (const _ of cache.index()); }
  return cache;
}

Deno.test("the index rules out no file that was not looked at since the last change", async () => {
  await using tree = await tempTree();
  const cache = await indexed(tree, true);
  const { document } = cache.peek(tree.path("a"), NAMES, 0)!;
  assert.ok(document >= 0);
  const rules = { ...NO_MATCH, candidates: new Uint8Array(document + 1) };
  const passed = { files: 0, bytes: 0 };
  assert.deepEqual(cache.notRuledOut(tree.root, NAMES, rules, passed), ["b", "c"]);
  assert.deepEqual(passed, { files: 1, bytes: 9 });
  cache.begin(trusting(8));
  assert.deepEqual(cache.notRuledOut(tree.root, NAMES, rules, passed), NAMES);
  assert.equal(passed.files, 1);
});

Deno.test("what has come in the place of a file is not indexed as that file", async () => {
  await using tree = await tempTree();
  const cache = await indexed(tree, false);
  await tree.write({ b: "a needle\n" });
  await Deno.rename(tree.path("b"), tree.path("a"));
  for (const _ of cache.index());
  assert.equal(cache.peek(tree.path("a"), NAMES, 0)!.document, -1);
});

Deno.test("if not all bytes fit, few are cached, until they fit", () => {
  const files = new Files(2000, 400); // half of it for bytes
  const index = () => {
    for (const _ of files.cache.index());
    files.begin();
  };
  for (const file of [0, 1]) files.put(file, 400, ASCII);
  index();
  assert.deepEqual([files.has(0), files.has(1)], [true, true]);
  files.put(2, 400, ASCII);
  index();
  assert.deepEqual(NAMES.map((_, file) => files.has(file)), [false, false, false]);
  files.put(0);
  files.put(1, 100);
  assert.deepEqual([files.has(0), files.has(1)], [false, true]);
  files.cache.drop("/ws/b");
  files.cache.drop("/ws/c");
  index();
  files.put(0);
  assert.ok(files.has(0));
});

Deno.test("what only a further pass reads takes no room from what is searched", () => {
  const files = new Files(2000, 400); // half of it for bytes
  const index = () => {
    for (const _ of files.cache.index());
    files.begin();
  };
  for (const file of [0, 1]) files.put(file, 400, ASCII);
  files.begin(0, true);
  files.put(2, 400, ASCII);
  assert.deepEqual([files.has(2), files.look(2)], [false, "kept"], "its bytes are not cached");
  index();
  assert.deepEqual([files.has(0), files.has(1)], [true, true]);
  files.put(2, 400, ASCII);
  index();
  assert.deepEqual([files.has(0), files.has(1)], [false, false], "a search has read it, too");
});
