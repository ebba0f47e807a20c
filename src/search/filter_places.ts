/**
 * The directories of the workspace that globs may begin with.
 *
 * @module
 */

import { splitGlobs } from "../glob/extended_forms.ts";
import { dirname, isAbsolute, sep } from "../util/path.ts";
import { mayRead } from "../system/permissions.ts";
import type { GlobPlace } from "../scan/glob_places.ts";
import { isWithin } from "../paths/paths.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { SearchSettings } from "./query.ts";

/** The most globs whose beginnings are resolved. */
const MAX_FOLLOWED = 20;

/**
 * The roots, by their paths and, where there are several, by their labels; other searched directories; and
 * those that absolute globs reach by a link from outside.
 *
 * @param searched the canonical directories that are searched
 */
export function globPlaces(
  { include, exclude }: Pick<SearchSettings, "include" | "exclude">,
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
