/**
 * A worker's side of searches. It joins the queue of one after the other, works until nothing is left in
 * it, and reports.
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
import type { EngineReport, SearchJob } from "../searcher/job.ts";
import { SearchPulse } from "../searcher/search_pulse.ts";
import { atWork } from "../util/heap.ts";
import { turn } from "../util/turn.ts";
import { type PackedHits, packHits } from "./packed_hits.ts";
import { SharedQueue, type WorkItem } from "./shared_queue.ts";
import { loadEngines } from "../regex/matcher.ts";
import type { WorkerCache } from "../cache/worker_cache.ts";
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
  /** The index of the shard whose files it may have cached; a worker without one takes any at once. */
  shard: number | undefined;
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
  onmessage: (event: MessageEvent<WorkerRequest>) => void;
  postMessage(reply: WorkerReply): void;
};

/** What stays from one search to the next. */
let cache: WorkerCache | undefined;

/** Loaded while the first request is still on its way. */
const loading = import("./search_worker.ts");

/** Searches that wait or are under way, one after the other. */
let searches = 0;
let last: Promise<void> = Promise.resolve();
/** The indexing of what searches have found, which rests while one is under way. */
let indexing: Generator<void, void> | undefined;

scope.onmessage = ({ data }) => {
  searches++;
  last = last.then(() => serve(data));
};

/** Takes part in a search, and replies. */
async function serve(request: WorkerRequest): Promise<void> {
  const { id, job, cacheBytes, changePrecision } = request;
  // It uses a timer, which a worker for a single search does not need.
  using _work = cacheBytes > 0 ? atWork() : undefined;
  try {
    const { SearchWorker } = await loading;
    await loadEngines(job.plan);
    if (cacheBytes > 0) {
      const { WorkerCache } = await import("../cache/worker_cache.ts");
      cache ??= new WorkerCache(cacheBytes, changePrecision);
    }
    const report = work(request, SearchWorker);
    scope.postMessage(report === undefined ? { id, kind: "idle" } : { id, kind: "done", report });
  } catch (thrown) {
    const { code, message, details, cause } = PathgrepError.from(thrown);
    scope.postMessage({
      ...{ id, kind: "failed", code, message, details },
      cause: cloneableCause(cause),
    });
  }
  if (--searches === 0) index();
}

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

/** Works on a search until nothing is left; the report, unless it came too late to do anything. */
function work(
  { id, job, memory, trust, shard }: WorkerRequest,
  Worker: typeof SearchWorker,
): EngineReport | undefined {
  const queue = new SharedQueue(memory);
  if (!queue.enter()) return undefined;
  const pulse = new SearchPulse(job, () => false);
  const late = shard === undefined ? 0 : performance.now() + SHARD_MS;
  /** The use of the cache and the thread's part, once there is work for it. */
  using use = new DisposableStack();
  let worker: SearchWorker | undefined;
  while (queue.phase !== "stop") {
    const items = take(queue, job, shard, performance.now() > late);
    if (items.length === 0) {
      if (queue.isFinished) break;
      pulse.look();
      queue.wait(WAIT_MS);
      continue;
    }
    if (worker === undefined) {
      worker = new Worker(job, queue, cache && use.use(cache.begin(trust, job.walk)));
      use.adopt(worker, (worker) => worker.stop()); // closes the file that it was in
    }
    for (const item of items) worker.accept(item);
    while (worker.hasWork) {
      worker.run(performance.now() + HAND_ON_MS);
      if (worker.hits.length > 0) handOn(id, queue, worker);
    }
    queue.idle();
  }
  return worker?.report();
}

/** Takes the worker's own shard, an item of the queue, or with `others` the shard of another. */
function take(
  queue: SharedQueue,
  job: SearchJob,
  shard: number | undefined,
  others: boolean,
): WorkItem[] {
  const own = queue.takeShard(shard, others);
  if (own !== undefined) return directoriesOf(job).map((item) => ({ ...item, shard: own }));
  const item = queue.pop();
  return item === undefined ? [] : [item];
}

/** Sends what a worker has found. */
function handOn(id: number, queue: SharedQueue, worker: SearchWorker): void {
  const areLarge = worker.hits.some((hit) => hit.isTruncated);
  if (areLarge) queue.sendLargeHits();
  scope.postMessage({ id, kind: "hits", packed: packHits(worker.hits) });
  worker.hits = [];
  if (areLarge) queue.waitForLargeHits(WAIT_MS);
}
