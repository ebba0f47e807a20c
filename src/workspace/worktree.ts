/**
 * Linked git worktrees: checkouts of a repository that lies elsewhere.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { readRuleFile } from "./rule_file.ts";

/** How a file `.git` begins. */
const GITDIR = "gitdir: ";

/**
 * The git directory of the repository that a directory is a linked worktree of; nothing if it is none. Of
 * a submodule and its worktrees it is nothing, too: they are no copies of what is around them.
 *
 * @param directory a canonical one that holds a file `.git`
 * @param roots canonical directories in which that file has to lie
 */
export function repositoryOfWorktree(
  directory: string,
  roots: readonly string[],
): string | undefined {
  const text = readRuleFile(platform.join(directory, ".git"), roots, undefined, directory) ?? "";
  if (!text.startsWith(GITDIR)) return undefined;
  // By hand: an expression would look for the end of each row of line ends anew.
  let end = text.length;
  while (end > GITDIR.length && "\r\n".includes(text[end - 1]!)) end--;
  const written = text.slice(GITDIR.length, end);
  if (written === "" || /[\n\0]/u.test(written)) return undefined;
  const gitDirectory = platform.resolve(directory, written);
  const segments = gitDirectory.split(/[\\/]/u);
  if (segments.at(-2) !== "worktrees") return undefined;
  // What is above the repository may have any name; a bare one ends with `.git`, too.
  const exact = segments.indexOf(".git");
  const repository = exact < 0 ? segments.findIndex((name) => name.endsWith(".git")) : exact;
  if (segments.indexOf("modules", repository + 1) >= 0) return undefined;
  return platform.dirname(platform.dirname(gitDirectory));
}
