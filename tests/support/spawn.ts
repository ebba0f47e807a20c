/**
 * Runs a program to its end.
 *
 * @module
 */

/** How to run a program. */
export interface SpawnOptions {
  /** The working directory. @default that of the test */
  cwd?: string | undefined;
  /** Variables added to the environment. */
  env?: Record<string, string>;
  /** What it reads on its standard input. @default nothing */
  stdin?: string | Uint8Array | undefined;
}

/** How a program ended, and what it wrote. */
export interface Spawned {
  /** The exit status. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function spawn(
  program: string,
  args: readonly string[],
  { cwd, env = {}, stdin }: SpawnOptions = {},
): Promise<Spawned> {
  const child = new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  if (stdin !== undefined) {
    const bytes = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
    const writer = child.stdin.getWriter();
    // A program that does not read its input closes it: that is no failure of the test.
    await writer.write(bytes).then(() => writer.close()).catch(() => {});
  }
  const { code, stdout, stderr } = await output;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
