/**
 * Runs the command line: in this process or, where a test needs one of its own, the real program.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { runHere } from "./line_runner.ts";
import { encode, spawn, type Spawned, type SpawnOptions } from "./spawn.ts";

/** The checkout's root directory. */
export const CHECKOUT: string = fileURLToPath(new URL("../../", import.meta.url));
/** Whether these tests run on Node.js. */
export const ON_NODE: boolean = !("deno" in process.versions);
/** The command line's module. */
export const CLI: string = CHECKOUT + "cli.ts";
/** The library's module. */
export const MOD: string = CHECKOUT + "mod.ts";

/** A flag that gives a process of its own the time for reasons that command lines in this one have. */
export const PATIENCE: string = `--preload=${CHECKOUT}tests/support/patience.ts`;

/** How to run it. Whatever only a process has makes it start the real program. */
export interface RunOptions extends SpawnOptions {
  /** Flags for Deno, such as permissions. @default ["-A"] */
  permissions?: readonly string[];
  /** The module that is run. @default CLI */
  module?: string;
  /** A command and its arguments to put before `deno`. */
  wrapper?: readonly string[];
  /** Whether standard output is taken for a terminal, in this process. @default false */
  terminal?: boolean;
  /** Whether to start the real program. @default whether an option or the command asks for it */
  process?: boolean;
}

/** How it ended, and what it wrote. */
export interface Run extends Spawned {
  /** The one JSON value on standard output; fails when there is anything else. */
  // deno-lint-ignore no-explicit-any -- tests reach into answers of every shape
  json(): any;
  /** The JSON rows on standard output. */
  // deno-lint-ignore no-explicit-any -- as above
  rows(): any[];
}

/** Commands that own the process: its standard streams, its signals, its name. */
const LONG_RUNNING = ["mcp", "serve"];

/** Runs a command line to its end. */
export async function pathgrep(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { permissions, env, module, wrapper, limit } = options;
  const asksForProcess = LONG_RUNNING.includes(args[0] ?? "") ||
    [permissions, env, module, wrapper, limit].some((option) => option !== undefined);
  const ended = options.process ?? asksForProcess
    ? await start(args, options)
    : await here(args, options);
  return {
    ...ended,
    json: () => JSON.parse(ended.stdout),
    rows: () => ended.stdout.trimEnd().split("\n").map((row) => JSON.parse(row)),
  };
}

async function start(args: readonly string[], options: RunOptions): Promise<Spawned> {
  const { permissions = ["-A"], module = CLI, wrapper = [], env, ...rest } = options;
  const deno = [Deno.execPath(), "run", "--quiet", "--no-prompt", ...permissions];
  const [program = "", ...words] = [...wrapper, ...deno, module, ...args];
  return await spawn(program, words, { ...rest, env: { NO_COLOR: "1", ...env } });
}

async function here(
  args: readonly string[],
  { cwd, stdin = "", terminal = false }: RunOptions,
): Promise<Spawned> {
  const { code, stdout, stderr } = await runHere(
    args,
    cwd ?? Deno.cwd(),
    encode(stdin),
    terminal,
  );
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), bytes: stdout };
}
