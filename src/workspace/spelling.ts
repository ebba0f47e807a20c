/**
 * The names of files as their directories list them. Many file systems ignore letter case or Unicode
 * normalization, also where Linux mounts them; rules and answers are about the name that is listed.
 *
 * @module
 */

import * as platform from "../util/path.ts";

/**
 * The name by which a directory lists an entry.
 *
 * @param directory a directory that may be listed
 * @param name a name by which the entry is found
 * @param entry what was found
 */
export function listedName(directory: string, name: string, entry: Deno.FileInfo): string {
  const isEntry = (other: string) => isSame(platform.join(directory, other), entry);
  if (!otherSpellings(name).some(isEntry)) return name;
  const folded = fold(name);
  let listed = name;
  try {
    for (const { name: other } of Deno.readDirSync(directory)) {
      if (other === name) return name; // the other spelling is another name of the same file
      if (fold(other) === folded && isEntry(other)) listed = other;
    }
  } catch {
    // It may not be listed, or is gone.
  }
  return listed;
}

/** Names that differ from a name in letter case alone, or in normalization alone. */
function otherSpellings(name: string): string[] {
  const spellings = [swapCase(name), name.normalize("NFC"), name.normalize("NFD")];
  return [...new Set(spellings)].filter((spelling) => spelling !== name);
}

function swapCase(name: string): string {
  return name.replace(/\p{Cased}/gu, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  });
}

function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

function isSame(path: string, { dev, ino }: Deno.FileInfo): boolean {
  try {
    const found = Deno.lstatSync(path);
    return found.dev === dev && found.ino === ino;
  } catch {
    return false;
  }
}
