/** What is read belongs to the file that is open, whatever else the thread reads before it is closed. */
import assert from "node:assert/strict";
import { ReadBuffer } from "../../src/read/byte_search.ts";

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
