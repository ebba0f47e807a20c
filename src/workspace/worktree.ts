/**
 * Linked git worktrees: checkouts of a repository that is elsewhere.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { readRuleFile } from "./rule_file.ts";

/** How a `.git` file begins. */
const GITDIR = "gitdir: ";

/**
 * The git directory of the repository that a directory is a linked worktree of; nothing if it is
 * not one. Also nothing for a submodule and its worktrees, which are not copies of what is around
 * them.
 *
 * @param directory a canonical directory that contains a `.git` file
 * @param roots canonical directories that have to contain that file
 */
export function repositoryOfWorktree(
  directory: string,
  roots: readonly string[],
): string | undefined {
  const text = readRuleFile(platform.join(directory, ".git"), roots, undefined, directory)
    ?.toWellFormed() ?? "";
  if (!text.startsWith(GITDIR)) return undefined;
  // By hand: a regular expression would look for the end of each run of line ends anew.
  let end = text.length;
  while (end > GITDIR.length && "\r\n".includes(text[end - 1]!)) end--;
  const written = text.slice(GITDIR.length, end);
  if (written === "" || /[\n\0]/u.test(written)) return undefined;
  const gitDirectory = platform.resolve(directory, written);
  const segments = gitDirectory.split(/[\\/]/u);
  if (segments.at(-2) !== "worktrees") return undefined;
  // What is above the repository may have any name; a bare repository also ends with `.git`.
  const exact = segments.indexOf(".git");
  const repository = exact < 0 ? segments.findIndex((name) => name.endsWith(".git")) : exact;
  if (segments.indexOf("modules", repository + 1) >= 0) return undefined;
  return platform.dirname(platform.dirname(gitDirectory));
}
