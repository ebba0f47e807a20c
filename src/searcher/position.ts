/**
 * Line numbers and columns on the way through a text, without counting anything twice.
 *
 * @module
 */

import { codePointsIn } from "./cut.ts";

/** Where a scan is in the text of a file that comes in pieces. */
export class Position {
  #text = "";
  /** Lines that end before {@linkcode Position.#lineEnd}, in earlier pieces too. */
  #lines = 0;
  /** The first line end that is not counted. */
  #lineEnd = 0;
  /** The column of one offset in the line that starts at another. */
  #column = { lineStart: -1, offset: -1, column: 1 };

  /** Begins with a piece; `isFirst` tells whether it is the first one of a file. */
  open(text: string, isFirst: boolean): void {
    if (isFirst) this.#lines = 0;
    this.#text = text;
    this.#lineEnd = this.#endFrom(0);
    this.#column.lineStart = -1;
  }

  /** Passes over a piece of so many lines; `isFirst` as in {@linkcode Position.open}. */
  skip(lines: number, isFirst: boolean): void {
    this.#lines = lines + (isFirst ? 0 : this.#lines);
  }

  /** Counts the rest of the lines, and lets go of the piece. */
  close(): void {
    this.lineAt(this.#text.length);
    this.#text = "";
  }

  /** The number of the line at an offset, from 1; offsets must not go back. */
  lineAt(offset: number): number {
    while (this.#lineEnd < offset) {
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
