/**
 * Runs a program safely: without a shell, without input, with the given environment only, and until it
 * ends or is killed.
 *
 * @module
 */

import { isGranted, kill, OS, startProgram } from "../system/platform.ts";

export interface RunOptions {
  args: readonly string[];
  /** Where it runs: it has to find no configuration there. @default the root of the file system */
  cwd?: string;
  env: Readonly<Record<string, string>>;
  /** The most bytes of standard output; a program that writes more is killed. */
  maxOutput: number;
  signal: AbortSignal;
}

export interface ProgramRun {
  code: number;
  signal: string | null;
  stdout: Uint8Array;
  /** The start of its error output. */
  stderr: string;
}

const MAX_STDERR = 4096;
/** Characters of a program's error output that an error quotes. */
const MAX_QUOTED = 500;
const IS_WINDOWS = OS === "windows";

/**
 * Runs a program to its end.
 *
 * Kills the program together with its children if Deno may, which takes an unrestricted
 * `--allow-run`; otherwise kills only the program.
 *
 * @throws the signal's reason once it is aborted; Deno's errors if the program cannot be started
 */
export async function runProgram(command: string, options: RunOptions): Promise<ProgramRun> {
  options.signal.throwIfAborted();
  const group = !IS_WINDOWS && isGranted({ name: "run" });
  const child = startProgram(command, {
    args: [...options.args],
    cwd: options.cwd ?? (IS_WINDOWS ? "C:\\" : "/"),
    clearEnv: true,
    // Without SystemRoot, programs cannot load parts of Windows.
    env: { ...(IS_WINDOWS ? { SystemRoot: "C:\\Windows" } : {}), ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: group,
  });
  // Stops reading as well: another process may hold the pipe's other end open.
  const controller = new AbortController();
  const end = (reason: unknown) => {
    controller.abort(reason);
    try {
      if (group) kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const onAbort = () => end(options.signal.reason);
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const [stdout, stderr] = await Promise.all([
      readToEnd(child.stdout, options.maxOutput, true, controller.signal),
      readToEnd(child.stderr, MAX_STDERR, false, controller.signal),
    ]);
    const { code, signal } = await child.status;
    options.signal.throwIfAborted();
    return { code, signal, stdout, stderr: new TextDecoder().decode(stderr).trim() };
  } catch (error) {
    end(error);
    throw error;
  } finally {
    options.signal.removeEventListener("abort", onAbort);
    await child.status;
  }
}

/** How a program failed, with its own error output if there is any. */
export function failureOf({ code, signal, stderr }: ProgramRun): string {
  if (stderr !== "") {
    return `failed: ${stderr.length > MAX_QUOTED ? `${stderr.slice(0, MAX_QUOTED)}…` : stderr}`;
  }
  if (signal !== null) return `was terminated by ${signal}`;
  return code > 1 ? `exited with status ${code}` : "gave an incomplete answer";
}

/** Reads a stream to its end; what exceeds the limit is an error if `strict`, and otherwise dropped. */
async function readToEnd(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  strict: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let room = limit;
  await stream.pipeTo(
    new WritableStream({
      write(chunk) {
        if (strict && chunk.length > room) throw new Error("it wrote more than requested");
        chunks.push(chunk.subarray(0, room));
        room -= Math.min(room, chunk.length);
      },
    }),
    { signal },
  );
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
