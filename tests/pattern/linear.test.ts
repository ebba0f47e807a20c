/** The linear engine: V8's answers on every pattern that it takes. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { LinearMatcher } from "../../src/search/js/linear.ts";
import { isLinear } from "../../src/search/js/program.ts";
import { isNullable, some } from "../../src/regex/ast.ts";
import { firstMatch, isValid, plan, somePattern, someText } from "../regex/support.ts";

const pattern = somePattern({ beyondLinear: false }).filter(isValid);

function linear(source: string, options: Parameters<typeof plan>[1] = {}) {
  const { locate, multiline } = plan(source, options).plan;
  return { matcher: new LinearMatcher(locate.tree, multiline, () => {}), ...locate };
}

Deno.test("it finds the matches that V8 finds", () => {
  fc.assert(
    fc.property(
      pattern,
      someText,
      fc.record({ caseInsensitive: fc.boolean(), multiline: fc.boolean() }),
      (given, text, options) => {
        const { matcher, source: { source, flags }, tree } = linear(given, options);
        const subject = options.multiline ? text : text.replaceAll("\n", "");
        // Where what is repeated may match nothing, the two may disagree on the end.
        const isLoose = some(tree, (node) => node.type === "repeat" && isNullable(node.item));
        for (let from = 0; from <= subject.length; from++) {
          if (from > 0 && subject.codePointAt(from - 1)! > 0xffff) continue;
          const expected = firstMatch(source, flags, subject, from);
          const found = matcher.locate(subject, from);
          if (isLoose) assert.equal(found?.start, expected?.start);
          else assert.deepEqual(found, expected);
        }
      },
    ),
    { numRuns: 1_500 },
  );
});

Deno.test("it finds the first line that V8 finds, one after the other", () => {
  fc.assert(
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
    { numRuns: 500 },
  );
});

Deno.test("it takes word boundaries and lookarounds of one character, no others, no references", () => {
  const takes = (source: string, options = {}) => isLinear(plan(source, options).plan.locate.tree);
  assert.ok(takes("\\bfoo\\B|^x$"));
  assert.ok(takes("(?<!a)b(?=[cd])"));
  assert.ok(takes("foo", { wholeWord: true }));
  assert.ok(!takes("(?=ab)a"));
  assert.ok(!takes("(a)\\1"));
  assert.ok(!takes("(?:a{100}){300}"));
});

Deno.test("a pattern with more states than are kept is matched all the same", () => {
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

Deno.test("more classes of characters than were foreseen are told apart", () => {
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
