/**
 * Takes the files of an answer entry by entry.
 *
 * @module
 */

import { type AnswerEntry, EntryBuilder, type ShownFile } from "../../src/answer/result_builder.ts";

/** Passes on each entry of the files, when it is complete. */
export function entryByEntry(take: (entry: AnswerEntry) => void): (file: ShownFile) => void {
  const builder = new EntryBuilder();
  return (file) => builder.next(file).forEach(take);
}
