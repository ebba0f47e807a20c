/**
 * Reads a path that does not exist and has no repaired reading as several paths, or as no path at all, if it
 * can mean nothing else.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { type IsBlocked, locate } from "../workspace/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Fields } from "./tool_definition.ts";
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
): { change: PathChange; note: Note } | undefined {
  const { path } = values;
  if (Array.isArray(path)) return withoutNullWords(path);
  if (typeof path !== "string") return undefined;
  const given = path.trim();
  if (isNullWord(given) && fields["path"]?.required !== true && suggestions === undefined) {
    return absent(given, { path: undefined });
  }
  const isThere = (path: string) => {
    try {
      return locate(workspace, path, isBlocked).state === "found";
    } catch {
      return false;
    }
  };
  const several = "maxItems" in fields["path"]! ? severalPaths(given, isThere) : [];
  if (several.length < 2) return undefined;
  const note = { reason: "several_paths", values: { path: given, count: several.length } } as const;
  return { change: { path: several }, note };
}

function absent(path: string, change: PathChange): { change: PathChange; note: Note } {
  return { change, note: { reason: "path_absent", values: { path } } };
}

/** Several paths without those that say `null`. */
function withoutNullWords(
  paths: readonly string[],
): { change: PathChange; note: Note } | undefined {
  const [named = [], [nulls] = []] = [false, true]
    .map((isNull) => paths.filter((path) => isNullWord(path) === isNull));
  return nulls === undefined || named.length === 0 ? undefined : absent(nulls, { path: named });
}

const MAX_PATHS = 20;

/** Several paths in one text, all of which lead somewhere; none otherwise. */
function severalPaths(given: string, isThere: (path: string) => boolean): string[] {
  const paths = given.replace(/^\["|"\]$/gu, "").split(/"?\s*[,;]\s*"?|\s+/u);
  return paths.length <= MAX_PATHS && paths.every((path) => path !== "" && isThere(path))
    ? paths
    : [];
}
