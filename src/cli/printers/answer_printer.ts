/**
 * The interface of what writes an answer.
 *
 * @module
 */
import type { AnswerMeasure } from "../../search/measure.ts";
import type { ShownFile } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { BatchedOutput } from "./batched_output.ts";

export interface AnswerPrinter {
  /** The characters that an answer takes up. */
  readonly measure: AnswerMeasure;
  /** Takes the next file, or a part of it; a printer without it wants all entries in the result. */
  readonly file?: (file: ShownFile) => void;
  /** Where lines gather: to be flushed before a pause or an error. */
  readonly out?: BatchedOutput;
  /** Takes the result, without the entries of files that were given one by one. */
  end(result: SearchResult): void;
}
