/**
 * The guard: which paths may be read, which may not, and which need the user's word.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { locate, type Location, type PathUse } from "../workspace/locate.ts";
import {
  findInWorkspace,
  locationError,
  type ResolvedSearchTarget,
  targetAt,
} from "../workspace/search_target.ts";
import { pathError } from "../workspace/canonical.ts";
import { checkedPath, type Workspace } from "../workspace/workspace.ts";
import { Policy, type PolicyOptions } from "./policy.ts";
import { askFor, isGrantedForSession, type PermissionRequester } from "./requester.ts";

/** What a {@linkcode Guard} is made of. */
export interface GuardOptions {
  /** The roots that are granted. */
  workspace: Workspace;
  /**
   * Globs that unblock matching names inside the workspace (never `.git`) and, absolute, grant
   * paths outside of it. @default none
   */
  allow?: readonly string[];
  /** Globs that block besides the table of sensitive names; they win. @default none */
  deny?: readonly string[];
}

/** Who asks for a path, and who can be asked. */
export interface Admission {
  /** The tool, as the question names it. */
  tool: string;
  /** The parameter, as errors name it. */
  field: string;
  /** What the path is for. @default "search" */
  use?: PathUse;
  /** Without one, a pending path is an error. */
  requester?: PermissionRequester | undefined;
  /** Ends the question. */
  signal?: AbortSignal | undefined;
}

/**
 * Decides about paths: `granted` in the workspace, `denied` when blocked by name, `pending` outside.
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
  /**
   * The policy as plain data, for the threads that walk.
   *
   * @internal
   */
  readonly policyOptions: PolicyOptions;

  /**
   * A guard for one workspace.
   *
   * @throws {PathgrepError} `invalid_input` for a bad glob
   */
  constructor(options: GuardOptions) {
    this.#workspace = options.workspace;
    this.policyOptions = {
      roots: options.workspace.ceiling,
      allow: options.allow ?? [],
      deny: options.deny ?? [],
    };
    this.#policy = new Policy(this.policyOptions);
  }

  /**
   * Whether a path may be read.
   *
   * @param path absolute, or relative to the first root that has it
   * @param _operation reading is all there is
   * @throws {PathgrepError} `path_access_denied`, `path_unsupported`, `invalid_input`
   */
  // deno-lint-ignore require-await
  async check(path: string, _operation: "read"): Promise<"granted" | "denied" | "pending"> {
    const given = checkedPath(path, "path");
    const location = locate(this.#workspace, given, (path) => this.isBlocked(path));
    if (location.state === "blocked") return "denied";
    return location.state !== "outside" || this.#isGrantedOutside(location.path)
      ? "granted"
      : "pending";
  }

  /** Whether a path is blocked by name, whether or not it exists; relative to the first root. */
  isBlocked(path: string): boolean {
    return this.#policy.isBlocked(platform.resolve(this.#workspace.roots[0]!, path));
  }

  /**
   * The search target that a path names, once it may be read: granted at once, or by the user.
   *
   * @throws {PathgrepError} every `path_…` and `permission_…` code
   * @internal
   */
  async admit(raw: string | undefined, admission: Admission): Promise<ResolvedSearchTarget> {
    const given = raw === undefined ? "" : checkedPath(raw, admission.field);
    if (given === "") return { kind: "all-workspaces", roots: this.#workspace.roots };
    const isBlocked = (path: string) => this.isBlocked(path);
    const { location, notes } = findInWorkspace(this.#workspace, given, isBlocked);
    if (location.state === "found") return targetAt(location.path, location.info, given, notes);
    const { field, requester, signal, tool, use = "search" } = admission;
    if (location.state === "outside") {
      if (this.#isGrantedOutside(location.path)) return outsideTarget(location, given);
      if (requester !== undefined) {
        await askFor(requester, {
          tool,
          requestedPath: given,
          resolvedPath: location.path,
          operation: "read",
          ...(signal === undefined ? {} : { signal }),
        });
        return outsideTarget(location, given);
      }
    }
    throw locationError(this.#workspace, given, location, { field, use, isBlocked });
  }

  #isGrantedOutside(canonical: string): boolean {
    return this.#policy.grantsOutside(canonical) || isGrantedForSession(canonical);
  }
}

function outsideTarget(location: Location, given: string): ResolvedSearchTarget {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(location.path);
  } catch (error) {
    throw pathError(error, location.path).with({ path: given });
  }
  return targetAt(location.path, info, given, []);
}
