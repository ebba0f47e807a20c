/**
 * Turns the paths of a query into the directories and files to search, once the guard has admitted them.
 *
 * @module
 */

import { cancelled, type PathgrepError, timedOut } from "../util/errors.ts";
import type { Note } from "../notes/words.ts";
import { type Pulse, Slices } from "../util/pulse.ts";
import type { Admission, Admitted, Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import { isPathFree } from "../query/query_parser.ts";
import type { Query } from "../query/query.ts";
import { nestedIn, sep } from "../util/path.ts";
import { pathError } from "../paths/canonical.ts";
import { type AllowedRoots, inPlace } from "../paths/verification.ts";
import { STDIN } from "../run/job.ts";
import type { GlobContext } from "./path_globs.ts";
import type { Place } from "../workspace/locate.ts";
import type { WalkOptions } from "../walk/listing.ts";
import type { GlobsWithin } from "../glob/glob_paths.ts";
import type { EndingFinder, EndingsInTurn, NamedLines } from "../workspace/repairs.ts";
import { checkedPath, type Workspace } from "../workspace/workspace.ts";
import { infoAt, lstat, openFile, readDirectory } from "../system/files.ts";
import { OS } from "../system/platform.ts";

/** The targets of a query. */
export interface Targets {
  /** As the answer names them. */
  basePaths: string[];
  directories: string[];
  files: string[];
  stdin: boolean;
  /** What is searched below directories that globs given as paths lead to. */
  within: GlobsWithin | undefined;
  /** Everything that is read must be inside. */
  allowedRoots: AllowedRoots;
  notes: readonly Note[];
  /** The lines that a path names besides its file; a search does not use them. */
  lines: readonly NamedLines[];
  /** Milliseconds of the time limit that this took; questions to the user take none. */
  spent: number;
}

/** Who searches, and who is asked. */
interface TargetContext {
  workspace: Workspace;
  guard: Guard;
  tool: string;
  requester: PermissionRequester | undefined;
  signal: AbortSignal | undefined;
  voice?: Admission["voice"];
  /** Whether {@linkcode STDIN} may be named. */
  hasStdin: boolean;
  /** Whether files are only listed, not opened. */
  isListing: boolean;
  /**
   * Whether one file is read: then a relative path is that of the first root that has it, and the lines
   * that it names count. @default false
   */
  isReading?: boolean;
}

/**
 * Resolves every path; none means every root of the workspace.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `search_timed_out` and `cancelled`
 */
export async function resolveTargets(
  { paths, timeout, ignore, hidden }: Query,
  context: TargetContext,
): Promise<Targets> {
  const { workspace, isReading = false, requester, signal } = context;
  const targets = new AdmittedTargets(context);
  const time = new PathTime(timeout);
  const admission = {
    ...{ ...context, field: "path", use: isReading ? "file" as const : "search" as const },
    ...{ findByEnding: endingFinder(paths, timeout, context, time), pulse: time },
    ...{ takesAll: !isReading, takesLines: isReading },
  };
  const slices = new Slices(workspace.roots[0]!);
  let denial: unknown;
  for (const path of paths.length === 0 ? [""] : paths) {
    if (path === STDIN.path && context.hasStdin) {
      targets.addStdin();
      continue;
    }
    await slices.pause();
    if (signal?.aborted) throw cancelled(signal);
    time.start();
    const admitted = await admittedAt(path, { ...context, admission, ignore, hidden })
      .catch(async (thrown) => {
        if (time.late !== undefined) throw time.late;
        // The user is asked about deferred paths together with the others.
        if (!await isAskedLater(requester, thrown)) throw thrown;
        denial ??= thrown;
      });
    const isInside = admitted !== undefined && targets.add(path, admitted);
    if (isInside) time.stop(); // elsewhere the user may have been asked
  }
  if (denial !== undefined) throw denial;
  return targets.all(time.spent);
}

/** The part of the time limit that paths take. */
class PathTime implements Pulse {
  spent = 0;
  /** What ended it. */
  late: PathgrepError | undefined;
  readonly #limit: number;
  #started = 0;
  /** Whether a walk has looked for the path: it has a limit, after which the path is missing. */
  isWalked = false;

  constructor(timeout: number) {
    this.#limit = timeout || Infinity;
  }

  start(): void {
    this.#started = performance.now();
    this.isWalked = false;
  }

  beat(): void {
    if (this.isWalked || this.spent + performance.now() - this.#started <= this.#limit) return;
    const hint = "name directories instead of each file, or raise the timeout";
    throw this.late = timedOut(this.#limit, { files_searched: 0, hint });
  }

  stop(): void {
    this.isWalked = false;
    this.beat();
    this.spent += performance.now() - this.#started;
  }
}

async function isAskedLater(
  requester: PermissionRequester | undefined,
  denial: unknown,
): Promise<boolean> {
  if (requester === undefined) return false;
  return (await import("../guard/requester.ts")).isDeferred(requester, denial);
}

/** What a path leads to or, if it does not exist and is a glob, what the glob matches. */
async function admittedAt(path: string, context: TargetContext & GlobContext): Promise<Admitted> {
  const { guard, isReading = false, admission } = context;
  if (isReading || !/[*?[{(]/u.test(path)) return await guard.admit(path, admission);
  return await (await import("./path_globs.ts")).admitGlob(path, context);
}

/** Looks for paths that end with missing ones: in one walk for all paths of a query, if one is missing. */
function endingFinder(
  paths: readonly string[],
  timeout: number,
  context: TargetContext,
  time: PathTime,
): EndingFinder {
  let byEnding: ((given: string) => EndingsInTurn) | undefined;
  return async (given) => {
    time.isWalked = true;
    if (byEnding === undefined) {
      const { pathsByEnding } = await import("../walk/walk_names.ts");
      const checked = paths.flatMap((path) => {
        try {
          return [checkedPath(path, "path")];
        } catch {
          return []; // an error when its turn comes
        }
      });
      const use = context.isReading ? "file" : "search";
      byEnding = await pathsByEnding(checked, { ...context, use, timeout });
    }
    return byEnding(given);
  };
}

/** The targets of a query, as its paths are admitted. */
class AdmittedTargets {
  readonly #context: TargetContext;
  readonly #base = new Set<string>();
  readonly #directories = new Set<string>();
  readonly #files = new Set<string>();
  readonly notes: Note[] = [];
  readonly #within = new Map<string, readonly string[]>();
  readonly #lines: NamedLines[] = [];
  #stdin = false;
  /**
   * The identities of allowed roots. The outermost root comes first: its ignore rules apply in the roots
   * inside it, whatever order they were given in.
   */
  readonly #confined: Map<string, string | undefined>;

  constructor(context: TargetContext) {
    this.#context = context;
    const { allowedRoots, identities } = context.workspace.allowedRoots;
    this.#confined = new Map(allowedRoots.map((path, index) => [path, identities[index]]));
  }

  addStdin(): void {
    this.#stdin = true;
    this.#base.add(STDIN.file);
  }

  /**
   * Adds what a path leads to. A target that may not be read is an error, or a note where the path leads
   * to others.
   *
   * @returns whether the path names something in the workspace
   */
  add(path: string, { places, isEveryRoot, lines, notes }: Admitted): boolean {
    const { isListing, isReading, workspace } = this.#context;
    const refusals: PathgrepError[] = [];
    let [isInside, isAdded] = [false, false];
    this.#lines.push(...lines);
    this.notes.push(...notes);
    for (const place of isEveryRoot ? this.#openRoots() : places) {
      const { path, isFile, identity } = place;
      if (workspace.contains(path)) isInside = true;
      else if (!this.#confined.has(path)) this.#confined.set(path, identity);
      const isOpened = !isReading && (!isFile || !isListing);
      const refusal = isOpened ? refusalToRead(path, isFile, () => this.#allowedRoots) : undefined;
      if (refusal !== undefined) {
        refusals.push(refusal);
        continue;
      }
      isAdded = true;
      this.#addPlace(place);
    }
    const [refusal] = refusals;
    if (refusal !== undefined && !isAdded) throw refusal.with(path === "" ? {} : { path });
    for (const { message: why, details } of refusals) {
      const place = workspace.display(String(details.resolved_path));
      this.notes.push({ reason: "place_not_searched", values: { path: place, why } });
    }
    return isInside;
  }

  #addPlace({ path, isFile, globs = [] }: Place): void {
    // What was given whole is searched whole.
    const before = this.#directories.has(path) ? this.#within.get(path) : [];
    if (globs.length === 0 || before === undefined) this.#within.delete(path);
    else this.#within.set(path, [...before, ...globs]);
    (isFile ? this.#files : this.#directories).add(path);
    this.#base.add(path);
  }

  /** The roots to search; notes name the others, and those of which only a part is allowed. */
  #openRoots(): Place[] {
    const { guard, workspace } = this.#context;
    const { roots } = workspace;
    const open = guard.openRoots();
    for (const [root, by] of guard.blockedRoots()) {
      const isPart = open.includes(root);
      const values = { root: workspace.display(root), why: workspace.rootBlockedReason(by) };
      const reason = roots.length === 1
        ? isPart ? "workspace_in_part" : "workspace_blocked"
        : isPart
        ? "root_in_part"
        : "root_blocked";
      this.notes.push({ reason, values });
    }
    return open.map((path) => ({ path, isFile: false }));
  }

  get #allowedRoots(): AllowedRoots {
    return { allowedRoots: [...this.#confined.keys()], identities: [...this.#confined.values()] };
  }

  all(spent: number): Targets {
    return {
      basePaths: [...this.#base],
      directories: [...this.#directories],
      files: [...this.#files],
      stdin: this.#stdin,
      within: this.#within.size === 0 ? undefined : Object.fromEntries(this.#within),
      allowedRoots: this.#allowedRoots,
      notes: this.notes,
      lines: this.#lines,
      spent,
    };
  }
}

/**
 * Why a target may not be read, where a search would report nothing. What was exchanged meanwhile is not
 * reported: it could be anything.
 */
function refusalToRead(
  path: string,
  isFile: boolean,
  roots: () => AllowedRoots,
): PathgrepError | undefined {
  const since = Date.now();
  const refusal = refusalAt(path, isFile);
  if (refusal === undefined) return undefined;
  const isSame = () => infoAt(path) !== undefined && refusalAt(path, isFile) !== undefined;
  return inPlace([path], { walk: roots(), since }, isSame).length > 0 ? refusal : undefined;
}

function refusalAt(path: string, isFile: boolean): PathgrepError | undefined {
  try {
    if (!isFile && OS === "windows") readDirectory(path)[Symbol.iterator]().next();
    else openFile(path).close();
    // A directory may be listed and still keep everything in it.
    if (!isFile) lstat(`${path}${sep}.`);
    return undefined;
  } catch (error) {
    const failure = pathError(error, path);
    return failure.code === "path_access_denied" ? failure : undefined;
  }
}

/** What is walked for a query. */
export function walkOptions(query: Query, targets: Targets, guard: Guard): WalkOptions {
  const { include, includeKey, exclude, places, type, typeNot, within } = query;
  const { ignore, hidden, follow, maxDepth } = query;
  return {
    bases: targets.directories,
    named: targets.files,
    // A glob with a slash means something different below each of two directories.
    mayRepeat: follow ||
      (!isPathFree(query) || within !== undefined) && nestedIn(targets.directories).length > 0,
    ...targets.allowedRoots,
    policy: guard.policyOptions,
    filter: { include, includeKey, exclude, places, type, typeNot, within },
    ignore,
    hidden,
    follow,
    maxDepth,
    ...(query.everything && { worktrees: true }),
  };
}
