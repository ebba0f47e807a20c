/**
 * What a process finds at the roots' paths, which may be something else in a container that shares the
 * socket.
 *
 * @module
 */

import { mayRead } from "../util/permissions.ts";

/** Names the mounts that a process sees, on Linux. */
const MOUNTS = "/proc/self/ns/mnt";

/**
 * The identity of each root, and of the mounts where Deno lets them be read.
 *
 * @param roots canonical
 */
export function viewOf(roots: readonly string[]): string[] {
  const view = roots.map((root) => {
    const { dev, ino } = Deno.lstatSync(root);
    return `${dev}:${ino}`;
  });
  try {
    return mayRead(MOUNTS) ? [...view, Deno.readLinkSync(MOUNTS)] : view;
  } catch {
    return view;
  }
}

/** Whether two processes find the same, as far as both know. */
export function isSameView(one: readonly string[], other: readonly string[]): boolean {
  return one.every((each, index) => index >= other.length || other[index] === each);
}
