/**
 * Runs the real command line in a process of its own.
 *
 * @module
 */

import { runHere } from "./line_runner.ts";
import { spawn, type Spawned, type SpawnOptions } from "./spawn.ts";

/** The command line's entry point, as a path. */
export const CLI: string = new URL("../../cli.ts", import.meta.url).pathname;

/** How to run it. */
export interface RunOptions extends SpawnOptions {
  /** Deno's permission flags. With any, the real program is started. @default ["-A"] */
  permissions?: readonly string[];
  /** Starts the real program. @default whether an option asks for a process of its own */
  process?: boolean;
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

/** Runs a command line to its end: in this process, unless an option asks for one of its own. */
export async function pathgrep(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const spawned = (options.process ?? needsProcess(args, options))
    ? await start(args, options)
    : await here(args, options);
  return {
    ...spawned,
    json: () => JSON.parse(spawned.stdout),
    rows: () => spawned.stdout.trimEnd().split("\n").map((row) => JSON.parse(row)),
  };
}

/** Whether a command line needs a process of its own. */
function needsProcess(args: readonly string[], { permissions, env }: RunOptions): boolean {
  return ["mcp", "serve"].includes(args[0] ?? "") || permissions !== undefined || env !== undefined;
}

async function here(args: readonly string[], { cwd, stdin = "" }: RunOptions): Promise<Spawned> {
  const input = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin.slice();
  const { code, stdout, stderr } = await runHere(args, cwd ?? Deno.cwd(), input);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function start(args: readonly string[], options: RunOptions): Promise<Spawned> {
  const { permissions = ["-A"], cwd, env, stdin } = options;
  return await spawn(
    Deno.execPath(),
    ["run", "--quiet", ...permissions, CLI, ...args],
    { cwd, env: { NO_COLOR: "1", ...env }, stdin },
  );
}
