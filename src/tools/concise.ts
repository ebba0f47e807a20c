/**
 * Answers as text of a few characters a line: a path, its lines with their numbers, a blank line between
 * files.
 *
 * @module
 */

import { escapeControls } from "../util/escape.ts";
import { linesShown } from "../util/lines.ts";
import type { AnswerEntry, AnswerMeasure } from "../search/result_builder.ts";
import type { MatchEntry, SearchResult } from "../search/result.ts";
import type { InternalSearchOptions } from "../search/search_context.ts";
import { type Weigh, written } from "./answer_size.ts";

/** Turns entries into text, one after the other. */
class ConciseText {
  /**
   * Context after the last match that has not been written yet: the next match decides how much of
   * it counts.
   */
  #after: readonly string[] = [];
  #file: string | undefined;
  /** The number of the last line written. */
  #line = 0;
  /** The last line that was written whole as one that matches. */
  #whole = 0;
  readonly #onlyMatching: boolean;

  /** @param onlyMatching whether what is shown of a line is one match */
  constructor(onlyMatching: boolean) {
    this.#onlyMatching = onlyMatching;
  }

  /** The text that goes before an entry, and the entry's. */
  next(entry: AnswerEntry): string {
    if (typeof entry === "string") return this.#row(escapeControls(entry));
    if (!("line" in entry)) return this.#row(`${escapeControls(entry.file)}:${entry.count}`);
    return this.#match(entry);
  }

  /** The text that goes after the entry, if it is the last. */
  get rest(): string {
    return this.#context(this.#after, this.#line + 1, Infinity);
  }

  #match(entry: MatchEntry): string {
    const { file, line_number, line, line_truncated, before = [], after = [] } = entry;
    let text: string;
    if (file === this.#file) {
      text = this.#context(this.#after, this.#line + 1, line_number);
      this.#line = Math.min(this.#line + this.#after.length, Math.max(this.#line, line_number - 1));
    } else {
      text = this.rest + (this.#file === undefined ? "" : "\n") + this.#row(escapeControls(file));
      this.#file = file;
      this.#line = this.#whole = 0;
    }
    text += this.#context(before, line_number - before.length, line_number);
    const lines = linesShown(line, this.#onlyMatching);
    for (const [index, part] of lines.entries()) {
      const number = line_number + index;
      // A line that an earlier match has shown, or the mere end of one.
      const isLeftOut = this.#onlyMatching ? part === "" && part !== line : number <= this.#whole;
      if (!isLeftOut) text += this.#row(`${number}:${part}`);
    }
    const last = line_number + lines.length - 1;
    this.#line = Math.max(this.#line, last);
    this.#whole = Math.max(this.#whole, line_truncated ? last - 1 : last);
    this.#after = after;
    return text;
  }

  /** Lines of context that have not been written, from the number `first` to the one before `end`. */
  #context(lines: readonly string[], first: number, end: number): string {
    return lines.map((line, index) => {
      const number = first + index;
      return number > this.#line && number < end ? this.#row(`${number}-${line}`) : "";
    }).join("");
  }

  #row(text: string): string {
    return `${text}\n`;
  }
}

/** What a concise answer takes up, as JSON. */
function conciseMeasure(weigh: Weigh, onlyMatching: boolean): AnswerMeasure {
  const shape = (result: SearchResult) => concise(result, onlyMatching);
  const size = (text: string) => weigh(written(text).slice(1, -1));
  return {
    shape,
    frame: (result) => weigh(written(shape(result))),
    entries() {
      const text = new ConciseText(onlyMatching);
      return (entry) => {
        const rest = size(text.rest);
        return size(text.next(entry)) + size(text.rest) - rest;
      };
    },
  };
}

/**
 * Answers a call concisely.
 *
 * @param weigh weighs what it says
 * @param onlyMatching whether what is shown of a line is one match
 * @param search answers it in detail
 */
export async function answerConcisely(
  weigh: Weigh,
  onlyMatching: boolean,
  options: InternalSearchOptions,
  search: (options: InternalSearchOptions) => Promise<SearchResult>,
): Promise<object> {
  const measure = conciseMeasure(weigh, onlyMatching);
  return concise(await search({ ...options, measure, marksCuts: true }), onlyMatching);
}

/** A result with a text in the place of its entries. */
function concise(result: SearchResult, onlyMatching: boolean): object {
  const key = ({ content: "matches", file: "files", count: "counts" } as const)[result.output_mode];
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) =>
      name === key
        ? ["text", conciseTextOf(value as readonly AnswerEntry[], onlyMatching)]
        : [name, value]
    ),
  );
}

function conciseTextOf(entries: readonly AnswerEntry[], onlyMatching: boolean): string {
  const text = new ConciseText(onlyMatching);
  return entries.map((entry) => text.next(entry)).join("") + text.rest;
}
