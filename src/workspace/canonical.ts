/**
 * Canonical paths: every symbolic link resolved, through the deepest ancestor that exists.
 *
 * The links are walked here, not by `Deno.realPath`, because a link whose target does not exist
 * still leads somewhere, and that somewhere must be known before it is held against the roots.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { isWithin } from "./paths.ts";

/** Linux gives up at the same number. */
const MAX_LINKS = 40;

/** Where a path leads: something that exists, or the place where it would be. */
export type CanonicalPath =
  | { exists: true; path: string; info: Deno.FileInfo }
  | { exists: false; path: string };

/**
 * Follows a path to its canonical form. The deepest existing ancestor is made canonical; what does
 * not exist below it is appended as given.
 *
 * Outside the trusted directories nothing is reported: a path there that cannot be read counts as
 * one that does not exist, and Deno is never made to ask for a permission.
 *
 * @param path a normalised absolute path
 * @param trusted canonical directories in which failures are reported and Deno may refuse
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported` (a loop of links)
 */
export function canonicalPath(path: string, trusted: readonly string[]): CanonicalPath {
  let { current, pending } = startOf(path, trusted);
  let info: Deno.FileInfo | undefined;
  let links = 0;
  /** Where a link led out of the trusted directories, if one did. */
  let outside: string | undefined;
  const isTrusted = (place: string) => trusted.some((root) => isWithin(root, place));
  let isInside = isTrusted(current);
  while (pending.length > 0) {
    const segment = pending.shift()!;
    if (segment === "..") {
      current = platform.dirname(current);
      info = undefined;
      continue;
    }
    const next = platform.join(current, segment);
    const inside = isTrusted(next);
    const isAncestor = !inside && trusted.some((root) => isWithin(next, root));
    if (isInside && !inside && !isAncestor) outside ??= next;
    isInside ||= inside;
    info = inside || mayRead(next) ? lstat(next, inside, pending) : undefined;
    if (info === undefined) {
      const missing = platform.join(next, ...pending);
      if (!pending.includes("..")) return confirmed({ exists: false, path: missing });
      // Back above what does not exist there may be links again.
      ({ current, pending } = startOf(missing, trusted));
      continue;
    }
    if (!info.isSymlink) {
      current = next;
      continue;
    }
    if (++links > MAX_LINKS) {
      if (!inside || outside !== undefined) return { exists: false, path: outside ?? next };
      throw new PathgrepError(
        "path_unsupported",
        `Path is neither a file nor a directory: ${path}`,
        {
          resolved_path: path,
          hint: "its symbolic links form a loop; name the file or directory that was meant",
        },
      );
    }
    const target = readLink(next);
    if (target === undefined) {
      pending.unshift(segment); // replaced since it was looked at: look again
      continue;
    }
    if (platform.isAbsolute(target)) {
      const start = startOf(target, trusted);
      current = start.current;
      pending = [...start.pending, ...pending];
    } else {
      pending = [...segments(target), ...pending];
    }
    info = undefined;
  }
  const found = info ?? lstat(current, isTrusted(current));
  if (found === undefined) return confirmed({ exists: false, path: current });
  // Asks the file system for its own spelling where letter case does not count.
  const spelt = Deno.build.os === "linux" ? current : Deno.realPathSync(current);
  return confirmed({ exists: true, path: spelt, info: found });

  /** A link that leads out and back in would tell what exists on its way: it counts as outside. */
  function confirmed(canonical: CanonicalPath): CanonicalPath {
    return outside !== undefined && isTrusted(canonical.path)
      ? { exists: false, path: outside }
      : canonical;
  }
}

/** Starts below a trusted directory where possible: its ancestors may be out of Deno's reach. */
function startOf(path: string, trusted: readonly string[]): { current: string; pending: string[] } {
  const current = trusted.find((root) => path === root || path.startsWith(root + platform.sep)) ??
    platform.parse(path).root;
  return { current, pending: segments(path.slice(current.length)) };
}

function segments(path: string): string[] {
  return path.split(platform.sep === "\\" ? /[\\/]/ : "/").filter((part) =>
    part !== "" && part !== "."
  );
}

function mayRead(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

/** @param below the segments that are still to be followed: errors name them, too */
function lstat(
  path: string,
  report: boolean,
  below: readonly string[] = [],
): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    // A link's `..` may lead to what the caller did not write.
    const resolved = below.includes("..") ? path : platform.join(path, ...below);
    const failure = pathError(error, resolved, path);
    if (!report || failure.code === "path_not_found") return undefined;
    throw failure;
  }
}

function readLink(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

/** The flag that denies a path: one for the path or the topmost directory above it that is denied. */
function denialOf(path: string): string | undefined {
  let denied: string | undefined;
  for (let at = path;; at = platform.dirname(at)) {
    const isDenied = Deno.permissions.querySync({ name: "read", path: at }).state === "denied";
    const isTop = at === platform.dirname(at);
    if (isDenied) denied = isTop ? "--deny-read" : `--deny-read=${at}`;
    if (!isDenied || isTop) return denied;
  }
}

/**
 * The error for a path that could not be read: not there, no permission from the system, or none
 * from Deno. Each is told apart, because each has another remedy.
 *
 * @param refused where it ended, when that was on the way to `resolved`
 */
export function pathError(error: unknown, resolved: string, refused = resolved): PathgrepError {
  const details = { resolved_path: resolved };
  if (error instanceof Deno.errors.NotCapable) {
    const denial = denialOf(refused);
    if (denial !== undefined) {
      return new PathgrepError(
        "path_access_denied",
        `Permission denied: ${resolved} (Deno denies it: ${denial})`,
        {
          ...details,
          hint:
            "search elsewhere; or start it again without that flag, or answer Deno's question " +
            "with yes if it asked one",
        },
      );
    }
    const flag = `--allow-read=${refused}`;
    return new PathgrepError(
      "path_access_denied",
      `Permission denied: ${resolved} (Deno was started without ${flag})`,
      { ...details, hint: `start it again with ${flag}` },
    );
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new PathgrepError("path_access_denied", `Permission denied: ${resolved}`, {
      ...details,
      hint: "the operating system refuses to read it; check the owner and mode of it and of the " +
        "directories above it",
    });
  }
  if (error instanceof Deno.errors.FilesystemLoop) {
    return new PathgrepError(
      "path_unsupported",
      `Path is neither a file nor a directory: ${resolved}`,
      details,
    );
  }
  return new PathgrepError("path_not_found", `Path does not exist: ${resolved}`, details);
}
