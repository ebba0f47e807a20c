/**
 * Resolves the target of a search, for tools that search in their own way.
 *
 * @module
 */

import { sentences } from "../notes/words.ts";
import { findPath, Guard } from "../guard/guard.ts";
import { isEveryRoot, placeAt } from "../workspace/locate.ts";
import { locationError } from "../workspace/missing_path.ts";
import { checkedPath, checkOptions, type Workspace } from "../workspace/workspace.ts";
import { basename, dirname } from "../util/path.ts";
import { pathByEnding } from "../walk/walk_names.ts";

/** The target of a search, by `kind`: every root, a directory, or a file. */
export type ResolvedSearchTarget =
  | { kind: "all-workspaces"; roots: readonly string[] }
  | { kind: "directory"; searchDir: string; notes: readonly string[] }
  | {
    kind: "file";
    filePath: string;
    parentDir: string;
    basename: string;
    notes: readonly string[];
  };

/**
 * Resolves the path of a search: a directory or a file in the workspace, or every root if it is omitted
 * or blank. A path that does not exist as given is read as the command line reads it (quotes, file URL,
 * `:LINE`, backslashes, the only path that ends the same way, percent-encoding and more), and `notes`
 * says how.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param workspace the roots that must contain the path
 * @param path absolute, or relative to the first root that has it: `notes` name the others; `.` is every
 * root
 * @throws {PathgrepError} `path_outside_workspace`, `path_not_found` with `suggestions`,
 * `path_access_denied`, `path_unsupported`, `invalid_input`
 *
 * @example
 * ```ts
 * import { resolveTextSearchTarget, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "");
 * const workspace = await Workspace.open(root);
 * const target = await resolveTextSearchTarget(workspace, "a.ts:12");
 * assert.equal(target.kind, "file");
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function resolveTextSearchTarget(
  workspace: Workspace,
  path?: string,
): Promise<ResolvedSearchTarget> {
  checkOptions({ workspace });
  const given = path === undefined ? "" : checkedPath(path, "path");
  const { roots } = workspace;
  if (given === "" || roots.length > 1 && isEveryRoot(given)) {
    return { kind: "all-workspaces", roots };
  }
  const guard = new Guard({ workspace });
  const { location, endings, ...found } = await findPath(workspace, given, undefined, {
    findByEnding: (given) => pathByEnding(given, { workspace, guard }),
  });
  if (location.state === "found") {
    const notes = sentences(found.notes);
    const { path, isFile } = placeAt(location.path, location.info, given);
    return isFile
      ? { kind: "file", filePath: path, parentDir: dirname(path), basename: basename(path), notes }
      : { kind: "directory", searchDir: path, notes };
  }
  throw locationError(workspace, given, location, { field: "path", use: "search", endings });
}
