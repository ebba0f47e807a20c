/**
 * Answers as text of a few characters a line: a path, its lines with their numbers, a blank line between
 * files.
 *
 * @module
 */

import { escapeControls } from "../util/escape.ts";
import type { AnswerEntry, AnswerMeasure } from "../search/result_builder.ts";
import type { MatchEntry, SearchResult } from "../search/result.ts";
import type { InternalSearchOptions } from "../search/search.ts";
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

  #match({ file, line_number, line, before = [], after = [] }: MatchEntry): string {
    let text: string;
    if (file === this.#file) {
      text = this.#context(this.#after, this.#line + 1, line_number);
      this.#line = Math.min(this.#line + this.#after.length, Math.max(this.#line, line_number - 1));
    } else {
      text = this.rest + (this.#file === undefined ? "" : "\n") + this.#row(escapeControls(file));
      this.#file = file;
      this.#line = 0;
    }
    text += this.#context(before, line_number - before.length, line_number);
    const lines = line.split("\n");
    for (const [index, part] of lines.entries()) {
      text += this.#row(`${line_number + index}:${part}`);
    }
    this.#line = Math.max(this.#line, line_number + lines.length - 1);
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
function conciseMeasure(weigh: Weigh): AnswerMeasure {
  const size = (text: string) => weigh(written(text).slice(1, -1));
  return {
    shape: concise,
    frame: (result) => weigh(written(concise(result))),
    entries() {
      const text = new ConciseText();
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
 * @param search answers it in detail
 */
export async function answerConcisely(
  weigh: Weigh,
  options: InternalSearchOptions,
  search: (options: InternalSearchOptions) => Promise<SearchResult>,
): Promise<object> {
  return concise(await search({ ...options, measure: conciseMeasure(weigh), marksCuts: true }));
}

/** A result with a text in the place of its entries. */
function concise(result: SearchResult): object {
  const key = ({ content: "matches", file: "files", count: "counts" } as const)[result.output_mode];
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) =>
      name === key ? ["text", conciseTextOf(value as readonly AnswerEntry[])] : [name, value]
    ),
  );
}

function conciseTextOf(entries: readonly AnswerEntry[]): string {
  const text = new ConciseText();
  return entries.map((entry) => text.next(entry)).join("") + text.rest;
}
