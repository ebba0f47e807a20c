/**
 * The functions of `node:path` that are used here. Those for POSIX are written out, because loading
 * `node:path` takes a third of the time of an empty program. On Windows the real ones are loaded.
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

const rules: PathRules = OS === "windows" ? windows() : posix;

export const { sep, isAbsolute, normalize, join, resolve, relative, dirname, basename, parse } =
  rules;
