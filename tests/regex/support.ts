/**
 * What the tests of patterns share: a scan of one text, and random patterns and texts.
 *
 * @module
 */

import type { Note } from "../../src/notes/words.ts";
import fc from "fast-check";
import { decided } from "../support/draw.ts";
import { testWithin } from "../support/limited_test.ts";
import type { PatternOptions, PatternPlan } from "../../src/regex/pattern_plan.ts";
import { planPattern } from "../../src/regex/plan.ts";
import type { HitLine } from "../../src/read/hit_lines.ts";
import {
  LineSearcher,
  type LineSearchOptions,
  loadSearcher,
} from "../../src/read/line_searcher.ts";
import { entriesOf as entriesOfPage } from "../../src/answer/result_builder.ts";
import type { LineEntry, MatchEntry } from "../../src/answer/result.ts";
import { SearchPulse } from "../../src/run/search_sink.ts";
import type { Pulse } from "../../src/util/pulse.ts";

/** Options of a pattern, of which most tests want few. */
export type SomeOptions = Partial<PatternOptions & LineSearchOptions>;

const PATTERN_DEFAULTS: Omit<PatternOptions, "patterns"> = {
  fixedStrings: false,
  caseInsensitive: false,
  smartCase: false,
  wholeWord: false,
  wholeLine: false,
  invert: false,
  multiline: false,
};

const SCAN_DEFAULTS: LineSearchOptions = {
  mode: "content",
  before: 0,
  after: 0,
  maxCount: Infinity,
  maxLineLength: 0,
  column: false,
  onlyMatching: false,
};

await loadSearcher({
  ...planPattern({ ...PATTERN_DEFAULTS, patterns: ["."] }),
  lines: { mode: "values" },
});

/** The plan of a pattern, or of several. */
export function plan(pattern: string | readonly string[], options: SomeOptions = {}) {
  const patterns = typeof pattern === "string" ? [pattern] : pattern;
  return planPattern({ ...PATTERN_DEFAULTS, ...options, patterns });
}

/** A scanner for a pattern. */
export function scanner(
  pattern: string | readonly string[],
  options: SomeOptions = {},
  pulse?: Pulse,
): LineSearcher {
  return new LineSearcher(plan(pattern, options).plan, { ...SCAN_DEFAULTS, ...options }, pulse);
}

/** A pulse that ends a search after some milliseconds, or when it is told to. */
export function endsAfter(timeout: number, isStopped: () => boolean = () => false): SearchPulse {
  return new SearchPulse({ deadline: Date.now() + timeout, timeout }, isStopped);
}

/** The entries of a text, by a plan. */
export function scanPlan(given: PatternPlan, text: string, options: SomeOptions): LineEntry[] {
  const scan = new LineSearcher(given, { ...SCAN_DEFAULTS, ...options });
  scan.start();
  scan.feed(text, true);
  return withContext(scan.lines, options);
}

/** The entries that an answer has of lines. */
export function withContext(lines: readonly HitLine[], options: SomeOptions = {}): LineEntry[] {
  const { before = 0, after = 0 } = options;
  const context = before + after > 0 ? { before, after } : undefined;
  return [...entriesOfPage([{ file: "a.txt", lines, context }])].map((entry) => {
    const { file: _, ...rest } = entry as MatchEntry;
    return rest;
  });
}

/** The entries of a text, given at once or in pieces. */
export function entriesOf(
  pattern: string | readonly string[],
  text: string | readonly string[],
  options: SomeOptions = {},
): LineEntry[] {
  const scan = scanner(pattern, options);
  scan.start();
  const pieces = typeof text === "string" ? [text] : text;
  pieces.forEach((piece, index) => scan.feed(piece, index === pieces.length - 1));
  return withContext(scan.lines, options);
}

/** The lines that match. */
export function linesOf(
  pattern: string | readonly string[],
  text: string | readonly string[],
  options: SomeOptions = {},
): string[] {
  return entriesOf(pattern, text, options).map((entry) => entry.line);
}

/** Whether a pattern matches a line. */
export function matches(pattern: string, line: string, options: SomeOptions = {}): boolean {
  return entriesOf(pattern, line, options).length > 0;
}

/** The notes on a pattern. */
export function notesOf(pattern: string, options: SomeOptions = {}): Note[] {
  return plan(pattern, options).notes;
}

/** The lines of a text, as the contract counts them. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const rest = lines.pop()!;
  const ended = lines.map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
  return rest === "" ? ended : [...ended, rest];
}

/** Texts of few characters, those that engines differ on among them. */
export const someText: fc.Arbitrary<string> = fc.array(
  fc.constantFrom(..."aabbcAkK1_- .", "é", "ſ", "😀", "\r", "\u2028", "\n", "\n", "\n", "\r\n"),
  { maxLength: 40 },
).map((parts) => parts.join(""));

/** How rich random patterns are. */
export interface PatternRichness {
  /** Lookarounds and backreferences. */
  beyondLinear: boolean;
}

/** Patterns in strict JavaScript (`v` flag), of up to two capture groups that may be referred to. */
export function somePattern({ beyondLinear }: PatternRichness): fc.Arbitrary<string> {
  const atom = fc.constantFrom(
    ..."aabbcAkK1_",
    "é",
    "ſ",
    "😀",
    ".",
    "\\w",
    "\\W",
    "\\d",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "[^\\w]",
    "[a-c1]",
    "[^é]",
    "[\\s\\-]",
    "[[a-c]&&[^b]]",
    "[\\w--[aé]]",
    "[^[aK]--k]",
    "[a[b\\d]]",
    "\\p{L}",
    "\\P{Lu}",
    "\\u{1F600}",
    "\\x61",
    "\\.",
  );
  const anchor = fc.constantFrom("^", "$", "\\b", "\\B");
  const quantifier = fc.constantFrom(
    "*",
    "+",
    "?",
    "{2}",
    "{1,2}",
    "{2,}",
    "*?",
    "+?",
    "??",
    "{0,2}?",
  );
  const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string; group: string }>(
    (tie) => ({
      pattern: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        tie("sequence"),
        fc.array(tie("sequence"), { minLength: 2, maxLength: 3 }).map((all) => all.join("|")),
      ),
      sequence: fc.array(tie("item"), { maxLength: 4 }).map((all) => all.join("")),
      item: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { arbitrary: atom, weight: 4 },
        { arbitrary: fc.tuple(atom, quantifier).map(([one, many]) => one + many), weight: 2 },
        { arbitrary: anchor, weight: 1 },
        { arbitrary: tie("group"), weight: 1 },
        {
          arbitrary: fc.tuple(tie("group"), quantifier).map(([one, many]) => one + many),
          weight: 1,
        },
        ...(beyondLinear
          ? [{
            arbitrary: fc.tuple(fc.constantFrom("=", "!", "<=", "<!"), tie("pattern")).map((
              [kind, body],
            ) => `(?${kind}${body})`),
            weight: 1,
          }]
          : []),
      ),
      group: fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern")).map(([open, body]) =>
        `${open}${body})`
      ),
    }),
  );
  if (!beyondLinear) return pattern.map(grouped);
  return fc.tuple(pattern, fc.constantFrom("", "", "(a|b)\\1", "(\\w)(.?)\\2\\1")).map(
    // Groups of their own come first, so that the numbers are theirs.
    ([rest, back]) => grouped(back + rest),
  );
}

/** The pattern as a group if one of its alternatives is empty, which is refused outside of groups. */
export function grouped(pattern: string): string {
  return /^\||\|\||\|$/.test(pattern) ? `(?:${pattern})` : pattern;
}

/** Whether JavaScript takes a pattern. */
export function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, "v") !== undefined;
  } catch {
    return false;
  }
}

/** Whether V8 finds a match; a random pattern that keeps it busy for a second is undecided. */
export function v8Matches(expression: RegExp, text: string): boolean {
  return decided(testWithin(expression, text));
}

/**
 * The first match at or after an offset, by an attempt at each code point: V8's own search also stops in
 * the middle of surrogate pairs.
 */
export function firstMatch(source: string, flags: string, text: string, from: number) {
  const expression = new RegExp(source, flags + "y");
  for (let start = from; start <= text.length;) {
    expression.lastIndex = start;
    if (v8Matches(expression, text)) return { start, end: expression.lastIndex };
    start += start < text.length && text.codePointAt(start)! > 0xffff ? 2 : 1;
  }
  return undefined;
}
