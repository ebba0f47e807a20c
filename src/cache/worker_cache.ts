/**
 * The cache of one thread: files and listings of earlier searches.
 *
 * @module
 */

import { ListingCache } from "./listing_cache.ts";
import type { Trust } from "./tree_watch.ts";
import { FileCache } from "./file_cache.ts";
import { Shards } from "./shards.ts";

/** Approximate bytes of a cached directory entry. */
const ENTRY_BYTES = 96;
/** The share of the memory for listings. */
const LISTINGS_SHARE = 1 / 4;

/** Caches files and listings. */
export class WorkerCache {
  readonly files: FileCache;
  readonly listings: ListingCache;
  readonly shards: Shards = new Shards();
  #epoch = 0;
  /** How many changes of the epoch have been applied. */
  #applied = 0;

  /** @param maxBytes its size, at most */
  constructor(maxBytes: number) {
    const forListings = Math.floor(maxBytes * LISTINGS_SHARE);
    this.files = new FileCache(maxBytes - forListings);
    this.listings = new ListingCache(Math.floor(forListings / ENTRY_BYTES));
  }

  /**
   * Begins a search.
   *
   * @param trust what needs no check @default everything is checked
   */
  begin(trust: Trust | undefined): void {
    const epoch = this.#apply(trust);
    this.files.begin(epoch);
    this.listings.epoch = epoch;
  }

  /** Drops what has changed; returns the epoch to trust, or 0. */
  #apply(trust: Trust | undefined): number {
    if (trust === undefined || trust.epoch < this.#epoch) return 0;
    if (trust.epoch > this.#epoch) this.#applied = 0;
    this.#epoch = trust.epoch;
    for (; this.#applied < trust.changes.length; this.#applied++) {
      this.files.drop(trust.changes[this.#applied]!);
      this.listings.drop(trust.changes[this.#applied]!);
    }
    return trust.epoch;
  }
}
