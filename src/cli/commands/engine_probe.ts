/**
 * Which engines can be used here, and what the others need.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import { isGranted } from "../../util/permissions.ts";
import type { FilterProgram } from "../../engines/filter_program.ts";
import { git } from "../../engines/git.ts";
import { grep } from "../../engines/grep.ts";
import { locateProgram } from "../../engines/locate_program.ts";
import { rg } from "../../engines/rg.ts";
import { runProgram } from "../../engines/run_program.ts";

/** Whether one engine can be used. */
export interface EngineStatus {
  available: boolean;
  /** What was found, as it calls itself. */
  version?: string;
  /** Where it is, when Deno lets that be seen. */
  path?: string;
  /** Where a search fetches it from, when it is not installed. */
  source?: "npm";
  /** The Deno permissions that it needs. */
  needs: string;
  /** How to get it, when it is not available. */
  hint?: string;
}

/** Milliseconds that a program may take to say its version. */
const PROBE_MS = 5000;

/**
 * Looks for every engine as a search would, but fetches nothing; a program is only run where that is
 * permitted already.
 *
 * @param roots the canonical roots of the workspace: no program in them is run
 */
export async function probeEngines(
  roots: readonly string[],
): Promise<Record<string, EngineStatus>> {
  return {
    js: { available: true, needs: "--allow-read for the workspace" },
    rg: await probe(rg, roots),
    git: await probe(git, roots),
    grep: await probe(grep, roots),
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
    if (code === 0) {
      const path = command === name ? {} : { path: command };
      return { available: true, version, ...path, needs };
    }
    return { available: false, needs, hint: `${command} --version ended with status ${code}` };
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
