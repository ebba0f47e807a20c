/**
 * Which engines can be used here, and what the others need.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import { isGranted } from "../../system/permissions.ts";
import { locateProgram } from "../../engines/locate_program.ts";
import { type FilterProgram, PROGRAMS } from "../../engines/programs.ts";
import { runProgram } from "../../engines/run_program.ts";

export interface EngineStatus {
  available: boolean;
  /** The first line of `--version`. */
  version?: string;
  /** Absent where Deno does not let it be read. */
  path?: string;
  /** Where a search fetches it from, when it is not installed. */
  source?: "npm";
  needs: string;
  /** Why it is not available. */
  hint?: string;
}

/** Milliseconds that a program may take to print its version. */
const PROBE_MS = 5000;

/**
 * Looks for every engine as a search would, but fetches nothing, and runs a program only where that is
 * permitted already.
 *
 * @param roots canonical: no program in them is run
 */
export async function probeEngines(
  roots: readonly string[],
): Promise<Record<string, EngineStatus>> {
  return {
    js: { available: true, needs: "--allow-read for the workspace" },
    rg: await probe(PROGRAMS.rg, roots),
    git: await probe(PROGRAMS.git, roots),
    grep: await probe(PROGRAMS.grep, roots),
  };
}

async function probe(program: FilterProgram, roots: readonly string[]): Promise<EngineStatus> {
  const { name, install, env } = program;
  const needs = `--allow-read for the workspace, --allow-run=${name} and --allow-env=PATH`;
  try {
    const command = await locateProgram({ name, install }, roots);
    const { code, stdout } = await runProgram(command, {
      args: ["--version"],
      env,
      maxOutput: 1 << 20,
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const [version = ""] = new TextDecoder().decode(stdout).split("\n");
    if (code !== 0) {
      return { available: false, needs, hint: `${command} --version exited with status ${code}` };
    }
    return { available: true, version, ...(command === name ? {} : { path: command }), needs };
  } catch (error) {
    const mayFetch = error instanceof PathgrepError && program.fallback?.isPermitted() &&
      isGranted({ name: "run" });
    if (mayFetch) {
      return { available: true, source: "npm", needs: "--allow-env, --allow-read and --allow-run" };
    }
    const hint = error instanceof PathgrepError ? error.message : `cannot be run: ${install}`;
    return { available: false, needs, hint };
  }
}
