/**
 * Searches and listings within the time allowed for the reasons of an empty answer.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/slices.ts";
import { FileLister } from "../engines/file_lister.ts";
import { JsEngine } from "../engines/js.ts";
import { directoriesOf, filesOf } from "../threads/local_queue.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import type { EngineReport, FileHit, HitSink, SearchJob, SearchPhase } from "../scan/job.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Caller } from "../search/callers.ts";
import type { SearchSettings } from "../search/query.ts";
import type { Cause, FilterKey } from "./causes.ts";

/** Milliseconds to look for reasons, or as many as the search took. */
const MIN_TIME = 500;
/** Files with matches in one pass, at most. */
const MAX_HITS = 2000;

/** How another program's search differs from one of this program. */
export interface BesideSearch {
  /** Where it runs, and paths start. */
  readonly directory: string;
  readonly isRecursive: boolean;
  /** How its command line names filters. */
  readonly said: Readonly<Partial<Record<FilterKey, string>>>;
  /** The causes for a file by its rules; none: it shows the file, or nothing is known of that. */
  readonly causesOf: (
    causes: readonly Cause[],
    path: string,
    bases: readonly string[],
  ) => readonly Cause[];
  /** Other ways in which it can be made to read the pattern. */
  readonly readings: readonly { readonly pattern: readonly string[]; readonly advice: string }[];
  /** Whether to report nothing if no reason was found in time. */
  readonly isQuiet: boolean;
  /** Whether the search found something. */
  readonly found: boolean;
}

/** A search that found nothing. */
export interface EmptySearch {
  /** Absent: it is one of this program. */
  beside?: BesideSearch;
  settings: SearchSettings;
  job: SearchJob;
  workspace: Workspace;
  caller: Caller;
  pool: WorkerPool;
  /** Whether files were listed, not searched. */
  isListing: boolean;
  /** In milliseconds. */
  elapsed: number;
  /** Ends it with `cancelled`. */
  signal: AbortSignal | undefined;
}

/** What one pass found. */
export interface Pass {
  hits: FileHit[];
  /** Absent if the pass did not finish. */
  report: EngineReport | undefined;
  /** Whether there may be more hits, or more matches in them. */
  isCut: boolean;
  /** Whether there were too many hits. */
  isFull: boolean;
}

export class Probe {
  /** Whether a pass was incomplete for lack of time or of room. */
  isCut = false;
  /** After what the search for reasons stopped too soon. */
  stoppedAfter: string | undefined;
  readonly #search: EmptySearch;
  readonly #end: number;
  /** Workers for what a resident searcher should not cache. */
  #workers: WorkerPool | undefined;
  readonly #slices: Slices;
  readonly #ender = new AbortController();
  readonly #cancel = () => this.#ender.abort(cancelled(this.#search.signal));
  readonly #budget: number;

  /** @param time milliseconds @default those for the reasons of an empty answer */
  constructor(search: EmptySearch, time: number = Math.max(MIN_TIME, search.elapsed)) {
    this.#search = search;
    const { job, signal, workspace } = search;
    this.#slices = new Slices(workspace.roots[0]!);
    this.#budget = Math.round(time);
    this.#end = Math.min(Date.now() + this.#budget, job.deadline);
    if (signal?.aborted) this.#cancel();
    signal?.addEventListener("abort", this.#cancel, { once: true });
  }

  close(): void {
    this.#workers?.close();
    this.#search.signal?.removeEventListener("abort", this.#cancel);
  }

  /**
   * Whether there is time left.
   *
   * @throws {PathgrepError} `cancelled`
   */
  get hasTime(): boolean {
    const { signal } = this.#ender;
    if (signal.aborted) throw PathgrepError.from(signal.reason);
    if (Date.now() < this.#end) return true;
    this.#stopLate();
    return false;
  }

  #stopLate(): void {
    this.isCut = true;
    this.stoppedAfter = `${this.#budget} ms`;
  }

  /** Runs a short piece of work on this thread in its turn; `undefined` once the time is up. */
  async inTurn<T>(work: () => T): Promise<T | undefined> {
    return this.hasTime ? await this.#slices.run(work) : undefined;
  }

  /**
   * One pass.
   *
   * @param change how its job differs from that of the search
   * @param how whether files are listed, not searched; whether a resident searcher may cache what is read;
   * files that count as met in a walk; how many files with matches are enough
   */
  async run(
    change: Partial<SearchJob>,
    how: { isList: boolean; isKept?: boolean; met?: readonly string[] | undefined; max?: number },
  ): Promise<Pass> {
    const { job: asked, pool, settings } = this.#search;
    // With it, an empty match is not an entry, but its file is.
    const onlyMatching = asked.lines.onlyMatching && settings.outputMode !== "file";
    const sink = new HitList(how.max ?? MAX_HITS);
    if (!this.hasTime) return { hits: [], report: undefined, isCut: true, isFull: false };
    const job: SearchJob = {
      ...asked,
      ...change,
      walk: { ...(change.walk ?? asked.walk), isLogged: false },
      lines: { ...asked.lines, mode: "count", before: 0, after: 0, onlyMatching },
      entryLimit: Infinity,
      onOverflow: "error",
      wantsModified: false,
      wantsStats: true,
      wantsScope: false,
      mayBeCut: true,
      deadline: this.#end,
    };
    let report: EngineReport | undefined;
    const { signal } = this.#ender;
    try {
      const isKept = how.isList || how.isKept === true || !pool.isKept;
      const engine = new JsEngine(isKept ? pool : this.#workers ??= new WorkerPool());
      if (how.isList) report = await new FileLister(false, engine).run(job, sink, signal);
      else {
        const met = how.met?.map((path) => ({ path, base: 0, depth: 0, file: "met" as const }));
        const work = met && [...met, ...filesOf(job), ...directoriesOf(job)];
        report = await engine.run(job, sink, signal, work);
      }
    } catch {
      if (signal.aborted) throw PathgrepError.from(signal.reason);
      // Out of time, or the pattern is too slow.
    }
    const isFull = sink.phase === "stop" && how.max === undefined;
    const isCut = report === undefined || isFull || sink.hits.some((hit) => hit.isIncomplete);
    if (isFull) this.stoppedAfter ??= `${MAX_HITS} files with matches`;
    else if (report === undefined) this.#stopLate();
    if (isCut) this.isCut = true;
    return { hits: sink.hits, report, isCut, isFull };
  }
}

class HitList implements HitSink {
  readonly hits: FileHit[] = [];
  readonly cutoff = undefined;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get phase(): SearchPhase {
    return this.hits.length < this.#max ? "keep" : "stop";
  }

  add(hits: readonly FileHit[]): void {
    this.hits.push(...hits);
  }

  progress(): void {}
}
