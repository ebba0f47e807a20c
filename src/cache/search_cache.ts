/**
 * The cache of a process: one part per thread, and a watch that reports what has changed.
 *
 * @module
 */

import type { Files } from "../read/files.ts";
import type { CachedSearch, CacheTicket, ThreadCache } from "./thread_cache.ts";
import { TreeWatch } from "./tree_watch.ts";

export class SearchCache {
  readonly #maxBytes: number;
  readonly #changePrecision: number | undefined;
  #watch: TreeWatch | undefined;
  #roots: readonly string[] = [];
  #change: Promise<void> = Promise.resolve();
  /** The cache of this thread, in case it has to search. */
  #ofThread: ThreadCache | undefined;

  /**
   * @param maxBytes what all threads together may cache
   * @param watched directories that are watched, so that what has not changed needs no check, and a
   * directory outside of them for a file of the watch @default everything is checked
   * @param changePrecision as in {@linkcode CacheTicket}
   * @throws {PathgrepError} `invalid_input` when `scratch` lies in a root
   */
  constructor(
    maxBytes: number,
    watched?: { roots: readonly string[]; scratch: string | undefined },
    changePrecision?: number,
  ) {
    this.#maxBytes = maxBytes;
    this.#changePrecision = changePrecision;
    if (watched === undefined) return;
    const { roots, scratch } = watched;
    this.#watch = new TreeWatch(roots, scratch, true, changePrecision);
  }

  /** Why nothing is watched, unless something is. */
  get problem(): string | undefined {
    return this.#watch?.problem;
  }

  /**
   * Watches these directories instead of the previous ones. Searches do not wait for it. Resolves once they
   * are watched, or cannot be.
   */
  follow(roots: readonly string[]): Promise<void> {
    const isSame = roots.length === this.#roots.length &&
      roots.every((root, index) => root === this.#roots[index]);
    this.#roots = roots;
    if (isSame) return this.#change;
    return this.#change = this.#change.then(async () => {
      const watch = this.#watch;
      this.#watch = undefined;
      await watch?.close(); // a process has one watch at a time
      this.#watch = new TreeWatch(roots, undefined, false);
      await this.#watch.watchAll();
    });
  }

  /**
   * The ticket with which a search on this many threads opens the cache; the signal ends the wait for reports
   * of changes.
   */
  async ticket(
    job: CachedSearch & { deadline: number },
    threads: number,
    signal: AbortSignal,
  ): Promise<CacheTicket> {
    const { walk: { allowedRoots }, deadline } = job;
    return {
      maxBytes: Math.floor(this.#maxBytes / threads),
      changePrecision: this.#changePrecision,
      trust: await this.#watch?.trust(allowedRoots, signal, deadline),
    };
  }

  async open(job: CachedSearch, ticket: CacheTicket): Promise<Files> {
    const { ThreadCache } = await import("./thread_cache.ts");
    this.#ofThread ??= new ThreadCache(ticket);
    return this.#ofThread.open(job, ticket.trust);
  }

  /** Drops what this thread has cached, and ends the watch; no search may be running. */
  async close(): Promise<void> {
    this.#ofThread?.close();
    this.#ofThread = undefined;
    await this.#watch?.close();
  }
}
