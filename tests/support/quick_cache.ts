/**
 * A searcher that caches at once what has just been written. The product waits for a second, the precision
 * of the time of change; a test that takes no time back does not need that.
 *
 * @module
 */

import { TreeWatch } from "../../src/cache/tree_watch.ts";
import { WorkerPool } from "../../src/parallel/worker_pool.ts";
import { searchWith } from "../../src/search/search.ts";
import type { Searcher, SearcherOptions, SearchResult } from "../../mod.ts";

/** As many bytes as a {@linkcode Searcher} caches. */
const CACHE_BYTES = 1 << 27;

/** A {@linkcode Searcher} to which each change shows in the time of writing. */
export class QuickSearcher implements Pick<Searcher, "search" | typeof Symbol.asyncDispose> {
  readonly #options: SearcherOptions;
  readonly #watch: TreeWatch | undefined;
  readonly #pool: WorkerPool;

  constructor(options: SearcherOptions & { cache: "verified" | "watched" }) {
    const { workspace, cache, scratch, maxCacheBytes = CACHE_BYTES } = options;
    this.#options = options;
    if (cache === "watched") this.#watch = new TreeWatch(workspace.roots, scratch, true, 0);
    this.#pool = new WorkerPool({
      isKept: true,
      cacheBytes: maxCacheBytes,
      watch: this.#watch,
      changePrecision: 0,
    });
  }

  /** See {@linkcode Searcher.search}. */
  async search(...[query, options]: Parameters<Searcher["search"]>): Promise<SearchResult> {
    const { workspace } = this.#options;
    const result = await searchWith(this.#pool, query, { ...options, workspace });
    const problem = this.#watch?.problem;
    if (problem === undefined) return result;
    return {
      ...result,
      notes: [...result.notes ?? [], `the workspace is not watched: ${problem}`],
    };
  }

  /** Ends the workers and the watch; no search may be under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pool.close();
    await this.#watch?.close();
  }
}

/** Waits until what was written last may be cached, and the next change has another time of writing. */
export async function ticked(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
}
