/**
 * Builds an answer: its entries, and its keys in the contract's order.
 *
 * @module
 */

import type { Workspace } from "../workspace/workspace.ts";
import type { EngineReport, FileHit } from "../searcher/job.ts";
import type { Total } from "./collector.ts";
import type { SearchSettings } from "./query.ts";
import type { CountEntry, MatchEntry, Reduction, SearchResult, SearchStats } from "./result.ts";

/** Characters of a line where an answer has little room. */
export const SHORT_LINE_CHARS = 120;

/** One entry of an answer: of `matches`, `files` or `counts`. */
export type AnswerEntry = MatchEntry | CountEntry | string;

/** The characters that an answer takes up where it goes. */
export interface AnswerMeasure {
  /** What a result takes up besides its entries. */
  frame(result: SearchResult): number;
  /** What each entry adds: to be asked about the entries of an answer in their order, about each once. */
  entries(): (entry: AnswerEntry) => number;
  /** The result as it is sent. @default as it is */
  shape?(result: SearchResult): object;
}

/** What an answer says besides its entries. */
export interface AnswerFrame {
  /** The pattern, where it is not shown as it was given. */
  pattern?: string;
  basePaths: readonly string[];
  truncated: boolean;
  /** How much there is, for an answer that is truncated. */
  total: Total;
  /** Entries that were shown, if that is not the number of those in the result. */
  shown?: number;
  /** What was done to keep to the budget. */
  reduced?: readonly Reduction[];
  /** Of several patterns, how much each matches of what an answer with this many entries shows. */
  patternCounts: ((shown: number) => number[]) | undefined;
  notes: readonly string[];
  /** Notes that name an engine; they take no room that other engines leave for more. */
  engineNotes: readonly string[];
  stats: SearchStats | undefined;
}

/** The entries of files that were hit. */
export function answerEntries(
  hits: readonly FileHit[],
  settings: Pick<SearchSettings, "outputMode" | "relativePaths">,
  workspace: Workspace,
): AnswerEntry[] {
  return hits.flatMap((hit): AnswerEntry[] => {
    const file = settings.relativePaths ? workspace.display(hit.path) : hit.path;
    if (settings.outputMode === "file") return [file];
    const encoding = hit.encoding === undefined ? {} : { encoding: hit.encoding };
    if (settings.outputMode === "count") {
      const { count, patternCounts } = hit;
      const patterns = patternCounts && { patterns: matching(patternCounts) };
      return [{ file, count, ...patterns, ...encoding }];
    }
    return hit.entries.map((entry) => ({ file, ...entry, ...encoding }));
  });
}

/** The patterns that match, of their counts. */
function matching(counts: readonly number[]): number[] {
  return [...counts.keys()].filter((index) => counts[index]! > 0);
}

/** What entries add to `count`. */
export function countOfEntries(entries: readonly AnswerEntry[]): number {
  let count = 0;
  for (const entry of entries) {
    count += typeof entry === "object" && "count" in entry ? entry.count : 1;
  }
  return count;
}

/** What was searched and what was left out. */
export function statsOf(report: EngineReport, elapsed: number): SearchStats {
  return {
    files_searched: report.filesSearched,
    skipped: Object.fromEntries(Object.entries(report.skipped).filter(([, count]) => count > 0)),
    bytes: report.bytesSearched,
    engine: report.engine,
    threads: report.threads,
    elapsed_ms: Math.round(elapsed),
  };
}

/** The key of an answer's entries. */
const ENTRIES_KEY = { content: "matches", file: "files", count: "counts" } as const;

/** Builds an answer. */
export function buildResult(
  entries: readonly AnswerEntry[],
  frame: AnswerFrame,
  settings: SearchSettings,
): SearchResult {
  const key = ENTRIES_KEY[settings.outputMode];
  const notes = [...frame.engineNotes, ...frame.notes];
  return {
    pattern: frame.pattern ?? settings.patterns.join("\n"),
    base_path: frame.basePaths[0]!,
    ...(frame.basePaths.length > 1 ? { base_paths: [...frame.basePaths] } : {}),
    output_mode: settings.outputMode,
    [key]: [...entries],
    count: countOfEntries(entries),
    ...(frame.truncated
      ? {
        truncated: true,
        next_offset: settings.offset + (frame.shown ?? entries.length),
        ...totalKeys(frame.total),
      }
      : {}),
    ...(frame.reduced === undefined ? {} : { reduced: [...frame.reduced] }),
    ...(frame.patternCounts &&
      { pattern_counts: reportedPatternCounts(frame, frame.shown ?? entries.length) }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(frame.stats === undefined ? {} : { stats: frame.stats }),
  } as SearchResult;
}

function reportedPatternCounts({ truncated, total, patternCounts }: AnswerFrame, shown: number) {
  return truncated && !total.isLeast ? total.patternCounts : patternCounts!(shown);
}

function totalKeys({ count, files, isLeast }: Total): object {
  return isLeast ? { total_at_least: count } : { total: count, total_files: files };
}
