/**
 * The search of another program as one of this program: its paths, its defaults, and how it obeys ignore files.
 *
 * @module
 */

import { EXCLUDE, GIT_IGNORE, IGNORE_FILES } from "../glob/ignore_rules.ts";
import type { Guard } from "../guard/guard.ts";
import { locationError } from "../paths/missing_path.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { BesideSearch, EmptySearch } from "../reasons/empty_search.ts";
import { voiceOf } from "../search/callers.ts";
import { isNullable } from "../regex/ast.ts";
import type { IgnoreHabits } from "../scan/listing.ts";
import { prepare, type PreparedSearch } from "../search/prepare.ts";
import { parseQuery } from "../search/query_parser.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import * as platform from "../util/path.ts";
import type { ForeignSearch } from "./command_line.ts";
import { causesBy, type RunPlace } from "./foreign_causes.ts";
import { notRead } from "./programs.ts";

/** Where another program searches, and how long this one may look into it. */
export interface Surroundings extends RunPlace {
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

/**
 * @throws {PathgrepError} for one that is blocked, before anything shows whether it exists
 */
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
