/**
 * Other programs in Node.js.
 *
 * @module
 */

import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Readable } from "node:stream";
import type { ProgramOptions, RunningProgram } from "../types.ts";
import { builtin } from "./builtin.ts";

export function startProgram(command: string, options: ProgramOptions): RunningProgram {
  const { args, env = {}, clearEnv = false, stdout, stderr, cwd, detached } = options;
  const kindOf = (stream: "null" | "piped") => stream === "null" ? "ignore" : "pipe";
  const { spawn } = builtin("node:child_process");
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: clearEnv ? env : { ...process.env, ...env },
    stdio: ["ignore", kindOf(stdout), kindOf(stderr)],
    detached,
    windowsHide: true,
  } as SpawnOptions);
  return {
    pid: child.pid ?? 0,
    stdout: streamOf(child.stdout),
    stderr: streamOf(child.stderr),
    status: statusOf(child),
    kill: (signal) => void child.kill(signal),
    unref: () => child.unref(),
  };
}

/** Rejects where the program cannot be started. */
function statusOf(child: ChildProcess): RunningProgram["status"] {
  const status = new Promise<{ code: number; signal: string | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const { signals } = builtin("node:os").constants;
      resolve({ code: code ?? 128 + (signal === null ? 0 : signals[signal]), signal });
    });
  });
  status.catch(() => {}); // who waits for it gets the error
  return status;
}

function streamOf(readable: Readable | null): ReadableStream<Uint8Array> {
  const pieces = readable?.[Symbol.asyncIterator]() as AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces?.next();
      if (next === undefined || next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => void readable?.destroy(),
  });
}
