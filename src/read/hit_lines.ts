/**
 * The lines of a file that a search shows: each once, in order, and with what it is; and those on a page of an answer.
 *
 * The entries of an answer overlap where its lines do not, and the JSON is made of these lines alone:
 *
 * - `before` and `after` of an entry are the lines with the numbers next to it, whether these match or
 *   not. A match beyond `maxCount`, or on another page, is context and nothing else.
 * - With `onlyMatching`, a line has several entries. With `multiline`, an entry spans lines, and may
 *   begin on the line on which the one before ends. Such an entry has a text of its own and the number of its
 *   last line; the lines themselves follow as context, for the entries around it.
 * - A long line is cut: one that matches around its match, also where it is context of another; context at
 *   its start. What an entry shows where the answer has little room (`short`) is cut here, too.
 * - The column and the patterns are those of an entry: several entries of a line differ in both.
 * - What encloses an entry is a part of it. Text shows such a line once, before the first entry in it: as a
 *   line of its own kind, which is made where the text is.
 *
 * @module
 */

import { lineEnd, lineStart } from "../util/text.ts";

const encoder = new TextEncoder();

/** Half of a code point; without one, each UTF-16 unit is a code point. */
const SURROGATE = /[\ud800-\udfff]/;

export interface Cut {
  text: string;
  /** Whether anything was cut off. */
  truncated: boolean;
  /** Whether that was at the start. */
  startsLate?: boolean;
  /** Whether that was at the end. */
  endsEarly?: boolean;
}

const ELLIPSIS = "…";

/** The text of a cut, marked where something was cut off. */
export function marked({ text, startsLate, endsEarly }: Cut): string {
  return (startsLate ? ELLIPSIS : "") + text + (endsEarly ? ELLIPSIS : "");
}

/**
 * The part of a line around a match.
 *
 * @param matchStart UTF-16 offset of the match; 0 cuts at the start of the line
 * @param limit code points to keep; 0: all
 * @returns the whole line if it fits, else `limit` code points of it with the match's start among
 * them
 */
export function cutAround(line: string, matchStart: number, limit: number): Cut {
  if (limit === 0 || line.length <= limit) return { text: line, truncated: false };
  const from = Math.max(0, Math.min(matchStart - (limit >> 2), line.length - limit));
  const to = from + limit;
  if (!SURROGATE.test(line.slice(from, to))) return cut(line, from, to);
  let start = stepBack(line, matchStart, limit >> 2);
  let end = stepOn(line, start.offset, limit);
  if (end.steps < limit) {
    start = stepBack(line, start.offset, limit - end.steps);
    end = { offset: line.length, steps: limit };
  }
  if (start.offset === 0 && end.offset === line.length) return { text: line, truncated: false };
  return cut(line, start.offset, end.offset);
}

function cut(line: string, start: number, end: number): Cut {
  return {
    text: line.slice(start, end),
    truncated: true,
    startsLate: start > 0,
    endsEarly: end < line.length,
  };
}

/** A copy that does not retain the text that a string is a slice of: V8 joins and flattens it. */
export function detached(slice: string): string {
  return slice.length < 13 ? slice : (" " + slice).slice(1);
}

export function codePointsIn(text: string): number {
  return SURROGATE.test(text) ? stepOn(text, 0, Infinity).steps : text.length;
}

export function utf8BytesIn(text: string): number {
  return encoder.encode(text).length;
}

/** The offset some code points later, at most the end. */
function stepOn(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset < line.length) {
    offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}

/** The offset some code points earlier, at least the start. */
function stepBack(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset > 0) {
    offset -= offset > 1 && line.codePointAt(offset - 2)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}

/** A line of a file that was hit. */
export interface HitLine {
  /** From 1. */
  number: number;
  /**
   * The line without its end, cut to the limit; of a match that spans lines, all of these joined by `\n`;
   * with `onlyMatching`, the match.
   */
  text: string;
  /** What it is; after a gap, a line is not in what the last lines that enclose others have named. @default it matches */
  kind?: "context" | "enclosing" | "gap";
  /** Of a match that is not just one line: its last line. Its lines follow as context. */
  last?: number;
  /** Where the match starts in the whole line, from 1: a code point, or a byte as editors count. */
  column?: number;
  /** With `everyColumn`: where matches start, this one's first. */
  columns?: number[];
  /** The text is cut around the match. */
  isCut?: true;
  /** Of several patterns, those that match, by index from 0. */
  patterns?: number[];
  /** Of an entry: the lines that open what it stands in, outermost first. */
  enclosing?: readonly Pick<HitLine, "number" | "text">[];
  /** The short form of a long text, for an answer with little room. */
  short?: Pick<HitLine, "text" | "column">;
}

export interface ContextSize {
  before: number;
  after: number;
}

/** The most characters of entries held at once: no answer should be larger. */
export const MAX_HELD_CHARS: number = 1 << 26;
/** The same of entries that are passed over: those before a page. */
const MAX_PASSED_CHARS = MAX_HELD_CHARS >> 6;
/** Approximate characters of an entry, and of a line of context in it, besides the text. */
const CHARS_PER_ENTRY = 100;
const CHARS_PER_CONTEXT = 16;

export function isEntry({ kind }: HitLine): boolean {
  return kind === undefined;
}

export function entriesIn(lines: readonly HitLine[]): number {
  let entries = 0;
  for (const line of lines) if (isEntry(line)) entries++;
  return entries;
}

/** Collects the lines of one file after the other, each of which comes in pieces. */
export class LineCollector {
  readonly #size: ContextSize;
  readonly #shown: (line: string) => string;
  /** The lines so far, without those that were taken. */
  lines: HitLine[] = [];
  /** The approximate characters that the entries of the lines take up, each with its context. */
  chars = 0;
  /** The characters of the last lines, of which an entry has as many around it. */
  #around: number[] = [];
  #text = "";
  /** The number of the last line that was collected or belongs to a match. */
  #last = 0;
  /** Where the line after it starts in this piece. */
  #next = 0;
  /** Lines of context that the last match still needs. */
  #wanted = 0;
  /** The last lines of the pieces before this one. */
  #tail: string[] = [];

  /** @param shown a line as it is shown as context */
  constructor(size: ContextSize, shown: (line: string) => string) {
    this.#size = size;
    this.#shown = shown;
  }

  get hasContext(): boolean {
    return this.#size.before + this.#size.after > 0;
  }

  /** Whether the next lines are context. */
  get wantsMore(): boolean {
    return this.#wanted > 0;
  }

  /** Takes the lines so far; matches that come later may want context of them all the same. */
  takeLines(): HitLine[] {
    const lines = this.lines;
    this.lines = [];
    this.chars = 0;
    return lines;
  }

  /**
   * Once the lines are many, forgets those that are no context of an entry that follows the last one, which begins
   * at a line; returns how many entries these are.
   */
  forgetBefore(number: number): number {
    if (this.chars < MAX_PASSED_CHARS) return 0;
    const entries = entriesIn(this.lines);
    const isNear = (line: HitLine) => line.number >= number - this.#size.before;
    // Of a match that spans lines, these follow it.
    const lines = this.lines.filter((line) => line.last === undefined && isNear(line));
    this.takeLines();
    this.lines = lines;
    return entries - entriesIn(lines);
  }

  start(): void {
    this.takeLines(); // the lines of the last file may be in a hit by now
    this.#last = this.#wanted = 0;
    this.#around = [];
    this.#tail = [];
  }

  open(text: string): void {
    this.#text = text;
    this.#next = 0;
  }

  /** Ends a piece, whose last lines may be context of the next one. */
  close(isLast: boolean): void {
    this.#addWanted(this.#text.length);
    if (isLast) this.#wanted = 0;
    else this.#tail = this.#linesBefore(this.#text.length, this.#size.before);
    this.#text = "";
  }

  /**
   * Adds a match from the start of its first line to the end of its last, with its context. Context
   * after it that is still to come is added later.
   */
  add(match: HitLine, start: number, end: number): void {
    if (!this.hasContext) return this.#push(match);
    const { before, after } = this.#size;
    this.#addWanted(start);
    this.#addBefore(start, match.number, before);
    this.#push(match);
    const last = match.last ?? match.number;
    if (match.last !== undefined) {
      this.#last = Math.max(this.#last, match.number - 1);
      this.#next = Math.max(this.#next, start);
      this.#addWanted(end + 1);
      // The next match may begin on the last line of this one.
      this.#addBefore(end + 1, last + 1, before + 1);
    }
    this.#last = last;
    this.#next = end + 1;
    this.#wanted = after;
  }

  #push(line: HitLine): void {
    this.lines.push(line);
    const { text, last, patterns = [] } = line;
    if (isEntry(line)) {
      const around = this.#around.reduce((sum, chars) => sum + chars, 0);
      this.chars += CHARS_PER_ENTRY + text.length + 4 * patterns.length + around;
    }
    if (last !== undefined || !this.hasContext) return;
    this.#around.push(text.length + CHARS_PER_CONTEXT);
    if (this.#around.length > this.#size.before + this.#size.after) this.#around.shift();
  }

  #addContext(line: string): void {
    this.#push({ number: ++this.#last, text: line, kind: "context" });
  }

  /** Adds lines that the last match needs, up to an offset. */
  #addWanted(limit: number): void {
    for (; this.#wanted > 0 && this.#next < limit; this.#wanted--) {
      const end = lineEnd(this.#text, this.#next);
      this.#addContext(this.#shown(this.#text.slice(this.#next, end)));
      this.#next = end + 1;
    }
  }

  /** Adds those lines before the line with a number, which starts at an offset, that are not there. */
  #addBefore(offset: number, number: number, count: number): void {
    const missing = Math.min(count, number - 1 - this.#last);
    if (missing <= 0) return;
    this.#last = number - 1 - missing;
    for (const line of this.#linesBefore(offset, missing)) this.#addContext(line);
  }

  /** Lines that end before an offset, of earlier pieces too. */
  #linesBefore(offset: number, count: number): string[] {
    const lines: string[] = [];
    let end = offset - 1;
    while (lines.length < count && end >= 0) {
      const start = lineStart(this.#text, end);
      lines.push(this.#shown(this.#text.slice(start, end)));
      end = start - 1;
    }
    lines.reverse();
    const missing = count - lines.length;
    return missing === 0 ? lines : [...this.#tail.slice(-missing), ...lines];
  }
}

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

  /** What is shown of the next lines of the file, before which some entries were passed over. */
  take(lines: readonly HitLine[], passed = 0): HitLine[] {
    const shown: HitLine[] = [];
    this.#skip -= passed;
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
