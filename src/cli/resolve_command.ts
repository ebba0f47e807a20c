/**
 * `pathgrep resolve`: say which path in the workspace is meant.
 *
 * @module
 */
import { PathgrepError } from "../errors.ts";
import { Guard } from "../guard/guard.ts";
import { scopedPath } from "../workspace/project_path.ts";
import { resolveWorkingDirectory, type WorkingDirectory } from "../workspace/working_directory.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { visible } from "./escape.ts";
import { openWorkspace } from "./open_workspace.ts";
import { stderr, stdout } from "./output.ts";
import { jsonLine } from "./render_json.ts";
import { renderNotes } from "./render_text.ts";
import type { Settings } from "./settings.ts";

/** What a path stands for. */
interface ResolvedPath {
  input: string;
  /** Canonical and absolute; the first root where every root is meant. */
  path: string;
  kind: "file" | "directory" | "all-workspaces";
  /** The path below its root; `.` for a root. */
  relative: string;
  notes?: readonly string[];
}

/** Resolves its one operand. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  const [input, ...more] = operands;
  if (input === undefined || more.length > 0) {
    throw new PathgrepError(
      "invalid_input",
      input === undefined ? "PATH is missing" : `resolve takes one PATH, got ${operands.length}`,
      { hint: "usage: pathgrep resolve PATH [--as search|file|dir|project] [--field NAME]" },
    );
  }
  const workspace = await openWorkspace(settings);
  const { path, kind, notes } = await resolve(workspace, input, settings);
  const relative = workspace.display(path);
  const resolved: ResolvedPath = {
    input,
    path,
    kind,
    relative,
    ...(notes.length === 0 ? {} : { notes }),
  };
  if (settings.format === "text") {
    stdout.write(visible(path) + "\n");
    renderNotes(notes, stderr);
  } else {
    stdout.write(jsonLine(resolved));
  }
  return 0;
}

async function resolve(
  workspace: Workspace,
  input: string,
  { as, field, query }: Settings,
): Promise<{ path: string; kind: ResolvedPath["kind"]; notes: readonly string[] }> {
  switch (as) {
    case "project": {
      const path = scopedPath(workspace, input, field);
      return { path, kind: isDirectory(path) ? "directory" : "file", notes: [] };
    }
    case "dir": {
      const { path, notes } = await workingDirectory(workspace, input, field);
      return { path, kind: "directory", notes };
    }
    case "file":
    case "search": {
      if (as === "file" && input.trim() === "") {
        throw new PathgrepError("INVALID_FILE_PATH", `${field} is empty`);
      }
      const guard = new Guard({ workspace, allow: query.allow, deny: query.deny });
      const target = await guard.admit(input, { tool: "resolve_path", field });
      if (target.kind === "all-workspaces") {
        return { path: target.roots[0]!, kind: target.kind, notes: [] };
      }
      if (target.kind === "file") return { path: target.filePath, ...target };
      if (as === "file") {
        throw new PathgrepError("path_unsupported", `Path is not a file: ${target.searchDir}`, {
          path: input,
          resolved_path: target.searchDir,
          hint: "name a file, or use --as search or --as dir",
        });
      }
      return { path: target.searchDir, ...target };
    }
  }
}

/** Resolves a working directory, whose parameter tools call `dir_path`, under another name. */
async function workingDirectory(
  workspace: Workspace,
  input: string,
  field: string,
): Promise<WorkingDirectory> {
  const named = (sentence: string) => sentence.replace(/^dir_path\b/, () => field);
  try {
    const { path, notes } = await resolveWorkingDirectory(workspace, input);
    return { path, notes: notes.map(named) };
  } catch (thrown) {
    const { code, message, details } = PathgrepError.from(thrown);
    throw new PathgrepError(code, named(message), details);
  }
}

/** Whether a directory stands there; a path that does not exist is taken for a file to be made. */
function isDirectory(path: string): boolean {
  try {
    return Deno.lstatSync(path).isDirectory;
  } catch {
    return false;
  }
}
