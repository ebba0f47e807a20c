/**
 * Compares paths as text: containment and order. Nothing here touches the file system.
 *
 * @module
 */

import * as platform from "../util/path.ts";

/**
 * Whether `path` is `root` or lies below it, segment by segment (`/ws-evil` is not in `/ws`).
 *
 * @param root a normalized absolute path, as is `path`
 * @param rules the platform's path rules; Windows ignores letter case
 */
export function isWithin(
  root: string,
  path: string,
  rules: platform.PathRules = platform,
): boolean {
  // The usual case, a hundred times faster.
  if (path[root.length] === rules.sep && path.startsWith(root) && !path.includes("..")) return true;
  if (rules.sep === "/" && isPlainPath(root) && isPlainPath(path)) return path === root;
  const relative = rules.relative(root, path);
  return relative === "" ||
    (relative !== ".." && !relative.startsWith(".." + rules.sep) && !rules.isAbsolute(relative));
}

/** Whether a POSIX path is absolute, and spelled in the only way that it has. */
function isPlainPath(path: string): boolean {
  return path.startsWith("/") && !path.includes("..") && !/\/\.?(?:\/|$)/u.test(path);
}

/** `path` relative to `root` with `/` between the segments; `.` for the root itself. */
export function relativePath(
  root: string,
  path: string,
  rules: platform.PathRules = platform,
): string {
  // The usual case, as in `isWithin`.
  if (rules.sep === "/" && path[root.length] === "/" && path.startsWith(root)) {
    const below = path.slice(root.length + 1);
    if (isPlainPath(root) && isPlainPath("/" + below)) return below === "" ? "." : below;
  }
  const relative = rules.relative(root, path);
  return relative === "" ? "." : relative.replaceAll(rules.sep, "/");
}

/** A directory's path as listings show it. */
export function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

/**
 * A path as given and, if there is white space around it, without that: in this order, since a name that
 * exists as given is what is meant.
 */
export function asGivenAndTrimmed(
  path: string,
): [given: string] | [given: string, trimmed: string] {
  const trimmed = path.trim();
  return trimmed === path || trimmed === "" ? [path] : [path, trimmed];
}

/**
 * The path of a `file:` URL on this machine or, on Windows, on a share such as `wsl.localhost`; nothing for
 * any other text.
 */
export function pathOfFileUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "file:") return undefined;
  const path = percentDecoded(url.pathname);
  const isHere = url.hostname === "" || url.hostname === "localhost";
  if (platform.sep === "/") return isHere ? path : undefined;
  return isHere
    ? path?.replace(/^\/(?=[A-Za-z]:)/u, "")
    : path && platform.normalize(`//${url.hostname}${path}`);
}

/** A text with its percent-encoding decoded; nothing if that is not UTF-8, or holds a NUL character. */
export function percentDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const SURROGATE = /[\ud800-\udfff]/;

export function compareByBytes(a: string, b: string): number {
  // Comparison by UTF-16 units gives the same order unless there are surrogates.
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // A surrogate stands for a code point above every other code unit.
    const high = (unit: number) => unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
    return high(left) - high(right);
  }
  return a.length - b.length;
}

/** Those directories that are inside another one of the list. */
export function nestedIn(bases: readonly string[]): string[] {
  const all = new Set(bases);
  return bases.filter((base) => {
    for (let path = base, above; (above = platform.dirname(path)) !== path; path = above) {
      if (all.has(above)) return true;
    }
    return false;
  });
}
