/**
 * Searches the text of a file, whole or in pieces, for matching lines, with numbers, context and limits.
 *
 * @module
 */

import {
  codePointsIn,
  type ContextSize,
  type Cut,
  cutAround,
  detached,
  type HitLine,
  LineCollector,
  marked,
  MAX_HELD_CHARS,
  utf8BytesIn,
} from "./hit_lines.ts";
import { loadMatcher, PatternMatcher } from "../regex/matcher.ts";
import type { Match, PatternPlan } from "../regex/pattern_plan.ts";
import type { FoundValue, PatternTally, ValueTally } from "./tally.ts";
import { lastLineOffset, lineEnd, lineStart, trimmedText } from "../util/text.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";

/** What to find in each file. */
export interface LineSearchOptions extends ContextSize {
  /** Matching lines, whether there is one, how many there are, or the different texts that match. */
  mode: "content" | "file" | "count" | "values";
  /** Matching lines per file, at most; `Infinity`: no limit. */
  maxCount: number;
  /** Code points that a line may have before it is cut; 0: no limit. */
  maxLineLength: number;
  /** Cut lines show where they were cut. @default false */
  marksCuts?: boolean | undefined;
  /** Lines are shown without the white space that they begin with. @default false */
  trims?: boolean | undefined;
  /** Code points beyond which an entry has a short form; 0: none has. @default 0 */
  shortLineLength?: number | undefined;
  column: boolean;
  /** Columns count bytes of UTF-8. @default code points */
  byteColumns?: boolean | undefined;
  /** With `multiline`, an entry has the columns of all matches in its lines. @default false */
  everyColumn?: boolean | undefined;
  /** One entry per non-empty match, its `line` the matched text; in `count`, matches are counted. */
  onlyMatching: boolean;
  /** Empty matches are counted, too. @default false */
  countsEmpty?: boolean;
}

/** Steps of the pulse that a match counts as. */
const STEPS_PER_MATCH = 20;

let tallies: typeof import("./tally.ts") | undefined;

/** Loads what a search needs on this thread; call it before creating a {@linkcode LineSearcher}. */
export async function loadSearcher(
  { plan, lines }: { plan: PatternPlan; lines: Pick<LineSearchOptions, "mode"> },
): Promise<void> {
  await loadMatcher(plan);
  if (lines.mode === "values" || plan.each.length > 0) tallies ??= await import("./tally.ts");
}

/** A line of the text, or several: offsets of its start and of the end of line after it. */
interface Span extends Match {
  /** The match in it, where that is known. */
  match?: Match;
}
/** Called with results from left to right; returns whether more are wanted. */
type Visit<T> = (result: T) => boolean;

/**
 * Searches one file after the other, once {@linkcode loadSearcher} has ended. A file is given as {@linkcode LineSearcher.start} and then
 * {@linkcode LineSearcher.feed}, once or in pieces of whole lines.
 */
export class LineSearcher {
  /** Entries of a file up to the last one to keep; further ones are only counted. */
  entryLimit = Infinity;
  /** The first entries of a file, which need not be kept: only what is context of the next one is. */
  passOver = 0;

  readonly #options: LineSearchOptions;
  readonly #plan: PatternPlan;
  readonly #pulse: Pulse;
  readonly #matcher: PatternMatcher;
  readonly #tally: PatternTally | undefined;

  /** Whether entries were dropped because those before them are too long together. */
  isTruncated = false;
  /** Entries passed over since lines were last taken. */
  passed = 0;
  /** The last entry, if it is one of them. */
  #last: HitLine | undefined;
  /** Matching lines so far; with `multiline` or `onlyMatching`, as many as there are entries. */
  count = 0;
  /** Matching lines, which `maxCount` limits. */
  #selected = 0;
  #values: ValueTally | undefined;
  readonly #lines: LineCollector;
  readonly #position: TextPosition;
  #isFirstPiece = true;

  /** @param pulse ends a search in the middle of a text @default only the end of the text does */
  constructor(plan: PatternPlan, options: LineSearchOptions, pulse: Pulse = ENDLESS) {
    this.#plan = plan;
    this.#options = options;
    this.#pulse = pulse;
    this.#matcher = new PatternMatcher(plan, pulse);
    this.#position = new TextPosition(pulse, options.byteColumns ? utf8BytesIn : codePointsIn);
    if (plan.each.length > 0) this.#tally = new tallies!.PatternTally(plan, options, pulse);
    const { before, after, maxLineLength } = options;
    this.#lines = new LineCollector(
      options.mode === "content" ? { before, after } : { before: 0, after: 0 },
      (line) => this.#textOf(cutAround(line, 0, maxLineLength)),
    );
  }

  start(): void {
    this.isTruncated = false;
    this.passed = 0;
    this.#tally?.start();
    this.count = 0;
    this.#selected = 0;
    this.#values = this.#options.mode === "values" ? new tallies!.ValueTally() : undefined;
    this.#lines.start();
    this.#isFirstPiece = true;
  }

  /** Whether more text of this file would not change anything. */
  get done(): boolean {
    return this.#isFull && !this.#lines.wantsMore;
  }

  /** Of several patterns, how much of the count each matches; in file mode, 1 if it matches at all. */
  get patternCounts(): number[] | undefined {
    return this.#tally?.counts;
  }

  /** The lines of this file so far, in content mode: matches and the lines around them. */
  get lines(): HitLine[] {
    return this.#lines.lines;
  }

  /** In values mode, those of this file so far. */
  get values(): ReadonlyMap<string, FoundValue> | undefined {
    return this.#values?.values;
  }

  /** The approximate characters that the entries of these lines take up. */
  get chars(): number {
    return this.#lines.chars;
  }

  takeLines(): HitLine[] {
    this.passed = 0;
    return this.#lines.takeLines();
  }

  /** Ends a file whose text was not scanned to its end. */
  abandon(): void {
    this.#matcher.close();
    this.#lines.close(true);
  }

  /**
   * Takes the next piece of the file.
   *
   * @param text whole lines, each with its end; of the last piece the last line may have none
   * @param hasReturns whether lines may end with `\r\n`; else a `\r` before a `\n` is part of its line
   * @throws {PathgrepError} what the pulse throws
   */
  feed(text: string, last: boolean, hasReturns = true): void {
    if (this.done || text === "") return;
    const canSkip = this.#canSkip(text, last);
    if (!canSkip && hasReturns && text.includes("\r\n")) text = text.replaceAll("\r\n", "\n");
    this.#position.open(text, this.#isFirstPiece);
    this.#isFirstPiece = false;
    if (!canSkip) {
      this.#lines.open(text);
      if (!this.#isFull) {
        this.#matcher.open(text);
        this.#select(text);
        this.#matcher.close();
        this.#tally?.close();
      }
    }
    // The next piece needs these.
    if (!last && this.#options.mode === "content") this.#position.close();
    this.#lines.close(last);
  }

  /** Skips a piece that holds no match; `false` if its text is needed all the same. */
  skip(countLines: () => number): boolean {
    if (this.done) return true;
    if (this.#plan.invert || this.#lines.hasContext) return false;
    if (this.#options.mode === "content") this.#position.skip(countLines(), this.#isFirstPiece);
    this.#isFirstPiece = false;
    return true;
  }

  /** Whether a piece clearly contains nothing of interest. */
  #canSkip(text: string, last: boolean): boolean {
    if (this.#plan.invert || this.#lines.wantsMore) return false;
    return (last || !this.#lines.hasContext) && this.#matcher.rejects(text);
  }

  get #isFull(): boolean {
    const { mode, maxCount } = this.#options;
    const isDecided = mode === "file" && (this.#tally?.isDone ?? true);
    return this.#selected >= (isDecided ? Math.min(maxCount, 1) : maxCount);
  }

  #select(text: string): void {
    const { mode, onlyMatching } = this.#options;
    const hasEntries = mode !== "file" && (mode !== "count" || onlyMatching);
    const visit = (hit: Span) => {
      this.#pulse.beat(STEPS_PER_MATCH);
      this.#selected++;
      if (hasEntries) this.#take(text, hit);
      else {
        // Where the time runs out in between, neither of the two has counted the line.
        this.#tally?.count(text, hit);
        this.count++;
      }
      return !this.#isFull;
    };
    if (this.#plan.invert) this.#visitOthers(text, visit);
    else this.#visitMatched(text, visit);
  }

  /** The lines that match; with `multiline` the lines that each match touches, and the match. */
  #visitMatched(text: string, visit: Visit<Span>): void {
    if (this.#plan.multiline) this.#visitSpans(text, visit);
    else this.#visitLines(text, visit);
  }

  #visitLines(text: string, visit: Visit<Span>): void {
    const last = lastLineOffset(text);
    for (let from = 0; from <= last;) {
      this.#pulse.beat(1);
      const hit = this.#matcher.findLine(from);
      if (hit === -1 || hit > last) return;
      const line = lineAround(text, hit);
      if (!visit(line)) return;
      from = line.end + 1;
    }
  }

  #visitSpans(text: string, visit: Visit<Span>): void {
    const last = lastLineOffset(text);
    // The line that the last match ended in, which is often where the next one starts.
    let line: Span = { start: 0, end: -1 };
    let previous: Span | undefined;
    let isMoreWanted = true;
    this.#visitMatches(text, (from) => this.#matcher.locateMatch(from), (match) => {
      if (match.start > last) return false;
      if (match.start > line.end) line = lineAround(text, match.start);
      const { start } = line;
      const end = Math.max(match.start, match.end - 1);
      if (end > line.end) line = lineAround(text, end);
      const isNew = previous?.start !== start || previous.end !== line.end;
      if (!isNew && !this.#options.onlyMatching) {
        if (match.start < match.end) this.#addColumn(start, match.start);
        return true;
      }
      if (!isMoreWanted) return false;
      previous = { start, end: line.end };
      isMoreWanted = visit({ ...previous, match });
      return isMoreWanted || this.#options.everyColumn === true;
    });
  }

  /** The lines between those that match. */
  #visitOthers(text: string, visit: Visit<Span>): void {
    let start = 0;
    const visitUpTo = (limit: number) => {
      while (start < limit) {
        const line = { start, end: lineEnd(text, start) };
        if (!visit(line)) return false;
        start = line.end + 1;
      }
      return true;
    };
    let isMoreWanted = true;
    this.#visitMatched(text, (hit) => {
      isMoreWanted = visitUpTo(hit.start);
      start = hit.end + 1;
      return isMoreWanted;
    });
    if (isMoreWanted) visitUpTo(text.length);
  }

  #visitMatches(
    text: string,
    find: (from: number) => Match | undefined,
    visit: Visit<Match>,
  ): void {
    for (let from = 0; from <= text.length;) {
      this.#pulse.beat(STEPS_PER_MATCH);
      const match = find(from);
      if (match === undefined || !visit(match)) return;
      from = match.end;
      if (match.start === match.end) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
    }
  }

  /** Keeps a line or, with `onlyMatching`, the matches in it. */
  #take(text: string, span: Span): void {
    const { countsEmpty = false, onlyMatching } = this.#options;
    const isWanted = ({ start, end }: Match) => start < end || countsEmpty;
    if (this.#plan.invert || !onlyMatching) {
      this.#add(text, span, this.#plan.invert ? undefined : span.match);
    } else if (span.match !== undefined) {
      if (!isWanted(span.match)) return;
      if (this.#values !== undefined) this.#addValue(text, span, text, span.match);
      else this.#add(text, span, span.match);
    } else {
      const line = text.slice(span.start, span.end);
      this.#visitMatches(line, (at) => this.#matcher.locateInLine(line, at), (found) => {
        const match = { start: span.start + found.start, end: span.start + found.end };
        if (!isWanted(match)) return true;
        if (this.#values !== undefined) this.#addValue(text, span, line, found, match);
        else this.#add(text, span, match);
        return true;
      });
    }
  }

  /** Counts a value that was found in a part of the text. */
  #addValue(text: string, span: Span, part: string, found: Match, match: Match = found): void {
    const patterns = this.#tally?.count(text, span, match);
    this.#values!.add(this.#matcher.captured(part, found), patterns);
    this.isTruncated = this.#values!.isFull;
    this.count++;
  }

  #keepsMore(): boolean {
    if (this.#options.mode !== "content" || this.count >= this.entryLimit) return false;
    if (this.#lines.chars > MAX_HELD_CHARS) this.isTruncated = true;
    return !this.isTruncated;
  }

  #add(text: string, span: Span, match: Match | undefined): void {
    const { everyColumn, onlyMatching } = this.#options;
    // Counted last: where the time runs out before, the entry is neither counted nor kept.
    const count = () => {
      const patterns = this.#tally?.count(text, span, onlyMatching ? match : undefined);
      this.count++;
      return patterns;
    };
    this.#last = undefined;
    const isPassed = this.count < this.passOver;
    if (isPassed && !this.#lines.hasContext || !this.#keepsMore()) {
      count();
      if (isPassed) this.passed++;
      return;
    }
    const entry = this.#entryOf(text, span, match);
    const hasMore = everyColumn && this.#plan.multiline && !onlyMatching;
    if (hasMore && entry.column !== undefined) entry.columns = [entry.column];
    const patterns = count();
    if (patterns !== undefined) entry.patterns = patterns;
    this.#lines.add(entry, span.start, span.end);
    this.#last = entry;
    if (isPassed) this.passed += this.#lines.forgetBefore(entry.number);
  }

  #entryOf(text: string, span: Span, match: Match | undefined): HitLine {
    const { column, maxLineLength, onlyMatching, shortLineLength = 0 } = this.#options;
    const line = text.slice(span.start, span.end);
    const matchStart = match?.start ?? this.#locate(line, span.start);
    const [shown, from] = onlyMatching && match !== undefined
      ? [text.slice(match.start, match.end), 0]
      : [line, (matchStart ?? span.start) - span.start];
    const cut = cutAround(shown, from, maxLineLength);
    const short = cutAround(shown, from, shortLineLength);
    const entry: HitLine = {
      number: this.#position.lineAt(span.start),
      text: this.#textOf(cut),
    };
    if (match !== undefined && this.#lines.hasContext) entry.last = this.#position.lineAt(span.end);
    const hasColumn = column || cut.truncated;
    const at = matchStart !== undefined && (hasColumn || short.truncated)
      ? { column: this.#position.columnAt(span.start, matchStart) }
      : {};
    if (hasColumn) Object.assign(entry, at);
    if (short.truncated) entry.short = { text: this.#textOf(short), ...at };
    if (cut.truncated) entry.isCut = true;
    return entry;
  }

  /** Where the match in a line starts in the text, if a column or a cut needs that. */
  #locate(line: string, lineStart: number): number | undefined {
    const { column, maxLineLength, shortLineLength = 0 } = this.#options;
    const isLong = (limit: number) => limit > 0 && line.length > limit;
    const isNeeded = column || isLong(maxLineLength) || isLong(shortLineLength);
    const found = this.#plan.invert || !isNeeded ? undefined : this.#matcher.locateInLine(line, 0);
    return found && lineStart + found.start;
  }

  /** Adds a further match in the lines of the last entry. */
  #addColumn(lineStart: number, offset: number): void {
    this.#last?.columns?.push(this.#position.columnAt(lineStart, offset));
  }

  #textOf(cut: Cut): string {
    const { marksCuts, trims } = this.#options;
    const text = marksCuts ? marked(cut) : cut.text;
    return detached(trims ? trimmedText(text) : text);
  }
}

function lineAround(text: string, offset: number): Span {
  return { start: lineStart(text, offset), end: lineEnd(text, offset) };
}

/** The line number and column of a search in a text that comes in pieces, each counted once. */
class TextPosition {
  readonly #pulse: Pulse;
  #text = "";
  /** Lines that end before {@linkcode TextPosition.#lineEnd}, in earlier pieces too. */
  #lines = 0;
  /** The first line end that is not counted. */
  #lineEnd = 0;
  /** The column of one offset in the line that starts at another. */
  #column = { lineStart: -1, offset: -1, column: 1 };

  readonly #measure: (text: string) => number;

  /** @param measure what a text counts for in a column */
  constructor(pulse: Pulse, measure: (text: string) => number) {
    this.#pulse = pulse;
    this.#measure = measure;
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

  /** The column of an offset in the line that starts at another, from 1. */
  columnAt(lineStart: number, offset: number): number {
    const known = this.#column;
    if (known.lineStart !== lineStart || known.offset > offset) {
      this.#column = { lineStart, offset: lineStart, column: 1 };
    }
    const before = this.#column;
    const column = before.column + this.#measure(this.#text.slice(before.offset, offset));
    this.#column = { lineStart, offset, column };
    return column;
  }

  #endFrom(offset: number): number {
    const end = this.#text.indexOf("\n", offset);
    return end === -1 ? Infinity : end;
  }
}
