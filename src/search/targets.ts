/**
 * From the paths of a query to what is walked and read, once the guard has let them in.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The path that stands for standard input, and the file name it gets in answers. */
export const STDIN = { path: "-", file: "(stdin)" } as const;

/** What a query's paths name. */
export interface Targets {
  /** What was searched, as the answer says it. */
  basePaths: string[];
  /** Directories to walk. */
  directories: string[];
  /** Files to read. */
  files: string[];
  /** Whether standard input is to be read. */
  stdin: boolean;
  /** Canonical directories and files that nothing read may lie outside of. */
  confines: string[];
  notes: string[];
}

/** Who searches, and who is asked. */
export interface TargetContext {
  workspace: Workspace;
  guard: Guard;
  tool: string;
  requester: PermissionRequester | undefined;
  signal: AbortSignal | undefined;
  /** Whether {@linkcode STDIN} may be named. */
  hasStdin: boolean;
}

/**
 * Resolves every path; none means every root of the workspace.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code
 */
export async function resolveTargets(
  paths: readonly string[],
  context: TargetContext,
): Promise<Targets> {
  const { workspace } = context;
  const base = new Set<string>();
  const directories = new Set<string>();
  const files = new Set<string>();
  // The outermost root first: its ignore rules hold in roots inside of it, however they are ordered.
  const confines = new Set(workspace.roots.toSorted((a, b) => a.length - b.length));
  const notes = new Set<string>();
  let stdin = false;
  for (const path of paths.length === 0 ? [""] : paths) {
    if (path === STDIN.path && context.hasStdin) {
      stdin = true;
      base.add(STDIN.file);
      continue;
    }
    const target = await context.guard.admit(path, { ...context, field: "path" });
    if (target.kind === "all-workspaces") {
      for (const root of target.roots) {
        directories.add(root);
        base.add(root);
      }
      continue;
    }
    for (const note of target.notes) notes.add(note);
    const found = target.kind === "file" ? target.filePath : target.searchDir;
    (target.kind === "file" ? files : directories).add(found);
    base.add(found);
    if (!workspace.contains(found)) confines.add(found);
  }
  return {
    basePaths: [...base],
    directories: [...directories],
    files: [...files],
    stdin,
    confines: [...confines],
    notes: [...notes],
  };
}
