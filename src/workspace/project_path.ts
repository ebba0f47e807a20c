/**
 * Resolves the paths of other tools: one confined to a project root, whose reader reports what does not exist,
 * and the directory in which a shell tool runs a command.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { locate, type Location } from "./locate.ts";
import { locationError } from "./missing_path.ts";
import type { Purpose } from "./suggestions.ts";
import { checkedPath, checkOptions, Workspace } from "./workspace.ts";
import * as platform from "../util/path.ts";
import type { Note } from "../notes/words.ts";
import { quotedName } from "../util/text.ts";
import { asGivenAndTrimmed } from "../util/path.ts";

/**
 * Resolves a path against a project root to its canonical absolute form.
 *
 * Needs `--allow-read` for the root.
 *
 * @param root the project root, a directory
 * @param raw absolute, or relative to the root; surrounding white space is dropped where nothing is
 * called so
 * @param options `field`: the name of the parameter in errors
 * @returns the canonical path, whether or not it exists
 * @throws {PathgrepError} `INVALID_FILE_PATH` if it is empty, `path_outside_workspace` with
 * `suggestions` if part of it is inside, `path_access_denied`, `path_unsupported` for a loop of
 * symbolic links
 *
 * @example
 * ```ts
 * import { resolveProjectPath } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * assert.equal(await resolveProjectPath(root, "src/new.ts\n"), `${root}/src/new.ts`);
 * await assert.rejects(resolveProjectPath(root, "../other"), /escapes project root/);
 * await Deno.remove(root);
 * ```
 */
export async function resolveProjectPath(
  root: string,
  raw: string,
  options: { field?: string } = {},
): Promise<string> {
  const workspace = await Workspace.open(root);
  return scopedLocation(workspace, raw, { field: options.field ?? "file_path" }).path;
}

/**
 * {@linkcode resolveProjectPath} for an open workspace: a relative path belongs to the first root
 * that has it.
 *
 * @param options paths that `isBlocked` are refused unread; `voice` words hints
 */
export function scopedLocation(
  workspace: Workspace,
  raw: string,
  { field, isBlocked, voice }: { field: string } & Pick<Purpose, "isBlocked" | "voice">,
): Extract<Location, { state: "found" | "missing" }> {
  const path = checkedPath(raw, field);
  if (path === "") throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
  const location = locate(workspace, path, isBlocked, "project");
  if (location.state === "found" || location.state === "missing") return location;
  throw locationError(workspace, path, location, { field, use: "project", isBlocked, voice });
}

/**
 * A description of the parameter `dir_path` of a shell tool, for its schema.
 *
 * @example
 * ```ts
 * import { WORKING_DIRECTORY_DESCRIPTION } from "@x/pathgrep";
 *
 * const inputSchema = {
 *   type: "object",
 *   properties: { dir_path: { type: "string", description: WORKING_DIRECTORY_DESCRIPTION } },
 * };
 * ```
 */
export const WORKING_DIRECTORY_DESCRIPTION: string =
  '(OPTIONAL) Directory to run the command in. Provide a workspace directory name (e.g., "packages"), ' +
  'a relative path (e.g., "src/utils"), or an absolute path within the workspace.';

/** A directory in the workspace, and notes on how it was read. */
export interface WorkingDirectory {
  /** The canonical absolute path. */
  path: string;
  /** Sentences for the caller. */
  notes: readonly string[];
}

/**
 * Resolves a working directory. A relative path starts at the first root; a single segment that is not
 * found there may also be the base name of a root (deprecated, with a note).
 *
 * Needs `--allow-read` for the workspace.
 *
 * @param workspace the roots that must contain the directory
 * @param dirPath absolute, relative, or a root's base name
 * @throws {PathgrepError} `INVALID_FILE_PATH`, `path_outside_workspace`, `path_not_found`,
 * `path_access_denied`, `path_unsupported` if it is not a directory, `invalid_input` if two roots have
 * that name
 *
 * @example
 * ```ts
 * import { resolveWorkingDirectory, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.realPath(await Deno.makeTempDir());
 * await Deno.mkdir(`${root}/src/utils`, { recursive: true });
 * const workspace = await Workspace.open(root);
 * assert.equal((await resolveWorkingDirectory(workspace, "src/utils/")).path, `${root}/src/utils`);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function resolveWorkingDirectory(
  workspace: Workspace,
  dirPath: string,
): Promise<WorkingDirectory> {
  checkOptions({ workspace });
  const { path, notes } = workingDirectory(workspace, dirPath, { field: "dir_path" });
  const { sentences } = await import("../notes/words.ts");
  return { path, notes: sentences(notes) };
}

/**
 * {@linkcode resolveWorkingDirectory} for a parameter of any name, and under a guard.
 *
 * @param options `field`: the name of the parameter; paths that `isBlocked` are refused unread;
 * `voice` words hints
 * @throws {PathgrepError} as `resolveWorkingDirectory`, and `permission_denied_by_policy`
 */
export function workingDirectory(
  workspace: Workspace,
  raw: string,
  { field, isBlocked, voice }: { field: string } & Pick<Purpose, "isBlocked" | "voice">,
): { path: string; notes: Note[] } {
  const path = checkedPath(raw, field);
  if (path === "") throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
  const location = locate(workspace, path, isBlocked, "dir");
  const failure = () =>
    locationError(workspace, path, location, { field, use: "dir", isBlocked, voice });
  if (location.state === "blocked") throw failure();
  if (location.state === "found" && location.info.isDirectory) {
    return { path: location.path, notes: [] };
  }
  const given = path.trim();
  const [named = []] = asGivenAndTrimmed(path).map((reading) => rootsNamed(workspace, reading))
    .filter((roots) => roots.length > 0);
  if (named.length > 1) {
    throw new PathgrepError(
      "invalid_input",
      `${field} ${given} names ${named.length} workspace roots: ${named.join(", ")}`,
      { path: given, hint: "use the absolute path of one of them" },
    );
  }
  if (named.length === 1) {
    const [root] = named as [string];
    return {
      path: root,
      notes: [{ reason: "root_by_name", values: { field, path: given, root } }],
    };
  }
  if (location.state === "found") {
    const parent = platform.dirname(location.path);
    const shown = workspace.roots.length === 1 ? workspace.display(parent) : parent;
    throw new PathgrepError("path_unsupported", `Path is not a directory: ${location.path}`, {
      path: given,
      resolved_path: location.path,
      hint: `use the directory that contains it: ${quotedName(shown)}`,
    });
  }
  throw failure();
}

/** The roots whose base name a path of one segment is. */
function rootsNamed(workspace: Workspace, path: string): string[] {
  const name = platform.basename(path);
  const isOneSegment = platform.dirname(path) === "." && path.startsWith(name);
  return isOneSegment ? workspace.roots.filter((root) => platform.basename(root) === name) : [];
}
