/**
 * Long work: the only way to end it, and how it shares the main thread, in slices, between any two of
 * which the event loop gets a turn; and waits that cost no timer. In each thread the first use of a timer, of
 * `setImmediate` or of a message port takes 6 to 8 ms, in which Deno loads Node's: longer than many a search.
 *
 * @module
 */

import { eventTurn } from "../system/platform.ts";

export interface Pulse {
  /**
   * Counts work done.
   *
   * @param steps roughly one for each character, entry or state looked at
   * @throws {PathgrepError} `search_timed_out`, `cancelled` once the search has to end
   */
  beat(steps: number): void;
}

/** Never ends anything. */
export const ENDLESS: Pulse = { beat() {} };

/** A wait cannot be longer: timers go off at once, and so does this one. */
const MAX_MS = 2 ** 31 - 1;
/** Memory that is never notified: a wait for it serves as a timer. */
const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Gives the event loop a turn.
 *
 * @param path a path that may be read @default a timer, where they are in use anyway; others that are due
 * get their turn as well
 */
export async function turn(path?: string): Promise<void> {
  if (path === undefined) await new Promise((resolve) => setTimeout(resolve, 0));
  else await eventTurn(path);
}

/**
 * Waits for a promise, but not for long. This alone keeps no process alive: something else has to be under
 * way, such as what is waited for.
 *
 * @returns the promise's outcome; nothing when it takes longer
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.resolve(Atomics.waitAsync(never, 0, 0, Math.min(ms, MAX_MS)).value);
  return await Promise.race([promise, late.then(() => undefined)]);
}

/**
 * Settles as a promise does, unless the signal is aborted first.
 *
 * @throws the signal's reason, once it is aborted
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Milliseconds of a slice where nothing else is known. */
const SLICE_MS = 8;
/** A slice that takes longer is slow: something in it cannot be interrupted. */
const SLOW_MS = 50;
/** How long the event loop runs alone after a slow slice: pending messages may take several turns. */
const REST_MS = 10;

/** Resolves once the last slice that was asked for is through, and others have had their turn. */
let last: Promise<void> = Promise.resolve();

/** A piece of work that runs in slices. */
export class Slices {
  readonly #path: string;
  /** When the current slice began. */
  #began = performance.now();

  /** @param path a path that may be read */
  constructor(path: string) {
    this.#path = path;
  }

  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Ends a slice that is over: what follows is the next one. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    if (this.#isSlow) last = last.then(rest);
    await this.run(() => {});
  }

  /** Runs a slice when its turn comes, and resolves to its result or rejects with its error. */
  run<T>(slice: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    last = last.then(async () => {
      await turn(this.#path);
      this.#began = performance.now();
      try {
        resolve(slice());
      } catch (thrown) {
        reject(thrown);
      }
      if (this.#isSlow) await rest();
    });
    return promise;
  }

  get #isSlow(): boolean {
    return performance.now() - this.#began > SLOW_MS;
  }
}

async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
}
