/**
 * Runs the real command line in a process of its own.
 *
 * @module
 */

/** The command line's entry point, as a path. */
export const CLI: string = new URL("../../cli.ts", import.meta.url).pathname;

/** How to run it. */
export interface RunOptions {
  /** The working directory. @default that of the test */
  cwd?: string;
  /** What it reads on its standard input. @default nothing */
  stdin?: string | Uint8Array;
  /** Variables added to the environment. */
  env?: Record<string, string>;
  /** Deno's permission flags. @default ["-A"] */
  permissions?: readonly string[];
}

/** What it did. */
export interface RunResult {
  /** The exit status. */
  code: number;
  stdout: string;
  stderr: string;
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
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...(options.permissions ?? ["-A"]), CLI, ...args],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { NO_COLOR: "1", ...options.env },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  if (options.stdin !== undefined) {
    const bytes = typeof options.stdin === "string"
      ? new TextEncoder().encode(options.stdin)
      : options.stdin;
    const writer = child.stdin.getWriter();
    // A program that does not read its input closes it: that is no failure of the test.
    await writer.write(bytes).then(() => writer.close()).catch(() => {});
  }
  const { code, stdout, stderr } = await output;
  const text = new TextDecoder().decode(stdout);
  return {
    code,
    stdout: text,
    stderr: new TextDecoder().decode(stderr),
    json: () => JSON.parse(text),
    rows: () => text.trimEnd().split("\n").map((row) => JSON.parse(row)),
  };
}
