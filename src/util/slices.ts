/**
 * Shares the main thread: long work runs in slices, one after the other, and between any two of them the
 * event loop gets a turn.
 *
 * @module
 */

import { turn } from "./turn.ts";

/** A slice that takes longer is slow: something in it cannot be interrupted. */
const SLOW_MS = 50;
/** How long the event loop runs alone after a slow slice: pending messages may take several turns. */
const REST_MS = 10;

/** Resolves once the last slice that was asked for is through, and others have had their turn. */
let last: Promise<void> = Promise.resolve();

/** A piece of work that runs in slices. */
export class Slices {
  readonly #path: string;

  /** @param path a path that may be read */
  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a slice when its turn comes, and resolves to its result or rejects with its error. */
  run<T>(slice: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    last = last.then(async () => {
      await turn(this.#path);
      const started = performance.now();
      try {
        resolve(slice());
      } catch (thrown) {
        reject(thrown);
      }
      if (performance.now() - started > SLOW_MS) {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
    });
    return promise;
  }
}
