/**
 * Tool calls as models make them: well meant, and not quite right. Each says what has to come of it.
 *
 * @module
 */

import { HABITS } from "./habits.ts";

/** The workspace of the calls; its root is named `shop`. */
export const SHOP: Readonly<Record<string, string>> = {
  "src/app.ts": 'import { join } from "./utils/paths.ts";\n\n// TODO: read the settings\n' +
    "export const first = list[0];\nstart(app);\n",
  "src/utils/paths.ts": "export function join(a: string, b: string) {\n  return `${a}/${b}`;\n}\n",
  "src/routes/[id].ts": "export const id = 1;\n",
  "crates/agent/src/lib.rs": "// TODO: plan\n",
  "crates/tools/src/lib.rs": "// TODO: call\n",
  "docs/Guide.md": "# Guide\n\nTODO: install\n",
  "my notes/plan.md": "TODO: sell\n",
  "data/rows.csv": "row,1\n".repeat(1200),
};
const APP = ["src/app.ts"];
const TODOS = [
  "crates/agent/src/lib.rs",
  "crates/tools/src/lib.rs",
  "docs/Guide.md",
  "my notes/plan.md",
  "src/app.ts",
];
const TS = ["src/app.ts", "src/routes/[id].ts", "src/utils/paths.ts"];

/** Where an answer that is not the wanted one says what to send instead. */
export type Place = "error" | "hint" | "suggestions" | "notes";

/** One call. `$WS` stands for the root of the workspace. */
export interface MalformedCall {
  /** What the model did. */
  name: string;
  tool: string;
  input: unknown;
  /** `fix`: an error or an empty answer that says what to send. */
  outcome: "at once" | "note" | "fix";
  /** The files that are found: by the call or, with `fix`, by the next one. */
  finds: readonly string[];
  /** With `fix`: where it stands, in which words, and the call that follows it. */
  fix?: {
    place: Place;
    says: string;
    then: unknown;
    tool?: string;
    /** The key whose value only the caller can know in full. */
    own?: string;
  };
}

function atOnce(
  name: string,
  tool: string,
  input: unknown,
  finds: readonly string[],
): MalformedCall {
  return { name, tool, input, outcome: "at once", finds };
}

function note(name: string, tool: string, input: unknown, finds: readonly string[]): MalformedCall {
  return { name, tool, input, outcome: "note", finds };
}

function fix(
  name: string,
  tool: string,
  input: unknown,
  [place, says]: [Place, string],
  then: unknown,
  finds: readonly string[],
  own?: string,
): MalformedCall {
  const rest = own === undefined ? {} : { own };
  return { name, tool, input, outcome: "fix", finds, fix: { place, says, then, ...rest } };
}

/** A `grep` for `TODO` in a path. */
const at = (path: unknown) => ({ pattern: "TODO", path });

/** A path that is answered with a suggestion. */
function suggested(
  name: string,
  path: string,
  suggestion: string,
  finds = [suggestion],
): MalformedCall {
  return fix(name, "grep", at(path), ["suggestions", suggestion], at(suggestion), finds);
}

const PATHS: readonly MalformedCall[] = [
  atOnce("a file where a directory was wanted", "grep", at("src/app.ts"), APP),
  note("a file, and a filter besides", "grep", { ...at("src/app.ts"), include: "*.ts" }, APP),
  atOnce("a file for glob to look in", "glob", { pattern: "*.ts", path: "src/app.ts" }, APP),
  fix(
    "a directory where a file was wanted",
    "resolve_path",
    { path: "src", as: "file" },
    ["hint", "resolve it as search or dir"],
    { path: "src", as: "dir" },
    ["src"],
  ),
  fix(
    "a file where a working directory was wanted",
    "shell",
    { dir_path: "src/app.ts" },
    ["hint", "use the directory that contains it: src"],
    { dir_path: "src" },
    ["src"],
  ),
  atOnce("./ before a path and / after it", "grep", at("./src/"), APP),
  atOnce("/ after a file", "grep", at("src/app.ts/"), APP),
  atOnce("// in a path", "grep", at("src//app.ts"), APP),
  atOnce("a detour over ..", "grep", at("docs/../src"), APP),
  atOnce("a trailing newline", "grep", at("src/app.ts\n"), APP),
  atOnce("spaces around a path", "grep", at("  src/app.ts "), APP),
  atOnce("an empty path for everything", "grep", at(""), TODOS),
  atOnce("a dot for everything", "grep", at("."), TODOS),
  note("double quotes around a path", "grep", at('"src/app.ts"'), APP),
  note("single quotes around a path", "grep", at("'src'"), APP),
  note("backticks around a path", "grep", at("`src/app.ts`"), APP),
  note("a mention, @ before a path", "grep", at("@src/app.ts"), APP),
  note("a file URL", "grep", at("file://$WS/src/app.ts"), APP),
  note("a line number at the end", "grep", at("src/app.ts:12"), APP),
  note("line and column at the end", "grep", at("src/app.ts:12:5"), APP),
  note("backslashes", "grep", at("src\\app.ts"), APP),
  note("/ for the workspace root", "grep", at("/src/app.ts"), APP),
  note("the root's name at the start", "grep", at("shop/src/app.ts"), APP),
  note("several of these at once", "grep", at("`shop\\src\\app.ts:3`"), APP),
  note("a lower path without its start", "grep", { pattern: "join", path: "utils/paths.ts" }, [
    "src/utils/paths.ts",
  ]),
  note("a name alone, one file has it", "grep", at("app.ts"), APP),
  suggested("a name alone, two files have it", "lib.rs", "crates/tools/src/lib.rs"),
  suggested("an absolute path of another checkout", "/home/dev/shop/src/app.ts", "src/app.ts"),
  suggested("a directory of another checkout", "/workspace/src", "src", APP),
  suggested("a Windows path", "C:\\Users\\dev\\shop\\src\\app.ts", "src/app.ts"),
  note("a path from the home directory", "grep", at("~/shop/src/app.ts"), APP),
  note("a variable at the start", "grep", at("${workspaceFolder}/src/app.ts"), APP),
  suggested("one level too high", "../src", "src", APP),
  suggested("a segment twice", "src/src/app.ts", "src/app.ts"),
  note("the absolute root twice", "grep", at("$WS$WS/src/app.ts"), APP),
  suggested("an absolute path without its /", "home/dev/shop/src/app.ts", "src/app.ts"),
  note("a prefix of a diff", "grep", at("b/src/app.ts"), APP),
  suggested("wrong letter case", "docs/guide.md", "docs/Guide.md"),
  suggested("a typo in a name", "src/utils/pahts.ts", "src/utils/paths.ts", []),
  suggested("a typo in a directory", "scr/app.ts", "src/app.ts"),
  suggested("no extension", "src/app", "src/app.ts"),
  suggested("another extension", "src/app.js", "src/app.ts"),
  note("an anchor of lines", "grep", at("src/app.ts#L3-L5"), APP),
  note("a range of lines", "grep", at("src/app.ts:3-5"), APP),
  note("a whole line of output", "grep", at("src/app.ts:3:// TODO: read"), APP),
  note("a Markdown link", "grep", at("[app.ts](src/app.ts)"), APP),
  note("angle brackets", "grep", at("<src/app.ts>"), APP),
  suggested("a name in a file as a path", "src/app.ts/first", "src/app.ts"),
  note("percent-encoded", "grep", at("my%20notes/plan.md"), ["my notes/plan.md"]),
  note("escaped for a shell", "grep", at("my\\ notes/plan.md"), ["my notes/plan.md"]),
  note("two paths, separated by a comma", "grep", at("src,docs"), ["docs/Guide.md", ...APP]),
  note("two paths, separated by a space", "grep", at("src docs"), ["docs/Guide.md", ...APP]),
  atOnce("a list of paths", "grep", at(["src", "docs"]), ["docs/Guide.md", ...APP]),
  atOnce("a list of one path", "grep", at(["src"]), APP),
  note("a glob as a path", "grep", at("src/**/*.ts"), APP),
  note("a glob without a directory as a path", "grep", at("*.md"), [
    "docs/Guide.md",
    "my notes/plan.md",
  ]),
  ...["null", "undefined"].map((path) =>
    note(`the word ${path} for no path`, "grep", at(path), TODOS)
  ),
  fix(
    "the word ~ for no path",
    "grep",
    at("~"),
    ["hint", "omit the path to search everything"],
    { pattern: "TODO" },
    TODOS,
  ),
  ...["/", "/repo"].map((path) =>
    fix(
      `${path} for everything`,
      "grep",
      at(path),
      ["hint", "omit it to search everything"],
      { pattern: "TODO" },
      TODOS,
    )
  ),
];

const OTHER_TOOLS: readonly MalformedCall[] = [
  atOnce("a trailing newline", "read_file", { file_path: "docs/Guide.md\n" }, ["docs/Guide.md"]),
  atOnce("a relative path", "read_file", { file_path: "./src/app.ts" }, APP),
  atOnce("a mention, where repairs are on", "read_file", { file_path: "@src/app.ts" }, APP),
  atOnce("a line number, where repairs are on", "read_file", { file_path: "src/app.ts:3" }, APP),
  atOnce("a relative working directory", "shell", { dir_path: "src/utils/" }, ["src/utils"]),
  note("the workspace by its name", "shell", { dir_path: "shop" }, ["."]),
  fix(
    "a name alone",
    "read_file",
    { file_path: "app.ts" },
    ["suggestions", "src/app.ts"],
    { file_path: "src/app.ts" },
    APP,
  ),
  fix(
    "another checkout",
    "read_file",
    { file_path: "/home/dev/shop/src/app.ts" },
    ["suggestions", "src/app.ts"],
    { file_path: "src/app.ts" },
    APP,
  ),
  fix(
    "wrong letter case",
    "read_file",
    { file_path: "docs/guide.md" },
    ["suggestions", "docs/Guide.md"],
    { file_path: "docs/Guide.md" },
    ["docs/Guide.md"],
  ),
  fix(
    "a working directory below another one",
    "shell",
    { dir_path: "utils" },
    ["suggestions", "src/utils"],
    { dir_path: "src/utils" },
    ["src/utils"],
  ),
];

/** A `grep` for `TODO` in `src`, with more keys. */
const todo = (more: object) => ({ pattern: "TODO", path: "src", ...more });

/** A wrong key or value that is read. */
function read(name: string, wrong: object): MalformedCall {
  return note(name, "grep", todo(wrong), APP);
}

/** A wrong key or value, whose error says what to send. */
function corrected(name: string, wrong: object, says: string, right: object): MalformedCall {
  return fix(name, "grep", todo(wrong), ["error", says], todo(right), APP);
}

const VALUES: readonly MalformedCall[] = [
  atOnce("null for what is optional", "grep", todo({ include: null, context: null }), APP),
  atOnce("empty for what is optional", "grep", todo({ include: "", exclude: "", type: "" }), APP),
  atOnce("a limit far too large", "grep", todo({ max_results: 1_000_000 }), APP),
  note("context far too large", "grep", todo({ context: 1_000_000 }), APP),
  read("a number as text", { max_results: "10" }),
  read("a fraction as text", { context: "2.0" }),
  corrected("a negative limit", { max_results: -1 }, "a whole number from 1", { max_results: 1 }),
  read("a limit of 0", { max_results: 0 }),
  read("true as text", { multiline: "true" }),
  read("Python's True", { multiline: "True" }),
  read("yes", { whole_word: "yes" }),
  read("1 for true", { whole_word: 1 }),
  read("a mode of another tool", { output_mode: "files_with_matches" }),
  read("a mode in capitals", { output_mode: "COUNT" }),
  read("an empty mode", { output_mode: "" }),
  corrected("a mode that is none", { output_mode: "json" }, "one of content, file, count", {
    output_mode: "content",
  }),
  note("directories in paths", "grep", { pattern: "TODO", paths: ["src"] }, APP),
  read("an extension as a type", { type: ".ts" }),
  read("another name of a type", { type: "tsx" }),
  atOnce("two types in one", "grep", todo({ type: "js,ts" }), APP),
  read("types as a list", { type: ["js", "ts"] }),
  read("globs as a list", { include: ["*.ts", "*.md"] }),
  atOnce("globs, separated by commas", "grep", todo({ include: "*.ts, *.md" }), APP),
  atOnce("patterns as a list", "grep", { pattern: ["TODO", "FIXME"], path: "src" }, APP),
  note("patterns for pattern", "grep", { patterns: ["TODO", "FIXME"], path: "src" }, APP),
  read("one further pattern as text", { more_patterns: "FIXME" }),
  read("further patterns as JSON text", { more_patterns: '["FIXME", "XXX"]' }),
  fix(
    "further patterns alone",
    "grep",
    { more_patterns: ["TODO"], path: "src" },
    ["error", "send its first item as pattern"],
    { pattern: "TODO", path: "src" },
    APP,
    "pattern",
  ),
  atOnce("globs of glob as a list", "glob", { pattern: ["*.ts"], path: "src" }, TS),
  note("a use in other words", "resolve_path", { path: "src", as: "directory" }, ["src"]),
  fix(
    "everything, without a limit",
    "grep",
    { pattern: "row" },
    ["hint", "max_results"],
    { pattern: "row", max_results: 5 },
    ["data/rows.csv"],
    "max_results",
  ),
];

const KEYS: readonly MalformedCall[] = [
  fix(
    "a typo in a key",
    "grep",
    { patern: "TODO", path: "src" },
    ["error", "did you mean pattern?"],
    { pattern: "TODO", path: "src" },
    APP,
  ),
  note("another name of a key", "grep", { query: "TODO", path: "src" }, APP),
  read("camel case", { outputMode: "file" }),
  read("a key of Claude Code", { glob: "*.ts" }),
  read("its limit", { head_limit: 5 }),
  read("an option as a key", { "-i": true }),
  read("an option that is always on", { "-n": true }),
  read("a flag the other way round", { case_sensitive: true }),
  read("a flag for a mode", { files_with_matches: true }),
  note("file_path for path", "grep", { pattern: "TODO", file_path: "src/app.ts" }, APP),
  read("an explanation besides", { explanation: "to see what is left" }),
  note("the input as JSON text", "grep", '{"pattern": "TODO", "path": "src"}', APP),
  note("the pattern alone", "grep", "TODO", TODOS),
  note("the input in a list", "grep", [todo({})], APP),
  note("the input in an input", "grep", { input: todo({}) }, APP),
  fix(
    "no pattern",
    "glob",
    { path: "docs" },
    ["error", "pattern is missing; it must be a non-empty string"],
    { path: "docs", pattern: "*" },
    ["docs/Guide.md"],
    "pattern",
  ),
  ...["Grep", "search_file_content", "functions.grep", "mcp__pathgrep__grep"].map((tool) =>
    note(`the tool as ${tool}`, tool, todo({}), APP)
  ),
];

/** A pattern that finds nothing, and the note about what does. */
function reread(name: string, pattern: string, then: Record<string, unknown>): MalformedCall {
  return fix(name, "grep", { pattern, path: "src" }, ["notes", JSON.stringify(then)], {
    pattern,
    ...then,
    path: "src",
  }, APP);
}

/** A filter that leaves nothing, and the note about what does not. */
function reglobbed(name: string, include: string, then: string): MalformedCall {
  const says = JSON.stringify({ include: then });
  return fix(name, "grep", todo({ include }), ["notes", says], todo({ include: then }), APP);
}

/** A `grep` in `src`. */
const find = (pattern: string, more = {}) => ({ pattern, path: "src", ...more });

const PATTERNS: readonly MalformedCall[] = [
  atOnce("inline flags", "grep", find("(?i)todo"), APP),
  note("Python's named group", "grep", find("(?P<word>TODO)"), APP),
  note("PCRE's literal text", "grep", find("\\Qlist[0]\\E"), APP),
  note("POSIX classes", "grep", find("[[:upper:]]{4}:"), APP),
  fix(
    "a lone bracket",
    "grep",
    find("start("),
    ["hint", "fixed_strings"],
    find("start(", { fixed_strings: true }),
    APP,
  ),
  fix(
    "a lone square bracket",
    "grep",
    find("list[0"),
    ["hint", "write `\\[`"],
    find("list\\[0"),
    APP,
    "pattern",
  ),
  fix(
    "a star at the start",
    "grep",
    find("*TODO"),
    ["error", "nothing to repeat before `*`"],
    find("TODO"),
    APP,
    "pattern",
  ),
  fix(
    "an atomic group",
    "grep",
    find("(?>TODO)"),
    ["error", "(?:"],
    find("(?:TODO)"),
    APP,
    "pattern",
  ),
  fix(
    "a possessive quantifier",
    "grep",
    find("TO++DO"),
    ["error", "write `+`"],
    find("TO+DO"),
    APP,
    "pattern",
  ),
  fix(
    "\\K",
    "grep",
    find("// \\KTODO"),
    ["error", "a lookbehind, `(?<=…)`"],
    find("(?<=// )TODO"),
    APP,
    "pattern",
  ),
  fix(
    "grep's alternatives",
    "grep",
    find("TODO\\|FIXME"),
    ["notes", "write `|` for alternatives"],
    find("TODO|FIXME"),
    APP,
    "pattern",
  ),
  reread("code as a pattern", "list[0]", { fixed_strings: true }),
  reread("a call as a pattern", "start(app)", { fixed_strings: true }),
  reread("slashes and flags", "/todo/i", { pattern: "todo", case_insensitive: true }),
  reread("options in the pattern", "-i todo", {
    pattern: "todo",
    case_insensitive: true,
  }),
  reread("a command as a pattern", "rg -n 'TODO' src", { pattern: "TODO" }),
  reread("quotes in the pattern", '"TODO"', { pattern: "TODO" }),
  reread("escaped twice", "\\\\bTODO\\\\b", { pattern: "\\bTODO\\b" }),
  reread("not escaped for JSON", "\bTODO\b", { pattern: "\\bTODO\\b" }),
  note("a line break at the end", "grep", find("TODO\n"), APP),
];

const GLOBS: readonly MalformedCall[] = [
  atOnce("./ before a glob", "glob", { pattern: "./src/*.ts" }, APP),
  atOnce("space after a glob", "glob", { pattern: "src/*.ts " }, APP),
  atOnce("two stars and an extension", "glob", { pattern: "**.ts" }, TS),
  atOnce("a directory for its files", "glob", { pattern: "docs" }, ["docs"]),
  note("an absolute glob", "glob", { pattern: "$WS/src/*.ts" }, APP),
  note("/ before a filter", "grep", { pattern: "TODO", include: "/src/*.ts" }, APP),
  reglobbed("an extension as a filter", ".ts", "*.ts"),
  reglobbed("an extension without its dot", "ts", "*.ts"),
  reglobbed("an expression as a filter", ".*\\.ts$", "*.ts"),
  note("quotes around a filter", "grep", todo({ include: '"*.ts"' }), APP),
  note("a list in a text", "grep", todo({ include: '["*.ts", "*.md"]' }), APP),
  reglobbed("spaces between filters", "*.ts *.md", "*.ts,*.md"),
  reglobbed("bars between filters", "*.ts|*.md", "*.ts,*.md"),
  reglobbed("the path again in the filter", "src/**/*.ts", "**/*.ts"),
  ...([
    ["part of a name", "ath", "*ath*", ["src/utils/paths.ts"]],
    ["wrong letter case", "guide.md", "docs/Guide.md", ["docs/Guide.md"]],
    ["brackets of a name", "src/routes/[id].ts", "src/routes/\\[id\\].ts", ["src/routes/[id].ts"]],
    ["another checkout", "/home/dev/shop/src/*.ts", "src/*.ts", APP],
    ["backslashes", "src\\*.ts", "src/*.ts", APP],
  ] as const).map(([name, pattern, then, finds]) =>
    fix(
      name,
      "glob",
      { pattern },
      ["notes", JSON.stringify({ pattern: then })],
      { pattern: then },
      finds,
    )
  ),
  fix(
    "an open brace",
    "glob",
    { pattern: "*.{ts,md" },
    ["error", "has a { without a }; close it"],
    { pattern: "*.{ts,xml}" },
    TS,
    "pattern",
  ),
];

/** Every call, by what is wrong with it. */
export const MALFORMED_CALLS: Readonly<Record<string, readonly MalformedCall[]>> = {
  "path of a search": PATHS,
  "path of another tool": OTHER_TOOLS,
  "value": VALUES,
  "key, tool or shape": KEYS,
  "habit of another agent": HABITS,
  "pattern": PATTERNS,
  "glob": GLOBS,
};
