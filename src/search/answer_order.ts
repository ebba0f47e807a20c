/**
 * The entries of a page where these are in an order of their own: values, the most frequent first; and that of a tool's answer that does not fit one page: definitions of what is searched for, those whose
 * name is longer, then rounds of ten entries of each file. It is a property of the query, so that pages of any size are exact.
 *
 * @module
 */

import {
  type ContextSize,
  cutAround,
  entriesIn,
  type HitLine,
  isEntry,
  LinePage,
} from "../read/hit_lines.ts";
import type { FileHit } from "../run/job.ts";
import type { FoundValue, ValueTally } from "../read/tally.ts";
import { compareByBytes } from "../util/path.ts";
import { addCounts } from "./collector.ts";
import type { Query } from "../query/query.ts";
import type { ShownFile } from "../answer/result_builder.ts";

const PER_ROUND = 10;

/** The entries of some files in rounds, definitions before all; each run of a file is a hit of its own. */
export function inRounds(
  hits: readonly FileHit[],
  definitions: readonly ReadonlySet<HitLine>[],
  context: ContextSize,
): FileHit[] {
  const entriesOf = ({ lines }: FileHit) => lines.filter(isEntry);
  const files = hits.map((hit) => ({
    hit,
    left: entriesOf(hit).filter((entry) => !definitions.some((first) => first.has(entry))),
  }));
  const runs: { hit: FileHit; entries: HitLine[]; more: number }[] = [];
  for (const first of definitions) {
    for (const hit of hits) {
      const entries = entriesOf(hit).filter((entry) => first.has(entry));
      if (entries.length > 0) runs.push({ hit, entries, more: 0 });
    }
  }
  for (let waiting = files; waiting.length > 0;) {
    waiting = waiting.filter(({ left }) => left.length > 0);
    // The last file has nothing to wait for.
    const room = waiting.length === 1 ? Infinity : PER_ROUND;
    for (const { hit, left } of waiting) {
      const entries = left.splice(0, room);
      runs.push({ hit, entries, more: left.length });
    }
  }
  return runs.map(({ hit, entries, more }, run) => {
    const lines = linesAround(hit.lines, new Set(entries), context);
    return { ...hit, lines, run: run + 1, ...(more > 0 && { more }) };
  });
}

/** Some entries of a file with the lines around them, of which others may match. */
function linesAround(
  lines: readonly HitLine[],
  entries: ReadonlySet<HitLine>,
  context: ContextSize,
): HitLine[] {
  const shown = lines.flatMap((line): HitLine[] => {
    if (!isEntry(line) || entries.has(line)) return [line];
    // The lines of a match that spans several follow it.
    return line.last === undefined
      ? [{ number: line.number, text: line.text, kind: "context" }]
      : [];
  });
  return new LinePage(0, Infinity, context).take(shown);
}

/** The hits of a page, with the entries that it has room for. */
export function pageOf(
  hits: readonly FileHit[],
  offset: number,
  room: number,
  context: ContextSize,
): FileHit[] {
  const page: FileHit[] = [];
  for (const hit of hits) {
    if (room <= 0) break;
    const entries = entriesIn(hit.lines);
    const shown = Math.min(room, entries - offset);
    if (shown > 0) {
      const { more: _, ...part } = hit;
      const isWhole = shown === entries;
      page.push(
        isWhole ? hit : { ...part, lines: new LinePage(offset, room, context).take(hit.lines) },
      );
      room -= shown;
    }
    offset = Math.max(0, offset - entries);
  }
  return page;
}

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
  { offset, maxResults }: Pick<Query, "offset" | "maxResults">,
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
