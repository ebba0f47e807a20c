/**
 * A search from query to answer. Command line, library, tools and MCP all come through here.
 *
 * `query_parser.ts` checks the query, `prepare.ts` decides what is read and how, `scan.ts` has an engine
 * read it, and `answer.ts` makes the answer of what was found.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { checkOptions } from "../workspace/workspace.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import { answer } from "./answer.ts";
import { prepare } from "./prepare.ts";
import type { OutputMode, Query, SearchQuery, SearchQueryOf } from "../query/query.ts";
import { parseQuery, querySnapshot } from "../query/query_parser.ts";
import type { FileResult, SearchEntryOf, SearchResult, SearchResultOf } from "../answer/result.ts";
import { scan } from "./scan.ts";
import type {
  InternalSearchOptions,
  SearchEntriesOptions,
  SearchOptions,
} from "./search_context.ts";

/**
 * Searches the files of a workspace.
 *
 * Needs `--allow-read` for the workspace and nothing else.
 *
 * @param query what to search for; only `pattern` is required
 * @param options the workspace, and a signal that ends the search
 * @returns the answer, of the type of the query's `outputMode`; finding nothing is not an error
 * @throws {PathgrepError} every code of {@linkcode ErrorCode}
 *
 * @example
 * ```ts
 * import { search, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "// TODO: more\n");
 * const workspace = await Workspace.open(root);
 * const result = await search({ pattern: "TODO", include: "*.ts" }, { workspace });
 * assert.equal(result.matches[0]?.line, "// TODO: more");
 * const { counts } = await search({ pattern: "TODO", outputMode: "count" }, { workspace });
 * assert.equal(counts[0]?.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function search<
  Mode extends OutputMode | undefined = undefined,
  WithoutMatch extends boolean | undefined = undefined,
>(
  query: SearchQueryOf<Mode, WithoutMatch>,
  options: SearchOptions,
): Promise<SearchResultOf<Mode, WithoutMatch>> {
  return runSearch(query, options) as Promise<SearchResultOf<Mode, WithoutMatch>>;
}

/**
 * Searches like {@linkcode search}, but yields the entries of the answer one by one while it searches:
 * matches, file names, or counts, by the query's `outputMode`.
 *
 * The search starts with the first call of `next`. It yields the entries file by file as it finds them, on
 * the caller's thread, and pauses while a few hundred of them wait; such pauses do not count towards
 * `timeout`. Leaving the loop ends it at once. With `sort: "path"` or `"modified"` given, and with
 * `maxOutputChars`, all entries come in order once the search is done, at the cost of their memory.
 *
 * Needs `--allow-read` for the workspace and nothing else.
 *
 * @param query what to search for; `maxResults: 0` for all entries
 * @param options the workspace, a signal that ends the search, and a callback for the summary
 * @returns an iterator over the entries, which throws what `search` throws after the entries found before,
 * such as `search_too_broad` after 1000 entries
 *
 * @example
 * ```ts
 * import { searchEntries, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "// TODO: more\n// TODO: less\n");
 * const workspace = await Workspace.open(root);
 * for await (const { line_number, line } of searchEntries({ pattern: "TODO" }, { workspace })) {
 *   assert.deepEqual([line_number, line], [1, "// TODO: more"]);
 *   break; // ends the search
 * }
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function searchEntries<
  Mode extends OutputMode | undefined = undefined,
  WithoutMatch extends boolean | undefined = undefined,
>(
  query: SearchQueryOf<Mode, WithoutMatch>,
  options: SearchEntriesOptions,
): AsyncIterableIterator<SearchEntryOf<Mode, WithoutMatch>, undefined, undefined> {
  const ender = new AbortController();
  const entries = (async function* () {
    checkOptions(options);
    const { entriesAsFound } = await import("./entries.ts");
    const asked = querySnapshot(query);
    // A budget is kept once the whole answer is known.
    const { sort = asked.maxOutputChars === undefined ? "none" : "path" } = asked;
    const run = (more: Partial<InternalSearchOptions>) =>
      runSearch({ ...asked, sort }, { ...options, ...more });
    return yield* entriesAsFound(run, options, ender);
  })() as AsyncGenerator<SearchEntryOf<Mode, WithoutMatch>, undefined>;
  return {
    next: () => entries.next(),
    return() {
      ender.abort(); // a generator would wait for the next entry first
      return entries.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** {@linkcode search} with everything that this package may ask of it. */
export async function runSearch(
  query: SearchQuery,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  checkOptions(options);
  return await execute(parseQuery(query), options);
}

/**
 * Lists the files that a search with the same options would read, in the shape of file mode.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param query which files; `include` is echoed as the pattern
 * @param options as for a search
 * @throws {PathgrepError} as a search does
 *
 * @example
 * ```ts
 * import { listFiles, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "");
 * const workspace = await Workspace.open(root);
 * const { files } = await listFiles({ include: "*.ts", paths: "relative" }, { workspace });
 * assert.deepEqual(files, ["a.ts"]);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function listFiles(
  query: Omit<SearchQuery, "pattern">,
  options: SearchOptions,
): Promise<FileResult> {
  return runListing(query, options);
}

/** {@linkcode listFiles} with everything that this package may ask of it. */
export async function runListing(
  query: Omit<SearchQuery, "pattern">,
  options: InternalSearchOptions,
): Promise<FileResult> {
  checkOptions(options);
  const { includeKey = "include", patternShown } = options;
  const listed = { ...querySnapshot(query), pattern: ".", outputMode: "file" as const };
  const { include, maxOutputChars } = parseQuery(listed);
  const given = patternShown ?? include.join("\n");
  // White space around it had better not take most of the answer.
  const pattern = 2 * given.length < maxOutputChars ? given : given.trim();
  const asked = parseQuery(listed, { patterns: [pattern], isListing: true, includeKey });
  return await execute(asked, options) as FileResult;
}

/** Searches with a pool of its own, unless the options have one, which stays open. */
async function execute(query: Query, options: InternalSearchOptions): Promise<SearchResult> {
  const pool = options.pool ?? new WorkerPool();
  try {
    const search = await prepare(query, pool, options);
    return await answer(search, await scan(search));
  } catch (thrown) {
    const { isListing, maxOutputChars, patterns } = query;
    const error = PathgrepError.from(thrown)
      .with(isListing ? {} : { pattern: patterns.join("\n") });
    if (maxOutputChars === Infinity) throw error;
    throw (await import("../answer/budget.ts")).fitError(error, maxOutputChars);
  } finally {
    if (pool !== options.pool) pool.close();
  }
}
