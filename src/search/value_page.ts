/**
 * The values of an answer: the different texts that match, the most frequent first.
 *
 * @module
 */

import { compareByBytes } from "../util/path.ts";
import { cutAround } from "../scan/hit_lines.ts";
import type { FoundValue, ValueTally } from "../scan/tally.ts";
import { addCounts } from "./collector.ts";
import type { SearchSettings } from "./query.ts";
import type { ShownFile } from "./result_builder.ts";

/** Characters of a value that are shown. */
const SHOWN_CHARS = 200;

/** A page of values. */
export interface ValuePage {
  readonly shown: readonly ShownFile[];
  /** How often each of several patterns matches the first of them. */
  patternCounts(shown: number, patterns: number): number[];
}

export function valuePage(
  { values }: ValueTally,
  { offset, maxResults }: Pick<SearchSettings, "offset" | "maxResults">,
): ValuePage {
  const page = [...values].sort(byFrequency).slice(offset, offset + maxResults);
  return {
    shown: page.map(([text, { count, files, patternCounts = [] }]) => ({
      file: "",
      value: { text: cutAround(text, 0, SHOWN_CHARS).text, files },
      count,
      patterns: patternCounts.keys().filter((pattern) => patternCounts[pattern]! > 0).toArray(),
    })),
    patternCounts(shown, patterns) {
      const counts = new Array<number>(patterns).fill(0);
      for (const [, value] of page.slice(0, shown)) addCounts(counts, value.patternCounts);
      return counts;
    },
  };
}

function byFrequency(
  [a, { count: ofA }]: [string, FoundValue],
  [b, { count: ofB }]: [string, FoundValue],
): number {
  return ofB - ofA || compareByBytes(a, b);
}
