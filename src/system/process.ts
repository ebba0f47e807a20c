/**
 * This process: its arguments, standard streams, signals and end.
 *
 * @module
 */

import type { FileInfo, InputStream, OutputStream, SignalName } from "./types.ts";

export const ARGUMENTS: readonly string[] = Deno.args;
export const PID: number = Deno.pid;
/** Whether the user wants no colours. */
export const NO_COLOR: boolean = Deno.noColor;
/** The versions of the runtime. */
export const VERSIONS: Readonly<Record<"deno" | "v8" | "typescript", string>> = Deno.version;

export const standardInput: InputStream = Deno.stdin;
export const standardOutput: OutputStream = Deno.stdout;
export const standardError: OutputStream = Deno.stderr;
/** The width of the terminal; throws where there is none. */
export const terminalColumns = (): number => Deno.consoleSize().columns;

/** What a standard stream is: 0, 1 or 2. */
export function streamInfo(stream: number): Pick<FileInfo, "isFile" | "isFifo" | "isSocket"> {
  const status = process.getBuiltinModule("node:fs").fstatSync(stream);
  return {
    isFile: status.isFile(),
    isFifo: status.isFIFO(),
    isSocket: status.isSocket(),
  };
}

type SignalListener = (signal: SignalName, listener: () => void) => void;
export const addSignalListener: SignalListener = Deno.addSignalListener;
export const removeSignalListener: SignalListener = Deno.removeSignalListener;
/** Sends a signal to a process or, by a negative number, to a process group. */
export function kill(pid: number, signal: SignalName): void {
  Deno.kill(pid, signal); // to name it alone costs 3 ms: then Deno loads what it is made of
}
export const exit: (status: number) => never = Deno.exit;

export const hostname: () => string = Deno.hostname;
export const userId: () => number | null = Deno.uid;
/** Bytes of memory that the process has. */
export const residentBytes = (): number => Deno.memoryUsage().rss;
/** The module that the process began with, as a URL. */
export const mainModule = (): string => Deno.mainModule;
/** The path of the runtime. */
export const runtimePath: () => string = Deno.execPath;
