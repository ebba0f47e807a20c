/**
 * Changes of files, as the system reports them.
 *
 * @module
 */

import type { FileWatcher } from "./types.ts";

/** Watches paths, but of directories only their own entries. */
export function watch(paths: readonly string[]): FileWatcher {
  return Deno.watchFs([...paths], { recursive: false });
}
