/**
 * The interface of what writes an answer.
 *
 * @module
 */
import type { AnswerMeasure } from "../../search/measure.ts";
import type { ShownFile } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";

/** Writes one answer. */
export interface AnswerPrinter {
  /** The characters that an answer takes up. */
  readonly measure: AnswerMeasure;
  /** Takes the next file, or a part of it; a printer without it wants all entries in the result. */
  readonly file?: (file: ShownFile) => void;
  /** Called now and then while the search goes on: writes what was held back for long. */
  tick?(): void;
  /** Writes what was held back, before a pause or an error. */
  flush?(): void;
  /** Takes the result, without the entries of files that were given one by one. */
  end(result: SearchResult): void;
}
