/**
 * The workspace: the directories that a caller is kept inside of.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { type CanonicalPath, canonicalPath, pathError } from "./canonical.ts";
import { isWithin, relativePath } from "./paths.ts";

/**
 * One or several root directories, canonical. A path is in the workspace when its canonical form is
 * one of them or lies below one.
 *
 * Needs `--allow-read` for the roots.
 *
 * @example
 * ```ts
 * import { Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * const workspace = await Workspace.open(root);
 * assert.equal(await workspace.isPathWithin("src/a.ts"), true);
 * assert.equal(await workspace.isPathWithin("../elsewhere"), false);
 * await Deno.remove(root);
 * ```
 */
export class Workspace {
  /** The canonical absolute roots, in the order given, each once. */
  readonly roots: readonly string[];
  /**
   * The roots that blocked names are relative to: those of the workspace that this one is a part of.
   *
   * @internal
   */
  readonly ceiling: readonly string[];
  /** The roots under the names they were opened with, when those were not canonical. */
  readonly #names: ReadonlyMap<string, string>;

  private constructor(
    roots: readonly string[],
    names: ReadonlyMap<string, string>,
    ceiling = roots,
  ) {
    this.roots = roots;
    this.ceiling = ceiling;
    this.#names = names;
  }

  /**
   * Opens a workspace.
   *
   * @param roots directories, absolute or relative to the current directory
   * @throws {PathgrepError} `invalid_input` without roots, `INVALID_FILE_PATH` for an empty one,
   * `path_not_found`, `path_access_denied`, `path_unsupported` for a root that is not a directory
   */
  // deno-lint-ignore require-await
  static async open(roots: string | readonly string[]): Promise<Workspace> {
    const given = Array.isArray(roots) ? roots : [roots];
    if (given.length === 0) {
      throw new PathgrepError("invalid_input", "a workspace needs at least one root directory");
    }
    const canonical = new Set<string>();
    const names = new Map<string, string>();
    for (const raw of given) {
      const path = checkedPath(raw, "workspace");
      if (path === "") throw new PathgrepError("INVALID_FILE_PATH", "workspace is empty");
      const name = platform.resolve(path);
      const root = openRoot(name, raw);
      canonical.add(root);
      if (name !== root) names.set(name, root);
    }
    return new Workspace([...canonical], names);
  }

  /**
   * A part of this workspace, in which nothing is allowed that is blocked in the whole.
   *
   * @param roots canonical directories in this workspace, at least one
   * @internal
   */
  narrowedTo(roots: readonly string[]): Workspace {
    return new Workspace(roots, this.#names, this.ceiling);
  }

  /**
   * Whether a path leads into the workspace, whether or not it exists.
   *
   * @param path absolute, or relative to the first root; surrounding white space is dropped
   * @returns `false`, too, for what no path can be (a NUL character in it) and for a path that cannot be
   * followed to its end (a directory that may not be read, a loop of symbolic links)
   */
  // deno-lint-ignore require-await
  async isPathWithin(path: string): Promise<boolean> {
    try {
      const absolute = platform.resolve(this.roots[0]!, checkedPath(path, "path"));
      return this.contains(this.canonical(absolute).path);
    } catch {
      return false;
    }
  }

  /** Whether a canonical path is in the workspace. */
  contains(canonical: string): boolean {
    return this.rootOf(canonical) !== undefined;
  }

  /** The innermost root that holds a canonical path. */
  rootOf(canonical: string): string | undefined {
    return innermost(this.roots, canonical);
  }

  /**
   * Follows an absolute path to its canonical form (see `canonical.ts`).
   *
   * @internal
   */
  canonical(absolute: string): CanonicalPath {
    let path = platform.resolve(absolute);
    for (const [name, root] of this.#names) {
      if (isWithin(name, path)) {
        path = platform.join(root, platform.relative(name, path));
        break;
      }
    }
    return canonicalPath(path, this.roots);
  }

  /**
   * A canonical path as it is shown: relative to its root; with several roots, the root's base name
   * comes first. What is no absolute path, such as `(stdin)`, is shown as it is.
   */
  display(canonical: string): string {
    if (!platform.isAbsolute(canonical)) return canonical;
    const root = this.rootOf(canonical);
    if (root === undefined) return canonical;
    const relative = relativePath(root, canonical);
    if (this.roots.length === 1) return relative;
    return relative === "." ? platform.basename(root) : `${platform.basename(root)}/${relative}`;
  }
}

/** The innermost of some directories that holds a path. */
export function innermost(directories: readonly string[], path: string): string | undefined {
  let found: string | undefined;
  for (const directory of directories) {
    if (isWithin(directory, path) && directory.length > (found?.length ?? -1)) found = directory;
  }
  return found;
}

function openRoot(name: string, raw: string): string {
  let path = name;
  let info: Deno.FileInfo;
  try {
    path = Deno.realPathSync(name);
    info = Deno.statSync(path);
  } catch (error) {
    throw pathError(error, path).with({ path: raw });
  }
  if (!info.isDirectory) {
    throw new PathgrepError("path_unsupported", `Path is not a directory: ${path}`, {
      path: raw,
      resolved_path: path,
      hint: "a workspace root must be a directory",
    });
  }
  return path;
}

/** More than systems take; to look for what a longer one may mean takes long. */
const MAX_PATH_CHARS = 32_768;

/**
 * A path as the caller gave it, without surrounding white space.
 *
 * @throws {PathgrepError} `invalid_input` when it is not a string, holds a NUL character or is longer
 * than any path that exists
 */
export function checkedPath(raw: unknown, field: string): string {
  if (typeof raw !== "string") {
    throw new PathgrepError("invalid_input", `${field} must be a string, got ${typeof raw}`);
  }
  if (raw.includes("\0")) {
    throw new PathgrepError("invalid_input", `${field} holds a NUL character`, {
      hint: "send the path without it",
    });
  }
  const path = raw.trim();
  if (path.length > MAX_PATH_CHARS) {
    throw new PathgrepError(
      "invalid_input",
      `${field} is ${path.length} characters long, more than ${MAX_PATH_CHARS}`,
      { hint: "send one path, as short as it can be written" },
    );
  }
  return path;
}
