/**
 * The shapes of a search result, the same for every engine and every caller.
 *
 * @module
 */

import type { ErrorAnswer } from "../util/errors.ts";
import type { OutputMode, OutputModeOf } from "../query/query.ts";

/** One matching line (with `multiline`, one match). */
export interface LineEntry {
  /** The number of the line, from 1. */
  line_number: number;
  /** The line without its line end; with `multiline` all lines of the match joined by `\n`. */
  line: string;
  /** The code point at which the match starts in the whole line, from 1. */
  column?: number;
  /** The lines before it, if context was requested. */
  before?: string[];
  /** The lines after it, if context was requested. */
  after?: string[];
  /** Set if the line was longer than the limit and is cut around the match. */
  line_truncated?: true;
  /** With several patterns, the indices of those that match. */
  patterns?: number[];
  /** With `showFunction`: the lines that open what encloses the match, outermost first, at most three. */
  enclosing?: EnclosingLine[];
}

/** A line that opens what encloses a match, such as the head of a function. */
export interface EnclosingLine {
  /** The number of the line, from 1. */
  line_number: number;
  /** The line without its line end. */
  line: string;
}

/** One matching line (with `multiline`, one match) and its file. */
export interface MatchEntry extends LineEntry {
  /** The canonical path, absolute or, on request, relative to the workspace root. */
  file: string;
  /** The requested encoding, if the file was decoded with it. */
  encoding?: string;
}

/** The number of matching lines of one file. */
export interface CountEntry {
  /** The canonical path, absolute or, on request, relative to the workspace root. */
  file: string;
  /** The number of matching lines. */
  count: number;
  /** With several patterns, the indices of those that match in the file. */
  patterns?: number[];
  /** The requested encoding, if the file was decoded with it. */
  encoding?: string;
}

/** A text that matches. */
export interface ValueEntry {
  /** The text as it is in the files, its first 200 characters; with one capturing group, what it captured. */
  value: string;
  /** How often it matches. */
  count: number;
  /** The number of files that it matches in. */
  files: number;
  /** With several patterns, the indices of those that match it. */
  patterns?: number[];
}

/** What was searched and skipped, on request. */
export interface SearchStats {
  /** Set if a resident search answered. */
  resident?: true;
  /** The number of files whose contents were searched. */
  files_searched: number;
  /** The number of those with a match (of a listing: all); a lower bound if counting was cut short. */
  files_matched: number;
  /** The numbers of skipped files and directories, by reason. */
  skipped: Record<string, number>;
  /** The number of bytes read. */
  bytes: number;
  /** The engine that answered. */
  engine: string;
  /** The number of threads that searched. */
  threads: number;
  /** Wall time of the whole search, in milliseconds. */
  elapsed_ms: number;
}

/**
 * What was searched for an answer to a tool call, and what was excluded. On a page of a longer answer, it
 * covers the whole search if `total` is known; with `total_at_least`, all numbers are lower bounds.
 */
export interface AnswerScope {
  /** The number of files that were searched or, by `glob`, of entries that were listed. */
  searched: number;
  /** The number of those with a match. */
  matched: number;
  /** With `everything`, whether nothing was left out, so that what was not found is not there. */
  everything?: boolean;
  /** The excluded files, if there are any. */
  left_out?: LeftOut;
  /** The matches in what was excluded or is written otherwise, if there are any. */
  not_shown?: NotShown[];
  /** Set if there was no time to look for all of these. */
  in_part?: true;
}

/** Matches that an answer does not show, all for one reason. */
export interface NotShown {
  /** Why: the first reason that applies to a file, in this order; `form`: the text is written otherwise. */
  cause:
    | "ignored"
    | "hidden"
    | "binary"
    | "too_large"
    | "compressed"
    | "encoding"
    | "link"
    | "worktree"
    | "form";
  /** The number of matching lines (with `multiline`, matches; of a listing, names), 1000 at most. */
  matches: number;
  /** Set if there are more. */
  more?: true;
  /** The number of files that hold them. */
  files: number;
  /** The first of these, as the answer writes paths. */
  first: string;
  /** The smallest change to the call that shows them: keys and their values; at the shell, options. */
  send: Record<string, unknown> | string;
}

/** The files that a walk excluded, by reason, except those that `include`, `exclude` or a type exclude. */
export interface LeftOut {
  /**
   * The topmost ignored entries, at most five, as paths relative to the workspace; those that everyone
   * ignores, such as `node_modules`, are named only if there are no others.
   */
  ignored?: string[];
  /** The number of further ignored entries, without those inside ignored directories. */
  ignored_more?: number;
  /** The number of entries that the guard blocks, `.git` aside. */
  blocked?: number;
  /** The rules that block them, at most three: names of the table, globs of `deny`, lines of exclusion files. */
  blocked_rules?: string[];
  /** The number of further rules. */
  blocked_rules_more?: number;
  /** The number of binary files, except archives. */
  binary?: number;
  /** The number of archives, by their first bytes. */
  archives?: number;
  /** With `everything`, the kinds of archives, such as `zip`, of which only the bytes were searched. */
  archive_kinds?: string[];
  /** The number of files over the size limit. */
  too_large?: number;
  /** The number of files in another encoding. */
  not_utf8?: number;
  /**
   * The number of unreadable files and directories; with `everything`, also pipes and devices, and files of
   * which a part could not be read.
   */
  unreadable?: number;
  /** The number of directories in which something vanished during the search. */
  vanished?: number;
  /** The number of links that were not followed to what was not searched. */
  links?: number;
  /** The number of git worktrees. */
  worktrees?: number;
  /** The paths, relative to the workspace, of what is excluded for a reason that at most three files have. */
  names?: NamesLeftOut;
}

/** The paths of the few files that an answer excludes for a reason. */
export interface NamesLeftOut {
  /** Binary files, except archives. */
  binary?: string[];
  /** Archives. */
  archives?: string[];
  /** Files over the size limit. */
  too_large?: string[];
  /** Files in another encoding. */
  not_utf8?: string[];
  /** Unreadable files and directories. */
  unreadable?: string[];
  /** Links that were not followed. */
  links?: string[];
}

/** The first keys of every result. */
export interface ResultHead {
  /** The pattern as given; several are joined by newlines. */
  pattern: string;
  /** The canonical path that was searched. */
  base_path: string;
  /** All searched paths, if there are several. */
  base_paths?: string[];
}

/**
 * What an answer loses to keep to its budget: the ends of a long pattern and of long notes, what it does not
 * show, enclosing lines, context, the parts of lines over 120 characters, the last entries.
 */
export type Reduction = "notes" | "not_shown" | "enclosing" | "context" | "lines" | "entries";

/** The last keys of every result. */
export interface ResultTail {
  /** The number of entries; in `count` and `values` mode, the sum of their counts. */
  count: number;
  /** Set if there are more entries. */
  truncated?: true;
  /** The `offset` of the next page. */
  next_offset?: number;
  /** The `count` of the answer without truncation. */
  total?: number;
  /** With `total`: the number of files of all those entries. */
  total_files?: number;
  /** Instead of `total`, a lower bound, if counting took more than another second. */
  total_at_least?: number;
  /** What was omitted to keep to `maxOutputChars`, in the order in which it was. */
  reduced?: Reduction[];
  /**
   * With several patterns, how much of `count` (or of `total`, if that is known) each of them matches, by
   * index. Absent for lines that do not match and for files without a match.
   */
  pattern_counts?: number[];
  /** What was searched and excluded; only in answers to tool calls. */
  scope?: AnswerScope;
  /**
   * With `explain`, the matches in what was excluded or is written otherwise, if there are any; in answers to
   * tool calls in `scope`. Where something was found, only if the search took less than 200 ms.
   */
  not_shown?: NotShown[];
  /** Set if there was no time to look for all of these. */
  in_part?: true;
  /**
   * Sentences for the caller. On a page of a longer answer, they cover what the whole search skipped if
   * `total` is known; with `total_at_least`, their numbers are lower bounds.
   */
  notes?: string[];
  /** What was searched and skipped, on request. */
  stats?: SearchStats;
}

/** The answer to a search in `content` mode. */
export type ContentResult =
  & ResultHead
  & { output_mode: "content"; matches: MatchEntry[] }
  & ResultTail;
/** The answer to a search in `file` mode. */
export type FileResult =
  & ResultHead
  & {
    output_mode: "file";
    files: string[];
    /**
     * From the tool `glob`: the directories that match, each with a slash at its end; on the first page, at most
     * 50 beside files. Where the pattern ends in a slash, these are the entries.
     */
    directories?: string[];
    /** The number of further directories. */
    directories_more?: number;
  }
  & ResultTail;
/** The answer to a search in `count` mode. */
export type CountResult = ResultHead & { output_mode: "count"; counts: CountEntry[] } & ResultTail;
/** The answer to a search in `values` mode: the different texts that match, the most frequent first. */
export type ValuesResult =
  & ResultHead
  & { output_mode: "values"; values: ValueEntry[] }
  & ResultTail;
/** The answer to a search. */
export type SearchResult = ContentResult | FileResult | CountResult | ValuesResult;
/** The answer to a `SearchQueryOf`: the type of its mode, or a union of those that it may have. */
export type SearchResultOf<Mode, WithoutMatch> = Extract<
  SearchResult,
  { output_mode: OutputModeOf<Mode, WithoutMatch> }
>;

/** An entry of a {@linkcode SearchResultOf}. */
export type SearchEntryOf<Mode, WithoutMatch> = {
  content: MatchEntry;
  file: string;
  count: CountEntry;
  values: ValueEntry;
}[OutputModeOf<Mode, WithoutMatch>];

/** An answer without its entries. */
export type SearchSummary = ResultHead & { output_mode: OutputMode } & ResultTail;

/** The answer of the tool `grep` with `response_format: "concise"`, in every mode. */
export type ConciseResult =
  & ResultHead
  & {
    output_mode: OutputMode;
    /** The entries as text: a path, then `line:text` and `line-context`. */
    text: string;
  }
  & ResultTail;

/** The answer of the tool `read_file` for several paths: for each its answer or error, as for it alone. */
export interface ReadFilesAnswer {
  /** In the order of the paths. */
  files: (ReadFileAnswer | OutlineAnswer | FileResult | ErrorAnswer)[];
  /** Sentences for the caller. */
  notes?: string[];
}

/** A line that opens a function, a type or a section. */
export interface OutlineLine {
  /** Its number, from 1. */
  line_number: number;
  /** The last line of what it opens, where that is sure. */
  end_line?: number;
  /** How many lines of the outline it stands in. */
  depth: number;
  /** The line, its first 500 characters. */
  line: string;
}

/** The answer of the tool `read_file` with `outline`. */
export interface OutlineAnswer {
  /** The canonical path. */
  file: string;
  /** The number of lines in the file. */
  total_lines: number;
  /** The lines that open something. */
  outline: OutlineLine[];
  /** Set if there are more. */
  truncated?: true;
  /** The `offset` of the next of them. */
  next_offset?: number;
  /** Sentences for the caller. */
  notes?: string[];
}

/** The answer of the tool `read_file`. */
export interface ReadFileAnswer {
  /** The canonical path. */
  file: string;
  /** The number of the first line, from 1. */
  start_line: number;
  /** The number of lines in `lines`. */
  line_count: number;
  /** The number of lines in the file. */
  total_lines: number;
  /** The lines without their line ends. */
  lines: string[];
  /** Set if there are more lines. */
  truncated?: true;
  /** The `offset` of the next lines. */
  next_offset?: number;
  /** The outline of the lines after these, at most 40 lines. */
  outline_of_rest?: OutlineLine[];
  /** Sentences for the caller. */
  notes?: string[];
}
