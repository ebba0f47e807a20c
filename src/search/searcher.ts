/**
 * A searcher that reuses its workers and its cache for one search after another.
 *
 * @module
 */

import type { NoteOrText } from "../notes/words.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import { SearchCache } from "../cache/search_cache.ts";
import { checkOptions, type Workspace } from "../workspace/workspace.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import type { OutputMode, SearchQuery, SearchQueryOf } from "../query/query.ts";
import type { FileResult, SearchResultOf } from "../answer/result.ts";
import { runListing, runSearch } from "./search.ts";
import type { InternalSearchOptions, SearchOptions } from "./search_context.ts";

/** The options of a {@linkcode Searcher}. */
export interface SearcherOptions {
  /** The directories that searches never leave. */
  workspace: Workspace;
  /**
   * What to cache between searches.
   *
   * `verified`: listings, an index of the files up to 1 MiB and some of their bytes, each checked before use
   * (device, inode, size and times). It misses writes that change none of these: through a memory map to a
   * page that is already dirty and, for a while, those of other computers on a network file system.
   *
   * `watched`: on Linux, only what the system reports as changed is checked, and everything that is part of
   * an answer. It needs `--allow-write` for `scratch` and `--allow-read` for everything, since Deno reports
   * a link by its target. It also misses writes that the system does not report: through any memory map, by
   * `io_submit`, through descriptors opened by names that are gone or outside the workspace, through bind
   * mounts, and on network file systems; perhaps some, too, while the process watches the workspace with
   * another `Deno.watchFs`. In Node.js there is no such watch. One searcher in a process can watch. A searcher that cannot says so in a note
   * and checks as `verified` does.
   * @default "none"
   */
  cache?: "none" | "verified" | "watched";
  /** Maximum size of the cache in bytes, from 1 to 4294967296 (4 GiB). @default 134217728 */
  maxCacheBytes?: number;
  /**
   * For `watched`: a directory outside the workspace for a file by which the searcher notices that all
   * changes have been reported. The file is unlinked at once. @default the temporary directory
   */
  scratch?: string;
}

const MAX_CACHE_BYTES = 1 << 27;
/** The end of WebAssembly's memory, which holds cached files. */
const CACHE_BYTES_LIMIT = 2 ** 32;
const CACHES = ["none", "verified", "watched"];

function refused(key: string, accepted: string, value: unknown): PathgrepError {
  return new PathgrepError("invalid_input", `${key} must be ${accepted}, got ${shown(value)}`);
}

/**
 * Searches one workspace many times, with the same workers and an optional cache.
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
  readonly #cache: SearchCache | undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ender = new AbortController();

  /**
   * Creates a searcher; the first search starts its workers.
   *
   * @param options the workspace, and what to cache
   * @throws {PathgrepError} `invalid_input` for an unknown kind of cache, a size out of range, or a
   * `scratch` in the workspace
   */
  constructor(options: SearcherOptions) {
    checkOptions(options);
    const { workspace, cache = "none", maxCacheBytes = MAX_CACHE_BYTES, scratch } = options;
    this.#workspace = workspace;
    if (!CACHES.includes(cache)) throw refused("cache", `one of ${CACHES.join(", ")}`, cache);
    const isSize = Number.isSafeInteger(maxCacheBytes) && maxCacheBytes > 0 &&
      maxCacheBytes <= CACHE_BYTES_LIMIT;
    if (!isSize) {
      throw refused(
        "maxCacheBytes",
        `a whole number from 1 to ${CACHE_BYTES_LIMIT}`,
        maxCacheBytes,
      );
    }
    if (cache !== "none") {
      const watched = cache === "watched" ? { roots: workspace.roots, scratch } : undefined;
      this.#cache = new SearchCache(maxCacheBytes, watched);
    }
    this.#pool = new WorkerPool({ isKept: true, store: this.#cache });
  }

  /**
   * {@linkcode search} with the workers of this searcher.
   *
   * @throws {PathgrepError} as `search` does; `cancelled` after disposal
   */
  async search<
    Mode extends OutputMode | undefined = undefined,
    WithoutMatch extends boolean | undefined = undefined,
  >(
    query: SearchQueryOf<Mode, WithoutMatch>,
    options: Omit<SearchOptions, "workspace"> = {},
  ): Promise<SearchResultOf<Mode, WithoutMatch>> {
    const found = await this.#run(options, (options) => runSearch(query, options));
    return found as SearchResultOf<Mode, WithoutMatch>;
  }

  /**
   * {@linkcode listFiles} with the workers of this searcher.
   *
   * @throws {PathgrepError} as `listFiles` does; `cancelled` after disposal
   */
  async listFiles(
    query: Omit<SearchQuery, "pattern">,
    options: Omit<SearchOptions, "workspace"> = {},
  ): Promise<FileResult> {
    return await this.#run(options, (options) => runListing(query, options));
  }

  async #run<Result>(
    options: Omit<SearchOptions, "workspace">,
    run: (options: InternalSearchOptions) => Promise<Result>,
  ): Promise<Result> {
    const signal = options.signal == null // null as well: callers hand on what they have
      ? this.#ender.signal
      : AbortSignal.any([this.#ender.signal, options.signal]);
    const cache = this.#cache;
    const running = run({
      ...options, // those of a tool of this package name the tool as well
      // Asked for when the answer is there: then it is known whether the watch has held.
      get notes() {
        const problem = cache?.problem;
        const { notes = [] } = options as { notes?: readonly NoteOrText[] };
        return problem === undefined
          ? notes
          : [...notes, { reason: "not_watched" as const, values: { problem } }];
      },
      workspace: this.#workspace,
      pool: this.#pool,
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
    await this.#cache?.close();
  }
}
