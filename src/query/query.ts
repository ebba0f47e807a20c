/**
 * The search query, as callers write it and as the search reads it.
 *
 * @module
 */

import type { GlobPlace, GlobsWithin } from "../glob/glob_paths.ts";

/**
 * The kind of entry an answer has: matching lines, matching files, counts of matching lines per file, or the
 * different texts that match.
 */
export type OutputMode = "content" | "file" | "count" | "values";

/** The program that searches. */
export type EngineName = "js" | "rg" | "git" | "grep";

/** The order of the entries of an answer. */
export type SortOrder = "path" | "modified" | "none";

/**
 * A search. Only `pattern` is required.
 *
 * @example
 * ```ts
 * import type { SearchQuery } from "@x/pathgrep";
 *
 * const query: SearchQuery = { pattern: "TODO|FIXME", path: "src", include: "*.ts", context: 2 };
 * ```
 */
export interface SearchQuery {
  /**
   * A JavaScript regular expression, matched line by line. With several, a line matches if any of them
   * does; `patterns` in each entry and `pattern_counts` in the answer tell them apart.
   */
  pattern: string | readonly string[];
  /**
   * A directory (searched recursively) or a file (only that file), absolute or relative to the
   * workspace. @default every root of the workspace
   */
  path?: string | readonly string[] | undefined;
  /** Globs of files to search; a leading `!` excludes. @default all files */
  include?: string | readonly string[] | undefined;
  /** Globs of files and directories to exclude. @default none */
  exclude?: string | readonly string[] | undefined;
  /** File types to search: ripgrep's names, such as `ts`, or names of languages. @default all */
  type?: string | readonly string[] | undefined;
  /** File types to exclude. @default none */
  typeNot?: string | readonly string[] | undefined;
  /**
   * The kind of entry: a matching line, a file, a file's count, or a text that matches (with one capturing
   * group, what it captured, where it took part), the most frequent first. With `filesWithoutMatch`, the default is
   * `file`. @default "content"
   */
  outputMode?: OutputMode | undefined;
  /** The program to search with; the answer is the same. @default "auto" */
  engine?: EngineName | "auto" | undefined;
  /** Whether to ignore letter case. @default false */
  caseInsensitive?: boolean | undefined;
  /** Whether to ignore letter case unless the pattern has a capital letter. @default false */
  smartCase?: boolean | undefined;
  /** Whether the pattern is plain text, not a regular expression. @default false */
  fixedStrings?: boolean | undefined;
  /** Whether to match whole words only (Unicode word characters). @default false */
  wholeWord?: boolean | undefined;
  /** Whether to match whole lines only. @default false */
  wholeLine?: boolean | undefined;
  /** Whether to select the lines that do not match. @default false */
  invert?: boolean | undefined;
  /** Whether a match may span lines. @default false */
  multiline?: boolean | undefined;
  /**
   * Whether each non-empty match is an entry of its own, whose `line` is only the matched text. In count
   * mode every match counts, even an empty one. @default false
   */
  onlyMatching?: boolean | undefined;
  /** Whether to select the files without a match, in file or count mode. @default false */
  filesWithoutMatch?: boolean | undefined;
  /** Lines of context before and after each match, at most 1000. @default 0 */
  context?: number | undefined;
  /** Lines of context before each match. @default `context` */
  before?: number | undefined;
  /** Lines of context after each match. @default `context` */
  after?: number | undefined;
  /** Maximum number of matching lines per file. @default no limit */
  maxCount?: number | undefined;
  /** Maximum number of entries; 0: no limit. @default 1000 */
  maxResults?: number | undefined;
  /** What to do with more than `maxResults` entries. @default "error" */
  onOverflow?: "error" | "truncate" | undefined;
  /** Number of entries to skip; implies truncation. @default 0 */
  offset?: number | undefined;
  /** Size in bytes above which a walk skips files; 0: no limit. @default 1048576 */
  maxFileSize?: number | undefined;
  /**
   * The encoding of files that are neither UTF-8 nor marked as UTF-16, by a label of the Encoding
   * Standard such as `gbk`; with `utf-8` they are skipped. @default "utf-8"
   */
  encoding?: string | undefined;
  /**
   * Whether to search binary and non-UTF-8 files as text, with U+FFFD in place of invalid
   * bytes. @default false
   */
  text?: boolean | undefined;
  /** Length in characters above which lines are cut around the match; 0: no limit. @default 2000 */
  maxLineLength?: number | undefined;
  /**
   * Maximum length of the whole answer, in characters. A longer one is an error or, with
   * `onOverflow: "truncate"`, shortened; `reduced` says how. @default no limit
   */
  maxOutputChars?: number | undefined;
  /** Maximum number of directory levels below the searched directory. @default no limit */
  maxDepth?: number | undefined;
  /** Time limit in milliseconds; 0: no limit. @default 30000 */
  timeout?: number | undefined;
  /** Order of the entries: `path` compares bytes, `modified` is newest first. @default "path" */
  sort?: SortOrder | undefined;
  /** Whether to search hidden files and directories. @default true */
  hidden?: boolean | undefined;
  /** Whether to apply ignore files. @default true */
  ignore?: boolean | undefined;
  /** Whether a walk follows symbolic links within the workspace. @default false */
  follow?: boolean | undefined;
  /**
   * Whether to search all that the guard allows: ignored and binary files and those of any size, gzip
   * files unpacked, what is not UTF-8 in any encoding in which it matches, what links within the
   * workspace lead to, and git worktrees. Other options that are given win. @default false
   */
  everything?: boolean | undefined;
  /**
   * Whether entries name the lines that open what encloses the match, such as the head of a function;
   * `"auto"`: in an answer of at most 30 entries that has room for them. @default "never"
   */
  showFunction?: "auto" | "never" | "always" | undefined;
  /** Whether entries have the column of their match. @default false */
  column?: boolean | undefined;
  /** Whether file names are absolute or relative to the workspace root. @default "absolute" */
  paths?: "absolute" | "relative" | undefined;
  /**
   * Whether the notes of an empty answer explain it (`true` is `"auto"`). This takes at most 500 ms, or
   * as long as the search took. @default "never"
   */
  explain?: boolean | "auto" | "never" | undefined;
  /** Whether to report what was searched and skipped. @default false */
  stats?: boolean | undefined;
  /** Globs of paths to allow although the guard refuses them. @default none */
  allow?: string | readonly string[] | undefined;
  /** Globs of paths to block besides the built-in ones. @default none */
  deny?: string | readonly string[] | undefined;
}

/**
 * Any {@linkcode SearchQuery}; the type of the result depends on the types of its `outputMode` and
 * `filesWithoutMatch`.
 */
export type SearchQueryOf<Mode, WithoutMatch> =
  // The first takes every query. The others have the compiler infer both, `undefined` included.
  | SearchQuery
  | SearchQuery & { outputMode: Mode }
  | SearchQuery & { filesWithoutMatch: WithoutMatch };

/** The mode of the answer to a {@linkcode SearchQueryOf}. */
export type OutputModeOf<Mode, WithoutMatch> = Mode extends OutputMode ? Mode
  : WithoutMatch extends true ? "file"
  : "content";

/** Changes to the options of a call; an option that is `undefined` is to be omitted. */
export type Change = Partial<Record<keyof SearchQuery, SearchQuery[keyof SearchQuery]>>;

/** A value for every key of a query; strings are a list, however they were given. */
export type QueryValues = {
  [Key in keyof SearchQuery]-?: readonly string[] extends SearchQuery[Key] ? readonly string[]
    : NonNullable<SearchQuery[Key]>;
};

/**
 * A query with every default filled in and every value checked, frozen. `prepare.ts` makes a second one, once
 * the globs of filters have been compared with what is on the disk.
 */
export interface Query
  extends Readonly<Omit<QueryValues, "pattern" | "path" | "context" | "paths" | "explain">> {
  readonly patterns: readonly string[];
  /** Whether files are listed, not searched; then its pattern is what the answer shows. */
  readonly isListing: boolean;
  /** `path` of the query; its `paths` is `relativePaths`. */
  readonly paths: readonly string[];
  /** What messages call `include`. */
  readonly includeKey: "include" | "pattern";
  /** Where globs apply that begin with a directory of the workspace. */
  readonly places: readonly GlobPlace[];
  /** What is searched below directories that globs given as paths lead to. */
  readonly within: GlobsWithin | undefined;
  readonly relativePaths: boolean;
  /** Whether the caller named an order. */
  readonly isSorted: boolean;
  /** Whether an empty answer says why. */
  readonly explain: boolean;
  /** Whether what is not UTF-8 is read in any encoding in which it matches. */
  readonly anyEncoding: boolean;
  /** What shows all that is allowed, together with `everything`. */
  readonly lifted: Partial<SearchQuery>;
}
