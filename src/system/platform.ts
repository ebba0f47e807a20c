/**
 * The platform: the operating system and what the runtime brings.
 *
 * @module
 */

import { isGranted } from "./permissions.ts";
import { node } from "./runtime.ts";
import type { Decoder, Thread, ThreadPort } from "./types.ts";

export const IS_DENO: boolean = node === undefined;
export const RUNTIME: "Deno" | "Node.js" = IS_DENO ? "Deno" : "Node.js";
/** Its flag that grants to read. */
export const READ_FLAG: "--allow-read" | "--allow-fs-read" = IS_DENO
  ? "--allow-read"
  : "--allow-fs-read";
/** The name of the operating system. */
export const OS: string = node?.platform.OS ?? Deno.build.os;
/** Whether the program is compiled, with the runtime and its permissions. */
export const IS_COMPILED: boolean = node === undefined && Deno.build.standalone;

/** A module that Node.js and Deno have; loaded where it is needed, it delays no search. */
export const builtin: typeof process.getBuiltinModule = node?.builtin ??
  ((name: string) => process.getBuiltinModule(name));

export const workingDirectory: () => string = node?.platform.workingDirectory ?? Deno.cwd;

/** Milliseconds for which processors have worked for this process. */
export function processorTime(): number {
  // Deno's types do not have it.
  const runtime = (node === undefined ? Deno : process) as unknown as typeof process;
  const { user, system } = runtime.cpuUsage();
  return (user + system) / 1000;
}

/** A decoder by a label of the Encoding Standard; throws a `RangeError` for any other. */
export function decoderOf(label: string, options?: TextDecoderOptions): Decoder {
  return node?.text.decoderOf(label, options) ?? new TextDecoder(label, options);
}

/** The path rules of Windows. */
export const windowsPaths = () => builtin("node:path").win32;

/**
 * Whether threads can start. Deno lets one from a local file start if it may read what that imports.
 *
 * @param sources the program, or the directory of all that it imports; nothing if it is no file
 */
export function mayStartWorker(sources: URL | undefined): boolean {
  if (node !== undefined) return node.platform.mayStartWorker(sources);
  return sources?.protocol !== "file:" || IS_COMPILED ||
    isGranted({ name: "read", path: sources });
}

/** Whether a bundler has left out the program of the threads. */
export function isWorkerLost(program: URL | undefined): boolean {
  return node?.platform.isWorkerLost(program) ?? false;
}

/** Starts a thread; throws where it may not read its program. */
export function startWorker(program: URL): Thread {
  return node?.platform.startWorker(program) ??
    new Worker(program, { type: "module", name: "pathgrep" }) as Thread;
}

/**
 * Gives the event loop a turn, without a timer.
 *
 * @param path a path that may be read: any asynchronous operation yields, and that of `lstat` costs next to
 * nothing
 */
export async function eventTurn(path: string): Promise<void> {
  if (node !== undefined) await node.platform.eventTurn();
  else await Deno.lstat(path).catch(() => {});
}

/** How a thread talks to the one that started it. */
export function threadPort(): ThreadPort {
  return node?.platform.threadPort() ?? self as unknown as ThreadPort;
}

/**
 * A script that can be stopped: `node:vm` is the only way to end a running expression.
 *
 * @param globals the variables that it has
 * @returns runs it for at most so many milliseconds; returns whether it ended by itself
 */
export function stoppableScript(script: string, globals: object): (timeout: number) => boolean {
  const vm = builtin("node:vm");
  const context = vm.createContext(globals);
  const compiled = new vm.Script(script);
  return (timeout) => {
    try {
      compiled.runInContext(context, { timeout });
      return true;
    } catch (thrown) {
      if ((thrown as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
      return false;
    }
  };
}
