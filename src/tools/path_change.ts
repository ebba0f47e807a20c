/**
 * Reads a path that does not exist and has no repaired reading as several paths, a glob, or no path at all, if
 * it can mean nothing else.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { type IsBlocked, locate } from "../paths/locate.ts";
import { isWithin } from "../paths/paths.ts";
import { globIn } from "../paths/suggestions.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Fields } from "./fields.ts";
import { isNullWord } from "./input_normalizer.ts";

/** Values of a call in the place of those that were given; `undefined` omits one. */
type PathChange = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The change of a call that its missing path asks for, and how the path was read. */
export function pathChange(
  workspace: Workspace,
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  suggestions: readonly string[] | undefined,
  isBlocked: IsBlocked,
): { change: PathChange; note: string } | undefined {
  const { path } = values;
  if (Array.isArray(path)) return withoutNullWords(path);
  if (typeof path !== "string") return undefined;
  const given = path.trim();
  const read = (said: string, change: PathChange) => ({
    change,
    note: `path ${JSON.stringify(given)} was read ${said}`,
  });
  if (isNullWord(given) && fields["path"]?.required !== true && suggestions === undefined) {
    return read("as absent", { path: undefined });
  }
  const isThere = (path: string) => {
    try {
      return locate(workspace, path, isBlocked).state === "found";
    } catch {
      return false;
    }
  };
  const several = "maxItems" in fields["path"]! ? severalPaths(given, isThere) : [];
  if (several.length > 1) return read(`as ${several.length} paths`, { path: several });
  if (!("include" in fields) || values["include"] !== undefined) return undefined;
  // Without a slash it is about names at any depth, as any glob.
  const glob = globFrom(workspace, given, isBlocked);
  return glob && read("as a glob, into include", glob);
}

/** Several paths without those that say `null`. */
function withoutNullWords(
  paths: readonly string[],
): { change: PathChange; note: string } | undefined {
  const [named = [], nulls = []] = [false, true]
    .map((isNull) => paths.filter((path) => isNullWord(path) === isNull));
  return nulls.length === 0 || named.length === 0
    ? undefined
    : { change: { path: named }, note: `path ${JSON.stringify(nulls[0])} was read as absent` };
}

const MAX_PATHS = 20;

/** Several paths in one text, all of which lead somewhere; none otherwise. */
function severalPaths(given: string, isThere: (path: string) => boolean): string[] {
  const paths = given.replace(/^\["|"\]$/gu, "").split(/"?\s*[,;]\s*"?|\s+/u);
  return paths.length <= MAX_PATHS && paths.every((path) => path !== "" && isThere(path))
    ? paths
    : [];
}

/** A path that is a glob, from the roots. */
function globFrom(
  workspace: Workspace,
  given: string,
  isBlocked: IsBlocked,
): PathChange | undefined {
  const isPlain = !/\\|(?:^|\/)\.\.(?:\/|$)|^[!"'`@]/u.test(given) &&
    !given.replace(/\{[^{}]*\}/gu, "").includes(",");
  if (!isPlain || globIn(workspace, given, { use: "search", isBlocked }) === undefined) {
    return undefined;
  }
  if (!platform.isAbsolute(given)) return { path: undefined, include: given };
  const root = workspace.roots.find((root) => isWithin(root, given));
  return root === undefined
    ? undefined
    : { path: root, include: given.slice(root.length).replace(/^\/+/u, "") };
}
