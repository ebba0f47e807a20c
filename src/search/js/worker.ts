/**
 * A worker's side of a search. It joins the board, works until nothing is left, and reports.
 *
 * @module
 */

import { type ErrorCode, type ErrorDetails, PathgrepError } from "../../errors.ts";
import type { Trust } from "../../walk/tree_watch.ts";
import type { EngineReport, FileHit, SearchJob } from "../engine.ts";
import { Board } from "./board.ts";
import type { ThreadMemory } from "./memory.ts";
import { SearchThread } from "./thread.ts";

/** What a worker is asked. */
export interface WorkerRequest {
  id: number;
  job: SearchJob;
  memory: SharedArrayBuffer;
  /** Bytes that the worker may keep for later searches; 0: none. */
  cacheBytes: number;
  /** What it has kept and need not look at again. */
  trust: Trust | undefined;
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

scope.onmessage = async ({ data: { id, job, memory, cacheBytes, trust } }) => {
  const board = new Board(memory);
  try {
    if (cacheBytes > 0) {
      const { ThreadMemory } = await import("./memory.ts");
      kept ??= new ThreadMemory(cacheBytes);
      kept.begin(trust);
    }
    const thread = new SearchThread(job, board, kept);
    if (!board.join("idle")) {
      scope.postMessage({ id, kind: "late" });
      return;
    }
    work(id, thread, board);
    scope.postMessage({ id, kind: "done", report: thread.report() });
  } catch (thrown) {
    const { code, message, details } = PathgrepError.from(thrown);
    scope.postMessage({ id, kind: "failed", code, message, details });
  }
};

function work(id: number, thread: SearchThread, board: Board): void {
  while (board.phase !== "stop") {
    const item = board.take();
    if (item === undefined) {
      if (board.isFinished) return;
      board.wait(WAIT_MS);
      continue;
    }
    thread.accept(item);
    while (thread.hasWork) {
      thread.run(performance.now() + HAND_ON_MS);
      if (thread.hits.length > 0) {
        scope.postMessage({ id, kind: "hits", hits: thread.hits });
        thread.hits = [];
      }
    }
    board.rest();
  }
}
