/** Matching ends at its limit and when nobody wants it any more, whatever the pattern. */

import assert from "node:assert/strict";
import { PatternMatcher } from "../../src/regex/matcher.ts";
import { ENDLESS } from "../../src/util/pulse.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { endsAfter, plan, scanner, type SomeOptions } from "./support.ts";
import { test } from "../support/needs.ts";

/** Milliseconds beyond its time that matching may take on a machine that is busy with other things. */
const MARGIN = 1_000;

/** Patterns, each with a text on which every way to match it takes long. */
const SLOW: [pattern: string, text: string, multiline?: boolean][] = [
  ["a[ab]?[ab]?[ab]?[ab]?[ab]?[ab]?[ab]?[cd]", "ab".repeat(1 << 23)],
  ["a[ab]?[ab]?[ab]?[ab]?[cd]", `${"ab".repeat(500)}\n`.repeat(1 << 14)],
  ["a[ab]?[ab]?[ab]?[ab]?[cd]", "ab".repeat(1 << 23), true],
  ["a[ab]?[ab]?[ab]?[ab]?[cd]", "ab".repeat(1 << 24)], // takes V8 seconds, though it is linear
  ["foo.*bar", `${"foo".repeat(330)}\n`.repeat(1 << 13)],
  ["^[^x]*y", "a\n".repeat(1 << 20), true],
  ["[ab]*a[ab]{300}c", randomLetters(1 << 20)],
  ["(?:a?){60}(?:[ab]?){60}c(?:x*y*)*", randomLetters(1 << 20)],
  [`(?:${"a?b?".repeat(2_000)}){2}c`, randomLetters(1 << 16)],
  [`${"a".repeat(30_000)}b${"a".repeat(30_000)}`, "a".repeat(1 << 22)],
  ["(\\w+)x\\1", "ab".repeat(1 << 20)],
  ["(?<=c\\w+)a", "ab".repeat(1 << 20)],
  ["^(?:a(?=a*b|.))+c", "a".repeat(300_000)],
  ["^(a+)+\\1$", "a".repeat(40) + "!"],
  ["(?:(a|b)*\\1)*c", randomLetters(1 << 12), true],
];

function randomLetters(length: number): string {
  let state = 1;
  let text = "";
  while (text.length < length) {
    state = state * 48_271 % 0x7fffffff;
    text += state % 2 === 0 ? "a" : "b";
  }
  return text;
}

/** The three ways to ask for a match. */
const WAYS: ((matcher: PatternMatcher, text: string) => unknown)[] = [
  (matcher) => matcher.findLine(0),
  (matcher, text) => matcher.locateInLine(text, 0),
  (matcher) => matcher.locateMatch(0),
];

function waysOf(multiline = false) {
  return multiline ? WAYS.slice(2) : WAYS.slice(0, 2);
}

test.slow(
  "a search ends soon after its limit, and soon after it is stopped",
  inThreeTries(() => {
    for (const [pattern, text, multiline] of SLOW) {
      const { plan: planned } = plan(pattern, { multiline: multiline ?? false });
      for (const ends of ["limit", "stop"]) {
        for (const ask of waysOf(multiline)) {
          const until = performance.now() + 50;
          const pulse = ends === "limit"
            ? endsAfter(50)
            : endsAfter(20_000, () => performance.now() > until);
          const matcher = new PatternMatcher(planned, pulse);
          matcher.open(text);
          try {
            ask(matcher, text);
          } catch (error) {
            const expected = ends === "limit" ? "search_timed_out" : "cancelled";
            assert.equal((error as { code?: string }).code, expected, String(error));
          }
          const late = performance.now() - until;
          assertInTime(late, MARGIN, `${pattern.slice(0, 50)} by its ${ends}`);
          matcher.close();
        }
      }
    }
  }),
);

/** Patterns of which each match takes long, and there are many. */
const SLOW_MATCHES: [pattern: string, text: string, options: SomeOptions][] = [
  ["(?:a|b|c|){9000}", "z".repeat(1 << 18), { onlyMatching: true }],
  ["(?:a|b|c|){9000}", "z".repeat(1 << 18), { multiline: true, mode: "count" }],
  ["(?:a|b|c|){9000}", "z\n".repeat(1 << 17), { column: true }],
  [`(?:${"[ab]?".repeat(200)}c|[ab]+$){20}`, `${"ab".repeat(400)}\n`.repeat(1 << 9), {}],
  ["(?:(a|aa)+!|a+$)\\1?", `${"a".repeat(30)}\n`.repeat(1 << 12), {}],
  ["(?:(a|aa)+!|a+$)\\1?", `${"a".repeat(30)}\n`.repeat(1 << 12), { multiline: true }],
];

test.slow(
  "matches that take long end at the limit and when nobody wants them",
  inThreeTries(() => {
    for (const [pattern, text, options] of SLOW_MATCHES) {
      for (const ends of ["limit", "stop"]) {
        const until = performance.now() + 100;
        const pulse = ends === "limit"
          ? endsAfter(100)
          : endsAfter(20_000, () => performance.now() > until);
        const searcher = scanner(pattern, options, pulse);
        searcher.start();
        try {
          searcher.feed(text, true);
        } catch (error) {
          const expected = ends === "limit" ? "search_timed_out" : "cancelled";
          assert.equal((error as { code?: string }).code, expected, String(error));
        }
        const late = performance.now() - until;
        assertInTime(late, MARGIN, `${pattern.slice(0, 50)} by its ${ends}`);
      }
    }
  }),
);

test.slow("what only V8 can match is answered however long it takes", () => {
  // No start takes long, all of them together do.
  const matcher = new PatternMatcher(plan("(\\w+)x\\1").plan, ENDLESS);
  matcher.open("ab".repeat(8_000));
  assert.equal(matcher.findLine(0), -1);
});
