/**
 * Shares one thread: long work runs in slices, and between any two slices the event loop gets a turn.
 *
 * @module
 */

import { turn } from "./turn.ts";

/** A slice that takes longer is slow: something in it cannot pause. */
const SLOW_MS = 50;
/** How long the event loop runs alone after a slow slice: pending messages may take several turns. */
const REST_MS = 10;

/** A slice that waits for its turn. */
interface Waiting {
  work: () => void;
  /** A path that may be read. */
  path: string;
}

/** Slices that wait. Work whose last slice was slow waits until quick work has had as much time. */
const quick: Waiting[] = [];
const slow: Waiting[] = [];
let isRunning = false;

/** Runs waiting slices, one after the other, until none is left. */
async function runSlices(path: string): Promise<void> {
  isRunning = true;
  /** Milliseconds left for quick slices before the next slow one. */
  let credit = 0;
  for (;;) {
    await turn(path);
    const isQuick = quick.length > 0 && (credit > 0 || slow.length === 0);
    const next = isQuick ? quick.shift() : slow.shift();
    if (next === undefined) break;
    const started = performance.now();
    next.work();
    const took = performance.now() - started;
    credit = isQuick ? credit - took : took;
    if (took > SLOW_MS) await new Promise((resolve) => setTimeout(resolve, REST_MS));
    path = next.path;
  }
  isRunning = false;
}

/** A piece of work that runs in slices. */
export class Slices {
  readonly #path: string;
  #isSlow = false;

  /** @param path a path that may be read */
  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a slice when its turn comes, and resolves to its result or rejects with its error. */
  run<T>(slice: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const work = () => {
      const started = performance.now();
      try {
        resolve(slice());
      } catch (thrown) {
        reject(thrown);
      }
      this.#isSlow = performance.now() - started > SLOW_MS;
    };
    (this.#isSlow ? slow : quick).push({ work, path: this.#path });
    if (!isRunning) runSlices(this.#path);
    return promise;
  }
}
