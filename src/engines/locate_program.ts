/**
 * Locates a program that may be run and that is not planted in the workspace.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { isNotPermitted, realPath, stat } from "../system/files.ts";
import { IS_DENO, isGranted, OS, readVariable } from "../system/platform.ts";
import { isWithin } from "../util/path.ts";
import type { FilterProgram } from "./programs.ts";

/**
 * The command that runs a program.
 *
 * Searches PATH if Deno may read it, and skips programs in the workspace and in relative directories.
 * If PATH may not be read, Deno itself resolved the names after `--allow-run` when it started. Never
 * asks for a permission.
 *
 * @param roots the canonical roots of the workspace
 * @returns an absolute path, or the bare name for Deno to resolve
 * @throws {PathgrepError} `engine_unavailable`, with how to install the program
 */
export async function locateProgram(
  program: Pick<FilterProgram, "name" | "install" | "fallback">,
  roots: readonly string[],
): Promise<string> {
  const { name, install, fallback } = program;
  const found = findInPath(name, roots);
  let { isPlanted } = found;
  if (found.command !== undefined && mayRun(found.command)) return found.command;
  let other: string | undefined;
  let failure: PathgrepError | undefined;
  if (fallback?.isPermitted()) {
    try {
      other = await fallback.locate();
      if (isInside(other, roots)) {
        // If Deno's cache is in the workspace, so is the package.
        other = undefined;
        isPlanted = true;
      } else if (mayRun(other)) return other;
    } catch (thrown) {
      failure = PathgrepError.from(thrown);
    }
  }
  // Deno takes a bare name for the first program in PATH, planted or not.
  const wanted = found.command === undefined
    ? other ?? name
    : found.isPlanted
    ? found.command
    : name;
  const allow = IS_DENO
    ? `start Deno with --allow-run=${wanted}${mayReadPath() ? "" : " --allow-env=PATH"}`
    : "start Node.js with --allow-child-process";
  if (found.command !== undefined || other !== undefined) {
    const isBare = found.command === name && other === undefined;
    throw unavailable(
      name,
      isBare ? "is not permitted or not installed" : "is not permitted",
      isBare ? `${allow}; if it is not installed, ${install}` : allow,
    );
  }
  if (isPlanted) {
    throw unavailable(
      name,
      "was found in the workspace or through a relative entry of PATH, and is not run",
      IS_DENO
        ? `start Deno with --allow-run=/path/to/${name} --allow-read=/path/to/${name}, with the path of a copy elsewhere; if there is none, ${install}`
        : `put the directory of a copy elsewhere in PATH; if there is none, ${install}`,
    );
  }
  const advice = IS_DENO ? `${install}, and ${allow}` : install;
  throw unavailable(name, "is not installed", advice, failure);
}

function unavailable(
  name: string,
  why: string,
  advice: string,
  failure?: PathgrepError,
): PathgrepError {
  const message = `${name} ${why}; ${advice}, or use the js engine`;
  const hint = failure && `${failure.message}; ${failure.details.hint}`;
  return new PathgrepError("engine_unavailable", message, { hint });
}

/** Whether a program is in a root, by its path or by what the path leads to. */
function isInside(path: string, roots: readonly string[]): boolean {
  const canonical = realPath(path);
  return roots.some((root) => isWithin(root, path) || isWithin(root, canonical));
}

/** Whether Deno grants running a command; does not ask. */
function mayRun(command: string): boolean {
  return isGranted({ name: "run", command });
}

/** Whether programs in the workspace can be distinguished from others. */
function mayReadPath(): boolean {
  return isGranted({ name: "env", variable: "PATH" });
}

interface ProgramInPath {
  command?: string;
  /** Whether an unsafe program was skipped, or may exist where it would have been skipped. */
  isPlanted: boolean;
}

function findInPath(name: string, roots: readonly string[]): ProgramInPath {
  if (!mayReadPath()) return { command: name, isPlanted: false };
  const file = OS === "windows" ? `${name}.exe` : name;
  let isPlanted = false;
  let isBlind = false;
  for (const directory of (readVariable("PATH") ?? "").split(OS === "windows" ? ";" : ":")) {
    const path = platform.join(directory, file);
    const canonical = executableAt(path);
    if (canonical === "none") continue;
    const isSafe = platform.isAbsolute(directory) &&
      !roots.some((root) =>
        isWithin(root, path) || canonical !== "unknown" && isWithin(root, canonical)
      );
    if (!isSafe) isPlanted = true;
    else if (canonical === "unknown") isBlind = true;
    else return { command: path, isPlanted };
  }
  // Deno may find one where we may not look, as long as it cannot find a planted one.
  return isBlind && !isPlanted ? { command: name, isPlanted } : { isPlanted };
}

/** The canonical path of an executable file; `unknown` where Deno may not look. */
function executableAt(path: string): string {
  try {
    const { isFile, mode } = stat(path);
    if (!isFile || mode !== null && (mode & 0o111) === 0) return "none";
    return realPath(path);
  } catch (error) {
    return isNotPermitted(error) ? "unknown" : "none";
  }
}
