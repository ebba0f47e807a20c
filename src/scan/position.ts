/**
 * Line numbers and columns of a text, each counted once.
 *
 * @module
 */

import type { Pulse } from "../util/pulse.ts";
import { codePointsIn } from "./cut.ts";

export class TextPosition {
  readonly #pulse: Pulse;
  #text = "";
  /** Lines that end before {@linkcode TextPosition.#lineEnd}, in earlier pieces too. */
  #lines = 0;
  /** The first line end that is not counted. */
  #lineEnd = 0;
  /** The column of one offset in the line that starts at another. */
  #column = { lineStart: -1, offset: -1, column: 1 };

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  /** Starts a piece; `isFirst`: the first one of a file. */
  open(text: string, isFirst: boolean): void {
    if (isFirst) this.#lines = 0;
    this.#text = text;
    this.#lineEnd = this.#endFrom(0);
    this.#column.lineStart = -1;
  }

  /** Skips a piece with this number of lines; `isFirst` as in {@linkcode TextPosition.open}. */
  skip(lines: number, isFirst: boolean): void {
    this.#lines = lines + (isFirst ? 0 : this.#lines);
  }

  close(): void {
    this.lineAt(this.#text.length);
    this.#text = "";
  }

  /** The number of the line at an offset, from 1; offsets must not go back. */
  lineAt(offset: number): number {
    while (this.#lineEnd < offset) {
      this.#pulse.beat(1);
      this.#lines++;
      this.#lineEnd = this.#endFrom(this.#lineEnd + 1);
    }
    return this.#lines + 1;
  }

  /** The number of the code point at an offset in the line that starts at another, from 1. */
  columnAt(lineStart: number, offset: number): number {
    const known = this.#column;
    if (known.lineStart !== lineStart || known.offset > offset) {
      this.#column = { lineStart, offset: lineStart, column: 1 };
    }
    const before = this.#column;
    const column = before.column + codePointsIn(this.#text.slice(before.offset, offset));
    this.#column = { lineStart, offset, column };
    return column;
  }

  #endFrom(offset: number): number {
    const end = this.#text.indexOf("\n", offset);
    return end === -1 ? Infinity : end;
  }
}
