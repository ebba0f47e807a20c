/**
 * Workers, kept from one search to the next.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { isGranted } from "../util/permissions.ts";
import type { TreeWatch, Trust } from "../cache/tree_watch.ts";
import type { EngineReport, FileHit, SearchJob } from "../searcher/job.ts";
import { SharedQueue } from "./shared_queue.ts";
import type { WorkerCache } from "../cache/worker_cache.ts";
import type { WorkerReply, WorkerRequest } from "./worker.ts";

/** Takes the replies of one worker to one search. */
export interface WorkerRun {
  /** Is called with hits as they come. */
  onHits: (hits: FileHit[]) => void;
  /** Is called with the report, or nothing if no work was left. */
  onEnd: (report: EngineReport | undefined) => void;
  /** Is called if the worker fails. */
  onError: (error: PathgrepError) => void;
}

/** A worker and the searches that it has joined. */
interface PoolWorker {
  worker: Worker;
  runs: Map<number, WorkerRun>;
}

/** How a pool is used. */
export interface PoolOptions {
  /**
   * Whether it serves many searches: then workers do all of the work, so that the main thread stays
   * responsive. @default the main thread searches, and workers help
   */
  isKept?: boolean;
  /** Bytes that all threads together may cache between searches. @default 0 */
  cacheBytes?: number;
  /** Says which part of the cache needs no check. */
  watch?: TreeWatch | undefined;
  /**
   * Milliseconds for which what has changed is not cached, because another change might have the same
   * time. With less, tests need not wait. @default what is right for Deno and file systems
   */
  changePrecision?: number | undefined;
}

/**
 * Never called. That it names the worker's module makes Deno download and compile it with all others,
 * so that a worker starts without a network.
 */
export const workerModule = (): Promise<unknown> => import("./worker.ts");

/** More threads than cores would only compete. */
const CORES = Math.min(navigator.hardwareConcurrency, 8);
/** With one worker, a search that cannot pause would block all others. */
const MIN_KEPT = 2;

/** Starts workers if it may, and sends searches to them. */
export class WorkerPool {
  /** Whether workers, if they can start, do all of the work. */
  readonly isKept: boolean;
  /** The most workers. */
  readonly size: number;
  /** By index. One that fails is removed, so that the next search starts another. */
  readonly #workers = new Map<number, PoolWorker>();
  readonly #queues: SharedQueue[] = [];
  readonly #cacheBytes: number;
  readonly #changePrecision: number | undefined;
  /** Says which part of the cache need not be checked again. */
  watch: TreeWatch | undefined;
  #memory: WorkerCache | undefined;
  #nextId = 1;

  /** @param options how it is used */
  constructor({ isKept = false, cacheBytes = 0, watch, changePrecision }: PoolOptions = {}) {
    this.isKept = isKept;
    this.size = isKept ? Math.max(MIN_KEPT, CORES) : CORES - 1;
    this.#cacheBytes = cacheBytes;
    this.#changePrecision = changePrecision;
    this.watch = watch;
  }

  /** Whether anything is kept from one search to the next. */
  get keeps(): boolean {
    return this.#cacheBytes > 0;
  }

  /**
   * Says which part of the cache needs no check.
   *
   * @param job the next search
   * @param signal ends the wait for changes to be reported
   */
  async trust({ walk, deadline }: SearchJob, signal: AbortSignal): Promise<Trust | undefined> {
    return this.keeps ? await this.watch?.trust(walk.allowedRoots, signal, deadline) : undefined;
  }

  /** The cache of the main thread, for when it has to search. */
  async memory(): Promise<WorkerCache | undefined> {
    if (!this.keeps) return undefined;
    const { WorkerCache } = await import("../cache/worker_cache.ts");
    return this.#memory ??= new WorkerCache(this.#cacheBytes, this.#changePrecision);
  }

  /** A queue for one search. */
  takeQueue(): SharedQueue {
    const queue = this.#queues.pop() ?? new SharedQueue();
    queue.clear();
    return queue;
  }

  /** Takes back a queue that no thread uses any more: a new one for each search would fill the memory. */
  returnQueue(queue: SharedQueue): void {
    this.#queues.push(queue);
  }

  /**
   * Whether workers can start. A worker from a local file needs permission to read its own source;
   * without it, the main thread searches alone.
   */
  static get isAvailable(): boolean {
    const module = new URL("./worker.ts", import.meta.url);
    if (module.protocol !== "file:" || Deno.build.standalone) return true;
    return isGranted({ name: "read", path: new URL("../", module) }); // it imports from all over the source
  }

  /** Whether it may have workers. */
  get canStart(): boolean {
    return this.size > 0 && WorkerPool.isAvailable;
  }

  /** Whether it has started workers before. */
  get isWarm(): boolean {
    return this.#workers.size > 0;
  }

  /** Starts all workers, if they can start, so that the first search does not wait for them. */
  start(): void {
    for (let index = 0; this.canStart && index < this.size; index++) this.#workerAt(index);
  }

  /**
   * Sends a search to one worker.
   *
   * @param index which one, from 0 and below {@linkcode WorkerPool.size}
   */
  run(
    index: number,
    job: SearchJob,
    memory: SharedArrayBuffer,
    trust: Trust | undefined,
    run: WorkerRun,
  ): void {
    const { worker, runs } = this.#workerAt(index);
    const id = this.#nextId++;
    runs.set(id, run);
    const cacheBytes = Math.floor(this.#cacheBytes / this.size);
    const changePrecision = this.#changePrecision;
    const request: WorkerRequest = {
      ...{ id, job, memory, cacheBytes, changePrecision, trust },
      shard: index,
    };
    worker.postMessage(request);
  }

  /** Ends every worker and drops the cache. */
  close(): void {
    this.#memory = undefined;
    for (const { worker } of this.#workers.values()) end(worker);
    this.#workers.clear();
  }

  #workerAt(index: number): PoolWorker {
    return this.#workers.getOrInsertComputed(index, () => this.#startWorker(index));
  }

  #startWorker(index: number): PoolWorker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      type: "module",
      name: "pathgrep",
    });
    const runs: PoolWorker["runs"] = new Map();
    const fail = (error: PathgrepError) => {
      end(worker);
      this.#workers.delete(index);
      const failed = [...runs.values()];
      runs.clear();
      for (const run of failed) run.onError(error);
    };
    const loading = import("./packed_hits.ts");
    loading.catch(() => {}); // reported with the first message
    worker.onmessage = async ({ data }: MessageEvent<WorkerReply>) => {
      try {
        const { unpackHits } = await loading;
        const run = runs.get(data.id);
        if (run === undefined) return; // the worker has failed in the meantime
        if (data.kind === "hits") return run.onHits(unpackHits(data.packed));
        runs.delete(data.id);
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

function end(worker: Worker): void {
  worker.onmessage = worker.onerror = null;
  worker.terminate();
}
