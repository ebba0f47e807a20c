/**
 * Finds the paths that end with a missing path: the only `src/app.ts` for `app.ts`.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import { Slices } from "../util/slices.ts";
import type { Guard } from "../guard/guard.ts";
import type { PendingDirectory } from "../scan/listing.ts";
import { Walker } from "../scan/walker.ts";
import { locate, type PathUse } from "../paths/locate.ts";
import { compareByBytes, isWithin, relativePath } from "../paths/paths.ts";
import { endingsOf, TURNS } from "../paths/repairs.ts";
import type { EndingsInTurn } from "../paths/search_target.ts";
import type { Workspace } from "../paths/workspace.ts";
import * as platform from "../util/path.ts";

/** Milliseconds of the walk: paths are not worth a longer one. */
const MAX_MS = 2000;
/** Milliseconds of a slice, between which the event loop has its turn. */
const SLICE_MS = 10;
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
  const end = performance.now() + Math.min(timeout || MAX_MS, MAX_MS);
  const pulse: Pulse = {
    beat() {
      if (signal?.aborted) throw new PathgrepError("cancelled", "cancelled");
      if (performance.now() > end) throw new CutShort();
    },
  };
  const all = given.flatMap((path) => TURNS.flatMap((turn) => endingsOf(path, workspace, turn)));
  if (all.length === 0) return () => () => [];
  const walk = new EndingWalk(new Set(all.map(({ path }) => path)), workspace, guard, pulse);
  const slices = new Slices(workspace.roots[0]!);
  try {
    while (!await slices.run(() => walk.continue(SLICE_MS))) { /* the next slice */ }
  } catch (thrown) {
    if (!(thrown instanceof CutShort)) throw thrown;
    return () => () => [];
  }
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

class CutShort extends Error {}

class EndingWalk {
  /** Paths by ending. */
  readonly found: ReadonlyMap<string, string[]>;
  /** By their last segment. */
  readonly #endings: ReadonlyMap<string, readonly string[]>;
  readonly #workspace: Workspace;
  readonly #walker: Walker;
  readonly #pulse: Pulse;
  readonly #pending;

  constructor(endings: ReadonlySet<string>, workspace: Workspace, guard: Guard, pulse: Pulse) {
    this.found = new Map(Array.from(endings, (ending) => [ending, []]));
    this.#endings = Map.groupBy(endings, (ending) => ending.split("/").at(-1)!);
    this.#workspace = workspace;
    this.#pulse = pulse;
    const options = {
      ...workspace.allowedRoots,
      bases: workspace.roots,
      named: [],
      mayRepeat: false,
      policy: guard.policyOptions,
      filter: { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] },
      ignore: true,
      hidden: true,
      follow: false,
      maxDepth: Infinity,
    } as const;
    this.#walker = new Walker(options, undefined, pulse);
    this.#pending = this.#walker.start();
  }

  /** Walks on for some milliseconds; returns whether the walk has ended. */
  continue(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      const directory = this.#pending.pop();
      if (directory === undefined) return true;
      this.#list(directory);
    }
    return false;
  }

  #list(directory: PendingDirectory): void {
    this.#pulse.beat(1);
    const { files, directories, entries = [] } = this.#walker.list(directory);
    const links = [...entries].filter(({ isSymlink }) => isSymlink).map(({ name }) => name);
    for (const name of [...files, ...links]) this.#meet(directory.path, name);
    for (const next of directories) {
      this.#meet(platform.dirname(next.path), platform.basename(next.path));
      this.#pending.push(next);
    }
  }

  #meet(directory: string, name: string): void {
    const endings = this.#endings.get(name);
    if (endings === undefined) return;
    const path = platform.join(directory, name);
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
