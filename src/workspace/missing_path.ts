/**
 * Repairs a path that leads nowhere as it is given or, failing that, explains it with suggestions.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { formDifference } from "../util/normal_form.ts";
import type { ExcludedBy } from "./exclusions.ts";
import {
  type FoundLocation,
  type IsBlocked,
  locate,
  locateAsGiven,
  type Location,
  type PathUse,
  placesInRoots,
  placesShown,
} from "./locate.ts";
import { repairCandidates } from "./repairs.ts";
import { globIn, type Purpose, suggestionsFor, suggestionsInside } from "./suggestions.ts";
import type { EndingFinder } from "./search_target.ts";
import type { Workspace } from "./workspace.ts";

/** What a path was found to lead to, or how that failed. */
interface FoundInWorkspace {
  location: Location;
  /** For a search, what it leads to in other roots. */
  others: readonly FoundLocation[];
  notes: string[];
}

/**
 * Follows a path as given and, if that finds nothing, its repaired forms.
 *
 * @param asGiven where it leads as given, if that is known
 * @param takesAll whether all roots that have a repaired form are meant, or the first one
 * @throws {PathgrepError} `path_access_denied`, `path_unsupported`
 */
export function findInWorkspace(
  workspace: Workspace,
  given: string,
  isBlocked?: IsBlocked,
  use: PathUse = "search",
  asGiven: Location | PathgrepError = locateAsGiven(workspace, given, isBlocked, use),
  takesAll = false,
): FoundInWorkspace {
  const isFailure = asGiven instanceof PathgrepError;
  if (!isFailure && (asGiven.state === "found" || asGiven.state === "blocked")) {
    return { location: asGiven, others: [], notes: [] };
  }
  let said: string | undefined;
  const found: FoundLocation[] = [];
  for (const reading of repairCandidates(given, workspace)) {
    const isAnother = reading.isOneOfSeveral === true && reading.said === said;
    if (said !== undefined && !isAnother) break;
    try {
      const places = use === "search" || use === "file"
        ? placesInRoots(workspace, reading.path, isBlocked).found
        : [];
      const location = places.at(0) ?? locate(workspace, reading.path, isBlocked, use);
      if (location.state === "blocked" && said === undefined) {
        return {
          location,
          others: [],
          notes: readNotes(workspace, given, reading.said, [location]),
        };
      }
      if (location.state !== "found") continue;
      said = reading.said;
      found.push(...places.length > 0 ? places : [location]);
    } catch {
      // A repaired path that cannot be followed is not the one that was meant.
    }
  }
  const [location, ...others] = found;
  if (location !== undefined) {
    return { location, others, notes: readNotes(workspace, given, said!, found, takesAll) };
  }
  if (isFailure) throw asGiven;
  return { location: asGiven, others: [], notes: [] };
}

/** The note on a path that was read as another; none for one that is as answers show it. */
function readNotes(
  workspace: Workspace,
  given: string,
  said: string,
  places: readonly { path: string }[],
  takesAll = false,
): string[] {
  if (said === "") return [];
  const shown = placesShown(workspace, places, takesAll);
  return [`path ${JSON.stringify(given.trim())} was read ${said}: ${shown}`];
}

/**
 * {@linkcode findInWorkspace}, but if that finds nothing, takes the only path that ends this way.
 */
export async function findWithEnding(
  workspace: Workspace,
  given: string,
  findByEnding: EndingFinder | undefined,
  isBlocked: IsBlocked | undefined,
  asGiven: Location | PathgrepError,
  takesAll = false,
): Promise<FoundInWorkspace & { endings: readonly string[] }> {
  const found = findInWorkspace(workspace, given, isBlocked, "search", asGiven, takesAll);
  if (found.location.state !== "missing" || findByEnding === undefined) {
    return { ...found, endings: [] };
  }
  const { paths: endings, said } = await findByEnding(given);
  if (endings.length !== 1) return { ...found, endings };
  const location = locate(workspace, endings[0]!, isBlocked);
  const also = said === undefined ? "" : `${said}, `;
  const note =
    `path ${JSON.stringify(given.trim())} was read ${also}as the only path that ends so: ` +
    workspace.display(location.path);
  return location.state === "found"
    ? { location, others: [], notes: [note], endings }
    : { ...found, endings: [] };
}

/** The error for a path that leads nowhere in the workspace, with suggestions. */
export function locationError(
  workspace: Workspace,
  given: string,
  location: Location,
  options: { field: string } & Purpose,
): PathgrepError {
  const { field, use, isAtShell = false } = options;
  const asGiven = given;
  given = given.trim();
  if (location.state === "blocked") {
    return new PathgrepError(
      "permission_denied_by_policy",
      `${field} ${given} is ${blockedReason(workspace, location.by)}`,
      {
        path: given,
        hint: `search elsewhere, or have the user allow it${isAtShell ? " with --allow" : ""}`,
      },
    );
  }
  const isOutside = location.state === "outside";
  const suggestions = isOutside
    ? suggestionsInside(workspace, asGiven, options)
    : suggestionsFor(workspace, asGiven, options);
  const glob = globIn(workspace, asGiven, options);
  const form = suggestions.map((path) => formDifference(asGiven.trim(), path))
    .find((difference) => difference !== undefined);
  const listed = ` (${isAtShell ? "`pathgrep files`" : "the glob tool"})`;
  const hint = form !== undefined
    ? `send one of the suggestions: a name is ${form}`
    : suggestions.length > 0
    ? `send one of the suggestions${isOutside ? "" : "; a path starts at the workspace root"}`
    : glob !== undefined
    ? globHint(glob, use, listed)
    : isOutside
    ? "give a path inside the workspace, relative to its root" +
      (use === "search" ? ", or omit it to search everything" : "")
    : `list what is there${listed}` +
      (use === "search" ? ", or omit the path to search everything" : "");
  const advice = { suggestions: suggestions.length > 0 ? suggestions : undefined, hint };
  return isOutside
    ? new PathgrepError(
      "path_outside_workspace",
      `${field} ${given} escapes project root ${workspace.roots.join(", ")}`,
      { path: given, ...advice },
    )
    : new PathgrepError("path_not_found", `Path does not exist: ${location.path}`, {
      path: given,
      resolved_path: location.path,
      ...advice,
    });
}

function blockedReason(workspace: Workspace, by: ExcludedBy | undefined): string {
  if (by === undefined) return "blocked or sensitive";
  const { file, line } = by;
  if (file === undefined) {
    return "excluded, because the rules of exclusion files take too long to match";
  }
  // Exclusion files count from above the roots of a part of a workspace, too.
  const name = workspace.contains(file) ? workspace.display(file) : platform.basename(file);
  return line > 0
    ? `excluded by ${name}:${line}`
    : `excluded, because ${name} is too large, is not UTF-8 or UTF-16, or cannot be read`;
}

function globHint(
  { path, glob }: { path: string; glob: string },
  use: PathUse,
  listed: string,
): string {
  if (use !== "search") return `a path is no glob: list what matches it${listed} and send one path`;
  const where = path === "" ? "leave the path out" : `send ${path} as path`;
  return `a path is no glob: ${where} and ${glob} as include (as pattern, with the glob tool)`;
}
