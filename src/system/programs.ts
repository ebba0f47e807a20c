/**
 * Other programs.
 *
 * @module
 */

import type { ProgramOptions, RunningProgram } from "./types.ts";

/** Starts a program; throws an error of the system. */
export function startProgram(command: string, options: ProgramOptions): RunningProgram {
  return new Deno.Command(command, options).spawn();
}
