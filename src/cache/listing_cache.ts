/**
 * Caches the entries of directories between searches.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { Fingerprint } from "./fingerprint.ts";
import type { DirectoryRules, Entries, ListingStore } from "../walk/listing.ts";

/** The exclude file of a git repository. */
const EXCLUDE = platform.join(platform.sep, ".git", "info", "exclude");

interface Kept {
  identity: Fingerprint;
  found: Entries;
  /** The epoch in which it was checked last. */
  epoch: number;
}

/** The most ways to walk that have a number. */
const MAX_KEYS = 1000;

/** Caches listings; each is checked against the directory before use. */
export class ListingCache implements ListingStore {
  readonly #kept = new Map<string, Kept>();
  readonly #maxEntries: number;
  readonly #keys = new Map<string, number>();
  #nextKey = 1;
  readonly #rulesAbove = new Map<string, { texts: string; rules: DirectoryRules }>();
  #entries = 0;
  /** Listings checked in this epoch are not checked again; 0: all are. */
  epoch = 0;

  /** @param maxEntries the most entries of directories cached */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * A number that stands for a way to walk.
   *
   * @param options the walk's options as JSON
   */
  keyOf(options: string): number {
    const known = this.#keys.get(options);
    if (known !== undefined) return known;
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    this.#keys.set(options, this.#nextKey);
    return this.#nextKey++;
  }

  /**
   * The ignore rules above a directory that a walk begins in. As long as their texts are the same, they are
   * the same object, so that results made with them stay valid.
   *
   * @param base the directory
   * @param texts the files that they come from, with their contents
   */
  rulesAbove(base: string, texts: string, build: () => DirectoryRules): DirectoryRules {
    const known = this.#rulesAbove.get(base);
    if (known?.texts === texts) return known.rules;
    if (this.#rulesAbove.size === MAX_KEYS) this.#rulesAbove.clear();
    const rules = build();
    this.#rulesAbove.set(base, { texts, rules });
    return rules;
  }

  /** Drops what a changed path affects: its listing, its parent's, and that of a repository it gives rules. */
  drop(path: string): void {
    this.#delete(path);
    this.#delete(platform.dirname(path));
    if (path.endsWith(EXCLUDE)) this.#delete(path.slice(0, -EXCLUDE.length));
  }

  #delete(path: string): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    this.#kept.delete(path);
    this.#entries -= kept.found.entries.length;
  }

  /**
   * The entries of a directory.
   *
   * @param path the directory
   * @param list lists it, if it is not cached or has changed
   * @throws what `Deno.lstatSync` or `list` throw
   */
  entriesOf(path: string, list: () => Entries): Entries {
    const now = Date.now();
    const kept = this.#kept.get(path);
    if (kept !== undefined) {
      kept.found.isTrusted = this.epoch !== 0 && kept.epoch === this.epoch;
      if (kept.found.isTrusted) return kept.found;
    }
    const info = Deno.lstatSync(path);
    if (kept?.identity.isSame(info)) {
      kept.epoch = this.epoch;
      return kept.found;
    }
    this.#delete(path);
    const found = compact(list());
    const identity = new Fingerprint(info);
    const total = this.#entries + found.entries.length;
    if (info.isDirectory && identity.isStable(now) && total <= this.#maxEntries) {
      this.#kept.set(path, { identity, found, epoch: this.epoch });
      this.#entries = total;
    }
    return found;
  }
}

/** Deno's own entries take four times the memory: each is a hash table. */
function compact(found: Entries): Entries {
  const entries = found.entries.map(({ name, isFile, isDirectory, isSymlink }) => (
    { name, isFile, isDirectory, isSymlink }
  ));
  return { ...found, entries };
}
