/**
 * Globs that are given as paths: the paths that one is written for, and what it matches below a directory.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { counted } from "../util/text.ts";
import { globTokens, readExtendedForms } from "../glob/glob_parser.ts";
import { escapedGlob, expandedBraces, withNumbers } from "../glob/glob_paths.ts";
import { Glob } from "../glob/glob.ts";
import type { Admission, Admitted, Guard } from "../guard/guard.ts";
import { locate, type Place } from "../workspace/locate.ts";
import { type Note, SILENT } from "../notes/words.ts";
import { findInWorkspace } from "../workspace/missing_path.ts";
import { relativePath } from "../util/path.ts";
import { readingsOf, TURNS } from "../workspace/repairs.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { countTaken, wholeWalk } from "../walk/walk_names.ts";

export interface GlobContext {
  readonly workspace: Workspace;
  readonly guard: Guard;
  readonly admission: Admission;
  readonly ignore: boolean;
  readonly hidden: boolean;
}

/** Milliseconds in which a file that a glob matches has to be found, and those that another would. */
const MAX_MS = 2000;
/** The most files that are counted. */
const MAX_COUNTED = 10_000;

/** A text in which something stands for several paths. `?` after an extension starts a query, as in `a.ts?raw`. */
const WILDCARD = /\*|\{[^{}]*,|(?<!\.\w{2,})\?|\[[^\]/]+\]/u;
const IS_WILD = /^[*?]$|^\[/u;

/**
 * Admits a path with wildcards: as a name, or else as the glob that it is.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code
 */
export async function admitGlob(given: string, context: GlobContext): Promise<Admitted> {
  const { guard, admission } = context;
  const state = stateAsGiven(given, context);
  const isOutside = state === "outside";
  // To look for paths that end as a glob does takes a walk, and finds none.
  const isGlob = isOutside || state === "missing" && given.includes("*");
  const read = isGlob ? await readAsGlob(given, context, isOutside) : undefined;
  if (read !== undefined) return read;
  try {
    return await guard.admit(given, admission);
  } catch (thrown) {
    const error = PathgrepError.from(thrown);
    if (error.code !== "path_not_found" && !isOutside) throw thrown;
    const read = isGlob ? undefined : await readAsGlob(given, context, false);
    if (read !== undefined) return read;
    const send = await globElsewhere(given, context);
    if (send === undefined && !error.details.hint?.includes("glob:")) throw thrown;
    const { lister } = await admission.voice?.() ?? SILENT;
    const hint = `no file matches it; ${send ?? `list what is there (${lister})`}`;
    throw new PathgrepError(error.code, error.message, { ...error.details, hint }, error);
  }
}

function stateAsGiven(given: string, { workspace, guard }: GlobContext) {
  try {
    return findInWorkspace(workspace, given, guard.blocker()).location.state;
  } catch {
    return undefined;
  }
}

/**
 * What a glob that no path is named like leads to, and how it was read; nothing where it matches no file.
 *
 * @param isOutside whether it leads out of the workspace as it stands: then only its repaired readings count
 */
async function readAsGlob(
  given: string,
  context: GlobContext,
  isOutside: boolean,
): Promise<Admitted | undefined> {
  const readings = TURNS.flatMap((turn) => readingsOf(given, context.workspace, turn));
  const hasSlash = given.includes("/");
  const asGiven = isOutside ? [] : [{ path: given, by: [] }];
  for (const { path, by } of [...asGiven, ...readings]) {
    const alternatives = alternativesOf(path.trim());
    if (alternatives === undefined) continue;
    const { places, notes, missing } = await placesMatching(alternatives, hasSlash, {
      ...context,
      isRepaired: by.length > 0,
    });
    if (places.length === 0) continue;
    const values = {
      path: given.trim(),
      by: [...by, "glob" as const],
      missing,
    };
    const reason = missing.length === 0 ? "path_as_glob" : "path_as_globs";
    return { places, notes: [{ reason, values }, ...notes], lines: [] };
  }
  return undefined;
}

/** What to send for a glob that starts at the wrong directory: the same below any. */
async function globElsewhere(
  given: string,
  context: GlobContext,
): Promise<string | undefined> {
  const glob = given.trim().replace(/^(?:\.?\/+)+/u, "");
  if (alternativesOf(glob) === undefined || glob.startsWith("**") || glob.includes("..")) {
    return undefined;
  }
  const below = `**/${glob}`;
  const files = await countMatching(context.guard.openRoots(), [below], context);
  return files > 0 ? `send ${below}, which finds ${counted(files, "file")}` : undefined;
}

/** The globs and paths that a glob stands for, as parts; nothing if it is no glob. */
function alternativesOf(given: string): string[][] | undefined {
  try {
    const glob = withNumbers(readExtendedForms(given));
    if (!WILDCARD.test(glob)) return undefined;
    Glob.parse(glob);
    return expandedBraces(glob) ?? [globTokens(glob)];
  } catch {
    return undefined; // it is malformed: a name, at most
  }
}

/** Where globs lead, with the notes on that. */
interface GlobPlaces {
  places: Place[];
  notes: readonly Note[];
}

async function placesMatching(
  alternatives: readonly string[][],
  hasSlash: boolean,
  context: GlobContext & { isRepaired: boolean },
): Promise<GlobPlaces & { missing: string[] }> {
  const all: GlobPlaces[] = [];
  const missing: string[] = [];
  for (const tokens of alternatives) {
    const wild = tokens.findIndex((token) => IS_WILD.test(token));
    const literal = tokens.map((token) => token.replace(/^\\/u, "")).join("");
    const hasClassesAlone = wild >= 0 && !tokens.some((token) => /^[*?]$/u.test(token));
    let found = wild < 0 || hasClassesAlone ? await placesAt(literal, [], context) : NOWHERE;
    if (found.places.length === 0 && wild >= 0) {
      const start = tokens.lastIndexOf("/", wild) + 1;
      const rest = tokens.slice(start).join("");
      const head = tokens.slice(0, start).map((token) => token.replace(/^\\/u, "")).join("");
      // Without a slash it is about names at any depth, as any glob.
      found = await placesAt(head, [hasSlash ? `/${rest}` : rest], context);
    }
    if (found.places.length === 0) missing.push(tokens.join(""));
    else all.push(found);
  }
  const places = all.flatMap(({ places }) => places);
  return { places, notes: all.flatMap(({ notes }) => notes), missing };
}

const NOWHERE: GlobPlaces = { places: [], notes: [] };

/** Where a path leads, as far as the globs match something there. */
async function placesAt(
  path: string,
  globs: readonly string[],
  context: GlobContext & { isRepaired: boolean },
): Promise<GlobPlaces> {
  const { guard, workspace, admission } = context;
  const isWhole = /^(?:\.?\/)?$/u.test(path) && path !== "/";
  if (!isWhole && !mayLead(path, context)) return NOWHERE;
  const { places: heads, notes } = isWhole
    ? { places: guard.openRoots().map((path) => ({ path, isFile: false })), notes: [] }
    : await guard.admit(path, { ...admission, findByEnding: undefined });
  if (globs.length === 0) return { places: [...heads], notes };
  const places: Place[] = [];
  for (const place of heads) {
    if (place.isFile) continue;
    const root = workspace.rootOf(place.path);
    const below = root === undefined ? "." : relativePath(root, place.path);
    const fromRoot = below === "." ? globs : globs.map((glob) => `/${escapedGlob(below)}${glob}`);
    const isIn = async (base: string, globs: readonly string[]) =>
      await countMatching([base], globs, context, 1) > 0;
    // Ignore rules count from the root on, unless they leave nothing of a directory that is named.
    if (root !== undefined && await isIn(root, fromRoot)) {
      places.push({ path: root, isFile: false, globs: fromRoot });
    } else if (await isIn(place.path, globs)) places.push({ ...place, globs });
  }
  return { places, notes };
}

/** Whether a path exists, or is an error that says why it may not be followed. */
function mayLead(
  path: string,
  { workspace, guard, isRepaired }: GlobContext & { isRepaired: boolean },
) {
  try {
    const isBlocked = guard.blocker();
    // A repaired path that cannot be followed is not the intended one.
    if (isRepaired) return locate(workspace, path, isBlocked).state === "found";
    return findInWorkspace(workspace, path, isBlocked).location.state !== "missing";
  } catch {
    return !isRepaired;
  }
}

/** How many files globs match below directories; none where that takes too long. */
async function countMatching(
  bases: readonly string[],
  globs: readonly string[],
  { workspace, guard, ignore, hidden, admission: { signal } }: GlobContext,
  most = MAX_COUNTED,
): Promise<number> {
  if (bases.length === 0) return 0;
  const names = wholeWalk(bases, workspace, guard);
  const within = Object.fromEntries(bases.map((base) => [base, globs]));
  const walk = { ...names, ignore, hidden, filter: { ...names.filter, within } };
  return await countTaken(walk, { signal, time: MAX_MS }, most) ?? 0;
}
