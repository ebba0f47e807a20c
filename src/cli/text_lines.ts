/**
 * Entries as grep writes them: `file:line:text`, `-` around context, `--` between groups.
 *
 * @module
 */
import type { MatchEntry } from "../search/result.ts";
import { visible } from "../visible.ts";
import type { Highlighter } from "./printers/highlight.ts";
import type { Linker } from "./printers/hyperlink.ts";
import type { Row } from "./printers/answer_printer.ts";

/** Colours, as grep has them: magenta, bold red, green, cyan. */
const FILE = "35";
const MATCH = "1;31";
const NUMBER = "32";
const MARK = "36";

/** How lines are written. */
export interface TextOptions {
  /** Whether they are coloured. */
  colours: boolean;
  /** Whether each match says its column (a cut line has one in any case). */
  columns: boolean;
  /** Whether each file is named once, above its lines. */
  heading: boolean;
  /** Finds what is coloured in a line. */
  highlight: Highlighter | undefined;
  /** The name that a path is shown under. */
  nameOf: (path: string) => string;
  /** Makes links of the names. */
  link: Linker | undefined;
}

/** Turns entries into text, one after the other. */
export class TextLines {
  /** Lines cut so far. */
  cut = 0;
  readonly #options: TextOptions;
  /** The file and the number of the last line written. */
  #file = "";
  #line = 0;
  /** Context after the last match: how far it goes shows when the next match is known. */
  #after: readonly string[] = [];

  /** @param options colours, columns, names and links */
  constructor(options: TextOptions) {
    this.#options = options;
  }

  /** The text that goes before an entry, and the entry's. */
  next(row: Row): string {
    switch (row.type) {
      case "file":
        return `${this.#name(row.file)}\n`;
      case "count":
        return this.#row([row.file, ":"], `${row.count}`);
      case "match":
        return this.#match(row);
    }
  }

  /** The text that goes after the entry, if it is the last. */
  get rest(): string {
    return this.#context(this.#after, this.#line + 1, Infinity);
  }

  #match({ file, line_number, line, column, before, after, line_truncated }: MatchEntry): string {
    const sameFile = file === this.#file;
    const end = sameFile ? line_number : Infinity;
    let text = this.#context(this.#after, this.#line + 1, end);
    this.#line = Math.max(this.#line, Math.min(this.#line + this.#after.length, end - 1));
    const hasContext = before !== undefined || after !== undefined;
    const first = line_number - (before?.length ?? 0);
    if (!sameFile && this.#options.heading) {
      text += `${this.#file === "" ? "" : "\n"}${this.#name(file)}\n`;
    } else if (hasContext && this.#line > 0 && !(sameFile && first <= this.#line + 1)) {
      text += `${this.#paint(MARK, "--")}\n`;
    }
    if (!sameFile) this.#line = 0;
    this.#file = file;
    text += this.#context(before ?? [], first, line_number);
    line.split("\n").forEach((part, index) => {
      const number = line_number + index;
      const hasColumn = this.#options.columns && column !== undefined && index === 0;
      const place = [`${number}`, ":", ...(hasColumn ? [`${column}`, ":"] : [])];
      text += this.#row(this.#below(file, ":", place), this.#highlighted(part));
      this.#line = Math.max(this.#line, number);
    });
    this.#after = after ?? [];
    if (line_truncated) this.cut++;
    return text;
  }

  /** Lines of context that have not been written, from the number `first` to the one before `end`. */
  #context(lines: readonly string[], first: number, end: number): string {
    return lines.map((line, index) => {
      const number = first + index;
      if (number <= this.#line || number >= end) return "";
      return this.#row(this.#below(this.#file, "-", [`${number}`, "-"]), visible(line));
    }).join("");
  }

  #highlighted(line: string): string {
    const parts = this.#options.highlight?.(line) ?? [line];
    return parts.map((part, index) =>
      index % 2 === 1 && part !== "" ? this.#paint(MATCH, visible(part)) : visible(part)
    ).join("");
  }

  /** The place of a line: after its file, unless that is named above. */
  #below(file: string, mark: string, place: readonly string[]): [string, ...string[]] {
    return this.#options.heading ? ["", ...place] : [file, mark, ...place];
  }

  /** A line: its file if it is to be named, marks and numbers, and its text, made safe already. */
  #row([file, ...rest]: readonly [string, ...string[]], text: string): string {
    const prefix = (file === "" ? "" : this.#name(file)) +
      rest.map((part) => this.#paint(/\d/.test(part) ? NUMBER : MARK, part)).join("");
    return `${prefix}${text}\n`;
  }

  #name(path: string): string {
    const name = this.#paint(FILE, visible(this.#options.nameOf(path)));
    return this.#options.link?.(name, path) ?? name;
  }

  #paint(colour: string, text: string): string {
    return this.#options.colours ? `\x1b[${colour}m${text}\x1b[0m` : text;
  }
}
