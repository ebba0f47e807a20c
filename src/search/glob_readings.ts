/**
 * Reads globs of filters as paths are read: `@src/*.ts`, `file:///…/src/*.ts`, `b/src/*.ts` from a diff; and finds
 * the directories of the workspace that they may begin with.
 *
 * @module
 */

import { splitGlobs } from "../glob/glob_parser.ts";
import type { GlobPlace } from "../glob/glob_paths.ts";
import type { Guard } from "../guard/guard.ts";
import type { Note } from "../notes/words.ts";
import { globReadingsOf } from "../workspace/repairs.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { mayRead } from "../system/platform.ts";
import { dirname, isAbsolute, isWithin, sep } from "../util/path.ts";
import type { Query } from "../query/query.ts";
import { type Targets, walkOptions } from "./targets.ts";
import { countTaken } from "../walk/walk_names.ts";

/** Milliseconds in which a file that a glob matches has to be found. */
const MAX_MS = 500;

interface ReadFilters extends Pick<Query, "include" | "exclude"> {
  notes: Note[];
}

/** The filters of a search, each glob that matches nothing in the first reading that does. */
export async function withGlobReadings(
  query: Query,
  targets: Targets,
  context: { workspace: Workspace; guard: Guard; signal: AbortSignal | undefined },
): Promise<ReadFilters> {
  const notes: Note[] = [];
  const { workspace, guard, signal } = context;
  const finds = async (glob: string, excludes: boolean) => {
    const include = excludes ? [glob, glob.replace(/\/*$/u, "/**")] : [glob];
    const filter = { include, exclude: [], type: [], typeNot: [] };
    try {
      const places = globPlaces(filter, workspace, targets.directories);
      const walk = walkOptions({ ...query, ...filter, places }, targets, guard);
      return await countTaken({ ...walk, named: [] }, { signal, time: MAX_MS }, 1);
    } catch {
      return signal?.aborted ? undefined : 0; // it is malformed
    }
  };
  const readGlob = async (text: string, key: string): Promise<string> => {
    const [, mark = "", glob = ""] = /^(!?)(.*)$/su.exec(text.trim()) ?? [];
    const readings = readingsIn(glob, workspace);
    const excludes = mark !== "" || key === "exclude";
    if (readings.length === 0 || await finds(glob, excludes) !== 0) return text;
    for (const { glob, by } of readings) {
      if (await finds(glob, excludes) !== 1) continue;
      const values = { field: key, glob: text.trim(), by, read: mark + glob };
      notes.push({ reason: "glob_read", values });
      return mark + glob;
    }
    return text;
  };
  const readLists = async (lists: readonly string[], key: string): Promise<string[]> => {
    const read: string[] = [];
    for (const list of lists) {
      const globs: string[] = [];
      for (const glob of splitGlobs(list)) globs.push(await readGlob(glob, key));
      read.push(globs.join(","));
    }
    return read;
  };
  const include = await readLists(query.include, query.includeKey);
  return { include, exclude: await readLists(query.exclude, "exclude"), notes };
}

function readingsIn(glob: string, workspace: Workspace) {
  const isPath = glob.includes("/");
  return globReadingsOf(glob, workspace).flatMap(({ path, by }) => [
    // What is left of a path is no name at any depth.
    { glob: isPath && !path.includes("/") ? `/${path}` : path, by },
    ...isAbsolute(path) || !isPath
      ? []
      : workspace.roots.map((root) => ({ glob: `${root}/${path}`, by })),
  ]);
}

/** The most globs whose beginnings are resolved. */
const MAX_FOLLOWED = 20;

/**
 * The roots, by their paths and, where there are several, by their labels; other searched directories; and
 * those that absolute globs reach by a link from outside.
 *
 * @param searched the canonical directories that are searched
 */
export function globPlaces(
  { include, exclude }: Pick<Query, "include" | "exclude">,
  workspace: Workspace,
  searched: readonly string[],
): GlobPlace[] {
  const { roots } = workspace;
  const places = [...new Set([...roots, ...searched.filter((path) => !workspace.contains(path))])]
    .filter((path) => dirname(path) !== path)
    .map((path) => ({ prefix: path.replaceAll(sep, "/"), path }));
  if (roots.length > 1) {
    for (const [root, prefix] of workspace.labels) {
      // Where it is not searched, the same name is one below what is.
      const isSearched = searched.some((path) => isWithin(root, path) || isWithin(path, root));
      if (prefix !== "" && isSearched) places.push({ prefix, path: root });
    }
  }
  const heads = [...include, ...exclude].flatMap(splitGlobs).flatMap(literalHead)
    .filter((head) => !places.some(({ prefix }) => `${head}/`.startsWith(`${prefix}/`)));
  for (const head of new Set(heads.slice(0, MAX_FOLLOWED))) {
    const path = canonicalIn(workspace, head);
    if (path !== undefined) places.push({ prefix: head, path });
  }
  return places;
}

/** The directory that an absolute glob begins with, up to the first segment that is not plain text. */
function literalHead(glob: string): string[] {
  const [head = ""] =
    /^(?:[A-Za-z]:)?\/(?:[^*?[\]{}()\\/]+\/)+/u.exec(glob.trim().replace(/^!/u, "")) ?? [];
  const path = head.replace(/\/+$/u, "");
  return path !== "" && isAbsolute(path) && !/\/\.{0,2}(?:\/|$)/u.test(path) ? [path] : [];
}

/** Where a path leads, if that is in the workspace. */
function canonicalIn(workspace: Workspace, path: string): string | undefined {
  if (!mayRead(path)) return undefined;
  try {
    const found = workspace.canonical(path);
    return found.exists && workspace.contains(found.path) ? found.path : undefined;
  } catch {
    return undefined;
  }
}
