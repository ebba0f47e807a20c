/**
 * A search from query to answer: checks, guard, engine, order, caps, notes. Every way in (command
 * line, library, tools, MCP) comes through here.
 *
 * @module
 */

import { cancelled, PathgrepError, timedOut } from "../util/errors.ts";
import { dirname } from "../util/path.ts";
import { Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import { FileFilter } from "../walk/file_filter.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  answerEntries,
  type AnswerEntry,
  type AnswerFrame,
  type AnswerMeasure,
  buildResult,
  countOfEntries,
  SHORT_LINE_CHARS,
  statsOf,
} from "./result_builder.ts";
import type { AnswerBudget } from "./budget.ts";
import { Collector, roomFor } from "./collector.ts";
import { addCounts, patternCountsOf } from "./pattern_counts.ts";
import type { Engine } from "../engines/engine.ts";
import type { EngineReport, FileHit, SearchJob } from "../searcher/job.ts";
import { engineFor } from "../engines/choose.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { planLiteral } from "../regex/plain_text.ts";
import { WorkerPool } from "../parallel/worker_pool.ts";
import { planInTurn } from "./planning.ts";
import type { Caller } from "./callers.ts";
import type { SearchQuery, SearchSettings } from "./query.ts";
import {
  contextNotes,
  emptyMatchNotes,
  filterNotes,
  notesOfSkips,
  pageNotes,
} from "./query_notes.ts";
import { MetDependencies } from "./met_dependencies.ts";
import { parseQuery, querySnapshot } from "./query_parser.ts";
import { globPlaces } from "./filter_places.ts";
import type { FileResult, SearchResult } from "./result.ts";
import { searchJob } from "./search_job.ts";
import { resolveTargets } from "./targets.ts";

/** Where a search takes place, what ends it, and who is asked or informed. */
export interface SearchOptions {
  /** The directories that the search stays inside of. */
  workspace: Workspace;
  /** Ends the search with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Is asked about paths outside of the workspace. @default nobody: they are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** Called with progress. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** What the command line and the tools of this package may add. */
export interface InternalSearchOptions extends SearchOptions {
  /** The tool that asks, as a permission question names it. @default "grep" */
  tool?: string | undefined;
  /**
   * Takes the entries in answer order, as soon as the order is known, instead of the result; the
   * result then has none.
   */
  onEntry?: ((entry: AnswerEntry) => void) | undefined;
  /**
   * Called when the search waits for input, so that what it has given can be shown: with the line of the
   * first entry that still waits for its context, or `Infinity`.
   */
  onIdle?: ((heldLine: number) => void) | undefined;
  /** The characters that the answer takes up, for `maxOutputChars`. @default its JSON */
  measure?: AnswerMeasure | undefined;
  /** Cut lines show where they were cut. @default false */
  marksCuts?: boolean | undefined;
  /**
   * Whether an answer over its `maxOutputChars` is shortened even where more entries than `maxResults`
   * are an error. @default where they are none
   */
  shortens?: boolean | undefined;
  /** Whether a truncated answer counts what it leaves out. @default true */
  wantsTotal?: boolean | undefined;
  /** Milliseconds of the time limit that are gone already. @default 0 */
  spent?: number | undefined;
  /** Sentences that the answer's notes begin with. @default none */
  notes?: readonly string[] | undefined;
  /** Who reads the answer: notes say what options are called there. @default "library" */
  caller?: Caller | undefined;
  /** Workers and what they keep. @default workers for this search alone */
  pool?: WorkerPool | undefined;
  /** Opens standard input for the path `-`; it is read piece by piece. @default `-` is a file name */
  stdin?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** The progress of a search. */
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
 * assert.equal(result.count, 1);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function search(query: SearchQuery, options: SearchOptions): Promise<SearchResult> {
  return runSearch(query, options);
}

/** {@linkcode search} with everything that this package may ask of it. */
export async function runSearch(
  query: SearchQuery,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  if (options.pool !== undefined) return await searchWith(options.pool, query, options);
  const pool = new WorkerPool();
  try {
    return await searchWith(pool, query, options);
  } finally {
    pool.close();
  }
}

/** {@linkcode runSearch} with workers that are kept. */
export async function searchWith(
  pool: WorkerPool,
  query: SearchQuery,
  options: InternalSearchOptions,
): Promise<SearchResult> {
  const settings = parseQuery(query);
  try {
    const { plan, notes } = await planInTurn(settings, options.workspace.roots[0]!, options.caller);
    const engine = await engineFor(settings.engine, pool, options.workspace.roots);
    return await execute(engine, pool, settings, options, plan, notes);
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
  return runListing("include", query, options);
}

/**
 * {@linkcode listFiles} with everything that this package may ask of it.
 *
 * @param includeKey what the caller calls `include`; as `pattern`, that of the tool `glob`, it counts
 * for a file that is named, too
 */
export async function runListing(
  includeKey: SearchSettings["includeKey"],
  query: Omit<SearchQuery, "pattern">,
  options: InternalSearchOptions,
): Promise<FileResult> {
  const settings = parseQuery({ ...querySnapshot(query), pattern: ".", outputMode: "file" });
  const plan = planLiteral("", settings); // nothing is matched
  const given = settings.include.join("\n");
  // White space around it had better not take most of the answer.
  settings.patterns = [2 * given.length < settings.maxOutputChars ? given : given.trim()];
  settings.includeKey = includeKey;
  const { FileLister } = await import("../engines/file_lister.ts");
  const lister = new FileLister(includeKey === "pattern", options.pool);
  const pool = options.pool ?? new WorkerPool(); // has nothing to do
  try {
    return await execute(lister, pool, settings, options, plan, []) as FileResult;
  } catch (thrown) {
    throw await fitted(PathgrepError.from(thrown), settings);
  }
}

/** An error that keeps to the budget of the answer. */
async function fitted(error: PathgrepError, settings: SearchSettings): Promise<PathgrepError> {
  if (settings.maxOutputChars === Infinity) return error;
  return (await import("./budget.ts")).fitError(error, settings.maxOutputChars);
}

async function execute(
  engine: Engine,
  pool: WorkerPool,
  settings: SearchSettings,
  options: InternalSearchOptions,
  plan: PatternPlan,
  patternNotes: readonly string[],
): Promise<SearchResult> {
  const started = performance.now();
  const { workspace, onEntry, caller = "library" } = options;
  if (options.signal?.aborted) throw cancelled();
  workspace.checkRoots();
  const guard = new Guard({ workspace, allow: settings.allow, deny: settings.deny });
  const targets = await resolveTargets(settings, {
    workspace,
    guard,
    tool: options.tool ?? "grep",
    requester: options.permissionRequester,
    signal: options.signal,
    isAtShell: caller === "shell",
    hasStdin: options.stdin !== undefined,
    isListing: engine.filtersNamed !== undefined,
  });
  settings.places = globPlaces(settings, workspace, targets.directories);
  const countPatterns = plan.each.length === 0
    ? undefined
    : (hits: readonly FileHit[], shown: number) =>
      patternCountsOf(hits, shown, plan.each.length, settings.outputMode);
  const streamed = { entries: 0, count: 0, patternCounts: countPatterns?.([], 0) };
  const dependencies = new MetDependencies();
  const stream = (hit: FileHit) => {
    dependencies.meet(hit);
    const entries = answerEntries([hit], settings, workspace);
    streamed.entries += entries.length;
    streamed.count += countOfEntries(entries);
    if (streamed.patternCounts) {
      addCounts(streamed.patternCounts, countPatterns!([hit], entries.length));
    }
    entries.forEach(onEntry!);
  };
  const { maxOutputChars } = settings;
  // A budget can only be kept once the whole answer is known.
  const isStreamed = onEntry !== undefined && maxOutputChars === Infinity;
  const mayShorten = maxOutputChars !== Infinity &&
    (options.shortens === true || settings.onOverflow === "truncate");
  // Pages need one order, and the order of arrival differs from call to call.
  if (mayShorten && settings.sort === "none") settings.sort = "path";
  const left = settings.timeout - (options.spent ?? 0) - targets.spent;
  const deadline = settings.timeout === 0 ? Infinity : Date.now() + left;
  const collector = new Collector({
    mode: settings.outputMode,
    patterns: plan.each.length,
    sort: settings.sort,
    maxResults: roomFor(settings),
    offset: settings.offset,
    onOverflow: settings.onOverflow,
    shortens: mayShorten,
    wantsTotal: options.wantsTotal ?? true,
    deadline,
    onHit: isStreamed ? stream : undefined,
    onIdle: options.onIdle,
    onProgress: options.onProgress,
  });
  const job = searchJob(settings, plan, targets, guard, deadline);
  job.scan.marksCuts = options.marksCuts;
  // The marks of both ends count.
  if (mayShorten) job.scan.shortLineLength = SHORT_LINE_CHARS - (options.marksCuts ? 2 : 0);
  const isListing = engine.filtersNamed !== undefined;
  const reasons = async () => {
    const { explain } = await import("./explain.ts");
    return await explain({
      settings,
      job,
      workspace,
      caller,
      pool,
      isListing,
      elapsed: performance.now() - started,
      signal: options.signal,
    });
  };
  const buildWithin = async (report: EngineReport | undefined, budget: AnswerBudget) => {
    const { hits, cutAt } = collector.finish();
    hits.forEach(dependencies.meet);
    const truncated = cutAt !== undefined;
    // An empty page would send the caller round in a circle.
    if (collector.isTooLong && hits.length === 0 && streamed.entries === 0) {
      throw await tooBroad(settings, options, job, collector);
    }
    const isEmpty = hits.length === 0 && streamed.entries === 0 && !truncated;
    const isExplained = settings.explain && isEmpty && collector.total.files === 0 &&
      !targets.stdin;
    const entries = answerEntries(hits, settings, workspace);
    const frame: AnswerFrame = {
      basePaths: targets.basePaths,
      truncated,
      total: report === undefined ? { ...collector.total, isLeast: true } : collector.total,
      patternCounts: countPatterns &&
        ((shown) => isStreamed ? streamed.patternCounts! : countPatterns(hits, shown)),
      notes: [
        ...options.notes ?? [],
        ...contextNotes(settings),
        ...targets.notes,
        ...(engine.filtersNamed ? [] : filterNotes(settings, targets, workspace)),
        ...FileFilter.notes(job.walk.filter, filteredFrom(job, engine)),
        ...patternNotes,
        ...await dependencies.notes(settings, job, isListing, options),
        ...(report === undefined ? [] : [
          ...await notesOfSkips(report, settings, workspace, job, caller, cutAt),
          ...(isEmpty ? pageNotes(settings, collector.total) : []),
          ...(isEmpty ? emptyMatchNotes(settings, plan, caller) : []),
          ...(isExplained ? await reasons() : []),
        ]),
      ],
      engineNotes: report?.notes ?? [],
      stats: settings.stats && report !== undefined
        ? statsOf(report, performance.now() - started)
        : undefined,
    };
    const result = budget.chars === Infinity
      ? buildResult(entries, frame, settings)
      : (await import("./budget.ts")).fitAnswer(entries, frame, settings, { ...budget, caller });
    if (isStreamed) {
      result.count = streamed.count;
      if (truncated) result.next_offset = settings.offset + streamed.entries;
      return result;
    }
    return onEntry === undefined ? result : handOver(result, onEntry);
  };
  let report: EngineReport;
  try {
    report = await runEngine(engine, job, collector, options, settings);
    if (targets.stdin) {
      const { StdinReader } = await import("../searcher/standard_input.ts");
      const reader = new StdinReader(options.stdin!, report);
      await runEngine(reader, job, collector, options, settings);
    }
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    if (error.code !== "search_timed_out") throw error;
    const { withPartial } = await import("./partial.ts");
    throw await withPartial(error, settings, options, (budget) => buildWithin(undefined, budget));
  }
  if (collector.isTooBroad) throw await tooBroad(settings, options, job, collector);
  return await buildWithin(report, { chars: maxOutputChars, mayShorten, measure: options.measure });
}

/** The directories from which globs match. */
function filteredFrom({ files, walk }: SearchJob, { filtersNamed }: Engine): readonly string[] {
  return filtersNamed ? [...walk.bases, ...files.map(dirname)] : walk.bases;
}

/** Passes on the entries of a result, which is left without. */
function handOver(result: SearchResult, onEntry: (entry: AnswerEntry) => void): SearchResult {
  if (result.output_mode === "content") result.matches.splice(0).forEach(onEntry);
  else if (result.output_mode === "file") result.files.splice(0).forEach(onEntry);
  else result.counts.splice(0).forEach(onEntry);
  return result;
}

/** A timer set for longer goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs an engine under the time limit and the caller's signal. */
async function runEngine(
  engine: Engine,
  job: SearchJob,
  collector: Collector,
  options: InternalSearchOptions,
  settings: SearchSettings,
): Promise<EngineReport> {
  const { timeout } = settings;
  const controller = new AbortController();
  const cancel = () => controller.abort(cancelled());
  if (options.signal?.aborted) cancel();
  options.signal?.addEventListener("abort", cancel, { once: true });
  // Even the first call of `clearTimeout` takes 8 ms, in which Deno loads the timers of Node.
  const timer = timeout === 0 || engine.keepsTime ? undefined : setTimeout(
    () => controller.abort(timedOut(timeout)),
    // Deno warns of a negative time, on standard error.
    Math.max(0, Math.min(job.deadline - Date.now(), MAX_TIMER_MS)),
  );
  try {
    return await engine.run(job, collector, controller.signal);
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    if (collector.isTooBroad && error.code === "search_timed_out") {
      throw await tooBroad(settings, options, job, collector);
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
  { workspace, caller = "library" }: InternalSearchOptions,
  job: SearchJob,
  collector: Collector,
): Promise<PathgrepError> {
  const { tooBroadError } = await import("./too_broad.ts");
  return tooBroadError(settings, workspace, job, collector, caller);
}
