/**
 * The JavaScript engine: needs no program and no permission but reading, and defines what the right
 * answer is. The main thread searches; workers join it once the work turns out to be long.
 *
 * @module
 */

import { PathgrepError } from "../../errors.ts";
import {
  type Engine,
  type EngineReport,
  type HitSink,
  mergeReports,
  type SearchJob,
} from "../engine.ts";
import { Board, type WorkItem } from "../js/board.ts";
import { WorkerPool } from "../js/pool.ts";
import { SearchThread } from "../js/thread.ts";

/** Starting a worker blocks the main thread for some 15 ms: only work longer than this pays it. */
const ALONE_MS = 40;
/** The main thread looks up at least this often: for the signal, and for the workers' hits. */
const SLICE_MS = 10;
/** Workers that have not ended this long after a failure are stopped with their thread. */
const GRACE_MS = 100;

/** The engine that reads files itself. */
export class JsEngine implements Engine {
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
    const board = new Board();
    const thread = new SearchThread(job, board);
    const team = new Team(this.#pool, job, board, sink);
    const workersPay = WorkerPool.isAvailable && !job.walk.follow;
    const started = performance.now();
    board.join("busy");
    thread.start(work);
    try {
      for (;;) {
        thread.run(performance.now() + SLICE_MS);
        await handOn(thread, board, sink, signal);
        if (thread.hasWork) {
          const isLong = performance.now() - started > ALONE_MS || this.#pool.isWarm;
          if (isLong && workersPay) team.start();
        } else if (
          !(await nextWork(thread, board, team, () => handOn(thread, board, sink, signal)))
        ) {
          break;
        }
      }
      await team.finish();
    } catch (error) {
      await team.abandon();
      throw error;
    }
    const report = thread.report();
    for (const other of team.reports) mergeReports(report, other);
    return report;
  }
}

/** Hands on what was found, lets messages in, and brings back word of how to go on. */
async function handOn(
  thread: SearchThread,
  board: Board,
  sink: HitSink,
  signal: AbortSignal,
): Promise<void> {
  if (thread.hits.length > 0) {
    sink.add(thread.hits);
    thread.hits = [];
  }
  sink.progress(board.filesSearched);
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) throw PathgrepError.from(signal.reason);
  heed(board, sink);
}

function heed(board: Board, sink: HitSink): void {
  board.cutoff = sink.cutoff;
  board.phase = sink.phase;
}

/** Takes work that a worker gave back; `false` when none is left anywhere. */
async function nextWork(
  thread: SearchThread,
  board: Board,
  team: Team,
  lookUp: () => Promise<void>,
): Promise<boolean> {
  board.rest();
  while (!board.isFinished && board.phase !== "stop") {
    const item = board.take();
    if (item !== undefined) {
      thread.accept(item);
      return true;
    }
    await team.news();
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
  readonly #stops = new Set<() => void>();
  #isStarted = false;
  #failure: PathgrepError | undefined;
  #wake: () => void = () => {};

  constructor(pool: WorkerPool, job: SearchJob, board: Board, sink: HitSink) {
    this.#pool = pool;
    this.#job = job;
    this.#board = board;
    this.#sink = sink;
  }

  /** Calls the workers in, once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (let index = 0; index < WorkerPool.size; index++) {
      const stop = this.#pool.run(this.#job, this.#board.memory, {
        onHits: (hits) => {
          this.#sink.add(hits);
          heed(this.#board, this.#sink);
        },
        onEnd: (report) => {
          this.#stops.delete(stop);
          if (report !== undefined) this.reports.push(report);
          this.#wake();
        },
        onError: (error) => {
          this.#stops.delete(stop);
          this.#failure ??= error;
          this.#wake();
        },
      });
      this.#stops.add(stop);
    }
  }

  /** Resolves when a worker has ended, or after a moment. */
  async news(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 2);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits for every worker that has joined; one still starting has nothing to tell. */
  async finish(): Promise<void> {
    const joined = this.#board.close() - 1;
    while (this.reports.length < joined) await this.news();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** After a failure: gives the workers a moment to end by themselves, then stops them. */
  async abandon(): Promise<void> {
    this.#board.phase = "stop";
    const joined = this.#board.close() - 1;
    const until = performance.now() + GRACE_MS;
    while (this.reports.length < joined && performance.now() < until) {
      await this.news().catch(() => {});
    }
    if (this.reports.length < joined) { for (const stop of this.#stops) stop(); }
  }
}
