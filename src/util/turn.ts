/**
 * Waits that cost no timer. In each thread the first use of a timer, of `setImmediate` or of a message port
 * takes 6 to 8 ms, in which Deno loads Node's: longer than many a search.
 *
 * @module
 */

import { lstatAsync } from "../system/files.ts";

/** A wait cannot be longer: timers go off at once, and so does this one. */
const MAX_MS = 2 ** 31 - 1;
/** Memory that is never notified: a wait for it serves as a timer. */
const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Gives the event loop a turn.
 *
 * @param path a path that may be read: any asynchronous operation yields, and that of `lstat` costs next to
 * nothing @default a timer, where they are in use anyway; others that are due get their turn as well
 */
export async function turn(path?: string): Promise<void> {
  if (path === undefined) await new Promise((resolve) => setTimeout(resolve, 0));
  else await lstatAsync(path).catch(() => {});
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
