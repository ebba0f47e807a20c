/**
 * Where git keeps a repository: for a directory with a file `.git`, such as a submodule or a linked
 * worktree, it is elsewhere.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { readRuleFile } from "./rule_file.ts";

const GITDIR = "gitdir: ";

export interface GitDirectories {
  /** The directory of the worktree itself, with its index. */
  readonly own: string;
  /** The directory that all worktrees of the repository share, with `info/exclude`. */
  readonly common: string;
  /** The directory with the `.git` that they lie in; nothing if none is on the way. */
  readonly home: string | undefined;
}

/** Where the `.git` file of a canonical directory leads; nothing if it is not in the canonical roots. */
export function gitDirectoriesOf(
  directory: string,
  roots: readonly string[],
): GitDirectories | undefined {
  const text = readRuleFile(platform.join(directory, ".git"), roots, undefined, directory)
    ?.toWellFormed() ?? "";
  if (!text.startsWith(GITDIR)) return undefined;
  // By hand: a regular expression would look for the end of each run of line ends anew.
  let end = text.length;
  while (end > GITDIR.length && "\r\n".includes(text[end - 1]!)) end--;
  const written = text.slice(GITDIR.length, end);
  if (written === "" || /[\n\0]/u.test(written)) return undefined;
  const own = platform.resolve(directory, written);
  const segments = own.split(/[\\/]/u);
  const at = repositoryIn(segments);
  return {
    own,
    common: segments.at(-2) === "worktrees" ? platform.dirname(platform.dirname(own)) : own,
    home: at < 1 ? undefined : segments.slice(0, at).join(platform.sep) || platform.sep,
  };
}

/** Which segment of a path is the repository: what is above it may have any name, and a bare one ends so. */
function repositoryIn(segments: readonly string[]): number {
  const exact = segments.indexOf(".git");
  return exact < 0 ? segments.findIndex((name) => name.endsWith(".git")) : exact;
}

/**
 * Whether a directory with a `.git` file is a linked worktree. Not a submodule, nor one of its worktrees,
 * which are no copies of what is around them.
 */
export function isLinkedWorktree(directory: string, roots: readonly string[]): boolean {
  const found = gitDirectoriesOf(directory, roots);
  if (found === undefined || found.own === found.common) return false;
  const segments = found.own.split(/[\\/]/u);
  return segments.indexOf("modules", repositoryIn(segments) + 1) < 0;
}
