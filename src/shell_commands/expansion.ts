/**
 * Whether a shell would replace a glob by names: then the command is not the one that was written.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import { readDirectory } from "../system/files.ts";
import { join } from "../util/path.ts";
import { shellGlob } from "./shell_words.ts";

/**
 * Whether names in a directory may match a glob there. What the guard blocks counts as absent, so that the
 * answer does not depend on it.
 *
 * @param pattern a path, with a backslash before what is quoted
 */
export function mayExpand(pattern: string, directory: string, guard: Guard): boolean {
  if (pattern.startsWith("/")) return true;
  return hasMatch(pattern.split("/"), directory, guard);
}

function hasMatch([part, ...rest]: readonly string[], directory: string, guard: Guard): boolean {
  if (part === undefined) return true;
  if (part === "..") return true; // elsewhere, which is not looked at
  const found = guard.follow(directory);
  if (found.state === "outside") return true;
  if (found.state !== "found" || !found.info.isDirectory) return false;
  const name = shellGlob(part);
  return entryNames(found.path, guard).some((entry) => {
    const isMatch = (!entry.startsWith(".") || part.startsWith(".")) && name.test(entry);
    if (!isMatch || part.includes("**")) return isMatch;
    return rest.length === 0 || hasMatch(rest, join(directory, entry), guard);
  });
}

function entryNames(directory: string, guard: Guard): string[] {
  try {
    return [".", ...[...readDirectory(directory)].map(({ name }) => name)]
      .filter((name) => !guard.isBlocked(join(directory, name)));
  } catch {
    return [];
  }
}
