/**
 * What ends in time, on a machine that may stand still for seconds.
 *
 * @module
 */

import assert from "node:assert/strict";

/** Far from the thirty seconds after which a search ends by itself. */
const SOON_MS = 10_000;

/** Holds that what began then was ended, and did not run on to the limit that every search has. */
export function assertSoon(started: number): void {
  const took = performance.now() - started;
  assert.ok(took < SOON_MS, `took ${Math.round(took)} ms`);
}

/**
 * How long the quickest of three runs takes, in milliseconds: where the machine stands still in one, it
 * hardly does in all of them.
 *
 * @param run resolves to its start, as `performance.now()` tells it
 */
export async function quickest(run: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 3; index++) {
    const started = await run();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

/** It took longer than it may: of a machine that stands still now and then, one such time says nothing. */
class Late extends Error {}

/**
 * Holds how long something took. To be called in {@linkcode inThreeTries}.
 *
 * @param took milliseconds
 * @param bound milliseconds that it may take
 * @param what what took them
 */
export function assertInTime(took: number, bound: number, what: string): void {
  if (!(took < bound)) {
    throw new Late(`${what} took ${Math.round(took)} ms, which may be ${bound}`);
  }
}

/** Runs a test up to three times: what is late each time is late because of pathgrep. */
export function inThreeTries<Arguments extends unknown[]>(
  run: (...args: Arguments) => void | Promise<void>,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    for (let again = 2;; again--) {
      try {
        return await run(...args);
      } catch (error) {
        if (!(error instanceof Late) || again === 0) throw error;
      }
    }
  };
}

/**
 * Runs what needs a time limit that is long enough for a part of a search, and that the rest would exceed
 * however long it is. The limit is short at first: where that fails, the machine may have been too slow,
 * and it is tried again with four times as much, twice.
 *
 * @param run gets the limit in milliseconds
 * @param limit the first one
 */
export async function withTimeFor(
  run: (limit: number) => Promise<void>,
  limit = 250,
): Promise<void> {
  for (let again = 2;; again--, limit *= 4) {
    try {
      return await run(limit);
    } catch (error) {
      if (again === 0) throw error;
    }
  }
}
