/**
 * Confines the path of any tool to a project root. Repairs nothing, and the path need not exist: its reader
 * reports that.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { locate, type Location } from "./locate.ts";
import { locationError } from "./missing_path.ts";
import type { Purpose } from "./suggestions.ts";
import { checkedPath, Workspace } from "./workspace.ts";

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
 * @param options paths that `isBlocked` are refused unread; `isAtShell`: hints name options of the
 * command line
 */
export function scopedLocation(
  workspace: Workspace,
  raw: string,
  { field, isBlocked, isAtShell }: { field: string } & Pick<Purpose, "isBlocked" | "isAtShell">,
): Extract<Location, { state: "found" | "missing" }> {
  const path = checkedPath(raw, field);
  if (path === "") throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
  const location = locate(workspace, path, isBlocked, "project");
  if (location.state === "found" || location.state === "missing") return location;
  throw locationError(workspace, path, location, { field, use: "project", isBlocked, isAtShell });
}
