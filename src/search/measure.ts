/**
 * Measures the size of an answer in its format: as JSON, or as lines of text.
 *
 * @module
 */

import { type HitLine, isEntry } from "../scan/hit_lines.ts";
import { escapeControlsInJson } from "../util/escape.ts";
import { type AnswerEntry, entriesOf, type ShownFile } from "./result_builder.ts";
import type { SearchResult } from "./result.ts";

export interface AnswerMeasure {
  /** What a result takes up besides its entries. */
  frame(result: SearchResult): number;
  /**
   * Begins an answer. Called with its files in order, the function returns for each entry what all entries
   * take up if the answer ends with this one. It may omit those that are sure to exceed `room`.
   */
  entries(room: number): (file: ShownFile) => number[];
  /** The keys that stand for the entries in a result. @default the list of entries */
  formOf?(files: readonly ShownFile[]): object;
  /** Measures what is found until a timeout, which goes into the JSON of the error. @default this one */
  partial?: AnswerMeasure;
}

/** A value as JSON, where every byte of it can be printed. */
export function written(value: unknown): string {
  return escapeControlsInJson(JSON.stringify(value));
}

/** Measures an answer in JSON; `weigh` returns what a piece of it takes up. */
export function jsonMeasure(weigh = (json: string) => json.length): AnswerMeasure {
  const size = (value: unknown) => weigh(written(value));
  // Every entry but the last has a comma.
  return {
    frame: (result) => size(result) - (result.count > 0 ? 1 : 0),
    entries: (room) => sumOfEntries((entry) => size(entry) + 1, room),
  };
}

/** Measures entries that stand one after the other. */
export function sumOfEntries(
  size: (entry: AnswerEntry) => number,
  room: number,
): (file: ShownFile) => number[] {
  let sum = 0;
  return (file) => {
    const sums: number[] = [];
    if (sum > room) return sums;
    for (const entry of entriesOf(file)) {
      sums.push(sum += size(entry));
      if (sum > room) break;
    }
    return sums;
  };
}

/** Writes the lines of an answer as text. */
export interface LineWriter {
  /** The text of the next line of a file or, in file and count mode, of the file. */
  next(file: ShownFile, line?: HitLine): string;
  /** One that goes on from here, and leaves this one as it is. */
  copy(): LineWriter;
}

export function textOf(files: readonly ShownFile[], writer: LineWriter): string {
  return files.map((file) =>
    linesOfText(file).map((line) => writer.next(file, line)).join("") + moreBelow(file)
  ).join("");
}

/** What stands below the entries of a file of which others come later. */
function moreBelow({ more = 0 }: ShownFile): string {
  return more === 0 ? "" : `+${more} more in this file\n`;
}

/**
 * The lines of a file as text shows them, nothing for a file without lines. A line that encloses an entry
 * stands before the first one in it and its context, unless it is shown anyway; a gap stands before an entry
 * that the last of these does not enclose.
 */
export function linesOfText(file: ShownFile): (HitLine | undefined)[] {
  const { lines, context: { after } = { after: 0 } } = file;
  if (lines === undefined) return [undefined];
  if (lines.every(({ enclosing }) => enclosing === undefined)) return [...lines];
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

/**
 * Measures entries that are written as lines of text. The last entry has lines of context after it, some of
 * which may match.
 */
export function sumOfLines(
  writer: LineWriter,
  weigh: (text: string) => number,
  room: number,
): (file: ShownFile) => number[] {
  let sum = 0;
  return (file) => {
    if (sum > room) return [];
    if (file.lines === undefined) return [sum += weigh(writer.next(file))];
    const sums: number[] = [];
    const lines = linesOfText(file);
    for (const [index, line] of lines.entries()) {
      sum += weigh(writer.next(file, line));
      if (isEntry(line!)) {
        const shown = { ...file, lines: lines as HitLine[] };
        sums.push(sum + weigh(contextAfter(shown, index, writer.copy())));
      }
      if (sum > room) return sums;
    }
    const more = weigh(moreBelow(file));
    sum += more;
    return sums.map((size, index) => index === sums.length - 1 ? size + more : size);
  };
}

/** The lines that an answer which ends with an entry has after it. */
function contextAfter(file: ShownFile, index: number, writer: LineWriter): string {
  const { after = 0 } = file.context ?? {};
  if (after === 0) return "";
  const lines = file.lines!;
  const { number, last = number } = lines[index]!;
  let text = "";
  for (let at = index + 1; at < lines.length && lines[at]!.number <= last + after; at++) {
    const { kind, last } = lines[at]!;
    if (last === undefined && (kind === undefined || kind === "context")) {
      const { number, text: line } = lines[at]!;
      text += writer.next(file, { number, text: line, kind: "context" });
    }
  }
  return text;
}
