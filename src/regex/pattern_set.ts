/**
 * Determines which of several patterns match. A search for all of them at once, as the alternatives of
 * one pattern, cannot.
 *
 * @module
 */

import { PatternMatcher } from "./matcher.ts";
import type { Match, PatternPlan } from "./pattern_plan.ts";
import type { Pulse } from "../util/pulse.ts";

/** Steps of the pulse that a question to one pattern counts as. */
const STEPS_PER_PATTERN = 20;
/** Characters of the text that count as one more of these steps. */
const CHARS_PER_STEP = 16;

/** Several patterns, each matched on its own. */
export class PatternSet {
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
