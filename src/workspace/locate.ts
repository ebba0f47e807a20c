/**
 * Locates a path as given, relative or absolute, in the workspace.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { type ExcludedBy, Exclusions } from "./exclusions.ts";
import { isSensitive } from "./sensitive.ts";
import { relativePath } from "./paths.ts";
import { innermost, type Workspace } from "./workspace.ts";

/** How a path will be used. A relative `dir` is resolved against the first root only. */
export type PathUse = "search" | "file" | "dir" | "project";

/** Why a path must not be read, if it must not: a team's rule, or else the policy on names. */
export type Blocked = boolean | ExcludedBy;

/**
 * Whether a path, lexical or canonical, must not be read; the guard's rule or the default one.
 *
 * @param siblings what the path's directory holds, if that was listed
 */
export type IsBlocked = (path: string, siblings?: readonly Deno.DirEntry[]) => Blocked;

/**
 * Where a path leads. `path` is canonical unless it is `blocked`: a blocked path is never followed.
 * A path that leads to something blocked outside counts as outside for a caller who may not look
 * there; otherwise it would reveal a link.
 */
export type Location =
  | { state: "found"; path: string; info: Deno.FileInfo }
  | { state: "missing"; path: string }
  | { state: "outside"; path: string; isBlocked: boolean }
  | { state: "blocked"; path: string; by: ExcludedBy | undefined };

/**
 * The default rule: the table of sensitive names, below the root that holds the path, and the exclusion
 * files. Create one for each question.
 */
export function sensitiveIn(workspace: Workspace): IsBlocked {
  const exclusions = new Exclusions(workspace.ceiling);
  return (path, siblings) => {
    const root = innermost(workspace.ceiling, path);
    return isSensitive(root === undefined ? path : relativePath(root, path)) ||
      (exclusions.ruleFor(path, siblings) ?? false);
  };
}

/**
 * Follows a path. A relative one starts at the first root in which it exists, a working directory at the
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
  const bases = platform.isAbsolute(path)
    ? [""]
    : use === "dir" || roots.length === 1
    ? roots.slice(0, 1)
    : openRoots(roots, isBlocked);
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

/**
 * The roots, without those that another root blocks, in which nothing can be found; all of them if
 * all are blocked.
 */
function openRoots(roots: readonly string[], isBlocked: IsBlocked = () => false) {
  const open = roots.filter((root) => isBlocked(root) === false);
  return open.length > 0 ? open : roots;
}

/** Where a path leads as it is given, or why it cannot be followed. */
export function locateAsGiven(
  workspace: Workspace,
  path: string,
  isBlocked?: IsBlocked,
  use?: PathUse,
): Location | PathgrepError {
  try {
    return locate(workspace, path, isBlocked, use);
  } catch (error) {
    return PathgrepError.from(error);
  }
}

/**
 * Each segment is checked against every rule, and every check of a path looks up all of it, so the
 * time grows with the square of the number of segments.
 */
const MAX_SEGMENTS = 512;

/** Whether a path lies in the workspace and has too many segments to be followed. */
export function isTooDeep(workspace: Workspace, path: string): boolean {
  return segmentCount(path) > MAX_SEGMENTS && workspace.contains(path);
}

function segmentCount(path: string): number {
  return path.split(platform.sep).length - 1;
}

/** @throws {PathgrepError} `invalid_input` for a path in the workspace with too many segments */
function checkDepth(workspace: Workspace, path: string): void {
  if (!isTooDeep(workspace, path)) return;
  throw new PathgrepError(
    "invalid_input",
    `the path has ${segmentCount(path)} segments, more than the ${MAX_SEGMENTS} that are followed`,
    { hint: "send one path, as short as it can be written, or one above it" },
  );
}

function locateOne(workspace: Workspace, absolute: string, isBlocked?: IsBlocked): Location {
  checkDepth(workspace, absolute);
  const blocked = isBlocked?.(absolute);
  if (blocked) return blockedAt(absolute, blocked);
  const canonical = workspace.canonical(
    absolute,
    isBlocked && ((step) => isBlocked(step) !== false),
  );
  const path = canonical.path;
  checkDepth(workspace, path);
  const isReached = path === absolute ? false : isBlocked?.(path);
  if (!workspace.contains(path)) return { state: "outside", path, isBlocked: Boolean(isReached) };
  if (isReached) return blockedAt(path, isReached);
  return canonical.exists
    ? { state: "found", path, info: canonical.info }
    : { state: "missing", path };
}

function blockedAt(path: string, blocked: true | ExcludedBy): Location {
  return { state: "blocked", path, by: blocked === true ? undefined : blocked };
}
