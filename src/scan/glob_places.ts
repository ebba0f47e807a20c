/**
 * Globs that say where they apply: absolute ones, and those that begin with the label of a root.
 *
 * @module
 */

import { globTokens } from "../glob/glob_parser.ts";
import { expandedBraces, globSegments } from "../glob/glob_paths.ts";
import { Glob } from "../glob/glob.ts";
import { isWithin, relativePath } from "../paths/paths.ts";
import { isAbsolute } from "../util/path.ts";

/** A directory, and what globs of paths below it begin with. */
export interface GlobPlace {
  /** An absolute path, or the label of a root. */
  readonly prefix: string;
  readonly path: string;
}

/** A glob below a directory. */
export interface PlacedGlob {
  readonly path: string;
  /** The glob from there; empty for the directory itself. */
  readonly rest: string;
}

/** The same letter in both cases, as globs have it that ignore letter case. */
const EITHER_CASE = /^\[(.)(.)\]$/u;

/** The place that a glob begins with, and the rest of it; nothing for a glob that begins with none. */
export function placedGlob(glob: string, places: readonly GlobPlace[]): PlacedGlob | undefined {
  if (places.length === 0) return undefined;
  const tokens = globTokens(glob);
  let found: PlacedGlob | undefined;
  let longest = -1;
  for (const { prefix, path } of places) {
    const rest = restAfter(prefix, glob, tokens);
    // A label alone is the name of a directory.
    const isName = rest === "" && !isAbsolute(prefix);
    if (rest === undefined || isName || prefix.length <= longest) continue;
    longest = prefix.length;
    found = { path, rest: rest.slice(1) };
  }
  return found;
}

/** What follows a prefix, from its slash on; nothing if a glob does not begin with it. */
function restAfter(prefix: string, glob: string, tokens: readonly string[]): string | undefined {
  // What is special in a glob may be pasted from a path.
  if (glob.startsWith(prefix)) {
    const rest = glob.slice(prefix.length);
    if (rest === "" || rest.startsWith("/")) return rest;
  }
  const characters = Array.from(prefix);
  if (tokens.length < characters.length || !beginsWith(tokens, characters)) return undefined;
  const rest = tokens.slice(characters.length);
  return (rest[0] ?? "/") === "/" ? rest.join("") : undefined;
}

function beginsWith(tokens: readonly string[], characters: readonly string[]): boolean {
  return characters.every((character, index) => {
    const token = tokens[index]!;
    if (token === character || token === `\\${character}`) return true;
    const [, one, other] = EITHER_CASE.exec(token) ?? [];
    return one !== undefined && [one, other].includes(character) &&
      one.toLowerCase() === other!.toLowerCase();
  });
}

/**
 * The globs that match below a searched directory what a placed one matches: each begins with a slash,
 * and `/**` is the whole directory. None: nothing below it can match.
 *
 * @param base the canonical path of the directory
 */
export function globsBelow({ path, rest }: PlacedGlob, base: string): string[] {
  if (isWithin(base, path)) {
    const below = relativePath(base, path);
    const above = below === "." ? "" : `/${escapedGlob(below)}`;
    return [rest === "" ? `${above}/**` : `${above}/${rest}`];
  }
  if (!isWithin(path, base)) return [];
  if (rest === "") return ["/**"];
  const names = relativePath(path, base).split("/");
  const isDirectory = rest.endsWith("/");
  const globs =
    (rest.includes("{") ? expandedBraces(rest) : undefined)?.map((one) => one.join("")) ??
      [rest];
  const left = globs.flatMap((glob) => remainders(globSegments(glob.replace(/\/$/u, "")), names));
  return [...new Set(left)].map((glob) =>
    glob === "" ? "/**" : `/${glob}${isDirectory ? "/" : ""}`
  );
}

/** What is left of a glob's segments once they have matched names from the start, in every way. */
function remainders(segments: readonly string[], names: readonly string[]): string[] {
  let starts = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const start of starts) {
      for (let at = start;; at++) {
        const segment = segments[at];
        if (segment === undefined) {
          next.add(at); // it names a directory above, and so all that is in it
          break;
        }
        if (segment === "**") {
          next.add(at);
          continue; // it may also match nothing
        }
        if (Glob.parse(segment).matches(name)) next.add(at + 1);
        break;
      }
    }
    starts = next;
  }
  return [...starts].map((start) => segments.slice(start).join("/"));
}

/** A path as a glob that matches it alone. */
export function escapedGlob(path: string): string {
  return path.replace(/[*?[\]{}!,\\]/gu, "\\$&");
}
