/**
 * Running a program safely: no shell, no input, no environment but what it is given, and an end.
 *
 * @module
 */

/** How to run a program. */
export interface RunOptions {
  args: readonly string[];
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Bytes of standard output; one that says more is ended. */
  maxOutput: number;
  /** Ends the program at once. */
  signal: AbortSignal;
}

/** How a program ended. */
export interface ProgramRun {
  /** The exit status. */
  code: number;
  /** The signal that ended it, if one did. */
  signal: Deno.Signal | null;
  stdout: Uint8Array;
  /** What it complained about: the beginning. */
  stderr: string;
}

/** Bytes kept of standard error. */
const MAX_COMPLAINT = 4096;

/**
 * Runs a program to its end, in the root directory: no file there is taken for a part of it.
 *
 * The program is ended with all that it started where Deno may do so, which takes an unrestricted
 * `--allow-run`; else it alone is.
 *
 * @throws the signal's reason once it is aborted; Deno's errors when the program cannot be started
 */
export async function runProgram(command: string, options: RunOptions): Promise<ProgramRun> {
  options.signal.throwIfAborted();
  const group = Deno.build.os !== "windows" &&
    Deno.permissions.querySync({ name: "run" }).state === "granted";
  const child = new Deno.Command(command, {
    args: [...options.args],
    cwd: Deno.build.os === "windows" ? "C:\\" : "/",
    clearEnv: true,
    env: { ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: group,
  }).spawn();
  // Once ended, the output is let go as well: someone else may hold on to its other end.
  const ender = new AbortController();
  const end = (reason: unknown) => {
    ender.abort(reason);
    try {
      if (group) Deno.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const onAbort = () => end(options.signal.reason);
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const [stdout, stderr] = await Promise.all([
      collect(child.stdout, options.maxOutput, true, ender.signal),
      collect(child.stderr, MAX_COMPLAINT, false, ender.signal),
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

/** Reads a stream to its end; what is over the limit is an error, or left out. */
async function collect(
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
        if (strict && chunk.length > room) throw new Error("it said more than it was asked");
        chunks.push(chunk.subarray(0, room));
        room -= Math.min(room, chunk.length);
      },
    }),
    { signal },
  );
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
