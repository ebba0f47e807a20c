/**
 * The directories of a tree, each of which is watched by itself.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { turn } from "../util/turn.ts";
import { UndecodableNames } from "../paths/undecodable_names.ts";
import { readDirectory } from "../system/files.ts";
import type { DirEntry } from "../system/types.ts";

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
