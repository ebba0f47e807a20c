/**
 * The cache of one thread: files and listings of earlier searches.
 *
 * @module
 */

import { ListingCache } from "./listing_cache.ts";
import type { Trust } from "./tree_watch.ts";
import { FileCache } from "./file_cache.ts";
import type { SearchTrust } from "./search_trust.ts";
import { Shards } from "./shards.ts";
import type { ListingStore } from "../walk/listing.ts";
import { Provisional } from "../walk/provisional.ts";
import type { AllowedRoots } from "../workspace/verification.ts";

/** The share of the memory for listings. */
const LISTINGS_SHARE = 1 / 4;
/** Milliseconds in which what a search has found is proven after its end; the rest is read again. */
const SETTLE_MS = 500;

/** A cache as one search uses it. */
export interface CacheUse extends Disposable {
  readonly files: FileCache;
  readonly listings: ListingStore;
  readonly shards: Shards;
  /** To be passed on when entering a directory of files. */
  readonly trust: SearchTrust;
}

/** Caches files and listings. */
export class WorkerCache {
  readonly files: FileCache;
  readonly listings: ListingCache;
  readonly shards: Shards = new Shards();
  #epoch = 0;
  /** How many changes of the epoch have been applied. */
  #applied = 0;
  /** Searches that are under way. */
  #searches = 0;
  /** Whether nothing has changed since the oldest of them began. */
  #isCalm = true;

  /**
   * @param maxBytes its size, at most
   * @param changePrecision milliseconds for which what has changed is not cached
   */
  constructor(maxBytes: number, changePrecision?: number) {
    const forListings = Math.floor(maxBytes * LISTINGS_SHARE);
    this.files = new FileCache(maxBytes - forListings, changePrecision);
    this.listings = new ListingCache(forListings, changePrecision);
  }

  /**
   * Begins a search.
   *
   * @param trust what needs no check @default everything is checked
   * @param allowedRoots where it may look
   * @returns what it uses, until it ends: what was read while directories were swapped is not kept, or
   * not trusted
   */
  begin(trust: Trust | undefined, allowedRoots: AllowedRoots): CacheUse {
    const [before, applied] = [this.#epoch, this.#applied];
    const epoch = this.#apply(trust);
    if (this.#searches++ === 0) this.#isCalm = true;
    // The other searches may have opened what has changed.
    else if (epoch !== before || this.#applied !== applied) this.#isCalm = false;
    this.files.begin();
    let settlesUntil = Infinity;
    const findings = new Provisional(allowedRoots, Date.now(), {
      beat() {
        if (performance.now() > settlesUntil) throw new Error("time is up");
      },
    });
    const gained = () => this.#isCalm ? epoch : 0;
    const own: SearchTrust = {
      epoch,
      get gained() {
        return gained();
      },
      findings,
    };
    return {
      files: this.files,
      listings: this.listings.seenBy(own),
      shards: this.shards,
      trust: own,
      [Symbol.dispose]: () => {
        this.#searches--;
        settlesUntil = performance.now() + SETTLE_MS;
        try {
          findings.settle();
        } catch {
          findings.abandon();
        }
      },
    };
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
