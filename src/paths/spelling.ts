/**
 * The names of files as their directories list them. Many file systems ignore letter case or Unicode
 * normalization, also when Linux mounts them; rules and answers use the listed name.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { lstat, readDirectory } from "../system/files.ts";
import { mayRead } from "../system/permissions.ts";
import { OS } from "../system/platform.ts";
import { CHANGE_PRECISION_MS, identityAt, identityOf } from "./verification.ts";
import { valueAt } from "../util/maps.ts";

/** Finds the names by which directories list their entries. Each directory is listed at most once. */
export class ListedSpellings {
  readonly #listings = new Map<string, NameListing>();

  /**
   * The name by which a directory lists an entry.
   *
   * @param name a name by which the entry is found
   * @param identity of what was found, if it is known
   */
  of(directory: string, name: string, identity: string | undefined): string {
    if (!identity) return name;
    const isEntry = (other: string) => identityAt(platform.join(directory, other)) === identity;
    if (!SHORT_NAME.test(name) && !otherSpellings(name).some(isEntry)) return name;
    const listing = valueAt(this.#listings, directory, listingOf);
    // Where it is listed, the other spelling is another name of the same file.
    if (listing.names.has(name)) return name;
    // File systems fold more than JavaScript knows.
    return listing.likeIt(name).find(isEntry) ?? listing.identifiedBy(identity) ?? name;
  }
}

/** An absolute path without links, with the names that its directories list. Never makes Deno ask. */
export function listedPath(path: string): string {
  if (OS === "windows") return path; // Deno.realPath gives these names
  const listed = new ListedSpellings();
  return path.split("/").filter((name) => name !== "").reduce((directory, name) => {
    const identity = identityAt(platform.join(directory, name));
    return platform.join(directory, listed.of(directory, name, identity));
  }, "/");
}

/** A name that NTFS and FAT may make up for a longer one. */
const SHORT_NAME = /~\d/;

/** Listings of directories that may not have changed since, by path; few names need one. */
const cached = new Map<string, NameListing>();
let cachedNames = 0;
const MAX_CACHED_NAMES = 1 << 19;

/** The listing of a directory: many links may lead to names of one that takes long to list. */
function listingOf(directory: string): NameListing {
  const known = cached.get(directory);
  if (known?.isCurrent()) return known;
  const listing = new NameListing(directory);
  cachedNames += listing.names.size - (known?.names.size ?? 0);
  if (cachedNames > MAX_CACHED_NAMES) {
    cached.clear();
    cachedNames = listing.names.size;
  }
  cached.set(directory, listing);
  return listing;
}

class NameListing {
  readonly names: ReadonlySet<string>;
  readonly #directory: string;
  /** Changes with the directory; nothing if a change may go unnoticed. */
  readonly #version: string | undefined;
  #folded: Map<string, string[]> | undefined;
  #identified: Map<string | undefined, string> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#version = versionOf(directory, Date.now());
    this.names = new Set(namesListedIn(directory));
  }

  isCurrent(): boolean {
    return this.#version !== undefined && this.#version === versionOf(this.#directory);
  }

  likeIt(name: string): readonly string[] {
    this.#folded ??= Map.groupBy(this.names, foldName);
    return this.#folded.get(foldName(name)) ?? [];
  }

  identifiedBy(identity: string): string | undefined {
    this.#identified ??= new Map(
      Array.from(this.names, (name) => [identityAt(platform.join(this.#directory, name)), name]),
    );
    return this.#identified.get(identity);
  }
}

/**
 * A text that changes with the names in a directory.
 *
 * @param since if it changed within the precision of its time before then, another change may not show
 */
function versionOf(directory: string, since = Infinity): string | undefined {
  if (!mayRead(directory)) return undefined;
  try {
    const info = lstat(directory);
    const changed = info.ctime?.getTime() ?? Infinity;
    return changed + CHANGE_PRECISION_MS > since
      ? undefined
      : `${identityOf(info)} ${changed} ${info.mtime?.getTime()}`;
  } catch {
    return undefined;
  }
}

function namesListedIn(directory: string): string[] {
  if (!mayRead(directory)) return [];
  try {
    return Array.from(readDirectory(directory), ({ name }) => name);
  } catch {
    return [];
  }
}

/** Names that find the same entry if the file system equates names. */
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

function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
