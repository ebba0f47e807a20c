/**
 * Workers, kept from one search to the next.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import type { TreeWatch, Trust } from "../../walk/tree_watch.ts";
import type { EngineReport, FileHit, SearchJob } from "../engine.ts";
import { Board } from "./board.ts";
import type { ThreadMemory } from "./memory.ts";
import type { WorkerReply, WorkerRequest } from "./worker.ts";

/** A search's hold on one worker. */
export interface WorkerRun {
  /** Takes the worker's hits as they come. */
  onHits: (hits: FileHit[]) => void;
  /** Takes its report, or nothing when it came too late. */
  onEnd: (report: EngineReport | undefined) => void;
  /** Takes its failure. */
  onError: (error: PathgrepError) => void;
}

/**
 * Never called. That it names the worker's module makes Deno download and compile it with all others,
 * so that a worker starts without a network.
 */
export const workerModule = (): Promise<unknown> => import("./worker.ts");

/** Starts workers where that can be done, and hands searches to them. */
export class WorkerPool {
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #boards: Board[] = [];
  readonly #cacheBytes: number;
  readonly #watch: TreeWatch | undefined;
  #memory: ThreadMemory | undefined;
  #nextId = 1;

  /**
   * @param cacheBytes what all threads together may keep from one search to the next; 0: nothing
   * @param watch tells what of it need not be looked at again
   */
  constructor(cacheBytes = 0, watch?: TreeWatch) {
    this.#cacheBytes = Math.floor(cacheBytes / (WorkerPool.size + 1));
    this.#watch = watch;
  }

  /**
   * What the main thread remembers, if anything is kept, and what need not be looked at again.
   *
   * @param job the search that is to come
   * @param signal ends the waiting for word of changes
   */
  async remember(
    { walk, deadline }: SearchJob,
    signal: AbortSignal,
  ): Promise<{ memory?: ThreadMemory; trust?: Trust | undefined }> {
    if (this.#cacheBytes === 0) return {};
    const { ThreadMemory } = await import("./memory.ts");
    const trust = await this.#watch?.trust(walk.confines, signal, deadline);
    const memory = this.#memory ??= new ThreadMemory(this.#cacheBytes);
    return { memory, trust };
  }

  /** A board for one search. */
  takeBoard(): Board {
    const board = this.#boards.pop() ?? new Board();
    board.clear();
    return board;
  }

  /** Keeps a board that no thread uses any more: a new one each time would fill the memory. */
  giveBack(board: Board): void {
    this.#boards.push(board);
  }

  /** Workers beside the main thread, at most. More threads than cores only wait for each other. */
  static readonly size: number = Math.max(0, Math.min(navigator.hardwareConcurrency, 8) - 1);

  /**
   * Whether workers can start. From a local file, a worker has to be allowed to read its own
   * source; where it is not, the main thread searches alone.
   */
  static get isAvailable(): boolean {
    if (WorkerPool.size === 0) return false;
    const module = new URL("./worker.ts", import.meta.url);
    if (module.protocol !== "file:" || Deno.build.standalone) return true;
    const path = new URL("../../", module); // it imports from all over the source
    return Deno.permissions.querySync({ name: "read", path }).state === "granted";
  }

  /** Workers that wait and were started before. */
  get idle(): number {
    return this.#idle.length;
  }

  /**
   * Hands a search to one more worker; the function returned ends that worker. Returns nothing when
   * other searches have all of them: the main thread can do without.
   *
   * @param isSurveyor whether the worker may have nothing to do but to survey a large file
   */
  run(
    job: SearchJob,
    memory: SharedArrayBuffer,
    trust: Trust | undefined,
    isSurveyor: boolean,
    run: WorkerRun,
  ): (() => void) | undefined {
    if (this.#idle.length === 0 && this.#all.size >= WorkerPool.size) return undefined;
    const worker = this.#idle.pop() ?? this.#startWorker();
    const id = this.#nextId++;
    const release = () => {
      worker.onmessage = worker.onerror = null;
      this.#idle.push(worker);
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      if (data.id !== id) return;
      if (data.kind === "hits") return run.onHits(data.hits);
      release();
      if (data.kind === "failed") {
        run.onError(new PathgrepError(data.code, data.message, data.details));
      } else {
        run.onEnd(data.kind === "done" ? data.report : undefined);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault(); // else the whole process would end
      this.#end(worker);
      run.onError(new PathgrepError("search_failed", `a worker failed: ${event.message}`));
    };
    const cacheBytes = this.#cacheBytes;
    worker.postMessage(
      { id, job, memory, cacheBytes, trust, isSurveyor } satisfies WorkerRequest,
    );
    return () => this.#end(worker);
  }

  /** Ends every worker, and forgets what is kept. */
  close(): void {
    this.#memory = undefined;
    for (const worker of this.#all) this.#end(worker);
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      type: "module",
      name: "pathgrep",
    });
    this.#all.add(worker);
    return worker;
  }

  #end(worker: Worker): void {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}
