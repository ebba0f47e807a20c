/**
 * Runs a prepared search: the engine passes what it finds to the collector, within the time limit.
 *
 * @module
 */

import { cancelled, PathgrepError, timedOut } from "../util/errors.ts";
import { sep } from "../util/path.ts";
import type { Encloser } from "../outline/enclosing.ts";
import type { ValueTally } from "../read/tally.ts";
import type { Engine } from "../run/js.ts";
import type { EngineReport, FileHit } from "../run/job.ts";
import { proveNames } from "../run/skip_report.ts";
import { addCounts, collectedPage, Collector, patternCountsOf } from "./collector.ts";
import type { PreparedSearch } from "./prepare.ts";
import { countOfFiles, entriesOfFiles, shownFile } from "../answer/result_builder.ts";

/** What was found. */
export interface Findings {
  readonly collector: Collector;
  /** In values mode, the texts that match. */
  readonly values: ValueTally | undefined;
  readonly streamed: StreamedEntries | undefined;
  /** Absent after a timeout. */
  readonly report: EngineReport | undefined;
  readonly timeout: PathgrepError | undefined;
}

/** @throws {PathgrepError} `cancelled`, `search_failed`, `engine_unavailable` */
export async function scan(search: PreparedSearch): Promise<Findings> {
  const { query, options, targets, job, engine, mayShorten } = search;
  // A budget can only be kept once the whole answer is known.
  const isStreamed = options.onFile !== undefined && query.maxOutputChars === Infinity &&
    query.outputMode !== "values" &&
    !(query.outputMode === "content" && query.showFunction === "auto");
  const encloser = isStreamed && query.showFunction === "always"
    ? await encloserFor(search)
    : undefined;
  const streamed = isStreamed ? new StreamedEntries(search, encloser) : undefined;
  const values = query.outputMode === "values"
    ? new (await import("../read/tally.ts")).ValueTally()
    : undefined;
  const collector = new Collector({
    mode: query.outputMode,
    values,
    context: job.lines,
    patterns: search.countedPatterns,
    sort: query.sort,
    ...collectedPage(search),
    onOverflow: query.onOverflow,
    shortens: mayShorten,
    wantsTotal: options.wantsTotal ?? true,
    countsPlaces: search.audience.countsPlaces ?? false,
    deadline: job.deadline,
    onHit: streamed?.take,
    pace: streamed && options.pace,
    onIdle: options.onIdle,
    onProgress: options.onProgress,
  });
  try {
    const report = await runEngine(engine, search, collector);
    if (targets.stdin) {
      const { StdinReader } = await import("../run/standard_input.ts");
      await runEngine(new StdinReader(options.stdin!, report), search, collector);
    }
    proveNames(report, job);
    return { collector, values, streamed, report, timeout: undefined };
  } catch (thrown) {
    const timeout = PathgrepError.from(thrown);
    if (timeout.code !== "search_timed_out") throw timeout;
    return { collector, values, streamed, report: undefined, timeout };
  }
}

/** Finds what encloses matches; nothing unless it is requested. */
export async function encloserFor(
  { query, options, job }: PreparedSearch,
): Promise<Encloser | undefined> {
  if (query.outputMode !== "content" || query.showFunction === "never") return undefined;
  const { Encloser } = await import("../outline/enclosing.ts");
  return new Encloser(job, options.signal, query.showFunction === "auto");
}

/** Passes entries on as they come, and counts them. */
class StreamedEntries {
  entries = 0;
  /** As in the answer. */
  count = 0;
  readonly patternCounts: number[];
  /** The files that lie in dependencies. */
  readonly dependencies = new Set<string>();
  readonly #search: PreparedSearch;

  readonly #encloser: Encloser | undefined;

  constructor(search: PreparedSearch, encloser: Encloser | undefined) {
    this.#search = search;
    this.#encloser = encloser;
    this.patternCounts = new Array<number>(search.countedPatterns).fill(0);
  }

  readonly take = (hit: FileHit): void => {
    const { query, options, job, countedPatterns } = this.#search;
    if (isInDependencies(hit.path)) this.dependencies.add(hit.path);
    const shown = this.#encloser?.enclosed(hit) ?? hit;
    const file = shownFile(shown, query, job.lines, options.workspace);
    const entries = entriesOfFiles([file]);
    this.entries += entries;
    this.count += countOfFiles([file]);
    addCounts(
      this.patternCounts,
      patternCountsOf([hit], entries, countedPatterns, query.outputMode),
    );
    options.onFile!(file);
  };
}

const DEPENDENCIES = `${sep}node_modules${sep}`;

export function isInDependencies(path: string): boolean {
  return path.includes(DEPENDENCIES);
}

/** A timer set for longer goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

async function runEngine(
  engine: Engine,
  { query: { timeout }, options, job }: PreparedSearch,
  collector: Collector,
): Promise<EngineReport> {
  const controller = new AbortController();
  const cancel = () => controller.abort(cancelled(options.signal));
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
    if (error.code === "cancelled") throw cancelled(controller.signal);
    if (error.code !== "search_timed_out") throw error;
    // Threads keep the same limit by their pulses, whose errors say what helps.
    throw (timeout === 0 ? error : timedOut(timeout).with(error.details)).with({
      files_searched: collector.filesSearched,
      hint: "narrow path or include, use a more specific pattern, or raise the timeout",
    });
  } finally {
    if (timer !== undefined) clearTimeout(timer);
    options.signal?.removeEventListener("abort", cancel);
  }
}
