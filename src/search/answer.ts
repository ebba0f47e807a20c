/**
 * Lays an answer out: entries, keys in the contract's order, and the budget of characters.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { FileHit } from "./engine.ts";
import type { SearchSettings } from "./query.ts";
import type { CountEntry, MatchEntry, SearchResult, SearchStats } from "./result.ts";

/** One entry of an answer: of `matches`, `files` or `counts`. */
export type AnswerEntry = MatchEntry | CountEntry | string;

/** The characters that an answer takes up where it goes. */
export interface AnswerMeasure {
  /** What a result takes up besides its entries. */
  frame(result: SearchResult): number;
  /** What an entry adds. It is asked about the entries in their order, about each once. */
  entry(entry: AnswerEntry): number;
}

/** An answer as JSON; every entry but the last has a comma. */
const JSON_MEASURE: AnswerMeasure = {
  frame: (result) => JSON.stringify(result).length - (result.count > 0 ? 1 : 0),
  entry: (entry) => JSON.stringify(entry).length + 1,
};

/** What an answer says besides its entries. */
export interface AnswerFrame {
  basePaths: readonly string[];
  truncated: boolean;
  notes: readonly string[];
  stats: SearchStats | undefined;
}

/** The entries of files that were hit. */
export function entriesOf(
  hits: readonly FileHit[],
  settings: Pick<SearchSettings, "outputMode" | "relativePaths">,
  workspace: Workspace,
): AnswerEntry[] {
  return hits.flatMap((hit): AnswerEntry[] => {
    const file = settings.relativePaths ? workspace.display(hit.path) : hit.path;
    if (settings.outputMode === "file") return [file];
    if (settings.outputMode === "count") return [{ file, count: hit.count }];
    return hit.entries.map((entry) => ({ file, ...entry }));
  });
}

/** What entries add to `count`. */
export function countOf(entries: readonly AnswerEntry[]): number {
  let count = 0;
  for (const entry of entries) {
    count += typeof entry === "object" && "count" in entry ? entry.count : 1;
  }
  return count;
}

/**
 * The answer, within its budget.
 *
 * @throws {PathgrepError} `search_too_broad` when the budget is exceeded and may not be cut to, or
 * has no room for a single entry
 */
export function layOut(
  entries: readonly AnswerEntry[],
  frame: AnswerFrame,
  settings: SearchSettings,
  measure: AnswerMeasure = JSON_MEASURE,
): SearchResult {
  const whole = resultOf(entries, frame, settings);
  if (settings.maxOutputChars === Infinity) return whole;
  const budget = settings.maxOutputChars;
  // A frame that says that it was cut is longer: measured with its longest numbers.
  const empty = { ...resultOf([], frame, settings), count: whole.count };
  const cut = resultOf([], { ...frame, truncated: true }, settings, entries.length);
  const room = budget - measure.frame(empty);
  const cutRoom = budget - measure.frame({ ...cut, count: whole.count });
  let used = 0;
  let fitting = 0;
  for (const entry of entries) {
    used += measure.entry(entry);
    if (used > room) break;
    if (used <= cutRoom) fitting++;
  }
  if (used <= room) return whole;
  if (settings.onOverflow === "error" || fitting === 0) {
    throw new PathgrepError("search_too_broad", `answer exceeds ${budget} characters`, {
      hint: settings.onOverflow === "error"
        ? "narrow the pattern, path or include; use output mode file or count; page with offset; or raise " +
          "max_output_chars (--max-output-chars)"
        : "no entry fits; raise max_output_chars (--max-output-chars) or use output mode file or count",
    });
  }
  return resultOf(entries.slice(0, fitting), { ...frame, truncated: true }, settings);
}

function resultOf(
  entries: readonly AnswerEntry[],
  frame: AnswerFrame,
  settings: SearchSettings,
  shown = entries.length,
): SearchResult {
  const key =
    ({ content: "matches", file: "files", count: "counts" } as const)[settings.outputMode];
  return {
    pattern: settings.patterns.join("\n"),
    base_path: frame.basePaths[0]!,
    ...(frame.basePaths.length > 1 ? { base_paths: [...frame.basePaths] } : {}),
    output_mode: settings.outputMode,
    [key]: [...entries],
    count: countOf(entries),
    ...(frame.truncated ? { truncated: true, next_offset: settings.offset + shown } : {}),
    ...(frame.notes.length > 0 ? { notes: [...frame.notes] } : {}),
    ...(frame.stats === undefined ? {} : { stats: frame.stats }),
  } as SearchResult;
}
