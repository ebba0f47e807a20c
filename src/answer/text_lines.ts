/**
 * Entries as text: `file:line:text`, or a file's name above its lines; `-` around context, `--` between groups.
 *
 * @module
 */

import { type HitLine, isEntry, utf8BytesIn } from "../read/hit_lines.ts";
import { escapeControls, isEscaped, linesShown, trimmedText } from "../util/text.ts";
import { type AnswerForm, inserted, type ShownFile, written } from "./result_builder.ts";

/** Colours, as grep has them: magenta, bold red, green, cyan. */
const FILE = "35";
const MATCH = "1;31";
const NUMBER = "32";
const MARK = "36";

/** Characters of all rows of a line, times two: a row for each match shows the whole line. */
const MAX_ROW_CHARS = 1 << 24;

/** How lines are laid out. */
export interface LineStyle {
  /** Whether each file is named once, above its lines. */
  heading: boolean;
  filename: boolean;
  lineNumber: boolean;
  /** Whether a NUL byte follows each file name, in place of the usual separator. */
  nul?: boolean;
  /** Whether each match in a line gets its own line, as editors want it. */
  everyMatch?: boolean;
  /** Whether a mark stands between groups of lines that do not follow each other. */
  marksGroups?: boolean;
  colours?: boolean;
  /** Whether each match says its column (a cut line has one in any case). */
  columns?: boolean;
  /** Whether what is shown of a line is one match. */
  onlyMatching: boolean;
  trim?: boolean;
  /** Cuts a line into text that matches and text that does not, to colour or to count the matches. */
  highlight?: ((line: string) => string[] | undefined) | undefined;
  /** The name that a path is shown under, safe to print. */
  nameOf: (path: string) => string;
  link?: ((name: string, path: string) => string) | undefined;
}

/** The style of text for a model: few characters a line. */
export function conciseStyle(onlyMatching: boolean): LineStyle {
  return { heading: true, filename: true, lineNumber: true, onlyMatching, nameOf: escapeControls };
}

/** A concise answer: JSON with the entries as one text. */
export function conciseForm(weigh: (piece: string) => number, onlyMatching: boolean): AnswerForm {
  const style = conciseStyle(onlyMatching);
  return {
    weigh,
    write: (answer, files) =>
      inserted(answer, '"text":"', textOf(files, style).map((line) => written(line).slice(1, -1))),
    entries: (files) => ({ text: [...textOf(files, style)].join("") }),
  };
}

/** Writes whole files, a line a piece. */
export function* textOf(files: readonly ShownFile[], style: LineStyle): Generator<string> {
  const lines = new TextLines(style);
  for (const file of files) yield* lines.of(file);
}

/** Lays out lines, one after the other. */
export class TextLines {
  /** Lines cut so far. */
  cut = 0;
  /** Lines so far of which other matches than the first are not written. */
  unfinished = 0;
  /** Whether something written so far has an escape. */
  hasEscape = false;
  readonly #style: LineStyle;
  /** The file, the run of it and the number of the last line written. */
  #file = "";
  #run: number | undefined;
  #line = 0;
  /** The last line that was written from its start to its end as one that matches. */
  #whole = 0;
  /** Whether the last line written encloses those that follow. */
  #isOpened = false;

  constructor(style: LineStyle) {
    this.#style = style;
  }

  /** The lines of a file or of a part of it; in file, count and values mode, its one line. */
  *of(shown: ShownFile): Generator<string> {
    const { count, file, lines, more = 0, value } = shown;
    if (file !== this.#file && !this.#style.nul) this.hasEscape ||= isEscaped(file);
    if (lines !== undefined) {
      for (const line of linesOfText(shown)) yield this.#next(shown, line);
      if (more > 0) yield `+${more} more in this file\n`;
    } else if (value !== undefined) yield `${count}\t${this.#escaped(value.text)}\n`;
    else if (count !== undefined) yield `${this.#fileBefore(file, ":")}${count}\n`;
    else yield this.#name(file) + this.#nameEnd;
  }

  /** A line and what is between it and the line before. */
  #next(shown: ShownFile, line: HitLine): string {
    const { file, run } = shown;
    const { kind, number, text } = line;
    if (kind === "gap") {
      this.#isOpened = true;
      return `${this.#paint(MARK, "--")}\n`;
    }
    const isSameFile = file === this.#file && run === this.#run;
    // It is a line of a match.
    if (isSameFile && kind === "context" && number <= this.#line) return "";
    const between = this.#between(shown, line, isSameFile);
    if (!isSameFile) this.#line = this.#whole = 0;
    this.#file = file;
    this.#run = run;
    this.#isOpened = kind === "enclosing";
    if (isEntry(line)) return between + this.#match(file, line);
    if (!this.#isOpened) this.#line = number;
    const mark = this.#isOpened ? "=" : "-";
    return `${between}${this.#prefix(file, mark, number)}${this.#shown(text)}\n`;
  }

  /** The heading of a file, or the mark of another group. */
  #between({ file, context }: ShownFile, line: HitLine, isSameFile: boolean): string {
    const { filename, heading, marksGroups } = this.#style;
    if (!isSameFile && heading && filename) {
      return `${this.#file === "" ? "" : "\n"}${this.#name(file)}${this.#nameEnd}`;
    }
    const isApart = marksGroups && context !== undefined && !this.#isOpened && this.#line > 0 &&
      !this.#follows(line, isSameFile);
    return isApart ? `${this.#paint(MARK, "--")}\n` : "";
  }

  /** Whether a line continues the group of lines before it. */
  #follows({ kind, number }: HitLine, isSameFile: boolean): boolean {
    if (!isSameFile) return false;
    return kind === "enclosing" ? number === this.#line + 1 : number <= this.#line + 1;
  }

  #match(file: string, line: HitLine): string {
    const { number: first, text: whole, isCut } = line;
    const lines = linesShown(whole, this.#style.onlyMatching);
    const rows = lines.map((part, index) =>
      this.#isExcluded(line, part, index) ? "" : this.#rows(file, line, part, index)
    );
    const last = first + lines.length - 1;
    this.#line = Math.max(this.#line, last, line.last ?? 0);
    // Another match may show what is cut off at the end of the last line.
    this.#whole = Math.max(this.#whole, isCut ? last - 1 : last);
    if (isCut) this.cut++;
    return rows.join("");
  }

  /**
   * Whether a line of a match is not written, as in ripgrep: one that an earlier match has shown; of a
   * matched text that spans lines, what holds no more than the end of a line; the further lines of a
   * match where each has one row.
   */
  #isExcluded(line: HitLine, part: string, index: number): boolean {
    const { everyMatch, onlyMatching } = this.#style;
    if (onlyMatching) return line.text !== part && part === "";
    return everyMatch ? index > 0 && this.#hasRows(line) : line.number + index <= this.#whole;
  }

  /** Whether each match of a line has a row. */
  #hasRows({ column }: HitLine): boolean {
    const { columns, everyMatch } = this.#style;
    return everyMatch === true && columns === true && column !== undefined;
  }

  /** A line of a match, once or for each match in it. */
  #rows(file: string, line: HitLine, part: string, index: number): string {
    const { colours, columns, highlight, onlyMatching } = this.#style;
    const hasRows = this.#hasRows(line);
    const parts = colours || hasRows ? highlight?.(part) : undefined;
    const painted = colours && parts !== undefined ? this.#painted(parts) : this.#shown(part);
    const shown = index > 0
      ? [columns ? 1 : undefined]
      : hasRows && !onlyMatching
      ? this.#columnsIn(line, part, parts)
      : [columns ? line.column : undefined];
    return shown.map((column) =>
      `${this.#prefix(file, ":", line.number + index, column)}${painted}\n`
    ).join("");
  }

  /** The columns of all matches of a line, or of the first where there is no telling or no room. */
  #columnsIn(
    { column, columns, isCut }: HitLine,
    part: string,
    parts: readonly string[] | undefined,
  ): number[] {
    // Where a line is cut, its ends and their marks could match.
    const all = columns ??
      (parts !== undefined && !isCut ? columnsOf(parts, column!) : undefined);
    if (all !== undefined && all.length * part.length < MAX_ROW_CHARS / 2) return all;
    this.unfinished++;
    return [column!];
  }

  /** A line, or the beginning of one. */
  #shown(line: string): string {
    return this.#escaped(this.#style.trim ? trimmedText(line) : line);
  }

  #escaped(text: string): string {
    const shown = escapeControls(text);
    this.hasEscape ||= shown !== text;
    return shown;
  }

  #painted(parts: readonly string[]): string {
    let isStart = true;
    return parts.map((part, index) => {
      const shown = isStart ? this.#shown(part) : this.#escaped(part);
      isStart &&= shown === "";
      return index % 2 === 1 && shown !== "" ? this.#paint(MATCH, shown) : shown;
    }).join("");
  }

  /** The file, unless it is named above, the number and the column of a line. */
  #prefix(file: string, mark: string, line: number, column?: number): string {
    const { heading, lineNumber } = this.#style;
    let prefix = heading ? "" : this.#fileBefore(file, mark);
    for (const number of [lineNumber ? line : undefined, column]) {
      if (number !== undefined) {
        prefix += this.#paint(NUMBER, `${number}`) + this.#paint(MARK, mark);
      }
    }
    return prefix;
  }

  /** A file's name and its separator; nothing where files are not named. */
  #fileBefore(file: string, mark: string): string {
    const { filename, nul } = this.#style;
    return filename ? this.#name(file) + (nul ? "\0" : this.#paint(MARK, mark)) : "";
  }

  /** The end of a name that stands alone. */
  get #nameEnd(): string {
    return this.#style.nul ? "\0" : "\n";
  }

  #name(path: string): string {
    const name = this.#paint(FILE, this.#style.nameOf(path));
    return this.#style.link?.(name, path) ?? name;
  }

  #paint(colour: string, text: string): string {
    return this.#style.colours ? `\x1b[${colour}m${text}\x1b[0m` : text;
  }
}

/**
 * The columns of a line's matches but for empty ones.
 *
 * @param first the column of the first, which may be empty
 */
function columnsOf(parts: readonly string[], first: number): number[] {
  const found: number[] = [];
  let at = 1;
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1 && part !== "") found.push(at);
    at += utf8BytesIn(part);
  }
  return found.length === 0 ? [first] : found;
}

/**
 * The lines of a file as text shows them. A line that encloses an entry stands before the first one in it and its
 * context, unless it is shown anyway; a gap stands before an entry that the last of these does not enclose.
 */
function linesOfText(file: ShownFile): readonly HitLine[] {
  const { lines = [], context: { after } = { after: 0 } } = file;
  if (lines.every(({ enclosing }) => enclosing === undefined)) return lines;
  const shown = new Set(lines.filter(({ last }) => last === undefined).map(({ number }) => number));
  const text: HitLine[] = [];
  /** Where the lines begin that no earlier entry wants. */
  let start = 0;
  let shownTo = 0;
  /** The last line that encloses others, after the last gap. */
  let opener: number | undefined;
  for (const line of lines) {
    const { enclosing = [], number, last = number } = line;
    const missing: HitLine[] = enclosing.filter(({ number }) => !shown.has(number))
      .map((line) => ({ ...line, kind: "enclosing" }));
    for (const { number } of missing) shown.add(number);
    while (start < text.length && text[start]!.number <= shownTo) start++;
    const isIn = !isEntry(line) || enclosing.some(({ number }) => number === opener);
    if (missing.length === 0 && opener !== undefined && !isIn) {
      missing.push({ number, text: "", kind: "gap" });
    }
    if (missing.length > 0) {
      const { kind, number } = missing.at(-1)!;
      opener = kind === "gap" ? undefined : number;
    }
    text.splice(start, 0, ...missing);
    text.push(line);
    if (!isEntry(line)) continue;
    start = text.length;
    shownTo = last + after;
  }
  return text;
}
