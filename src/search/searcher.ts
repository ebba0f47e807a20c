/**
 * A searcher that stays: its workers and its cache serve one search after the other.
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import { SearchCache } from "../cache/search_cache.ts";
import type { Workspace } from "../paths/workspace.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import type { OutputMode, SearchQuery, SearchQueryOf } from "./query.ts";
import type { FileResult, SearchResultOf } from "./result.ts";
import { runListing, searchWith } from "./search.ts";
import type { InternalSearchOptions, SearchOptions } from "./search_context.ts";

/** What a {@linkcode Searcher} is made of. */
export interface SearcherOptions {
  /** The directories that searches stay inside of. */
  workspace: Workspace;
  /**
   * What is cached between searches besides the workers. `verified`: listings, an index of the
   * files up to 1 MiB and some of their bytes, each checked before it is trusted (device, inode, size and times). It misses writes that
   * change none of these: through a memory map to a page that is dirty already and, for a while, those
   * of other computers on a network file system. `watched`: on Linux, the system tells what has
   * changed, and only that is checked; so is everything that is part of an answer. It needs
   * `--allow-write` for `scratch` and `--allow-read` for everything, since Deno reports a link by where
   * it leads. It also misses writes that the system does not report: through any memory map, by
   * `io_submit`, through descriptors opened by names that are gone or lie outside the workspace, through
   * bind mounts, and on network file systems; perhaps some, too, while the process watches the
   * workspace by another `Deno.watchFs`. One searcher of a process can watch. Where it cannot it says
   * so in a note, and checks as `verified` does.
   * @default "none"
   */
  cache?: "none" | "verified" | "watched";
  /** Bytes of the cache, from 1 to 4294967296 (4 GiB). @default 134217728 */
  maxCacheBytes?: number;
  /**
   * For `watched`: a directory outside the workspace for a file whose changes tell that all earlier
   * changes have been reported. It loses its name at once. @default the temporary directory
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
  readonly #cache: SearchCache | undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #ender = new AbortController();

  /**
   * A searcher without workers yet: the first search starts them.
   *
   * @param options the directories that searches stay inside of, and what is cached
   * @throws {PathgrepError} `invalid_input` for a cache or size that there is not, or when `scratch`
   * lies in the workspace
   */
  constructor(
    { workspace, cache = "none", maxCacheBytes = MAX_CACHE_BYTES, scratch }: SearcherOptions,
  ) {
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
    const run = (options: InternalSearchOptions) => searchWith(this.#pool, query, options);
    return await this.#run(options, run) as SearchResultOf<Mode, WithoutMatch>;
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
        const { notes = [] } = options as { notes?: readonly string[] };
        return problem === undefined
          ? notes
          : [...notes, `the workspace is not watched: ${problem}`];
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
