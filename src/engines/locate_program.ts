/**
 * Finding a program that may be run, and that nobody planted where it searches.
 *
 * @module
 */

import * as platform from "node:path";
import { PathgrepError } from "../util/errors.ts";
import { isWithin } from "../workspace/paths.ts";
import type { FilterProgram } from "../search/engines/filter_program.ts";

/** Where a program is. */
export interface LocatedProgram {
  /** An absolute path, or the bare name for Deno to resolve. */
  command: string;
  /** Whether it was only found where {@linkcode FilterProgram.fallback} looks. */
  isFallback: boolean;
}

/**
 * The command that runs a program.
 *
 * PATH is gone through where Deno lets it be read: a program in the workspace, or in a directory that
 * depends on where the process runs, is passed over. Where PATH may not be read, Deno has resolved the
 * names after `--allow-run` when it started. Permissions are never asked for.
 *
 * @param program what to look for
 * @param roots the canonical roots of the workspace
 * @throws {PathgrepError} `engine_unavailable`, with how to get it
 */
export async function locateProgram(
  program: Pick<FilterProgram, "name" | "install" | "fallback">,
  roots: readonly string[],
): Promise<LocatedProgram> {
  const { name, install } = program;
  const found = lookUp(name, roots);
  if (found.command !== undefined && mayRun(found.command)) {
    return { command: found.command, isFallback: false };
  }
  const other = await program.fallback?.();
  if (other !== undefined && mayRun(other)) return { command: other, isFallback: true };
  const wanted = found.command === undefined ? other ?? name : name;
  const allow = `start Deno with --allow-run=${wanted}`;
  if (found.command !== undefined || other !== undefined) {
    const isBare = found.command === name && other === undefined;
    throw unavailable(
      name,
      isBare ? "is not permitted or not installed" : "is not permitted",
      isBare ? `${allow}; if it is not installed, ${install}` : allow,
    );
  }
  if (found.isPlanted) {
    throw unavailable(
      name,
      "found in the workspace or through a relative entry of PATH is not run",
      `${install}, and ${allow}`,
    );
  }
  throw unavailable(name, "is not installed", `${install}, and ${allow}`);
}

function unavailable(name: string, why: string, hint: string): PathgrepError {
  return new PathgrepError("engine_unavailable", `${name} ${why}; ${hint}, or use the engine js`);
}

/** Whether running a command is granted, without asking. */
function mayRun(command: string): boolean {
  return Deno.permissions.querySync({ name: "run", command }).state === "granted";
}

/** What PATH has of a program. */
interface Found {
  command?: string;
  /** One was passed over, or may lie in a place where it would be. */
  isPlanted: boolean;
}

function lookUp(name: string, roots: readonly string[]): Found {
  const variable = "PATH";
  if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") {
    return { command: name, isPlanted: false };
  }
  const file = Deno.build.os === "windows" ? `${name}.exe` : name;
  let isPlanted = false;
  let isBlind = false;
  for (const directory of (Deno.env.get(variable) ?? "").split(platform.delimiter)) {
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
  // What may not be looked at is left to Deno, as long as it cannot find a planted one.
  return isBlind && !isPlanted ? { command: name, isPlanted } : { isPlanted };
}

/** The canonical path of an executable file; `unknown` where Deno may not look. */
function executableAt(path: string): string {
  try {
    const { isFile, mode } = Deno.statSync(path);
    if (!isFile || mode !== null && (mode & 0o111) === 0) return "none";
    return Deno.realPathSync(path);
  } catch (error) {
    return error instanceof Deno.errors.NotCapable ? "unknown" : "none";
  }
}
