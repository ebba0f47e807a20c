/**
 * Finding the matches of a planned pattern in a text whose lines end at `\n`.
 *
 * @module
 */

import type { PatternPlan } from "./pattern.ts";

/** Where a match is: UTF-16 offsets into the text. */
export interface Match {
  start: number;
  end: number;
}

/** Matches one pattern. */
export class Matcher {
  readonly #locate: RegExp;

  constructor(plan: PatternPlan) {
    this.#locate = new RegExp(plan.locate.source, plan.locate.flags + "g");
  }

  /** An offset inside (or at the end of) the first matching line at or after `from`, or -1. */
  findLine(text: string, from: number): number {
    this.#locate.lastIndex = from;
    return this.#locate.test(text) ? this.#locate.lastIndex : -1;
  }

  /** The first match at or after `from`. */
  locate(text: string, from: number): Match | undefined {
    this.#locate.lastIndex = from;
    const found = this.#locate.exec(text);
    return found === null ? undefined : { start: found.index, end: this.#locate.lastIndex };
  }
}
