/**
 * The guard: which paths may be read, which may not, and which the user has to allow.
 *
 * The *policy* blocks names, in the workspace and outside, and grants paths outside; a *requester*
 * asks the user about the rest. To *admit* a path is to resolve it and to obtain its permission.
 *
 * @module
 */

import type { Voice } from "../notes/table.ts";
import type { Note } from "../notes/words.ts";
import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { type Pulse, Slices } from "../util/pulse.ts";
import {
  boundedPulse,
  type ExcludedBy,
  type ExclusionRoots,
  Exclusions,
} from "../exclusions/exclusions.ts";
import {
  type IsBlocked,
  isEveryRoot,
  isTooDeep,
  locate,
  locateAsGiven,
  locateOne,
  type Location,
  type PathUse,
  type Place,
  placeAt,
  placesInRoots,
  placesNotes,
} from "../workspace/locate.ts";
import { pathError } from "../paths/canonical.ts";
import { identityAt, identityOf } from "../paths/verification.ts";
import type { EndingSearch, FoundInWorkspace } from "../workspace/missing_path.ts";
import type { NamedLines } from "../workspace/repairs.ts";
import { checkedPath, checkOptions, type Workspace } from "../workspace/workspace.ts";
import { Policy, type PolicyOptions } from "./policy.ts";
import type { PermissionRequester } from "./requester.ts";
import { lstat, notFound } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";

/** Options of a {@linkcode Guard}. */
export interface GuardOptions {
  /** The workspace, whose paths are granted. */
  workspace: Workspace;
  /**
   * Globs that unblock matching names inside the workspace (never `.git`) and, absolute, grant
   * paths outside it. @default none
   */
  allow?: readonly string[];
  /** Globs that block more names than the built-in table; they override `allow`. @default none */
  deny?: readonly string[];
}

/** The caller for which a path is admitted, and whom to ask. */
export interface Admission extends EndingSearch {
  /** The tool, as the question names it. */
  tool: string;
  /** The parameter's name, for errors. */
  field: string;
  /** How the path will be used. @default "search" */
  use?: PathUse;
  /** Asks the user about a pending path; without a requester, such a path is an error. */
  requester?: PermissionRequester | undefined;
  /** Ends the question. */
  signal?: AbortSignal | undefined;
  /** Beaten until the question; what it throws ends looking at the path. */
  pulse?: Pulse | undefined;
  /** Loads what words errors. @default they name no command and no option */
  voice?: (() => Promise<Voice>) | undefined;
}

/**
 * Decides whether a path may be read: `granted` in the workspace, `denied` if it is blocked by name or by a
 * rule of an exclusion file such as `.aiignore`, `pending` outside the workspace.
 *
 * Needs `--allow-read` for the workspace.
 *
 * @example
 * ```ts
 * import { Guard, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * const guard = new Guard({ workspace: await Workspace.open(root), deny: ["*.sqlite"] });
 * assert.equal(await guard.check("src/a.ts", "read"), "granted");
 * assert.equal(await guard.check(".env", "read"), "denied");
 * assert.equal(await guard.check("../other", "read"), "pending");
 * assert.equal(guard.isBlocked("data/users.sqlite"), true);
 * await Deno.remove(root);
 * ```
 */
export class Guard {
  readonly #workspace: Workspace;
  readonly #policy: Policy;
  readonly #globs: PolicyOptions;
  /** What the rule files above the roots say, as long as one call lasts. */
  #places: ExclusionRoots | undefined;

  /**
   * Creates a guard for a workspace.
   *
   * @throws {PathgrepError} `invalid_input` for a malformed glob
   */
  constructor(options: GuardOptions) {
    checkOptions(options);
    this.#workspace = options.workspace;
    const { workspace, allow = [], deny = [] } = options;
    this.#globs = {
      roots: workspace.ceiling,
      allow: allow.flatMap((glob) => [glob, ...inLabelledRoot(glob, workspace)]),
      deny: deny.flatMap((glob) => [
        ...[glob, ...whereItLeads(glob, workspace)],
        ...inLabelledRoot(glob, workspace),
      ]),
    };
    this.#policy = new Policy(this.#globs);
  }

  /**
   * The policy as plain data, for workers.
   *
   * @internal
   * @ignore
   */
  get policyOptions(): PolicyOptions {
    return { ...this.#globs, above: this.#ruleRoots.above ?? [] };
  }

  get #ruleRoots(): ExclusionRoots {
    return this.#places ??= this.#workspace.exclusionRoots();
  }

  /**
   * Returns whether a path may be read.
   *
   * @param path absolute, or relative to the first root that has it
   * @param _operation the operation; there is only this one
   * @throws {PathgrepError} `path_access_denied`, `path_unsupported`, `invalid_input`
   */
  async check(path: string, _operation: "read"): Promise<"granted" | "denied" | "pending"> {
    const given = checkedPath(path, "path");
    this.#places = undefined; // it may have changed since the last call
    const location = locate(this.#workspace, given, this.blocker());
    if (location.state === "blocked") return "denied";
    if (location.state !== "outside") return "granted";
    if (location.isBlocked) return "denied";
    return await this.#isGrantedOutside(location.path) ? "granted" : "pending";
  }

  /**
   * Returns whether a path is blocked, by name or by an exclusion file, whether or not it exists. Unlike
   * {@linkcode check}, it follows no links. A relative path starts at the first root. A path in the
   * workspace with more than 512 segments is blocked.
   */
  isBlocked(path: string): boolean {
    this.#places = undefined;
    // Deno replaces half of a surrogate pair.
    const given = typeof path === "string" ? path.toWellFormed() : checkedPath(path, "path");
    const absolute = platform.resolve(this.#workspace.roots[0]!, given);
    return isTooDeep(this.#workspace, absolute) || this.blocker()(absolute) !== false;
  }

  /**
   * The roots to search: those that are not blocked, or in which the user allows something.
   *
   * @throws {PathgrepError} `permission_denied_by_policy` if there is none
   * @internal
   * @ignore
   */
  openRoots(): string[] {
    const { roots } = this.#workspace;
    const blocked = this.blockedRoots();
    const open = roots.filter((root) => {
      const by = blocked.get(root);
      return by === undefined || typeof by === "object" && this.#globs.allow.length > 0;
    });
    if (open.length > 0) return open;
    const reason = this.#workspace.rootBlockedReason(blocked.get(roots[0]!)!);
    const message = `the workspace was not searched: ${reason}`;
    throw new PathgrepError("permission_denied_by_policy", message, {
      hint: "have the user allow what is to be searched",
    });
  }

  /**
   * The roots that are blocked in another root, or by an exclusion file above them.
   *
   * @internal
   * @ignore
   */
  blockedRoots(): Map<string, true | ExcludedBy> {
    const isBlocked = this.blocker();
    return new Map(this.#workspace.roots.flatMap((root) => {
      const by = isBlocked(root);
      return by === false ? [] : [[root, by]];
    }));
  }

  /**
   * Returns a check whether and why absolute paths are blocked. Create one per call: it reads each exclusion
   * file once.
   *
   * @param limit beaten while rules are read and matched; what it throws ends the check
   * @internal
   * @ignore
   */
  blocker(limit?: Pulse): IsBlocked {
    const exclusions = new Exclusions(this.#ruleRoots, this.#policy, boundedPulse(limit));
    return (path, siblings) => exclusions.blocks(path, siblings);
  }

  /**
   * Follows an absolute path as it is written: what is blocked is so whether or not it exists.
   *
   * @throws {PathgrepError} `path_access_denied`, `path_unsupported`, `invalid_input`
   * @internal
   * @ignore
   */
  follow(absolute: string): Location {
    return locateOne(this.#workspace, absolute, this.blocker());
  }

  /**
   * Resolves a path to what is to be read, and asks the user if it is pending.
   *
   * @throws {PathgrepError} every `path_…` and `permission_…` code
   * @internal
   * @ignore
   */
  async admit(raw: string, admission: Admission): Promise<Admitted> {
    const { field, requester, takesAll = false, use = "search" } = admission;
    const workspace = this.#workspace;
    const { roots } = workspace;
    const given = checkedPath(raw, field);
    const meansRoots = !takesAll && use === "search" && roots.length > 1;
    if (given === "" || meansRoots && isEveryRoot(given.trim())) {
      const places = roots.map((path) => ({ path, isFile: false }));
      return { places, isEveryRoot: true, notes: [], lines: [] };
    }
    const isBlocked = this.blocker(admission.pulse);
    const found = await findPath(workspace, given, isBlocked, admission);
    let { location } = found;
    const { endings, lines, notes, others } = found;
    if (location.state === "found") {
      const all = [location, ...takesAll ? others : []];
      return { places: all.map(({ path, info }) => placeAt(path, info, given)), notes, lines };
    }
    if (location.state === "outside") {
      const { path } = location;
      const isGranted = await this.#isGrantedOutside(path);
      if (location.isBlocked && (isGranted || requester !== undefined)) {
        location = { state: "blocked", path, by: undefined };
      } else if (isGranted || requester !== undefined) {
        const info = isGranted
          ? lookAt(path, given)
          : await this.#askFor(path, given, requester!, admission);
        return { places: [placeAt(path, info, given)], notes: [], lines: [] };
      }
    }
    const { locationError } = await import("../workspace/missing_path.ts");
    const purpose = { field, use, isBlocked, endings, voice: await admission.voice?.() };
    // Looking for similar paths would block the event loop for a while.
    throw await new Slices(roots[0]!).run(() => locationError(workspace, given, location, purpose));
  }

  /** Asks the user about a place outside, and looks at it: they allow what was there when they were asked. */
  async #askFor(
    path: string,
    given: string,
    requester: PermissionRequester,
    { signal, tool }: Admission,
  ): Promise<FileInfo> {
    const { askFor, grantForSession } = await loadRequester();
    const asked = identityAt(path);
    const isForSession = await askFor(this.#workspace, requester, {
      tool,
      requestedPath: given.trim(),
      resolvedPath: path,
      operation: "read",
      ...(signal === undefined ? {} : { signal }),
    }, asked);
    const info = lookAt(path, given);
    const now = locate(this.#workspace, given, this.blocker());
    const isSame = now.state === "outside" && now.path === path &&
      (asked === undefined || asked === identityOf(info));
    if (!isSame) {
      throw pathError(notFound(), path).with({
        path: given,
        hint: "it was replaced while the question was open; ask again",
      });
    }
    if (isForSession) grantForSession(this.#workspace, path);
    return info;
  }

  /**
   * Whether `allow` grants a canonical path outside the workspace.
   *
   * @internal
   * @ignore
   */
  allowsOutside(canonical: string): boolean {
    return this.#policy.grantsOutside(canonical);
  }

  async #isGrantedOutside(canonical: string): Promise<boolean> {
    if (this.allowsOutside(canonical)) return true;
    const { isGrantedForSession } = await loadRequester();
    return isGrantedForSession(this.#workspace, canonical);
  }
}

const loadRequester = () => import("./requester.ts");

/** What a path leads to. */
export interface Admitted {
  readonly places: readonly Place[];
  /** Whether it names no place, and so every root. */
  readonly isEveryRoot?: true;
  /** On how the path was read. */
  readonly notes: readonly Note[];
  /** The lines that the path names. */
  readonly lines: readonly NamedLines[];
}

/** Where a path leads as given, in each root that has it, or else as it is repaired. */
export async function findPath(
  workspace: Workspace,
  given: string,
  isBlocked: IsBlocked | undefined,
  search: EndingSearch,
): Promise<FoundInWorkspace> {
  const slices = new Slices(workspace.roots[0]!);
  const places = placesInRoots(workspace, given, isBlocked); // none where there is one root
  const [first, ...others] = places.found;
  const asGiven = first ?? locateAsGiven(workspace, given, isBlocked);
  await slices.pause();
  if ("state" in asGiven && asGiven.state === "found") {
    const notes = placesNotes(workspace, given, places, search.takesAll ?? false);
    return { location: asGiven, others, notes, lines: [], endings: [] };
  }
  const { findWithEnding } = await import("../workspace/missing_path.ts");
  return await findWithEnding(workspace, given, isBlocked, asGiven, search);
}

/** @throws {PathgrepError} `path_not_found`, `path_access_denied`, with the path as it was given */
export function lookAt(path: string, given: string): FileInfo {
  try {
    return lstat(path);
  } catch (error) {
    throw pathError(error, path).with({ path: given });
  }
}

/** A glob, rewritten below the root of several with whose name it begins, as in answers. */
function inLabelledRoot(glob: string, workspace: Workspace): string[] {
  if (workspace.roots.length === 1 || !glob.includes("/")) return [];
  return [...workspace.labels]
    .filter(([, label]) => label !== "" && glob.startsWith(`${label}/`))
    .map(([root, label]) => asGlob(root) + glob.slice(label.length));
}

/** An absolute glob, rewritten below the canonical directory if it names that through links. */
function whereItLeads(glob: string, workspace: Workspace): string[] {
  const wildcard = glob.search(/[*?[{\\]|(?<!\/)\/+$/u);
  const slash = glob.lastIndexOf("/", wildcard < 0 ? glob.length : wildcard - 1);
  if (slash < 1 || !platform.isAbsolute(glob)) return [];
  try {
    return [asGlob(workspace.canonical(glob.slice(0, slash)).path) + glob.slice(slash)];
  } catch {
    return []; // a loop of links, or what may not be read
  }
}

function asGlob(path: string): string {
  return path.replaceAll(platform.sep, "/").replace(/[*?[\]{}\\]/gu, "\\$&");
}
