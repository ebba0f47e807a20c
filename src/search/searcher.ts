/**
 * A searcher that stays: its workers are started once and kept from one search to the next.
 *
 * @module
 */

import type { Workspace } from "../workspace/workspace.ts";
import { WorkerPool } from "./js/pool.ts";
import type { SearchQuery } from "./query.ts";
import type { SearchResult } from "./result.ts";
import { type SearchOptions, searchWith } from "./search.ts";

/** What a {@linkcode Searcher} is made of. */
export interface SearcherOptions {
  /** The directories that searches stay inside of. */
  workspace: Workspace;
  /**
   * What is kept from one search to the next besides the workers. `verified`: listings and files up
   * to 1 MiB, each checked before it is trusted (device, inode, size and times), so that an answer is
   * never older than the search. @default "none"
   */
  cache?: "none" | "verified";
  /** Bytes that are kept, at most. @default 134217728 */
  maxCacheBytes?: number;
}

const MAX_CACHE_BYTES = 1 << 27;

/**
 * Searches one workspace again and again.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { Searcher, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await using searcher = new Searcher({ workspace: await Workspace.open(root) });
 * assert.equal((await searcher.search({ pattern: "TODO" })).count, 0);
 * await Deno.remove(root);
 * ```
 */
export class Searcher implements AsyncDisposable {
  readonly #workspace: Workspace;
  readonly #pool: WorkerPool;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ender = new AbortController();

  /**
   * A searcher without workers yet: the first long search starts them.
   *
   * @param options the directories that searches stay inside of, and what is kept
   */
  constructor(options: SearcherOptions) {
    this.#workspace = options.workspace;
    const isKept = options.cache === "verified";
    this.#pool = new WorkerPool(isKept ? options.maxCacheBytes ?? MAX_CACHE_BYTES : 0);
  }

  /**
   * {@linkcode search} with kept workers.
   *
   * @throws {PathgrepError} as `search` does; `cancelled` after disposal
   */
  async search(
    query: SearchQuery,
    options: Omit<SearchOptions, "workspace"> = {},
  ): Promise<SearchResult> {
    const signal = options.signal === undefined
      ? this.#ender.signal
      : AbortSignal.any([this.#ender.signal, options.signal]);
    const running = searchWith(this.#pool, query, {
      ...options,
      workspace: this.#workspace,
      signal,
    });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends searches under way with `cancelled`, and every worker. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ender.abort();
    await Promise.allSettled(this.#running);
    this.#pool.close();
  }
}
