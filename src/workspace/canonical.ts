/**
 * Resolves paths to their canonical form: all symbolic links up to the deepest existing ancestor.
 *
 * This follows the links itself, unlike `Deno.realPath`, because a link still leads somewhere if
 * its target does not exist, and that place has to be in the workspace.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { mayRead } from "../util/permissions.ts";
import { isWithin } from "./paths.ts";
import { ListedSpellings } from "./spelling.ts";
import { identityOf } from "./verification.ts";

/** The limit of Linux. */
const MAX_LINKS = 40;
/** How an error's hint begins when there is nothing at the end of the links. */
export const LOOP = "its symbolic links form a loop";
/** The most segments of a path and of the links on its way: a chain of links can have 80,000. */
const MAX_STEPS = 1024;

/** Where a path leads: to something that exists, or to where it would be. */
export type CanonicalPath =
  | { exists: true; path: string; info: Deno.FileInfo }
  | { exists: false; path: string };

/**
 * Follows a path to its canonical form: that of its deepest existing ancestor, with the rest appended
 * as given.
 *
 * Reveals nothing outside the trusted directories: a path there that cannot be read is treated as
 * missing. Never makes Deno ask for a permission there.
 *
 * @param path a normalized absolute path
 * @param trusted canonical directories in which failures are reported
 * @param isBarred places that no link may lead through: a path that gets there through a link, and
 * then meets another link or leaves by `..`, ends there as a missing path @default nowhere
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported` (a loop of links)
 */
export function canonicalPath(
  path: string,
  trusted: readonly string[],
  isBarred: (path: string) => boolean = () => false,
): CanonicalPath {
  let { current, pending } = startingPoint(path, trusted);
  let info: Deno.FileInfo | undefined;
  const listed = new ListedSpellings();
  let links = 0;
  let steps = 0;
  /** The first path outside the trusted directories that a link led to. */
  let outside: string | undefined;
  const isTrusted = (place: string) => trusted.some((root) => isWithin(root, place));
  let isInside = isTrusted(current);
  while (pending.length > 0) {
    const segment = pending.shift()!;
    if (++steps > MAX_STEPS) return givenUp(current, "its symbolic links are too long");
    if (segment === "..") {
      if (isShutTo(current)) return confirmed({ exists: false, path: current });
      current = platform.dirname(current);
      info = undefined;
      continue;
    }
    let next = platform.join(current, segment);
    const inside = isTrusted(next);
    const isAncestor = !inside && trusted.some((root) => isWithin(next, root));
    if (isInside && !inside && !isAncestor) outside ??= next;
    isInside ||= inside;
    const report = () => inside && !isShutTo(next);
    info = inside || mayRead(next) ? lstat(next, report, pending) : undefined;
    if (inside && info !== undefined) {
      next = platform.join(current, listed.of(current, segment, identityOf(info)));
    }
    // Asking at each directory on the way would cost the square of its depth.
    if ((info === undefined || info.isSymlink) && isShutTo(next)) {
      const up = pending.indexOf("..");
      const rest = up < 0 ? pending : pending.slice(0, up);
      // The same path whatever there is.
      return confirmed({ exists: false, path: platform.join(next, ...rest) });
    }
    if (info === undefined) {
      const missing = platform.join(next, ...pending);
      if (!pending.includes("..")) return confirmed({ exists: false, path: missing });
      // Above the missing directory there may be more links.
      ({ current, pending } = startingPoint(missing, trusted));
      continue;
    }
    if (!info.isSymlink) {
      current = next;
      continue;
    }
    const target = readLink(next);
    if (target === UNDECODABLE) {
      return givenUp(next, "a symbolic link on the way leads to a name that is not UTF-8");
    }
    if (++links > MAX_LINKS) return givenUp(next, LOOP);
    if (target === undefined) {
      pending.unshift(segment); // replaced in the meantime: check again
      continue;
    }
    if (platform.isAbsolute(target)) {
      const start = startingPoint(target, trusted);
      current = start.current;
      pending = [...start.pending, ...pending];
    } else {
      pending = [...segments(target), ...pending];
    }
    info = undefined;
  }
  const found = info ?? lstat(current, () => isTrusted(current));
  if (found === undefined) return confirmed({ exists: false, path: current });
  // Windows knows files by short names, too.
  const spelling = Deno.build.os === "windows" ? Deno.realPathSync(current) : current;
  return confirmed({ exists: true, path: spelling, info: found });

  /** Whether no link may lead through a place. */
  function isShutTo(place: string): boolean {
    return links > 0 && isTrusted(place) && isBarred(place);
  }

  /** Ends at a place where following ends: with an error, if the place is not outside. */
  function givenUp(place: string, problem: string): CanonicalPath {
    if (!isTrusted(place) || outside !== undefined) {
      return { exists: false, path: outside ?? place };
    }
    throw new PathgrepError(
      "path_unsupported",
      `Path is neither a file nor a directory: ${path}`,
      { resolved_path: path, hint: `${problem}; name the file or directory that was meant` },
    );
  }

  /**
   * A link that leads out and back in counts as outside: it would reveal what exists on the way.
   */
  function confirmed(canonical: CanonicalPath): CanonicalPath {
    return outside !== undefined && isTrusted(canonical.path)
      ? { exists: false, path: outside }
      : canonical;
  }
}

/** Starts at a trusted directory if possible: Deno may not be allowed to read above it. */
function startingPoint(
  path: string,
  trusted: readonly string[],
): { current: string; pending: string[] } {
  const current = trusted.find((root) => path === root || path.startsWith(root + platform.sep)) ??
    platform.parse(path).root;
  return { current, pending: segments(path.slice(current.length)) };
}

function segments(path: string): string[] {
  return path.split(platform.sep === "\\" ? /[\\/]/ : "/").filter((part) =>
    part !== "" && part !== "."
  );
}

/**
 * @param report whether a failure is an error, unless it is that nothing is there
 * @param below the segments that are yet to be followed, for errors
 */
function lstat(
  path: string,
  report: () => boolean,
  below: readonly string[] = [],
): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    // The `..` of a link may lead to a path that the caller did not write.
    const resolved = below.includes("..") ? path : platform.join(path, ...below);
    const failure = pathError(error, resolved, path);
    if (failure.code === "path_not_found" || !report()) return undefined;
    throw failure;
  }
}

/** Stands for a link's target that is not UTF-8, which Deno does not give. */
const UNDECODABLE = Symbol();

function readLink(path: string): string | typeof UNDECODABLE | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch (error) {
    return error instanceof Deno.errors.InvalidData ? UNDECODABLE : undefined;
  }
}

/** The flag that denies a path: for the topmost denied directory above it, or for the path itself. */
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
 * The part of a path that `--allow-read` can name: to Deno, a comma always ends a path, however it
 * is written.
 */
export function grantable(path: string): string {
  let granted = path;
  while (granted.includes(",")) granted = platform.dirname(granted);
  return granted;
}

/**
 * The error for a path that could not be read: it does not exist, or the operating system or Deno
 * denies it. Each has its own remedy.
 *
 * @param refused the path at which it failed, on the way to `resolved`
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
    const flag = `--allow-read=${grantable(refused)}`;
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
  const isUndecodable = error instanceof Deno.errors.InvalidData;
  if (isUndecodable || error instanceof Deno.errors.FilesystemLoop) {
    return new PathgrepError(
      "path_unsupported",
      `Path is neither a file nor a directory: ${resolved}`,
      isUndecodable
        ? { ...details, hint: "it is, or leads to, a name that is not UTF-8; rename that" }
        : details,
    );
  }
  return new PathgrepError("path_not_found", `Path does not exist: ${resolved}`, details);
}
