/**
 * Lays an answer out: entries, keys in the contract's order, and the budget of characters.
 *
 * @module
 */

import { PathgrepError } from "../errors.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { FileHit } from "./engine.ts";
import type { SearchSettings } from "./query.ts";
import type { CountEntry, MatchEntry, SearchResult, SearchStats } from "./result.ts";

/** One entry of an answer: of `matches`, `files` or `counts`. */
export type AnswerEntry = MatchEntry | CountEntry | string;

/** The characters that an entry takes up where the answer goes. */
export type EntryMeasure = (entry: AnswerEntry) => number;

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
  measure: EntryMeasure = (entry) => JSON.stringify(entry).length + 1,
): SearchResult {
  const whole = resultOf(entries, frame, settings);
  if (settings.maxOutputChars === Infinity) return whole;
  const budget = settings.maxOutputChars;
  // The frame is measured with the keys that cutting adds.
  const cut = resultOf([], { ...frame, truncated: true }, settings, entries.length);
  let used = JSON.stringify(cut).length;
  let fitting = 0;
  while (fitting < entries.length) {
    const next = measure(entries[fitting]!);
    if (used + next > budget) break;
    used += next;
    fitting++;
  }
  if (fitting === entries.length && used <= budget) return whole;
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
