/**
 * The part of a file's lines that a page of an answer shows.
 *
 * @module
 */

import { type ContextSize, type HitLine, isEntry } from "../scan/hit_lines.ts";

/** Shows the entries of a page; lines of others next to them are context. */
export class LinePage {
  readonly #context: ContextSize;
  /** Entries still to skip, and still to show after these. */
  #skip: number;
  #room: number;
  /** The last lines that were skipped: context of an entry that comes next. */
  #before: HitLine[] = [];
  /** The last line that is context of the entry before it. */
  #shownTo = 0;

  constructor(skip: number, room: number, context: ContextSize) {
    this.#skip = skip;
    this.#room = room;
    this.#context = context;
  }

  /** What is shown of the next lines of the file. */
  take(lines: readonly HitLine[]): HitLine[] {
    const shown: HitLine[] = [];
    for (const line of lines) {
      if (isEntry(line) && this.#skip === 0 && this.#room > 0) this.#show(line, shown);
      else this.#skipLine(line, shown);
    }
    return shown;
  }

  #show(entry: HitLine, shown: HitLine[]): void {
    this.#room--;
    const { number, last = number } = entry;
    const near = this.#before.filter((line) => line.number >= number - this.#context.before);
    // Those of a match that is a part of its line follow it.
    const isBefore = (line: HitLine) => line.number < number;
    shown.push(...near.filter(isBefore), entry, ...near.filter((line) => !isBefore(line)));
    this.#before = [];
    this.#shownTo = last + this.#context.after;
  }

  #skipLine(line: HitLine, shown: HitLine[]): void {
    if (isEntry(line)) {
      if (this.#skip > 0) this.#skip--;
      // Its lines follow.
      if (line.last !== undefined) return;
      const { number, text } = line;
      line = { number, text, kind: "context" };
    }
    const { before, after } = this.#context;
    if (after > 0 && line.number <= this.#shownTo) shown.push(line);
    else if (before > 0 && this.#room > 0) {
      this.#before.push(line);
      // An entry may begin on the last of these lines.
      if (this.#before.length > before + 1) this.#before.shift();
    }
  }
}
