/**
 * Proving that what was read lies where its path says, inside of the confines: whatever was renamed or
 * linked between the walk and the reading, nothing from elsewhere is returned.
 *
 * @module
 */

import * as platform from "../../util/path.ts";
import { isWithin } from "../../workspace/paths.ts";

/** Which file an open file is. */
type FileId = Pick<Deno.FileInfo, "dev" | "ino">;

/**
 * Deno has no call that asks where an open file lies, only where a path leads and which file it names
 * at that moment. A directory on the way that is swapped for a link and back could pass both questions
 * once, each at its own moment; asked in turn so many times, it would have to be swapped in step with
 * every one of them.
 */
const VERIFICATION_ROUNDS = 4;

/** What Deno rounds a time of change by, and what file systems do besides, in milliseconds. */
const CHANGE_PRECISION_MS = 1100;

/** Whether a file that was read is what its path names, and lies within the confines. */
export function isVerified(
  file: FileId,
  path: string,
  confines: readonly string[],
): boolean {
  if (!confines.some((root) => isWithin(root, path))) return false;
  try {
    for (let round = 0; round < VERIFICATION_ROUNDS; round++) {
      if (Deno.realPathSync(path) !== path || !isNamed(file, path)) return false;
    }
    return Deno.realPathSync(path) === path;
  } catch {
    return false;
  }
}

/** Whether a path names a file right now, and not by a link of that name. */
export function isNamed(file: FileId, path: string): boolean {
  try {
    const named = Deno.lstatSync(path);
    return named.isFile && file.dev === named.dev && file.ino === named.ino;
  } catch {
    return false;
  }
}

/**
 * Proves for many directories at once that no name in them or on the way to them has changed since a
 * point in time: then what was read by those names in the meantime is what they name. A time of
 * change cannot be put back.
 */
export class StandstillProof {
  readonly #since: number;
  readonly #confines: readonly string[];
  /** Whether a directory, itself and all above it, has stood still. */
  readonly #known = new Map<string, boolean>();

  /**
   * To be used at once: what it has found out does not hold for longer.
   *
   * @param since milliseconds since the epoch
   * @param confines directories of which one must hold what is asked about
   */
  constructor(since: number, confines: readonly string[]) {
    this.#since = since;
    this.#confines = confines;
  }

  /** Whether a directory has stood still, on all its way. */
  covers(directory: string): boolean {
    const root = this.#confines.find((root) => isWithin(root, directory));
    if (root === undefined) return false;
    const asked: string[] = [];
    let isStill: boolean | undefined;
    for (let path = directory; isStill === undefined; path = platform.dirname(path)) {
      isStill = this.#known.get(path);
      if (isStill !== undefined) break;
      asked.push(path);
      if (!this.#hasStoodStill(path, path === root)) isStill = false;
      else if (path === root) isStill = true;
    }
    for (const path of asked) this.#known.set(path, isStill);
    return isStill;
  }

  #hasStoodStill(path: string, isRoot: boolean): boolean {
    try {
      if (isRoot && Deno.realPathSync(path) !== path) return false;
      const { ctime, isDirectory } = Deno.lstatSync(path);
      return isDirectory && ctime !== null && ctime.getTime() + CHANGE_PRECISION_MS <= this.#since;
    } catch {
      return false;
    }
  }
}
