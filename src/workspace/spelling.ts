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
  const others: string[] = [];
  try {
    for (const { name: other } of Deno.readDirSync(directory)) {
      if (other === name) return name; // the other spelling is another name of the same file
      others.push(other);
    }
  } catch {
    // It may not be listed, or is gone.
  }
  const folded = fold(name);
  return others.find((other) => fold(other) === folded && isEntry(other)) ??
    others.find(isEntry) ?? name; // file systems fold more than JavaScript knows
}

/** Names that find the same entry where the file system takes names for others. */
function otherSpellings(name: string): string[] {
  const spellings = [name.normalize("NFC"), name.normalize("NFD"), ...inOtherCase(name)];
  return [...new Set(spellings)].filter((spelling) => spelling !== name);
}

/** Alphabets of which a file system folds all letters or none; of others, it may fold only some. */
const ALPHABETS = [/[A-Za-z]/g, /[Α-ΡΣ-Ωα-ρσ-ω]/g, /[А-Яа-я]/g];

/** Names of which one at least finds the entry where letter case does not count for it. */
function inOtherCase(name: string): string[] {
  const alphabet = ALPHABETS.find((letters) => name.search(letters) >= 0);
  if (alphabet !== undefined) return [name.replace(alphabet, swapCase)];
  const chars = [...name];
  return chars.map((char, index) => chars.with(index, swapCase(char)).join(""));
}

function swapCase(letter: string): string {
  const upper = letter.toUpperCase();
  return upper === letter ? letter.toLowerCase() : upper;
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
