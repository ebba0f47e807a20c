/**
 * What one thread remembers from one search to the next.
 *
 * @module
 */

import { KeptListings } from "../../walk/kept_listings.ts";
import { KeptFiles } from "./kept_files.ts";

/** Bytes that a kept entry of a directory takes, about. */
const ENTRY_BYTES = 128;
/** The part of the memory that is for listings. */
const LISTINGS_SHARE = 1 / 8;

/** Files and listings. */
export class ThreadMemory {
  readonly files: KeptFiles;
  readonly listings: KeptListings;

  /** @param maxBytes what is kept, at most */
  constructor(maxBytes: number) {
    const forListings = Math.floor(maxBytes * LISTINGS_SHARE);
    this.files = new KeptFiles(maxBytes - forListings);
    this.listings = new KeptListings(Math.floor(forListings / ENTRY_BYTES));
  }
}
