/**
 * A question that is not answered in time is answered: deny.
 *
 * @module
 */

import type { PermissionAnswer, PermissionRequest, PermissionRequester } from "./requester.ts";

/** Milliseconds until an unanswered question means deny, unless another limit is given. */
export const PERMISSION_TIMEOUT = 120_000;

/** A requester whose questions end after so many milliseconds; 0: never. */
export function timedRequester(
  requester: PermissionRequester,
  milliseconds: number,
): PermissionRequester {
  if (milliseconds === 0) return requester;
  return {
    async request(request: PermissionRequest): Promise<PermissionAnswer> {
      const ender = new AbortController();
      const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
      const timer = setTimeout(() => {
        resolve("deny");
        ender.abort(); // takes the question off the screen
      }, milliseconds);
      const signal = request.signal === undefined
        ? ender.signal
        : AbortSignal.any([request.signal, ender.signal]);
      try {
        const asked = requester.request({ ...request, signal });
        asked.catch(() => {}); // it may fail after its time
        return await Promise.race([asked, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
