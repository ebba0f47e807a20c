/**
 * What is answered: the shapes of a search result, on every engine and every way in.
 *
 * @module
 */

import type { OutputMode, OutputModeOf } from "./query.ts";

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
  /** Of several patterns, those that match, by index from 0. */
  patterns?: number[];
  /** With `showFunction`: the lines that open what the match stands in, outermost first, at most three. */
  enclosing?: EnclosingLine[];
}

/** A line that opens what a match stands in, such as the head of a function. */
export interface EnclosingLine {
  /** From 1. */
  line_number: number;
  /** The line without its line end. */
  line: string;
}

/** One matching line (with `multiline`, one match) and the file that it is in. */
export interface MatchEntry extends LineEntry {
  /** The canonical path: absolute or, if that was asked for, relative to the workspace root. */
  file: string;
  /** The encoding that was named for files that are not UTF-8, if this is one. */
  encoding?: string;
}

/** How many lines of one file match. */
export interface CountEntry {
  /** The canonical path: absolute or, if that was asked for, relative to the workspace root. */
  file: string;
  /** Matching lines. */
  count: number;
  /** Of several patterns, those that match in the file, by index from 0. */
  patterns?: number[];
  /** The encoding that was named for files that are not UTF-8, if this is one. */
  encoding?: string;
}

/** What was searched and what was left out, on request. */
export interface SearchStats {
  /** A resident search answered. */
  resident?: true;
  /** Files whose contents were searched. */
  files_searched: number;
  /** Those of them with a match; of a listing, all. At least, where counting was cut short. */
  files_matched: number;
  /** Files and directories left out, by reason. */
  skipped: Record<string, number>;
  /** Bytes read. */
  bytes: number;
  /** The engine that answered. */
  engine: string;
  /** Threads that searched. */
  threads: number;
  /** Wall time of the whole search, in milliseconds. */
  elapsed_ms: number;
}

/**
 * How much was searched for an answer, and what was excluded: every answer to a tool call says so. On a page
 * of a longer answer, it is about the whole search where that has been finished (`total` is known); with
 * `total_at_least`, there are at least so many of everything.
 */
export interface AnswerScope {
  /** Files whose contents were searched; of a listing, files that were listed. */
  searched: number;
  /** Those of them with a match. */
  matched: number;
  /** What was excluded, if anything was. */
  left_out?: LeftOut;
}

/** What a walk excluded, by reason, apart from files that `include`, `exclude` or a type exclude anyway. */
export interface LeftOut {
  /**
   * The topmost entries that ignore rules exclude, five at most, as paths relative to the workspace; such as
   * everyone ignores (`node_modules`) are named only where nothing else is.
   */
  ignored?: string[];
  /** How many more ignored entries there are; what is in an ignored directory does not count. */
  ignored_more?: number;
  /** Entries that the guard blocks, `.git` apart. */
  blocked?: number;
  /** Binary files. */
  binary?: number;
  /** Files over the size limit. */
  too_large?: number;
  /** Files in an encoding that is not read. */
  not_utf8?: number;
  /** Files and directories that cannot be read. */
  unreadable?: number;
  /** Git worktrees. */
  worktrees?: number;
}

/** What every result begins with. */
export interface ResultHead {
  /** The pattern as given; several are joined by newlines. */
  pattern: string;
  /** The canonical path that was searched. */
  base_path: string;
  /** All of them, where there are several. */
  base_paths?: string[];
}

/**
 * What a budget takes away: the end of a long pattern and of long notes, what encloses matches, all context,
 * what is more than 120 characters of a line, entries at the end.
 */
export type Reduction = "notes" | "enclosing" | "context" | "lines" | "entries";

/** What every result ends with. */
export interface ResultTail {
  /** The number of entries (in `count` mode: the sum). */
  count: number;
  /** There are more entries than were given. */
  truncated?: true;
  /** The `offset` that gives the next entries. */
  next_offset?: number;
  /** Of a truncated answer: what `count` would be without the cut. */
  total?: number;
  /** With `total`: the files of all those entries. */
  total_files?: number;
  /** In place of `total`, when counting took more than another second: what was found until then. */
  total_at_least?: number;
  /** What is missing so that the answer keeps to `maxOutputChars`, in this order. */
  reduced?: Reduction[];
  /**
   * Of several patterns, by index: how much of `count` each matches. Of a truncated answer it is how much of
   * `total`, where that is known. Lines that do not match, and files without a match, have no patterns.
   */
  pattern_counts?: number[];
  /** In answers to tool calls. */
  scope?: AnswerScope;
  /**
   * Sentences for the caller. A page of a longer answer in path order reports what was left out up to its
   * last path.
   */
  notes?: string[];
  /** On request. */
  stats?: SearchStats;
}

/** The answer to a search in `content` mode. */
export type ContentResult =
  & ResultHead
  & { output_mode: "content"; matches: MatchEntry[] }
  & ResultTail;
/** The answer to a search in `file` mode. */
export type FileResult = ResultHead & { output_mode: "file"; files: string[] } & ResultTail;
/** The answer to a search in `count` mode. */
export type CountResult = ResultHead & { output_mode: "count"; counts: CountEntry[] } & ResultTail;
/** The answer to a search. */
export type SearchResult = ContentResult | FileResult | CountResult;
/** The answer to a `SearchQueryOf`: in the mode that it asks for, or a union of those that it may ask for. */
export type SearchResultOf<Mode, WithoutMatch> = Extract<
  SearchResult,
  { output_mode: OutputModeOf<Mode, WithoutMatch> }
>;

/** An entry of a {@linkcode SearchResultOf}. */
export type SearchEntryOf<Mode, WithoutMatch> = {
  content: MatchEntry;
  file: string;
  count: CountEntry;
}[OutputModeOf<Mode, WithoutMatch>];

/** What an answer says besides its entries. */
export type SearchSummary = ResultHead & { output_mode: OutputMode } & ResultTail;

/** The answer of the tool `grep` with `response_format: "concise"`, in every mode. */
export type ConciseResult =
  & ResultHead
  & {
    output_mode: OutputMode;
    /** In place of the list of entries: a path, then `line:text` and `line-context`. */
    text: string;
  }
  & ResultTail;

/** A note that does not depend on the query. */
export interface StandingNote {
  readonly text: string;
  /** What it is about: a session says one note on that. */
  readonly subject: string;
}

/** The answer of the tool `read_file`. */
export interface ReadFileAnswer {
  /** The canonical path. */
  file: string;
  /** The number of the first line, from 1. */
  start_line: number;
  /** How many lines there are in `lines`. */
  line_count: number;
  /** How many lines the file has. */
  total_lines: number;
  /** The lines without their line ends. */
  lines: string[];
  /** There are more lines than were given. */
  truncated?: true;
  /** The `offset` that gives the next lines. */
  next_offset?: number;
  /** Sentences for the caller. */
  notes?: string[];
}
