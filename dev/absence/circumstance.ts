/**
 * What a row of the benchmark is: files, a question, and where the line is that the question is after.
 *
 * @module
 */

import type { TreeEntry } from "../../tests/support/tree.ts";

/** What every line has that is to be found, so that it can be told from all other text. */
export const HERE = "(here)";

/** A search as someone asks first, who does not know what stands in its way. */
export interface Question {
  pattern: string;
  /** Where to search. @default the whole tree */
  path?: string;
  /** Which files to search. */
  glob?: string;
  /** The type of the files to search, by ripgrep's name. */
  type?: string;
}

/** The tools that are asked, as the columns of the table name them. */
export const TOOLS = [
  "rg",
  "grep",
  "git grep",
  "ugrep",
  "pathgrep",
  "pathgrep mcp",
  "rg + hook",
] as const;
/** One of {@linkcode TOOLS}. */
export type Tool = (typeof TOOLS)[number];
/** The tools that this project answers for. */
export const OURS: readonly Tool[] = ["pathgrep", "pathgrep mcp", "rg + hook"];

/** One everyday circumstance. */
export interface Circumstance {
  name: string;
  /** Where somebody met it: a thread on GitHub as `owner/name#number`, or the address of a page. */
  source: string;
  files: Readonly<Record<string, TreeEntry>>;
  /** What is run in the tree, which is a git repository. @default everything is committed */
  setup?: string;
  /** The directory in which the tools are started. @default the tree's root */
  cwd?: string;
  ask: Question;
  /** The file with the line; none if it is really not there. */
  file?: string;
  /** Other names that lead to the line: the directory that was left out with it, a link. */
  names?: readonly string[];
  /** What an answer says that names the cause, where that is no place. */
  cause?: RegExp;
  /** Whether a tool has nothing to say but the line, or nothing at all. @default false */
  trap?: true;
  /** Why this project's tools are silent, where the contract says so. */
  byDesign?: { tools: readonly Tool[]; why: string };
}
