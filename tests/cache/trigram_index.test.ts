/** The index tells most files apart that do not hold a text, and never one that does. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { TrigramIndex } from "../../src/cache/trigram_index.ts";
import { assertHolds } from "../support/draw.ts";

const plainly = { eitherCase: false, isForAscii: false };
const encode = (text: string) => new TextEncoder().encode(text);
const words = fc.constantFrom("throw", "new", "Error", "é", "世界", "()", "\n", "a", "Ab", "aB ");
const text = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(""));
const needle = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

function sort(index: TrigramIndex): void {
  for (const _ of index.sort());
}

Deno.test("a file that holds a text in any letter case is a candidate, in whichever segment", (t) => {
  const needles = fc.array(needle, { minLength: 1, maxLength: 3 });
  const files = fc.array(fc.tuple(text, fc.boolean(), fc.boolean()), { maxLength: 20 });
  assertHolds(
    t,
    fc.property(files, needles, needles, (files, anyOf, allOf) => {
      const index = new TrigramIndex(1 << 20);
      for (const [number, [text, isUpper, endsSegment]] of files.entries()) {
        assert.equal(index.add(encode(isUpper ? text.toUpperCase() : text)), number);
        if (endsSegment) sort(index);
      }
      const candidates = index.candidates({ ...plainly, anyOf, allOf });
      for (const [number, [text]] of files.entries()) {
        const holds = anyOf.some((one) => text.includes(one)) &&
          allOf.every((one) => text.includes(one));
        if (holds && candidates !== undefined) assert.equal(candidates[number], 1, text);
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("distances of every size between the files that hold a text are decoded", () => {
  const index = new TrigramIndex(1 << 24);
  const holders = [0, 1, 126, 254, 382, 511, 16_894, 16_895, 33_279, 40_000];
  for (let file = 0; file <= 40_000; file++) {
    index.add(encode(holders.includes(file) ? "a needle" : "hay"));
  }
  sort(index);
  const candidates = index.candidates({ ...plainly, anyOf: ["needle"], allOf: ["a n"] })!;
  assert.deepEqual([...candidates.entries()].flatMap(([file, is]) => is ? [file] : []), holders);
});

Deno.test("most files without a text are ruled out, in a sixth of their bytes", async () => {
  const sources: string[] = [];
  for (const floor of ["regex", "read", "walk", "cli/commands", "workspace", "tools"]) {
    const url = new URL(`../../src/${floor}/`, import.meta.url);
    for await (const { name } of Deno.readDir(url)) {
      if (name.endsWith(".ts")) sources.push(await Deno.readTextFile(new URL(name, url)));
    }
  }
  const index = new TrigramIndex(1 << 20);
  for (const source of sources) index.add(encode(source));
  sort(index);
  assert.ok(index.bytes < sources.join("").length / 4, `${index.bytes}`);
  let wrong = 0;
  let asked = 0;
  for (
    const text of ["Deno.lstatSync", "WebAssembly", "completions", "readonly #", "TextDecoder"]
  ) {
    const candidates = index.candidates({ ...plainly, anyOf: [text], allOf: [] })!;
    for (const [number, source] of sources.entries()) {
      if (source.toLowerCase().includes(text.toLowerCase())) assert.equal(candidates[number], 1);
      else {
        asked++;
        wrong += candidates[number]!;
      }
    }
  }
  assert.ok(asked > 200 && wrong < asked / 20, `${wrong} of ${asked}`);
});

Deno.test("documents that are dropped while they are sorted do not come back", () => {
  const index = new TrigramIndex(1000);
  index.add(encode("a needle"));
  const sorting = index.sort();
  sorting.next();
  index.clear();
  while (!sorting.next().done);
  assert.equal(index.add(encode("hay")), 0);
  sort(index);
  const candidates = index.candidates({ ...plainly, anyOf: ["needle"], allOf: [] });
  assert.deepEqual(candidates, new Uint8Array([0]));
});

Deno.test("a text too short for a trigram rules nothing out, and the newest files are candidates", () => {
  const index = new TrigramIndex(100);
  assert.equal(index.add(encode("abc")), 0);
  const ask = (text: string) => index.candidates({ ...plainly, anyOf: [text], allOf: [] });
  assert.deepEqual([ask("xy"), ask("xyz")], [undefined, new Uint8Array([1])]);
  sort(index);
  assert.deepEqual([ask("xyz"), ask("ABC")], [new Uint8Array([0]), new Uint8Array([1])]);
  assert.equal(index.add(encode("no room for this any more")), -1);
  index.clear();
  assert.deepEqual(ask("abc"), new Uint8Array(0));
});

Deno.test("what most files hold takes next to no room, and rules nothing out", () => {
  const index = new TrigramIndex(1 << 24);
  const common = "export default function step(value: number): number { return value * 2; }";
  let bytes = 0;
  for (let number = 0; number < 4000; number++) {
    // One in ten has another text, so that no trigram of the common one is in all files.
    const text = number % 10 === 0 ? `<div>${number}</div>` : `${common} // ${number}`;
    bytes += encode(text).length;
    index.add(encode(text));
  }
  sort(index);
  assert.ok(index.bytes < bytes / 4, `${index.bytes} of ${bytes}`);
  const ask = (anyOf: string[], allOf: string[] = []) =>
    index.candidates({ ...plainly, anyOf, allOf })!.reduce((sum, mark) => sum + mark, 0);
  assert.equal(ask(["export default"]), 4000);
  assert.equal(ask(["<div>"]), 400);
  assert.equal(ask(["<div>"], ["export default"]), 400);
  assert.equal(ask(["<div>", "number): number"]), 4000);
  assert.equal(ask(["absent"]), 0);
});
