/**
 * The platform below Node.js, and its threads.
 *
 * @module
 */

import type { Thread, ThreadPort } from "../types.ts";
import { builtin } from "./builtin.ts";

/** What the package is bundled for, and its launcher checks. */
const OLDEST = 22;
if (parseInt(process.versions.node) < OLDEST) {
  const { node } = process.versions;
  throw new Error(`pathgrep needs Node.js ${OLDEST} or later, and this is ${node}`);
}

export const OS: string = process.platform === "win32" ? "windows" : process.platform;

export const workingDirectory: () => string = process.cwd;

/** A bundler does not know of a program that is named by its address. */
export function isWorkerLost(program: URL | undefined): boolean {
  return program?.protocol !== "file:" || !builtin("node:fs").existsSync(program);
}

export function mayStartWorker(program: URL | undefined): boolean {
  return process.permission?.has("worker") !== false && !isWorkerLost(program);
}

export function startWorker(program: URL): Thread {
  const { Worker } = builtin("node:worker_threads");
  const worker = new Worker(program, { name: "pathgrep", stdin: false });
  const thread: Thread = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (data) => thread.onmessage?.({ data } as MessageEvent));
  worker.on("error", (error) => {
    const message = error instanceof Error ? error.message : String(error);
    thread.onerror?.({ error, message, preventDefault() {} } as unknown as ErrorEvent);
  });
  return thread;
}

/** This thread's end of the connection to the one that started it. */
export const threadPort = () => builtin("node:worker_threads").parentPort as unknown as ThreadPort;

/** A promise alone gives the event loop none. */
export const eventTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
