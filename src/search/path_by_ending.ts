/**
 * Finds the paths that end with a missing path: the only `src/app.ts` for `app.ts`.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import type { WalkOptions } from "../scan/listing.ts";
import { walkNames } from "./walk_names.ts";
import { locate, type PathUse } from "../paths/locate.ts";
import { compareByBytes, isWithin, relativePath } from "../util/path.ts";
import { type EndingsInTurn, endingsOf, TURNS } from "../paths/repairs.ts";
import type { Workspace } from "../paths/workspace.ts";
import * as platform from "../util/path.ts";

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
    this.#options = {
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
    };
  }

  /** Returns whether the walk came to its end. */
  run(how: { signal?: AbortSignal | undefined; time: number }): Promise<boolean> {
    return walkNames(this.#options, how, (directory, { files, directories, entries = [] }) => {
      const links = [...entries].filter(({ isSymlink }) => isSymlink).map(({ name }) => name);
      for (const name of [...files, ...links]) this.#meet(directory.path, name);
      for (const { path } of directories) {
        this.#meet(platform.dirname(path), platform.basename(path));
      }
      return false;
    });
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
