/**
 * Counts which of several patterns match the lines and matches of a file, which a search for all of them at
 * once, as the alternatives of one pattern, cannot tell; and the different texts that match.
 *
 * @module
 */

import { PatternMatcher } from "../regex/matcher.ts";
import type { Match, PatternPlan } from "../regex/pattern_plan.ts";
import type { Pulse } from "../util/pulse.ts";
import { detached } from "./hit_lines.ts";

export class PatternTally {
  /** By pattern, how many of the lines or matches counted it matches; in file mode, 1 for one or more. */
  counts: number[] = [];
  readonly #plan: PatternPlan;
  readonly #isByFile: boolean;
  readonly #set: PatternSet;
  #line: { text: string; start: number; end: number; within: string } | undefined;
  /** The patterns to ask. */
  #asked: number[] = [];

  /**
   * @param options in mode `file` one match of each is enough; with `onlyMatching` an empty one is
   * none
   * unless these are counted
   */
  constructor(
    plan: PatternPlan,
    { mode, onlyMatching, countsEmpty = false }: {
      mode: string;
      onlyMatching: boolean;
      countsEmpty?: boolean;
    },
    pulse: Pulse,
  ) {
    this.#plan = plan;
    this.#isByFile = mode === "file";
    this.#set = new PatternSet(plan.each, pulse, !onlyMatching || countsEmpty);
  }

  start(): void {
    const { each, invert } = this.#plan;
    this.counts = each.map(() => 0);
    // With `invert`, the lines that are found are those that no pattern matches.
    this.#asked = invert ? [] : [...each.keys()];
  }

  /** Whether further lines of the file can add nothing new. */
  get isDone(): boolean {
    return this.#asked.length === 0;
  }

  /**
   * Counts the patterns that have a match which starts in a stretch of a text, and returns their indices.
   *
   * @param text whole lines
   * @param line the lines that the stretch is in; without `multiline`, one
   * @param stretch offsets in the text; by default, the lines and the end of the last
   */
  count(
    text: string,
    line: Match,
    stretch: Match = { start: line.start, end: line.end + 1 },
  ): number[] {
    const { multiline } = this.#plan;
    const within = multiline ? text : this.#within(text, line);
    const offset = multiline ? 0 : line.start;
    const { start } = stretch;
    const end = Math.max(stretch.end, start + 1); // an empty one holds its start
    const found = this.#set.startingIn(within, start - offset, end - offset, this.#asked);
    for (const index of found) this.counts[index]!++;
    if (this.#isByFile && found.length > 0) {
      this.#asked = this.#asked.filter((index) => this.counts[index] === 0);
    }
    return found;
  }

  /** A line, as one string for all matches in it: that of another copy would be compared whole. */
  #within(text: string, { start, end }: Match): string {
    const known = this.#line;
    if (known?.start === start && known.end === end && known.text === text) return known.within;
    this.#line = { text, start, end, within: text.slice(start, end) };
    return this.#line.within;
  }

  close(): void {
    this.#line = undefined;
    this.#set.close();
  }
}

/** Steps of the pulse that a question to one pattern counts as. */
const STEPS_PER_PATTERN = 20;
/** Characters of the text that count as one more of these steps. */
const CHARS_PER_STEP = 16;

/** Several patterns, each matched on its own. */
class PatternSet {
  readonly #plans: readonly PatternPlan[];
  readonly #pulse: Pulse;
  readonly #mayBeEmpty: boolean;
  /** Each is created on first use. */
  readonly #matchers: (PatternMatcher | undefined)[] = [];
  #text = "";
  /** Where the last question began. */
  #from = 0;
  /** By pattern, where its first match at or after that offset starts; `Infinity`: it has none. */
  #starts: (number | undefined)[] = [];
  /** By pattern, how far it was searched for without a match. */
  #reached: (number | undefined)[] = [];

  /** @param mayBeEmpty whether a match without a character counts */
  constructor(plans: readonly PatternPlan[], pulse: Pulse, mayBeEmpty: boolean) {
    this.#plans = plans;
    this.#pulse = pulse;
    this.#mayBeEmpty = mayBeEmpty;
  }

  /**
   * Those of the patterns asked, by index, that have a match which starts in a stretch of a text.
   *
   * @param text a line or, with `multiline`, all of them
   */
  startingIn(text: string, from: number, to: number, asked: readonly number[]): number[] {
    if (text !== this.#text || from < this.#from) this.#open(text);
    this.#from = from;
    return asked.filter((index) => this.#startOf(index, from) < to);
  }

  close(): void {
    this.#open("");
    for (const matcher of this.#matchers) matcher?.close();
  }

  #open(text: string): void {
    this.#text = text;
    this.#from = 0;
    this.#starts = [];
    this.#reached = [];
    for (const [index, matcher] of this.#matchers.entries()) {
      if (this.#plans[index]!.multiline) matcher?.open(text);
    }
  }

  /** Where the first match of a pattern at or after an offset starts. */
  #startOf(index: number, from: number): number {
    const known = this.#starts[index];
    if (known !== undefined && known >= from) return known;
    const text = this.#text;
    for (let at = Math.max(from, this.#reached[index] ?? 0);;) {
      const match = at > text.length ? undefined : this.#find(index, at);
      const isFound = match === undefined || this.#mayBeEmpty || match.start < match.end;
      if (isFound) this.#starts[index] = match?.start ?? Infinity;
      else at = match.end + (text.codePointAt(match.end)! > 0xffff ? 2 : 1);
      this.#reached[index] = at;
      const chars = (match?.start ?? text.length) - from;
      this.#pulse.beat(STEPS_PER_PATTERN + chars / CHARS_PER_STEP);
      if (isFound) return this.#starts[index]!;
    }
  }

  #find(index: number, from: number): Match | undefined {
    const plan = this.#plans[index]!;
    let matcher = this.#matchers[index];
    if (matcher === undefined) {
      matcher = this.#matchers[index] = new PatternMatcher(plan, this.#pulse);
      if (plan.multiline) matcher.open(this.#text);
    }
    return plan.multiline ? matcher.locateMatch(from) : matcher.locateInLine(this.#text, from);
  }
}

/** How often a text matches. */
export interface FoundValue {
  count: number;
  /** The files that it matches in. */
  files: number;
  /** Of several patterns, how often each matches it. */
  patternCounts?: number[] | undefined;
}

/** The values that one answer may be about. */
const MAX_VALUES = 100_000;
/** The UTF-16 units of all of them. */
const MAX_VALUE_CHARS: number = 1 << 25;

/** The values of one file, or of all: those that there is room for. */
export class ValueTally {
  readonly values: Map<string, FoundValue> = new Map();
  /** Whether there are more than there is room for: these are missing. */
  isFull = false;
  #chars = 0;

  /** Counts one match; of several patterns, `patterns` match it. */
  add(text: string, patterns?: readonly number[]): void {
    const known = this.values.get(text) ?? this.#new(text);
    if (known === undefined) return;
    known.count++;
    known.files = 1;
    for (const pattern of patterns ?? []) addPattern(known, pattern, 1);
  }

  /** Adds the values of one more file. */
  merge(values: ReadonlyMap<string, FoundValue>): void {
    for (const [text, { count, files, patternCounts }] of values) {
      const known = this.values.get(text) ?? this.#new(text);
      if (known === undefined) continue;
      known.count += count;
      known.files += files;
      patternCounts?.forEach((count, pattern) => addPattern(known, pattern, count));
    }
  }

  #new(text: string): FoundValue | undefined {
    this.isFull ||= this.values.size >= MAX_VALUES || this.#chars + text.length > MAX_VALUE_CHARS;
    if (this.isFull) return undefined;
    const value: FoundValue = { count: 0, files: 0 };
    this.values.set(detached(text), value);
    this.#chars += text.length;
    return value;
  }
}

function addPattern(value: FoundValue, pattern: number, count: number): void {
  const counts = value.patternCounts ??= [];
  while (counts.length <= pattern) counts.push(0);
  counts[pattern]! += count;
}
