/**
 * A search from query to answer. Every way in (command line, library, tools, MCP) comes through here.
 *
 * `query_parser.ts` checks the query, `prepare.ts` decides what is read and how, `scan.ts` has an engine
 * read it, and `answer.ts` makes the answer of what was found.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { JsEngine } from "../engines/js.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import { planLiteral } from "../regex/plain_text.ts";
import type { PlannedPattern } from "../regex/pattern_plan.ts";
import { answer } from "./answer.ts";
import { type Means, planPatterns, prepare } from "./prepare.ts";
import type { OutputMode, SearchQuery, SearchQueryOf, SearchSettings } from "./query.ts";
import { parseQuery, querySnapshot } from "./query_parser.ts";
import type { FileResult, SearchResult, SearchResultOf } from "./result.ts";
import { scan } from "./scan.ts";
import type { InternalSearchOptions, SearchOptions } from "./search_context.ts";

/**
 * Searches the files of a workspace.
 *
 * Needs `--allow-read` for the workspace and nothing else.
 *
 * @param query what to search for; only `pattern` is required
 * @param options the workspace, and a signal that ends the search
 * @returns the answer, in the form of the query's `outputMode`; no match is an answer too
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

/** {@linkcode search} with everything that this package may ask of it. */
export async function runSearch(
  query: SearchQuery,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  const pool = options.pool ?? new WorkerPool();
  try {
    return await searchWith(pool, query, options);
  } finally {
    if (pool !== options.pool) pool.close();
  }
}

/** {@linkcode runSearch} with a pool that stays open. */
export async function searchWith(
  pool: WorkerPool,
  query: SearchQuery,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  const settings = parseQuery(query);
  try {
    const plan = await planPatterns(settings, options);
    const { engine: name } = settings;
    const engine = name === "auto" || name === "js"
      ? new JsEngine(pool)
      : await (await import("../engines/choose.ts")).engineFor(name, pool, options.workspace.roots);
    return await execute(settings, plan, { engine, pool }, options);
  } catch (thrown) {
    const error = PathgrepError.from(thrown).with({ pattern: settings.patterns.join("\n") });
    throw await fitted(error, settings);
  }
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
  const { includeKey = "include" } = options;
  const parsed = parseQuery({ ...querySnapshot(query), pattern: ".", outputMode: "file" });
  const given = parsed.include.join("\n");
  // White space around it had better not take most of the answer.
  const pattern = 2 * given.length < parsed.maxOutputChars ? given : given.trim();
  const settings: SearchSettings = { ...parsed, patterns: [pattern], includeKey };
  const plan = { plan: planLiteral("", parsed), notes: [] }; // nothing is matched
  const { FileLister } = await import("../engines/file_lister.ts");
  const pool = options.pool ?? new WorkerPool();
  const engine = new FileLister(includeKey === "pattern", new JsEngine(pool));
  try {
    return await execute(settings, plan, { engine, pool }, options) as FileResult;
  } catch (thrown) {
    throw await fitted(PathgrepError.from(thrown), settings);
  } finally {
    if (pool !== options.pool) pool.close();
  }
}

async function execute(
  settings: SearchSettings,
  plan: PlannedPattern,
  means: Means,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  const search = await prepare(settings, plan, means, options);
  return await answer(search, await scan(search));
}

async function fitted(error: PathgrepError, settings: SearchSettings): Promise<PathgrepError> {
  if (settings.maxOutputChars === Infinity) return error;
  return (await import("./budget.ts")).fitError(error, settings.maxOutputChars);
}
