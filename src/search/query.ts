/**
 * What is asked: the search query as callers write it, and as the search reads it.
 *
 * @module
 */

import type { EngineName } from "../engines/engine.ts";
import type { GlobPlace } from "../scan/glob_places.ts";

/** How an answer is laid out: matching lines, matching files, or matching lines counted per file. */
export type OutputMode = "content" | "file" | "count";

export type { EngineName };

/** The order of the entries of an answer. */
export type SortOrder = "path" | "modified" | "none";

/**
 * A search, as library callers write it. Only `pattern` is required.
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
   * A JavaScript regular expression, matched line by line. Of several, any may match: each entry says in
   * `patterns` which do, and the answer in `pattern_counts` how much of its count each matches.
   */
  pattern: string | readonly string[];
  /**
   * A directory (searched recursively) or a file (only that file), absolute or relative to the
   * workspace. @default every root of the workspace
   */
  path?: string | readonly string[] | undefined;
  /** Globs of files to search; `!` before one excludes. @default all files */
  include?: string | readonly string[] | undefined;
  /** Globs of files not to search. @default none */
  exclude?: string | readonly string[] | undefined;
  /** File types by ripgrep's names, such as `ts`, or by names of languages. @default all */
  type?: string | readonly string[] | undefined;
  /** File types not to search. @default none */
  typeNot?: string | readonly string[] | undefined;
  /**
   * What an entry is: a matching line, a file, or a file's count. With `filesWithoutMatch` the default is
   * `file`. @default "content"
   */
  outputMode?: OutputMode | undefined;
  /** Which program searches; the answer is the same. @default "auto" */
  engine?: EngineName | "auto" | undefined;
  /** Letters match in either case. @default false */
  caseInsensitive?: boolean | undefined;
  /** `caseInsensitive` unless the pattern holds a capital letter. @default false */
  smartCase?: boolean | undefined;
  /** The pattern is text, not a regular expression. @default false */
  fixedStrings?: boolean | undefined;
  /** A match must be a whole word (Unicode word characters). @default false */
  wholeWord?: boolean | undefined;
  /** A match must be a whole line. @default false */
  wholeLine?: boolean | undefined;
  /** Lines that do not match. @default false */
  invert?: boolean | undefined;
  /** A match may span lines. @default false */
  multiline?: boolean | undefined;
  /**
   * One entry per match with a character or more, its `line` the matched text only. In count mode every
   * match counts, also one without a character. @default false
   */
  onlyMatching?: boolean | undefined;
  /** The files without a match, in file or count mode. @default false */
  filesWithoutMatch?: boolean | undefined;
  /** Lines of context before and after each match; 1000 at most. @default 0 */
  context?: number | undefined;
  /** Lines of context before each match. @default `context` */
  before?: number | undefined;
  /** Lines of context after each match. @default `context` */
  after?: number | undefined;
  /** Matching lines per file, at most. @default no limit */
  maxCount?: number | undefined;
  /** Entries in the answer, at most; 0: no limit. @default 1000 */
  maxResults?: number | undefined;
  /** What more entries than `maxResults` mean. @default "error" */
  onOverflow?: "error" | "truncate" | undefined;
  /** Entries left out at the start; implies truncation. @default 0 */
  offset?: number | undefined;
  /** Files met in a walk that are larger than this many bytes are skipped; 0: none. @default 1048576 */
  maxFileSize?: number | undefined;
  /**
   * The encoding of files that are neither UTF-8 nor marked as UTF-16, by a label of the Encoding
   * Standard such as `gbk`; with `utf-8` they are skipped. @default "utf-8"
   */
  encoding?: string | undefined;
  /**
   * Binary files, and those that are not UTF-8, are searched as text, with U+FFFD for what is no
   * character of the encoding. @default false
   */
  text?: boolean | undefined;
  /** Lines longer than this many characters are cut around the match; 0: none. @default 2000 */
  maxLineLength?: number | undefined;
  /**
   * Characters in the whole answer, at most. A longer one is an error or, with `onOverflow: "truncate"`,
   * shortened: `reduced` says how. @default no limit
   */
  maxOutputChars?: number | undefined;
  /** Directory levels below the searched directory, at most. @default no limit */
  maxDepth?: number | undefined;
  /** Milliseconds until the search fails; 0: no limit. @default 30000 */
  timeout?: number | undefined;
  /** `path` is by bytes; `modified` newest first. @default "path" */
  sort?: SortOrder | undefined;
  /** Files and directories whose names start with a dot are searched. @default true */
  hidden?: boolean | undefined;
  /** Ignore files count. @default true */
  ignore?: boolean | undefined;
  /** Symbolic links met in a walk are followed, inside the workspace. @default false */
  follow?: boolean | undefined;
  /**
   * Each entry names the lines that open what its match stands in, such as the head of a function; with
   * `"auto"` in an answer of at most 30 entries that has room for them. @default "never"
   */
  showFunction?: "auto" | "never" | "always" | undefined;
  /** Each entry says the column of its match. @default false */
  column?: boolean | undefined;
  /** Whether files are named from the root of the file system or of the workspace. @default "absolute" */
  paths?: "absolute" | "relative" | undefined;
  /**
   * `true` or `"auto"`: an empty answer says why, in notes. It takes at most 500 ms more, or as long
   * again as the search took. @default "never"
   */
  explain?: boolean | "auto" | "never" | undefined;
  /** The answer says what was searched and skipped. @default false */
  stats?: boolean | undefined;
  /** Globs that lift the guard. @default none */
  allow?: string | readonly string[] | undefined;
  /** Globs that the guard blocks besides its own table. @default none */
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

/** A query with a value for every key; strings are a list, however they were given. */
export type FilledQuery = {
  [Key in keyof SearchQuery]-?: readonly string[] extends SearchQuery[Key] ? readonly string[]
    : NonNullable<SearchQuery[Key]>;
};

/** A query with every default filled in and every value checked. */
export interface SearchSettings
  extends Omit<FilledQuery, "pattern" | "path" | "context" | "paths" | "explain"> {
  patterns: readonly string[];
  /** `path` of the query; its `paths` is `relativePaths`. */
  paths: readonly string[];
  /** What messages call `include`. */
  includeKey: "include" | "pattern";
  /** Where globs apply that begin with a directory of the workspace. */
  places: readonly GlobPlace[];
  relativePaths: boolean;
  /** Whether an empty answer says why. */
  explain: boolean;
}
