/**
 * Directories that cannot be a project, and so not a workspace unless they are named.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { isGranted } from "../util/permissions.ts";

/** The usual home directories, and the directories that hold them; on Windows also those of WSL. */
const HOMES =
  /^(?:[A-Za-z]:|\\\\wsl[^\\]*\\[^\\]+)?[\\/](?:(?:home|Users)(?:[\\/][^\\/]+)?|root|(?:private[\\/])?var[\\/]root)$/u;

/** Whether a directory is a file system's root or a home directory, as far as the environment may be read. */
export function isTooWide(directory: string): boolean {
  if (platform.dirname(directory) === directory || HOMES.test(directory)) return true;
  return ["HOME", "USERPROFILE"].some((variable) => {
    const home = isGranted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
    if (!home) return false;
    try {
      return Deno.realPathSync(home) === directory;
    } catch {
      return platform.resolve(home) === directory; // it may not be inspected, or does not exist
    }
  });
}
