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
import type { CacheTicket } from "../cache/thread_cache.ts";
import { Files } from "../read/files.ts";
import { loadLog } from "./skip_report.ts";
import { loadReader } from "../read/file_reader.ts";
import type { EngineReport, FileHit, SearchJob } from "./job.ts";
import { SearchPulse } from "./search_sink.ts";
import { SharedQueue } from "./queues.ts";
import { threadPort } from "../system/platform.ts";
import { loadSearcher } from "../read/line_searcher.ts";
import type { SearchWorker } from "./search_worker.ts";

export interface WorkerRequest {
  id: number;
  job: SearchJob;
  memory: SharedArrayBuffer;
  /** The ticket with which it opens its cache, if it has one. */
  ticket: CacheTicket | undefined;
  /** The index of the part whose files it may have cached; a worker without one takes any at once. */
  part: number | undefined;
}

/** A worker's answer; `idle`: no work was left for it. */
export type WorkerReply =
  & { id: number }
  & (
    | { kind: "hits"; hits: FileHit[] }
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
/** A worker that has not begun its part within this many milliseconds leaves it to another. */
const PART_MS = 200;
/** A waiting worker checks the queue at least this often. */
const WAIT_MS = 20;

const scope = threadPort();

/** Loaded while the first request is still on its way. */
const loading = import("./search_worker.ts");

/** The module of the thread's cache, if it has one. */
let cache: typeof import("../cache/thread_cache.ts") | undefined;

/** The last of the searches that wait or are under way, one after the other. */
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  last = last.then(() => serve(data));
};

function send(reply: WorkerReply): void {
  scope.postMessage(reply);
}

async function serve(request: WorkerRequest): Promise<void> {
  const { id, job, ticket } = request;
  try {
    const { loadWalker, SearchWorker } = await loading;
    await loadWalker(job);
    await loadSearcher(job);
    await loadReader(job);
    await loadLog(job.walk.isLogged);
    if (ticket !== undefined) cache ??= await import("../cache/thread_cache.ts");
    const open = () => ticket === undefined ? new Files() : cache!.openCached(job, ticket);
    const report = work(request, SearchWorker, open);
    send(report === undefined ? { id, kind: "idle" } : { id, kind: "done", report });
  } catch (thrown) {
    const { code, message, details, cause } = PathgrepError.from(thrown);
    send({
      ...{ id, kind: "failed", code, message, details },
      cause: cloneableCause(cause),
    });
  }
}

/** Works on a search until nothing is left; the report, unless it came too late to do anything. */
function work(
  { id, job, memory, part }: WorkerRequest,
  Worker: typeof SearchWorker,
  openFiles: () => Files,
): EngineReport | undefined {
  const queue = new SharedQueue(memory);
  // Only who has met all files knows which of them were met before.
  if (!queue.enter(job.walk.mayRepeat)) return undefined;
  const pulse = new SearchPulse(job, () => false);
  const late = part === undefined ? 0 : performance.now() + PART_MS;
  // What the thread's part uses, once there is work for it.
  let files: Files | undefined;
  let worker: SearchWorker | undefined;
  try {
    while (queue.phase !== "stop") {
      const own = queue.takePart(part, performance.now() > late);
      const item = own === undefined ? queue.pop() : undefined;
      if (own === undefined && item === undefined) {
        if (queue.isFinished) break;
        // Nobody waits for a worker that took no part: its error would count as another's.
        if (worker !== undefined) pulse.look();
        queue.wait(WAIT_MS);
        continue;
      }
      files ??= openFiles();
      worker ??= new Worker(job, queue, files);
      if (own !== undefined) worker.acceptPart(own);
      if (item !== undefined) worker.accept(item);
      while (worker.hasWork) {
        worker.run(performance.now() + HAND_ON_MS);
        if (worker.hits.length > 0) handOn(id, queue, worker);
      }
      queue.idle();
    }
    return worker?.report();
  } finally {
    worker?.stop(); // closes the file that it was in
    files?.[Symbol.dispose]();
  }
}

function handOn(id: number, queue: SharedQueue, worker: SearchWorker): void {
  const areLarge = worker.hits.some((hit) => hit.isTruncated);
  if (areLarge) queue.sendLargeHits();
  send({ id, kind: "hits", hits: worker.hits });
  worker.hits = [];
  if (areLarge) queue.waitForLargeHits(WAIT_MS);
}
