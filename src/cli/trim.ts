/**
 * Lines without the white space that they begin with.
 *
 * @module
 */

import type { MatchEntry, SearchResult } from "../search/result.ts";
import type { AnswerEntry } from "../search/result_builder.ts";

/** Text, the lines of which begin without white space. */
export function trimmedText(text: string): string {
  return text.replace(/(?<=^|\n)[ \t\v\f\r]+/g, "");
}

/** An entry with its lines trimmed. */
export function trimmedEntry(entry: AnswerEntry): AnswerEntry {
  if (typeof entry === "string" || !("line" in entry)) return entry;
  const { line, before, after } = entry;
  return {
    ...entry,
    line: trimmedText(line),
    ...(before === undefined ? {} : { before: before.map(trimmedText) }),
    ...(after === undefined ? {} : { after: after.map(trimmedText) }),
  };
}

/** An answer with its lines trimmed. */
export function trimmedResult(result: SearchResult): SearchResult {
  if (result.output_mode !== "content") return result;
  return { ...result, matches: result.matches.map((match) => trimmedEntry(match) as MatchEntry) };
}
