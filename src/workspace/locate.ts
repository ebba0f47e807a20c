/**
 * Where a path as given leads: the one place that reads relative and absolute paths.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { isSensitive } from "./sensitive.ts";
import { relativePath } from "./paths.ts";
import { innermost, type Workspace } from "./workspace.ts";

/** What a path is for, which decides how it is read: of a `dir`, the first root has the word. */
export type PathUse = "search" | "file" | "dir" | "project";

/** Whether a path, lexical or canonical, must not be read; the guard's rule or the default table. */
export type IsBlocked = (path: string) => boolean;

/** Where a path leads. `path` is canonical, but for `blocked`, where nothing was looked at. */
export type Location =
  | { state: "found"; path: string; info: Deno.FileInfo }
  | { state: "missing"; path: string }
  | { state: "outside"; path: string }
  | { state: "blocked"; path: string };

/** The default rule: the table of sensitive names, below the root that holds the path. */
export function sensitiveIn(workspace: Workspace): IsBlocked {
  return (path) => {
    const root = innermost(workspace.ceiling, path);
    return isSensitive(root === undefined ? path : relativePath(root, path));
  };
}

/**
 * Follows a path, relative ones from the first root that has it, a working directory's from the
 * first root. Reads nothing of a blocked path.
 *
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported`
 */
export function locate(
  workspace: Workspace,
  path: string,
  isBlocked?: IsBlocked,
  use: PathUse = "search",
): Location {
  const { roots } = workspace;
  const bases = platform.isAbsolute(path) ? [""] : use === "dir" ? roots.slice(0, 1) : roots;
  let first: Location | undefined;
  let failure: PathgrepError | undefined;
  for (const base of bases) {
    try {
      const location = locateOne(workspace, platform.resolve(base, path), isBlocked);
      if (location.state === "found" || location.state === "blocked") return location;
      first ??= location;
    } catch (error) {
      failure ??= PathgrepError.from(error).with({ path });
    }
  }
  if (failure !== undefined) throw failure;
  return first!;
}

function locateOne(workspace: Workspace, absolute: string, isBlocked?: IsBlocked): Location {
  if (isBlocked?.(absolute)) return { state: "blocked", path: absolute };
  const canonical = workspace.canonical(absolute);
  const path = canonical.path;
  if (isBlocked?.(path)) return { state: "blocked", path };
  if (!workspace.contains(path)) return { state: "outside", path };
  return canonical.exists
    ? { state: "found", path, info: canonical.info }
    : { state: "missing", path };
}
