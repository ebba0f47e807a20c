/**
 * The platform below Node.js: this process, whose own streams are loaded where they are needed, since they take as
 * long as a search; what it permits, which is everything unless it was started with `--permission`; its threads;
 * other programs; a client's side of Unix sockets, since no server runs there.
 *
 * @module
 */

import type {
  Connection,
  InputStream,
  OutputStream,
  Permission,
  PermissionState,
  ProgramOptions,
  RunningProgram,
  SignalName,
  Thread,
  ThreadPort,
} from "../types.ts";
import { builtin } from "./builtin.ts";
import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Readable } from "node:stream";

/** What the package is bundled for, and its launcher checks. */
const OLDEST = 22;
export const RUNTIME = process.versions["bun"] === undefined ? "Node.js" : "Bun";
if (/^[01]\.[0-3]\./.test(process.versions["bun"] ?? "")) {
  // Its expressions take letters for others where their case does not count.
  throw new Error(`pathgrep needs Bun 1.4 or later, and this is ${process.versions["bun"]}`);
}
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

/** What Node.js restricts, of what Deno does. */
const SCOPES = { read: "fs.read", write: "fs.write", run: "child", ffi: "addon" } as const;

export function permissionStatus(
  permission: Permission,
): { state: PermissionState; partial: boolean } {
  return { state: isGranted(permission) ? "granted" : "denied", partial: false };
}

function isGranted(permission: Permission): boolean {
  const { name } = permission;
  const held = process.permission;
  if (held === undefined || !(name in SCOPES)) return true;
  const scope = SCOPES[name as keyof typeof SCOPES];
  const path = "path" in permission ? permission.path : undefined;
  return path === undefined
    ? held.has(scope)
    : held.has(scope, path instanceof URL ? builtin("node:url").fileURLToPath(path) : path);
}

export function readVariable(variable: string): string | undefined {
  return process.env[variable];
}

const fs = builtin("node:fs");

export const ARGUMENTS: readonly string[] = process.argv.slice(2);
export const PID: number = process.pid;
export const NO_COLOR: boolean = (process.env["NO_COLOR"] ?? "") !== "";
const { bun, node, v8 } = process.versions;
export const VERSIONS: Readonly<Record<string, string>> = bun === undefined
  ? { node, v8 }
  : { bun, webkit: process.versions["webkit"]! };

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

export function connect(path: string): Promise<Connection> {
  const socket = builtin("node:net").connect({ path });
  const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let rest: Uint8Array = new Uint8Array();
  const connection: Connection = {
    async read(buffer) {
      if (rest.length === 0) {
        const { value, done } = await pieces.next();
        if (done) return null;
        rest = value;
      }
      const taken = rest.subarray(0, buffer.length);
      buffer.set(taken);
      rest = rest.subarray(taken.length);
      return taken.length;
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
      }),
    close: () => void socket.destroy(),
  };
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(connection));
    socket.once("error", reject);
  });
}
