/**
 * Counts where the matches of a search are, for one that found too many: the directories and file types with
 * most matches, and those whose matches fit into an answer.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { compareByBytes, isWithin } from "../util/path.ts";

/** The matches of a directory, at any depth. */
export interface DirectoryCount {
  path: string;
  count: number;
}

/** The matches of a file type, which is given as the glob of its files. */
interface TypeCount {
  include: string;
  count: number;
}

/** Groups named in one answer, at most. */
const MAX_GROUPS = 5;
/** The glob of files without an extension. */
const NO_EXTENSION = "!*.*";

/** Counts matches by place and by type. */
export class Facets {
  /** Without the matches in directories below. */
  readonly byDirectory: Map<string, number> = new Map();
  readonly #byType = new Map<string, number>();
  /** Of files without an extension, by directory: their glob excludes directories with a dot as well. */
  readonly #plain = new Map<string, number>();

  add(path: string, count: number): void {
    addTo(this.byDirectory, platform.dirname(path), count);
    const type = typeGlob(platform.basename(path));
    if (type === NO_EXTENSION) addTo(this.#plain, platform.dirname(path), count);
    else if (type !== undefined) addTo(this.#byType, type, count);
  }

  /** The globs of types, each with what it finds in the directories that were searched. */
  #types(searched: readonly string[]): TypeCount[] {
    const types = [...this.#byType].map(([include, count]) => ({ include, count }));
    let plain = 0;
    for (const [directory, count] of this.#plain) {
      const base = searched.find((base) => isWithin(base, directory)) ?? "";
      if (!directory.slice(base.length).includes(".")) plain += count;
    }
    return plain === 0 ? types : [...types, { include: NO_EXTENSION, count: plain }];
  }

  /**
   * The directories with most matches, as paths that divide all of them; at most five.
   *
   * @param roots directories that no returned path may lie above
   */
  topDirectories(roots: readonly string[]): DirectoryCount[] {
    const segmentsOf = (path: string) => path.split(platform.sep);
    const [first, ...others] = [...this.byDirectory.keys()].map(segmentsOf);
    if (first === undefined) return [];
    let common = first.length;
    for (const segments of others) {
      const differing = first.findIndex((segment, index) => segment !== segments[index]);
      if (differing >= 0) common = Math.min(common, differing);
    }
    const counts = new Map<string, number>();
    for (const [path, count] of this.byDirectory) {
      const root = roots.find((root) => isWithin(root, path)) ?? "";
      const depth = Math.max(common + 1, segmentsOf(root).length);
      addTo(counts, segmentsOf(path).slice(0, depth).join(platform.sep), count);
    }
    return largest([...counts].map(([path, count]) => ({ path, count })), "path");
  }

  /** The file types with most matches; at most five. */
  topTypes(searched: readonly string[]): TypeCount[] {
    return largest(this.#types(searched), "include");
  }

  /**
   * The directories with most matches among those whose matches fit into an answer.
   *
   * @param searched the directories that were searched: only what lies below one is narrower
   * @param room the entries of an answer
   */
  fittingDirectories(searched: readonly string[], room: number): DirectoryCount[] {
    const counts = new Map<string, number>();
    for (const [directory, count] of this.byDirectory) {
      const base = searched.find((base) => isWithin(base, directory));
      if (base === undefined) continue;
      for (let path = directory; path !== base; path = platform.dirname(path)) {
        addTo(counts, path, count);
      }
    }
    const fits = (path: string) => (counts.get(path) ?? Infinity) <= room;
    return largest(
      [...counts].map(([path, count]) => ({ path, count }))
        .filter(({ path }) => fits(path) && !fits(platform.dirname(path))),
      "path",
    );
  }

  /** The file types with most matches among those whose matches fit into an answer. */
  fittingTypes(searched: readonly string[], room: number): TypeCount[] {
    return largest(this.#types(searched).filter(({ count }) => count <= room), "include");
  }
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function largest<Name extends string, Group extends Record<Name, string> & { count: number }>(
  groups: Group[],
  name: Name,
): Group[] {
  return groups.sort((a, b) => b.count - a.count || compareByBytes(a[name], b[name]))
    .slice(0, MAX_GROUPS);
}

/** The glob of a base name's type, by its extension; `undefined` where that would need quoting. */
function typeGlob(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return NO_EXTENSION;
  const extension = name.slice(dot + 1);
  const isPlain = /^[\w+~-]{1,20}$/.test(extension) || /^[\p{L}\p{N}_+~-]{1,20}$/u.test(extension);
  return isPlain ? `*.${extension}` : undefined;
}
