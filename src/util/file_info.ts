/**
 * Looks up a path.
 *
 * @module
 */

/** What a path names, which may be a link; nothing if it does not exist or cannot be accessed. */
export function infoAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}
