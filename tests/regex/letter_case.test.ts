/** Patterns in which letter case counts in some parts and not in others. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { entriesOf, linesOf } from "./support.ts";

/** What random texts consist of: letters that fold to others, also across ASCII, and beyond the BMP. */
const CHARS = [
  ..."abkKsSeE1 .",
  ..."\u212a\u017f\u00b5\u03bc\u00df\u1e9eσΣςéÉ✓",
  "\u{10400}",
  "\u{10428}",
];
const CLASSES = [
  ..."a,k,S,1,\\u{df},\\u{212a},\\u{10400},.".split(","),
  ..."\\p{L},\\p{Lu},\\P{L},[^\\p{Lu}],[a-k],[^ks],[KS],[\\p{L}\\d],[k\\p{Lt}],\\w,\\W,\\b,\\B"
    .split(","),
];

/** A pattern, and the same without modifiers or flags: of each class, the characters of {@linkcode CHARS}. */
interface Pattern {
  given: string;
  plain: string;
}

const WORD = plainClass("\\w", true);

function plainClass(source: string, fold: boolean): string {
  const one = new RegExp(`^${source}$`, fold ? "vi" : "v");
  const members = CHARS.filter((char) => one.test(char));
  return `[${members.map((char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join("")}]`;
}

const leaf = fc.tuple(fc.constantFrom(...CLASSES), fc.boolean()).map(([source, fold]): Pattern => {
  const given = `(?${fold ? "i" : "-i"}:${source})`;
  if (!/^\\b$/i.test(source)) return { given, plain: plainClass(source, fold) };
  if (!fold) return { given, plain: source };
  const [same, other] = source === "\\b" ? ["!", "="] : ["=", "!"];
  return { given, plain: `(?:(?<=${WORD})(?${same}${WORD})|(?<!${WORD})(?${other}${WORD}))` };
});

const { pattern } = fc.letrec<{ pattern: Pattern; part: Pattern }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { arbitrary: leaf, weight: 4 },
    fc.tuple(tie("pattern"), fc.constantFrom("", "*", "+", "?", "{0,2}", "*?", "{2}")).map((
      [{ given, plain }, many],
    ) => ({ given: `(?:${given})${many}`, plain: `(?:${plain})${many}` })),
    fc.tuple(tie("pattern"), fc.constantFrom("=", "!", "<=", "<!")).map((
      [{ given, plain }, look],
    ) => ({ given: `(?${look}${given})`, plain: `(?${look}${plain})` })),
  ),
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { arbitrary: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map(joined("")), weight: 3 },
    fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map(joined("|")),
  ),
}));

function joined(separator: string) {
  return (parts: readonly Pattern[]): Pattern => ({
    given: `(?:${parts.map(({ given }) => given).join(separator)})`,
    plain: `(?:${parts.map(({ plain }) => plain).join(separator)})`,
  });
}

Deno.test("letter case counts where it does, in texts of one and of two bytes a character", () => {
  const text = (chars: readonly string[]) =>
    fc.array(fc.constantFrom(...chars), { minLength: 1, maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(
      pattern,
      text(CHARS),
      text(CHARS.filter((char) => char < "\u0100")),
      ({ given, plain }, ...texts) => {
        const expression = new RegExp(plain, "vg");
        for (const line of texts) {
          const expected = [...line.matchAll(expression)].map(([found]) => found)
            .filter((found) => found !== "");
          const found = entriesOf(given, line, { onlyMatching: true }).map((entry) => entry.line);
          assert.deepEqual(found, expected, `${given} in ${line}`);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("a case-sensitive alternative beside another matches in its own case", () => {
  const lines = ["bkey σ", "bkey", "bKey σ", "Bk ✓", "TODO ✓"];
  const text = lines.join("\n");
  for (const pattern of ["\\p{L}Key|(?i:todo)", ["\\p{L}Key", "(?i)todo"]]) {
    assert.deepEqual(linesOf(pattern, text), ["bKey σ", "TODO ✓"]);
    assert.deepEqual(linesOf(pattern, text, { invert: true }), ["bkey σ", "bkey", "Bk ✓"]);
    assert.deepEqual(linesOf(pattern, text, { multiline: true }), ["bKey σ", "TODO ✓"]);
  }
  assert.deepEqual(linesOf("(?i:todo)|\\p{Lu}K|k(?=e(?=y))", text), ["bkey σ", "bkey", "TODO ✓"]);
});
