/** The first look at bytes tells what decoding and searching the text would tell. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ByteMemory, ByteSearch, MAX_BYTES } from "../../src/read/byte_search.ts";
import { COMPILED } from "../../src/read/byte_search.ts";
import { MAX_ANY_OF } from "../../src/regex/pattern_plan.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { compileByteSearch } from "../../dev/wasm/main.ts";

/** What the tests write the bytes into. */
const memory = ByteMemory.create(MAX_BYTES)!;

/** Whether the first bytes may have a match. */
function mayMatch(search: ByteSearch, length: number): boolean {
  return !search.canTell(search.classify(length)) || search.candidate(0, length) >= 0;
}

test.slow("the embedded module is what its source compiles to", async () => {
  assert.equal(COMPILED, await compileByteSearch());
});

/** Bytes of which some are nearly UTF-8: whole characters, cut ones, and ones with a byte changed. */
const bytes = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "\n", "Sync(", "é", "世", "😀", "\0"), maxLength: 20 })
      .map((text) => new TextEncoder().encode(text)),
    fc.constantFrom(
      ...[[0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80, 0x80]],
      ...[[0xf4, 0x90, 0x80, 0x80], [0xed, 0x9f, 0xbf], [0xf4, 0x8f, 0xbf, 0xbf], [0xc2], [0xe4]],
      ...[[0xe4, 0xb8], [0xf0, 0x9f], [0xf0, 0x9f, 0x98], [0x80], [0xff], [0xf5, 0x80, 0x80, 0x80]],
      [0xe0, 0xa0, 0x80],
      [0xf0, 0x90, 0x80, 0x80],
    ).map((list) => Uint8Array.from(list)),
    fc.uint8Array({ maxLength: 4 }),
    fc.constant(new Uint8Array(16).fill(0x61)),
  ),
  { maxLength: 12 },
).map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

Deno.test("bytes are classified as ASCII, UTF-8 or binary as by a decoder", (t) => {
  const search = new ByteSearch(undefined, memory);
  assertHolds(
    t,
    fc.property(bytes, (bytes) => {
      memory.bytes.subarray(0, 600).fill(0xff); // what lies behind must not matter
      memory.bytes.set(bytes);
      const { hasNul, ...kind } = search.classify(bytes.length);
      assert.equal(hasNul, bytes.includes(0));
      const expected = { isAscii: bytes.every((byte) => byte < 0x80), isUtf8: isUtf8(bytes) };
      if (!hasNul) assert.deepEqual(kind, expected); // what comes after a NUL makes no difference
      assert.equal(search.countLines(0, bytes.length), bytes.filter((byte) => byte === 10).length);
    }),
    { numRuns: 4000 },
  );
});

const letters = fc.constantFrom("a", "b", "A", "B", "k", "K", "(", "@", "`", "é");
const text = fc.string({ unit: letters, maxLength: 60 });
const plainly = { allOf: [], eitherCase: false, isForAscii: false };
const needle = fc.string({ unit: letters, minLength: 2, maxLength: 5 });

Deno.test("a literal of a prefilter is found where the text holds it, in its letter case", (t) => {
  assertHolds(
    t,
    fc.property(text, fc.array(needle, { minLength: 1, maxLength: 3 }), (text, anyOf) => {
      const search = new ByteSearch({ anyOf, ...plainly }, memory);
      const { written } = new TextEncoder().encodeInto(text + anyOf[0], memory.bytes);
      const end = written - new TextEncoder().encode(anyOf[0]).length;
      const found = mayMatch(search, end);
      assert.equal(found, anyOf.some((one) => text.includes(one)));
    }),
    { numRuns: 4000 },
  );
});

Deno.test("literals that a prefilter asks of the same line are looked for in that line alone", (t) => {
  const lines = fc.array(text, { maxLength: 6 });
  assertHolds(
    t,
    fc.property(lines, needle, fc.array(needle, { maxLength: 2 }), (lines, needle, allOf) => {
      const search = new ByteSearch({ ...plainly, anyOf: [needle], allOf }, memory);
      const bytes = new TextEncoder().encode(lines.join("\n"));
      memory.bytes.fill(0x61, 0, 600); // what lies behind must not matter
      memory.bytes.set(bytes);
      const isWanted = (line: string) => [needle, ...allOf].every((one) => line.includes(one));
      const first = lines.findIndex(isWanted);
      const candidate = search.candidate(0, bytes.length);
      const before = new TextDecoder().decode(bytes.subarray(0, Math.max(candidate, 0)));
      assert.equal(candidate < 0 ? -1 : before.split("\n").length - 1, first);
    }),
    { numRuns: 4000 },
  );
});

Deno.test("of any number of literals, the first line that holds one is found", (t) => {
  const lines = fc.array(text, { maxLength: 6 });
  const needles = fc.array(needle, { minLength: 1, maxLength: MAX_ANY_OF });
  assertHolds(
    t,
    fc.property(lines, needles, fc.boolean(), fc.nat(20), (lines, given, eitherCase, before) => {
      const folded = (text: string) => eitherCase ? text.toLowerCase() : text;
      const anyOf = given.map((one) => folded(one.replaceAll("é", "xy")));
      const search = new ByteSearch({ ...plainly, anyOf, eitherCase }, memory);
      // What lies before and behind must not matter.
      const [outer] = anyOf;
      const around = new TextEncoder().encode(outer!.repeat(20));
      const bytes = new TextEncoder().encode(lines.join("\n"));
      memory.bytes.set(around);
      memory.bytes.set(bytes, before);
      memory.bytes.set(around, before + bytes.length);
      const first = lines.findIndex((line) => anyOf.some((one) => folded(line).includes(one)));
      const candidate = search.candidate(before, before + bytes.length) - before;
      const above = new TextDecoder().decode(bytes.subarray(0, Math.max(candidate, 0)));
      assert.equal(candidate < 0 ? -1 : above.split("\n").length - 1, first);
    }),
    { numRuns: 8000 },
  );
});

Deno.test("a literal of a prefilter is found in either letter case", (t) => {
  assertHolds(
    t,
    fc.property(text, needle, (text, needle) => {
      const lower = needle.replaceAll("é", "x").toLowerCase();
      const need = { anyOf: [lower], allOf: [], eitherCase: true, isForAscii: false };
      const search = new ByteSearch(need, memory);
      const { written } = new TextEncoder().encodeInto(text, memory.bytes);
      const found = mayMatch(search, written);
      assert.equal(found, text.toLowerCase().includes(lower));
    }),
    { numRuns: 4000 },
  );
});

Deno.test("a prefilter that holds for ASCII texts only rejects no other text", () => {
  const search = new ByteSearch({
    anyOf: ["ok"],
    allOf: [],
    eitherCase: true,
    isForAscii: true,
  }, memory);
  const ask = (text: string) => {
    const { written } = new TextEncoder().encodeInto(text, memory.bytes);
    return mayMatch(search, written);
  };
  assert.equal(ask("none"), false);
  assert.equal(ask("It is OK."), true);
  assert.equal(ask("o\u212a"), true); // the Kelvin sign folds to k
});
