/**
 * Other programs.
 *
 * @module
 */

import { node } from "./runtime.ts";
import type { ProgramOptions, RunningProgram } from "./types.ts";

/** Starts a program; throws an error of the system. */
export function startProgram(command: string, options: ProgramOptions): RunningProgram {
  return node?.programs.startProgram(command, options) ??
    new Deno.Command(command, options).spawn();
}
