/** What is read belongs to the file that is open, whatever else the thread reads before it is closed. */
import assert from "node:assert/strict";
import { WorkerCache } from "../../src/cache/worker_cache.ts";
import type { TextSink } from "../../src/searcher/byte_feeder.ts";
import { FileReader } from "../../src/searcher/file_reader.ts";
import { ReadBuffer } from "../../src/searcher/read_buffer.ts";
import { identityOf } from "../../src/workspace/verification.ts";
import { ticked } from "../support/quick_cache.ts";
import { tempTree, type Tree } from "../support/tree.ts";

Deno.test("a buffer has one owner, and is of no use to it after it was given back", () => {
  const one = ReadBuffer.take();
  const { bytes } = one;
  const other = ReadBuffer.take();
  assert.notEqual(other.bytes, bytes);
  one[Symbol.dispose]();
  assert.throws(() => one.bytes, /after it had been given back/);
  one[Symbol.dispose](); // it is given back once only
  const [next, last] = [ReadBuffer.take(), ReadBuffer.take()];
  assert.equal(next.bytes, bytes, "what is free is used again");
  assert.ok(last.bytes !== bytes && last.bytes !== other.bytes);
  for (const buffer of [next, last, other]) buffer[Symbol.dispose]();
});

/** Takes all of a file, and pauses before that is known. */
class PausingSink implements TextSink {
  readonly isStopped = false;
  readonly isDone = false;
  readonly isHit = true;
  text = "";

  *#take(text: string): Generator<void, boolean> {
    yield;
    this.text += text;
    return true;
  }

  feed(text: string): Generator<void, boolean> {
    return this.#take(text);
  }

  skip(): boolean {
    return false;
  }

  restart(): void {
    this.text = "";
  }
}

function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0)).buffer);
}

/** A reader of one directory, as a search of its own has it. */
function readerOf(tree: Tree, cache: WorkerCache, directory: string, names: string[]) {
  const identities = [identityOf(Deno.lstatSync(tree.root))];
  const use = cache.begin(undefined, { allowedRoots: [tree.root], identities });
  const reader = new FileReader({
    maxFileSize: Infinity,
    isMultiline: false,
    encoding: undefined,
    isAnyText: false,
    prefilter: undefined,
    cache: use.files,
    trust: use.trust,
  });
  const path = tree.path(directory);
  return {
    start(index: number) {
      reader.enter(path, names);
      const sink = new PausingSink();
      const reading = reader.read(`${path}/${names[index]}`, sink, index);
      assert.equal(reading.next().done, false, "it pauses");
      return { sink, reading };
    },
    cached(index: number): string | undefined {
      use.files.enter(path, names, use.trust);
      const file = use.files.peek(index);
      const bytes = file && use.files.bytesOf(file);
      return bytes && new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-8").decode(bytes);
    },
    [Symbol.dispose]: () => use[Symbol.dispose](),
  };
}

Deno.test("two searches that pause inside files cache each file under its own name", async () => {
  const text = (name: string) => `${name}\n`.repeat(100);
  await using tree = await tempTree({
    "a/1.txt": utf16(text("a/1")),
    "a/2.txt": text("a/2"),
    "b/1.txt": text("b/1"),
    "b/2.txt": utf16(text("b/2")),
  });
  await ticked();
  const cache = new WorkerCache(1 << 20, 0);
  const names = ["1.txt", "2.txt"];
  using a = readerOf(tree, cache, "a", names);
  using b = readerOf(tree, cache, "b", names);
  for (let time = 0; time < 2; time++) { // from the disk, then from the cache
    for (const [first, second] of [[0, 1], [1, 0], [0, 0], [1, 1]] as const) {
      const one = a.start(first);
      const two = b.start(second);
      for (const { reading } of [one, two]) {
        while (!reading.next().done);
      }
      assert.equal(one.sink.text, text(`a/${first + 1}`));
      assert.equal(two.sink.text, text(`b/${second + 1}`));
    }
    for (const index of [0, 1]) {
      assert.equal(a.cached(index), text(`a/${index + 1}`));
      assert.equal(b.cached(index), text(`b/${index + 1}`));
    }
  }
});
