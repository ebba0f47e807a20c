/**
 * This process in Node.js. Its own streams are loaded where they are needed: they take as long as a search.
 *
 * @module
 */

import type { InputStream, OutputStream, SignalName } from "../types.ts";
import { builtin } from "./builtin.ts";

const fs = builtin("node:fs");

export const ARGUMENTS: readonly string[] = process.argv.slice(2);
export const PID: number = process.pid;
export const NO_COLOR: boolean = (process.env["NO_COLOR"] ?? "") !== "";
const { node, v8 } = process.versions;
export const VERSIONS: Readonly<Record<string, string>> = { node, v8 };

/**
 * Reads a file at once, and what may not come for long by Node.js' stream: a read that is under way would
 * hold up the end of the process.
 */
class StandardInput implements InputStream {
  #pieces: AsyncIterator<Uint8Array> | undefined;
  #isAtEnd = false;
  /** What is left of the last piece. */
  #rest: Uint8Array = new Uint8Array();
  #readable: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  async read(buffer: Uint8Array): Promise<number | null> {
    if (this.#rest.length === 0) this.#rest = await this.#next() ?? this.#rest;
    if (this.#isAtEnd) return null;
    const taken = this.#rest.subarray(0, buffer.length);
    buffer.set(taken);
    this.#rest = this.#rest.subarray(taken.length);
    return taken.length;
  }

  /** The next bytes; nothing at the end. */
  async #next(): Promise<Uint8Array | undefined> {
    if (this.#pieces === undefined && isReadAtOnce()) {
      const buffer = new Uint8Array(1 << 16);
      const length = fs.readSync(0, buffer);
      this.#isAtEnd = length === 0;
      return buffer.subarray(0, length);
    }
    this.#pieces ??= process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    const { value, done } = await this.#pieces.next();
    this.#isAtEnd = done === true;
    return value;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#readable ??= new ReadableStream({
      pull: async (controller) => {
        const buffer = new Uint8Array(1 << 16);
        const length = await this.read(buffer);
        if (length === null) controller.close();
        else controller.enqueue(buffer.subarray(0, length));
      },
    }, { highWaterMark: 0 });
  }

  isTerminal(): boolean {
    return isTerminal(0);
  }

  setRaw(mode: boolean): void {
    process.stdin.setRawMode(mode);
  }
}

/** Whether standard input is a file, or a device that is no terminal. */
function isReadAtOnce(): boolean {
  const stats = fs.fstatSync(0);
  return stats.isFile() || stats.isCharacterDevice() && !isTerminal(0);
}

/** Loads what knows terminals, and streams with it, only where one may be there. */
function isTerminal(stream: number): boolean {
  return mayBeTerminal(stream) && builtin("node:tty").isatty(stream);
}

function mayBeTerminal(stream: number): boolean {
  if (process.platform === "win32") return true;
  const stats = fs.fstatSync(stream);
  try {
    return stats.isCharacterDevice() && stats.rdev !== fs.statSync("/dev/null").rdev;
  } catch {
    return true; // it may not be read
  }
}

export const standardInput: InputStream = new StandardInput();
export const standardOutput: OutputStream = outputOn(1);
export const standardError: OutputStream = outputOn(2);

function outputOn(stream: number): OutputStream {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        fs.write(stream, bytes, (error, written) => {
          if (error?.code === "EAGAIN") setTimeout(() => resolve(0), 1);
          else if (error) reject(error);
          else resolve(written);
        });
      }),
    writeSync: (bytes) => fs.writeSync(stream, bytes),
    isTerminal: () => isTerminal(stream),
  };
}

export function terminalColumns(): number {
  const { columns } = isTerminal(1) ? process.stdout : process.stderr;
  if (columns === undefined) throw new Error("no terminal");
  return columns;
}

export function addSignalListener(signal: SignalName, listener: () => void): void {
  process.on(signal, listener);
}

export function removeSignalListener(signal: SignalName, listener: () => void): void {
  process.off(signal, listener);
}

export function onUncaught(listener: (error: unknown) => void): void {
  process.on("uncaughtException", listener);
  process.on("unhandledRejection", listener);
}

export function kill(pid: number, signal: SignalName): void {
  process.kill(pid, signal);
}

export const exit = (status: number): never => process.exit(status);
export const hostname = (): string => builtin("node:os").hostname();
export const userId = (): number | null => process.getuid?.() ?? null;
export const residentBytes = (): number => process.memoryUsage.rss();
export const mainModule = (): string =>
  builtin("node:url").pathToFileURL(process.argv[1] ?? "").href;
export const runtimePath = (): string => process.execPath;
