/**
 * Proving that what was read lies where its path says, inside of the confines: whatever was renamed or
 * linked between the walk and the reading, nothing from elsewhere is returned.
 *
 * @module
 */

import * as platform from "../../path.ts";
import { isWithin } from "../../workspace/paths.ts";

/** Which file an open file is. */
export type Identity = Pick<Deno.FileInfo, "dev" | "ino">;

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
  file: Identity,
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
export function isNamed(file: Identity, path: string): boolean {
  try {
    const named = Deno.lstatSync(path);
    return named.isFile && file.dev === named.dev && file.ino === named.ino;
  } catch {
    return false;
  }
}

/**
 * Whether no name in a directory or on the way to it has changed since a point in time: then what was
 * read by those names in the meantime is what they name. A time of change cannot be put back.
 *
 * @param directory a directory as it was walked
 * @param since milliseconds since the epoch
 * @param confines one of which the directory lies in, else the answer is no
 */
export function hasStoodStill(
  directory: string,
  since: number,
  confines: readonly string[],
): boolean {
  const root = confines.find((root) => isWithin(root, directory));
  if (root === undefined) return false;
  try {
    if (Deno.realPathSync(directory) !== directory) return false;
    for (let path = directory;; path = platform.dirname(path)) {
      const { ctime, isDirectory } = Deno.lstatSync(path);
      if (!isDirectory || ctime === null || ctime.getTime() + CHANGE_PRECISION_MS > since) {
        return false;
      }
      if (path === root) return true;
    }
  } catch {
    return false;
  }
}
