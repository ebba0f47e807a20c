import assert from "node:assert/strict";
import { FileCache } from "../../src/cache/file_cache.ts";

const NAMES = ["a", "b", "c"];
const HOUR = 3_600_000;

/** A cache in which files of some bytes are kept, every one of them the same byte. */
class Files {
  readonly cache: FileCache;
  readonly #length: number;

  constructor(maxBytes: number, length: number) {
    this.cache = new FileCache(maxBytes);
    this.#length = length;
    this.begin();
  }

  begin(epoch = 0): void {
    this.cache.begin(epoch);
    this.cache.enter("/ws", NAMES);
  }

  put(index: number, length = this.#length): void {
    const file = { size: length, kind: undefined, skip: undefined };
    this.cache.put(index, this.#info(index), Date.now(), file, new Uint8Array(length).fill(index));
  }

  /** Whether a file is kept, with its own bytes. */
  has(index: number): boolean {
    const kept = this.cache.get(index, this.#info(index));
    const bytes = kept && this.cache.bytesOf(kept);
    if (bytes === undefined) return false;
    assert.ok(bytes.every((byte) => byte === index), "another file's bytes");
    return true;
  }

  #info(index: number): Deno.FileInfo {
    const past = new Date(Date.now() - HOUR - Date.now() % HOUR);
    return { dev: 1, ino: index, size: this.#length, mtime: past, ctime: past } as Deno.FileInfo;
  }
}

Deno.test("room that is used by no search any more comes back", () => {
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
  files.put(1); // where the other was
  assert.deepEqual([files.has(0), files.has(1)], [false, true]);
  files.begin();
  assert.deepEqual([files.has(0), files.has(1)], [false, true]);
});

Deno.test("a file that is told to have changed is looked at again", () => {
  const files = new Files(2000, 400);
  files.begin(7);
  files.put(0);
  assert.ok(files.has(0) && files.cache.getTrusted(0) !== undefined);
  files.cache.drop("/ws/a");
  assert.equal(files.cache.getTrusted(0), undefined);
  assert.equal(files.has(0), false);
});

Deno.test("only what was looked at since the last change is trusted", () => {
  const files = new Files(2000, 400);
  files.begin(7);
  files.put(0);
  assert.ok(files.cache.getTrusted(0));
  for (const epoch of [8, 0]) {
    files.begin(epoch);
    assert.equal(files.cache.getTrusted(0), undefined, `${epoch}`);
  }
});

Deno.test("a file without room is not kept, and harms none that is", () => {
  const files = new Files(2000, 400);
  files.put(0);
  files.put(1);
  files.put(2, 10_000);
  assert.deepEqual([files.has(0), files.has(1), files.has(2)], [true, true, false]);
});
