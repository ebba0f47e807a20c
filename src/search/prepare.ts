/**
 * Decides what is read and how: targets, filters and the job of a search. None of it changes afterwards.
 *
 * @module
 */

import type { Voice } from "../notes/table.ts";
import type { Note } from "../notes/words.ts";
import { cancelled } from "../util/errors.ts";
import { isDebugging } from "../util/debug.ts";
import { Slices } from "../util/pulse.ts";
import { type Engine, FileLister, JsEngine } from "../run/js.ts";
import { loadLog } from "../run/skip_report.ts";
import { Guard } from "../guard/guard.ts";
import type { WorkerPool } from "../run/worker_pool.ts";
import {
  type PatternOptions,
  type PatternPlan,
  planLiteral,
  type PlannedPattern,
  planPlainText,
} from "../regex/pattern_plan.ts";
import { ENCODINGS, RARE_ENCODINGS } from "../read/decoder.ts";
import type { FurtherReading } from "../read/files.ts";
import type { SearchJob } from "../run/job.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { collectedPage } from "./collector.ts";
import type { Query } from "../query/query.ts";
import { SHORT_LINE_CHARS } from "../answer/result_builder.ts";
import type { Audience, InternalSearchOptions } from "./search_context.ts";
import { resolveTargets, type Targets, walkOptions } from "./targets.ts";

/** A search that is ready to run, with what the answer needs besides the job. */
export interface PreparedSearch {
  readonly query: Query;
  readonly options: InternalSearchOptions;
  readonly audience: Audience;
  readonly targets: Targets;
  readonly patternNotes: readonly Note[];
  readonly job: Readonly<SearchJob>;
  readonly engine: Engine;
  /** How many patterns are counted each; 0 if there is one alone. */
  readonly countedPatterns: number;
  readonly pool: WorkerPool;
  /** Whether entries come in an order of their own where a page has no room for all. */
  readonly isOrdered: boolean;
  /** Whether an answer over its budget is shortened. */
  readonly mayShorten: boolean;
  /** When it began, on the `performance.now()` clock. */
  readonly started: number;
}

/**
 * Prepares a search: the guard admits each path, and a question to the user may be asked.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `invalid_input`, `search_timed_out`,
 * `cancelled`
 */
export async function prepare(
  given: Query,
  pool: WorkerPool,
  options: InternalSearchOptions,
): Promise<PreparedSearch> {
  const { plan, notes: patternNotes } = await planPatterns(given, options);
  const engine = await engineFor(given, new JsEngine(pool), options);
  const started = performance.now();
  const { audience = PROGRAM, permissionRequester: requester, signal, workspace } = options;
  if (signal?.aborted) throw cancelled(signal);
  workspace.checkRoots();
  const guard = new Guard({ workspace, allow: given.allow, deny: given.deny });
  await loadLog(isDebugging());
  const found = await resolveTargets(given, {
    ...{
      workspace,
      guard,
      tool: audience.tool ?? "grep",
      requester,
      signal,
      isListing: given.isListing,
    },
    ...{ voice: () => voiceFor(audience), hasStdin: options.stdin !== undefined },
  });
  const mayShorten = given.maxOutputChars !== Infinity &&
    (audience.isAgent === true || given.onOverflow === "truncate");
  // Pages need one order, and the order of arrival differs from call to call.
  const sort = mayShorten && given.sort === "none" ? "path" : given.sort;
  const { notes, ...filters } = await filtersRead(given, found, { workspace, guard, signal });
  const query: Query = Object.freeze({ ...given, ...filters, sort });
  const targets = { ...found, notes: [...found.notes, ...notes] };
  const isOrdered = audience.isAgent === true && query.outputMode === "content" &&
    !query.isSorted && !targets.stdin && (mayShorten || query.onOverflow === "truncate");
  const job = jobOf({ query, plan, targets, guard, options, audience, mayShorten, isOrdered });
  return {
    ...{
      query,
      options,
      audience,
      targets,
      patternNotes,
      job,
      engine,
      pool,
      started,
    },
    ...{ countedPatterns: plan.each.length, isOrdered, mayShorten },
  };
}

/** How a search for everything reads what is packed, or not UTF-8. */
function furtherReading(
  { anyEncoding, fixedStrings, invert, maxFileSize, patterns, text }: Query,
): FurtherReading {
  const beyondAscii = fixedStrings ? /[^\0-\x7f]/u : /[^\0-\x7f]|\\(?:[pPu]|x[89a-f{])/iu;
  // In its bytes, any file has the letters of ASCII.
  const isTried = anyEncoding && !invert && patterns.some((pattern) => beyondAscii.test(pattern));
  return {
    ...{ maxFileSize, isAnyText: text, unpacks: true, isAsked: true },
    encodings: isTried ? [...ENCODINGS, ...RARE_ENCODINGS] : [],
  };
}

/** What begins or ends as paths do that have another reading, and globs do not. */
const LIKE_A_PATH = /(?:^|,)\s*!?[@~$<]|file:|:\d+:?\s*(?:,|$)|\//u;

/** The globs of filters as they are read, and where they apply, with notes on that. */
async function filtersRead(
  query: Query,
  targets: Targets,
  context: { workspace: Workspace; guard: Guard; signal: AbortSignal | undefined },
): Promise<Pick<Query, "include" | "exclude" | "places" | "within"> & { notes: readonly Note[] }> {
  const { within } = targets;
  const { include, exclude } = query;
  const given = { include, exclude, within, places: [], notes: [] };
  if (![...include, ...exclude].some((list) => LIKE_A_PATH.test(list))) return given;
  const { globPlaces, withGlobReadings } = await import("./glob_readings.ts");
  const { directories } = targets;
  const read = directories.length === 0
    ? given
    : { ...given, ...await withGlobReadings({ ...query, within }, targets, context) };
  const hasSlash = [...read.include, ...read.exclude].some((list) => list.includes("/"));
  return hasSlash ? { ...read, places: globPlaces(read, context.workspace, directories) } : read;
}

/** Lines of context on each side of an entry, at most. */
export const MAX_CONTEXT = 1000;

type Decided = "audience" | "isOrdered" | "mayShorten" | "options" | "query" | "targets";
type JobSource = Pick<PreparedSearch, Decided> & { plan: PatternPlan; guard: Guard };

/** The search as engines and threads carry it out: plain data. */
function jobOf(source: JobSource): SearchJob {
  const { query, plan, targets, guard, options, audience, mayShorten } = source;
  const collected = collectedPage(source);
  const left = query.timeout - (options.spent ?? 0) - targets.spent;
  return {
    // Files without a match are found by the first match of any pattern.
    plan: query.filesWithoutMatch ? { ...plan, each: [] } : plan,
    lines: {
      mode: query.outputMode,
      before: Math.min(query.before, MAX_CONTEXT),
      after: Math.min(query.after, MAX_CONTEXT),
      maxCount: query.maxCount,
      maxLineLength: query.maxLineLength,
      ...audience.lines,
      // The marks of both ends count.
      shortLineLength: mayShorten ? SHORT_LINE_CHARS - (audience.lines?.marksCuts ? 2 : 0) : 0,
      column: query.column,
      onlyMatching: query.onlyMatching,
      countsEmpty: query.outputMode === "count",
    },
    walk: {
      ...walkOptions(query, targets, guard),
      ...(isDebugging() ? { isLogged: true } : {}),
    },
    files: targets.files,
    maxFileSize: query.maxFileSize,
    encoding: query.encoding === "utf-8" ? undefined : query.encoding,
    isAnyText: query.text,
    withoutMatch: query.filesWithoutMatch,
    entryLimit: collected.offset + collected.maxResults + 1,
    // Of several files, where an entry comes is known at the end.
    passOver: isOneFile(targets) ? collected.offset : 0,
    wantsStats: query.stats,
    wantsScope: audience.isAgent,
    wantsExcluded: query.explain && query.offset === 0,
    wantsModified: query.sort === "modified",
    onOverflow: query.onOverflow,
    since: Date.now(),
    deadline: query.timeout === 0 ? Infinity : Date.now() + left,
    timeout: query.timeout === 0 ? Infinity : query.timeout,
    isAbortable: options.isAbortable ?? options.signal != null,
    ...(query.everything && { further: furtherReading(query) }),
  };
}

function isOneFile({ directories, files, stdin }: Targets): boolean {
  return directories.length === 0 && files.length + Number(stdin) === 1;
}

/** A program that uses the library. */
const PROGRAM: Audience = { caller: "library" };

/** How notes and errors speak to an audience: their words are loaded when there is one. */
export async function voiceFor({ caller }: Audience = PROGRAM): Promise<Voice> {
  return (await import("./callers.ts")).voiceOf(caller);
}

/** Characters of patterns that take a while to plan. */
const LONG_PATTERNS = 2_000;

/**
 * Plans the patterns of a search; long ones in their turn.
 *
 * @throws {PathgrepError} `invalid_pattern`
 */
async function planPatterns(
  query: Query,
  { workspace, audience }: InternalSearchOptions,
): Promise<PlannedPattern> {
  if (query.isListing) return { plan: planLiteral("", query), notes: [] };
  const plain = planPlainText(query);
  if (plain !== undefined) return plain;
  const { planPattern } = await import("../regex/plan.ts");
  const voice = await voiceFor(audience);
  const options: PatternOptions = {
    ...query,
    keepsGroups: query.outputMode === "values",
    nameOf: (key) => voice.nameOf(key) ?? key,
  };
  if (query.patterns.join("").length < LONG_PATTERNS) return planPattern(options);
  return await new Slices(workspace.roots[0]!).run(() => planPattern(options));
}

async function engineFor(
  { engine, includeKey, isListing }: Query,
  js: JsEngine,
  { workspace }: InternalSearchOptions,
): Promise<Engine> {
  if (isListing) return new FileLister(includeKey === "pattern", js);
  if (engine === "auto" || engine === "js") return js;
  const { FilterEngine } = await import("../run/filter_engine.ts");
  return await FilterEngine.of(engine, js, workspace.roots);
}
