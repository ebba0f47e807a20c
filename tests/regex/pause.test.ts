/** Matching pauses and goes on, ends at its limit and when nobody wants it any more, whatever the pattern. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { Deadline, PAUSED } from "../../src/regex/deadline.ts";
import type { Match } from "../../src/regex/match.ts";
import { PatternMatcher } from "../../src/regex/matcher.ts";
import type { PatternPlan } from "../../src/regex/pattern_plan.ts";
import { assertHolds, assertOften } from "../support/draw.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { isValid, plan, scanner, type SomeOptions, somePattern, someText } from "./support.ts";
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
  (matcher, text) => matcher.findInLine(text, 0),
  (matcher) => matcher.findMatch(0),
];

function waysOf(multiline = false) {
  return multiline ? WAYS.slice(2) : WAYS.slice(0, 2);
}

test.slow(
  "no call runs for long beyond the time to pause, and a pause costs nothing done",
  inThreeTries(() => {
    for (const [pattern, text, multiline] of SLOW) {
      const deadline = new Deadline();
      const matcher = new PatternMatcher(
        plan(pattern, { multiline: multiline ?? false }).plan,
        deadline,
      );
      for (const ask of waysOf(multiline)) {
        deadline.set(performance.now() + 100, 100);
        matcher.open(text);
        for (let answer: unknown = PAUSED; answer === PAUSED;) {
          const start = performance.now();
          deadline.pauseAt = start + 10;
          try {
            answer = ask(matcher, text);
          } catch (error) {
            assert.equal((error as { code?: string }).code, "search_timed_out", String(error));
            answer = undefined;
          }
          const took = performance.now() - start;
          assertInTime(took, MARGIN, pattern.slice(0, 50));
        }
        matcher.close();
      }
    }
  }),
);

test.slow(
  "a search ends soon after its limit, and soon after it is stopped",
  inThreeTries(() => {
    for (const [pattern, text, multiline] of SLOW) {
      const { plan: planned } = plan(pattern, { multiline: multiline ?? false });
      for (const ends of ["limit", "stop"]) {
        const deadline = new Deadline();
        const matcher = new PatternMatcher(planned, deadline);
        for (const ask of waysOf(multiline)) {
          const until = performance.now() + 50;
          deadline.set(ends === "limit" ? until : until + 20_000, 50);
          if (ends === "stop") deadline.isStopped = () => performance.now() > until;
          matcher.open(text);
          try {
            ask(matcher, text);
          } catch (error) {
            const expected = ends === "limit" ? "search_timed_out" : "cancelled";
            assert.equal((error as { code?: string }).code, expected, String(error));
          }
          const late = performance.now() - until;
          assertInTime(late, MARGIN, `${pattern.slice(0, 50)} by its ${ends}`);
          deadline.isStopped = () => false;
          matcher.close();
        }
      }
    }
  }),
);

/** All answers to a series of questions, with a pause wherever there may be one, and their number. */
function answersOf(given: PatternPlan, text: string, pauseAt: number) {
  const deadline = new Deadline();
  deadline.set(performance.now() + 20_000, 20_000);
  deadline.pauseAt = pauseAt;
  // From here on each look at the clock finds it time to pause.
  for (let steps = 0; steps < 60_000; steps += 1_000) deadline.count(1_000);
  const matcher = new PatternMatcher(given, deadline);
  matcher.open(text);
  let pauses = 0;
  const answers: unknown[] = [];
  const ask = <T>(question: () => T | typeof PAUSED): T => {
    for (;;) {
      const answer = question();
      if (answer !== PAUSED) {
        answers.push(answer);
        return answer;
      }
      pauses++;
    }
  };
  const next = (match: Match | undefined, end: number): number => {
    if (match === undefined) return Infinity;
    return match.end > match.start
      ? match.end
      : match.end + (end > match.end ? width(match.end) : 1);
  };
  const width = (at: number): number => text.codePointAt(at)! > 0xffff ? 2 : 1;
  if (given.multiline) {
    for (let from = 0; from <= text.length;) {
      from = next(ask(() => matcher.findMatch(from)), text.length);
    }
  } else {
    for (let from = 0; from <= text.length;) {
      const hit = ask(() => matcher.findLine(from));
      const newline = hit < 0 ? -1 : text.indexOf("\n", hit);
      if (hit >= 0) answers[answers.length - 1] = text.slice(0, hit).split("\n").length;
      from = newline < 0 ? Infinity : newline + 1;
    }
    for (const line of text.split("\n")) ask(() => matcher.findInLine(line, 0));
  }
  matcher.close();
  return { answers, pauses };
}

test.slow("what is found does not depend on where matching pauses", (t) => {
  let pauses = 0;
  assertHolds(
    t,
    fc.property(
      somePattern({ beyondLinear: true }).filter(isValid),
      someText,
      fc.boolean(),
      (pattern, text, multiline) => {
        const own = plan(pattern, { multiline }).plan;
        const locate = { ...own.locate, cost: "unbounded" } as const;
        const find = own.find === own.locate ? locate : { ...own.find, cost: "unbounded" } as const;
        for (const given of [own, { ...own, locate, find }]) {
          const expected = answersOf(given, text, Infinity);
          const found = answersOf(given, text, 0);
          assert.equal(expected.pauses, 0);
          assert.deepEqual(found.answers, expected.answers);
          pauses += found.pauses;
        }
      },
    ),
    { numRuns: 400 },
  );
  assertOften(pauses, 200, "pauses");
});

Deno.test("a call with other arguments drops what paused, and a text does so with another", () => {
  const deadline = new Deadline();
  const matcher = new PatternMatcher(plan("(?:x+x+)+y|c").plan, deadline);
  deadline.set(performance.now() + 20_000, 20_000);
  const first = "x".repeat(2_000_000) + "\nc";
  matcher.open(first);
  deadline.pauseAt = 0;
  assert.equal(matcher.findLine(0), PAUSED);
  deadline.pauseAt = Infinity;
  assert.ok(matcher.findLine(2_000_001) >= 2_000_001);
  assert.ok(matcher.findLine(0) >= 2_000_001);
  deadline.pauseAt = 0;
  assert.equal(matcher.findLine(0), PAUSED);
  matcher.open("c\n" + first);
  deadline.pauseAt = Infinity;
  assert.ok(matcher.findLine(0) <= 1);
});

Deno.test("a call for a match does not go on with a call for a line that paused", () => {
  const deadline = new Deadline();
  const { plan: planned } = plan("a|ab");
  assert.equal(planned.find, planned.locate, "one engine takes both calls");
  const matcher = new PatternMatcher(planned, deadline);
  deadline.set(performance.now() + 20_000, 20_000);
  const before = "z".repeat(1 << 24);
  const text = `${before}ab`;
  matcher.open(text);
  deadline.pauseAt = 0;
  assert.equal(matcher.findLine(0), PAUSED);
  deadline.pauseAt = Infinity;
  assert.deepEqual(matcher.findInLine(text, 0), { start: before.length, end: text.length - 1 });
});

test.slow(
  "what only V8 can match pauses as well, and is answered however long it takes",
  inThreeTries(() => {
    const deadline = new Deadline();
    const endless = new PatternMatcher(plan("^(a+)+\\1$").plan, deadline);
    deadline.set(performance.now() + 20_000, 20_000);
    deadline.pauseAt = 0;
    endless.open("a".repeat(40) + "!");
    const started = performance.now();
    assert.equal(endless.findLine(0), PAUSED);
    assertInTime(performance.now() - started, 2 * MARGIN, "a pause");
    endless.close();
    // No start takes long, all of them together do.
    deadline.pauseAt = Infinity;
    const long = new PatternMatcher(plan("(\\w+)x\\1").plan, deadline);
    long.open("ab".repeat(8_000));
    assert.equal(long.findLine(0), -1);
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
  "matches that take long each pause in time, end at the limit and when nobody wants them",
  inThreeTries(() => {
    for (const [pattern, text, options] of SLOW_MATCHES) {
      for (const ends of ["pause", "limit", "stop"]) {
        const searcher = scanner(pattern, options);
        const until = performance.now() + 100;
        searcher.deadline = ends === "limit" ? until : until + 20_000;
        if (ends === "stop") searcher.limit.isStopped = () => performance.now() > until;
        if (ends === "pause") searcher.limit.pauseAt = until;
        searcher.start();
        try {
          const rest = searcher.scan(text, true);
          if (ends !== "pause") { while (rest !== undefined && !rest.next().done); }
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
