/**
 * Resolves a path to the canonical one in the workspace, for `pathgrep resolve` and the tool
 * `resolve_path`.
 *
 * @module
 */

import type { Voice } from "../notes/table.ts";
import { type Note, sentences, SILENT } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import { Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import type { PathUse } from "../workspace/locate.ts";
import { scopedLocation, workingDirectory } from "../workspace/project_path.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The answer of the tool `resolve_path`. */
export interface ResolvedPath {
  /** The path as it was given. */
  input: string;
  /** Canonical and absolute; the first root where every root is meant. */
  path: string;
  /** What is there; a project path with nothing there counts as a file. */
  kind: "file" | "directory" | "all-workspaces";
  /** The path below its root; `.` for a root. */
  relative: string;
  /** Sentences for the caller, such as how the path was read. */
  notes?: readonly string[];
}

export interface ResolvePathOptions {
  as?: PathUse | undefined;
  /** What messages call the path. @default "path" */
  field?: string | undefined;
  /** Globs that lift the guard. @default none */
  allow?: readonly string[] | undefined;
  /** Globs that the guard blocks besides its own table. @default none */
  deny?: readonly string[] | undefined;
  /** Asked about paths outside the workspace. @default nobody: they are errors */
  permissionRequester?: PermissionRequester | undefined;
  signal?: AbortSignal | undefined;
  /** Words errors. @default they name no command and no option */
  voice?: Voice | undefined;
}

/** @throws {PathgrepError} every `path_…` and `permission_…` code */
export async function resolvePath(
  workspace: Workspace,
  input: string,
  options: ResolvePathOptions = {},
): Promise<ResolvedPath> {
  const { path, kind, notes } = await resolveFor(workspace, input, options);
  const relative = workspace.display(path);
  return {
    input,
    path,
    kind,
    relative,
    ...(notes.length === 0 ? {} : { notes: sentences(notes) }),
  };
}

async function resolveFor(
  workspace: Workspace,
  input: string,
  { as = "search", field = "path", allow = [], deny = [], permissionRequester, signal, voice }:
    ResolvePathOptions,
): Promise<{ path: string; kind: ResolvedPath["kind"]; notes: readonly Note[] }> {
  const guard = new Guard({ workspace, allow, deny });
  const purpose = { field, isBlocked: guard.blocker(), voice };
  const slices = new Slices(workspace.roots[0]!);
  switch (as) {
    case "project": {
      const location = await slices.run(() => scopedLocation(workspace, input, purpose));
      // What does not exist is taken for a file to be made.
      const isDirectory = location.state === "found" && location.info.isDirectory;
      return { path: location.path, kind: isDirectory ? "directory" : "file", notes: [] };
    }
    case "dir": {
      const { path, notes } = await slices.run(() => workingDirectory(workspace, input, purpose));
      return { path, kind: "directory", notes };
    }
    case "file":
    case "search": {
      if (as === "file" && input.trim() === "") {
        throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
      }
      const { places: [place], isEveryRoot, notes } = await guard.admit(input, {
        tool: "resolve_path",
        field,
        use: as,
        voice: () => Promise.resolve(voice ?? SILENT),
        requester: permissionRequester,
        findByEnding: async (given) => {
          const { pathByEnding } = await import("../walk/walk_names.ts");
          return await pathByEnding(given, { workspace, guard, use: as, signal });
        },
        signal,
      });
      const { path, isFile } = place!;
      if (isEveryRoot) return { path, kind: "all-workspaces", notes };
      if (as === "file" && !isFile) {
        throw new PathgrepError("path_unsupported", `Path is not a file: ${path}`, {
          path: input,
          resolved_path: path,
          hint: "name a file, or resolve it as search or dir",
        });
      }
      return { path, kind: isFile ? "file" : "directory", notes };
    }
  }
}
