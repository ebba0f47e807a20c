/**
 * The target of a search or a listing: everything, a directory, or a file.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { type IsBlocked, locate, type Location, type PathUse } from "./locate.ts";
import { otherReadings } from "./repairs.ts";
import { globIn, type Purpose, suggestionsFor, suggestionsInside } from "./suggestions.ts";
import { checkedPath, type Workspace } from "./workspace.ts";

/** What a path names: told apart by `kind`, never by `null`. */
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
 * Resolves the path of a search: a directory or a file in the workspace, or every root when it is
 * omitted or blank. A path that does not exist as given is read in other ways (quotes, file URL,
 * `:LINE`, backslashes, leading `/`, the root's own name), each of which says so in `notes`.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param workspace the roots that the path must stay in
 * @param path absolute, or relative to the first root that has it
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
// deno-lint-ignore require-await
export async function resolveTextSearchTarget(
  workspace: Workspace,
  path?: string,
): Promise<ResolvedSearchTarget> {
  const given = path === undefined ? "" : checkedPath(path, "path");
  if (given === "") return { kind: "all-workspaces", roots: workspace.roots };
  const { location, notes } = findInWorkspace(workspace, given);
  if (location.state === "found") return targetAt(location.path, location.info, given, notes);
  throw locationError(workspace, given, location, { field: "path", use: "search" });
}

/**
 * Follows a path as given and, where that finds nothing, its other readings.
 *
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported`
 */
export function findInWorkspace(
  workspace: Workspace,
  given: string,
  isBlocked?: IsBlocked,
  use: PathUse = "search",
): { location: Location; notes: string[] } {
  let asGiven: Location | undefined;
  let failure: PathgrepError | undefined;
  try {
    asGiven = locate(workspace, given, isBlocked, use);
    if (asGiven.state === "found" || asGiven.state === "blocked") {
      return { location: asGiven, notes: [] };
    }
  } catch (error) {
    failure = PathgrepError.from(error);
  }
  for (const reading of otherReadings(given, workspace)) {
    try {
      const location = locate(workspace, reading.path, isBlocked, use);
      if (location.state !== "found" && location.state !== "blocked") continue;
      const note = `path ${JSON.stringify(given)} was read ${reading.said}: ` +
        workspace.display(location.path);
      return { location, notes: [note] };
    } catch {
      // A reading that cannot be followed is not the one that was meant.
    }
  }
  if (failure !== undefined) throw failure;
  return { location: asGiven!, notes: [] };
}

/** The target that an existing path is. */
export function targetAt(
  path: string,
  info: Deno.FileInfo,
  given: string,
  notes: readonly string[],
): ResolvedSearchTarget {
  if (info.isDirectory) return { kind: "directory", searchDir: path, notes };
  if (info.isFile) {
    return {
      kind: "file",
      filePath: path,
      parentDir: platform.dirname(path),
      basename: platform.basename(path),
      notes,
    };
  }
  throw new PathgrepError(
    "path_unsupported",
    `Path is neither a file nor a directory: ${path}`,
    { path: given, resolved_path: path, hint: "name a regular file or a directory" },
  );
}

/** The error for a path that leads nowhere in the workspace, with what may have been meant. */
export function locationError(
  workspace: Workspace,
  given: string,
  location: Location,
  options: { field: string } & Purpose,
): PathgrepError {
  const { field, use } = options;
  if (location.state === "blocked") {
    return new PathgrepError(
      "permission_denied_by_policy",
      `${field} ${given} is blocked or sensitive`,
      { path: given, hint: "search elsewhere, or have the user allow it with --allow" },
    );
  }
  const isOutside = location.state === "outside";
  const suggestions = isOutside
    ? suggestionsInside(workspace, given, options)
    : suggestionsFor(workspace, given, options);
  const glob = globIn(workspace, given, options);
  const hint = suggestions.length > 0
    ? `send one of the suggestions${isOutside ? "" : "; a path starts at the workspace root"}`
    : glob !== undefined
    ? globHint(glob, use)
    : isOutside
    ? "give a path inside the workspace, relative to its root" +
      (use === "search" ? ", or omit it to search everything" : "")
    : "list what is there (`pathgrep files`, or the glob tool)" +
      (use === "search" ? ", or omit the path to search everything" : "");
  const advice = { suggestions: suggestions.length > 0 ? suggestions : undefined, hint };
  return isOutside
    ? new PathgrepError(
      "path_outside_workspace",
      `${field} ${given} escapes project root ${workspace.roots.join(", ")}`,
      { path: given, ...advice },
    )
    : new PathgrepError("path_not_found", `Path does not exist: ${location.path}`, {
      path: given,
      resolved_path: location.path,
      ...advice,
    });
}

function globHint({ path, glob }: { path: string; glob: string }, use: PathUse): string {
  if (use !== "search") {
    return "a path is no glob: list what matches it (`pathgrep files`, or the glob tool) and send one " +
      "path";
  }
  const where = path === "" ? "leave the path out" : `send ${path} as path`;
  return `a path is no glob: ${where} and ${glob} as include (as pattern, with the glob tool)`;
}
