/**
 * The interface of what writes an answer.
 *
 * @module
 */
import type { AnswerEntry, AnswerMeasure } from "../../search/result_builder.ts";
import type { CountEntry, MatchEntry, SearchResult } from "../../search/result.ts";

/** One entry of an answer, with its kind: a row of `jsonl`. */
export type Row =
  | { type: "match" } & MatchEntry
  | { type: "file"; file: string }
  | { type: "count" } & CountEntry;

/** Writes one answer. */
export interface AnswerPrinter {
  /** The characters that an answer takes up. */
  readonly measure: AnswerMeasure;
  /** Takes the next entry; a printer without it wants all entries in the result. */
  readonly entry?: (entry: AnswerEntry) => void;
  /** Called now and then while the search goes on: writes what was held back for long. */
  tick?(): void;
  /**
   * Writes what was held back, before a pause or an error.
   *
   * @param heldLine lines from here on come with the next entry @default Infinity
   */
  flush?(heldLine?: number): void;
  /** Takes the result, without the entries that were given one by one. */
  end(result: SearchResult): void;
}

/** An entry with its kind. */
export function rowOf(entry: AnswerEntry): Row {
  if (typeof entry === "string") return { type: "file", file: entry };
  return "line" in entry ? { type: "match", ...entry } : { type: "count", ...entry };
}
