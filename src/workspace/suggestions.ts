/**
 * Suggests paths in place of one that leads nowhere. Suggestions are shown and never used: guessing
 * which of five `lib.rs` was meant would be worse than asking. Each suggestion can be used as it
 * is.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { Voice } from "../notes/table.ts";
import { distance } from "../util/text.ts";
import {
  type FoundLocation,
  type IsBlocked,
  locate,
  type Location,
  type PathUse,
  sensitiveIn,
} from "./locate.ts";
import { entriesIfAny, UndecodableNames } from "../system/files.ts";
import { readingsOf, type Turn, TURNS } from "./repairs.ts";
import type { Workspace } from "./workspace.ts";
import { isLinkedWorktree } from "../exclusions/rule_file.ts";
import type { FileInfo } from "../system/types.ts";

/** More suggestions are no help. */
const MAX_SUGGESTIONS = 10;
/** The most entries examined: a suggestion is not worth a walk over a huge tree. */
const MAX_ENTRIES = 50_000;
/** The most milliseconds that an examination may take, since it blocks a server. */
const MAX_MS = 300;
/** The longest text, in characters, in which paths are looked for, and the most parts of it. */
const MAX_TEXT = 2000;
const MAX_PARTS = 20;
/** The most trailing segments of a path outside that are tried. */
const MAX_SEGMENTS = 100;
/** Directories of installed packages, which would drown the workspace's own files. */
const SKIPPED_DIRECTORIES = new Set(["node_modules"]);
/** Detects a glob. A `?` after an extension starts a query, as in `a.ts?raw`. */
const WILDCARD = /\*|\{[^{}]*,|(?<!\.\w{2,})\?/u;

export interface Purpose {
  use: PathUse;
  /** Paths that are never suggested. @default the table of sensitive names */
  isBlocked?: IsBlocked | undefined;
  /** Canonical paths that end with the missing one, to be suggested first. @default those that are met */
  endings?: readonly string[] | undefined;
  /** Words hints. */
  voice?: Voice | undefined;
}

interface WorkspaceEntry {
  path: string;
  info: Pick<FileInfo, "isFile" | "isDirectory">;
}

/**
 * Paths in the workspace that a missing path may have meant, best first: what its repaired forms find;
 * else paths that end with it, also in another letter case or normal form, the same stem with another or no
 * extension, and near misspellings; and paths that the text mentions.
 */
export function suggestionsFor(workspace: Workspace, missing: string, purpose: Purpose): string[] {
  const isBlocked = purpose.isBlocked ?? sensitiveIn(workspace);
  const exact: WorkspaceEntry[] = [];
  const absent: string[] = [];
  for (const text of formsOf(workspace, missing)) {
    const location = follow(workspace, text, isBlocked);
    if (location?.state === "found") exact.push(location);
    if (location?.state === "outside") exact.push(...trailingPart(workspace, text, purpose));
    if (location?.state === "missing") absent.push(location.path);
  }
  const ends = (purpose.endings ?? [])
    .flatMap((path) => foundEntry(workspace, path, isBlocked) ?? []);
  const found = sendable(workspace, exact, purpose.use, isBlocked);
  if (found.length > 0 && ends.length === 0) return found;
  const near = WILDCARD.test(missing) ? [] : ranked(workspace, absent, purpose.use, isBlocked);
  const named = pathsIn(workspace, missing, isBlocked);
  const above = absent.flatMap((path) => fileAbove(workspace, path, isBlocked));
  const all = [...ends, ...exact, ...near, ...named, ...above];
  return sendable(workspace, all, purpose.use, isBlocked);
}

/** The longest trailing part of a path outside that exists in the workspace. */
export function suggestionsInside(
  workspace: Workspace,
  outside: string,
  purpose: Purpose,
): string[] {
  const { use, isBlocked = sensitiveIn(workspace) } = purpose;
  const parts = formsOf(workspace, outside)
    .flatMap((text) => trailingPart(workspace, text, { use, isBlocked }));
  return sendable(workspace, parts, use, isBlocked).slice(0, 1);
}

/**
 * Splits a glob that was given as a path into the directory where it starts and the rest; nothing if the
 * path is no glob. The directory is empty for the whole workspace.
 */
export function globIn(
  workspace: Workspace,
  given: string,
  { isBlocked = sensitiveIn(workspace) }: Purpose,
): { path: string; glob: string } | undefined {
  let everywhere: { path: string; glob: string } | undefined;
  for (const text of formsOf(workspace, given, [1])) {
    const wildcard = text.search(WILDCARD);
    const start = text.lastIndexOf("/", wildcard) + 1;
    const glob = text.slice(start);
    // There is a repaired form without backslashes.
    if (wildcard < 0 || glob.includes("\\")) continue;
    if (start === 0) {
      everywhere = { path: "", glob }; // the last one has neither quotes nor @
      continue;
    }
    const location = foundEntry(workspace, text.slice(0, start), isBlocked);
    if (!location?.info.isDirectory) continue;
    const [path] = sendable(workspace, [location], "search", isBlocked);
    if (path === "." && workspace.roots.length === 1) return { path: "", glob };
    if (path !== undefined) return { path, glob };
  }
  return everywhere;
}

/** A path as given and, while there is time, as the repairs of some turns read it. */
function* formsOf(
  workspace: Workspace,
  given: string,
  turns: readonly Turn[] = TURNS,
): Generator<string> {
  yield* platform.asGivenAndTrimmed(given);
  const until = performance.now() + MAX_MS;
  for (const { path } of turns.flatMap((turn) => readingsOf(given, workspace, turn))) {
    if (performance.now() > until) return;
    yield path;
  }
}

function follow(
  workspace: Workspace,
  path: string,
  isBlocked: IsBlocked | undefined,
  use?: PathUse,
): Location | undefined {
  try {
    return locate(workspace, path, isBlocked, use);
  } catch {
    return undefined;
  }
}

function foundEntry(
  workspace: Workspace,
  path: string,
  isBlocked: IsBlocked | undefined,
): FoundLocation | undefined {
  const location = follow(workspace, path, isBlocked);
  return location?.state === "found" ? location : undefined;
}

/** Whether something suits a use; for a directory, a file stands for the directory that contains it. */
function suits({ isFile, isDirectory }: WorkspaceEntry["info"], use: PathUse): boolean {
  return isFile || (isDirectory && use !== "file");
}

/**
 * Entries in the form in which callers can use them, each once; for a directory, a file becomes the one
 * that contains it. Paths are relative to their root or, if that leads elsewhere, to the first root.
 */
export function sendable(
  workspace: Workspace,
  entries: Iterable<WorkspaceEntry>,
  use: PathUse,
  isBlocked: IsBlocked,
): string[] {
  const paths = new Set<string>();
  for (const { path, info } of entries) {
    if (paths.size === MAX_SUGGESTIONS) break;
    if (!suits(info, use) || !isThere(workspace, path, info)) continue;
    const meant = use === "dir" && info.isFile ? platform.dirname(path) : path;
    let relative = platform.relativePath(workspace.rootOf(meant)!, meant);
    if (relative.trim() === "") relative = `./${relative}`; // a blank path is no path
    const leads = workspace.roots.length === 1 ||
      follow(workspace, relative, isBlocked, use)?.path === meant;
    paths.add(leads ? relative : platform.relativePath(workspace.roots[0]!, meant));
  }
  return [...paths];
}

/** Whether a path that was listed is, and not by a link, in the workspace and of that type. */
function isThere(workspace: Workspace, path: string, { isFile }: WorkspaceEntry["info"]): boolean {
  const location = foundEntry(workspace, path, undefined);
  return location?.path === path && location.info.isFile === isFile;
}

/** The longest trailing part of a path that suits, if one does. */
function trailingPart(
  workspace: Workspace,
  path: string,
  { use, isBlocked = sensitiveIn(workspace) }: Purpose,
): WorkspaceEntry[] {
  const segments = path.replaceAll("\\", "/").split("/").filter((part) => part !== "")
    .slice(-MAX_SEGMENTS);
  for (let start = segments.lastIndexOf("..") + 1; start < segments.length; start++) {
    const part = segments.slice(start).join("/");
    const location = part === "." ? undefined : foundEntry(workspace, part, isBlocked);
    if (location !== undefined && suits(location.info, use)) return [location];
  }
  return [];
}

/** Paths that a text mentions: several at once, or between other words. */
function pathsIn(workspace: Workspace, text: string, isBlocked: IsBlocked): WorkspaceEntry[] {
  if (text.length > MAX_TEXT) return [];
  const parts = text.split(/[\s,;:|()<>[\]"'`]+/u).slice(0, MAX_PARTS);
  return parts.flatMap((part) => {
    const path = part.replace(/^(?:\.\/+)+|(?<!\/)\/+$/gu, "");
    if (/^\.?$|(?:^|\/)\.\.(?:\/|$)/u.test(path)) return [];
    if (platform.isAbsolute(path) && !workspace.contains(path)) return [];
    return foundEntry(workspace, path, isBlocked) ?? [];
  });
}

/** The file that a missing path leads through, as if it were a directory. */
function fileAbove(workspace: Workspace, missing: string, isBlocked: IsBlocked): WorkspaceEntry[] {
  const root = workspace.rootOf(missing)!;
  const segments = platform.relativePath(root, missing).split("/");
  // Bisects between a directory that exists and the first segment that is not one.
  let directories = 0;
  for (let end = segments.length; directories < end;) {
    const middle = (directories + end) >> 1;
    const path = platform.join(root, ...segments.slice(0, middle + 1));
    const location = foundEntry(workspace, path, isBlocked);
    if (location?.info.isFile) return [location];
    if (location !== undefined) directories = middle + 1;
    else end = middle;
  }
  return [];
}

interface SplitPath {
  segments: readonly string[];
  folded: readonly string[];
}

function splitPath(relative: string): SplitPath {
  const folded = relative.normalize("NFC").toLowerCase();
  return { segments: relative.split("/"), folded: folded.split("/") };
}

/** The entries of the workspace that resemble one of several missing paths, the most similar first. */
function ranked(
  workspace: Workspace,
  missing: readonly string[],
  use: PathUse,
  isBlocked: IsBlocked,
): WorkspaceEntry[] {
  const wanted = [...new Set(missing)]
    .map((path) => splitPath(platform.relativePath(workspace.rootOf(path)!, path)));
  const likely: { entry: WorkspaceEntry; relative: string; rank: number }[] = [];
  for (const [entry, relative] of suggestableEntries(workspace, missing, isBlocked)) {
    if (!suits(entry.info, use)) continue;
    const name = splitPath(relative);
    const rank = Math.min(...wanted.map((wanted) => similarityRank(name, wanted)));
    // For a directory, a file must have the very name for its directory to be suggested.
    const worst = use === "dir" && entry.info.isFile ? SAME_NAME : NEAR;
    if (rank <= worst) likely.push({ entry, relative, rank });
  }
  likely.sort((a, b) => a.rank - b.rank || platform.compareByBytes(a.relative, b.relative));
  return likely.map(({ entry }) => entry);
}

/**
 * Everything in the workspace that may be suggested, and its path below its root. Copies of it in git
 * worktrees are excluded, unless a missing path is in them.
 */
function* suggestableEntries(
  workspace: Workspace,
  missing: readonly string[],
  isBlocked: IsBlocked,
): Generator<[WorkspaceEntry, string]> {
  let left = MAX_ENTRIES;
  const until = performance.now() + MAX_MS;
  for (const root of workspace.roots) {
    const directories = [root];
    for (const directory of directories) {
      const undecodable = new UndecodableNames();
      const items = entriesIfAny(directory);
      const mayBeCopy = directory !== root &&
        items.some(({ name, isFile }) => isFile && name.toLowerCase() === ".git") &&
        !missing.some((path) => platform.isWithin(directory, path));
      if (mayBeCopy && isLinkedWorktree(directory, workspace.roots)) continue;
      for (const item of items) {
        if (left-- <= 0 || performance.now() > until) return;
        const path = platform.join(directory, item.name);
        if (isBlocked(path, items)) continue;
        if (!undecodable.opens(directory + platform.sep, item)) continue;
        yield [{ path, info: item }, platform.relativePath(root, path)];
        if (item.isDirectory && !SKIPPED_DIRECTORIES.has(item.name)) directories.push(path);
      }
    }
  }
}

/** The last rank of equal names, letter case and normal form ignored. */
const SAME_NAME = 1;
const NEAR = 5;

function similarityRank(entry: SplitPath, wanted: SplitPath): number {
  const { folded, segments } = entry;
  const length = wanted.segments.length;
  if (segments.length < length && length > 1 && segments.at(-1) !== wanted.segments.at(-1)) {
    return Infinity;
  }
  if (endsWith(segments, wanted.segments)) return 0;
  if (endsWith(folded, wanted.folded)) return 1;
  const name = folded.at(-1)!;
  const wantedName = wanted.folded.at(-1)!;
  const parents = wanted.folded.slice(0, -1);
  const sameDirectory = endsWith(folded.slice(0, -1), parents);
  if (sameDirectory && stem(name) === stem(wantedName)) return 2;
  if (sameDirectory && isNear(name, wantedName)) return 3;
  if (name === wantedName) return 4;
  const near = parents.length > 0 && folded.length === length &&
    folded.every((segment, index) =>
      segment === wanted.folded[index] || isNear(segment, wanted.folded[index]!)
    );
  return near ? NEAR : Infinity;
}

function endsWith(segments: readonly string[], end: readonly string[]): boolean {
  const offset = segments.length - end.length;
  return offset >= 0 && end.every((segment, index) => segments[offset + index] === segment);
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/su, "");
}

/** Whether names differ by at most one edit in four characters. */
function isNear(a: string, b: string): boolean {
  const allowed = Math.min(3, Math.floor(Math.max(a.length, b.length) / 4));
  return allowed > 0 && Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed;
}
