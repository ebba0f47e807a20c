/**
 * A search from query to answer: checks, guard, engine, order, caps, notes. Every way in (command
 * line, library, tools, MCP) comes through here.
 *
 * @module
 */

import { PathgrepError, timedOut } from "../util/errors.ts";
import { Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import { FileFilter } from "../walk/file_filter.ts";
import { nestedIn, type WalkOptions } from "../walk/walk.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type AnswerEntry, type AnswerMeasure, countOf, entriesOf, layOut } from "./answer.ts";
import { Collector, roomFor } from "./collect.ts";
import type { Engine, EngineReport, FileHit, SearchJob } from "./engine.ts";
import { engineFor } from "../engines/choose.ts";
import { type PatternPlan, planPattern } from "./js/pattern.ts";
import { WorkerPool } from "./js/pool.ts";
import { isPathFree, readQuery, type SearchQuery, type SearchSettings } from "./query.ts";
import type { FileResult, SearchResult, SearchStats } from "./result.ts";
import { skipNotes } from "./skip_notes.ts";
import { resolveTargets, type Targets } from "./targets.ts";

/** Lines of context on each side of an entry, at most. */
const MAX_CONTEXT = 1000;

/** Where a search takes place, and who is told or asked about it. */
export interface SearchOptions {
  /** The directories that the search stays inside of. */
  workspace: Workspace;
  /** Ends the search with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Is asked about paths outside of the workspace. @default nobody: they are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** The tool that asks, as a permission question names it. @default "grep" */
  tool?: string | undefined;
  /**
   * Takes the entries in answer order, as soon as the order is known, instead of the result; the
   * result then has none.
   */
  onEntry?: ((entry: AnswerEntry) => void) | undefined;
  /** Takes word of how far the search is. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
  /** The characters that the answer takes up, for `maxOutputChars`. @default its JSON */
  measure?: AnswerMeasure | undefined;
  /** Sentences that the answer's notes begin with. @default none */
  notes?: readonly string[] | undefined;
  /** Opens standard input for the path `-`; it is read piece by piece. @default `-` is a file name */
  stdin?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** How far a search is. */
export interface SearchProgress {
  /** Files searched so far. */
  filesSearched: number;
}

/**
 * Searches the files of a workspace.
 *
 * Needs `--allow-read` for the workspace and nothing else.
 *
 * @param query what to search for; only `pattern` is required
 * @param options the workspace, and a signal that ends the search
 * @returns the answer; no match is an answer too
 * @throws {PathgrepError} every code of the README's table
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
 * assert.equal(result.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function search(query: SearchQuery, options: SearchOptions): Promise<SearchResult> {
  const pool = new WorkerPool();
  try {
    return await searchWith(pool, query, options);
  } finally {
    pool.close();
  }
}

/** {@linkcode search} with workers that are kept. */
export async function searchWith(
  pool: WorkerPool,
  query: SearchQuery,
  options: SearchOptions,
): Promise<SearchResult> {
  const settings = readQuery(query);
  try {
    const { plan, notes } = planPattern(settings);
    const engine = await engineFor(settings.engine, pool, options.workspace.roots);
    return await carryOut(engine, settings, options, plan, notes);
  } catch (thrown) {
    throw PathgrepError.from(thrown).with({ pattern: settings.patterns.join("\n") });
  }
}

/**
 * Lists the files that a search with the same options would read, in the shape of file mode.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param query which files; `include` is echoed as the pattern
 * @param options as for a search
 * @param isForGlob whether it is the tool `glob` that asks: `include` is its `pattern`, which counts for a
 * file that is named, too
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
export async function listFiles(
  query: Omit<SearchQuery, "pattern">,
  options: SearchOptions,
  isForGlob = false,
): Promise<FileResult> {
  const settings = readQuery({ ...query, pattern: ".", outputMode: "file" });
  const { plan } = planPattern(settings);
  settings.patterns = [settings.include.join("\n")];
  if (isForGlob) settings.includeKey = "pattern";
  const { FileLister } = await import("./engines/list.ts");
  const result = await carryOut(new FileLister(isForGlob), settings, options, plan, []);
  return result as FileResult;
}

async function carryOut(
  engine: Engine,
  settings: SearchSettings,
  options: SearchOptions,
  plan: PatternPlan,
  patternNotes: readonly string[],
): Promise<SearchResult> {
  const started = performance.now();
  const { workspace, onEntry } = options;
  if (options.signal?.aborted) throw cancelled();
  const guard = new Guard({ workspace, allow: settings.allow, deny: settings.deny });
  const targets = await resolveTargets(settings.paths, {
    workspace,
    guard,
    tool: options.tool ?? "grep",
    requester: options.permissionRequester,
    signal: options.signal,
    hasStdin: options.stdin !== undefined,
  });
  const streamed = { entries: 0, count: 0 };
  const stream = (hit: FileHit) => {
    const entries = entriesOf([hit], settings, workspace);
    streamed.entries += entries.length;
    streamed.count += countOf(entries);
    entries.forEach(onEntry!);
  };
  // A budget can only be kept once the whole answer is known.
  const isStreamed = onEntry !== undefined && settings.maxOutputChars === Infinity;
  const collector = new Collector({
    mode: settings.outputMode,
    sort: settings.sort,
    maxResults: roomFor(settings),
    offset: settings.offset,
    onOverflow: settings.onOverflow,
    onHit: isStreamed ? stream : undefined,
    onProgress: options.onProgress,
  });
  const job = searchJob(settings, plan, targets, guard);
  const report = await runEngine(engine, job, collector, options, settings);
  if (targets.stdin) {
    const { StdinReader } = await import("./stdin.ts");
    const reader = new StdinReader(options.stdin!, report);
    await runEngine(reader, job, collector, options, settings);
  }
  if (collector.isTooBroad) throw await tooBroad(settings, workspace, job, collector);
  const { hits, cutAt } = collector.finish();
  const truncated = cutAt !== undefined;
  // An empty page would send the caller round in a circle.
  if (collector.isTooLong && hits.length === 0 && streamed.entries === 0) {
    throw await tooBroad(settings, workspace, job, collector);
  }
  const result = layOut(
    entriesOf(hits, settings, workspace),
    {
      basePaths: targets.basePaths,
      truncated,
      notes: [
        ...options.notes ?? [],
        ...contextNotes(settings),
        ...targets.notes,
        ...(engine.filtersNamed ? [] : filterNotes(settings, targets)),
        ...FileFilter.compile(job.walk.filter).notes,
        ...patternNotes,
        ...report.notes,
        ...skipNotes(report, settings, workspace, cutAt),
      ],
      stats: settings.stats ? statsOf(report, performance.now() - started) : undefined,
    },
    settings,
    options.measure,
  );
  if (isStreamed) {
    result.count = streamed.count;
    if (truncated) result.next_offset = settings.offset + streamed.entries;
    return result;
  }
  return onEntry === undefined ? result : handOver(result, onEntry);
}

/** Gives the entries of a result away. */
function handOver(result: SearchResult, onEntry: (entry: AnswerEntry) => void): SearchResult {
  if (result.output_mode === "content") result.matches.splice(0).forEach(onEntry);
  else if (result.output_mode === "file") result.files.splice(0).forEach(onEntry);
  else result.counts.splice(0).forEach(onEntry);
  return result;
}

function searchJob(
  settings: SearchSettings,
  plan: PatternPlan,
  targets: Targets,
  guard: Guard,
): SearchJob {
  const entryLimit = settings.offset + roomFor(settings) + 1;
  const isCut = settings.onOverflow === "truncate" && settings.outputMode === "content";
  return {
    pattern: {
      patterns: settings.patterns,
      fixedStrings: settings.fixedStrings,
      caseInsensitive: settings.caseInsensitive,
      smartCase: settings.smartCase,
      wholeWord: settings.wholeWord,
      wholeLine: settings.wholeLine,
      invert: settings.invert,
      multiline: settings.multiline,
    },
    plan,
    scan: {
      mode: settings.outputMode,
      before: Math.min(settings.before, MAX_CONTEXT),
      after: Math.min(settings.after, MAX_CONTEXT),
      maxCount: settings.maxCount,
      maxEntries: isCut ? entryLimit : Infinity,
      maxLineLength: settings.maxLineLength,
      column: settings.column,
      onlyMatching: settings.onlyMatching,
    },
    walk: walkOptions(settings, targets, guard),
    files: targets.files,
    maxFileSize: settings.maxFileSize,
    withoutMatch: settings.filesWithoutMatch,
    entryLimit,
    wantsStats: settings.stats,
    wantsModified: settings.sort === "modified",
    mayBeCut: settings.onOverflow === "truncate" && settings.sort === "path",
    deadline: settings.timeout === 0 ? Infinity : Date.now() + settings.timeout,
    timeout: settings.timeout === 0 ? Infinity : settings.timeout,
  };
}

/** What is walked for a query. */
function walkOptions(
  settings: Pick<
    SearchSettings,
    | ("include" | "includeKey" | "exclude" | "type" | "typeNot")
    | ("ignore" | "hidden" | "follow" | "maxDepth")
  >,
  targets: Targets,
  guard: Guard,
): WalkOptions {
  const { include, includeKey, exclude, type, typeNot } = settings;
  const { ignore, hidden, follow, maxDepth } = settings;
  return {
    bases: targets.directories,
    named: targets.files,
    // A glob with a slash means something else below each of two directories.
    mayRepeat: follow || !isPathFree(settings) && nestedIn(targets.directories).length > 0,
    confines: targets.confines,
    policy: guard.policyOptions,
    filter: { include, includeKey, exclude, type, typeNot },
    ignore,
    hidden,
    follow,
    maxDepth,
  };
}

/** A timer set for longer goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs an engine under the time limit and the caller's signal. */
async function runEngine(
  engine: Engine,
  job: SearchJob,
  collector: Collector,
  options: SearchOptions,
  settings: SearchSettings,
): Promise<EngineReport> {
  const { timeout } = settings;
  const ender = new AbortController();
  const cancel = () => ender.abort(cancelled());
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener("abort", cancel, { once: true });
  // Even the first call of `clearTimeout` takes 8 ms, in which Deno loads the timers of Node.
  const timer = timeout === 0 || engine.keepsTime ? undefined : setTimeout(
    () => ender.abort(timedOut(timeout)),
    Math.min(job.deadline - Date.now(), MAX_TIMER_MS),
  );
  try {
    return await engine.run(job, collector, ender.signal);
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    if (collector.isTooBroad && error.code === "search_timed_out") {
      throw await tooBroad(settings, options.workspace, job, collector);
    }
    if (error.code !== "search_timed_out") throw error;
    // The matcher keeps the same limit inside of a file, on a clock of its own.
    throw (timeout === 0 ? error : timedOut(timeout).with(error.details)).with({
      files_searched: collector.filesSearched,
      hint: "narrow path or include, use a more specific pattern, or raise the timeout",
    });
  } finally {
    if (timer !== undefined) clearTimeout(timer);
    options.signal?.removeEventListener("abort", cancel);
  }
}

/** The error of a search that found too much; what it says is loaded when it is needed. */
async function tooBroad(
  settings: SearchSettings,
  workspace: Workspace,
  job: SearchJob,
  collector: Collector,
): Promise<PathgrepError> {
  const { tooBroadError } = await import("./too_broad.ts");
  return tooBroadError(settings, workspace, job.walk.bases, collector);
}

function cancelled(): PathgrepError {
  return new PathgrepError("cancelled", "cancelled");
}

/** Every entry holds its context, so that much of it would multiply into all the memory there is. */
function contextNotes({ before, after }: SearchSettings): string[] {
  const asked = Math.max(before, after);
  if (asked <= MAX_CONTEXT) return [];
  return [`context of ${asked} lines was read as ${MAX_CONTEXT}; read the file itself for more`];
}

/** Filters mean nothing for a file that is named, nor for standard input. */
function filterNotes(settings: SearchSettings, targets: Targets): string[] {
  if (targets.files.length === 0 && !targets.stdin) return [];
  const filters = [
    ["include", settings.include],
    ["exclude", settings.exclude],
    ["type", [...settings.type, ...settings.typeNot]],
  ] as const;
  return filters.filter(([, globs]) => globs.length > 0).map(([name]) =>
    `${name} filter ignored because a specific file path was provided`
  );
}

function statsOf(report: EngineReport, elapsed: number): SearchStats {
  return {
    files_searched: report.filesSearched,
    skipped: Object.fromEntries(Object.entries(report.skipped).filter(([, count]) => count > 0)),
    bytes: report.bytesSearched,
    engine: report.engine,
    threads: report.threads,
    elapsed_ms: Math.round(elapsed),
  };
}
