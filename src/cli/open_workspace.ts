/**
 * Opens the workspace of a command line.
 *
 * @module
 */
import { Workspace } from "../workspace/workspace.ts";
import type { Settings } from "./settings.ts";

/**
 * The roots that `--workspace` named, or the current directory.
 *
 * @throws {PathgrepError} when one is not a directory that can be read
 */
export async function openWorkspace({ workspace }: Settings): Promise<Workspace> {
  return await Workspace.open(workspace.length > 0 ? workspace : ".");
}
