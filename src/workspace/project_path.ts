/**
 * The scope guard for any tool's path: it must stay below a project root. Nothing is repaired and
 * nothing has to exist; whoever reads the path reports that.
 *
 * @module
 */

import * as platform from "../path.ts";
import { PathgrepError } from "../errors.ts";
import { checkedPath, Workspace } from "./workspace.ts";

/**
 * Resolves a path against a project root to its canonical absolute form.
 *
 * Needs `--allow-read` for the root.
 *
 * @param root the project root, a directory
 * @param raw absolute, or relative to the root; surrounding white space is dropped
 * @param options `field` names the parameter in errors
 * @returns the canonical path, also when nothing exists there
 * @throws {PathgrepError} `INVALID_FILE_PATH` when empty, `path_outside_workspace`,
 * `path_access_denied`, `path_unsupported` for a loop of symbolic links
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
  return scopedPath(workspace, raw, options.field ?? "file_path");
}

/** {@linkcode resolveProjectPath} for an open workspace: relative to its first root. */
export function scopedPath(workspace: Workspace, raw: string, field: string): string {
  const path = checkedPath(raw, field);
  if (path === "") throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
  const resolved = workspace.canonical(platform.resolve(workspace.roots[0]!, path)).path;
  if (!workspace.contains(resolved)) {
    throw new PathgrepError(
      "path_outside_workspace",
      `${field} ${path} escapes project root ${workspace.roots.join(", ")}`,
      { path, hint: "give a path inside the project root" },
    );
  }
  return resolved;
}
