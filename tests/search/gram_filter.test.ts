/** What is noted of files tells most of those apart that do not hold a text, and never one that does. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { GramFilter, NeededGrams } from "../../src/search/js/gram_filter.ts";

const plainly = { eitherCase: false, isForAscii: false };
const encode = (text: string) => new TextEncoder().encode(text);
const words = fc.constantFrom("throw", "new", "Error", "é", "世界", "()", "\n", "a", "Ab", "aB ");
const text = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(""));
const needle = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

Deno.test("a file that holds a text in any letter case may hold it", () => {
  const filter = new GramFilter(1 << 16);
  const needles = fc.array(needle, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, needles, needles, fc.boolean(), (text, texts, besides, isUpper) => {
      filter.clear();
      const noted = filter.note(encode(isUpper ? text.toUpperCase() : text))!;
      const holds = texts.some((one) => text.includes(one)) &&
        besides.every((one) => text.includes(one));
      if (!holds) return;
      assert.ok(filter.mayHold(noted, new NeededGrams({ ...plainly, texts, besides })));
    }),
    { numRuns: 4000 },
  );
});

Deno.test("most files that do not hold a text are told apart, next to others as well", async () => {
  const filter = new GramFilter(1 << 20);
  const sources: string[] = [];
  for (const directory of ["../../src/search/js/", "../../src/cli/", "../../src/walk/"]) {
    const url = new URL(directory, import.meta.url);
    for await (const { name } of Deno.readDir(url)) {
      if (name.endsWith(".ts")) sources.push(await Deno.readTextFile(new URL(name, url)));
    }
  }
  const noted = sources.map((source) => filter.note(encode(source))!);
  let wrong = 0;
  let asked = 0;
  for (
    const text of ["Deno.lstatSync", "WebAssembly", "completions", "readonly #", "TextDecoder"]
  ) {
    const needed = new NeededGrams({ ...plainly, texts: [text], besides: [] });
    for (const [index, source] of sources.entries()) {
      const may = filter.mayHold(noted[index]!, needed);
      if (source.includes(text)) assert.ok(may);
      else {
        asked++;
        if (may && !source.toLowerCase().includes(text.toLowerCase())) wrong++;
      }
    }
  }
  assert.ok(asked > 200 && wrong < asked / 20, `${wrong} of ${asked}`);
});

Deno.test("what is too short to be told, or has no room, is told by nobody", () => {
  const filter = new GramFilter(32);
  const noted = filter.note(encode("abc"))!;
  const mayHold = (text: string) =>
    filter.mayHold(noted, new NeededGrams({ ...plainly, texts: [text], besides: [] }));
  assert.deepEqual([mayHold("xy"), mayHold("xyz"), mayHold("ABC")], [true, false, true]);
  assert.equal(filter.note(encode("abc")), undefined);
  filter.clear();
  assert.notEqual(filter.note(encode("xyz")), undefined);
  assert.equal(mayHold("abc"), false);
});
