/**
 * Denies questions that are not answered in time.
 *
 * @module
 */

import type { PermissionAnswer, PermissionRequest, PermissionRequester } from "./requester.ts";

/** Milliseconds until an unanswered question is denied, by default. */
export const PERMISSION_TIMEOUT = 120_000;

/** A requester whose questions are denied after a number of milliseconds; 0: never. */
export function timedRequester(
  requester: PermissionRequester,
  milliseconds: number,
): PermissionRequester {
  if (milliseconds === 0) return requester;
  return {
    async request(request: PermissionRequest): Promise<PermissionAnswer> {
      const controller = new AbortController();
      const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
      const timer = setTimeout(() => {
        resolve("deny");
        controller.abort(); // takes the question off the screen
      }, milliseconds);
      const signal = request.signal === undefined
        ? controller.signal
        : AbortSignal.any([request.signal, controller.signal]);
      try {
        return await Promise.race([requester.request({ ...request, signal }), promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
