/** The linear engine: V8's answers on every pattern that it takes. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { LinearMatcher } from "../../src/regex/linear_matcher.ts";
import { isLinear } from "../../src/regex/nfa.ts";
import { toSource } from "../../src/regex/printer.ts";
import { ENDLESS } from "../../src/util/pulse.ts";
import { firstMatch, grouped, isValid, plan, somePattern, someText, v8Matches } from "./support.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";

/** Random patterns for each oracle. */
const PATTERNS = 500;

const pattern = somePattern({ beyondLinear: false }).filter(isValid);

function linear(source: string, options: Parameters<typeof plan>[1] = {}) {
  const { locate, multiline } = plan(source, options).plan;
  const linearMatcher = new LinearMatcher(locate.tree, multiline, ENDLESS);
  const matcher = {
    find: (text: string, from: number) => linearMatcher.find(text, from)?.start ?? -1,
    locate: (text: string, from: number) => linearMatcher.locate(text, from),
  };
  return { matcher, source: toSource(locate.tree, multiline) };
}

Deno.test("the linear matcher finds the matches that V8 finds", (t) => {
  assertHolds(
    t,
    fc.property(
      pattern,
      someText,
      fc.record({ caseInsensitive: fc.boolean(), multiline: fc.boolean() }),
      (given, text, options) => {
        const { matcher, source: { source, flags } } = linear(given, options);
        const subject = options.multiline ? text : text.replaceAll("\n", "");
        for (let from = 0; from <= subject.length; from++) {
          if (from > 0 && subject.codePointAt(from - 1)! > 0xffff) continue;
          const expected = firstMatch(source, flags, subject, from);
          assert.deepEqual(matcher.locate(subject, from), expected);
        }
      },
    ),
    { numRuns: PATTERNS },
  );
});

/** Patterns in which most of what is repeated may match nothing. */
const { pattern: emptyish } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc.array(
    fc.array(tie("item"), { maxLength: 3 }).map((items) => items.join("")),
    { minLength: 1, maxLength: 3 },
  ).map((branches) => grouped(branches.join("|"))),
  item: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      "a",
      "b",
      ".",
      "a?",
      "b*",
      "[ab]*?",
      "^",
      "$",
      "\\b",
      "\\B",
      "%",
      "(?=a)",
      "(?<!b)",
    ),
    fc.tuple(
      tie("pattern"),
      fc.constantFrom(
        "",
        "*",
        "+",
        "?",
        "*?",
        "+?",
        "??",
        "{2}",
        "{1,3}",
        "{0,2}?",
        "{2,}",
        "{2,}?",
      ),
    ).map(([body, quantifier]) => `(?:${body})${quantifier}`),
  ),
}));

Deno.test("a round that matches nothing is no round, and its other alternatives are tried", (t) => {
  const extents = (source: string, text: string) => {
    const { matcher, source: { source: strict, flags } } = linear(source);
    const expression = new RegExp(strict, flags + "y");
    for (let from = 0; from <= text.length; from++) {
      expression.lastIndex = from;
      // The matcher looks on from there, the expression does not.
      const end = v8Matches(expression, text) ? expression.lastIndex : undefined;
      const found = matcher.locate(text, from);
      assert.equal(found?.start === from ? found.end : undefined, end, `${source} on ${text}`);
    }
  };
  for (const source of ["(?:|a)+", "(?:^|a)+", "(?:a*?)+", "(?:\\b|%)+", "(?:(?:|a)?b??){1,2}"]) {
    extents(source, "aab%%a b");
  }
  const text = fc.array(fc.constantFrom(..."aab% "), { maxLength: 6 }).map((all) => all.join(""));
  assertHolds(t, fc.property(emptyish.filter(isValid), text, extents), { numRuns: PATTERNS });
});

test.slow("the linear matcher finds each line that V8 finds, one after the other", (t) => {
  assertHolds(
    t,
    fc.property(pattern, someText, fc.boolean(), (given, text, wholeWord) => {
      const { matcher, source: { source, flags } } = linear(given, { wholeWord });
      let start = 0;
      for (const line of text.split("\n")) {
        const next = text.slice(start).split("\n").findIndex((one) =>
          firstMatch(source, flags, one, 0) !== undefined
        );
        const found = matcher.find(text, start);
        const lines = found === -1 ? -1 : text.slice(start, found).split("\n").length - 1;
        assert.equal(lines, next);
        start += line.length + 1;
      }
    }),
    { numRuns: PATTERNS },
  );
});

Deno.test("the linear matcher takes word boundaries and lookarounds of one character, no longer ones and no backreferences", () => {
  const takes = (source: string, options = {}) => isLinear(plan(source, options).plan.locate.tree);
  assert.ok(takes("\\bfoo\\B|^x$"));
  assert.ok(takes("(?<!a)b(?=[cd])"));
  assert.ok(takes("foo", { wholeWord: true }));
  assert.ok(!takes("(?=ab)a"));
  assert.ok(!takes("(a)\\1"));
  assert.ok(takes("(?:a{100}){300}"));
});

Deno.test("each way through a text is gone once, and both engines count their steps on it", () => {
  const { matcher } = linear(`(?:a?){30}a{30}`);
  assert.deepEqual(matcher.locate("a".repeat(30), 0), { start: 0, end: 30 });
  const { tree } = plan("(?:a|b)*c").plan.locate;
  const text = `${"ab".repeat(40_000)}c`;
  let beats = 0;
  const counted = new LinearMatcher(tree, false, { beat: () => void beats++ });
  counted.find(text, 0);
  assert.ok(beats >= 3);
  counted.locate(text, 0);
  assert.ok(beats > text.length / 2);
});

test.slow("a pattern with more states than are cached is matched all the same", () => {
  // Which of the last 14 characters were `a` makes 2 ** 14 states.
  const source = "a[ab]{13}c";
  const { matcher, source: { source: strict, flags } } = linear(source);
  let state = 1;
  let text = "";
  for (let count = 0; count < 60_000; count++) {
    state = state * 48_271 % 0x7fffffff;
    text += state % 2 === 0 ? "a" : "b";
  }
  text += "c";
  const expected = firstMatch(strict, flags, text, 0);
  assert.ok(expected !== undefined);
  assert.equal(matcher.find(text, 0), text.length);
  assert.deepEqual(matcher.locate(text, 0), expected);
});

Deno.test("more classes of characters than expected are distinguished", () => {
  const letters = Array.from({ length: 90 }, (_, index) => String.fromCodePoint(0x3b1 + index));
  const { matcher } = linear(letters.map((letter) => `${letter}x`).join("|"));
  const text = letters.map((letter) => `${letter}y`).join("");
  assert.equal(matcher.find(text, 0), -1);
  for (const letter of letters) {
    assert.deepEqual(matcher.locate(`${text}${letter}x`, 0), {
      start: text.length,
      end: text.length + 2,
    });
  }
});

test.slow("more classes than a row has room for do not spill into another state's", (t) => {
  const letters = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x3b1 + index));
  const letter = fc.constantFrom(...letters);
  const pairs = fc.array(fc.tuple(letter, letter), { minLength: 30, maxLength: 50 });
  assertHolds(
    t,
    fc.property(pairs, fc.array(letter, { minLength: 100, maxLength: 200 }), (given, all) => {
      const source = given.map(([one, other]) => `${one}+${other}(?<=${other})`).join("|");
      const text = all.join("");
      const { matcher, source: { source: strict, flags } } = linear(source);
      for (let from = 0; from < text.length; from += 10) {
        assert.deepEqual(matcher.locate(text, from), firstMatch(strict, flags, text, from));
      }
    }),
    { numRuns: 50 },
  );
});

/** Bytes that stay in use, on the heap and beside it, when something has been done. */
function growthBy(work: () => unknown): number {
  const used = () => {
    const { heapUsed, external } = Deno.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const kept = work();
  const growth = used() - before;
  assert.ok(kept !== undefined);
  return growth;
}

test.slow("memory has a bound, whatever number of states a text leads to", () => {
  let state = 1;
  const letters = Array.from({ length: 160_000 }, () => {
    state = state * 48_271 % 0x7fffffff;
    return state % 2 === 0 ? "a" : "b";
  });
  const text = letters.join("");
  const once = () =>
    growthBy(() => {
      const { matcher } = linear("a[ab]{20}c");
      assert.equal(matcher.find(text, 0), -1);
      return matcher;
    });
  // Garbage counts as well, and there may be much of it once.
  const growth = Math.min(once(), once(), once());
  assert.ok(growth < 40_000_000, `${growth} bytes`);
});

Deno.test("memory is bounded, whatever number of characters is distinguished", () => {
  const letters = Array.from({ length: 2_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const text = letters.join("y");
  const growth = growthBy(() => {
    const { matcher } = linear(letters.map((letter) => `${letter}x`).join("|"));
    assert.equal(matcher.find(text, 0), -1);
    return matcher;
  });
  assert.ok(growth < 40_000_000, `${growth} bytes`);
});
