/**
 * The JavaScript engine. It needs no program and no permission except to read, and defines the
 * right answer; an engine that lets an external *program* (ripgrep, git grep or grep) discard the files without
 * the literals that every match holds is in `filter_engine.ts`.
 *
 * In a single search the main thread works, and workers join once that pays. Where a pool
 * reuses its workers, they do all of the work, and so they do where a signal could not end a search in time
 * on the main thread.
 *
 * @module
 */

import type { CacheTicket } from "../cache/thread_cache.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { loadReader } from "../read/file_reader.ts";
import {
  emptyReport,
  type EngineReport,
  type FileHit,
  type HitSink,
  type SearchJob,
} from "./job.ts";
import { loadSearcher } from "../read/line_searcher.ts";
import { SearchPulse } from "./search_sink.ts";
import { mergeReports } from "./skip_report.ts";
import { directoriesOf, filesOf, type SharedQueue, type WorkItem } from "./queues.ts";
import { loadWalker, SearchWorker } from "./search_worker.ts";
import { WorkerPool, type WorkerRun } from "./worker_pool.ts";
import { PathgrepError } from "../util/errors.ts";
import { basename, dirname } from "../util/path.ts";
import { Slices, untilAborted, within } from "../util/pulse.ts";

/** Executes searches. */
export interface Engine {
  /** Whether globs and types apply to named files as well. @default false */
  readonly filtersNamed?: boolean;
  /** Whether it ends by itself once the job's deadline has passed. @default false */
  readonly keepsTime?: boolean;
  /**
   * Executes a search.
   *
   * @throws {PathgrepError} `cancelled` once the signal is aborted, `search_timed_out`,
   * `search_failed`, `engine_unavailable`
   */
  run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport>;
}

/**
 * Starting a worker costs the main thread 20 ms, and as much again until the worker is useful. That pays
 * with this many files, or if the work is likely to take this long.
 */
const FILES_FOR_A_NEW_WORKER = 6000;
const MS_FOR_A_NEW_WORKER = 120;
/** The same for an idle worker: waking it costs next to nothing. */
const FILES_FOR_A_WORKER = 200;
/** The main thread checks the signal and takes the workers' hits at least this often. */
const SLICE_MS = 20;
/** The same until the pace is known, and where the event loop has other work. */
const SHORT_SLICE_MS = 8;
/** Listing ahead ends after this long, however many files are known. */
const LIST_AHEAD_MS = 100;
/** An idle main thread waits this long for work before it checks the signal. */
const WAIT_MS = 2;
/** A main thread that waits for workers checks limits and signal at least this often. */
const LOOK_MS = 25;
/** Once time has run out, workers have this long to send what they have found: V8 runs for up to 550 ms. */
const LAST_HITS_MS = 800;

export class JsEngine implements Engine {
  readonly keepsTime = true;
  readonly #pool: WorkerPool;

  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /** @param work the items to read instead of everything that the job names */
  async run(
    job: SearchJob,
    sink: HitSink,
    signal: AbortSignal,
    work?: readonly WorkItem[],
  ): Promise<EngineReport> {
    const isForWorkers = WorkerPool.isAvailable &&
      (this.#pool.isKept || job.isAbortable && mayBlock(job));
    const threads = isForWorkers ? Math.max(1, this.#pool.size) : 1;
    const ticket = await this.#pool.store.ticket(job, threads, signal);
    const own = { ...job }; // whose deadline may be put off
    const search = new EngineSearch(this.#pool, own, sink, signal, ticket);
    try {
      search.check();
      return await (isForWorkers ? search.runOnWorkers(work) : search.runHere(work));
    } finally {
      search.end();
    }
  }
}

/** Lines around an entry beyond which a piece full of entries takes a second. */
const WIDE_CONTEXT = 200;

/** Whether one piece of a file can keep a thread for long. */
function mayBlock({ plan, lines }: SearchJob): boolean {
  const isSlow = ({ find }: PatternPlan) => find.cost === "unbounded";
  return plan.multiline || isSlow(plan) || plan.each.some(isSlow) ||
    lines.before + lines.after > WIDE_CONTEXT;
}

class EngineSearch {
  readonly #pool: WorkerPool;
  readonly #job: SearchJob;
  readonly #collector: HitSink;
  readonly #signal: AbortSignal;
  readonly #ticket: CacheTicket | undefined;
  readonly #pulse: SearchPulse;
  readonly #queue: SharedQueue;
  readonly #team: Team;

  constructor(
    pool: WorkerPool,
    job: SearchJob,
    collector: HitSink,
    signal: AbortSignal,
    ticket: CacheTicket | undefined,
  ) {
    this.#pool = pool;
    this.#job = job;
    this.#collector = collector;
    this.#signal = signal;
    this.#ticket = ticket;
    this.#pulse = new SearchPulse(job, () => false); // an aborted signal has a reason
    this.#queue = pool.takeQueue();
    this.#team = new Team(
      (worker, run) => pool.run(worker, job, this.#queue.memory, ticket, run),
      (hits) => {
        collector.add(hits);
        this.#syncQueue();
        this.#queue.takeHits();
      },
    );
  }

  /**
   * Checks limits and signal, reports progress and tells the threads how to go on. Throws once the
   * search has to end.
   */
  check(): void {
    if (this.#signal.aborted) throw PathgrepError.from(this.#signal.reason);
    this.#pulse.look();
    this.#team.check();
    this.#pool.relieve();
    this.#collector.progress(this.#queue.filesSearched);
    this.#syncQueue();
  }

  /** Takes no more hits, and gives the queue back. */
  end(): void {
    this.#team.close();
    this.#pool.returnQueue(this.#queue, this.#team.hasEnded);
  }

  #syncQueue(): void {
    this.#queue.cutoff = this.#collector.cutoff;
    this.#queue.phase = this.#collector.phase;
  }

  /** Searches on all workers; the main thread waits for their reports. */
  async runOnWorkers(work: readonly WorkItem[] | undefined): Promise<EngineReport> {
    const job = this.#job;
    const [queue, team] = [this.#queue, this.#team];
    const workers = job.walk.mayRepeat ? 1 : Math.max(1, this.#pool.size);
    const directories = directoriesOf(job);
    // Each worker has a cache of its own, so that each gets a part of the tree.
    const isDivided = this.#ticket !== undefined && work === undefined && workers > 1 &&
      directories.length > 0;
    await this.#pool.prepare();
    queue.hold();
    if (isDivided) queue.offerParts(workers);
    const given = work ?? [...filesOf(job), ...(isDivided ? [] : directories)];
    try {
      team.start(workers);
      this.#pool.wait(queue, (worker) => team.join(worker));
      this.check(); // one that has failed by now would not end the wait for news
      for (let left = queue.push(given.toReversed()); left.length > 0; left = queue.push(left)) {
        await team.news();
        this.check();
      }
      queue.release();
      while (!queue.isFinished && queue.phase !== "stop") {
        await team.news();
        this.check();
      }
      return await this.#finish();
    } catch (error) {
      await this.#stop(error);
      throw error;
    }
  }

  /** Searches on the main thread; workers join if that pays off. Those of a reused pool cannot start. */
  async runHere(given?: readonly WorkItem[]): Promise<EngineReport> {
    const job = this.#job;
    using files = await this.#pool.store.open(job, this.#ticket);
    await loadSearcher(job);
    await loadReader(job);
    await loadWalker(job);
    const worker = new SearchWorker(job, this.#queue, files);
    const { canStart, isKept, isWarm } = this.#pool;
    const isAlone = isKept || this.#collector.isPaced === true || job.walk.mayRepeat;
    const help = canStart && !isAlone ? new Help(isWarm) : undefined;
    const slices = new Slices(job.walk.allowedRoots[0]!);
    const slice = () => {
      this.check(); // the signal may have been aborted in the meantime
      const isUnderWay = help?.isPaceKnown || this.#team.isStarted;
      worker.run(performance.now() + (isUnderWay ? SLICE_MS : SHORT_SLICE_MS));
    };
    this.#queue.join();
    try {
      given ??= [...filesOf(job), ...directoriesOf(job)];
      for (const item of given.toReversed()) worker.accept(item);
      if (help?.paysAhead(worker)) await this.#startTeam();
      // The first slice runs at once: most searches need no other.
      await (isKept ? slices.run(slice) : slice());
      while (await this.#goesOn(worker, help)) await slices.run(slice);
      return await this.#finish(worker.report());
    } catch (error) {
      await this.#stop(error, worker);
      throw error;
    }
  }

  /** Hands on what a slice has found, has workers join or takes their work; `false` if none is left anywhere. */
  async #goesOn(worker: SearchWorker, help: Help | undefined): Promise<boolean> {
    if (worker.hits.length > 0) this.#collector.add(worker.hits);
    worker.hits = [];
    this.check();
    if (this.#collector.ready !== undefined) await this.#wanted(this.#collector.ready);
    if (!worker.hasWork) return this.#team.isStarted && await this.#nextWork(worker);
    if (!this.#team.isStarted && help?.pays(worker.filesToRead)) await this.#startTeam();
    return true;
  }

  async #startTeam(): Promise<void> {
    await this.#pool.prepare();
    this.#team.start(this.#pool.size);
  }

  /** Waits until there is room for more hits; this time does not count. */
  async #wanted(ready: Promise<void>): Promise<void> {
    const since = Date.now();
    await untilAborted(ready, this.#signal);
    this.#job.deadline += Date.now() - since;
  }

  /** Ends a failed search. Later failures would only hide the reason, and are ignored. */
  async #stop(error: unknown, worker?: SearchWorker): Promise<void> {
    try {
      await this.#takeLast(error, worker);
    } catch {
      // The receiver of the hits has failed, too.
    }
    this.#queue.phase = "stop";
    try {
      worker?.stop();
    } catch {
      // The file that it was in could not be closed.
    }
  }

  /** Takes what was found until time ran out, if it did: the error will hold it. */
  async #takeLast(error: unknown, worker?: SearchWorker): Promise<void> {
    if (!isTimedOut(error)) return;
    const joined = this.#queue.close() - (worker === undefined ? 0 : 1);
    worker?.endFile();
    if (worker !== undefined && worker.hits.length > 0) this.#collector.add(worker.hits);
    const until = performance.now() + LAST_HITS_MS;
    while (this.#team.ended < joined && performance.now() < until) await this.#team.news();
    this.#collector.progress(this.#queue.filesSearched);
  }

  /** Takes work that a worker shared; `false` if none is left anywhere. */
  async #nextWork(worker: SearchWorker): Promise<boolean> {
    const queue = this.#queue;
    queue.idle();
    while (!queue.isFinished && queue.phase !== "stop") {
      const item = queue.pop();
      if (item !== undefined) {
        worker.accept(item);
        return true;
      }
      await queue.workComes(WAIT_MS);
      this.check();
    }
    return false;
  }

  /** Waits for all workers that joined, and merges their reports with that of this thread. */
  async #finish(...own: EngineReport[]): Promise<EngineReport> {
    const team = this.#team;
    const joined = this.#queue.close() - own.length;
    for (; team.reports.length < joined; await team.news()) this.check();
    this.check();
    const reports = [...own, ...team.reports];
    const [first = emptyReport("js"), ...others] = reports;
    for (const other of others) mergeReports(first, other);
    return first;
  }
}

function isTimedOut(error: unknown): boolean {
  return error instanceof PathgrepError && error.code === "search_timed_out";
}

/** Tells when more threads pay off. */
class Help {
  /** Whether workers run already. */
  readonly #isWarm: boolean;
  /** Slices so far. The first does not count for the pace: V8 is still compiling. */
  #laps = 0;
  #lapped = performance.now();
  #left = 0;
  /** The pace at which files are read. */
  #msPerFile = 0;

  constructor(isWarm: boolean) {
    this.#isWarm = isWarm;
  }

  /** Whether it surely pays, before any file is read: as far as a look at directories tells. */
  paysAhead(worker: SearchWorker): boolean {
    const enough = this.#isWarm ? FILES_FOR_A_WORKER : FILES_FOR_A_NEW_WORKER;
    const pays = worker.listAhead(enough, performance.now() + LIST_AHEAD_MS);
    this.#left = worker.filesToRead;
    return pays;
  }

  get isPaceKnown(): boolean {
    return this.#laps > 1;
  }

  /** Whether it pays after another slice, with this many files to read. */
  pays(left: number): boolean {
    const now = performance.now();
    const files = Math.max(1, this.#left - left);
    if (++this.#laps > 1) this.#msPerFile = (now - this.#lapped) / files;
    [this.#lapped, this.#left] = [now, left];
    return this.#isWarm || this.#msPerFile * left > MS_FOR_A_NEW_WORKER;
  }
}

class Team {
  readonly reports: EngineReport[] = [];
  readonly #send: (worker: number, run: WorkerRun) => void;
  readonly #onHits: (hits: FileHit[]) => void;
  /** The number of workers that this search was sent to. */
  #started = 0;
  /** The number of those that were too late to take part. */
  #idle = 0;
  /** The number of those that took part and have ended. */
  ended = 0;
  #failure: PathgrepError | undefined;
  #isClosed = false;
  #wake: () => void = () => {};

  /** @param send sends the search to a worker */
  constructor(
    send: (worker: number, run: WorkerRun) => void,
    onHits: (hits: FileHit[]) => void,
  ) {
    this.#send = send;
    this.#onHits = onHits;
  }

  /** Takes no more hits. */
  close(): void {
    this.#isClosed = true;
  }

  get isStarted(): boolean {
    return this.#started > 0;
  }

  start(workers: number): void {
    while (this.#started < workers) this.join(this.#started);
  }

  join(worker: number): void {
    this.#started++;
    this.#send(worker, {
      onHits: (hits) => {
        if (this.#isClosed || this.#failure !== undefined && !isTimedOut(this.#failure)) return;
        try {
          this.#onHits(hits);
        } catch (thrown) { // by the receiver of the entries: fails the search, not the process
          this.#failure ??= PathgrepError.from(thrown);
        }
        this.#wake();
      },
      onEnd: (report) => {
        if (report === undefined) this.#idle++;
        else {
          this.ended++;
          this.reports.push(report);
        }
        this.#wake();
      },
      onError: (error) => {
        this.ended++;
        this.#failure ??= error;
        this.#wake();
      },
    });
  }

  /** Whether every worker that got the search has finished it. */
  get hasEnded(): boolean {
    return this.#idle + this.ended === this.#started;
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves once a worker reports something, or after {@linkcode LOOK_MS}. */
  async news(): Promise<void> {
    await within(LOOK_MS, new Promise<void>((resolve) => this.#wake = resolve));
  }
}

/** Lists files for `pathgrep files` and the `glob` tool. */
export class FileLister implements Engine {
  readonly keepsTime = true;
  readonly filtersNamed: boolean;
  readonly #js: JsEngine;

  constructor(filtersNamed: boolean, js: JsEngine) {
    this.filtersNamed = filtersNamed;
    this.#js = js;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const { FileFilter } = await import("../walk/file_filter.ts");
    const filters = FileFilter.forEach(
      { ...job.walk.filter, within: undefined },
      job.files.map(dirname),
    );
    const files = job.files.filter((path, index) =>
      !this.filtersNamed || filters[index]!.accepts(basename(path), basename(path))
    );
    const walk = { ...job.walk, named: files };
    const listsDirectories = FileFilter.isOfDirectories(job.walk.filter);
    const listing = { ...job, files, walk, isListing: true, listsDirectories, withoutMatch: true };
    return { ...await this.#js.run(listing, sink, signal), engine: "list" };
  }
}
