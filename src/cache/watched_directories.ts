/**
 * The directories of a tree, each of which is watched by itself, and those above, which are not watched: some of
 * them change too often.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { turn } from "../util/pulse.ts";
import { infoAt, readDirectory, UndecodableNames } from "../system/files.ts";
import type { DirEntry, FileInfo } from "../system/types.ts";
import { CHANGE_PRECISION_MS, StandstillProof } from "../paths/verification.ts";

/** Milliseconds of listing before the event loop gets its turn. */
const SLICE_MS = 8;
/**
 * Deno looks at a directory once for each segment of its path, and again at each of those, before it watches
 * it: 1,900 directories, each in the one before, blocked a process for over a minute. This many looks, at paths
 * deeper than any in common trees, take half a second.
 */
const MAX_LOOKS = 20_000_000;
const DEEP = 40;

/** Returns directories and all readable ones below them. */
export async function directoriesIn(roots: readonly string[]): Promise<Set<string>> {
  const directories = new Set<string>();
  const toList = [...roots];
  let until = performance.now() + SLICE_MS;
  for (let path = toList.pop(); path !== undefined; path = toList.pop()) {
    if (directories.has(path)) continue;
    if (performance.now() > until) {
      await turn();
      until = performance.now() + SLICE_MS;
    }
    let entries: Iterable<DirEntry>;
    try {
      entries = readDirectory(path);
    } catch {
      continue; // gone or unreadable: then nothing in it is cached
    }
    directories.add(path);
    const undecodable = new UndecodableNames();
    for (const entry of entries) {
      if (entry.isDirectory && undecodable.opens(path + platform.sep, entry)) {
        toList.push(platform.join(path, entry.name));
      }
    }
  }
  return directories;
}

/** Whether watching some directories would block the process for long, because of the length of their paths. */
export function areTooDeep(directories: ReadonlySet<string>): boolean {
  let looks = 0;
  for (const path of directories) {
    const depth = path.length > DEEP ? path.split(platform.sep).length : 0;
    if (depth > DEEP) looks += depth ** 2;
  }
  return looks > MAX_LOOKS;
}

/** Detects whether directories above some roots were swapped or became unreadable. */
export class DirectoriesAbove {
  readonly #roots: readonly string[];
  readonly #paths: readonly string[];
  readonly #changePrecision: number;
  /** Their last known state; nothing while a further change might go unnoticed. */
  #state: string | undefined;

  /** @param roots canonical directories */
  constructor(roots: readonly string[], changePrecision = CHANGE_PRECISION_MS) {
    this.#roots = roots;
    this.#changePrecision = changePrecision;
    const paths = new Set<string>();
    for (const root of roots) {
      let path = root;
      while (path !== platform.dirname(path)) paths.add(path = platform.dirname(path));
    }
    this.#paths = [...paths];
  }

  /**
   * Whether a directory may have become unreadable since the last call, if only for a moment: while
   * it is, Deno drops the reports of all changes below it. A name that changes in the directory
   * after that hides it. Looking further would cost a new watch for each name in, say, a home
   * directory.
   *
   * @param now milliseconds since the epoch
   */
  mayHaveBeenBarred(now = Date.now()): boolean {
    const before = this.#state;
    const settled = now - this.#changePrecision;
    let isSettled = true;
    const states = this.#paths.map((path) => {
      const info: Partial<FileInfo> = infoAt(path) ?? {};
      const { ino, mode, uid, gid, ctime, mtime } = info;
      const changed = ctime?.getTime() ?? Infinity;
      // A changed name sets both times.
      if (changed <= (mtime?.getTime() ?? 0)) return [ino, mode, uid, gid];
      isSettled &&= changed < settled;
      return [ino, mode, uid, gid, changed];
    });
    const state = JSON.stringify(states);
    this.#state = isSettled ? state : undefined;
    return state !== before;
  }

  /**
   * Whether the roots are the same directories as at a time in milliseconds since the epoch: a watch
   * is bound to what is at their paths.
   */
  areInPlaceSince(since: number): boolean {
    const allowedRoots = { allowedRoots: this.#roots, identities: [] };
    const roots = new Set(this.#roots);
    const proof = new StandstillProof(since, allowedRoots, roots, this.#changePrecision);
    return this.#roots.every((root) => proof.isRootInPlace(root));
  }
}
