/**
 * The cache of one thread: files and listings of earlier searches.
 *
 * @module
 */

import { ListingCache } from "./listing_cache.ts";
import type { Trust } from "./tree_watch.ts";
import { FileCache } from "./file_cache.ts";
import { Shards } from "./shards.ts";
import { Provisional } from "../walk/provisional.ts";
import type { AllowedRoots } from "../workspace/verification.ts";

/** The share of the memory for listings. */
const LISTINGS_SHARE = 1 / 4;
/** Milliseconds in which what a search has found is proven after its end; the rest is read again. */
const SETTLE_MS = 500;

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
  /** What they have found, which is kept or trusted once it is proven. */
  #findings: Provisional | undefined;
  /** When to prove it is given up. */
  #settlesUntil = 0;
  /** Whether nothing has changed since the oldest of them began. */
  #isCalm = true;

  /** @param maxBytes its size, at most */
  constructor(maxBytes: number) {
    const forListings = Math.floor(maxBytes * LISTINGS_SHARE);
    this.files = new FileCache(maxBytes - forListings);
    this.listings = new ListingCache(forListings);
  }

  /**
   * Begins a search.
   *
   * @param trust what needs no check @default everything is checked
   * @param allowedRoots where it may look
   * @returns a function that ends it: what was read while directories were swapped is not kept, or
   * not trusted
   */
  begin(trust: Trust | undefined, allowedRoots: AllowedRoots): Disposable {
    const [epoch, applied] = [this.#epoch, this.#applied];
    const trusted = this.#apply(trust);
    if (this.#searches++ === 0) {
      this.#isCalm = true;
      const hasTime = () => performance.now() < this.#settlesUntil;
      this.#findings = new Provisional(allowedRoots, Date.now(), hasTime);
    } else if (trusted !== epoch || this.#applied !== applied) {
      // The other searches may have opened what has changed.
      this.#isCalm = false;
    }
    const gained = this.#isCalm ? trusted : 0;
    this.files.begin(trusted, gained, this.#findings!);
    this.listings.begin(trusted, gained, this.#findings!);
    return {
      [Symbol.dispose]: () => {
        this.#searches--;
        this.#settlesUntil = performance.now() + SETTLE_MS;
        this.#findings!.settle();
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
