/**
 * Finds the matches of a planned pattern in texts whose lines end in `\n`: with V8's engine where the
 * pattern is cheap on the text, with the linear matcher elsewhere, and with V8's engine in slices of time
 * for patterns that only it can match. In each case, the search can be ended in the middle.
 *
 * @module
 */

import type { Engines } from "./matcher_engines.ts";
import type { Match, PatternPlan } from "./pattern_plan.ts";
import { lineEnd, lineStart } from "../util/text.ts";
import type { Pulse } from "../util/pulse.ts";

/** The longest line, in UTF-16 units, that is matched in quadratic time. */
const SHORT_LINE = 1_000;
/**
 * The most steps of one call of V8's engine, which cannot be interrupted. A step took 2 to 9 ns on lines
 * that were written to be slow.
 */
const MAX_STEPS = 1 << 24;
/** Steps of V8's engine that count as one step of the pulse. */
const STEPS_PER_COUNT = 16;
/** Shorter literals occur in too many lines to be worth a search of their own. */
const MIN_LITERAL = 2;
/** V8's `indexOf` is linear for texts of at most this many characters. */
const MAX_LITERAL = 250;
/** More literals than this take longer to find than the pattern itself. */
const MAX_LITERALS = 4;

let engines: typeof import("./matcher_engines.ts") | undefined;

/** Loads the engines for a plan on this thread; call it before creating a {@linkcode PatternMatcher}. */
export async function loadMatcher({ literal }: PatternPlan): Promise<void> {
  if (literal === undefined) engines ??= await import("./matcher_engines.ts");
}

/** A run of whole lines of the text. */
interface Window {
  text: string;
  /** Offsets of the run in the text. */
  start: number;
  end: number;
  /** Whether V8's engine may match it. */
  isHarmless: boolean;
}

/** Matches one pattern, whose engines are loaded: {@linkcode loadMatcher}. */
export class PatternMatcher {
  readonly #plan: PatternPlan;
  readonly #pulse: Pulse;
  /** The engines for both forms of the pattern, which plain text does not need. */
  readonly #find: Engines | undefined;
  readonly #locate: Engines | undefined;
  /** Prefixes of the literals of which each matching line holds at least one. */
  readonly #required: readonly string[];
  /** The literal that every match holds, if it is worth finding first. */
  readonly #heldText: string | undefined;
  /** The most UTF-16 units of whole lines that V8's engine searches at once. */
  readonly #windowSize: number;
  #text = "";
  /** The lines searched last. */
  #window: Window | undefined;
  /** The next offset of the literal; -1: none. */
  #heldTextAt = 0;

  constructor(plan: PatternPlan, pulse: Pulse) {
    this.#plan = plan;
    this.#pulse = pulse;
    if (plan.literal === undefined) {
      const { Engines } = engines!;
      this.#locate = new Engines(plan.locate, plan, pulse);
      this.#find = plan.find === plan.locate ? this.#locate : new Engines(plan.find, plan, pulse);
    }
    this.#required = plan.required.map((one) => one.slice(0, MAX_LITERAL));
    const [text, ...others] = this.#required;
    const isTelling = text !== undefined && others.length === 0 && text.length >= MIN_LITERAL;
    this.#heldText = isTelling ? text : undefined;
    const { cost, factor } = plan.find;
    const perUnit = cost === "quadratic" ? SHORT_LINE / 2 : 1;
    this.#windowSize = cost === "unbounded" ? Infinity : MAX_STEPS / (factor * perUnit);
  }

  /** Whether a text clearly holds no match; its line ends may be `\r\n`. */
  rejects(text: string): boolean {
    const required = this.#required;
    if (required.length === 0 || required.length > MAX_LITERALS) return false;
    return !required.some((one) => text.includes(one));
  }

  /** Starts with a text whose lines end in `\n`. */
  open(text: string): void {
    this.#text = text;
    this.#window = undefined;
    this.#heldTextAt = 0;
  }

  close(): void {
    this.open("");
    this.#find?.release();
    this.#locate?.release();
  }

  /** An offset in, or at the end of, the first matching line at or after `from`, or -1. */
  findLine(from: number): number {
    if (this.#plan.literal !== undefined) return this.#findLiteral(this.#text, from);
    for (let at = from, window; (window = this.#windowFrom(at)) !== undefined;) {
      const start = Math.max(at, window.start);
      const hit = this.#findIn(window, start);
      const passed = hit === -1 ? window.text.length : hit - start;
      this.#pulse.beat(this.#stepsIn(window, passed));
      if (hit !== -1) return hit;
      at = window.end + 1;
    }
    return -1;
  }

  /** With `multiline`: the first match at or after an offset. */
  locateMatch(from: number): Match | undefined {
    if (this.#plan.literal !== undefined) return this.#locateLiteral(this.#text, from);
    if (this.#heldText !== undefined && this.#heldTextAt !== -1 && this.#heldTextAt < from) {
      this.#heldTextAt = this.#text.indexOf(this.#heldText, from);
    }
    if (this.#heldTextAt === -1) return undefined;
    return this.#locateIn(this.#text, from);
  }

  /** The first match at or after an offset of a single line. */
  locateInLine(line: string, from: number): Match | undefined {
    if (this.#plan.literal !== undefined) return this.#locateLiteral(line, from);
    return this.#locateIn(line, from);
  }

  /** What the only group of the pattern captured in a match, or else the match. */
  captured(text: string, match: Match): string {
    return this.#locate?.captured(text, match) ?? text.slice(match.start, match.end);
  }

  /** The lines to search next: those searched last if the offset is in them. */
  #windowFrom(at: number): Window | undefined {
    const known = this.#window;
    if (known !== undefined && known.start <= at && at <= known.end) return known;
    const text = this.#text;
    let start = at;
    let end = text.length;
    if (at > end) return undefined;
    if (this.#heldText !== undefined) {
      const offset = text.indexOf(this.#heldText, at);
      if (offset === -1) return undefined;
      start = lineStart(text, offset);
      end = lineEnd(text, offset);
    } else if (end - at > this.#windowSize) {
      const newline = text.lastIndexOf("\n", at + this.#windowSize);
      end = newline >= at ? newline : lineEnd(text, at);
    }
    const lines = start === 0 && end === text.length ? text : text.slice(start, end);
    const isHarmless = lines.length <= this.#windowSize &&
      (this.#plan.find.cost === "linear" ||
        this.#plan.find.cost === "quadratic" && linesAreShort(lines));
    return this.#window = { text: lines, start, end, isHarmless };
  }

  #findIn(window: Window, at: number): number {
    const from = at - window.start;
    const hit = window.isHarmless ? this.#find!.test(window.text, from) : undefined;
    if (hit === -1) return -1;
    if (hit !== undefined) return window.start + hit;
    const found = this.#find!.search(window.text, from, true);
    return found === undefined ? -1 : window.start + found.start;
  }

  /** The steps that searching `length` characters of the window takes at most, in the pulse's unit. */
  #stepsIn({ isHarmless }: Window, length: number): number {
    if (!isHarmless) return 0;
    const { cost, factor } = this.#plan.find;
    const perUnit = cost === "quadratic" ? Math.min(length, SHORT_LINE) / 2 : 1;
    return Math.ceil(length * perUnit * factor / STEPS_PER_COUNT);
  }

  #locateIn(text: string, from: number): Match | undefined {
    const { multiline, locate: { cost, factor } } = this.#plan;
    const { length } = text;
    if (cost === "linear" || cost === "quadratic" && (multiline || length <= SHORT_LINE)) {
      const perUnit = factor * (cost === "quadratic" ? length / 2 : 1);
      const found = length * perUnit <= MAX_STEPS ? this.#locate!.exec(text, from) : undefined;
      if (found !== undefined) {
        const steps = ((found?.end ?? length) - from) * perUnit;
        this.#pulse.beat(Math.ceil(steps / STEPS_PER_COUNT));
        return found ?? undefined;
      }
    }
    return this.#locate!.search(text, from, false);
  }

  #locateLiteral(text: string, from: number): Match | undefined {
    const start = this.#findLiteral(text, from);
    return start === -1 ? undefined : { start, end: start + this.#plan.literal!.length };
  }

  #findLiteral(text: string, from: number): number {
    const literal = this.#plan.literal!;
    if (literal.length <= MAX_LITERAL) return text.indexOf(literal, from);
    const prefix = literal.slice(0, MAX_LITERAL);
    for (let at = from; (at = text.indexOf(prefix, at)) !== -1; at++) {
      if (text.startsWith(literal, at)) return at;
      this.#pulse.beat(Math.ceil(literal.length / STEPS_PER_COUNT));
    }
    return -1;
  }
}

/** Whether no line is longer than {@linkcode SHORT_LINE}; reads little of the text. */
function linesAreShort(text: string): boolean {
  for (let start = 0; text.length - start > SHORT_LINE;) {
    const newline = text.lastIndexOf("\n", start + SHORT_LINE);
    if (newline < start) return false;
    start = newline + 1;
  }
  return true;
}
