/**
 * Detects names in a directory listing that do not name the listed entry.
 *
 * Deno replaces bytes of a name that are not UTF-8 with U+FFFD, and gives the type of the real entry.
 * If the path made from such a name exists at all, it belongs to another entry: one with a literal
 * U+FFFD in its name.
 *
 * @module
 */

import { lstat } from "../system/files.ts";
import type { DirEntry } from "../system/types.ts";

const REPLACEMENT = "\ufffd";

/**
 * Tells, for the entries of one directory, whether a path opens the entry that was listed. Call it
 * once for each entry: several undecodable names can give the same path, which counts only once.
 */
export class UndecodableNames {
  #taken: Set<string> | undefined;

  /**
   * Whether the path names an entry of the listed type, and no earlier entry had the same path.
   *
   * @param prefix the directory's path with a separator at its end
   */
  opens(prefix: string, entry: DirEntry): boolean {
    if (!entry.name.includes(REPLACEMENT)) return true;
    const path = prefix + entry.name;
    if (this.#taken?.has(path) || !isOfType(path, entry)) return false;
    (this.#taken ??= new Set()).add(path);
    return true;
  }
}

function isOfType(path: string, { isFile, isDirectory, isSymlink }: DirEntry): boolean {
  try {
    const info = lstat(path);
    return info.isFile === isFile && info.isDirectory === isDirectory &&
      info.isSymlink === isSymlink;
  } catch {
    return false;
  }
}
