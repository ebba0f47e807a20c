/**
 * Scanning the text of a file, whole or in pieces, for matching lines: line numbers, context, limits.
 *
 * @module
 */

import { PathgrepError } from "../../errors.ts";
import { columnOf, cutAround, detached } from "./cut.ts";
import { Matcher } from "./matcher.ts";
import type { PatternPlan } from "./pattern.ts";

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
  /** Code points that a line may have before it is cut; 0: no limit. */
  maxLineLength: number;
  /** Each entry says the column of its match. */
  column: boolean;
  /** One entry per non-empty match, its `line` the matched text. */
  onlyMatching: boolean;
}

/** A matching line. */
export interface LineEntry {
  /** From 1. */
  line_number: number;
  /** The line without its end; with `multiline`, all lines that the match touches. */
  line: string;
  /** Code point at which the match starts, from 1. */
  column?: number;
  before?: string[];
  after?: string[];
  line_truncated?: true;
}

/** A line of the text, or several: offsets of its start and of the end of line after it. */
interface Span {
  start: number;
  end: number;
}

/**
 * Scans one file after the other. A file is given as {@linkcode Scanner.start} and then
 * {@linkcode Scanner.feed}, once or in pieces of whole lines.
 */
export class Scanner {
  /** Milliseconds on the `performance.now()` clock after which `feed` throws; `Infinity`: never. */
  deadline = Infinity;

  readonly #options: ScanOptions;
  readonly #plan: PatternPlan;
  readonly #matcher: Matcher;
  readonly #wantsContext: boolean;

  #entries: LineEntry[] = [];
  #count = 0;
  /** Matching lines, which `maxCount` limits. */
  #selected = 0;
  /** Entries that still want lines after them. */
  #pending: LineEntry[] = [];
  /** The last lines of the pieces before this one. */
  #tail: string[] = [];
  /** How far lines of the present piece are counted. */
  #counted = { offset: 0, lines: 0 };

  constructor(plan: PatternPlan, options: ScanOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#matcher = new Matcher(plan);
    this.#wantsContext = options.mode === "content" && options.before + options.after > 0;
  }

  /** Begins a new file. */
  start(): void {
    this.#entries = [];
    this.#count = 0;
    this.#selected = 0;
    this.#pending = [];
    this.#tail = [];
    this.#counted = { offset: 0, lines: 0 };
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
    if (performance.now() > this.deadline) {
      throw new PathgrepError("search_timed_out", "search timed out");
    }
    if (text.includes("\r\n")) text = text.replaceAll("\r\n", "\n");
    this.#counted.offset = 0;
    if (this.#pending.length > 0) this.#completePending(text);
    if (!this.#isFull) this.#select(text);
    if (last) {
      this.#pending = [];
    } else if (this.#options.mode === "content") {
      this.#lineAt(text, text.length);
      if (this.#wantsContext) this.#keepTail(text);
    }
  }

  get #isFull(): boolean {
    const { mode, maxCount } = this.#options;
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
      const hit = this.#matcher.findLine(text, from);
      if (hit === -1 || hit > last) return;
      const span = { start: lineStart(text, hit), end: lineEnd(text, hit) };
      yield span;
      from = span.end + 1;
    }
  }

  /** The lines that each match touches, and the match. */
  *#matchedSpans(text: string): Generator<Span & { match: Span }> {
    const last = lastLineOffset(text);
    let from = 0;
    let previous: Span | undefined;
    while (from <= text.length) {
      const match = this.#matcher.locate(text, from);
      if (match === undefined || match.start > last) return;
      const isEmpty = match.start === match.end;
      const span = {
        start: lineStart(text, match.start),
        end: lineEnd(text, isEmpty ? match.start : match.end - 1),
        match,
      };
      const isNew = previous?.start !== span.start || previous.end !== span.end;
      if (isNew || this.#options.onlyMatching) yield span;
      previous = span;
      from = isEmpty ? match.end + (text.codePointAt(match.end)! > 0xffff ? 2 : 1) : match.end;
    }
  }

  /** Counts a wanted line and, in content mode, keeps it. */
  #take(text: string, span: Span & { match?: Span }): void {
    this.#selected++;
    if (this.#options.mode !== "content") {
      this.#count++;
      return;
    }
    if (this.#plan.invert) {
      this.#add(text, span, undefined);
    } else if (!this.#options.onlyMatching) {
      this.#add(text, span, span.match);
    } else if (span.match !== undefined) {
      if (span.match.start < span.match.end) this.#add(text, span, span.match);
    } else {
      const line = text.slice(span.start, span.end);
      for (const { start, end } of this.#matchesOf(line)) {
        this.#add(text, span, { start: span.start + start, end: span.start + end });
      }
    }
  }

  /** The non-empty matches of a line. */
  *#matchesOf(line: string): Generator<Span> {
    let from = 0;
    while (from <= line.length) {
      const match = this.#matcher.locate(line, from);
      if (match === undefined) return;
      if (match.start < match.end) yield match;
      from = match.start < match.end
        ? match.end
        : match.end + (line.codePointAt(match.end)! > 0xffff ? 2 : 1);
    }
  }

  /** Keeps an entry. */
  #add(text: string, span: Span, match: Span | undefined): void {
    const { before, after, column, maxLineLength, onlyMatching } = this.#options;
    const line = text.slice(span.start, span.end);
    const isLong = maxLineLength > 0 && line.length > maxLineLength;
    let matchStart: number | undefined;
    if (match !== undefined) {
      matchStart = match.start - span.start;
    } else if (!this.#plan.invert && (column || isLong)) {
      matchStart = this.#matcher.locate(line, 0)?.start;
    }
    const cut = onlyMatching && match !== undefined
      ? cutAround(text.slice(match.start, match.end), 0, maxLineLength)
      : cutAround(line, matchStart ?? 0, maxLineLength);
    const entry: LineEntry = {
      line_number: this.#lineAt(text, span.start) + 1,
      line: detached(cut.text),
    };
    if (matchStart !== undefined && (column || cut.truncated)) {
      entry.column = columnOf(line, matchStart);
    }
    if (before > 0) entry.before = this.#linesBefore(text, span.start, before);
    if (after > 0) {
      entry.after = this.#linesAfter(text, span.end + 1, after);
      if (entry.after.length < after) this.#pending.push(entry);
    }
    if (cut.truncated) entry.line_truncated = true;
    this.#entries.push(entry);
    this.#count++;
  }

  /** How many lines of the file end before an offset, which must not go back. */
  #lineAt(text: string, offset: number): number {
    const counted = this.#counted;
    let next = counted.offset;
    while ((next = text.indexOf("\n", next)) !== -1 && next < offset) {
      counted.lines++;
      counted.offset = ++next;
    }
    return counted.lines;
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

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}
