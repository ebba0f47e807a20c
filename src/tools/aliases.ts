/**
 * Keys, values and tool names that models know from other tools, and what they are called here.
 * A name with only one meaning is read that way. For the others, the error suggests our own.
 *
 * @module
 */

import { flagsOf } from "./query_fields.ts";
import { valueAt } from "../util/collections.ts";

/** Our words, each with those that mean the same elsewhere. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

/** The words of a text, which takes fewer lines than a list of them. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

/** A table whose keys are single words, from one in which words with the same value share a row. */
function byWord<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const entries = Object.entries(rows)
    .flatMap(([row, value]) => words(row).map((word) => [word, value] as const));
  return Object.fromEntries(entries);
}

/** Keys that are read as our own keys. So are the option's names on the command line. */
const KEYS: Synonyms = {
  pattern: words(`
    query queries patterns -e regex regexp search_term search_pattern search_query expression
  `),
  path: words(`
    dir_path directory directory_path dir file_path absolute_path absolute_file_path filepath file
    folder folder_path cwd workdir base_path search_path search_directory root_path relative_path
    working_dir working_directory target_directory target_directories target_file
    relative_workspace_path directory_absolute_path
  `),
  include: words(`
    globs includes include_pattern include_patterns include_glob file_pattern file_patterns
    file_glob glob_pattern glob_filter
  `),
  exclude: words(`
    exclude_pattern exclude_patterns excludes exclude_glob exclude_globs ignore_patterns
  `),
  type: ["file_type", "filetype", "types"],
  output_mode: ["mode"],
  case_insensitive: ["icase"],
  fixed_strings: ["literal", "fixed", "is_literal", "fixed_string"],
  whole_word: ["whole_words", "match_whole_word"],
  multiline: ["multi_line"],
  files_without_match: ["-L", "files_without_matches"],
  context: ["context_lines", "num_context_lines", "lines_of_context", "surrounding_lines"],
  before: ["context_before", "lines_before"],
  after: ["context_after", "lines_after"],
  max_results: words("head_limit limit num_results result_limit max_num_results total_max_matches"),
  max_count: ["max_matches_per_file", "max_count_per_file"],
  offset: ["skip"],
  no_ignore: ["-u", "unrestricted", "include_ignored_files", "include_ignored"],
  encoding: ["charset", "file_encoding", "text_encoding"],
  search_binary: words(`
    binary include_binary include_binary_files search_binary_files treat_binary_as_text
  `),
  paths: ["path_style", "path_format"],
  as: ["purpose"],
};

/** For `glob`, the pattern is a glob, and not a regular expression. */
const GLOB_PATTERN = words(`
  glob globs glob_pattern patterns include include_pattern file_pattern file_glob query search_query
`);

/** Keys of one tool that mean something else in others, and what is read as them there. */
const KEYS_OF_ONE: Synonyms = {
  "glob.pattern": GLOB_PATTERN,
  "read_file.offset": words(`
    start_line line_start line_offset start_line_one_indexed first_line from_line start_line_number
    line_number line
  `),
  "read_file.limit": words("n_lines num_lines max_lines number_of_lines line_limit"),
  "read_file.end_line": words(`
    line_end end_line_one_indexed_inclusive last_line to_line end_line_number
  `),
};

/** Keys for the first and the last line to read. */
const LINE_RANGE = words("view_range line_range lines");

/** Keys that ask for the whole of a file. */
const WHOLE_FILE = words("should_read_entire_file read_entire_file entire_file");

/** Keys that may mean one of ours, but also something else: never used, but errors name ours. */
const LIKELY_KEYS: Synonyms = {
  pattern: ["search", "text", "needle", "name"],
  path: ["filename", "file_name", "root", "location"],
  include: ["filter", "files", "extension", "extensions", "file_extension"],
  exclude: ["ignore", "exclude_files", "exclude_dir", "exclude_dirs", "exclude_directories"],
  type: ["language"],
  output_mode: ["output", "output_format", "format"],
  case_insensitive: ["case"],
  whole_word: ["word", "words"],
  max_results: ["max", "max_matches", "max_count", "count", "page_size", "per_page"],
  offset: ["start", "from", "cursor"],
  limit: ["count", "max_results", "head_limit"],
  end_line: ["end", "to"],
  sort: ["sort_by", "order", "order_by"],
  as: ["kind", "type", "expect"],
};

/** What a flag means when it is on and when it is off; nothing where that is the default. */
interface FlagMeaning {
  readonly key: string;
  readonly on: string | boolean;
  readonly off?: boolean;
}

/** Flags that stand for a value of one of our keys. */
const FLAGS = byWord<FlagMeaning>({
  "-l names_only files_only files_with_matches": { key: "output_mode", on: "file" },
  "-c count_only": { key: "output_mode", on: "count" },
  "case_sensitive is_case_sensitive match_case": { key: "case_insensitive", on: false, off: true },
  "regex is_regex is_regexp use_regex": { key: "fixed_strings", on: false, off: true },
  "respect_git_ignore respect_gitignore": { key: "no_ignore", on: false, off: true },
  text: { key: "search_binary", on: true, off: false },
  absolute_paths: { key: "paths", on: "absolute" },
  relative_paths: { key: "paths", on: "relative" },
});

/** Flags of `grep` that `glob` does not have and that are off for it. */
const GLOB_DEFAULTS = ["case_insensitive", "no_ignore"];

/** Keys that ask for what the tools always do and cannot turn off. */
const ALWAYS = byWord({
  "-r -R recursive": "directories are searched recursively",
  "-E -P": "patterns are regular expressions",
  respect_gemini_ignore: "agents' ignore files always apply",
  "hidden include_hidden dot": "hidden files are searched",
});

/** Keys for how an answer looks, whatever they say. */
const LOOKS = byWord({
  "-n line_numbers line_number show_line_numbers match_per_line": "every line has its number",
  "-H": "every line has its file",
});

/** Keys in which a model explains its call. */
const REMARKS = words(`
  explanation description reason reasoning rationale thought task_progress tool_summary
  tool_action
`);

/** Keys that hold the whole input. */
const WRAPPERS = words("input arguments args params parameters tool_input kwargs function");

/** Keys beside a whole input, with what they may say: which tool is called, and by which call. */
const ENVELOPE = byWord<(value: unknown, tool: string) => boolean>({
  "name tool tool_name": isName,
  type: (value) => ["function", "function_call", "tool_use", "tool_call"].includes(String(value)),
  "id call_id tool_use_id tool_call_id": isString,
});

/** Values that are read as our own values. */
const VALUES: Readonly<Record<string, Synonyms>> = {
  output_mode: {
    file: words(`
      files_with_matches files files_only file_paths file_names filenames filenames_only
      names_only
    `),
    content: ["lines", "matches", "content_only"],
    count: ["counts", "count_matches", "count_only"],
    values: ["unique", "distinct", "uniq"],
  },
  sort: { modified: ["mtime", "modification_time", "newest"], path: ["name", "filename"] },
  paths: { absolute: ["abs"], relative: ["rel"] },
  as: {
    dir: ["directory", "folder", "working_dir", "working_directory"],
    file: ["file_path"],
  },
};

/** Values that may mean one of ours, but also something else. */
const LIKELY_VALUES: Readonly<Record<string, Synonyms>> = {
  output_mode: { file: ["paths", "list", "names"], content: ["match", "text", "full"] },
  paths: { absolute: ["full", "canonical"], relative: ["workspace", "short"] },
  as: { dir: ["cwd"], file: ["read"], project: ["scope", "write", "new"], search: ["path", "any"] },
};

/** Names of other tools that take the same input as ours. */
const TOOLS: Synonyms = {
  grep: ["grep_search", "search_file_content", "grep_files", "ripgrep", "rg"],
  glob: ["glob_file_search", "file_glob_search"],
};

/** The same for names that mean it in these letters alone: `read` of others counts lines from 0. */
const TOOLS_AS_WRITTEN: Synonyms = { read_file: ["Read"] };

/** Names of other tools that may mean more than one of ours. */
const LIKELY_TOOLS: Synonyms = {
  grep: ["search", "search_text", "search_files", "codebase_search", "find_text"],
  glob: words(`
    find find_files find_by_name list_files file_search ls list list_directory list_dir files
    resolve_path
  `),
  read_file: words("read view cat open open_file view_file read_files read_many_files"),
  resolve_path: ["resolve", "realpath", "stat", "path", "canonicalize"],
};

/** What hosts put before the name of a tool: `functions.grep`, `mcp__pathgrep__grep`. */
const HOST = /^(?:functions\.|default_api[.:]|tools[.:]|pathgrep[.:/]|mcp__pathgrep__)/iu;

type KeyMeaning =
  /** Another name for one of our keys. */
  | { readonly key: string }
  /** A value of one of our keys; `undefined` stands for the behaviour without the key. */
  | { readonly key: string; readonly value: string | boolean | undefined }
  /** Needless in a call. */
  | { readonly needless: string };

/**
 * The only meaning that an unknown key can have.
 *
 * @param flag what the value says of a flag, if it says that
 */
export function meaningOf(
  tool: string,
  foreign: string,
  value: unknown,
  flag: boolean | undefined,
  fields: object,
): KeyMeaning | undefined {
  const name = snakeCase(foreign);
  const synonym = keysByName(tool, fields).get(name);
  // `regex` may hold the expression or say that there is one.
  const isFlag = synonym === undefined ? flag !== undefined : typeof value === "boolean";
  if (Object.hasOwn(FLAGS, name) && isFlag) {
    const { key, on, off } = FLAGS[name]!;
    const meant = flag ? on : off;
    if (Object.hasOwn(fields, key)) return { key, value: meant };
    return meant === false && GLOB_DEFAULTS.includes(key)
      ? { needless: "that is the default" }
      : undefined;
  }
  if (Object.hasOwn(ALWAYS, name) && flag === true) return { needless: ALWAYS[name]! };
  if (Object.hasOwn(LOOKS, name) && isFlag) return { needless: LOOKS[name]! };
  if (REMARKS.includes(name) && typeof value === "string") return { needless: "it is a comment" };
  return synonym === undefined ? undefined : { key: synonym };
}

/** Each of a tool's keys with the other names under which it is read. */
export function keysReadAs(tool: string, keys: readonly string[]): Record<string, string[]> {
  const flags = flagsOf(tool);
  return Object.fromEntries(keys.map((key) => {
    const names = KEYS_OF_ONE[`${tool}.${key}`] ?? [...flags.get(key) ?? [], ...KEYS[key] ?? []];
    return [key, [...new Set(names)].filter((name) => !keys.includes(name))];
  }));
}

const tables = new WeakMap<object, ReadonlyMap<string, string>>();

/** Every name, our own included, with our key that it is read as. */
function keysByName(tool: string, fields: object): ReadonlyMap<string, string> {
  return valueAt(tables, fields, () => {
    const keys = Object.keys(fields);
    const others = Object.entries(keysReadAs(tool, keys));
    return new Map([
      ...others.flatMap(([key, names]) => names.map((name) => [name, key] as const)),
      ...keys.map((key) => [key, key] as const),
    ]);
  });
}

/** Advice on an unknown key, if its likely meaning is known. */
export function adviceOnKey(tool: string, foreign: string, fields: object): string | undefined {
  const name = snakeCase(foreign);
  if (["page", "page_number"].includes(name)) return pageAdvice(fields);
  if (name === "dotall" && Object.hasOwn(fields, "multiline")) {
    return "use multiline, and begin the pattern with (?s)";
  }
  const likely = synonymIn(only(LIKELY_KEYS, Object.keys(fields)), name);
  if (
    likely === undefined && Object.hasOwn(FLAGS, name) && Object.hasOwn(fields, FLAGS[name]!.key)
  ) {
    const { key, on } = FLAGS[name]!;
    return `omit it, or use ${key}, such as ${JSON.stringify(on)}`;
  }
  for (const needless of [ALWAYS, LOOKS]) {
    if (Object.hasOwn(needless, name)) return `omit it: ${needless[name]}`;
  }
  if (WRAPPERS.includes(name)) return "send its content as the input itself";
  const ours = keysByName(tool, fields).get(name) ?? likely;
  return ours === undefined ? undefined : `use ${ours}`;
}

/** What to send in place of a page's number: how long a page is, only the caller knows. */
function pageAdvice(fields: object): string | undefined {
  if (Object.hasOwn(fields, "limit")) return "use offset, the first line, and limit";
  return Object.hasOwn(fields, "max_results")
    ? "use offset, the number of entries to skip, and max_results"
    : undefined;
}

export function isLineRange(key: string): boolean {
  return LINE_RANGE.includes(snakeCase(key));
}

export function isWholeFile(key: string): boolean {
  return WHOLE_FILE.includes(snakeCase(key));
}

export function isWrapper(key: string): boolean {
  return WRAPPERS.includes(snakeCase(key));
}

/** Whether a key beside the whole input says no more than that this tool is called. */
export function isEnvelope(tool: string, key: string, value: unknown): boolean {
  const name = snakeCase(key);
  if (REMARKS.includes(name)) return typeof value === "string";
  return Object.hasOwn(ENVELOPE, name) && ENVELOPE[name]!(value, tool);
}

/** Our value for one that can only mean it. */
export function valueReadAs(
  key: string,
  foreign: string,
  choices: readonly string[],
): string | undefined {
  const name = snakeCase(foreign);
  return choices.find((choice) => choice === name) ??
    synonymIn(only(VALUES[key] ?? {}, choices), name);
}

/** Our value for one that may mean it. */
export function likelyValue(
  key: string,
  foreign: string,
  choices: readonly string[],
): string | undefined {
  return valueReadAs(key, foreign, choices) ??
    synonymIn(only(LIKELY_VALUES[key] ?? {}, choices), snakeCase(foreign));
}

/** Our tool for a name that can only mean it. */
export function toolReadAs(foreign: string, names: readonly string[]): string | undefined {
  const bare = foreign.replace(HOST, "");
  const name = snakeCase(bare);
  if (names.includes(name)) return name;
  return synonymIn(only(TOOLS_AS_WRITTEN, names), bare) ?? synonymIn(only(TOOLS, names), name);
}

/** Our tool for a name that may mean it. */
export function likelyTool(foreign: string, names: readonly string[]): string | undefined {
  const name = snakeCase(foreign.split(/[.:/]|__/u).at(-1)!);
  return names.includes(name) ? name : synonymIn(only(LIKELY_TOOLS, names), name);
}

function synonymIn(synonyms: Synonyms, name: string): string | undefined {
  return Object.keys(synonyms).find((ours) => synonyms[ours]!.includes(name));
}

function only(synonyms: Synonyms, names: readonly string[]): Synonyms {
  return Object.fromEntries(names.map((name) => [name, synonyms[name] ?? []]));
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isName(value: unknown, tool: string): boolean {
  return isString(value) && toolReadAs(value, [tool]) === tool;
}

/** `maxResults`, `max-results` and `--max-results` as `max_results`; `-i` stays as it is. */
function snakeCase(name: string): string {
  const word = name.trim().replace(/^--(?=.)/u, "");
  if (/^-./u.test(word)) return word;
  return word.replace(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").replace(/[-\s]+/gu, "_").toLowerCase();
}
