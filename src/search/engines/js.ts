/**
 * The JavaScript engine: needs no program and no permission but reading, and defines what the right
 * answer is. The main thread searches; workers join it once the work turns out to be long.
 *
 * @module
 */

import { PathgrepError, timedOut } from "../../util/errors.ts";
import {
  type Engine,
  type EngineReport,
  type HitSink,
  mergeReports,
  type SearchJob,
} from "../engine.ts";
import type { Trust } from "../../walk/tree_watch.ts";
import type { Board, WorkItem } from "../js/board.ts";
import { WorkerPool } from "../js/pool.ts";
import { SearchThread } from "../js/thread.ts";

/**
 * Starting a worker costs the main thread 20 ms, and as much again until it is of use: only long work
 * pays for that. It is long when there are so many files, or is likely to go on for so long.
 */
const FILES_FOR_A_NEW_WORKER = 6000;
const MS_FOR_A_NEW_WORKER = 120;
/** Or so many bytes of one file. */
const BYTES_FOR_A_NEW_WORKER = 160e6;
/** Calling in a worker that waits costs next to nothing. */
const FILES_FOR_A_WORKER = 200;
/** The main thread looks up at least this often: for the signal, and for the workers' hits. */
const SLICE_MS = 20;
/** Until it is known how fast it goes. */
const FIRST_SLICE_MS = 8;
/** A main thread without work waits this long for some before it looks up. */
const WAIT_MS = 2;
/** Workers that have not ended this long after a failure are stopped with their thread. */
const GRACE_MS = 100;

/** The engine that reads files itself. */
export class JsEngine implements Engine {
  readonly keepsTime = true;
  readonly #pool: WorkerPool;

  /** @param pool the workers to use; its owner closes it */
  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /**
   * Searches.
   *
   * @param work what to read instead of all that the job names
   */
  async run(
    job: SearchJob,
    sink: HitSink,
    signal: AbortSignal,
    work?: readonly WorkItem[],
  ): Promise<EngineReport> {
    const board = this.#pool.takeBoard();
    const { memory, trust } = await this.#pool.remember(job, signal);
    checkTime(job, signal);
    memory?.begin(trust);
    const team = new Team(this.#pool, job, board, sink, trust);
    const mayShare = () => !job.walk.mayRepeat && WorkerPool.isAvailable;
    const isWarm = this.#pool.idle > 0;
    const thread = new SearchThread(job, board, memory, (bytes) => {
      const isLong = isWarm || bytes > BYTES_FOR_A_NEW_WORKER;
      if (!team.isStarted && isLong && mayShare()) team.callSurveyor();
      return team.isStarted;
    });
    const look = async () => {
      await lookUp(job, board, sink, signal);
      team.check();
    };
    board.join("busy");
    const stripes = memory !== undefined && mayShare() ? this.#pool.idle + 1 : 1;
    thread.start(work, stripes);
    const isLarge = thread.listAhead(isWarm ? FILES_FOR_A_WORKER : FILES_FOR_A_NEW_WORKER);
    if (stripes > 1 || isLarge && mayShare()) team.start();
    const pace = new Pace();
    try {
      for (;;) {
        const files = thread.filesToRead;
        thread.run(performance.now() + (pace.isKnown ? SLICE_MS : FIRST_SLICE_MS));
        handOn(thread, board, sink);
        if (signal.aborted) throw PathgrepError.from(signal.reason);
        if (thread.hasWork) {
          if (!team.isWhole && mayShare()) {
            const left = thread.filesToRead;
            pace.lap(files - left);
            if (isWarm || pace.msFor(left) > MS_FOR_A_NEW_WORKER) team.start();
          }
          await look();
        } else if (!team.isStarted || !(await nextWork(thread, job, board, look))) {
          break;
        }
      }
      await team.finish();
    } catch (error) {
      thread.stop();
      await team.abandon();
      throw error;
    }
    if (team.isGone) this.#pool.giveBack(board);
    const report = thread.report();
    for (const other of team.reports) mergeReports(report, other);
    return report;
  }
}

/** How fast files are read. The first of them say little: what reads them is being compiled. */
class Pace {
  #laps = 0;
  #lapped = performance.now();
  #msPerFile = 0;

  /** Whether it can be told. */
  get isKnown(): boolean {
    return this.#laps > 1;
  }

  /** So many files were read since the last call. */
  lap(files: number): void {
    const now = performance.now();
    if (++this.#laps > 1) this.#msPerFile = (now - this.#lapped) / Math.max(1, files);
    this.#lapped = now;
  }

  /** How long so many files are likely to take, in milliseconds; 0 as long as it is not known. */
  msFor(files: number): number {
    return this.#msPerFile * files;
  }
}

/** Hands on what was found, and brings back word of how to go on. */
function handOn(thread: SearchThread, board: Board, sink: HitSink): void {
  if (thread.hits.length > 0) {
    sink.add(thread.hits);
    thread.hits = [];
  }
  sink.progress(board.filesSearched);
  heed(board, sink);
}

function heed(board: Board, sink: HitSink): void {
  board.cutoff = sink.cutoff;
  board.phase = sink.phase;
}

/**
 * Lets signals and messages in, and ends the search when its time is up.
 *
 * Any asynchronous operation gives way to them. `setImmediate` and `setTimeout` would be the usual
 * ones, but the first call of either takes 8 ms, in which Deno loads those of Node.
 */
async function lookUp(
  job: SearchJob,
  board: Board,
  sink: HitSink,
  signal: AbortSignal,
): Promise<void> {
  await Deno.lstat(job.walk.bases[0] ?? job.files[0]!).catch(() => {});
  checkTime(job, signal);
  heed(board, sink);
}

/** Throws when the search is to end. */
function checkTime({ deadline, timeout }: SearchJob, signal: AbortSignal): void {
  if (signal.aborted) throw PathgrepError.from(signal.reason);
  if (Date.now() > deadline) throw timedOut(timeout);
}

/** Takes work that a worker gave back; `false` when none is left anywhere. */
async function nextWork(
  thread: SearchThread,
  job: SearchJob,
  board: Board,
  lookUp: () => Promise<void>,
): Promise<boolean> {
  board.rest();
  while (!board.isFinished && board.phase !== "stop") {
    const item = board.take();
    if (item?.survey !== undefined) {
      const { Surveyor } = await import("../js/surveyor.ts");
      const surveyor = new Surveyor(item.path, item.survey, board.survey, job.plan.need);
      while (surveyor.run(performance.now() + SLICE_MS)) await lookUp();
      board.rest();
      continue;
    }
    if (item !== undefined) {
      thread.accept(item);
      return true;
    }
    board.wait(WAIT_MS);
    await lookUp();
  }
  return false;
}

/** The workers of one search. */
class Team {
  readonly reports: EngineReport[] = [];
  readonly #pool: WorkerPool;
  readonly #job: SearchJob;
  readonly #board: Board;
  readonly #sink: HitSink;
  readonly #trust: Trust | undefined;
  readonly #stops = new Set<() => void>();
  #called = 0;
  #failure: PathgrepError | undefined;
  #wake: () => void = () => {};

  constructor(
    pool: WorkerPool,
    job: SearchJob,
    board: Board,
    sink: HitSink,
    trust: Trust | undefined,
  ) {
    this.#pool = pool;
    this.#trust = trust;
    this.#job = job;
    this.#board = board;
    this.#sink = sink;
  }

  /** Whether any worker was called in. */
  get isStarted(): boolean {
    return this.#called > 0;
  }

  /** Whether all were. */
  get isWhole(): boolean {
    return this.#called === WorkerPool.size;
  }

  /** Calls one worker in, to survey a large file. */
  callSurveyor(): void {
    this.#call(1, true);
  }

  /** Calls all workers in, once. */
  start(): void {
    this.#call(WorkerPool.size, false);
  }

  #call(size: number, isSurveyor: boolean): void {
    for (; this.#called < size; this.#called++) {
      const stop = this.#pool.run(this.#job, this.#board.memory, this.#trust, isSurveyor, {
        onHits: (hits) => {
          if (this.#failure !== undefined) return;
          try {
            this.#sink.add(hits);
            heed(this.#board, this.#sink);
          } catch (thrown) { // by whoever takes the entries: the search fails, not the process
            this.#failure = PathgrepError.from(thrown);
            this.#wake();
          }
        },
        onEnd: (report) => {
          this.#stops.delete(stop!);
          if (report !== undefined) this.reports.push(report);
          this.#wake();
        },
        onError: (error) => {
          this.#stops.delete(stop!);
          this.#failure ??= error;
          this.#wake();
        },
      });
      if (stop === undefined) return;
      this.#stops.add(stop);
    }
  }

  /** Whether every worker that was called in has ended, late ones as well. */
  get isGone(): boolean {
    return this.#stops.size === 0;
  }

  /** Throws when a worker has failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits for every worker that has joined; one still starting has nothing to tell. */
  async finish(): Promise<void> {
    const joined = this.#board.close() - 1;
    for (; this.reports.length < joined; await this.#news()) this.check();
    this.check();
  }

  /** After a failure: gives the workers a moment to end by themselves, then stops them. */
  async abandon(): Promise<void> {
    this.#board.phase = "stop";
    const joined = this.#board.close() - 1;
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.#wake();
    }, GRACE_MS);
    while (this.reports.length < joined && this.#stops.size > 0 && !isOver) await this.#news();
    clearTimeout(timer);
    if (this.reports.length < joined) { for (const stop of this.#stops) stop(); }
  }

  /** Resolves when a worker has ended. */
  async #news(): Promise<void> {
    await new Promise<void>((resolve) => this.#wake = resolve);
  }
}
