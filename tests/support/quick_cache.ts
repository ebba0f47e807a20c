/**
 * A searcher that caches at once what has just been written. The product waits for a second, the precision
 * of the time of change; a test that takes no time back does not need that.
 *
 * @module
 */

import { SearchCache } from "../../src/cache/search_cache.ts";
import { WorkerPool } from "../../src/run/worker_pool.ts";
import { runSearch } from "../../src/search/search.ts";
import type { SearcherOptions, SearchOptions, SearchQuery, SearchResult } from "../../mod.ts";

/** As many bytes as a {@linkcode Searcher} caches. */
const CACHE_BYTES = 1 << 27;

/** A {@linkcode Searcher} to which each change shows in the time of writing. */
export class QuickSearcher implements AsyncDisposable {
  readonly #options: SearcherOptions;
  readonly #cache: SearchCache;
  readonly #pool: WorkerPool;

  constructor(options: SearcherOptions & { cache: "verified" | "watched" }) {
    const { workspace, cache, scratch, maxCacheBytes = CACHE_BYTES } = options;
    this.#options = options;
    const watched = cache === "watched" ? { roots: workspace.roots, scratch } : undefined;
    this.#cache = new SearchCache(maxCacheBytes, watched, 0);
    this.#pool = new WorkerPool({ isKept: true, store: this.#cache });
  }

  /** See {@linkcode Searcher.search}. */
  async search(
    query: SearchQuery,
    options?: Omit<SearchOptions, "workspace">,
  ): Promise<SearchResult> {
    const { workspace } = this.#options;
    const result = await runSearch(query, { ...options, pool: this.#pool, workspace });
    const problem = this.#cache.problem;
    if (problem === undefined) return result;
    return {
      ...result,
      notes: [...result.notes ?? [], `the workspace is not watched: ${problem}`],
    };
  }

  /** Ends the workers and the watch; no search may be under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pool.close();
    await this.#cache.close();
  }
}

/** Waits until what was written last may be cached, and the next change has another time of writing. */
export async function ticked(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
}
