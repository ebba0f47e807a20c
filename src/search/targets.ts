/**
 * Turns the paths of a query into what is walked and read, once the guard has admitted them.
 *
 * @module
 */

import { PathgrepError, timedOut } from "../util/errors.ts";
import { Slices } from "../util/slices.ts";
import type { Admitted, Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import { isPathFree } from "./query_parser.ts";
import type { SearchSettings } from "./query.ts";
import { sep } from "../util/path.ts";
import { pathError } from "../workspace/canonical.ts";
import { type AllowedRoots, isVerified } from "../workspace/verification.ts";
import { STDIN } from "../searcher/job.ts";
import type { EndingFinder, EndingsInTurn } from "../workspace/search_target.ts";
import type { WalkOptions } from "../walk/walker.ts";
import { nestedIn } from "../workspace/paths.ts";
import { checkedPath, type Workspace } from "../workspace/workspace.ts";

/** What a query's paths name. */
export interface Targets {
  /** What was searched, as the answer names it. */
  basePaths: string[];
  /** Directories to walk. */
  directories: string[];
  /** Files to read. */
  files: string[];
  /** Whether standard input is to be read. */
  stdin: boolean;
  /** What everything that is read must be inside. */
  allowedRoots: AllowedRoots;
  notes: string[];
  /** Milliseconds of the time limit that this took; questions to the user take none. */
  spent: number;
}

/** Who searches, and who is asked. */
export interface TargetContext {
  workspace: Workspace;
  guard: Guard;
  tool: string;
  requester: PermissionRequester | undefined;
  signal: AbortSignal | undefined;
  /** Whether errors go to the command line, and name its commands and options. @default false */
  isAtShell?: boolean;
  /** Whether {@linkcode STDIN} may be named. */
  hasStdin: boolean;
  /** Whether files are only listed, so that nobody opens them. @default false */
  isListing?: boolean;
}

/** Milliseconds without a turn of the event loop. */
const SLICE_MS = 10;

/**
 * Resolves every path; none means every root of the workspace.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `search_timed_out` and `cancelled`
 */
export async function resolveTargets(
  { paths, timeout }: Pick<SearchSettings, "paths" | "timeout">,
  context: TargetContext,
): Promise<Targets> {
  const { workspace } = context;
  const base = new Set<string>();
  const directories = new Set<string>();
  const files = new Set<string>();
  // The outermost root first: its ignore rules apply in the roots inside it, whatever order they
  // were given in.
  const { allowedRoots, identities } = workspace.allowedRoots;
  const confined = new Map(allowedRoots.map((path, index) => [path, identities[index]]));
  const readRoots = (): AllowedRoots => ({
    allowedRoots: [...confined.keys()],
    identities: [...confined.values()],
  });
  const notes = new Set<string>();
  let byEnding: ((given: string) => EndingsInTurn) | undefined;
  const findByEnding: EndingFinder = async (given) => {
    if (byEnding === undefined) {
      const { pathsByEnding } = await import("./path_by_ending.ts");
      byEnding = await pathsByEnding(checkedPaths(paths), { ...context, timeout });
    }
    return byEnding(given);
  };
  let stdin = false;
  let denial: unknown;
  const slices = new Slices(workspace.roots[0]!);
  let turned = performance.now();
  let spent = 0;
  for (const path of paths.length === 0 ? [""] : paths) {
    if (path === STDIN.path && context.hasStdin) {
      stdin = true;
      base.add(STDIN.file);
      continue;
    }
    if (performance.now() - turned > SLICE_MS) {
      await slices.run(() => {});
      turned = performance.now();
    }
    if (context.signal?.aborted) throw new PathgrepError("cancelled", "cancelled");
    let started = performance.now();
    let admitted: readonly Admitted[];
    try {
      admitted = await context.guard.admitAll(path, { ...context, field: "path", findByEnding });
    } catch (thrown) {
      if (!await isAskedLater(context.requester, thrown)) throw thrown;
      denial ??= thrown;
      continue;
    }
    const unreadable: PathgrepError[] = [];
    let isAnyReadable = false;
    /** Adds a target, unless it may not be read: that is said where others may be. */
    const add = (found: string, isFile: boolean) => {
      const isOpened = !isFile || !context.isListing;
      const refusal = isOpened ? refusalToRead(found, isFile, readRoots) : undefined;
      if (refusal !== undefined) {
        unreadable.push(refusal.with(path === "" ? {} : { path }));
        return;
      }
      isAnyReadable = true;
      (isFile ? files : directories).add(found);
      base.add(found);
    };
    for (const { target, identity } of admitted) {
      if (target.kind === "all-workspaces") {
        const open = context.guard.openRoots();
        for (const root of target.roots) {
          if (open.includes(root)) add(root, false);
          else {
            notes.add(`${workspace.display(root)} was not searched: it is blocked in another root`);
          }
        }
        continue;
      }
      for (const note of target.notes) notes.add(note);
      const found = target.kind === "file" ? target.filePath : target.searchDir;
      const isInside = workspace.contains(found);
      if (!isInside && !confined.has(found)) confined.set(found, identity);
      add(found, target.kind === "file");
      if (!isInside) continue; // the user may have been asked
      spent += performance.now() - started;
      started = performance.now();
      if (timeout > 0 && spent > timeout) {
        throw timedOut(timeout, {
          files_searched: 0,
          hint: "name directories instead of each file, or raise the timeout",
        });
      }
    }
    if (unreadable.length > 0 && !isAnyReadable) throw unreadable[0]!;
    for (const { message, details } of unreadable) {
      const place = workspace.display(String(details.resolved_path));
      notes.add(`${place} was not searched: ${message}`);
    }
  }
  if (denial !== undefined) throw denial;
  return {
    basePaths: [...base],
    directories: [...directories],
    files: [...files],
    stdin,
    allowedRoots: readRoots(),
    notes: [...notes],
    spent,
  };
}

/**
 * Why a target may not be read, which a search would take for an empty answer. What was exchanged
 * meanwhile is not spoken of: that could be anything.
 */
function refusalToRead(
  path: string,
  isFile: boolean,
  roots: () => AllowedRoots,
): PathgrepError | undefined {
  const refusal = refusalAt(path, isFile);
  if (refusal === undefined) return undefined;
  const isSame = () => refusalAt(path, isFile) !== undefined;
  return isVerified({ path, directory: path, isSame }, roots()) ? refusal : undefined;
}

function refusalAt(path: string, isFile: boolean): PathgrepError | undefined {
  try {
    if (!isFile && Deno.build.os === "windows") Deno.readDirSync(path)[Symbol.iterator]().next();
    else Deno.openSync(path).close();
    // A directory may be listed and still keep everything in it.
    if (!isFile) Deno.lstatSync(`${path}${sep}.`);
    return undefined;
  } catch (error) {
    const failure = pathError(error, path);
    return failure.code === "path_access_denied" ? failure : undefined;
  }
}

/** The paths that are looked for; a value that is not a path is an error when its turn comes. */
function checkedPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [checkedPath(path, "path")];
    } catch {
      return [];
    }
  });
}

/**
 * Whether a denial is not final: the question will be asked together with those about the other
 * paths.
 */
async function isAskedLater(requester: PermissionRequester | undefined, denial: unknown) {
  if (requester === undefined) return false;
  return (await import("../guard/requester.ts")).isDeferred(requester, denial);
}

/** What is walked for a query. */
export function walkOptions(
  settings: Pick<
    SearchSettings,
    | ("include" | "includeKey" | "exclude" | "places" | "type" | "typeNot")
    | ("ignore" | "hidden" | "follow" | "maxDepth")
  >,
  targets: Targets,
  guard: Guard,
): WalkOptions {
  const { include, includeKey, exclude, places, type, typeNot } = settings;
  const { ignore, hidden, follow, maxDepth } = settings;
  return {
    bases: targets.directories,
    named: targets.files,
    // A glob with a slash means something different below each of two directories.
    mayRepeat: follow || !isPathFree(settings) && nestedIn(targets.directories).length > 0,
    ...targets.allowedRoots,
    policy: guard.policyOptions,
    filter: { include, includeKey, exclude, places, type, typeNot },
    ignore,
    hidden,
    follow,
    maxDepth,
  };
}
