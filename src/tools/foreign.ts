/**
 * Keys, values and tool names that models know from other tools, and what they are called here. They
 * are never taken: the error says which of ours is meant.
 *
 * @module
 */

/** Our keys, each with those that mean the same elsewhere. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  pattern: ["query", "regex", "regexp", "search", "search_term", "text", "expression", "needle"],
  path: [
    "dir_path",
    "directory",
    "dir",
    "file_path",
    "file",
    "filename",
    "folder",
    "cwd",
    "root",
    "base_path",
    "search_path",
    "relative_path",
    "working_dir",
    "target_directory",
    "relative_workspace_path",
  ],
  include: [
    "glob",
    "globs",
    "includes",
    "include_pattern",
    "file_pattern",
    "file_glob",
    "glob_pattern",
    "filter",
    "files",
    "-g",
  ],
  exclude: ["exclude_pattern", "excludes", "ignore", "ignore_patterns", "exclude_files"],
  type: ["file_type", "types", "filetype", "language", "-t"],
  output_mode: ["mode", "output", "output_format", "format"],
  case_insensitive: ["-i", "ignore_case", "icase", "case"],
  fixed_strings: ["-F", "literal", "fixed", "is_literal", "fixed_string"],
  whole_word: ["-w", "whole_words", "word", "words", "word_regexp", "match_whole_word"],
  multiline: ["-U", "multi_line", "dotall"],
  context: ["-C", "context_lines", "lines_of_context", "surrounding_lines"],
  before: ["-B", "before_context", "context_before", "lines_before"],
  after: ["-A", "after_context", "context_after", "lines_after"],
  max_results: [
    "head_limit",
    "limit",
    "max",
    "max_matches",
    "max_count",
    "num_results",
    "result_limit",
    "total_max_matches",
    "-m",
  ],
  offset: ["skip", "start", "from", "cursor", "page"],
  paths: ["path_style", "path_format"],
  as: ["kind", "expect", "purpose"],
};

/** Flags that are another value of a key of ours: what they mean when they are `true`. */
const FLAGS: Readonly<Record<string, readonly [key: string, value: string | boolean]>> = {
  "-l": ["output_mode", "file"],
  names_only: ["output_mode", "file"],
  files_only: ["output_mode", "file"],
  files_with_matches: ["output_mode", "file"],
  "-c": ["output_mode", "count"],
  count_only: ["output_mode", "count"],
  case_sensitive: ["case_insensitive", false],
  is_case_sensitive: ["case_insensitive", false],
  is_regex: ["fixed_strings", false],
  is_regexp: ["fixed_strings", false],
  absolute_paths: ["paths", "absolute"],
  relative_paths: ["paths", "relative"],
};

/** Keys for what is done anyway. */
const NEEDLESS: Readonly<Record<string, string>> = {
  "-n": "every line has its number",
  line_numbers: "every line has its number",
  line_number: "every line has its number",
  show_line_numbers: "every line has its number",
  "-r": "directories are searched recursively",
  "-R": "directories are searched recursively",
  recursive: "directories are searched recursively",
};

/** Keys that hold the whole input. */
const WRAPPERS = ["input", "arguments", "args", "params", "parameters", "tool_input", "kwargs"];

/** The keys of `glob` mean something else there. */
const GLOB_PATTERN = [
  "glob",
  "globs",
  "include",
  "file_pattern",
  "file_glob",
  "glob_pattern",
  "name",
];

/** Our values, each with those that mean the same elsewhere. */
const VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  output_mode: {
    file: [
      "files_with_matches",
      "files",
      "files_only",
      "file_paths",
      "filenames",
      "filenames_only",
      "paths",
      "list",
      "names",
    ],
    content: ["lines", "matches", "match", "text", "full"],
    count: ["counts", "count_matches", "count_only"],
  },
  paths: { absolute: ["abs", "full", "canonical"], relative: ["rel", "workspace", "short"] },
  as: {
    dir: ["directory", "folder", "cwd", "working_dir", "working_directory"],
    file: ["file_path", "read"],
    project: ["scope", "write", "new"],
    search: ["path", "any"],
  },
};

/** Our tools, each with the names of its kin. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  grep: [
    "search",
    "grep_search",
    "search_file_content",
    "search_text",
    "search_files",
    "codebase_search",
    "ripgrep",
    "rg",
    "find_text",
  ],
  glob: [
    "find",
    "find_files",
    "list_files",
    "file_search",
    "ls",
    "list",
    "list_directory",
    "list_dir",
    "files",
  ],
  resolve_path: ["resolve", "realpath", "stat", "path", "canonicalize"],
};

/** Our key for one that means the same elsewhere, or that differs in letter case only. */
function keyFor(tool: string, foreign: string, keys: readonly string[]): string | undefined {
  const wanted = snakeCase(foreign);
  if (tool === "glob" && GLOB_PATTERN.includes(wanted)) return "pattern";
  return keys.find((key) =>
    key === wanted || KEYS[key]?.some((other) => other === foreign || other === wanted)
  );
}

/** What to do about a key that is not ours, where it can be told. */
export function adviceOnKey(
  tool: string,
  foreign: string,
  value: unknown,
  keys: readonly string[],
): string | undefined {
  const wanted = snakeCase(foreign);
  const [key, meant] = Object.hasOwn(FLAGS, wanted) ? FLAGS[wanted]! : [];
  if (key !== undefined && keys.includes(key)) {
    const sent = typeof value === "boolean" ? valueOfFlag(value, meant!) : undefined;
    return sent === undefined
      ? `leave it out, or use ${key}`
      : `use ${key} with the value ${JSON.stringify(sent)}`;
  }
  if (Object.hasOwn(NEEDLESS, wanted)) return `leave it out: ${NEEDLESS[wanted]}`;
  if (WRAPPERS.includes(wanted)) return "send what is in it as the input itself";
  const ours = keyFor(tool, foreign, keys);
  return ours === undefined ? undefined : `use ${ours}`;
}

/** The value for a flag that is on; off, it is the opposite of a flag of ours, or nothing. */
function valueOfFlag(isOn: boolean, meant: string | boolean): string | boolean | undefined {
  if (isOn) return meant;
  return typeof meant === "boolean" ? !meant : undefined;
}

/** Our value for one that means the same elsewhere. */
export function valueFor(
  key: string,
  foreign: string,
  choices: readonly string[],
): string | undefined {
  const wanted = snakeCase(foreign.trim());
  return choices.find((choice) => choice === wanted || VALUES[key]?.[choice]?.includes(wanted));
}

/** Our tool for a name that means the same elsewhere. */
export function toolFor(foreign: string, names: readonly string[]): string | undefined {
  // Some hosts show a tool under a prefix: `functions.grep`, `mcp__pathgrep__grep`.
  const wanted = snakeCase(foreign.split(/[.:/]|__/u).at(-1)!);
  return names.find((name) => name === wanted || TOOLS[name]?.includes(wanted));
}

/** `maxResults`, `max-results` and `MaxResults` as `max_results`; `-i` stays as it is. */
function snakeCase(name: string): string {
  if (/^-./u.test(name)) return name;
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/gu, "_").replace(/[-\s]+/gu, "_").toLowerCase();
}
