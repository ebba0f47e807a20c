/**
 * The lines of context around entries, of a text that comes in pieces.
 *
 * @module
 */

import { cutAround, detached, marked } from "./cut.ts";
import { lineEnd, lineStart } from "../util/lines.ts";

/** An entry that gets lines of context. */
interface ContextEntry {
  before?: string[];
  after?: string[];
}

/** Which lines of context entries get, and how. */
export interface ContextOptions {
  /** Lines before each entry. */
  before: number;
  /** Lines after each entry. */
  after: number;
  /** Code points that a line may have before it is cut; 0: no limit. */
  maxLineLength: number;
  /** Cut lines show where they were cut. @default false */
  marksCuts?: boolean | undefined;
}

/** Gives entries the lines around them. */
export class ContextLines {
  readonly #options: ContextOptions;
  /** Entries that still want lines after them. */
  #pending: ContextEntry[] = [];
  /** The last lines of the pieces before this one. */
  #tail: string[] = [];
  /** Lines of the present piece by where they start: neighbouring entries share them. */
  readonly #lines = new Map<number, string>();

  constructor(options: ContextOptions) {
    this.#options = options;
  }

  /** Whether entries get any. */
  get isWanted(): boolean {
    return this.#options.before + this.#options.after > 0;
  }

  /** Whether an entry still wants lines after it. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  /** The first entry that still wants lines after it. */
  get firstPending(): ContextEntry | undefined {
    return this.#pending[0];
  }

  /** Begins a new file. */
  start(): void {
    this.#pending = [];
    this.#tail = [];
    this.#lines.clear();
  }

  /** Begins a piece: its first lines are for entries of earlier ones. */
  open(text: string): void {
    if (!this.isPending) return;
    const { after } = this.#options;
    const lines = this.#linesAfter(text, 0);
    for (const { after: has } of this.#pending) has!.push(...lines.slice(0, after - has!.length));
    this.#pending = this.#pending.filter((entry) => entry.after!.length < after);
  }

  /** Ends a piece; its last lines are kept for entries of the next one, unless it is the last. */
  close(text: string, last: boolean): void {
    if (last) this.#pending = [];
    else if (this.#options.before > 0) this.#tail = this.#linesBefore(text, text.length);
    this.#lines.clear();
  }

  /**
   * Gives an entry the lines around it; lines that are still to come are added later.
   *
   * @param start where the entry's lines start
   * @param end where the last of them ends
   * @returns how many lines it got
   */
  addTo(entry: ContextEntry, text: string, start: number, end: number): number {
    const { before, after } = this.#options;
    if (before > 0) entry.before = this.#linesBefore(text, start);
    if (after > 0) {
      entry.after = this.#linesAfter(text, end + 1);
      if (entry.after.length < after) this.#pending.push(entry);
    }
    return (entry.before?.length ?? 0) + (entry.after?.length ?? 0);
  }

  /** The lines that end before an offset, of earlier pieces too. */
  #linesBefore(text: string, offset: number): string[] {
    const { before } = this.#options;
    const lines: string[] = [];
    let end = offset - 1;
    while (lines.length < before && end >= 0) {
      const start = lineStart(text, end);
      lines.push(this.#line(text, start, end));
      end = start - 1;
    }
    for (let at = this.#tail.length - 1; lines.length < before && at >= 0; at--) {
      lines.push(this.#tail[at]!);
    }
    return lines.reverse();
  }

  /** The lines from an offset on. */
  #linesAfter(text: string, offset: number): string[] {
    const lines: string[] = [];
    let start = offset;
    while (lines.length < this.#options.after && start < text.length) {
      const end = lineEnd(text, start);
      lines.push(this.#line(text, start, end));
      start = end + 1;
    }
    return lines;
  }

  #line(text: string, start: number, end: number): string {
    const known = this.#lines.get(start);
    if (known !== undefined) return known;
    const { maxLineLength, marksCuts } = this.#options;
    const cut = cutAround(text.slice(start, end), 0, maxLineLength);
    const line = detached(marksCuts ? marked(cut) : cut.text);
    this.#lines.set(start, line);
    return line;
  }
}
