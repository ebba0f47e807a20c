/**
 * A worker's side of a search. It joins the board, works until nothing is left, and reports.
 *
 * @module
 */

import { type ErrorCode, type ErrorDetails, PathgrepError } from "../../util/errors.ts";
import type { Trust } from "../../walk/tree_watch.ts";
import { emptyReport, type EngineReport, type FileHit, type SearchJob } from "../engine.ts";
import { Board, type WorkItem } from "./board.ts";
import type { ThreadMemory } from "./memory.ts";
import type { SurveyTask } from "./survey.ts";
import type { SearchThread } from "./thread.ts";

/** What a worker is asked. */
export interface WorkerRequest {
  id: number;
  job: SearchJob;
  memory: SharedArrayBuffer;
  /** Bytes that the worker may keep for later searches; 0: none. */
  cacheBytes: number;
  /** What it has kept and need not look at again. */
  trust: Trust | undefined;
  /** Whether it is called to survey a large file, and may have nothing else to do. */
  isSurveyor: boolean;
}

/** What a worker answers; `late`: the search was over before it could join. */
export type WorkerReply =
  & { id: number }
  & (
    | { kind: "hits"; hits: FileHit[] }
    | { kind: "done"; report: EngineReport }
    | { kind: "late" }
    | { kind: "failed"; code: ErrorCode; message: string; details: ErrorDetails }
  );

/** Hits are handed on at least this often, so that caps and streams hear of them. */
const HAND_ON_MS = 10;
/** A waiting worker looks up at least this often. */
const WAIT_MS = 20;

const scope = self as unknown as {
  onmessage: (event: MessageEvent<WorkerRequest>) => Promise<void>;
  postMessage(reply: WorkerReply): void;
};

/** What is kept from one search to the next. */
let kept: ThreadMemory | undefined;

scope.onmessage = async ({ data }) => {
  const { id } = data;
  try {
    const search = new WorkerSearch(data);
    if (!data.isSurveyor) await search.prepare();
    if (!search.board.join("idle")) {
      scope.postMessage({ id, kind: "late" });
      return;
    }
    await search.work();
    scope.postMessage({ id, kind: "done", report: search.report() });
  } catch (thrown) {
    const { code, message, details } = PathgrepError.from(thrown);
    scope.postMessage({ id, kind: "failed", code, message, details });
  }
};

/** A worker's part in one search. What it may not need is loaded when it does. */
class WorkerSearch {
  readonly board: Board;
  readonly #request: WorkerRequest;
  #thread: SearchThread | undefined;

  constructor(request: WorkerRequest) {
    this.#request = request;
    this.board = new Board(request.memory);
  }

  /** Gets ready to list directories and to read files. */
  async prepare(): Promise<SearchThread> {
    if (this.#thread !== undefined) return this.#thread;
    const { job, cacheBytes, trust } = this.#request;
    if (cacheBytes > 0) {
      const { ThreadMemory } = await import("./memory.ts");
      kept ??= new ThreadMemory(cacheBytes);
      kept.begin(trust);
    }
    const { SearchThread } = await import("./thread.ts");
    return this.#thread = new SearchThread(job, this.board, kept);
  }

  /** Works until nothing is left. */
  async work(): Promise<void> {
    const { board } = this;
    while (board.phase !== "stop") {
      const item = board.take();
      if (item === undefined) {
        if (board.isFinished) return;
        board.wait(WAIT_MS);
        continue;
      }
      if (item.survey === undefined) this.#search(await this.prepare(), item);
      else await this.#survey(item.path, item.survey);
      board.rest();
    }
  }

  /** What it has done. */
  report(): EngineReport {
    return this.#thread?.report() ?? emptyReport("js");
  }

  #search(thread: SearchThread, item: WorkItem): void {
    thread.accept(item);
    while (thread.hasWork) {
      thread.run(performance.now() + HAND_ON_MS);
      if (thread.hits.length > 0) {
        scope.postMessage({ id: this.#request.id, kind: "hits", hits: thread.hits });
        thread.hits = [];
      }
    }
  }

  async #survey(path: string, task: SurveyTask): Promise<void> {
    const { Surveyor } = await import("./surveyor.ts");
    const { board } = this;
    const surveyor = new Surveyor(path, task, board.survey, this.#request.job.plan.need);
    while (board.phase !== "stop" && surveyor.run(performance.now() + HAND_ON_MS));
  }
}
