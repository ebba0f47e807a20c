/**
 * Runs a program to its end.
 *
 * @module
 */

import assert from "node:assert/strict";

/** How to run a program. */
export interface SpawnOptions {
  /** The working directory. @default that of the test */
  cwd?: string | undefined;
  /** Variables added to the environment. */
  env?: Record<string, string>;
  /** What it reads on its standard input. @default nothing */
  stdin?: string | Uint8Array | undefined;
  /** Milliseconds after which it is killed, and the test fails. @default no limit but the test's own */
  limit?: number | undefined;
}

/** How a program ended, and what it wrote. */
export interface Spawned {
  /** The exit status. */
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output as it is. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Runs a program to its end. */
export async function spawn(
  program: string,
  args: readonly string[],
  { cwd, env = {}, stdin, limit }: SpawnOptions = {},
): Promise<Spawned> {
  const child = new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isOverdue = false;
  const timer = limit === undefined ? undefined : setTimeout(() => {
    isOverdue = true;
    child.kill("SIGKILL");
  }, limit);
  const output = child.output();
  if (stdin !== undefined) {
    const writer = child.stdin.getWriter();
    // A program that does not read its input closes it: that is no failure of the test.
    await writer.write(encode(stdin)).then(() => writer.close()).catch(() => {});
  }
  const { code, stdout, stderr } = await output;
  clearTimeout(timer);
  assert.ok(!isOverdue, `${program} ${args.join(" ")} was still running after ${limit} ms`);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), bytes: stdout };
}

/** Runs a shell script, for what Deno has no call for (FIFOs, names that are not UTF-8). */
export async function sh(script: string, cwd: string): Promise<void> {
  const { code, stderr } = await spawn("sh", ["-ec", script], { cwd });
  assert.equal(code, 0, stderr);
}

/** Text as UTF-8; bytes as they are. */
export function encode(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);
}
