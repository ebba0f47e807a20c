/**
 * Entries as grep writes them: `file:line:text`, `-` around context, `--` between groups.
 *
 * @module
 */
import type { LineWriter } from "../../search/measure.ts";
import type { ShownFile } from "../../search/result_builder.ts";
import { type HitLine, isEntry, utf8BytesIn } from "../../scan/hit_lines.ts";
import { escapeControls, isEscaped } from "../../util/escape.ts";
import { linesShown, trimmedText } from "../../util/lines.ts";
import type { Highlighter } from "./highlight.ts";
import type { TextStyle } from "../options/settings.ts";
import type { Linker } from "./hyperlink.ts";

/** Colours, as grep has them: magenta, bold red, green, cyan. */
const FILE = "35";
const MATCH = "1;31";
const NUMBER = "32";
const MARK = "36";

/** Characters of all rows of a line, times two: a row for each match shows the whole line. */
const MAX_ROW_CHARS = 1 << 24;

export interface TextOptions extends Omit<TextStyle, "color" | "hyperlinks"> {
  colours: boolean;
  /** Whether each match says its column (a cut line has one in any case). */
  columns: boolean;
  /** Whether what is shown of a line is one match. */
  onlyMatching: boolean;
  trim: boolean;
  /** Finds the matches of a line, to colour or to count them. */
  highlight: Highlighter | undefined;
  /** The name that a path is shown under, safe to print. */
  nameOf: (path: string) => string;
  link: Linker | undefined;
}

/** Lays out lines, one after the other. */
export class TextLines implements LineWriter {
  /** Lines cut so far. */
  cut = 0;
  /** Lines so far of which other matches than the first are not written. */
  unfinished = 0;
  /** Whether something written so far has an escape. */
  hasEscape = false;
  readonly #options: TextOptions;
  /** The file and the number of the last line written. */
  #file = "";
  #line = 0;
  /** The last line that was written from its start to its end as one that matches. */
  #whole = 0;
  /** Whether the last line written encloses those that follow. */
  #isOpened = false;

  constructor(options: TextOptions) {
    this.#options = options;
  }

  copy(): TextLines {
    const copy = new TextLines(this.#options);
    copy.#file = this.#file;
    copy.#line = this.#line;
    copy.#whole = this.#whole;
    copy.#isOpened = this.#isOpened;
    return copy;
  }

  next({ file, count, context, value }: ShownFile, line?: HitLine): string {
    if (value !== undefined) return `${count}\t${this.#escaped(value.text)}\n`;
    if (file !== this.#file && !this.#options.nul) this.hasEscape ||= isEscaped(file);
    if (line?.kind === "gap") {
      this.#isOpened = true;
      return `${this.#paint(MARK, "--")}\n`;
    }
    if (line !== undefined) return this.#next(file, line, context !== undefined);
    if (count !== undefined) return `${this.#fileBefore(file, ":")}${count}\n`;
    return this.#name(file) + this.#nameEnd;
  }

  /** A line and what is between it and the line before. */
  #next(file: string, line: HitLine, hasContext: boolean): string {
    const { filename, heading } = this.#options;
    const isSameFile = file === this.#file;
    // It is a line of a match.
    if (isSameFile && line.kind === "context" && line.number <= this.#line) return "";
    let text = "";
    if (!isSameFile && heading && filename) {
      text += `${this.#file === "" ? "" : "\n"}${this.#name(file)}${this.#nameEnd}`;
    } else if (
      hasContext && !this.#isOpened && this.#line > 0 && !this.#follows(line, isSameFile)
    ) {
      text += `${this.#paint(MARK, "--")}\n`;
    }
    if (!isSameFile) this.#line = this.#whole = 0;
    this.#file = file;
    this.#isOpened = line.kind === "enclosing";
    if (this.#isOpened) {
      return `${text}${this.#prefix(file, "=", line.number)}${this.#shown(line.text)}\n`;
    }
    if (isEntry(line)) return text + this.#match(file, line);
    this.#line = line.number;
    return `${text}${this.#prefix(file, "-", line.number)}${this.#shown(line.text)}\n`;
  }

  /** Whether a line continues the group of lines before it. */
  #follows({ kind, number }: HitLine, isSameFile: boolean): boolean {
    if (!isSameFile) return false;
    return kind === "enclosing" ? number === this.#line + 1 : number <= this.#line + 1;
  }

  #match(file: string, line: HitLine): string {
    const { number: first, text: whole, column, columns: found, isCut } = line;
    let text = "";
    const { colours, columns, everyMatch, highlight, onlyMatching } = this.#options;
    const at = columns ? column : undefined;
    const isEach = everyMatch && at !== undefined;
    const lines = linesShown(whole, onlyMatching);
    lines.forEach((part, index) => {
      const number = first + index;
      if (this.#isExcluded(part, number, whole !== part, isEach && index > 0)) return;
      const parts = colours || isEach ? highlight?.(part) : undefined;
      // Where a line is cut, its ends and their marks could match.
      const all = found ??
        (isEach && parts !== undefined && !isCut ? columnsOf(parts, at) : undefined);
      const isShort = all !== undefined && all.length * part.length < MAX_ROW_CHARS / 2;
      if (isEach && !onlyMatching && !isShort && index === 0) this.unfinished++;
      const painted = colours && parts !== undefined ? this.#painted(parts) : this.#shown(part);
      const each = isEach && isShort && !onlyMatching ? all : [at];
      for (const column of index === 0 ? each : [columns ? 1 : undefined]) {
        text += `${this.#prefix(file, ":", number, column)}${painted}\n`;
      }
    });
    const last = first + lines.length - 1;
    this.#line = Math.max(this.#line, last, line.last ?? 0);
    // Another match may show what is cut off at the end of the last line.
    this.#whole = Math.max(this.#whole, isCut ? last - 1 : last);
    if (isCut) this.cut++;
    return text;
  }

  /**
   * Whether a line of a match is not written, as in ripgrep: one that an earlier match has shown; of a
   * matched text that spans lines, what holds no more than the end of a line; the further lines of a
   * match where each has one row.
   */
  #isExcluded(part: string, number: number, isPart: boolean, isFurther: boolean): boolean {
    const { everyMatch, onlyMatching } = this.#options;
    if (onlyMatching) return isPart && part === "";
    return everyMatch ? isFurther : number <= this.#whole;
  }

  /** A line, or the beginning of one. */
  #shown(line: string): string {
    return this.#escaped(this.#options.trim ? trimmedText(line) : line);
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
    const { heading, lineNumber } = this.#options;
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
    const { filename, nul } = this.#options;
    return filename ? this.#name(file) + (nul ? "\0" : this.#paint(MARK, mark)) : "";
  }

  /** The end of a name that stands alone. */
  get #nameEnd(): string {
    return this.#options.nul ? "\0" : "\n";
  }

  #name(path: string): string {
    const name = this.#paint(FILE, this.#options.nameOf(path));
    return this.#options.link?.(name, path) ?? name;
  }

  #paint(colour: string, text: string): string {
    return this.#options.colours ? `\x1b[${colour}m${text}\x1b[0m` : text;
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
