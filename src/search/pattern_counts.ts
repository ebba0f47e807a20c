/**
 * How often each of several patterns matches what an answer shows.
 *
 * @module
 */

import { isEntry } from "../scan/hit_lines.ts";
import type { FileHit } from "../scan/job.ts";
import type { OutputMode } from "./query.ts";

/**
 * By pattern, what it adds to the count of an answer: matching lines or, with `onlyMatching` and `multiline`,
 * matches; in file mode, files.
 *
 * @param hits what was found
 * @param shown how many of their entries the answer has, from the first on
 * @param patterns how many patterns there are
 */
export function patternCountsOf(
  hits: readonly FileHit[],
  shown: number,
  patterns: number,
  mode: OutputMode,
): number[] {
  const counts = new Array<number>(patterns).fill(0);
  for (const hit of hits) {
    if (shown <= 0) break;
    if (mode !== "content") {
      addCounts(counts, hit.patternCounts);
      shown--;
      continue;
    }
    const entries = hit.lines.filter(isEntry);
    for (const { patterns = [] } of entries.slice(0, shown)) {
      for (const index of patterns) counts[index]!++;
    }
    shown -= entries.length;
  }
  return counts;
}

/** Adds counts by pattern to others; a file whose patterns were not asked for has none. */
export function addCounts(to: number[], counts: readonly number[] = []): void {
  for (const [index, count] of counts.entries()) to[index] = (to[index] ?? 0) + count;
}
