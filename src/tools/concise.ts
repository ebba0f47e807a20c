/**
 * Answers as text of a few characters a line: a path, its lines with their numbers, a blank line between
 * files.
 *
 * @module
 */

import { type HitLine, isEntry } from "../scan/hit_lines.ts";
import { escapeControls } from "../util/escape.ts";
import { linesShown } from "../util/lines.ts";
import {
  type AnswerMeasure,
  type LineWriter,
  sumOfLines,
  textOf,
  written,
} from "../search/measure.ts";
import type { ShownFile } from "../search/result_builder.ts";
import type { Weigh } from "./answer_size.ts";

export class ConciseLines implements LineWriter {
  readonly #onlyMatching: boolean;
  #file: string | undefined;
  #run: number | undefined;
  /** The number of the last line written. */
  #line = 0;
  /** The last line that was written whole as one that matches. */
  #whole = 0;

  /** @param onlyMatching whether what is shown of a line is one match */
  constructor(onlyMatching: boolean) {
    this.#onlyMatching = onlyMatching;
  }

  copy(): ConciseLines {
    const copy = new ConciseLines(this.#onlyMatching);
    copy.#file = this.#file;
    copy.#run = this.#run;
    copy.#line = this.#line;
    copy.#whole = this.#whole;
    return copy;
  }

  next({ file, count, run, value }: ShownFile, line?: HitLine): string {
    if (value !== undefined) return `${count}\t${escapeControls(value.text)}\n`;
    const name = escapeControls(file);
    if (line === undefined) return count === undefined ? `${name}\n` : `${name}:${count}\n`;
    let text = "";
    if (file !== this.#file || run !== this.#run) {
      text = (this.#file === undefined ? "" : "\n") + `${name}\n`;
      this.#file = file;
      this.#run = run;
      this.#line = this.#whole = 0;
    }
    if (line.kind === "gap") return `${text}--\n`;
    if (line.kind === "enclosing") return `${text}${line.number}=${escapeControls(line.text)}\n`;
    return text + (isEntry(line) ? this.#match(line) : this.#context(line));
  }

  #match({ number: first, text, isCut, last: end = 0 }: HitLine): string {
    const lines = linesShown(text, this.#onlyMatching);
    const last = first + lines.length - 1;
    const rows = lines.map((part, index) => {
      const number = first + index;
      // A line that an earlier match has shown, or the mere end of one.
      const isLeftOut = this.#onlyMatching ? part === "" && part !== text : number <= this.#whole;
      return isLeftOut ? "" : `${number}:${escapeControls(part)}\n`;
    });
    this.#line = Math.max(this.#line, last, end);
    this.#whole = Math.max(this.#whole, isCut ? last - 1 : last);
    return rows.join("");
  }

  #context({ number, text }: HitLine): string {
    if (number <= this.#line) return "";
    this.#line = number;
    return `${number}-${escapeControls(text)}\n`;
  }
}

/** The measure and the form of a concise answer. */
export function conciseMeasure(weigh: Weigh, onlyMatching: boolean): AnswerMeasure {
  const writer = () => new ConciseLines(onlyMatching);
  return {
    frame: (result) => weigh(written(result)),
    entries: (room) => sumOfLines(writer(), (text) => weigh(written(text).slice(1, -1)), room),
    formOf: (files) => ({ text: textOf(files, writer()) }),
  };
}
