/** Random patterns and texts, held against a plain reading of the rules. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineEntry } from "../../src/answer/result.ts";
import { isNullable, some } from "../../src/regex/ast.ts";
import {
  entriesOf,
  firstMatch,
  isValid,
  plan,
  scanner,
  scanPlan,
  somePattern,
  someText,
  splitLines,
  withContext,
} from "../regex/support.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";

const RUNS = 400;

const pattern = somePattern({ beyondLinear: true }).filter(isValid);

/** Patterns whose matches end in the same place on every engine: nothing that may be empty is repeated. */
const plainPattern = pattern.filter((source) =>
  !some(plan(source).plan.locate.tree, (node) => node.type === "repeat" && isNullable(node.item))
);

function columnOf(line: string, index: number): number {
  return Array.from(line.slice(0, index)).length + 1;
}

test.slow("a search finds the lines, numbers and columns that one expression per line finds", (t) => {
  assertHolds(
    t,
    fc.property(pattern, someText, fc.boolean(), (source, text, caseInsensitive) => {
      const flags = caseInsensitive ? "vsi" : "vs";
      const expected: LineEntry[] = [];
      for (const [index, line] of splitLines(text).entries()) {
        const match = firstMatch(source, flags, line, 0);
        if (match === undefined) continue;
        expected.push({ line_number: index + 1, line, column: columnOf(line, match.start) });
      }
      assert.deepEqual(entriesOf(source, text, { caseInsensitive, column: true }), expected);
      assert.deepEqual(
        entriesOf(source, text, { caseInsensitive, invert: true }),
        splitLines(text).map((line, index) => ({ line_number: index + 1, line }))
          .filter((entry) => !expected.some((other) => other.line_number === entry.line_number)),
      );
    }),
    { numRuns: RUNS },
  );
});

test.slow("only-matching finds the matches that one expression per line finds", (t) => {
  assertHolds(
    t,
    fc.property(plainPattern, someText, (source, text) => {
      const expected: [number, string][] = [];
      for (const [index, line] of splitLines(text).entries()) {
        let from = 0;
        for (let match; (match = firstMatch(source, "vs", line, from)) !== undefined;) {
          const { start, end } = match;
          if (end > start) expected.push([index + 1, line.slice(start, end)]);
          from = end > start ? end : end + (line.codePointAt(end)! > 0xffff ? 2 : 1);
        }
      }
      assert.deepEqual(
        entriesOf(source, text, { onlyMatching: true }).map((one) => [one.line_number, one.line]),
        expected,
      );
    }),
    { numRuns: RUNS },
  );
});

test.slow("a text in pieces of whole lines gives what it gives at once", (t) => {
  assertHolds(
    t,
    fc.property(
      pattern,
      someText,
      fc.array(fc.nat(40), { maxLength: 4 }),
      fc.record({
        before: fc.nat(3),
        after: fc.nat(3),
        maxCount: fc.constantFrom(1, 2, Infinity),
        invert: fc.boolean(),
        onlyMatching: fc.boolean(),
      }),
      (source, text, cuts, options) => {
        const ends = cuts.map((cut) => text.indexOf("\n", cut) + 1).filter((end) => end > 0);
        const sorted = [...new Set([0, ...ends])].sort((one, other) => one - other);
        const pieces = sorted.map((start, index) => text.slice(start, sorted[index + 1]));
        assert.deepEqual(entriesOf(source, pieces, options), entriesOf(source, text, options));
      },
    ),
    { numRuns: RUNS },
  );
});

Deno.test("context is the lines around each entry, whatever the entry shows of its own", (t) => {
  const ways = fc.record({
    before: fc.nat(3),
    after: fc.nat(3),
    multiline: fc.boolean(),
    onlyMatching: fc.boolean(),
    maxCount: fc.constantFrom(1, 2, Infinity),
  });
  assertHolds(
    t,
    fc.property(pattern, someText, ways, (source, text, way) => {
      const { before, after } = way;
      const lines = splitLines(text);
      const plain = entriesOf(source, text, { ...way, before: 0, after: 0 });
      const entries = entriesOf(source, text, way);
      assert.deepEqual(entries.map(({ before: _, after: __, ...own }) => own), plain);
      for (const entry of entries) {
        const at = entry.line_number - 1;
        // A match that ends with a line end has no part of the next line.
        const last = at + entry.line.replace(/\n$/, "").split("\n").length - 1;
        const above = before > 0 ? lines.slice(Math.max(0, at - before), at) : undefined;
        assert.deepEqual(entry.before, above);
        const below = after > 0 ? lines.slice(last + 1, last + 1 + after) : undefined;
        assert.deepEqual(entry.after, below);
      }
    }),
    { numRuns: 300 },
  );
});

test.slow("with multiline the entries are the line spans of the matches of the whole text", (t) => {
  assertHolds(
    t,
    fc.property(plainPattern, someText, (source, given) => {
      // JavaScript's `^`, `$` and `.` agree with ours where `\n` is the one line end.
      const text = given.replaceAll(/\r\n|[\r\u2028]/g, "\n");
      const spans: [number, string][] = [];
      const lines = splitLines(text);
      let from = 0;
      for (let match; (match = firstMatch(source, "vm", text, from)) !== undefined;) {
        const { start, end } = match;
        const first = text.slice(0, start).split("\n").length;
        const last = text.slice(0, Math.max(start, end - 1)).split("\n").length;
        if (first > lines.length) break;
        const span: [number, string] = [first, lines.slice(first - 1, last).join("\n")];
        const previous = spans.at(-1);
        if (previous?.[0] !== span[0] || previous[1].length !== span[1].length) spans.push(span);
        from = end > start ? end : end + (text.codePointAt(end)! > 0xffff ? 2 : 1);
      }
      assert.deepEqual(
        entriesOf(source, text, { multiline: true }).map((one) => [one.line_number, one.line]),
        spans,
      );
    }),
    { numRuns: RUNS },
  );
});

test.slow("of several patterns, an entry has those that match it when they are matched alone", (t) => {
  assertHolds(
    t,
    fc.property(
      fc.array(plainPattern, { minLength: 2, maxLength: 4 }),
      someText,
      fc.record({ multiline: fc.boolean(), onlyMatching: fc.boolean() }),
      (patterns, given, options) => {
        const { multiline, onlyMatching } = options;
        const text = multiline ? given.replaceAll(/\r\n|[\r\u2028]/g, "\n") : given;
        const lines = splitLines(text);
        const scan = scanner(patterns, { ...options, column: true });
        scan.start();
        scan.feed(text, true);
        const counts = patterns.map(() => 0);
        for (const { line_number, line, column = 1, patterns: found } of withContext(scan.lines)) {
          const first = lines[line_number - 1]!;
          const above = lines.slice(0, multiline ? line_number - 1 : 0);
          const start = above.reduce((sum, one) => sum + one.length + 1, 0);
          const offset = Array.from(first).slice(0, column - 1).join("").length;
          const from = start + (onlyMatching ? offset : 0);
          const to = from + line.length + (onlyMatching ? 0 : 1);
          const isFound = (source: string) => {
            for (let at = from;; at++) {
              const searched = multiline ? text : first;
              const match = firstMatch(source, multiline ? "vm" : "vs", searched, at);
              if (match === undefined || match.start >= to) return false;
              if (!onlyMatching || match.start < match.end) return true;
              at = match.start;
            }
          };
          assert.deepEqual(
            found,
            [...patterns.keys()].filter((index) => isFound(patterns[index]!)),
          );
          assert.ok(found!.length > 0);
          for (const index of found!) counts[index]!++;
        }
        assert.deepEqual(scan.patternCounts, counts);
      },
    ),
    { numRuns: RUNS },
  );
});

Deno.test("a pattern's required literals are in every line it matches", (t) => {
  assertHolds(
    t,
    fc.property(pattern, someText, (source, text) => {
      const { required } = plan(source).plan;
      if (required.length === 0) return;
      for (const { line } of entriesOf(source, text)) {
        assert.ok(required.some((one) => line.includes(one)), `${required} in ${line}`);
      }
    }),
    { numRuns: RUNS },
  );
});

Deno.test("a pattern's prefilter lets through every line it matches", (t) => {
  assertHolds(
    t,
    fc.property(pattern, someText, fc.boolean(), (source, text, caseInsensitive) => {
      const { prefilter } = plan(source, { caseInsensitive }).plan;
      if (prefilter === undefined) return;
      for (const { line } of entriesOf(source, text, { caseInsensitive })) {
        if (prefilter.isForAscii && /[^\0-\x7f]/.test(line)) continue;
        const holds = (one: string) =>
          (prefilter.eitherCase ? line.toLowerCase() : line).includes(one);
        assert.ok(prefilter.anyOf.some(holds), `${prefilter.anyOf} in ${line}`);
        assert.ok(
          prefilter.allOf.every(holds),
          `${prefilter.allOf} besides ${prefilter.anyOf} in ${line}`,
        );
      }
    }),
    { numRuns: RUNS },
  );
});

Deno.test("every engine that can take a pattern gives the same entries", (t) => {
  assertHolds(
    t,
    fc.property(
      plainPattern,
      someText,
      fc.record({ multiline: fc.boolean(), onlyMatching: fc.boolean(), invert: fc.boolean() }),
      (source, text, options) => {
        const own = plan(source, options).plan;
        const entriesBy = (cost: "linear" | "unbounded", isLinear: boolean) => {
          const locate = { ...own.locate, cost };
          const find = own.find === own.locate ? locate : { ...own.find, cost };
          return scanPlan({ ...own, isLinear, find, locate }, text, { ...options, column: true });
        };
        const expected = entriesBy("linear", false);
        assert.deepEqual(entriesBy("unbounded", false), expected);
        if (own.isLinear) assert.deepEqual(entriesBy("unbounded", true), expected);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("whole words and whole lines are what their definitions say", (t) => {
  const WORD = "[\\p{L}\\p{M}\\p{N}\\p{Pc}]";
  assertHolds(
    t,
    fc.property(pattern, someText, (source, text) => {
      const lines = splitLines(text);
      const matching = (wrapped: string) =>
        lines.filter((line) => firstMatch(wrapped, "vs", line, 0) !== undefined);
      assert.deepEqual(
        entriesOf(source, text, { wholeWord: true }).map((entry) => entry.line),
        matching(`(?<!${WORD})(?:${source})(?!${WORD})`),
      );
      assert.deepEqual(
        entriesOf(source, text, { wholeLine: true }).map((entry) => entry.line),
        matching(`^(?:${source})$`),
      );
    }),
    { numRuns: 150 },
  );
});
