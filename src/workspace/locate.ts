/**
 * Locates a path as given, relative or absolute, in the workspace.
 *
 * @module
 */

import type { Note, PlacesRead } from "../notes/words.ts";
import type { DirEntry, FileInfo } from "../system/types.ts";
import { PathgrepError } from "../util/errors.ts";
import * as platform from "../util/path.ts";
import { type ExcludedBy, Exclusions } from "../exclusions/exclusions.ts";
import { isSensitive } from "../exclusions/sensitive.ts";
import { identityOf } from "../paths/verification.ts";
import { innermost, type Workspace } from "./workspace.ts";

/** How a path will be used. A relative `dir` is resolved against the first root only. */
export type PathUse = "search" | "file" | "dir" | "project";

/**
 * Whether a path, lexical or canonical, must not be read: by a team's rule, or by the policy on names.
 *
 * @param siblings what the path's directory holds, if that was listed
 */
export type IsBlocked = (
  path: string,
  siblings?: readonly DirEntry[],
) => boolean | ExcludedBy;

/**
 * Where a path leads. `path` is canonical unless it is `blocked`: a blocked path is never followed.
 * A path that leads to something blocked outside counts as outside for a caller who may not look
 * there; otherwise it would reveal a link.
 */
export type Location =
  | { state: "found"; path: string; info: FileInfo }
  | { state: "missing"; path: string }
  | { state: "outside"; path: string; isBlocked: boolean }
  | { state: "blocked"; path: string; by: ExcludedBy | undefined };

/**
 * The default rule: the table of sensitive names, below the root that holds the path, and the exclusion
 * files. Create one for each question.
 */
export function sensitiveIn(workspace: Workspace): IsBlocked {
  const exclusions = new Exclusions(workspace.exclusionRoots());
  return (path, siblings) => {
    const root = innermost(workspace.ceiling, path);
    return isSensitive(root === undefined ? path : platform.relativePath(root, path)) ||
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
  const [given, trimmed] = platform.asGivenAndTrimmed(path);
  if (trimmed === undefined) return locateReading(workspace, given, isBlocked, use);
  const asGiven = orFailure(() => locateReading(workspace, given, isBlocked, use));
  if (!(asGiven instanceof PathgrepError) && asGiven.state === "found") return asGiven;
  const location = locateReading(workspace, trimmed, isBlocked, use);
  // If nothing has the shorter name, the error is what prevents the use of the longer one. A name that is
  // blocked by its pattern is not: `.env.example` with a line break matches that of `.env.*`.
  if (location.state !== "missing") return location;
  if (asGiven instanceof PathgrepError) throw asGiven;
  const isBarred = asGiven.state === "outside" ||
    asGiven.state === "blocked" && asGiven.by !== undefined;
  return isBarred ? asGiven : location;
}

/** {@linkcode locate} for a path whose white space counts. */
function locateReading(
  workspace: Workspace,
  path: string,
  isBlocked: IsBlocked | undefined,
  use: PathUse,
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

export type FoundLocation = Extract<Location, { state: "found" }>;

export interface PlacesInRoots {
  /** The places that it leads to, each once, in the order of the roots. */
  found: FoundLocation[];
  /** On roots in which it may lead to something that may not be read. */
  barred: Note[];
}

/**
 * Where a relative path leads in each of several roots; nowhere if it is absolute or there is one root.
 * As for one place, a root that blocks the path bars those after it, unless one before it has the path.
 * An unreadable root is not an error if another root has the path.
 */
export function placesInRoots(
  workspace: Workspace,
  path: string,
  isBlocked?: IsBlocked,
): PlacesInRoots {
  const [given, trimmed] = platform.asGivenAndTrimmed(path);
  const places = placesOfReading(workspace, given, isBlocked);
  return places.found.length > 0 || trimmed === undefined
    ? places
    : placesOfReading(workspace, trimmed, isBlocked);
}

function placesOfReading(
  workspace: Workspace,
  path: string,
  isBlocked: IsBlocked | undefined,
): PlacesInRoots {
  const found = new Map<string, FoundLocation>();
  const barred: Note[] = [];
  const roots = workspace.roots.length === 1 || platform.isAbsolute(path) ? [] : workspace.roots;
  const open = openRoots(roots, isBlocked);
  for (const root of roots) {
    const place = platform.resolve(root, path);
    // A place outside is not named: the caller wrote only the way there.
    const bar = (why: string) => {
      if (!workspace.contains(place)) return;
      barred.push({
        reason: "place_not_searched",
        values: { path: workspace.display(place), why },
      });
    };
    if (!open.includes(root)) {
      if (isEveryRoot(path)) bar(workspace.rootBlockedReason(isBlocked!(root)));
      continue;
    }
    try {
      const location = locateOne(workspace, place, isBlocked);
      if (location.state === "found") found.set(location.path, location);
      if (location.state !== "blocked") continue;
      if (found.size === 0) break;
      bar("it is blocked");
    } catch (error) {
      bar(PathgrepError.from(error).message);
    }
  }
  return { found: [...found.values()], barred };
}

/** Whether a path, relative to any root, is that root. */
export function isEveryRoot(path: string): boolean {
  return path !== "" && !platform.isAbsolute(path) &&
    /^\.[/\\]?$/u.test(platform.normalize(path));
}

const MAX_NAMED_PLACES = 5;

/** Where a path was read, as notes show it: everywhere or, where one place is wanted, in the first one. */
export function placesRead(
  workspace: Workspace,
  found: readonly { path: string }[],
  takesAll: boolean,
): PlacesRead {
  const places = found.slice(0, MAX_NAMED_PLACES).map(({ path }) => workspace.display(path));
  return { places, more: found.length - places.length, takesAll };
}

/** The note on a path that several roots have; none where one of them does. */
export function placesNotes(
  workspace: Workspace,
  given: string,
  { found, barred }: PlacesInRoots,
  takesAll: boolean,
): Note[] {
  const notes = takesAll ? barred : [];
  if (found.length < 2) return notes;
  const path = found[0]!.path.endsWith(given) ? given : given.trim();
  const values = { path, ...placesRead(workspace, found, takesAll) };
  return [{ reason: "path_in_roots", values }, ...notes];
}

/** The roots that no other root blocks; all of them if all are blocked. */
function openRoots(roots: readonly string[], isBlocked: IsBlocked = () => false) {
  const open = roots.filter((root) => isBlocked(root) === false);
  return open.length > 0 ? open : roots;
}

/** {@linkcode locate}, with the error as a value. */
export function locateAsGiven(
  workspace: Workspace,
  path: string,
  isBlocked?: IsBlocked,
  use?: PathUse,
): Location | PathgrepError {
  return orFailure(() => locate(workspace, path, isBlocked, use));
}

function orFailure(find: () => Location): Location | PathgrepError {
  try {
    return find();
  } catch (error) {
    return PathgrepError.from(error);
  }
}

/** Every check of a path looks up all of it, so the time grows with the square of its segments. */
const MAX_SEGMENTS = 512;

/** Whether a path lies in the workspace and has too many segments to be followed. */
export function isTooDeep(workspace: Workspace, path: string): boolean {
  return segmentCount(path) > MAX_SEGMENTS && workspace.contains(path);
}

function segmentCount(path: string): number {
  return path.split(platform.sep).length - 1;
}

function checkDepth(workspace: Workspace, path: string): void {
  if (!isTooDeep(workspace, path)) return;
  throw new PathgrepError(
    "invalid_input",
    `the path has ${segmentCount(path)} segments; at most ${MAX_SEGMENTS} are followed`,
    { hint: "use one path in its shortest form, or a directory above it" },
  );
}

/** Follows an absolute path, whose white space counts. */
export function locateOne(
  workspace: Workspace,
  absolute: string,
  isBlocked?: IsBlocked,
): Location {
  checkDepth(workspace, absolute);
  const blocked = isBlocked?.(absolute);
  if (blocked) return blockedAt(absolute, blocked);
  const isBarred = isBlocked && ((step: string) => isBlocked(step) !== false);
  const canonical = workspace.canonical(absolute, isBarred);
  const { path } = canonical;
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

/** A file or directory that may be read: its canonical path, and what proves it. */
export interface Place {
  readonly path: string;
  readonly isFile: boolean;
  /** That of the file or directory when it was admitted, by `identityOf`; a root has its own. */
  readonly identity?: string | undefined;
  /** Where a glob led there, what it matches below. @default everything */
  readonly globs?: readonly string[];
}

/** @throws {PathgrepError} `path_unsupported` if it is neither a file nor a directory */
export function placeAt(path: string, info: FileInfo, given: string): Place {
  if (info.isFile || info.isDirectory) {
    return { path, isFile: info.isFile, identity: identityOf(info) };
  }
  throw new PathgrepError(
    "path_unsupported",
    `Path is neither a file nor a directory: ${path}`,
    { path: given, resolved_path: path, hint: "name a regular file or a directory" },
  );
}
