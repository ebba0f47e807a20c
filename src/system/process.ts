/**
 * This process: its arguments, standard streams, signals and end.
 *
 * @module
 */

import { builtin } from "./platform.ts";
import { node } from "./runtime.ts";
import type { FileInfo, InputStream, OutputStream, SignalName } from "./types.ts";

export const ARGUMENTS: readonly string[] = node?.process.ARGUMENTS ?? Deno.args;
export const PID: number = node?.process.PID ?? Deno.pid;
/** Whether the user wants no colours. */
export const NO_COLOR: boolean = node?.process.NO_COLOR ?? Deno.noColor;
/** The versions of the runtime. */
export const VERSIONS: Readonly<Record<string, string>> = node?.process.VERSIONS ?? Deno.version;

export const standardInput: InputStream = node?.process.standardInput ?? Deno.stdin;
export const standardOutput: OutputStream = node?.process.standardOutput ?? Deno.stdout;
export const standardError: OutputStream = node?.process.standardError ?? Deno.stderr;
/** The width of the terminal; throws where there is none. */
export const terminalColumns = (): number =>
  node?.process.terminalColumns() ?? Deno.consoleSize().columns;

/** What a standard stream is: 0, 1 or 2. */
export function streamInfo(stream: number): Pick<FileInfo, "isFile" | "isFifo" | "isSocket"> {
  const status = builtin("node:fs").fstatSync(stream);
  return {
    isFile: status.isFile(),
    isFifo: status.isFIFO(),
    isSocket: status.isSocket(),
  };
}

type SignalListener = (signal: SignalName, listener: () => void) => void;
export const addSignalListener: SignalListener = node?.process.addSignalListener ??
  Deno.addSignalListener;
export const removeSignalListener: SignalListener = node?.process.removeSignalListener ??
  Deno.removeSignalListener;
/** Calls a listener with each error that nobody has caught, which then does not end the process. */
export function onUncaught(listener: (error: unknown) => void): void {
  if (node !== undefined) return node.process.onUncaught(listener);
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    listener(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    listener(event.error);
  });
}
/** Sends a signal to a process or, by a negative number, to a process group. */
export function kill(pid: number, signal: SignalName): void {
  if (node !== undefined) node.process.kill(pid, signal);
  else Deno.kill(pid, signal); // to name it alone costs 3 ms: then Deno loads what it is made of
}
export const exit: (status: number) => never = node?.process.exit ?? Deno.exit;

export const hostname: () => string = node?.process.hostname ?? Deno.hostname;
export const userId: () => number | null = node?.process.userId ?? Deno.uid;
/** Bytes of memory that the process has. */
export const residentBytes = (): number => node?.process.residentBytes() ?? Deno.memoryUsage().rss;
/** The module that the process began with, as a URL. */
export const mainModule = (): string => node?.process.mainModule() ?? Deno.mainModule;
/** The path of the runtime. */
export const runtimePath: () => string = node?.process.runtimePath ?? Deno.execPath;
