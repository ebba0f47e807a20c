/**
 * The search of another program as one of this program: its paths, its defaults, and how it obeys ignore files;
 * and why it does not show a match, by its rules in place of this program's.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { EXCLUDE, GIT_IGNORE, IGNORE_FILES } from "../glob/ignore_rules.ts";
import type { Guard } from "../guard/guard.ts";
import { locationError } from "../workspace/missing_path.ts";
import { innermost, type Workspace } from "../workspace/workspace.ts";
import type { BesideSearch, EmptySearch } from "../reasons/empty_search.ts";
import { voiceOf } from "../search/callers.ts";
import { isNullable } from "../regex/ast.ts";
import type { IgnoreHabits, WalkOptions } from "../walk/listing.ts";
import { prepare, type PreparedSearch } from "../search/prepare.ts";
import { parseQuery } from "../query/query_parser.ts";
import type { WorkerPool } from "../run/worker_pool.ts";
import type { ForeignSearch } from "./command_line.ts";
import { notRead } from "./programs.ts";
import type { Cause } from "../reasons/causes.ts";
import { readPlainFile } from "../exclusions/rule_file.ts";
import { utf16Of } from "../read/decoder.ts";
import { GitIndex } from "../walk/rule_sources.ts";
import { Walker } from "../walk/walker.ts";
import { infoAt, lstat } from "../system/files.ts";

/** Where another program searches, and how long this one may look into it. */
export interface Surroundings {
  workspace: Workspace;
  /** The canonical directory in which it runs. */
  directory: string;
  /** Milliseconds for everything; 0: no limit. @default 30000 */
  timeout?: number | undefined;
  /** Milliseconds for the reasons, where the program is known to have found nothing: it is not asked again. */
  forReasons?: number;
  allow?: readonly string[];
  deny?: readonly string[];
  signal?: AbortSignal | undefined;
}

/** How each program obeys ignore files. */
const IGNORE_HABITS: Readonly<Record<ForeignSearch["caller"], IgnoreHabits>> = {
  rg: { files: IGNORE_FILES, knowsRepositories: true, selects: true },
  "git grep": { files: [GIT_IGNORE, EXCLUDE], knowsRepositories: true, selects: false },
  // Only where it is the one of Claude Code, which is ugrep.
  "GNU grep": { files: [GIT_IGNORE], knowsRepositories: false, selects: false },
  ugrep: { files: [GIT_IGNORE], knowsRepositories: false, selects: false },
};

function habitsOf({ caller, ignoreFile }: ForeignSearch): IgnoreHabits {
  const habits = IGNORE_HABITS[caller];
  return ignoreFile === undefined ? habits : { ...habits, files: [ignoreFile] };
}

/** The paths of a command line. */
export interface Operands {
  /** Canonical. */
  paths: readonly string[];
  /** How many of them are files. */
  files: number;
  /** Those that do not exist, as they are given. */
  absent: readonly string[];
}

/** @throws {PathgrepError} for one that is blocked, before anything shows whether it exists */
export function operandsOf(
  { caller, paths, open, recursive, query }: ForeignSearch,
  { workspace, directory }: Surroundings,
  guard: Guard,
): Operands {
  const found: string[] = [];
  const absent: string[] = [];
  let files = 0;
  for (const [index, given] of paths.entries()) {
    const path = openedAt(directory, given, guard);
    const location = operandAt(path, given, workspace, guard);
    // Of git, what comes before `--` is a revision, whatever exists.
    const mayBeRevision = caller === "git grep" && index < open;
    if (mayBeRevision && (location === undefined || open < paths.length)) {
      throw notRead(`${given}, which may be a revision,`);
    }
    if (location === undefined) {
      absent.push(given);
      continue;
    }
    // It follows no link.
    if (caller === "git grep" && location.path !== path) {
      throw notRead(`${given}, a symbolic link,`);
    }
    const { isDirectory } = location.info;
    if (isDirectory && !recursive) throw notRead(`the directory ${given} without -r`);
    if (!isDirectory) files++;
    found.push(location.path);
  }
  const isFiltered = [query.include, query.exclude].some((globs) => (globs ?? []).length > 0);
  if (files > 0 && isFiltered && caller !== "rg") throw notRead("a glob with a named file");
  return { paths: paths.length === 0 ? [directory] : found, files, absent };
}

/** What a path leads to; nothing where it leads nowhere. */
function operandAt(path: string, given: string, workspace: Workspace, guard: Guard) {
  const location = guard.follow(path);
  if (location.state === "blocked") {
    const reader = { field: "path", use: "search", voice: voiceOf("shell") } as const;
    throw locationError(workspace, given, location, reader);
  }
  if (location.state === "outside") throw notRead(`${given}, a path outside the workspace,`);
  return location.state === "missing" ? undefined : location;
}

/** The path that the system opens: `..` behind a link is above where that leads. */
function openedAt(directory: string, given: string, guard: Guard): string {
  let path = platform.isAbsolute(given) ? "/" : directory;
  for (const name of given.split("/")) {
    if (name === "..") {
      const above = guard.follow(path);
      // What is not there has nothing above it.
      if (above.state !== "found") return path;
      path = platform.dirname(above.path);
    } else path = platform.join(path, name);
  }
  return path;
}

/** What a program reads once it is named, although its rules exclude it. */
const NAMED: Readonly<Record<ForeignSearch["caller"], BesideSearch["readsNamed"]>> = {
  ...{ "rg": "file", "GNU grep": "all", "git grep": "nothing", "ugrep": "nothing" },
};

/** A search of another program that is ready to run, and to be explained. */
export type ForeignRun = PreparedSearch & EmptySearch & { beside: BesideSearch };

/**
 * Prepares the search.
 *
 * @returns also the files that it is known to show, as far as its causes have been asked for
 * @throws {PathgrepError} `invalid_input` for what is not read, and whatever `prepare` throws
 */
export async function prepareForeign(
  foreign: ForeignSearch,
  where: Surroundings,
  { files, paths }: Operands,
  pool: WorkerPool,
): Promise<{ search: ForeignRun; shown: Set<string> }> {
  const { workspace, directory, timeout, allow = [], deny = [], signal } = where;
  const { caller, query } = foreign;
  const isNamed = files > 0 && files === paths.length;
  const asked = parseQuery({
    outputMode: query.filesWithoutMatch ? "file" : "count",
    ...query,
    // What is named is read, and binary files, too.
    ...(caller === "rg" && isNamed ? { text: true } : {}),
    ...{ path: paths, maxResults: 0, timeout, allow, deny },
  });
  const options = { workspace, signal, audience: { caller } };
  const prepared = await prepare(asked, pool, options);
  const findsEmpty = caller !== "git grep" && caller !== "ugrep";
  if (!findsEmpty && isNullable(prepared.job.plan.locate.tree)) {
    throw notRead("a pattern that an empty line matches");
  }
  const ignoresTracked = foreign.untracked || caller !== "git grep";
  const walk = { ...prepared.job.walk, ignoresTracked, habits: habitsOf(foreign) };
  const shown = new Set<string>();
  const beside = {
    directory,
    isRecursive: foreign.recursive,
    hasBraces: caller !== "rg" && /\{[^}]*,.*\}/.test(foreign.said.include ?? ""),
    // Of ripgrep's rules, others may ignore a file in a directory that is named.
    readsNamed: NAMED[caller],
    // What the guard blocks is not kept from the other program.
    causesOf: causesBy(foreign, where, walk, shown),
    readings: foreign.readings,
    get found() {
      return shown.size > 0;
    },
  };
  const job = { ...prepared.job, walk };
  const explained = { workspace, signal, elapsed: 0, beside, voice: voiceOf(caller, foreign.said) };
  return { search: { ...prepared, job, ...explained }, shown };
}

/** As the `grep` of Claude Code's shell searches, which obeys `.gitignore` and skips what is not UTF-8. */
export function asOwnGrep(foreign: ForeignSearch): ForeignSearch {
  return { ...foreign, query: { ...foreign.query, ignore: true, text: false }, isAscii: false };
}

/** The index of half a million files. */
const MAX_INDEX_BYTES = 1 << 26;
const MAX_TEXT_BYTES = 1 << 20;

/** Translates the causes for a file; what the program shows without any is added to `shown`. */
function causesBy(
  foreign: ForeignSearch,
  where: Surroundings,
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
    const root = roots.findIndex((root) => platform.isWithin(root, base));
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
    where: Surroundings;
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
function trackedIn({ workspace, directory }: Surroundings, isGits: boolean): Tracks | undefined {
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
        index?.has(platform.relativePath(at, path), false) ||
        (isInNested(path, at) ? undefined : false);
    }
    if (at === root) break;
  }
  if (isGits) throw notRead("a repository whose index is not in the workspace");
  return undefined;
}

/** Whether a path lies in a repository inside another one. */
function isInNested(path: string, repository: string): boolean {
  for (
    let at = platform.dirname(path);
    platform.isWithin(repository, at);
    at = platform.dirname(at)
  ) {
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
