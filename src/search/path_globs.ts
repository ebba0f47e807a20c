/**
 * Globs that are given as paths: the paths that one is written for, and what it matches below a directory.
 *
 * @module
 */

import { counted } from "../util/text.ts";
import { globTokens, readExtendedForms } from "../glob/glob_parser.ts";
import { escapedGlob, expandedBraces, withNumbers } from "../glob/glob_paths.ts";
import { Glob } from "../glob/glob.ts";
import type { Admission, Admitted, Guard } from "../guard/guard.ts";
import { locate, type ResolvedSearchTarget } from "../paths/locate.ts";
import type { Note } from "../notes/words.ts";
import { findInWorkspace } from "../paths/missing_path.ts";
import { relativePath } from "../util/path.ts";
import { readingsOf, TURNS } from "../paths/repairs.ts";
import type { Workspace } from "../paths/workspace.ts";
import { countTaken } from "./walk_names.ts";

/** Where a glob leads: a target, and below it what the globs match; without globs, all of it. */
export interface GlobTarget {
  readonly admitted: Admitted;
  readonly globs: readonly string[];
}

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
 * What a glob that no path is named like leads to, and how it was read; nothing where it matches no file.
 *
 * @param isOutside whether it leads out of the workspace as it stands: then only its repaired readings count
 */
export async function globTargets(
  given: string,
  context: GlobContext,
  isOutside = false,
): Promise<{ targets: GlobTarget[]; notes: Note[] } | undefined> {
  const readings = TURNS.flatMap((turn) => readingsOf(given, context.workspace, turn));
  const hasSlash = given.includes("/");
  const asGiven = isOutside ? [] : [{ path: given, by: [] }];
  for (const { path, by } of [...asGiven, ...readings]) {
    const alternatives = alternativesOf(path.trim());
    if (alternatives === undefined) continue;
    const { targets, missing } = await targetsOf(alternatives, hasSlash, {
      ...context,
      isRepaired: by.length > 0,
    });
    if (targets.length === 0) continue;
    const values = {
      path: given.trim(),
      by: [...by, "glob" as const],
      missing,
    };
    const reason = missing.length === 0 ? "path_as_glob" : "path_as_globs";
    return { targets, notes: [{ reason, values }] };
  }
  return undefined;
}

/** What to send for a glob that starts at the wrong directory: the same below any. */
export async function globElsewhere(
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

async function targetsOf(
  alternatives: readonly string[][],
  hasSlash: boolean,
  context: GlobContext & { isRepaired: boolean },
): Promise<{ targets: GlobTarget[]; missing: string[] }> {
  const targets: GlobTarget[] = [];
  const missing: string[] = [];
  for (const tokens of alternatives) {
    const wild = tokens.findIndex((token) => IS_WILD.test(token));
    const literal = tokens.map((token) => token.replace(/^\\/u, "")).join("");
    const hasClassesAlone = wild >= 0 && !tokens.some((token) => /^[*?]$/u.test(token));
    let found = wild < 0 || hasClassesAlone ? await targetsAt(literal, [], context) : [];
    if (found.length === 0 && wild >= 0) {
      const start = tokens.lastIndexOf("/", wild) + 1;
      const rest = tokens.slice(start).join("");
      const head = tokens.slice(0, start).map((token) => token.replace(/^\\/u, "")).join("");
      // Without a slash it is about names at any depth, as any glob.
      found = await targetsAt(head, [hasSlash ? `/${rest}` : rest], context);
    }
    if (found.length === 0) missing.push(tokens.join(""));
    targets.push(...found);
  }
  return { targets, missing };
}

/** Where a path leads, as far as the globs match something there. */
async function targetsAt(
  path: string,
  globs: readonly string[],
  context: GlobContext & { isRepaired: boolean },
): Promise<GlobTarget[]> {
  const { guard, workspace, admission } = context;
  const isWhole = /^(?:\.?\/)?$/u.test(path) && path !== "/";
  if (!isWhole && !mayLead(path, context)) return [];
  const admitted: readonly Admitted[] = isWhole
    ? guard.openRoots().map((root) => ({ target: directoryAt(root) }))
    : await guard.admitAll(path, { ...admission, findByEnding: undefined });
  if (globs.length === 0) return admitted.map((one) => ({ admitted: one, globs }));
  const targets: GlobTarget[] = [];
  for (const one of admitted) {
    const { target } = one;
    if (target.kind === "file") continue;
    const directories = target.kind === "directory" ? [target.searchDir] : target.roots;
    for (const directory of directories) {
      const root = workspace.rootOf(directory);
      const below = root === undefined ? "." : relativePath(root, directory);
      const fromRoot = below === "." ? globs : globs.map((glob) => `/${escapedGlob(below)}${glob}`);
      const isIn = (base: string, globs: readonly string[]) =>
        countMatching([base], globs, context, 1);
      // Ignore rules count from the root on, unless they leave nothing of a directory that is named.
      if (root !== undefined && await isIn(root, fromRoot) > 0) {
        targets.push({
          admitted: { target: directoryAt(root), notes: one.notes },
          globs: fromRoot,
        });
      } else if (await isIn(directory, globs) > 0) {
        targets.push({ admitted: { ...one, target: directoryAt(directory) }, globs });
      }
    }
  }
  return targets;
}

function directoryAt(searchDir: string): ResolvedSearchTarget {
  return { kind: "directory", searchDir, notes: [] };
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
  const { allowedRoots, identities } = workspace.allowedRoots;
  const outside = bases.filter((base) => !workspace.contains(base));
  const none = { include: [], includeKey: "include", exclude: [], type: [], typeNot: [] } as const;
  const within = Object.fromEntries(bases.map((base) => [base, globs]));
  const walk = {
    allowedRoots: [...allowedRoots, ...outside],
    identities: [...identities, ...outside.map(() => undefined)],
    ...{ bases, named: [], mayRepeat: false, policy: guard.policyOptions },
    ...{ filter: { ...none, within }, ignore, hidden, follow: false },
    maxDepth: Infinity,
  };
  return await countTaken(walk, { signal, time: MAX_MS }, most) ?? 0;
}
