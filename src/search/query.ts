/**
 * What is asked: the search query, its defaults and its checks.
 *
 * @module
 */

import { didYouMean } from "../util/closest.ts";
import { PathgrepError, shown } from "../util/errors.ts";

/** How an answer is laid out: matching lines, matching files, or matching lines counted per file. */
export type OutputMode = "content" | "file" | "count";

/** Which program reads the files. */
export type EngineName = "js" | "rg" | "git" | "grep";

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
  /** A JavaScript regular expression, matched line by line; of several, any matches. */
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
  /** File types by ripgrep's names, such as `ts`. @default all */
  type?: string | readonly string[] | undefined;
  /** File types not to search. @default none */
  typeNot?: string | readonly string[] | undefined;
  /** What an entry is: a matching line, a file, or a file's count. @default "content" */
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
  /** One entry per match, its `line` the matched text only. @default false */
  onlyMatching?: boolean | undefined;
  /** In file mode: the files without a match. @default false */
  filesWithoutMatch?: boolean | undefined;
  /** Lines of context before and after each match; 1000 at most. @default 0 */
  context?: number | undefined;
  /** Lines of context before each match. @default `context` */
  before?: number | undefined;
  /** Lines of context after each match. @default `context` */
  after?: number | undefined;
  /** Matching lines per file, at most. @default no limit */
  maxCount?: number | undefined;
  /** Entries in the answer, at most. @default 1000 */
  maxResults?: number | undefined;
  /** What more entries than `maxResults` mean. @default "error" */
  onOverflow?: "error" | "truncate" | undefined;
  /** Entries left out at the start; implies truncation. @default 0 */
  offset?: number | undefined;
  /** Files met in a walk that are larger than this many bytes are skipped; 0: none. @default 1048576 */
  maxFileSize?: number | undefined;
  /** Lines longer than this many characters are cut around the match; 0: none. @default 2000 */
  maxLineLength?: number | undefined;
  /** Characters in the whole answer, at most. @default no limit */
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
  /** Each entry says the column of its match. @default false */
  column?: boolean | undefined;
  /** Whether files are named from the root of the file system or of the workspace. @default "absolute" */
  paths?: "absolute" | "relative" | undefined;
  /** The answer says what was searched and skipped. @default false */
  stats?: boolean | undefined;
  /** Globs that lift the guard. @default none */
  allow?: string | readonly string[] | undefined;
  /** Globs that the guard blocks besides its own table. @default none */
  deny?: string | readonly string[] | undefined;
}

/** A query with every default filled in and every value checked. */
export interface SearchSettings {
  patterns: readonly string[];
  paths: readonly string[];
  include: readonly string[];
  /** What the caller calls `include`, for messages. */
  includeKey: "include" | "pattern";
  exclude: readonly string[];
  type: readonly string[];
  typeNot: readonly string[];
  outputMode: OutputMode;
  engine: EngineName | "auto";
  caseInsensitive: boolean;
  smartCase: boolean;
  fixedStrings: boolean;
  wholeWord: boolean;
  wholeLine: boolean;
  invert: boolean;
  multiline: boolean;
  onlyMatching: boolean;
  filesWithoutMatch: boolean;
  before: number;
  after: number;
  maxCount: number;
  maxResults: number;
  onOverflow: "error" | "truncate";
  offset: number;
  maxFileSize: number;
  maxLineLength: number;
  maxOutputChars: number;
  maxDepth: number;
  timeout: number;
  sort: SortOrder;
  hidden: boolean;
  ignore: boolean;
  follow: boolean;
  column: boolean;
  relativePaths: boolean;
  stats: boolean;
  allow: readonly string[];
  deny: readonly string[];
}

/** How each key of a query is checked. A key that is not here is unknown. */
const KEYS: Record<keyof SearchQuery, "strings" | "boolean" | readonly string[] | { min: number }> =
  {
    pattern: "strings",
    path: "strings",
    include: "strings",
    exclude: "strings",
    type: "strings",
    typeNot: "strings",
    outputMode: ["content", "file", "count"],
    engine: ["auto", "js", "rg", "git", "grep"],
    caseInsensitive: "boolean",
    smartCase: "boolean",
    fixedStrings: "boolean",
    wholeWord: "boolean",
    wholeLine: "boolean",
    invert: "boolean",
    multiline: "boolean",
    onlyMatching: "boolean",
    filesWithoutMatch: "boolean",
    context: { min: 0 },
    before: { min: 0 },
    after: { min: 0 },
    maxCount: { min: 1 },
    maxResults: { min: 1 },
    onOverflow: ["error", "truncate"],
    offset: { min: 0 },
    maxFileSize: { min: 0 },
    maxLineLength: { min: 0 },
    maxOutputChars: { min: 1 },
    maxDepth: { min: 0 },
    timeout: { min: 0 },
    sort: ["path", "modified", "none"],
    hidden: "boolean",
    ignore: "boolean",
    follow: "boolean",
    column: "boolean",
    paths: ["absolute", "relative"],
    stats: "boolean",
    allow: "strings",
    deny: "strings",
  };

/**
 * Checks a query and fills in the defaults.
 *
 * @throws {PathgrepError} `invalid_input`, naming the key, what came and what is accepted
 */
export function readQuery(query: SearchQuery): SearchSettings {
  if (typeof query !== "object" || query === null) throw invalid(`a query must be an object`);
  for (const [key, value] of Object.entries(query)) checkKey(key, value);
  const patterns = list(query.pattern);
  if (patterns.length === 0) {
    throw invalid("pattern is missing; give the text or expression to search for");
  }
  if (patterns.includes("")) {
    throw invalid("pattern is empty; give the text or expression to search for");
  }
  const context = query.context ?? 0;
  const offset = query.offset ?? 0;
  return {
    patterns,
    paths: list(query.path),
    include: list(query.include),
    includeKey: "include",
    exclude: list(query.exclude),
    type: list(query.type),
    typeNot: list(query.typeNot),
    outputMode: query.outputMode ?? "content",
    engine: query.engine ?? "auto",
    caseInsensitive: query.caseInsensitive ?? false,
    smartCase: query.smartCase ?? false,
    fixedStrings: query.fixedStrings ?? false,
    wholeWord: query.wholeWord ?? false,
    wholeLine: query.wholeLine ?? false,
    invert: query.invert ?? false,
    multiline: query.multiline ?? false,
    onlyMatching: query.onlyMatching ?? false,
    filesWithoutMatch: query.filesWithoutMatch ?? false,
    before: query.before ?? context,
    after: query.after ?? context,
    maxCount: query.maxCount ?? Infinity,
    maxResults: query.maxResults ?? 1000,
    onOverflow: query.offset === undefined ? query.onOverflow ?? "error" : "truncate",
    offset,
    maxFileSize: query.maxFileSize === 0 ? Infinity : query.maxFileSize ?? 1_048_576,
    maxLineLength: query.maxLineLength ?? 2000,
    maxOutputChars: query.maxOutputChars ?? Infinity,
    maxDepth: query.maxDepth ?? Infinity,
    timeout: query.timeout ?? 30_000,
    sort: query.sort ?? "path",
    hidden: query.hidden ?? true,
    ignore: query.ignore ?? true,
    follow: query.follow ?? false,
    column: query.column ?? false,
    relativePaths: query.paths === "relative",
    stats: query.stats ?? false,
    allow: list(query.allow),
    deny: list(query.deny),
  };
}

function checkKey(key: string, value: unknown): void {
  if (!Object.hasOwn(KEYS, key)) {
    const known = Object.keys(KEYS);
    throw invalid(
      `unknown key ${shown(key)}${didYouMean(key, known)}; known keys are ${known.join(", ")}`,
    );
  }
  if (value === undefined) return;
  const accepted = KEYS[key as keyof SearchQuery];
  if (accepted === "boolean") {
    if (typeof value !== "boolean") throw unaccepted(key, value, "true or false");
  } else if (accepted === "strings") {
    const values = Array.isArray(value) ? value : [value];
    if (!values.every((item) => typeof item === "string")) {
      throw unaccepted(key, value, "a string or an array of strings");
    }
  } else if ("min" in accepted) {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < accepted.min) {
      throw unaccepted(key, value, `a whole number from ${accepted.min}`);
    }
  } else if (!accepted.includes(value as string)) {
    throw unaccepted(key, value, `one of ${accepted.join(", ")}`);
  }
}

function unaccepted(key: string, value: unknown, accepted: string): PathgrepError {
  return invalid(`${key} must be ${accepted}, got ${shown(value)}`);
}

function invalid(detail: string): PathgrepError {
  return new PathgrepError("invalid_input", detail);
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** Whether every glob of a query means the same below a directory as above it. */
export function isPathFree(
  { include, exclude }: Pick<SearchSettings, "include" | "exclude">,
): boolean {
  return [...include, ...exclude].every((glob) => /^!?(?:\*\*\/)?[^/]*$/.test(glob));
}
