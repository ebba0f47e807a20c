/**
 * What one thread remembers from one search to the next.
 *
 * @module
 */

import { KeptListings } from "../../cache/listing_cache.ts";
import type { Trust } from "../../walk/tree_watch.ts";
import { KeptFiles } from "./kept_files.ts";
import { Stripes } from "./stripes.ts";

/** Bytes that a kept entry of a directory takes, about. */
const ENTRY_BYTES = 128;
/** The part of the memory that is for listings. */
const LISTINGS_SHARE = 1 / 8;

/** Files and listings. */
export class ThreadMemory {
  readonly files: KeptFiles;
  readonly listings: KeptListings;
  readonly stripes: Stripes = new Stripes();
  #epoch = 0;
  /** Changes of the epoch that were heeded. */
  #heeded = 0;

  /** @param maxBytes what is kept, at most */
  constructor(maxBytes: number) {
    const forListings = Math.floor(maxBytes * LISTINGS_SHARE);
    this.files = new KeptFiles(maxBytes - forListings);
    this.listings = new KeptListings(Math.floor(forListings / ENTRY_BYTES));
  }

  /**
   * Begins a search.
   *
   * @param trust what need not be looked at again @default everything is looked at
   */
  begin(trust: Trust | undefined): void {
    const epoch = this.#heed(trust);
    this.files.begin(epoch);
    this.listings.epoch = epoch;
  }

  /** Forgets what has changed; the epoch to trust, or 0. */
  #heed(trust: Trust | undefined): number {
    if (trust === undefined || trust.epoch < this.#epoch) return 0;
    if (trust.epoch > this.#epoch) this.#heeded = 0;
    this.#epoch = trust.epoch;
    for (; this.#heeded < trust.changes.length; this.#heeded++) {
      this.files.drop(trust.changes[this.#heeded]!);
      this.listings.drop(trust.changes[this.#heeded]!);
    }
    return trust.epoch;
  }
}
