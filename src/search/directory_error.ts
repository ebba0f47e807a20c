/**
 * The error for a directory where a file is to be read: it suggests what is in it.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { join } from "../util/path.ts";
import { Slices } from "../util/slices.ts";
import type { Guard } from "../guard/guard.ts";
import { compareByBytes } from "../paths/paths.ts";
import { sendable } from "../paths/suggestions.ts";
import type { Workspace } from "../paths/workspace.ts";
import { Walker } from "../scan/walker.ts";
import type { SearchSettings } from "./query.ts";
import { type Targets, walkOptions } from "./targets.ts";

interface DirectoryContext {
  targets: Targets;
  guard: Guard;
  workspace: Workspace;
}

/** @param given the path as the caller gave it */
export async function directoryError(
  given: string,
  settings: SearchSettings,
  { targets, guard, workspace }: DirectoryContext,
): Promise<PathgrepError> {
  const [directory = ""] = targets.directories;
  const suggestions = await new Slices(workspace.roots[0]!).run(() => {
    const walker = new Walker(walkOptions(settings, targets, guard));
    const { files, directories } = walker.list(walker.start()[0]!);
    const entries = [
      ...files.toSorted(compareByBytes).map((name) => ({
        path: join(directory, name),
        info: { isFile: true, isDirectory: false },
      })),
      ...directories.map(({ path }) => path).sort(compareByBytes).map((path) => ({
        path,
        info: { isFile: false, isDirectory: true },
      })),
    ];
    return sendable(workspace, entries, "search", guard.blocker());
  });
  return new PathgrepError("path_unsupported", `Path is not a file: ${directory}`, {
    path: given,
    resolved_path: directory,
    ...(suggestions.length === 0 ? {} : { suggestions }),
    hint: "send the path of a file; the glob tool lists those in a directory",
  });
}
