/**
 * Repairs a path that does not exist as given or, failing that, explains it with suggestions.
 *
 * @module
 */

import { type Note, type RepairName, SILENT } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import { formDifference } from "../util/text.ts";
import { exclusionReason } from "../exclusions/exclusions.ts";
import {
  type FoundLocation,
  type IsBlocked,
  locate,
  locateAsGiven,
  type Location,
  type PathUse,
  placesInRoots,
  placesRead,
} from "./locate.ts";
import {
  type EndingFinder,
  type EndingsInTurn,
  type NamedLines,
  type PathReading,
  readingsOf,
  type Turn,
  TURNS,
} from "./repairs.ts";
import { globIn, type Purpose, suggestionsFor, suggestionsInside } from "./suggestions.ts";
import { isGitInternal, isSensitive } from "../exclusions/sensitive.ts";
import type { Workspace } from "./workspace.ts";

type Blocked = Extract<Location, { state: "blocked" }>;

export interface FoundInWorkspace {
  location: Location;
  /** For a search, what it leads to in other roots. */
  others: readonly FoundLocation[];
  notes: readonly Note[];
  /** The lines that the path names besides. */
  lines: readonly NamedLines[];
  /** If nothing was found, the paths that end with the given segments. */
  endings: readonly string[];
}

interface Wanted {
  workspace: Workspace;
  given: string;
  isBlocked: IsBlocked | undefined;
  use: PathUse;
  /** Whether all roots that have a repaired path are meant, or the first one. */
  takesAll: boolean;
  /** Whether the lines that the path names are read, and the note says so. */
  takesLines: boolean;
}

/**
 * Follows a path as given and, if that finds nothing, its repaired readings.
 *
 * @param asGiven where it leads as given, if that is known
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported`
 */
export function findInWorkspace(
  workspace: Workspace,
  given: string,
  isBlocked?: IsBlocked,
  use: PathUse = "search",
  asGiven: Location | PathgrepError = locateAsGiven(workspace, given, isBlocked, use),
): FoundInWorkspace {
  const wanted = { workspace, given, isBlocked, use, takesAll: false, takesLines: false };
  if (isDecided(asGiven)) return foundAsShown(asGiven, wanted) ?? foundAt(asGiven);
  return findInTurn(1, wanted) ?? findInTurn(2, wanted) ?? foundAt(asGiven);
}

export interface EndingSearch {
  /** Looks for existing paths that end with a missing path. @default nothing does */
  findByEnding?: EndingFinder | undefined;
  /** Whether all roots that have a repaired path are meant, or the first one. @default false */
  takesAll?: boolean;
  /** Whether the lines that the path names are read, and the note says so. @default false */
  takesLines?: boolean | undefined;
}

/**
 * {@linkcode findInWorkspace} for a search, which also takes the only path that ends with the given
 * segments, if these tell enough, after the readings of each turn.
 */
export async function findWithEnding(
  workspace: Workspace,
  given: string,
  isBlocked: IsBlocked | undefined,
  asGiven: Location | PathgrepError,
  { findByEnding, takesAll = false, takesLines = false }: EndingSearch,
): Promise<FoundInWorkspace> {
  const wanted: Wanted = { workspace, given, isBlocked, use: "search", takesAll, takesLines };
  if (isDecided(asGiven)) return foundAsShown(asGiven, wanted) ?? foundAt(asGiven);
  const isMissing = !(asGiven instanceof PathgrepError) && asGiven.state === "missing";
  let endingsIn: EndingsInTurn | undefined;
  for (const turn of TURNS) {
    const found = findInTurn(turn, wanted);
    if (found !== undefined) return found;
    if (!isMissing || findByEnding === undefined) continue;
    endingsIn ??= await findByEnding(given);
    const [ending, ...others] = endingsIn(turn);
    // With several candidates, none is guessed.
    if (others.length > 0) return foundAt(asGiven, [ending!, ...others].map(({ path }) => path));
    const location = ending && locate(workspace, ending.path, isBlocked);
    if (location?.state !== "found") continue;
    if (!isTelling(ending!.ending, location)) return foundAt(asGiven, [location.path]);
    return foundBy(ending!, [location], wanted, ["only_ending"]);
  }
  return foundAt(asGiven);
}

/**
 * Whether an ending tells which path is meant. One name without an extension, such as `tests`, is that
 * of many a directory: the only one may be a fixture far from what is meant.
 */
function isTelling(ending: string, { info }: FoundLocation): boolean {
  return ending.includes("/") || info.isFile && /.\.[^.]+$/su.test(ending);
}

/** Whether repairs can change nothing about where a path leads. */
function isDecided(asGiven: Location | PathgrepError): boolean {
  return "state" in asGiven && (asGiven.state === "found" || asGiven.state === "blocked");
}

/** A path as answers show it, by a root's label, where a rule of another root blocks it as one from there. */
function foundAsShown(
  asGiven: Location | PathgrepError,
  wanted: Wanted,
): FoundInWorkspace | undefined {
  const { workspace, given, isBlocked, use } = wanted;
  if (workspace.roots.length === 1) return undefined;
  if (!("state" in asGiven) || asGiven.state !== "blocked") return undefined;
  const reading = readingsOf(given, workspace, 1, use).find(({ by }) => by.length === 0);
  const location = reading && locateAsGiven(workspace, reading.path, isBlocked, use);
  const isFound = location !== undefined && "state" in location && location.state === "found";
  return isFound ? foundBy(reading!, [location], wanted) : undefined;
}

/** @throws {PathgrepError} what keeps the path from being followed */
function foundAt(
  asGiven: Location | PathgrepError,
  endings: readonly string[] = [],
): FoundInWorkspace {
  if (asGiven instanceof PathgrepError) throw asGiven;
  return { location: asGiven, others: [], notes: [], lines: [], endings };
}

/** What the readings of a turn lead to: the first that exists or, unless it is a guess, is blocked. */
function findInTurn(turn: Turn, wanted: Wanted): FoundInWorkspace | undefined {
  const { workspace, given, isBlocked, use } = wanted;
  const found: FoundLocation[] = [];
  let read: PathReading | undefined;
  for (const reading of readingsOf(given, workspace, turn, use)) {
    const isAnother = reading.isOneOfSeveral === true && String(reading.by) === String(read?.by);
    if (read !== undefined && !isAnother) continue;
    try {
      const places = use === "search" || use === "file"
        ? placesInRoots(workspace, reading.path, isBlocked).found
        : [];
      const location = places.at(0) ?? locate(workspace, reading.path, isBlocked, use);
      if (location.state === "blocked" && read === undefined && !reading.isGuess) {
        return foundBy(reading, [location], wanted);
      }
      if (location.state !== "found") continue;
      read = reading;
      found.push(...places.length > 0 ? places : [location]);
    } catch {
      // A repaired path that cannot be followed is not the intended one.
    }
  }
  return read && foundBy(read, found, wanted);
}

/** Repairs that drop lines, to a caller that reads these. */
const WITH_LINES: Partial<Record<RepairName, readonly RepairName[]>> = {
  line: [],
  lines: [],
  line_text: ["lines_of_text"],
};

/** Where a reading leads, with the note on it; none if the path is as answers show it. */
function foundBy(
  { by, lines }: PathReading,
  places: readonly Location[],
  { workspace, given, takesAll, takesLines }: Wanted,
  further: readonly RepairName[] = [],
): FoundInWorkspace {
  const [location, ...others] = places as [Location, ...FoundLocation[]];
  const how = [...takesLines ? by.flatMap((name) => WITH_LINES[name] ?? name) : by, ...further];
  const values = { path: given.trim(), by: how, ...placesRead(workspace, places, takesAll) };
  const notes: Note[] = how.length === 0 ? [] : [{ reason: "path_read", values }];
  return { location, others, notes, lines, endings: [] };
}

/** The error for a path that leads nowhere in the workspace, with suggestions. */
export function locationError(
  workspace: Workspace,
  given: string,
  location: Location,
  options: { field: string } & Purpose,
): PathgrepError {
  const { field, use, voice = SILENT } = options;
  const asGiven = given;
  given = given.trim();
  if (location.state === "blocked") return blockedError(workspace, given, location, options);
  const isOutside = location.state === "outside";
  const suggestions = isOutside
    ? suggestionsInside(workspace, asGiven, options)
    : suggestionsFor(workspace, asGiven, options);
  const glob = globIn(workspace, asGiven, options);
  const form = suggestions.map((path) => formDifference(given, path))
    .find((difference) => difference !== undefined);
  const listed = ` (${voice.lister})`;
  const hint = form !== undefined
    ? `use one of the suggestions: a name is ${form}`
    : suggestions.length > 0
    ? `use one of the suggestions${isOutside ? "" : "; a path starts at the workspace root"}`
    : glob !== undefined
    ? globHint(glob, use, listed)
    : isOutside
    ? "use a path inside the workspace, relative to its root" +
      (use === "search" ? ", or omit it to search everything" : "")
    : `list what is there${listed}` +
      (use === "search" ? ", or omit the path to search everything" : "");
  const advice = { suggestions: suggestions.length > 0 ? suggestions : undefined, hint };
  if (isOutside) {
    const message = `${field} ${given} escapes project root ${workspace.roots.join(", ")}`;
    return new PathgrepError("path_outside_workspace", message, { path: given, ...advice });
  }
  return new PathgrepError("path_not_found", `Path does not exist: ${location.path}`, {
    path: given,
    resolved_path: location.path,
    ...advice,
  });
}

function blockedError(
  workspace: Workspace,
  given: string,
  location: Blocked,
  { field, voice = SILENT }: { field: string } & Purpose,
): PathgrepError {
  const { by } = location;
  const reason = by === undefined
    ? "blocked or sensitive"
    : exclusionReason(by, (file) => workspace.displayRuleFile(file));
  const allow = canBeAllowed(workspace, location)
    ? `, or have the user allow it${voice.allowing}`
    : "";
  return new PathgrepError("permission_denied_by_policy", `${field} ${given} is ${reason}`, {
    path: given,
    hint: `search elsewhere${allow}`,
  });
}

/** Whether `--allow` helps: not against `--deny`, and neither with `.git` nor outside. */
function canBeAllowed(workspace: Workspace, { path, by }: Blocked): boolean {
  if (by !== undefined) return true;
  const shown = workspace.display(path);
  return workspace.contains(path) && isSensitive(shown) && !isGitInternal(shown);
}

function globHint(
  { path, glob }: { path: string; glob: string },
  use: PathUse,
  listed: string,
): string {
  if (use !== "search") {
    return `a path cannot be a glob: list what matches it${listed} and use one path`;
  }
  const where = path === "" ? "omit the path" : `use ${path} as path`;
  return `a path cannot be a glob: ${where} and ${glob} as include (as pattern, with the glob tool)`;
}
