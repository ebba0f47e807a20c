/**
 * Paths as text: the functions of `node:path` that are used here, containment and order. Nothing here touches the
 * file system.
 *
 * Those of `node:path` for POSIX are written out, because loading it takes a third of the time of an empty
 * program. On Windows the real ones are loaded.
 *
 * @module
 */

import { OS, windowsPaths, workingDirectory } from "../system/platform.ts";

/** The path rules of a platform: a subset of `posix` or `win32` of `node:path`. */
export interface PathRules {
  readonly sep: string;
  isAbsolute(path: string): boolean;
  normalize(path: string): string;
  join(...paths: string[]): string;
  resolve(...paths: string[]): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string): string;
  parse(path: string): { root: string };
}

export const posix: PathRules = {
  sep: "/",

  isAbsolute: (path) => path.startsWith("/"),

  normalize(path) {
    const isAbsolute = path.startsWith("/");
    const segments: string[] = [];
    for (const segment of path.split("/")) {
      if (segment === "" || segment === ".") continue;
      if (segment !== "..") segments.push(segment);
      else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();
      else if (!isAbsolute) segments.push(segment);
    }
    if (segments.length === 0) return isAbsolute ? "/" : path.endsWith("/") ? "./" : ".";
    return (isAbsolute ? "/" : "") + segments.join("/") + (path.endsWith("/") ? "/" : "");
  },

  join: (...paths) => posix.normalize(paths.filter((path) => path !== "").join("/")),

  resolve(...paths) {
    let resolved = "";
    for (let index = paths.length - 1; index >= 0 && !resolved.startsWith("/"); index--) {
      if (paths[index] !== "") resolved = `${paths[index]}/${resolved}`;
    }
    if (!resolved.startsWith("/")) resolved = `${workingDirectory()}/${resolved}`;
    return withoutSlash(posix.normalize(resolved));
  },

  relative(from, to) {
    const start = absoluteSegments(posix.resolve(from));
    const end = absoluteSegments(posix.resolve(to));
    let common = 0;
    while (common < start.length && start[common] === end[common]) common++;
    return [...start.slice(common).fill(".."), ...end.slice(common)].join("/");
  },

  dirname(path) {
    const bare = withoutSlashes(path);
    const slash = bare.lastIndexOf("/");
    if (slash < 0) return bare === "" && path !== "" ? "/" : ".";
    // `//` before the only segment stays, as in `node:path`.
    return slash === 0 ? "/" : slash === 1 && bare[0] === "/" ? "//" : bare.slice(0, slash);
  },

  basename(path) {
    const bare = withoutSlashes(path);
    return bare.slice(bare.lastIndexOf("/") + 1);
  },

  parse: (path) => ({ root: path.startsWith("/") ? "/" : "" }),
};

function absoluteSegments(absolute: string): string[] {
  return absolute === "/" ? [] : absolute.slice(1).split("/");
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** `C:a` is below the root of its drive: which directory it is relative to, only the environment tells. */
function windows(): PathRules {
  const win32 = windowsPaths();
  const atRoot = (path: string) => path.replace(/^([A-Za-z]:)(?![\\/])/u, "$1\\");
  return { ...win32, resolve: (...paths) => win32.resolve(...paths.map(atRoot)) };
}

const native: PathRules = OS === "windows" ? windows() : posix;

export const { sep, isAbsolute, normalize, join, resolve, relative, dirname, basename, parse } =
  native;

/**
 * Whether `path` is `root` or lies below it, segment by segment (`/ws-evil` is not in `/ws`).
 *
 * @param root a normalized absolute path, as is `path`
 * @param rules the platform's path rules; Windows ignores letter case
 */
export function isWithin(
  root: string,
  path: string,
  rules: PathRules = native,
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
  rules: PathRules = native,
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
  if (sep === "/") return isHere ? path : undefined;
  return isHere
    ? path?.replace(/^\/(?=[A-Za-z]:)/u, "")
    : path && normalize(`//${url.hostname}${path}`);
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
    for (let path = base, above; (above = dirname(path)) !== path; path = above) {
      if (all.has(above)) return true;
    }
    return false;
  });
}
