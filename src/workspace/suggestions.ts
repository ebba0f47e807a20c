/**
 * What a path that leads nowhere may have meant. Suggestions are never used, only shown: guessing
 * which of five `lib.rs` was meant would be worse than asking.
 *
 * @module
 */

import * as platform from "../path.ts";
import { distance } from "../distance.ts";
import { type IsBlocked, locate } from "./locate.ts";
import { compareByBytes, relativePath } from "./paths.ts";
import type { Workspace } from "./workspace.ts";

/** More than this helps nobody choose. */
const MAX_SUGGESTIONS = 10;
/** Entries looked at: a suggestion is not worth a walk over a huge tree. */
const MAX_ENTRIES = 50_000;
/** A longer text is no list of paths, in characters; nor is one of more parts. */
const MAX_TEXT = 2000;
const MAX_PARTS = 20;
/** Installed packages drown the workspace's own files. */
const SKIPPED_DIRECTORIES = new Set(["node_modules"]);

interface Entry {
  path: string;
  relative: string;
}

/**
 * Paths in the workspace that a missing path may have meant, best first: those that end with it,
 * those that do but for letter case, the same stem with another or no extension, near misspellings.
 */
export function suggestionsFor(
  workspace: Workspace,
  missing: string,
  isBlocked: IsBlocked,
): string[] {
  const wanted = missing.replaceAll("\\", "/").split("/").filter((part) => !/^\.{0,2}$/.test(part));
  if (wanted.length === 0) return [];
  const ranked: { entry: Entry; rank: number }[] = [];
  for (const entry of entriesOf(workspace, isBlocked)) {
    const rank = rankOf(entry.relative.split("/"), wanted);
    if (rank !== undefined) ranked.push({ entry, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || compareByBytes(a.entry.relative, b.entry.relative));
  const paths = ranked.slice(0, MAX_SUGGESTIONS).map(({ entry }) => sendable(workspace, entry));
  return [...new Set([...paths, ...pathsIn(workspace, missing, isBlocked)])].slice(
    0,
    MAX_SUGGESTIONS,
  );
}

/** Relative paths that exist and stand in a text: escaped, several at once, or with words around. */
function pathsIn(workspace: Workspace, text: string, isBlocked: IsBlocked): string[] {
  if (text.length > MAX_TEXT) return [];
  const kindOf = (path: string): "file" | "directory" | undefined => {
    if (platform.isAbsolute(path) || /(?:^|\/)\.\.(?:\/|$)/u.test(path)) return undefined;
    try {
      const location = locate(workspace, path, isBlocked);
      if (location.state !== "found") return undefined;
      return location.info.isFile ? "file" : location.info.isDirectory ? "directory" : undefined;
    } catch {
      return undefined; // what cannot be read is no suggestion
    }
  };
  const unescaped = text.replace(/\\(?=[ ()[\]&'"])/gu, "");
  const parts = text.split(/[\s,;:|()<>[\]"'`]+/u).slice(0, MAX_PARTS);
  const whole = [unescaped, decoded(text), ...parts]
    .map((path) => path.replace(/^(?:\.\/+)+|\/+$/gu, ""))
    .filter((path) => !/^\.?$/u.test(path) && kindOf(path) !== undefined);
  // A directory on the way to a path says little, but nothing can stand below a file.
  const segments = text.split("/").slice(0, MAX_PARTS);
  const above = segments.map((_, index) => segments.slice(0, index).join("/"));
  return [...whole, ...above.filter((path) => path !== "" && kindOf(path) === "file")];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll("\0", "");
  } catch {
    return text; // not percent-encoded UTF-8
  }
}

/** The directory that a glob given as a path starts in, and the rest; none if it is not one. */
export function globIn(
  workspace: Workspace,
  given: string,
  isBlocked: IsBlocked,
): { path: string; glob: string } | undefined {
  const segments = given.split("/");
  const start = segments.findIndex((segment) => /[*?{]/u.test(segment));
  if (start < 0) return undefined;
  const path = segments.slice(0, start).join("/");
  const glob = segments.slice(start).join("/");
  try {
    const location = locate(workspace, path === "" ? "." : path, isBlocked);
    return location.state === "found" && location.info.isDirectory ? { path, glob } : undefined;
  } catch {
    return undefined;
  }
}

/** The longest trailing part of a path from elsewhere that exists in the workspace. */
export function trailingPart(
  workspace: Workspace,
  elsewhere: string,
  isBlocked: IsBlocked,
): string[] {
  const segments = elsewhere.replaceAll("\\", "/").split("/").filter((part) => part !== "");
  if (segments.includes("..")) {
    segments.splice(0, segments.lastIndexOf("..") + 1);
  }
  for (let start = 0; start < segments.length; start++) {
    const relative = segments.slice(start).join("/");
    if (relative === ".") continue;
    try {
      const found = locate(workspace, relative, isBlocked);
      if (found.state === "found") return [relative];
    } catch {
      // A part that cannot be read is no suggestion.
    }
  }
  return [];
}

/** The relative path, unless an earlier root has the same one: then the absolute path. */
function sendable(workspace: Workspace, entry: Entry): string {
  if (workspace.roots.length === 1) return entry.relative;
  try {
    const found = locate(workspace, entry.relative);
    if (found.state === "found" && found.path === entry.path) return entry.relative;
  } catch {
    // What stands in an earlier root cannot be read.
  }
  return entry.path;
}

function* entriesOf(workspace: Workspace, isBlocked: IsBlocked): Generator<Entry> {
  let left = MAX_ENTRIES;
  for (const root of workspace.roots) {
    const directories = [root];
    for (const directory of directories) {
      for (const item of readDirectory(directory)) {
        if (left-- <= 0) return;
        const path = platform.join(directory, item.name);
        if (item.isSymlink || isBlocked(path)) continue;
        yield { path, relative: relativePath(root, path) };
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

function rankOf(entry: readonly string[], wanted: readonly string[]): number | undefined {
  if (entry.length < wanted.length && wanted.length > 1 && !endsWith(entry, wanted.slice(-1))) {
    return undefined;
  }
  if (endsWith(entry, wanted)) return 0;
  const fold = (segments: readonly string[]) => segments.map((segment) => segment.toLowerCase());
  const folded = fold(entry);
  const foldedWanted = fold(wanted);
  if (endsWith(folded, foldedWanted)) return 1;
  const name = folded.at(-1)!;
  const wantedName = foldedWanted.at(-1)!;
  const sameDirectory = endsWith(folded.slice(0, -1), foldedWanted.slice(0, -1));
  if (sameDirectory && stem(name) === stem(wantedName)) return 2;
  if (sameDirectory && isNear(name, wantedName)) return 3;
  if (name === wantedName) return 4;
  const parents = foldedWanted.slice(0, -1);
  const near = parents.length > 0 && folded.length === foldedWanted.length &&
    folded.every((segment, index) =>
      segment === foldedWanted[index] || isNear(segment, foldedWanted[index]!)
    );
  return near ? 5 : undefined;
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
