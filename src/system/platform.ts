/**
 * The platform: the operating system and what the runtime brings; this process, its arguments, standard streams,
 * signals and end; what it may do, and its environment, without making the runtime ask; its threads; other
 * programs; Unix sockets.
 *
 * @module
 */

import { node } from "./runtime.ts";
import type {
  Connection,
  Decoder,
  FileInfo,
  InputStream,
  Listener,
  OutputStream,
  Permission,
  PermissionState,
  ProgramOptions,
  RunningProgram,
  SignalName,
  Thread,
  ThreadPort,
} from "./types.ts";

/** How a permission stands; `partial`, if it is denied for a part of what it names. */
export function permissionStatus(
  permission: Permission,
): { state: PermissionState; partial: boolean } {
  return node?.platform.permissionStatus(permission) ??
    Deno.permissions.querySync(permission as Deno.PermissionDescriptor);
}

/** Whether each of these permissions is granted. */
export function isGranted(...permissions: readonly Permission[]): boolean {
  return permissions.every((each) => permissionStatus(each).state === "granted");
}

export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

/** A variable of the environment, where it may be read. */
export function readVariable(variable: string): string | undefined {
  if (node !== undefined) return node.platform.readVariable(variable);
  return isGranted({ name: "env", variable }) ? Deno.env.get(variable) : undefined;
}

export const IS_DENO: boolean = node === undefined;
export const RUNTIME: "Deno" | "Node.js" | "Bun" = node?.platform.RUNTIME ?? "Deno";
/**
 * Whether its regular expressions give up without an error on a text for which repeated groups are tried too often,
 * and cannot be stopped: Bun's do not match then, though they should.
 */
export const REGEXPS_GIVE_UP: boolean = RUNTIME === "Bun";
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

export const ARGUMENTS: readonly string[] = node?.platform.ARGUMENTS ?? Deno.args;
export const PID: number = node?.platform.PID ?? Deno.pid;
/** Whether the user wants no colours. */
export const NO_COLOR: boolean = node?.platform.NO_COLOR ?? Deno.noColor;
/** The versions of the runtime. */
export const VERSIONS: Readonly<Record<string, string>> = node?.platform.VERSIONS ?? Deno.version;

export const standardInput: InputStream = node?.platform.standardInput ?? Deno.stdin;
export const standardOutput: OutputStream = node?.platform.standardOutput ?? Deno.stdout;
export const standardError: OutputStream = node?.platform.standardError ?? Deno.stderr;
/** The width of the terminal; throws where there is none. */
export const terminalColumns = (): number =>
  node?.platform.terminalColumns() ?? Deno.consoleSize().columns;

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
export const addSignalListener: SignalListener = node?.platform.addSignalListener ??
  Deno.addSignalListener;
export const removeSignalListener: SignalListener = node?.platform.removeSignalListener ??
  Deno.removeSignalListener;
/** Calls a listener with each error that nobody has caught, which then does not end the process. */
export function onUncaught(listener: (error: unknown) => void): void {
  if (node !== undefined) return node.platform.onUncaught(listener);
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
  if (node !== undefined) node.platform.kill(pid, signal);
  else Deno.kill(pid, signal); // to name it alone costs 3 ms: then Deno loads what it is made of
}
export const exit: (status: number) => never = node?.platform.exit ?? Deno.exit;

export const hostname: () => string = node?.platform.hostname ?? Deno.hostname;
export const userId: () => number | null = node?.platform.userId ?? Deno.uid;
/** Bytes of memory that the process has. */
export const residentBytes = (): number => node?.platform.residentBytes() ?? Deno.memoryUsage().rss;
/** The module that the process began with, as a URL. */
export const mainModule = (): string => node?.platform.mainModule() ?? Deno.mainModule;
/** The path of the runtime. */
export const runtimePath: () => string = node?.platform.runtimePath ?? Deno.execPath;

/** Starts a program; throws an error of the system. */
export function startProgram(command: string, options: ProgramOptions): RunningProgram {
  return node?.platform.startProgram(command, options) ??
    new Deno.Command(command, options).spawn();
}

export function connect(path: string): Promise<Connection> {
  return node?.platform.connect(path) ?? Deno.connect({ transport: "unix", path });
}

export function listen(path: string): Listener {
  return Deno.listen({ transport: "unix", path });
}

/** Whether nobody listens on a socket. */
export function isConnectionRefused(error: unknown): boolean {
  return node?.files.isOfKind(error, ["ConnectionRefused"]) ??
    error instanceof Deno.errors.ConnectionRefused;
}

/** Whether a listener gives no more connections, since it is closed. */
export function isListenerClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted;
}

/** How the names of this program's sockets end. */
export const SOCKET_SUFFIX = ".sock";

/** The directory of them; nothing where the environment names no place for one. */
export function socketDirectory(): string | undefined {
  if (OS === "windows") return undefined;
  const runtime = readVariable("XDG_RUNTIME_DIR");
  if (runtime?.startsWith("/")) return `${runtime}/pathgrep`;
  const cache = readVariable("XDG_CACHE_HOME");
  if (cache?.startsWith("/")) return `${cache}/pathgrep`;
  const home = readVariable("HOME");
  if (!home?.startsWith("/")) return undefined;
  return OS === "darwin" ? `${home}/Library/Caches/pathgrep` : `${home}/.cache/pathgrep`;
}
