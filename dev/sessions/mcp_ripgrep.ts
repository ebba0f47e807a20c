/**
 * Calls of pathgrep's tools as they would be made of mcp-ripgrep, and of a shell for what it cannot do.
 *
 * @module
 */

import type { ToolCall } from "./replay.ts";

/** A call of a tool of mcp-ripgrep. */
export interface RipgrepCall {
  name: string;
  input: Record<string, unknown>;
}

/**
 * The calls that ask the same: one for each path. It has one filter, so that an `exclude` beside an
 * `include` is lost, and no lines before or after alone, nor multiline patterns.
 */
export function ripgrepCalls({ tool, arguments: input }: ToolCall): RipgrepCall[] {
  const { path = ".", more_paths: more = [], pattern, include, exclude } = input;
  const paths = [path, ...more as string[]];
  if (tool === "glob") {
    const filePattern = oneGlob(pattern);
    return paths.map((path) => ({ name: "list-files", input: { path, filePattern } }));
  }
  const filePattern = include === undefined ? exclude && `!${oneGlob(exclude)}` : oneGlob(include);
  const name = { count: "count-matches", file: "advanced-search" }[String(input["output_mode"])] ??
    "search";
  const context = input["context"] ?? input["after"] ?? input["before"];
  const shared = {
    pattern: [pattern, ...input["more_patterns"] as string[] ?? []].join("|"),
    ...filePattern === undefined ? {} : { filePattern },
    ...context === undefined ? {} : { context },
    ...input["case_insensitive"] === true ? { caseSensitive: false } : {},
    ...name === "advanced-search" ? { showFilenamesOnly: true } : {},
  };
  return paths.map((path) => ({ name, input: { path, ...shared } }));
}

/** What prints the lines that `read_file` would. */
export function shellCommand(input: Record<string, unknown>): string {
  const { path, more_paths: more = [], offset, limit } = input;
  return [path, ...more as string[]].map((each) => {
    const [, file = "", first, last] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(String(each))!;
    const start = Number(first ?? offset ?? 1);
    const end = last ??
      (first === undefined && limit !== undefined ? start + Number(limit) - 1 : "$");
    return start === 1 && end === "$" ? `cat '${file}'` : `sed -n '${start},${end}p' '${file}'`;
  }).join("; ");
}

function oneGlob(globs: unknown): string {
  const text = String(globs);
  return text.includes(",") && !text.includes("{") ? `{${text}}` : text;
}
