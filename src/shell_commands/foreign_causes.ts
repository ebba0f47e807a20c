/**
 * Why another program does not show a match, by its rules in place of this program's.
 *
 * @module
 */

import type { Cause } from "../reasons/causes.ts";
import { isWithin, relativePath } from "../util/path.ts";
import { readPlainFile } from "../paths/rule_file.ts";
import { innermost, type Workspace } from "../paths/workspace.ts";
import { utf16Of } from "../scan/decoder.ts";
import { GitIndex } from "../scan/rule_sources.ts";
import type { WalkOptions } from "../scan/listing.ts";
import { Walker } from "../scan/walker.ts";
import * as platform from "../util/path.ts";
import { infoAt, lstat } from "../system/files.ts";
import type { ForeignSearch } from "./command_line.ts";
import { notRead } from "./programs.ts";

/** Where another program searches. */
export interface RunPlace {
  workspace: Workspace;
  /** The canonical directory in which it runs. */
  directory: string;
}

/** The index of half a million files. */
const MAX_INDEX_BYTES = 1 << 26;
const MAX_TEXT_BYTES = 1 << 20;

/** Translates the causes for a file; what the program shows without any is added to `shown`. */
export function causesBy(
  foreign: ForeignSearch,
  where: RunPlace,
  walk: WalkOptions,
  shown: Set<string>,
): (causes: readonly Cause[], path: string) => readonly Cause[] {
  const { caller, untracked } = foreign;
  const isGit = caller === "git grep";
  // Others need it only where a rule ignores what may be tracked.
  let repository = isGit ? { tracks: trackedIn(where, true) } : undefined;
  const tracks: Tracks = (path) =>
    (repository ??= { tracks: trackedIn(where, false) }).tracks?.(path);
  const ignored = isGit ? ignoredBases(walk, where.workspace) : new Map<string, Cause>();
  return (causes, path) => {
    const own = causes.filter((cause) => counts(cause, foreign)).map((cause) =>
      cause.kind === "ignored" && tracks(path) ? { ...cause, isTracked: true } : cause
    );
    if (isGit) {
      const tracked = tracks(path);
      // Of a repository inside another one, nothing is known.
      if (tracked === undefined || !tracked && own.length < causes.length) return [];
      const base = innermost(walk.bases, path) ?? "";
      const isIgnored = own.some(({ kind }) => kind === "ignored");
      if (!tracked && !isIgnored && ignored.has(base)) own.push(ignored.get(base)!);
      if (!tracked && !untracked) own.push({ kind: "untracked" });
    }
    if (!isCertain(own, causes, { path, foreign, walk, where })) return [];
    if (own.length === 0) shown.add(path);
    return own;
  };
}

function counts({ kind, label }: Cause, { caller, isAscii }: ForeignSearch): boolean {
  // In UTF-16 no character is the byte that it is in ASCII.
  const isAsAscii = isAscii !== false && !label?.startsWith("utf-16");
  if (kind === "not_utf8") return caller === "ugrep" || !isAsAscii;
  return kind !== "worktrees";
}

/** What lies in a directory that is named and ignored is ignored, too. */
function ignoredBases(walk: WalkOptions, { roots }: Workspace): Map<string, Cause> {
  const walker = new Walker({ ...walk, bases: roots });
  return new Map(walk.bases.flatMap((base) => {
    const root = roots.findIndex((root) => isWithin(root, base));
    const rule = root < 0 ? undefined : walker.ignoredBy(base, true, root);
    return rule === undefined ? [] : [[base, { kind: "ignored", path: rule.path, rule }]];
  }));
}

/** Whether it is known that the program shows a file, or does not for these causes. */
function isCertain(
  own: readonly Cause[],
  causes: readonly Cause[],
  { path, foreign, walk, where: { workspace: { roots }, directory } }: {
    path: string;
    foreign: ForeignSearch;
    walk: WalkOptions;
    where: RunPlace;
  },
): boolean {
  const { caller, endsLines, isAscii } = foreign;
  const has = (kind: Cause["kind"]) => causes.some((cause) => cause.kind === kind);
  if (own.some((cause) => cause.kind === "ignored" && !isAgreed(cause, path, foreign, directory))) {
    return false;
  }
  if (has("not_utf8") && isAscii === undefined) return false;
  // To these programs UTF-16 is no text; ripgrep reads anything that is named as text.
  const isUtf8 = caller === "GNU grep" || caller === "git grep";
  const isOther = walk.bases.length === 0 && has("elsewhere");
  const mayEnd = endsLines.own || endsLines.read && has("reading");
  if (!isUtf8 && !mayEnd && !isOther) return true;
  const bytes = readPlainFile(path, roots, MAX_TEXT_BYTES) ?? new Uint8Array();
  return isCertainOf(bytes, foreign, { isShown: own.length === 0, isUtf8, mayEnd, isOther });
}

/**
 * The same for a file's bytes.
 *
 * @param isShown whether the program shows the file
 * @param mayEnd whether the pattern may match at the end of a line, as the program reads it
 * @param isOther whether the program searches what is elsewhere
 */
function isCertainOf(
  bytes: Uint8Array,
  { isAscii, query: { filesWithoutMatch, invert }, startsLines }: ForeignSearch,
  { isShown, isUtf8, mayEnd, isOther }: Record<
    "isShown" | "isUtf8" | "mayEnd" | "isOther",
    boolean
  >,
): boolean {
  const utf16 = utf16Of(bytes);
  if (isUtf8 && utf16 !== undefined) return false;
  // The mark of UTF-8 begins the first line, to these, and is a character that may match.
  const isFirst = startsLines || invert || filesWithoutMatch;
  if (isUtf8 && isFirst && bytes[0] === 0xef && bytes[1] === 0xbb) return false;
  const text = new TextDecoder(utf16).decode(bytes);
  if (isAscii === undefined && !isShown && text.includes("\ufffd")) return false;
  return !(mayEnd && text.includes("\r") || isOther && /[\0\ufffd]/.test(text));
}

/**
 * Whether all versions of ugrep read an ignore rule as git does, which is also the `grep` of Claude Code's
 * shell. Some read a place in it from where they start, and before 4.1 one for directories alone ends with
 * a slash.
 */
function isAgreed(
  { path: ignored, rule }: Cause,
  path: string,
  { caller, paths }: ForeignSearch,
  directory: string,
): boolean {
  if (rule === undefined || caller === "rg" || caller === "git grep") return true;
  const isPlaced = rule.pattern.slice(0, -1).includes("/");
  const isHere = platform.dirname(rule.file) === directory &&
    paths.every((path) => /^\.\/*$/.test(path));
  const isForDirectories = ignored !== path && caller === "ugrep";
  return (isHere || !isPlaced) && (!isForDirectories || rule.pattern.endsWith("/"));
}

/** Whether a repository tracks a file; nothing for one in a repository of its own. */
type Tracks = (path: string) => boolean | undefined;

/**
 * What the repository of a directory tracks, if its index is in the workspace.
 *
 * @param isGits for a search of git, which must not be configured
 */
function trackedIn({ workspace, directory }: RunPlace, isGits: boolean): Tracks | undefined {
  const root = workspace.rootOf(directory);
  for (let at = directory; root !== undefined; at = platform.dirname(at)) {
    const inGit = (name: string) => platform.join(at, ".git", name);
    const read = (name: string, maxBytes = MAX_TEXT_BYTES) =>
      readPlainFile(inGit(name), workspace.roots, maxBytes);
    const bytes = read("index", MAX_INDEX_BYTES);
    const index = bytes && GitIndex.parse(bytes);
    // There is none before a file is added for the first time.
    const isNew = infoAt(inGit("index")) === undefined && read("HEAD") !== undefined;
    if (index !== undefined || isNew) {
      if (isGits && /^\s*\[(?:grep|include)/mi.test(new TextDecoder().decode(read("config")))) {
        throw notRead("a grep section in git's configuration");
      }
      return (path) =>
        index?.has(relativePath(at, path), false) || (isInNested(path, at) ? undefined : false);
    }
    if (at === root) break;
  }
  if (isGits) throw notRead("a repository whose index is not in the workspace");
  return undefined;
}

/** Whether a path lies in a repository inside another one. */
function isInNested(path: string, repository: string): boolean {
  for (let at = platform.dirname(path); isWithin(repository, at); at = platform.dirname(at)) {
    if (at === repository) return false;
    try {
      lstat(platform.join(at, ".git"));
      return true;
    } catch {
      // It is none.
    }
  }
  return true;
}
