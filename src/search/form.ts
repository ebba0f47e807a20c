/**
 * The forms of an answer. What writes a page also measures it: the budget of an answer drops parts of it until
 * what is written is short enough.
 *
 * @module
 */

import { escapeControlsInJson } from "../util/text.ts";
import { entriesOf, keyOfEntries, type ShownFile } from "./result_builder.ts";
import type { SearchResult } from "./result.ts";

export interface AnswerForm {
  /**
   * Writes a page piece by piece, so that whoever knows that it is too long need not read on.
   *
   * @param answer the answer without its entries
   */
  write(answer: SearchResult, files: readonly ShownFile[]): Iterable<string>;
  /** The characters that a piece counts for. @default its own */
  weigh?: ((piece: string) => number) | undefined;
  /** The keys that stand for the entries in an answer. @default the list of entries */
  entries?(files: readonly ShownFile[]): object;
  /** The form of what is found until a timeout, which goes into the JSON of the error. @default this one */
  partial?: AnswerForm;
}

/** A value as JSON, where every byte of it can be printed. */
export function written(value: unknown): string {
  return escapeControlsInJson(JSON.stringify(value));
}

/** An answer as JSON. */
export function jsonForm(weigh?: (json: string) => number): AnswerForm {
  return { write: (answer, files) => jsonOf(answer, entriesOf(files)), weigh };
}

/** Writes entry by entry: all at once would take three times the answer's size in memory. */
export function* jsonOf(answer: SearchResult, entries: Iterable<unknown>): Generator<string> {
  const key = keyOfEntries(answer);
  yield* inserted({ ...answer, [key]: [] }, `"${key}":[`, jsonItems(entries));
}

function* jsonItems(entries: Iterable<unknown>): Generator<string> {
  let separator = "";
  for (const entry of entries) {
    yield separator + written(entry);
    separator = ",";
  }
}

/** Writes an answer with something where its JSON has an empty value, `opened` by the key and a mark. */
export function* inserted(
  answer: object,
  opened: string,
  content: Iterable<string>,
): Generator<string> {
  const frame = written(answer);
  // Quotes in values are escaped, so that this is the key.
  const start = frame.indexOf(opened) + opened.length;
  yield frame.slice(0, start);
  yield* content;
  yield frame.slice(start);
}

/** The most of `count` things with which something fits: all of them, or so few that no more do. */
export function mostThatFit(count: number, fits: (count: number) => boolean): number {
  if (fits(count)) return count;
  let [least, most] = [0, count];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}
