/**
 * Builds an answer, its entries and its keys in the contract's order, and writes it in a form. What writes a page also
 * measures it: the budget of an answer drops parts of it until what is written is short enough.
 *
 * @module
 */

import type { Workspace } from "../workspace/workspace.ts";
import { type ContextSize, entriesIn, type HitLine, isEntry } from "../read/hit_lines.ts";
import type { EngineReport, FileHit } from "../run/job.ts";
import { withSlash } from "../util/path.ts";
import { escapeControlsInJson } from "../util/text.ts";
import type { Query } from "../query/query.ts";
import type {
  AnswerScope,
  CountEntry,
  FileResult,
  MatchEntry,
  NotShown,
  Reduction,
  SearchResult,
  SearchStats,
  ValueEntry,
} from "./result.ts";

/** Characters of a line where an answer has little room. */
export const SHORT_LINE_CHARS = 120;

/** What was done to keep an answer to its budget. */
export const REDUCED: Readonly<Record<Reduction, string>> = {
  notes: "notes shortened",
  not_shown: "what is not shown omitted",
  enclosing: "enclosing lines omitted",
  context: "context omitted",
  lines: `long lines cut to ${SHORT_LINE_CHARS} characters`,
  entries: "more entries on the next page",
};

/** Everything that was found, whether or not the answer has room for it. */
export interface Total {
  /** The `count` that the answer would have if it were not truncated. */
  count: number;
  /** The files of its entries. */
  files: number;
  /** Of several patterns, how much of `count` each matches. */
  patternCounts: number[];
  /** Whether there may be more: counting ended before the search did. */
  isLeast: boolean;
}

/** The matches of a directory, at any depth. */
export interface DirectoryCount {
  path: string;
  count: number;
}

/** An entry of `matches`, `files`, `counts` or `values`. */
export type AnswerEntry = MatchEntry | CountEntry | ValueEntry | string;

/** What an answer shows of one file. */
export interface ShownFile {
  /** Absolute or relative, as asked for. */
  file: string;
  /** @default false */
  isDirectory?: boolean | undefined;
  /** The encoding that was named for files that are not UTF-8, if this is one. */
  encoding?: string | undefined;
  /** In content mode, the lines that match and those around them. */
  lines?: readonly HitLine[];
  context?: ContextSize | undefined;
  /** Which of the runs of entries this is, where these are apart from each other. */
  run?: number | undefined;
  /** Entries of the file that come later. @default 0 */
  more?: number | undefined;
  /** More lines of the file follow. */
  isPart?: boolean | undefined;
  /** In count mode, how many lines match; in values mode, how often the value does. */
  count?: number;
  /** In values mode, a text that matches `count` times, in place of a file. */
  value?: { text: string; files: number };
  /** In count and values mode, which of several patterns match. */
  patterns?: number[] | undefined;
}

/** What an answer says besides its entries. */
export interface AnswerFrame {
  /** The pattern, where it is not shown as it was given. */
  pattern?: string;
  basePaths: readonly string[];
  /** Of a listing: its directories beside files. */
  directories?: { names: readonly string[]; more: number } | undefined;
  /** Whether the entries are directories. @default false */
  listsDirectories?: boolean | undefined;
  truncated: boolean;
  total: Total;
  /** @default the entries of the result */
  shown?: number;
  reduced?: readonly Reduction[];
  /** The totals of each of several patterns in an answer of so many entries. */
  patternCounts: ((shown: number) => number[]) | undefined;
  scope?: AnswerScope | undefined;
  notShown?: NotShownFrame | undefined;
  /** Returns those with most, where a truncated answer says so. */
  topDirectories?: (() => readonly DirectoryCount[]) | undefined;
  notes: readonly string[];
  /** They take no room that other engines leave for entries. */
  engineNotes: readonly string[];
  stats: SearchStats | undefined;
}

/** What an answer says of matches that it does not show. */
export interface NotShownFrame {
  rows: readonly NotShown[];
  isInPart: boolean;
  /** The same in a sentence, where the answer is text. */
  line?: string | undefined;
}

export function shownFile(
  hit: FileHit,
  query: Query,
  { before, after }: ContextSize,
  workspace: Workspace,
): ShownFile {
  const { count, encoding, isPart, lines, more, patternCounts, run } = hit;
  const { isDirectory } = hit;
  const path = query.relativePaths ? workspace.display(hit.path) : hit.path;
  const file = isDirectory ? withSlash(path) : path;
  if (query.outputMode === "file") return { file, ...(isDirectory && { isDirectory }) };
  if (query.outputMode === "count") {
    const patterns = patternCounts?.keys().filter((index) => patternCounts[index]! > 0).toArray();
    return { file, encoding, count, patterns };
  }
  const context = before + after > 0 ? { before, after } : undefined;
  return { file, encoding, isPart, lines, context, run, more };
}

export function entriesOfFiles(files: readonly ShownFile[]): number {
  return files.reduce((sum, { lines }) => sum + (lines === undefined ? 1 : entriesIn(lines)), 0);
}

/** What files add to `count`. */
export function countOfFiles(files: readonly ShownFile[]): number {
  return files.reduce((sum, file) => sum + (file.count ?? entriesOfFiles([file])), 0);
}

/** The entries of whole files. */
export function* entriesOf(files: readonly ShownFile[]): Generator<AnswerEntry> {
  for (const file of files) yield* new EntryBuilder().next(file);
}

/** Makes entries, each with its context, of files, some of which come in parts. */
export class EntryBuilder {
  /** The last lines, as context of entries after them. */
  #before: HitLine[] = [];
  /** Entries that lack context after their last lines. */
  #open: { entry: MatchEntry; last: number }[] = [];

  /** Takes a file, or its next part; returns the entries that have all their context. */
  next(shown: ShownFile): AnswerEntry[] {
    const { file, count, encoding, patterns, lines, context, isPart } = shown;
    if (shown.value !== undefined) return [valueEntry(shown.value, count!, patterns)];
    if (lines === undefined) {
      if (count === undefined) return [file];
      return [{ file, count, ...(patterns && { patterns }), ...(encoding && { encoding }) }];
    }
    if (context === undefined) return lines.map((line) => entryOf(shown, line));
    const entries: MatchEntry[] = [];
    const isOpen = ({ after }: MatchEntry) => after !== undefined && after.length < context.after;
    for (const line of lines) {
      this.#add(shown, line, context);
      while (this.#open.length > 0 && !isOpen(this.#open[0]!.entry)) {
        entries.push(this.#open.shift()!.entry);
      }
    }
    if (isPart) return entries;
    for (const { entry } of this.#open.splice(0)) entries.push(entry);
    this.#before = [];
    return entries;
  }

  #add(file: ShownFile, line: HitLine, { before, after }: ContextSize): void {
    const { number, text, last = number } = line;
    const isWhole = line.last === undefined;
    for (const { entry, last } of isWhole ? this.#open : []) {
      if (number > last && number <= last + after) entry.after!.push(text);
    }
    if (isEntry(line)) {
      const isNear = (other: HitLine) => other.number < number && other.number >= number - before;
      const lines = this.#before.filter(isNear).map(({ text }) => text);
      const entry = entryOf(file, line, before > 0 ? lines : undefined, after > 0 ? [] : undefined);
      this.#open.push({ entry, last });
    }
    if (isWhole) this.#before.push(line);
    // An entry may begin on the last of them.
    if (this.#before.length > before + 1) this.#before.shift();
  }
}

function valueEntry(
  { text, files }: NonNullable<ShownFile["value"]>,
  count: number,
  patterns: number[] = [],
): ValueEntry {
  return { value: text, count, files, ...(patterns.length > 0 && { patterns }) };
}

/** The keys are in the contract's order. */
function entryOf(
  { file, encoding }: ShownFile,
  { number, text, column, enclosing, isCut, patterns }: HitLine,
  before?: string[],
  after?: string[],
): MatchEntry {
  const entry: MatchEntry = { file, line_number: number, line: text };
  if (column !== undefined) entry.column = column;
  if (before !== undefined) entry.before = before;
  if (after !== undefined) entry.after = after;
  if (isCut) entry.line_truncated = true;
  if (patterns !== undefined) entry.patterns = patterns;
  if (enclosing !== undefined) {
    entry.enclosing = enclosing.map(({ number, text }) => ({ line_number: number, line: text }));
  }
  if (encoding !== undefined) entry.encoding = encoding;
  return entry;
}

export function statsOf(
  report: EngineReport,
  matched: number,
  elapsed: number,
  isResident: boolean | undefined,
): SearchStats {
  return {
    files_searched: report.filesSearched,
    files_matched: matched,
    skipped: Object.fromEntries(Object.entries(report.skipped).filter(([, count]) => count > 0)),
    bytes: report.bytesSearched,
    engine: report.engine,
    threads: report.threads,
    elapsed_ms: Math.round(elapsed),
    ...(isResident && { resident: true }),
  };
}

const ENTRIES_KEY = {
  content: "matches",
  file: "files",
  count: "counts",
  values: "values",
} as const;

/** The key of the entries in an answer, which may be without them. */
export function keyOfEntries(answer: SearchResult): string {
  return areDirectories(answer) ? "directories" : ENTRIES_KEY[answer.output_mode];
}

/** Whether the entries of an answer are directories. */
export function areDirectories(answer: SearchResult): boolean {
  const { directories, directories_more: more } = answer as Partial<FileResult>;
  return directories?.length === 0 && more === undefined;
}

/**
 * Builds an answer without its entries.
 *
 * @param entries the keys that stand for the list of entries
 */
export function buildResult(
  files: readonly ShownFile[],
  frame: AnswerFrame,
  query: Query,
  entries: object = { [ENTRIES_KEY[query.outputMode]]: [] },
): SearchResult {
  const { notShown, patternCounts, reduced, scope, topDirectories, total, truncated } = frame;
  const shown = frame.shown ?? entriesOfFiles(files);
  const notes = [...frame.engineNotes, ...frame.notes];
  const missing = missingKeys(notShown);
  return {
    pattern: frame.pattern ?? query.patterns.join("\n"),
    base_path: frame.basePaths[0]!,
    ...(frame.basePaths.length > 1 ? { base_paths: [...frame.basePaths] } : {}),
    output_mode: query.outputMode,
    ...entries,
    ...directoryKeys(frame),
    count: countOfFiles(files),
    ...(truncated ? { truncated, next_offset: query.offset + shown, ...totalKeys(total) } : {}),
    ...(reduced === undefined ? {} : { reduced: [...reduced] }),
    ...(patternCounts && {
      pattern_counts: truncated && !total.isLeast ? total.patternCounts : patternCounts(shown),
    }),
    ...(truncated && topDirectories ? { top_directories: topDirectories() } : {}),
    ...(scope === undefined ? missing : { scope: { ...scope, ...missing } }),
    ...lineKey(notShown),
    ...(notes.length > 0 ? { notes } : {}),
    ...(frame.stats === undefined ? {} : { stats: frame.stats }),
  } as SearchResult;
}

/** A listing names directories under a key of their own, even where they are its entries. */
function directoryKeys(
  { directories: { names, more } = { names: [], more: 0 }, listsDirectories }: AnswerFrame,
): object {
  if (listsDirectories) return { directories: [] };
  if (names.length + more === 0) return {};
  return { directories: [...names], ...(more > 0 && { directories_more: more }) };
}

function missingKeys({ rows, isInPart }: NotShownFrame = { rows: [], isInPart: false }): object {
  return {
    ...(rows.length > 0 && { not_shown: [...rows] }),
    ...(isInPart && { in_part: true }),
  };
}

function lineKey({ line }: Partial<NotShownFrame> = {}): object {
  return line === undefined ? {} : { not_shown_line: line };
}

function totalKeys({ count, files, isLeast }: Total): object {
  return isLeast ? { total_at_least: count } : { total: count, total_files: files };
}

export interface AnswerForm {
  /**
   * Writes a page piece by piece, so that whoever knows that it is too long need not read on.
   *
   * @param answer the answer without its entries
   */
  write(answer: SearchResult, files: readonly ShownFile[]): Iterable<string>;
  /** The characters that a piece counts for. @default its own */
  weigh?: ((piece: string) => number) | undefined;
  /** The keys that stand for the entries in an answer. @default the list of entries */
  entries?(files: readonly ShownFile[]): object;
  /** The form of what is found until a timeout, which goes into the JSON of the error. @default this one */
  partial?: AnswerForm;
}

/** A value as JSON, where every byte of it can be printed. */
export function written(value: unknown): string {
  return escapeControlsInJson(JSON.stringify(value));
}

/** An answer as JSON. */
export function jsonForm(weigh?: (json: string) => number): AnswerForm {
  return { write: (answer, files) => jsonOf(answer, entriesOf(files)), weigh };
}

/** Writes entry by entry: all at once would take three times the answer's size in memory. */
export function* jsonOf(answer: SearchResult, entries: Iterable<unknown>): Generator<string> {
  const key = keyOfEntries(answer);
  yield* inserted({ ...answer, [key]: [] }, `"${key}":[`, jsonItems(entries));
}

function* jsonItems(entries: Iterable<unknown>): Generator<string> {
  let separator = "";
  for (const entry of entries) {
    yield separator + written(entry);
    separator = ",";
  }
}

/** Writes an answer with something where its JSON has an empty value, `opened` by the key and a mark. */
export function* inserted(
  answer: object,
  opened: string,
  content: Iterable<string>,
): Generator<string> {
  const frame = written(answer);
  // Quotes in values are escaped, so that this is the key.
  const start = frame.indexOf(opened) + opened.length;
  yield frame.slice(0, start);
  yield* content;
  yield frame.slice(start);
}

/** The most of `count` things with which something fits: all of them, or so few that no more do. */
export function mostThatFit(count: number, fits: (count: number) => boolean): number {
  if (fits(count)) return count;
  let [least, most] = [0, count];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}
