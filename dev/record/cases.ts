/**
 * Draws what is asked: command lines as people and agents type them, and calls of the tools.
 *
 * @module
 */

import { numbersFrom } from "../../tests/support/draw.ts";
import { WORDS, WORKSPACES } from "./world.ts";

/** One question, in one of the workspaces. */
export type Case =
  | { by: "command"; workspace: string; args: readonly string[] }
  | { by: "tool" | "mcp"; workspace: string; tool: string; input: Record<string, unknown> };

type Draw = <T>(of: readonly T[]) => T;

const PATTERNS: readonly string[] = [
  ...WORDS,
  ...[
    "need|TODO",
    "\\bneedle\\b",
    "^import",
    "\\w+Config",
    "caf.",
    "nowhere at all",
    "foo(",
    "(?i)todo",
  ],
  ...["parse-config", "max\\s+retries", "function \\w+", "[A-Z]\\w+", "$", "needle.*x", "\\d+"],
];
const PATHS: readonly string[] = [
  ...["src", "docs", "src/app.ts", "app.ts", "Lib.rs", "lib.rs", "./docs/", "nested/inner", ".env"],
  ...[
    "dist",
    "linked",
    "src/app.ts:5",
    "@src/load.ts",
    "nope/missing.ts",
    "../outside",
    "*.md",
    "a",
  ],
  ...[
    "packages/kit",
    "packages/core/build",
    "assets/large.txt",
    "docs/gbk.txt",
    "/src",
    "test",
    "tree",
  ],
];
const GLOBS: readonly string[] = [
  ...["*.ts", "*.{ts,md}", "src/**", "!*.md", "**/*.tsx", "*.log", "*.TS", "src/[id]/*", "a/*.ts"],
  ...["lib/**/*.md", "*.rs,*.py", "nothing*", "dist/**", "packages/*/src/**"],
];

/** Options of a command line, a draw of which is added to each. */
const OPTIONS: readonly (readonly string[])[] = [
  ...[["-i"], ["-S"], ["-F"], ["-w"], ["-v"], ["-x"], ["-l"], ["-c"], ["-o"], ["-U"], ["-q"], [
    "-L",
  ]],
  ...[["-C2"], ["-A", "1"], ["-m", "1"], ["--hidden"], ["--no-hidden"], ["--no-ignore"], [
    "--follow",
  ]],
  ...[["--stats"], ["--column"], ["--paths", "relative"], ["--sort", "modified"], [
    "--max-depth",
    "2",
  ]],
  ...[["--format", "jsonl"], ["--format", "text"], ["--vimgrep"], [
    "--heading",
    "--format",
    "text",
  ]],
  ...[["--max-results", "3"], ["--max-results", "2", "--on-overflow", "truncate"], [
    "--offset",
    "2",
  ]],
  ...[["--max-output-chars", "1500"], ["--max-line-length", "60"], ["--max-file-size", "0"], [
    "-a",
  ]],
  ...[["--encoding", "gbk"], ["--explain", "never"], ["--show-function"], ["-t", "ts"], [
    "-T",
    "md",
  ]],
  ...[["--deny", "src/util/**"], ["-e", "TODO"], ["--sort", "none"], ["--count-matches"], [
    "--trim",
  ]],
  ...[["--engine", "rg"], ["--engine", "grep"], ["--engine", "git"], ["--text"], [
    "--no-such-option",
  ]],
];

/** Keys of a call of `grep`, with the values that are drawn for each. */
const KEYS: Readonly<Record<string, readonly unknown[]>> = {
  output_mode: ["content", "file", "count", "files_with_matches"],
  case_insensitive: [true, "true"],
  fixed_strings: [true],
  whole_word: [true],
  multiline: [true],
  context: [1, "2", 20],
  before: [1],
  max_results: [1, 2, 5, 50],
  offset: [0, 1, 3],
  paths: ["absolute", "relative"],
  only_matching: [true],
  max_count: [1],
  sort: ["path", "modified"],
  no_ignore: [true],
  follow: [true],
  max_output_chars: [1000, 2000],
  response_format: ["concise", "detailed"],
  more_patterns: [["TODO"], ["load", "x"]],
  more_paths: [["docs"], ["src", "nowhere"]],
  invert: [true],
  files_without_match: [true],
  encoding: ["gbk", "utf-16le"],
  search_binary: [true],
  show_function: ["never", "always"],
  type: ["ts", "rust", "nosuch"],
  exclude: ["*.md", "src/util"],
  unknown_key: ["x"],
};

/** The same cases for the same seed. */
export function drawCases(seed: number, count: number): Case[] {
  const below = numbersFrom(seed);
  const draw: Draw = (of) => of[below(of.length)]!;
  const isOften = () => below(3) > 0;
  const some = (least: number, most: number) => least + below(most - least + 1);
  return Array.from({ length: count }, (_, index): Case => {
    const workspace = draw(WORKSPACES);
    if (index % 5 < 2) return { by: "command", workspace, args: commandLine(draw, some) };
    const by = index % 5 < 4 ? "tool" : "mcp";
    const tool = draw(["grep", "grep", "grep", "grep", "glob", "read_file", "resolve_path"]);
    const isServed = by === "tool" || tool !== "resolve_path";
    const name = isServed ? tool : "grep";
    return { by, workspace, tool: name, input: inputOf(name, draw, some, isOften) };
  });
}

type Some = (least: number, most: number) => number;

function commandLine(draw: Draw, some: Some): string[] {
  const options = Array.from({ length: some(0, 3) }, () => draw(OPTIONS)).flat();
  const filters = some(0, 3) === 0 ? ["-g", draw(GLOBS)] : [];
  const paths = some(0, 1) === 0 ? [draw(PATHS)] : [];
  const command = draw([
    "search",
    "search",
    "search",
    "search",
    "search",
    "files",
    "why",
    "resolve",
  ]);
  if (command === "resolve") return ["resolve", draw(PATHS)];
  if (command === "files") return ["files", ...options.slice(0, 1), ...filters, ...paths];
  if (command === "why") {
    const program = draw(["rg", "rg -n", "grep -rn", "git grep", "rg -i"]).split(" ");
    return ["why", "--", ...program, draw(PATTERNS), ...paths];
  }
  return [...options, ...filters, "-e", draw(PATTERNS), ...paths];
}

function inputOf(
  tool: string,
  draw: Draw,
  some: Some,
  isOften: () => boolean,
): Record<string, unknown> {
  if (tool === "resolve_path") return { path: draw(PATHS), as: draw(["search", "file", "dir"]) };
  if (tool === "read_file") {
    return {
      path: draw(PATHS),
      ...(isOften() ? {} : { offset: some(-1, 8) }),
      ...(isOften() ? {} : { limit: some(0, 5) }),
    };
  }
  const place = isOften() ? {} : { path: draw(PATHS) };
  const page = isOften() ? {} : { max_results: some(1, 5), offset: some(0, 3) };
  if (tool === "glob") return { pattern: draw(GLOBS), ...place, ...page };
  const keys = Array.from({ length: some(0, 3) }, () => draw(Object.keys(KEYS)));
  const include = isOften() ? {} : { include: draw(GLOBS) };
  const more = keys.map((key) => [key, draw(KEYS[key]!)] as const);
  return { pattern: draw(PATTERNS), ...place, ...include, ...Object.fromEntries(more) };
}
