/**
 * Counts which of several patterns match the lines and matches of a file.
 *
 * @module
 */

import { PatternSet } from "../regex/pattern_set.ts";
import type { Match, PatternPlan } from "../regex/pattern_plan.ts";
import type { Pulse } from "../util/pulse.ts";

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
