/** Patterns in which letter case counts in some parts and not in others. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { entriesOf, linesOf, plan } from "./support.ts";
import { assertHolds } from "../support/draw.ts";
import { canSetFlags } from "../../src/regex/printer.ts";
import { test } from "../support/needs.ts";

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

/** What stands in a plain pattern for a reference to the first character, by whether letter case counts. */
const [EITHER_CASE, EXACT] = ["\ue000", "\ue001"];
const reference = fc.boolean().map((fold): Pattern => ({
  given: `(?${fold ? "i" : "-i"}:\\1)`,
  plain: fold ? EITHER_CASE : EXACT,
}));

const pattern = patternOf(leaf);
/** A pattern of references to its first character, and the same for each character that this may be. */
const referring = patternOf(fc.oneof(leaf, reference)).map(({ given, plain }): Pattern => ({
  given: `(.)${given}`,
  plain: CHARS.map((char) => {
    const exact = `\\u{${char.codePointAt(0)!.toString(16)}}`;
    const rest = plain.replaceAll(EITHER_CASE, plainClass(exact, true));
    return exact + rest.replaceAll(EXACT, exact);
  }).join("|"),
}));

function patternOf(leaf: fc.Arbitrary<Pattern>): fc.Arbitrary<Pattern> {
  return fc.letrec<{ pattern: Pattern; part: Pattern }>((tie) => ({
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
      {
        arbitrary: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map(joined("")),
        weight: 3,
      },
      fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map(joined("|")),
    ),
  })).pattern;
}

function joined(separator: string) {
  return (parts: readonly Pattern[]): Pattern => ({
    given: `(?:${parts.map(({ given }) => given).join(separator)})`,
    plain: `(?:${parts.map(({ plain }) => plain).join(separator)})`,
  });
}

function assertSameMatches(
  t: Deno.TestContext,
  patterns: fc.Arbitrary<Pattern>,
  numRuns: number,
): void {
  const text = (chars: readonly string[]) =>
    fc.array(fc.constantFrom(...chars), { minLength: 1, maxLength: 12 }).map((all) => all.join(""));
  assertHolds(
    t,
    fc.property(
      patterns,
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
    { numRuns },
  );
}

test.slow("letter case counts where it does, in texts of one and of two bytes a character", (t) => {
  assertSameMatches(t, pattern, 2_000);
});

test.slow("references ignore letter case where they are to, and nothing beside them does", (t) => {
  const isAnswered = ({ given }: Pattern) => !isRefused(given);
  if (!canSetFlags()) return; // see the next test
  assertSameMatches(t, referring.filter(isAnswered), 500);
  assert.deepEqual(linesOf("(\\w)(?i:\\1)|[ab]", ".A\n.a\nkK"), [".a", "kK"]);
  assert.deepEqual(linesOf("(\\w)b?(?i:\\1)(?-i:\\1)", "aAA\naAa\nABA\naa ✓"), ["aAa"]);
});

Deno.test("a reference that ignores letter case amid many other parts is right, or refused", () => {
  const fillers = [
    "(?=[^q])",
    "(?!x)",
    "(?<!x)",
    "x?",
    "(x)?",
    "(?:b|)",
    "[^a]{0,2}",
    "(?:xy){0,3}",
  ];
  if (!canSetFlags()) {
    return assert.throws(() => plan("(\\w)(?i:\\1)x"), {
      code: "invalid_pattern",
      message: /^this runtime cannot match a backreference that ignores letter case/,
      details: {
        pattern: "(\\w)(?i:\\1)x",
        hint: "ignore letter case throughout with caseInsensitive",
      },
    });
  }
  for (const filler of fillers) {
    let parts = 0;
    for (
      let given;
      !isRefused(given = `([ac])${filler.repeat(parts)}(?i:\\1)(?-i:\\1)c`);
      parts++
    ) {
      const lines = linesOf(given, "aAac\naAAc\ncCcc\ncCCc\naAAc ✓\naAac ✓");
      assert.deepEqual(lines, ["aAac", "cCcc", "aAac ✓"], given);
    }
    assert.ok(parts > 6, filler);
  }
});

Deno.test("a reference to what has no letter case is never refused for it", () => {
  const many = "(?=.).*(?:export|const|function|class|interface|type) [A-Z]\\w+";
  assert.deepEqual(
    linesOf(
      `(?i:password *= *(["'-]|\\d+).*\\1)${many}`,
      "PassWord='a' class Ab\npassword=1 2 class Ab\nPASSWORD=12 12 type ab\npassword='a' CLASS Ab",
    ),
    ["PassWord='a' class Ab"],
  );
  for (const group of ["[^']", "k", "é", "\\w", "(?:1|(?:a))", "[éà]"]) {
    assert.ok(isRefused(`(${group})(?i: *password *= *.*\\1)${many}`), group);
  }
});

function isRefused(given: string): boolean {
  try {
    plan(given);
    return false;
  } catch (error) {
    const why = /(?:too long for|cannot match) a backreference that ignores letter case/;
    assert.match(String(error), why);
    return true;
  }
}

Deno.test("parts ignore letter case beside lookarounds", () => {
  assert.deepEqual(linesOf("(?i:a)(?=b)", "Ab\nAB\nab"), ["Ab", "ab"]);
  assert.deepEqual(linesOf("(?i:todo)(?!.*Done)", "ToDo x\ntodo Done\nTODO DONE"), [
    "ToDo x",
    "TODO DONE",
  ]);
  assert.deepEqual(linesOf("(?<=Foo )(?i:bar\\b)(?!.*Foo)", "Foo BAR\nfoo BAR\nFoo bars"), [
    "Foo BAR",
  ]);
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

Deno.test("a class of thousands of letters beside parts in another case is planned soon", () => {
  const letters = Array.from(
    { length: 10_000 },
    (_, index) => String.fromCodePoint(0x4e00 + 2 * index),
  );
  const start = performance.now();
  const lines = linesOf(`(?i:[${letters.join("")}s])x|Y`, "\u4e00x\n\u4e01x\nSx\ny\nY");
  const took = performance.now() - start;
  assert.deepEqual(lines, ["\u4e00x", "Sx", "Y"]);
  assert.ok(took < 3_000, `${took} ms`);
});

Deno.test("a character folds into the ASCII ones as into any class", () => {
  for (
    const pattern of ["\\p{ASCII}", "[\\p{ASCII}]", "[[:ascii:]]", "[^\\P{ASCII}]", "[\\0-\\x7f]"]
  ) {
    assert.deepEqual(linesOf(`(?i)^${pattern}$`, "a\nſ\n\u212a\né"), ["a", "ſ", "\u212a"], pattern);
    assert.deepEqual(linesOf(`^${pattern}$`, "a\nſ\n\u212a\né"), ["a"], pattern);
  }
});
