/**
 * What directories hold, kept from one search to the next.
 *
 * @module
 */

import { Identity } from "./identity.ts";
import type { IgnoreRules } from "./ignore.ts";
import type { Listing, WalkSkips } from "./listing.ts";

/** What was found in a directory. */
export interface Entries {
  readonly entries: readonly Deno.DirEntry[];
  /** Names of the ignore files among them. */
  readonly ignoreFiles: readonly string[];
  /** What the last walk made of the ignore files. */
  ruled?: { inherited: IgnoreRules; texts: string; rules: IgnoreRules };
  /** What the last walk took in. */
  taken?: {
    /** See {@linkcode KeptListings.keyOf}. */
    key: number;
    base: number;
    depth: number;
    rules: IgnoreRules;
    listing: Listing;
    skips: WalkSkips;
  };
}

interface Kept {
  identity: Identity;
  found: Entries;
}

/** Listings, each checked against the directory before it is trusted. */
export class KeptListings {
  readonly #kept = new Map<string, Kept>();
  readonly #maxEntries: number;
  readonly #keys = new Map<string, number>();
  #entries = 0;

  /** @param maxEntries entries that are kept, at most */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * A number that stands for a way to walk.
   *
   * @param options the walk's options as JSON
   */
  keyOf(options: string): number {
    const key = this.#keys.get(options) ?? this.#keys.size;
    this.#keys.set(options, key);
    return key;
  }

  /**
   * What a directory holds.
   *
   * @param path the directory
   * @param list lists it, when it is not known any more
   * @throws what `Deno.lstatSync` or `list` throw
   */
  entriesOf(path: string, list: () => Entries): Entries {
    const now = Date.now();
    const info = Deno.lstatSync(path);
    const kept = this.#kept.get(path);
    if (kept?.identity.isSame(info)) return kept.found;
    if (kept !== undefined) {
      this.#kept.delete(path);
      this.#entries -= kept.found.entries.length;
    }
    const found = list();
    const identity = new Identity(info);
    const total = this.#entries + found.entries.length;
    if (info.isDirectory && identity.isSettled(now) && total <= this.#maxEntries) {
      this.#kept.set(path, { identity, found });
      this.#entries = total;
    }
    return found;
  }
}
