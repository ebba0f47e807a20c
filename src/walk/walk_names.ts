/**
 * Walks over names alone, before a search: what globs match, and paths that end with a missing one.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import type { PendingDirectory, WalkListing, WalkOptions } from "./listing.ts";
import { Walker } from "./walker.ts";
import { locate, type PathUse } from "../workspace/locate.ts";
import { type EndingsInTurn, endingsOf, TURNS } from "../workspace/repairs.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { cancelled } from "../util/errors.ts";
import { basename, compareByBytes, dirname, isWithin, join, relativePath } from "../util/path.ts";
import { Slices } from "../util/pulse.ts";

interface NamesWalk {
  signal?: AbortSignal | undefined;
  /** Milliseconds that it may take. */
  time: number;
}

class CutShort extends Error {}

/**
 * Lists directories until what meets them wants no more.
 *
 * @param meet returns whether that is enough
 * @returns whether the walk came to its end, or found enough, in time
 * @throws {PathgrepError} `cancelled`; `invalid_input` for a bad glob or type
 */
async function walkNames(
  options: WalkOptions,
  { signal, time }: NamesWalk,
  meet: (directory: PendingDirectory, listing: WalkListing) => boolean,
): Promise<boolean> {
  const end = performance.now() + time;
  const beat = () => {
    if (signal?.aborted) throw cancelled(signal);
    if (performance.now() > end) throw new CutShort();
  };
  const walker = new Walker(options, undefined, { beat });
  const pending = walker.start();
  const slices = new Slices(options.allowedRoots[0]!);
  try {
    for (let directory; (directory = pending.pop()) !== undefined;) {
      beat();
      const listing = walker.list(directory);
      if (meet(directory, listing)) break;
      pending.push(...listing.directories);
      await slices.pause();
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof CutShort) return false;
    throw thrown;
  }
}

/** A walk over everything below some directories, the workspace's or others. */
export function wholeWalk(
  bases: readonly string[],
  workspace: Workspace,
  guard: Guard,
): WalkOptions {
  const { allowedRoots, identities } = workspace.allowedRoots;
  const outside = bases.filter((base) => !workspace.contains(base));
  return {
    allowedRoots: [...allowedRoots, ...outside],
    identities: [...identities, ...outside.map(() => undefined)],
    ...{ bases, named: [], mayRepeat: false, policy: guard.policyOptions },
    filter: { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] },
    ...{ ignore: true, hidden: true, follow: false, maxDepth: Infinity },
  };
}

/** How many files, and directories that a finder names, a walk takes, `most` at most; nothing if it was cut short. */
export async function countTaken(
  options: WalkOptions,
  walk: NamesWalk,
  most = Infinity,
): Promise<number | undefined> {
  let count = 0;
  const isDone = await walkNames(options, walk, (_, { files, linked, named = [] }) => {
    count += files.length + linked.length + named.length;
    return count >= most;
  });
  return isDone ? Math.min(count, most) : undefined;
}

/** Milliseconds of the walk: paths are not worth a longer one. */
const MAX_MS = 2000;
/** More files of one name than this do not help. */
const MAX_PATHS = 10;

interface EndingOptions {
  workspace: Workspace;
  /** Paths that it blocks are never found. */
  guard: Guard;
  use?: PathUse | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds; 0 or none: two seconds. */
  timeout?: number | undefined;
}

/**
 * For each of several relative paths, the files and directories of the workspace that end with its segments.
 * A walk that is cut short finds nothing: there might have been another one. Paths are proven when they are
 * asked for, since most of many given paths are not missing.
 *
 * @throws {PathgrepError} `cancelled`
 */
export async function pathsByEnding(
  given: readonly string[],
  options: EndingOptions,
): Promise<(given: string) => EndingsInTurn> {
  const { workspace, guard, use, signal, timeout } = options;
  const time = Math.min(timeout || MAX_MS, MAX_MS);
  const all = given.flatMap((path) => TURNS.flatMap((turn) => endingsOf(path, workspace, turn)));
  if (all.length === 0) return () => () => [];
  const walk = new EndingWalk(new Set(all.map(({ path }) => path)), workspace, guard);
  if (!await walk.run({ signal, time })) return () => () => [];
  return (given) => (turn) => {
    for (const ending of endingsOf(given, workspace, turn)) {
      const paths = proven(walk.found.get(ending.path) ?? [], workspace, guard, use);
      if (paths.length > 0) return paths.map((path) => ({ ...ending, path, ending: ending.path }));
    }
    return [];
  };
}

/** The same for one path. */
export async function pathByEnding(given: string, options: EndingOptions): Promise<EndingsInTurn> {
  return (await pathsByEnding([given], options))(given);
}

class EndingWalk {
  /** Paths by ending. */
  readonly found: ReadonlyMap<string, string[]>;
  /** By their last segment. */
  readonly #endings: ReadonlyMap<string, readonly string[]>;
  readonly #workspace: Workspace;
  readonly #options: WalkOptions;

  constructor(endings: ReadonlySet<string>, workspace: Workspace, guard: Guard) {
    this.found = new Map(Array.from(endings, (ending) => [ending, []]));
    this.#endings = Map.groupBy(endings, (ending) => ending.split("/").at(-1)!);
    this.#workspace = workspace;
    this.#options = wholeWalk(workspace.roots, workspace, guard);
  }

  /** Returns whether the walk came to its end. */
  run(how: { signal?: AbortSignal | undefined; time: number }): Promise<boolean> {
    return walkNames(this.#options, how, (directory, { files, directories, entries = [] }) => {
      const links = [...entries].filter(({ isSymlink }) => isSymlink).map(({ name }) => name);
      for (const name of [...files, ...links]) this.#meet(directory.path, name);
      for (const { path } of directories) {
        this.#meet(dirname(path), basename(path));
      }
      return false;
    });
  }

  #meet(directory: string, name: string): void {
    const endings = this.#endings.get(name);
    if (endings === undefined) return;
    const path = join(directory, name);
    const root = this.#workspace.roots.find((root) => isWithin(root, path))!;
    const relative = `/${relativePath(root, path)}`;
    for (const ending of endings) {
      if (relative.endsWith(`/${ending}`)) this.found.get(ending)!.push(path);
    }
  }
}

/** Those of the paths that lead to what is wanted, canonical, each once. */
function proven(
  paths: readonly string[],
  workspace: Workspace,
  guard: Guard,
  use: PathUse | undefined,
): string[] {
  const found = new Set<string>();
  const rank = (path: string) => workspace.roots.indexOf(workspace.rootOf(path)!);
  const isBlocked = guard.blocker(); // reads exclusion files once
  const ordered = paths.toSorted((a, b) => rank(a) - rank(b) || compareByBytes(a, b));
  for (const path of ordered) {
    if (found.size === MAX_PATHS) break;
    try {
      const location = locate(workspace, path, isBlocked);
      if (location.state !== "found" || use === "file" && !location.info.isFile) continue;
      found.add(location.path);
    } catch {
      // A path that cannot be followed is not the intended one.
    }
  }
  return [...found];
}
