/**
 * Decides what is read and how: targets, settings and the job of a search. None of it changes afterwards.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { cancelled } from "../util/errors.ts";
import { isDebugging } from "../util/debug.ts";
import { Slices } from "../util/pulse.ts";
import type { Engine } from "../engines/js.ts";
import { loadLog } from "../scan/skip_report.ts";
import { Guard } from "../guard/guard.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import {
  type PatternOptions,
  type PatternPlan,
  type PlannedPattern,
  planPlainText,
} from "../regex/pattern_plan.ts";
import { ENCODINGS, RARE_ENCODINGS } from "../scan/decoder.ts";
import type { FurtherReading } from "../scan/files.ts";
import type { SearchJob } from "../scan/job.ts";
import type { GlobPlace } from "../glob/glob_paths.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Caller } from "./callers.ts";
import { collectedPage } from "./collector.ts";
import type { SearchSettings } from "./query.ts";
import { SHORT_LINE_CHARS } from "./result_builder.ts";
import type { InternalSearchOptions } from "./search_context.ts";
import { resolveTargets, type Targets, walkOptions } from "./targets.ts";

/** A search that is ready to run. */
export interface PreparedSearch {
  readonly settings: Readonly<SearchSettings>;
  readonly options: InternalSearchOptions;
  readonly caller: Caller;
  readonly targets: Targets;
  readonly patternNotes: readonly Note[];
  readonly job: Readonly<SearchJob>;
  readonly engine: Engine;
  /** Whether files are listed, not searched. */
  readonly isListing: boolean;
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

/** What a search is carried out with. */
export interface Means {
  readonly engine: Engine;
  readonly pool: WorkerPool;
}

/**
 * Prepares a search: the guard admits each path, and a question to the user may be asked.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `invalid_input`, `search_timed_out`,
 * `cancelled`
 */
export async function prepare(
  given: SearchSettings,
  { plan, notes: patternNotes }: PlannedPattern,
  { engine, pool }: Means,
  options: InternalSearchOptions,
): Promise<PreparedSearch> {
  const started = performance.now();
  const { workspace, caller = "library" } = options;
  if (options.signal?.aborted) throw cancelled(options.signal);
  workspace.checkRoots();
  const guard = new Guard({ workspace, allow: given.allow, deny: given.deny });
  await loadLog({ walk: { isLogged: isDebugging() } });
  const { isListing = false } = engine;
  const found = await resolveTargets(given, {
    workspace,
    guard,
    tool: options.tool ?? "grep",
    requester: options.permissionRequester,
    signal: options.signal,
    isAtShell: caller === "shell",
    hasStdin: options.stdin !== undefined,
    isListing,
  });
  const { targets, parsed } = await withFiltersRead(given, found, { ...options, guard });
  const mayShorten = parsed.maxOutputChars !== Infinity &&
    (options.shortens === true || parsed.onOverflow === "truncate");
  const settings: SearchSettings = {
    ...parsed,
    places: await placesOf(parsed, workspace, targets),
    // Pages need one order, and the order of arrival differs from call to call.
    ...(mayShorten && parsed.sort === "none" ? { sort: "path" } : {}),
  };
  const isOrdered = options.wantsScope === true && settings.outputMode === "content" &&
    !settings.isSorted && !targets.stdin && (mayShorten || settings.onOverflow === "truncate");
  const further = settings.everything ? furtherReading(settings) : undefined;
  const job = {
    ...jobOf({ settings, plan, targets, guard, options, mayShorten, isOrdered }),
    ...(further && { further }),
  };
  const decided = { settings, options, caller, targets, patternNotes, job, mayShorten, isOrdered };
  return { ...decided, countedPatterns: plan.each.length, engine, isListing, pool, started };
}

/** How a search for everything reads what is packed, or not UTF-8. */
function furtherReading(
  { anyEncoding, fixedStrings, invert, maxFileSize, patterns, text }: SearchSettings,
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

/** The targets and the settings, with what globs of filters are read as. */
async function withFiltersRead(
  given: SearchSettings,
  targets: Targets,
  { workspace, guard, signal }: InternalSearchOptions & { guard: Guard },
): Promise<{ targets: Targets; parsed: SearchSettings }> {
  const parsed = { ...given, within: targets.within };
  const { include, exclude } = given;
  const isPlain = ![...include, ...exclude].some((list) => LIKE_A_PATH.test(list));
  if (isPlain || targets.directories.length === 0) return { targets, parsed };
  const { withGlobReadings } = await import("./glob_readings.ts");
  const { notes, ...read } = await withGlobReadings(parsed, targets, { workspace, guard, signal });
  return {
    targets: { ...targets, notes: [...targets.notes, ...notes] },
    parsed: { ...parsed, ...read },
  };
}

async function placesOf(
  { include, exclude }: SearchSettings,
  workspace: Workspace,
  { directories }: Targets,
): Promise<GlobPlace[]> {
  if (![...include, ...exclude].some((list) => list.includes("/"))) return [];
  const { globPlaces } = await import("./glob_readings.ts");
  return globPlaces({ include, exclude }, workspace, directories);
}

/** Lines of context on each side of an entry, at most. */
export const MAX_CONTEXT = 1000;

interface JobSource extends Pick<PreparedSearch, "settings" | "options" | "targets" | "isOrdered"> {
  plan: PatternPlan;
  guard: Guard;
  mayShorten: boolean;
}

/** The search as engines and threads carry it out: plain data. */
function jobOf(source: JobSource): SearchJob {
  const { settings, plan, targets, guard, options, mayShorten } = source;
  const collected = collectedPage(source);
  const left = settings.timeout - (options.spent ?? 0) - targets.spent;
  const { byteColumns, everyColumn, marksCuts, trims } = options;
  return {
    // Files without a match are found by the first match of any pattern.
    plan: settings.filesWithoutMatch ? { ...plan, each: [] } : plan,
    lines: {
      mode: settings.outputMode,
      before: Math.min(settings.before, MAX_CONTEXT),
      after: Math.min(settings.after, MAX_CONTEXT),
      maxCount: settings.maxCount,
      maxLineLength: settings.maxLineLength,
      marksCuts,
      trims,
      // The marks of both ends count.
      shortLineLength: mayShorten ? SHORT_LINE_CHARS - (marksCuts ? 2 : 0) : 0,
      column: settings.column,
      byteColumns,
      everyColumn,
      onlyMatching: settings.onlyMatching,
      countsEmpty: settings.outputMode === "count",
    },
    walk: {
      ...walkOptions(settings, targets, guard),
      ...(isDebugging() ? { isLogged: true } : {}),
    },
    files: targets.files,
    maxFileSize: settings.maxFileSize,
    encoding: settings.encoding === "utf-8" ? undefined : settings.encoding,
    isAnyText: settings.text,
    withoutMatch: settings.filesWithoutMatch,
    entryLimit: collected.offset + collected.maxResults + 1,
    // Of several files, where an entry comes is known at the end.
    passOver: isOneFile(targets) ? collected.offset : 0,
    wantsStats: settings.stats,
    wantsScope: options.wantsScope,
    wantsExcluded: settings.explain && settings.offset === 0,
    wantsModified: settings.sort === "modified",
    onOverflow: settings.onOverflow,
    since: Date.now(),
    deadline: settings.timeout === 0 ? Infinity : Date.now() + left,
    timeout: settings.timeout === 0 ? Infinity : settings.timeout,
    // At the shell, only the end of the output's reader aborts: not worth a thread.
    isAbortable: options.isAbortable ?? (options.signal != null && options.caller !== "shell"),
  };
}

function isOneFile({ directories, files, stdin }: Targets): boolean {
  return directories.length === 0 && files.length + Number(stdin) === 1;
}

/** Characters of patterns that take a while to plan. */
const LONG_PATTERNS = 2_000;

/**
 * Plans the patterns of a search; long ones in their turn.
 *
 * @throws {PathgrepError} `invalid_pattern`
 */
export async function planPatterns(
  settings: SearchSettings,
  { workspace, caller = "library" }: InternalSearchOptions,
): Promise<PlannedPattern> {
  const plain = planPlainText(settings);
  if (plain !== undefined) return plain;
  const { planPattern } = await import("../regex/plan.ts");
  const { optionName } = await import("./callers.ts");
  const options: PatternOptions = {
    ...settings,
    keepsGroups: settings.outputMode === "values",
    nameOf: (key) => optionName(key, caller) ?? key,
  };
  if (settings.patterns.join("").length < LONG_PATTERNS) return planPattern(options);
  return await new Slices(workspace.roots[0]!).run(() => planPattern(options));
}
