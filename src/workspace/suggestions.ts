/**
 * What a path that leads nowhere may have meant. Suggestions are never used, only shown: guessing
 * which of five `lib.rs` was meant would be worse than asking. Each can be sent as it is.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { distance } from "../util/closest.ts";
import { type IsBlocked, locate, type Location, type PathUse, sensitiveIn } from "./locate.ts";
import { compareByBytes, isWithin, relativePath } from "./paths.ts";
import { otherReadings } from "./repairs.ts";
import type { Workspace } from "./workspace.ts";

/** More than this helps nobody choose. */
const MAX_SUGGESTIONS = 10;
/** Entries looked at: a suggestion is not worth a walk over a huge tree. */
const MAX_ENTRIES = 50_000;
/** A longer text is no list of paths, in characters; nor is one of more parts. */
const MAX_TEXT = 2000;
const MAX_PARTS = 20;
/** Segments at the end of a path from elsewhere that are looked for. */
const MAX_SEGMENTS = 100;
/** Installed packages drown the workspace's own files. */
const SKIPPED_DIRECTORIES = new Set(["node_modules"]);
/** What makes a text a glob. A `?` after an extension begins a query, as in `a.ts?raw`. */
const WILDCARD = /\*|\{[^{}]*,|(?<!\.\w{2,})\?/u;

/** What suggestions are for. */
export interface Purpose {
  /** How the path is read: a suggestion can be sent in its place. */
  use: PathUse;
  /** What is never suggested. @default the table of sensitive names */
  isBlocked?: IsBlocked | undefined;
}

/** Something in the workspace. */
interface Entry {
  path: string;
  info: Pick<Deno.FileInfo, "isFile" | "isDirectory">;
}

/**
 * Paths in the workspace that a missing path may have meant, best first: what other readings of it
 * find; else those that end with it, those that do but for letter case, the same stem with another or
 * no extension, near misspellings; and paths that stand in it as in a text.
 */
export function suggestionsFor(workspace: Workspace, missing: string, purpose: Purpose): string[] {
  const isBlocked = purpose.isBlocked ?? sensitiveIn(workspace);
  const exact: Entry[] = [];
  const absent: string[] = [];
  for (const text of readingsOf(workspace, missing)) {
    const location = follow(workspace, text, isBlocked);
    if (location?.state === "found") exact.push(location);
    if (location?.state === "outside") exact.push(...trailingPart(workspace, text, purpose));
    if (location?.state === "missing") absent.push(location.path);
  }
  const found = sendable(workspace, exact, purpose.use);
  if (found.length > 0) return found;
  const near = WILDCARD.test(missing) ? [] : ranked(workspace, absent, purpose.use, isBlocked);
  const named = pathsIn(workspace, missing, isBlocked);
  const above = absent.flatMap((path) => fileAbove(workspace, path, isBlocked));
  return sendable(workspace, [...near, ...named, ...above], purpose.use);
}

/** The longest trailing part of a path outside that exists in the workspace, as it can be sent. */
export function suggestionsInside(
  workspace: Workspace,
  outside: string,
  purpose: Purpose,
): string[] {
  const parts = readingsOf(workspace, outside)
    .flatMap((text) => trailingPart(workspace, text, purpose));
  return sendable(workspace, parts, purpose.use).slice(0, 1);
}

/**
 * The directory that a glob given as a path starts in, as it can be sent, and the rest; none if the
 * path is no glob. The directory is empty for the whole workspace.
 */
export function globIn(
  workspace: Workspace,
  given: string,
  { isBlocked = sensitiveIn(workspace) }: Purpose,
): { path: string; glob: string } | undefined {
  let everywhere: { path: string; glob: string } | undefined;
  for (const text of readingsOf(workspace, given)) {
    const wildcard = text.search(WILDCARD);
    const start = text.lastIndexOf("/", wildcard) + 1;
    const glob = text.slice(start);
    // With backslashes there is a reading without them.
    if (wildcard < 0 || glob.includes("\\")) continue;
    if (start === 0) {
      everywhere = { path: "", glob }; // the last of them is the one without quotes or @
      continue;
    }
    const location = follow(workspace, text.slice(0, start), isBlocked);
    if (location?.state !== "found") continue;
    const [path] = location.info.isDirectory ? sendable(workspace, [location], "search") : [];
    if (path === "." && workspace.roots.length === 1) return { path: "", glob };
    if (path !== undefined) return { path, glob };
  }
  return everywhere;
}

/** A path as given, and every other reading of it. */
function readingsOf(workspace: Workspace, given: string): string[] {
  return [given, ...otherReadings(given, workspace).map(({ path }) => path)];
}

/** Where a path leads; nothing where it cannot be followed. */
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

/** Whether something stands for a path of that use; a file does for the directory that holds it. */
function suits({ isFile, isDirectory }: Entry["info"], use: PathUse): boolean {
  return isFile || (isDirectory && use !== "file");
}

/**
 * Entries as they can be sent for a use, each once; for a directory, a file is the one that holds it.
 * They are relative to their root or, where that leads elsewhere, to the first root.
 */
function sendable(workspace: Workspace, entries: Iterable<Entry>, use: PathUse): string[] {
  const paths = new Set<string>();
  for (const { path, info } of entries) {
    if (paths.size === MAX_SUGGESTIONS) break;
    if (!suits(info, use)) continue;
    const meant = use === "dir" && info.isFile ? platform.dirname(path) : path;
    const relative = relativePath(workspace.rootOf(meant)!, meant);
    if (relative !== relative.trim()) continue; // white space around a path is dropped
    const leads = workspace.roots.length === 1 ||
      follow(workspace, relative, undefined, use)?.path === meant;
    paths.add(leads ? relative : relativePath(workspace.roots[0]!, meant));
  }
  return [...paths];
}

/** The longest trailing part of a path that suits, if one does. */
function trailingPart(
  workspace: Workspace,
  path: string,
  { use, isBlocked = sensitiveIn(workspace) }: Purpose,
): Entry[] {
  const segments = path.replaceAll("\\", "/").split("/").filter((part) => part !== "")
    .slice(-MAX_SEGMENTS);
  for (let start = segments.lastIndexOf("..") + 1; start < segments.length; start++) {
    const part = segments.slice(start).join("/");
    const location = part === "." ? undefined : follow(workspace, part, isBlocked);
    if (location?.state === "found" && suits(location.info, use)) return [location];
  }
  return [];
}

/** Paths that stand in a text: escaped, several at once, or with words around. */
function pathsIn(workspace: Workspace, text: string, isBlocked: IsBlocked): Entry[] {
  if (text.length > MAX_TEXT) return [];
  const unescaped = text.replace(/\\(?=[ ()[\]&'"])/gu, "");
  const parts = text.split(/[\s,;:|()<>[\]"'`]+/u).slice(0, MAX_PARTS);
  return [unescaped, decoded(text), ...parts].flatMap((part) => {
    const path = part.replace(/^(?:\.\/+)+|\/+$/gu, "");
    if (/^\.?$|(?:^|\/)\.\.(?:\/|$)/u.test(path)) return [];
    if (platform.isAbsolute(path) && !workspace.roots.some((root) => isWithin(root, path))) {
      return [];
    }
    const location = follow(workspace, path, isBlocked);
    return location?.state === "found" ? [location] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll("\0", "");
  } catch {
    return text; // not percent-encoded UTF-8
  }
}

/** The file that a missing path goes through: nothing can stand below one. */
function fileAbove(workspace: Workspace, missing: string, isBlocked: IsBlocked): Entry[] {
  const root = workspace.rootOf(missing)!;
  let path = root;
  for (const segment of relativePath(root, missing).split("/")) {
    path = platform.join(path, segment);
    const location = follow(workspace, path, isBlocked);
    if (location?.state !== "found") break;
    if (location.info.isFile) return [location];
  }
  return [];
}

/** A path below its root, taken apart for comparison. */
interface Name {
  segments: readonly string[];
  folded: readonly string[];
}

function nameOf(relative: string): Name {
  return { segments: relative.split("/"), folded: relative.toLowerCase().split("/") };
}

/** What is in the workspace and resembles one of several missing paths, the most alike first. */
function ranked(
  workspace: Workspace,
  missing: readonly string[],
  use: PathUse,
  isBlocked: IsBlocked,
): Entry[] {
  const wanted = [...new Set(missing)]
    .map((path) => nameOf(relativePath(workspace.rootOf(path)!, path)));
  const likely: { entry: Entry; relative: string; rank: number }[] = [];
  for (const [entry, relative] of entriesOf(workspace, isBlocked)) {
    if (!suits(entry.info, use)) continue;
    const name = nameOf(relative);
    const rank = Math.min(...wanted.map((wanted) => rankOf(name, wanted)));
    // Where a directory is wanted, one is not named for resembling a file in it.
    const worst = use === "dir" && entry.info.isFile ? SAME_NAME : NEAR;
    if (rank <= worst) likely.push({ entry, relative, rank });
  }
  likely.sort((a, b) => a.rank - b.rank || compareByBytes(a.relative, b.relative));
  return likely.map(({ entry }) => entry);
}

/** Everything in the workspace that may be suggested, and its path below its root. */
function* entriesOf(workspace: Workspace, isBlocked: IsBlocked): Generator<[Entry, string]> {
  let left = MAX_ENTRIES;
  for (const root of workspace.roots) {
    const directories = [root];
    for (const directory of directories) {
      for (const item of readDirectory(directory)) {
        if (left-- <= 0) return;
        const path = platform.join(directory, item.name);
        if (item.isSymlink || isBlocked(path)) continue;
        yield [{ path, info: item }, relativePath(root, path)];
        if (item.isDirectory && !SKIPPED_DIRECTORIES.has(item.name)) directories.push(path);
      }
    }
  }
}

function readDirectory(directory: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(directory)];
  } catch {
    return []; // a directory that cannot be read suggests nothing
  }
}

/** The last rank of names that are the same, but for letter case. */
const SAME_NAME = 1;
/** The last rank of names that are alike. */
const NEAR = 5;

function rankOf(entry: Name, wanted: Name): number {
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

/** At most one slip in four characters: inserted, left out, changed or swapped. */
function isNear(a: string, b: string): boolean {
  const allowed = Math.min(3, Math.floor(Math.max(a.length, b.length) / 4));
  return allowed > 0 && Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed;
}
