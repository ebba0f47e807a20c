/**
 * Workers, which are reused from one search to the next.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { isWorkerLost, mayStartWorker, startWorker } from "../system/platform.ts";
import type { Thread } from "../system/types.ts";
import type { CacheTicket } from "../cache/thread_cache.ts";
import { Files } from "../read/files.ts";
import type { EngineReport, FileHit, SearchJob } from "./job.ts";
import { SharedQueue } from "./queues.ts";
import type { WorkerReply, WorkerRequest } from "./worker.ts";
import { WORKER_SOURCES, workerAddress } from "./worker_address.ts";
import { valueAt } from "../util/collections.ts";

export interface WorkerRun {
  onHits: (hits: FileHit[]) => void;
  /** Is called with the report, or nothing if no work was left. */
  onEnd: (report: EngineReport | undefined) => void;
  onError: (error: PathgrepError) => void;
}

interface PoolWorker {
  worker: Thread;
  runs: Map<number, WorkerRun>;
}

/** Where the searches of a pool find files. */
export interface FileStore {
  /**
   * What each of the threads opens it by for a search, if anything is cached; the signal ends the
   * wait for it.
   */
  ticket(job: SearchJob, threads: number, signal: AbortSignal): Promise<CacheTicket | undefined>;
  open(job: SearchJob, ticket: CacheTicket | undefined): Promise<Files>;
}

/** The disk, without a cache. */
const DISK: FileStore = {
  ticket: () => Promise.resolve(undefined),
  open: () => Promise.resolve(new Files()),
};

export interface PoolOptions {
  /**
   * Whether it serves many searches: then workers do all of the work, so that the main thread stays
   * responsive. @default the main thread searches, and workers help
   */
  isKept?: boolean;
  /** Where its searches find files. @default the disk */
  store?: FileStore | undefined;
}

/** More threads than cores would only compete. */
const CORES = Math.min(navigator.hardwareConcurrency, 8);
/** With one worker, a search would block all others more often. */
const MIN_KEPT = 2;
/** Spare workers: more searches than these and the other workers that never end keep others waiting. */
const MAX_SPARES = 6;
/**
 * A search that has waited this long gets a spare worker: if those that the workers are in make no headway,
 * and if they do. Starting one costs as much processor time as a short search.
 */
const MAX_STALL_MS = 100;
const MAX_WAIT_MS = 500;

let isLossChecked = false;

export class WorkerPool {
  /** Whether workers, if they can start, do all of the work. */
  readonly isKept: boolean;
  readonly size: number;
  /** By index. One that fails is removed, so that the next search starts another. */
  readonly #workers = new Map<number, PoolWorker>();
  readonly #queues: SharedQueue[] = [];
  /** The queues of searches that have not ended. */
  readonly #running = new Set<SharedQueue>();
  /** Searches that no worker has begun, in order, and how each takes another one. */
  readonly #waiting = new Map<SharedQueue, (worker: number) => void>();
  /** When the first of them became the first. */
  #waitsSince = 0;
  /** The files that running searches have read, and when that changed. */
  #headway = { files: 0, at: 0 };
  readonly store: FileStore;
  #address: URL | undefined;
  #nextId = 1;

  constructor({ isKept = false, store = DISK }: PoolOptions = {}) {
    this.isKept = isKept;
    this.size = isKept ? Math.max(MIN_KEPT, CORES) : CORES - 1;
    this.store = store;
  }

  takeQueue(): SharedQueue {
    const queue = this.#queues.pop() ?? new SharedQueue();
    queue.clear();
    this.#running.add(queue);
    return queue;
  }

  /**
   * Takes back the queue of a search that has ended, to use it again if no thread does: a new one for
   * each search would fill the memory.
   */
  returnQueue(queue: SharedQueue, isFree: boolean): void {
    this.#running.delete(queue);
    this.#waiting.delete(queue);
    if (isFree) this.#queues.push(queue);
  }

  /**
   * Lets a search wait until one of its workers begins it; {@linkcode WorkerPool.relieve} may have it
   * join one more.
   */
  wait(queue: SharedQueue, join: (worker: number) => void): void {
    if (this.#waiting.size === 0) this.#waitsSince = performance.now();
    this.#waiting.set(queue, join);
  }

  /** Starts a spare worker for the searches that wait, if they have waited for too long. */
  relieve(): void {
    const now = performance.now();
    for (const queue of this.#waiting.keys()) {
      if (!queue.isBegun) continue;
      this.#waiting.delete(queue);
      this.#waitsSince = now;
    }
    const begun = [...this.#running].filter((queue) => queue.isBegun);
    const files = begun.reduce((sum, queue) => sum + queue.filesSearched, 0);
    if (files !== this.#headway.files) this.#headway = { files, at: now };
    // While the workers themselves start, others would start no sooner.
    if (this.#waiting.size === 0 || begun.length === 0) return;
    const isStalled = now - this.#headway.at > MAX_STALL_MS;
    if (now - this.#waitsSince < (isStalled ? MAX_STALL_MS : MAX_WAIT_MS)) return;
    for (let index = this.size; index < this.size + MAX_SPARES; index++) {
      if (this.#workers.has(index)) continue;
      this.#waitsSince = now;
      for (const join of this.#waiting.values()) join(index);
      return;
    }
  }

  /**
   * Whether workers can start. A worker from a local file needs permission to read its own source;
   * without it, the main thread searches alone.
   */
  static get isAvailable(): boolean {
    return mayStartWorker(WORKER_SOURCES);
  }

  /** Whether an application was bundled without the program of the workers; `true` once. */
  static tellsOfLoss(): boolean {
    if (isLossChecked) return false;
    isLossChecked = true;
    return isWorkerLost(WORKER_SOURCES);
  }

  get canStart(): boolean {
    return this.size > 0 && WorkerPool.isAvailable;
  }

  get isWarm(): boolean {
    return this.#workers.size > 0;
  }

  /** Loads what workers start with; required before any is started. */
  async prepare(): Promise<void> {
    this.#address ??= await workerAddress();
  }

  /** Starts all workers, if they can start, so that the first search does not wait for them. */
  async start(): Promise<void> {
    await this.prepare();
    for (let index = 0; this.canStart && index < this.size; index++) this.#workerAt(index);
  }

  /** Sends a search to one worker; from {@linkcode WorkerPool.size} on, to a spare one. */
  run(
    index: number,
    job: SearchJob,
    memory: SharedArrayBuffer,
    ticket: CacheTicket | undefined,
    run: WorkerRun,
  ): void {
    const { worker, runs } = this.#workerAt(index);
    const id = this.#nextId++;
    runs.set(id, run);
    // A spare one does not live long: it caches nothing.
    const own = index < this.size
      ? { ticket, part: index }
      : { ticket: undefined, part: undefined };
    worker.postMessage({ id, job, memory, ...own } satisfies WorkerRequest);
  }

  close(): void {
    for (const { worker } of this.#workers.values()) end(worker);
    this.#workers.clear();
  }

  #workerAt(index: number): PoolWorker {
    return valueAt(this.#workers, index, () => this.#startWorker(index));
  }

  #startWorker(index: number): PoolWorker {
    if (this.#address === undefined) throw new Error("the pool is not prepared");
    const worker = startWorker(this.#address);
    const runs: PoolWorker["runs"] = new Map();
    const fail = (error: PathgrepError) => {
      end(worker);
      this.#workers.delete(index);
      const failed = [...runs.values()];
      runs.clear();
      for (const run of failed) run.onError(error);
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      try {
        const run = runs.get(data.id);
        if (run === undefined) return; // the worker has failed in the meantime
        if (data.kind === "hits") return run.onHits(data.hits);
        runs.delete(data.id);
        if (index >= this.size && runs.size === 0) {
          end(worker);
          this.#workers.delete(index);
        }
        if (data.kind === "failed") {
          const options = data.cause === undefined ? {} : { cause: data.cause };
          run.onError(new PathgrepError(data.code, data.message, data.details, options));
        } else {
          run.onEnd(data.kind === "done" ? data.report : undefined);
        }
      } catch (thrown) {
        fail(PathgrepError.from(thrown));
      }
    };
    worker.onerror = (event) => {
      event.preventDefault(); // else the whole process would end
      const cause = event.error ??
        new Error(`${event.message}\n    at ${event.filename}:${event.lineno}:${event.colno}`);
      fail(new PathgrepError("search_failed", `a worker failed: ${event.message}`, {}, { cause }));
    };
    return { worker, runs };
  }
}

function end(worker: Thread): void {
  worker.onmessage = worker.onerror = null;
  worker.terminate();
}
