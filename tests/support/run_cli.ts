/**
 * Runs the real command line in a process of its own.
 *
 * @module
 */

import { spawn, type Spawned, type SpawnOptions } from "./spawn.ts";

/** The command line's entry point, as a path. */
export const CLI: string = new URL("../../cli.ts", import.meta.url).pathname;

/** How to run it. */
export interface RunOptions extends SpawnOptions {
  /** Deno's permission flags. @default ["-A"] */
  permissions?: readonly string[];
}

/** What it did. */
export interface RunResult extends Spawned {
  /** The one JSON value on standard output; fails when there is anything else. */
  // deno-lint-ignore no-explicit-any -- tests reach into answers of every shape
  json(): any;
  /** The JSON rows on standard output. */
  // deno-lint-ignore no-explicit-any -- as above
  rows(): any[];
}

/** Runs `deno run … cli.ts ARGS` to its end. */
export async function pathgrep(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { permissions = ["-A"], cwd, env, stdin } = options;
  const spawned = await spawn(
    Deno.execPath(),
    ["run", "--quiet", ...permissions, CLI, ...args],
    { cwd, env: { NO_COLOR: "1", ...env }, stdin },
  );
  return {
    ...spawned,
    json: () => JSON.parse(spawned.stdout),
    rows: () => spawned.stdout.trimEnd().split("\n").map((row) => JSON.parse(row)),
  };
}
