/**
 * A worker's side of searches. It joins the queue of each, works until nothing is left, and reports.
 *
 * @module
 */

import {
  cloneableCause,
  type ErrorCode,
  type ErrorDetails,
  PathgrepError,
} from "../util/errors.ts";
import type { Trust } from "../cache/tree_watch.ts";
import { checkTime, type EngineReport, type SearchJob } from "../searcher/job.ts";
import { atWork } from "../util/heap.ts";
import { Slices } from "../util/slices.ts";
import { turn } from "../util/turn.ts";
import { type PackedHits, packHits } from "./packed_hits.ts";
import { SharedQueue, type WorkItem } from "./shared_queue.ts";
import { loadEngines } from "../regex/matcher.ts";
import type { CacheUse, WorkerCache } from "../cache/worker_cache.ts";
import type { SearchWorker } from "./search_worker.ts";
import { directoriesOf } from "./local_queue.ts";

/** A search that a worker joins. */
export interface WorkerRequest {
  id: number;
  job: SearchJob;
  memory: SharedArrayBuffer;
  /** Bytes that the worker may cache for later searches; 0: none. */
  cacheBytes: number;
  /** Milliseconds for which it caches nothing that has changed, if not as many as by default. */
  changePrecision: number | undefined;
  /** Which part of its cache needs no check. */
  trust: Trust | undefined;
  /** The worker's index, and that of the shard whose files it may have cached. */
  shard: number;
}

/** A worker's answer; `idle`: no work was left for it. */
export type WorkerReply =
  & { id: number }
  & (
    | { kind: "hits"; packed: PackedHits }
    | { kind: "done"; report: EngineReport }
    | { kind: "idle" }
    | {
      kind: "failed";
      code: ErrorCode;
      message: string;
      details: ErrorDetails;
      cause: Error | undefined;
    }
  );

/** Hits are sent at least this often, for caps and streams. */
const HAND_ON_MS = 10;
/** A worker that has not begun its shard within this many milliseconds leaves it to another. */
const SHARD_MS = 200;
/** A waiting worker checks the queue at least this often. */
const WAIT_MS = 20;
/** Between two searches, the worker looks for the next one at least this often. */
const INDEX_MS = 4;

const scope = self as unknown as {
  onmessage: (event: MessageEvent<WorkerRequest>) => Promise<void>;
  postMessage(reply: WorkerReply): void;
};

/** What stays from one search to the next. */
let cache: WorkerCache | undefined;

/** Loaded while the first request is still on its way. */
const loading = import("./search_worker.ts");

/** Searches that are under way. */
let searches = 0;
/** The indexing of what searches have found, which rests while one is under way. */
let indexing: Generator<void, void> | undefined;

scope.onmessage = async ({ data }) => {
  const { id, cacheBytes } = data;
  searches++;
  // It uses a timer, which a worker for a single search does not need.
  using _work = cacheBytes > 0 ? atWork() : undefined;
  try {
    using search = new WorkerSearch(data);
    const report = await search.work();
    scope.postMessage(report === undefined ? { id, kind: "idle" } : { id, kind: "done", report });
  } catch (thrown) {
    const { code, message, details, cause } = PathgrepError.from(thrown);
    scope.postMessage({
      ...{ id, kind: "failed", code, message, details },
      cause: cloneableCause(cause),
    });
  }
  if (--searches === 0) index();
};

/** Indexes what the cache holds, until the next search begins. */
async function index(): Promise<void> {
  indexing ??= cache?.files.index();
  if (indexing === undefined) return;
  using _work = atWork();
  await turn();
  while (searches === 0 && indexing !== undefined) {
    const until = performance.now() + INDEX_MS;
    while (performance.now() < until) {
      if (!indexing.next().done) continue;
      indexing = undefined;
      return;
    }
    await turn();
  }
}

/** A worker's part in one search. Others may be under way. */
class WorkerSearch implements Disposable {
  readonly #queue: SharedQueue;
  readonly #request: WorkerRequest;
  readonly #slices: Slices;
  #worker: SearchWorker | undefined;
  /** The use of the cache. */
  #use: CacheUse | undefined;

  constructor(request: WorkerRequest) {
    const { walk } = request.job;
    this.#request = request;
    this.#queue = new SharedQueue(request.memory);
    this.#slices = new Slices(walk.allowedRoots[0]!);
  }

  /** Works until nothing is left; its report, unless it came too late to do anything. */
  async work(): Promise<EngineReport | undefined> {
    const queue = this.#queue;
    await loading;
    if (!queue.enter()) return undefined;
    const late = performance.now() + SHARD_MS;
    while (queue.phase !== "stop") {
      const work = this.#take(performance.now() > late);
      if (work.length > 0) {
        await this.#search(work);
        queue.idle();
      } else if (queue.isFinished) break;
      else {
        checkTime(this.#request.job, false);
        await queue.wait(WAIT_MS);
      }
    }
    return this.#worker?.report();
  }

  [Symbol.dispose](): void {
    try {
      this.#worker?.stop(); // closes the file that it was in
    } finally {
      this.#use?.[Symbol.dispose]();
    }
  }

  /** Takes the worker's own shard, an item of the queue, or with `others` the shard of another. */
  #take(others: boolean): WorkItem[] {
    const { shard, job } = this.#request;
    const own = this.#queue.takeShard(shard, others);
    if (own !== undefined) {
      return directoriesOf(job).map((item) => ({ ...item, shard: own }));
    }
    const item = this.#queue.pop();
    return item === undefined ? [] : [item];
  }

  async #begin(): Promise<SearchWorker> {
    const { job, cacheBytes, changePrecision, trust } = this.#request;
    const { SearchWorker } = await loading;
    if (cacheBytes > 0) {
      const { WorkerCache } = await import("../cache/worker_cache.ts");
      cache ??= new WorkerCache(cacheBytes, changePrecision);
      this.#use = cache.begin(trust, job.walk);
    }
    await loadEngines(job.plan);
    return new SearchWorker(job, this.#queue, this.#use);
  }

  async #search(work: readonly WorkItem[]): Promise<void> {
    const worker = this.#worker ??= await this.#begin();
    for (const item of work) worker.accept(item);
    while (worker.hasWork) {
      await this.#slices.run(() => worker.run(performance.now() + HAND_ON_MS));
      if (worker.hits.length === 0) continue;
      const areLarge = worker.hits.some((hit) => hit.isTruncated);
      if (areLarge) this.#queue.sendLargeHits();
      scope.postMessage({ id: this.#request.id, kind: "hits", packed: packHits(worker.hits) });
      worker.hits = [];
      if (areLarge) await this.#queue.largeHitsTaken(WAIT_MS);
    }
  }
}
