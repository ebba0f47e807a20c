/**
 * Scanning the text of a file, whole or in pieces, for matching lines: line numbers, context, limits.
 *
 * @module
 */

import { cutAround, detached } from "../../searcher/cut.ts";
import { Deadline } from "./deadline.ts";
import type { Match } from "./match.ts";
import { Matcher } from "./matcher.ts";
import type { PatternPlan } from "./pattern.ts";
import { Position } from "../../searcher/position.ts";

/** What is wanted of each file. */
export interface ScanOptions {
  /** Matching lines, whether there is one, or how many there are. */
  mode: "content" | "file" | "count";
  /** Lines of context before each entry. */
  before: number;
  /** Lines of context after each entry. */
  after: number;
  /** Matching lines per file, at most; `Infinity`: no limit. */
  maxCount: number;
  /** Entries per file after which the rest of it is not looked at; `Infinity`: all is. */
  maxEntries: number;
  /** Code points that a line may have before it is cut; 0: no limit. */
  maxLineLength: number;
  /** Each entry says the column of its match. */
  column: boolean;
  /** One entry per non-empty match, its `line` the matched text. */
  onlyMatching: boolean;
}

/** One matching line (with `multiline`, one match). */
export interface LineEntry {
  /** From 1. */
  line_number: number;
  /** The line without its line end; with `multiline` all lines of the match joined by `\n`. */
  line: string;
  /** Where the match starts in the whole line: a code point, from 1. */
  column?: number;
  /** The lines before it, when context was asked for. */
  before?: string[];
  /** The lines after it, when context was asked for. */
  after?: string[];
  /** The line was longer than the limit and is cut around the match. */
  line_truncated?: true;
}

/** What a match counts as when it comes to looking at the clock. */
const STEPS_PER_MATCH = 20;

/** Characters of entries that are held at once, at most: what no answer should be larger than. */
export const MAX_HELD_CHARS: number = 1 << 26;
/** Characters that an entry takes besides its lines, more or less. */
const CHARS_PER_ENTRY = 100;

/** The characters that an entry takes, more or less. */
export function charsOf({ line, before = [], after = [] }: LineEntry): number {
  let chars = CHARS_PER_ENTRY + line.length;
  for (const context of before) chars += context.length + 3;
  for (const context of after) chars += context.length + 3;
  return chars;
}

/** A line of the text, or several: offsets of its start and of the end of line after it. */
type Span = Match;

/**
 * Scans one file after the other. A file is given as {@linkcode Scanner.start} and then
 * {@linkcode Scanner.feed}, once or in pieces of whole lines.
 */
export class Scanner {
  /** Milliseconds on the `performance.now()` clock after which `feed` throws; `Infinity`: never. */
  deadline = Infinity;
  /** Milliseconds that the caller allowed for the search: what the error says. */
  timeout = Infinity;
  /** Entries of a file that are kept; what is found beyond them is counted only. */
  entryLimit = Infinity;

  readonly #options: ScanOptions;
  readonly #plan: PatternPlan;
  readonly #limit = new Deadline();
  readonly #matcher: Matcher;
  readonly #wantsContext: boolean;

  /** Whether entries were left out because those before them are too long together. */
  isShort = false;
  #entries: LineEntry[] = [];
  #chars = 0;
  #count = 0;
  /** Matching lines, which `maxCount` limits. */
  #selected = 0;
  /** Entries that still want lines after them. */
  #pending: LineEntry[] = [];
  /** The last lines of the pieces before this one. */
  #tail: string[] = [];
  readonly #position = new Position();
  #isFirstPiece = true;

  constructor(plan: PatternPlan, options: ScanOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#matcher = new Matcher(plan, this.#limit);
    this.#wantsContext = options.mode === "content" && options.before + options.after > 0;
  }

  /** Begins a new file. */
  start(): void {
    this.isShort = false;
    this.#chars = 0;
    this.#entries = [];
    this.#count = 0;
    this.#selected = 0;
    this.#pending = [];
    this.#tail = [];
    this.#isFirstPiece = true;
  }

  /** Whether more text of this file would change nothing. */
  get done(): boolean {
    return this.#isFull && this.#pending.length === 0;
  }

  /** Matching lines so far; with `multiline` or `onlyMatching`, as many as there are entries. */
  get count(): number {
    return this.#count;
  }

  /** The matching lines of this file so far, in content mode. */
  get entries(): LineEntry[] {
    return this.#entries;
  }

  /**
   * Takes the next piece of the file.
   *
   * @param text whole lines, each with its end; of the last piece the last line may have none
   * @param last whether the file ends here
   * @throws {PathgrepError} `search_timed_out` when the deadline has passed
   */
  feed(text: string, last: boolean): void {
    if (this.done || text === "") return;
    this.#limit.set(this.deadline, this.timeout);
    const canSkip = this.#canSkip(text, last);
    if (!canSkip && text.includes("\r\n")) text = text.replaceAll("\r\n", "\n");
    this.#position.open(text, this.#isFirstPiece);
    this.#isFirstPiece = false;
    if (!canSkip) {
      if (this.#pending.length > 0) this.#completePending(text);
      if (!this.#isFull) {
        this.#matcher.open(text);
        this.#select(text);
        this.#matcher.close();
      }
    }
    if (last) {
      this.#pending = [];
    } else if (this.#options.mode === "content") {
      this.#position.close();
      if (this.#wantsContext) this.#keepTail(text);
    }
  }

  /**
   * Takes word of a piece that holds no match, instead of the piece.
   *
   * @param countLines the lines in it
   * @returns `false` where the text is wanted all the same
   * @throws {PathgrepError} `search_timed_out` when the deadline has passed
   */
  skip(countLines: () => number): boolean {
    this.#limit.set(this.deadline, this.timeout);
    if (this.done) return true;
    if (this.#plan.invert || this.#wantsContext) return false;
    if (this.#options.mode === "content") this.#position.skip(countLines(), this.#isFirstPiece);
    this.#isFirstPiece = false;
    return true;
  }

  /** Whether a piece has nothing in it that is wanted, as a glance can tell. */
  #canSkip(text: string, last: boolean): boolean {
    if (this.#plan.invert || this.#pending.length > 0) return false;
    return (last || !this.#wantsContext) && this.#matcher.rejects(text);
  }

  get #isFull(): boolean {
    const { mode, maxCount, maxEntries } = this.#options;
    if (this.#count >= maxEntries) return true;
    return this.#selected >= (mode === "file" ? Math.min(maxCount, 1) : maxCount);
  }

  /** Goes through the lines that are wanted. */
  #select(text: string): void {
    const hits = this.#plan.multiline ? this.#matchedSpans(text) : this.#matchedLines(text);
    if (!this.#plan.invert) {
      for (const hit of hits) {
        this.#take(text, hit);
        if (this.#isFull) return;
      }
      return;
    }
    let start = 0;
    const takeUpTo = (end: number) => {
      while (start < end && !this.#isFull) {
        const line = { start, end: lineEnd(text, start) };
        this.#take(text, line);
        start = line.end + 1;
      }
    };
    for (const hit of hits) {
      takeUpTo(hit.start);
      if (this.#isFull) return;
      start = hit.end + 1;
    }
    takeUpTo(text.length);
  }

  /** The lines that match. */
  *#matchedLines(text: string): Generator<Span> {
    const last = lastLineOffset(text);
    let from = 0;
    while (from <= last) {
      const hit = this.#matcher.findLine(from);
      if (hit === -1 || hit > last) return;
      const line = lineAround(text, hit);
      yield line;
      from = line.end + 1;
    }
  }

  /** The lines that each match touches, and the match. */
  *#matchedSpans(text: string): Generator<Span & { match: Match }> {
    const last = lastLineOffset(text);
    // The line that the last match ended in, which is often where the next one starts.
    let line: Span = { start: 0, end: -1 };
    let previous: Span | undefined;
    for (const match of this.#matches((from) => this.#matcher.findMatch(from), text)) {
      if (match.start > last) return;
      if (match.start > line.end) line = lineAround(text, match.start);
      const { start } = line;
      const end = Math.max(match.start, match.end - 1);
      if (end > line.end) line = lineAround(text, end);
      if (previous?.start !== start || previous.end !== line.end || this.#options.onlyMatching) {
        previous = { start, end: line.end };
        yield { ...previous, match };
      }
    }
  }

  /** All matches in a text, from left to right. */
  *#matches(find: (from: number) => Match | undefined, text: string): Generator<Match> {
    for (let from = 0; from <= text.length;) {
      const match = find(from);
      if (match === undefined) return;
      yield match;
      this.#limit.count(STEPS_PER_MATCH);
      from = match.end;
      if (match.start === match.end) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
    }
  }

  /** Counts a wanted line and, in content mode, keeps it. */
  #take(text: string, span: Span & { match?: Match }): void {
    this.#selected++;
    this.#limit.count(STEPS_PER_MATCH);
    if (this.#options.mode !== "content") {
      this.#count++;
    } else if (this.#plan.invert || !this.#options.onlyMatching) {
      this.#add(text, span, this.#plan.invert ? undefined : span.match);
    } else if (span.match !== undefined) {
      if (span.match.start < span.match.end) this.#add(text, span, span.match);
    } else {
      const line = text.slice(span.start, span.end);
      for (
        const { start, end } of this.#matches((at) => this.#matcher.findInLine(line, at), line)
      ) {
        const match = { start: span.start + start, end: span.start + end };
        if (start < end) this.#add(text, span, match);
        if (this.#count >= this.#options.maxEntries) return;
      }
    }
  }

  /** Counts an entry and keeps it. */
  #add(text: string, span: Span, match: Match | undefined): void {
    this.#count++;
    if (this.#entries.length >= this.entryLimit) return;
    if (this.#chars > MAX_HELD_CHARS) {
      this.isShort = true;
      return;
    }
    const { before, after, column, maxLineLength, onlyMatching } = this.#options;
    const line = text.slice(span.start, span.end);
    const isLong = maxLineLength > 0 && line.length > maxLineLength;
    let matchStart = match?.start;
    if (match === undefined && !this.#plan.invert && (column || isLong)) {
      const found = this.#matcher.findInLine(line, 0);
      if (found !== undefined) matchStart = span.start + found.start;
    }
    const cut = onlyMatching && match !== undefined
      ? cutAround(text.slice(match.start, match.end), 0, maxLineLength)
      : cutAround(line, (matchStart ?? span.start) - span.start, maxLineLength);
    const entry: LineEntry = {
      line_number: this.#position.lineAt(span.start),
      line: detached(cut.text),
    };
    if (matchStart !== undefined && (column || cut.truncated)) {
      entry.column = this.#position.columnAt(span.start, matchStart);
    }
    if (before > 0) entry.before = this.#linesBefore(text, span.start, before);
    if (after > 0) {
      entry.after = this.#linesAfter(text, span.end + 1, after);
      if (entry.after.length < after) this.#pending.push(entry);
    }
    if (cut.truncated) entry.line_truncated = true;
    this.#entries.push(entry);
    this.#chars += charsOf(entry);
  }

  /** Up to `count` lines that end before an offset, of earlier pieces too. */
  #linesBefore(text: string, offset: number, count: number): string[] {
    const lines: string[] = [];
    let end = offset - 1;
    while (lines.length < count && end >= 0) {
      const start = lineStart(text, end);
      lines.push(this.#contextLine(text.slice(start, end)));
      end = start - 1;
    }
    for (let at = this.#tail.length - 1; lines.length < count && at >= 0; at--) {
      lines.push(this.#tail[at]!);
    }
    return lines.reverse();
  }

  /** Up to `count` lines from an offset on. */
  #linesAfter(text: string, offset: number, count: number): string[] {
    const lines: string[] = [];
    let start = offset;
    while (lines.length < count && start < text.length) {
      const end = lineEnd(text, start);
      lines.push(this.#contextLine(text.slice(start, end)));
      start = end + 1;
    }
    return lines;
  }

  #contextLine(line: string): string {
    return detached(cutAround(line, 0, this.#options.maxLineLength).text);
  }

  /** Gives the first lines of this piece to the entries of earlier ones. */
  #completePending(text: string): void {
    const { after } = this.#options;
    const lines = this.#linesAfter(text, 0, after);
    for (const { after: has } of this.#pending) has!.push(...lines.slice(0, after - has!.length));
    this.#pending = this.#pending.filter((entry) => entry.after!.length < after);
  }

  /** Keeps the last lines of a piece for the entries of the next. */
  #keepTail(text: string): void {
    this.#tail = this.#linesBefore(text, text.length, this.#options.before);
  }
}

/** The offset of the last line's end: an empty match beyond it is in no line. */
function lastLineOffset(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}

/** The line that holds an offset. */
function lineAround(text: string, offset: number): Span {
  return { start: lineStart(text, offset), end: lineEnd(text, offset) };
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}
