/**
 * The names of files as their directories list them. Many file systems ignore letter case or Unicode
 * normalization, also where Linux mounts them; rules and answers are about the name that is listed.
 *
 * @module
 */

import * as platform from "../util/path.ts";

/** Tells by which names directories list their entries. Each directory is listed once at most. */
export class ListedNames {
  readonly #listings = new Map<string, Listing>();

  /**
   * The name by which a directory lists an entry.
   *
   * @param directory a directory that may be listed
   * @param name a name by which the entry is found
   * @param entry what was found
   */
  of(directory: string, name: string, entry: Deno.FileInfo): string {
    const isEntry = (other: string) => isSame(statOf(platform.join(directory, other)), entry);
    if (!SHORT_NAME.test(name) && !otherSpellings(name).some(isEntry)) return name;
    const listing = this.#listings.getOrInsertComputed(directory, () => new Listing(directory));
    // Where it is listed, the other spelling is another name of the same file.
    if (listing.names.has(name)) return name;
    // File systems fold more than JavaScript knows.
    return listing.likeIt(name).find(isEntry) ?? listing.withInode(entry) ?? name;
  }
}

/** A name that NTFS and FAT may make up for a longer one. */
const SHORT_NAME = /~\d/;

/** The entries of a directory, which may have been listed before it changed. */
class Listing {
  readonly names: ReadonlySet<string>;
  readonly #directory: string;
  #folded: Map<string, string[]> | undefined;
  #inodes: Map<string, Deno.FileInfo> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    try {
      this.names = new Set(Deno.readDirSync(directory).map(({ name }) => name));
    } catch {
      this.names = new Set(); // it may not be listed, or is gone
    }
  }

  likeIt(name: string): readonly string[] {
    this.#folded ??= Map.groupBy(this.names, fold);
    return this.#folded.get(fold(name)) ?? [];
  }

  withInode(entry: Deno.FileInfo): string | undefined {
    this.#inodes ??= new Map(
      Array.from(
        this.names,
        (name) => [name, statOf(platform.join(this.#directory, name))] as const,
      )
        .filter((pair): pair is readonly [string, Deno.FileInfo] => pair[1] !== undefined),
    );
    return this.#inodes.entries().find(([, found]) => isSame(found, entry))?.[0];
  }
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

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

function isSame(found: Deno.FileInfo | undefined, { dev, ino }: Deno.FileInfo): boolean {
  return found !== undefined && found.dev === dev && found.ino === ino;
}
