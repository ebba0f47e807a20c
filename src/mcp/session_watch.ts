/**
 * Watches the workspace of an MCP session, whatever roots the client has by now.
 *
 * @module
 */

import { TreeWatch } from "../cache/tree_watch.ts";
import type { WorkerPool } from "../parallel/worker_pool.ts";

/** The watch of a pool's searches. It begins after the first of them, whose answer waits for nothing. */
export class SessionWatch {
  readonly #pool: WorkerPool;
  #roots: readonly string[] = [];
  /** Under way from one list of roots to the next. */
  #change: Promise<void> = Promise.resolve();

  /** @param pool whose searches learn what has changed */
  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  /** Watches these roots from now on. */
  follow(roots: readonly string[]): void {
    const isSame = roots.length === this.#roots.length &&
      roots.every((root, index) => root === this.#roots[index]);
    if (isSame) return;
    this.#roots = roots;
    this.#change = this.#change.then(async () => {
      const { watch } = this.#pool;
      this.#pool.watch = undefined;
      await watch?.close(); // a process has one watch at a time
      const next = this.#pool.watch = new TreeWatch(roots, undefined, false);
      await next.watchAll();
    });
  }
}
