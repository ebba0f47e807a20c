/**
 * What the functions of this folder take and give: every runtime's own types stay behind them.
 *
 * @module
 */

/** What a path or an open file is. What a system does not know is `null`. */
export interface FileInfo {
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
  isFifo: boolean | null;
  isSocket: boolean | null;
  size: number;
  mtime: Date | null;
  ctime: Date | null;
  birthtime: Date | null;
  dev: number;
  ino: number | null;
  mode: number | null;
  nlink: number | null;
  uid: number | null;
  gid: number | null;
}

/** An entry of a directory, with the type of the entry itself. */
export interface DirEntry {
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
}

/** The entries of a directory. */
export interface DirectoryEntries extends Iterable<DirEntry> {
  readonly length: number;
}

export interface FileHandle extends Disposable {
  /** Reads on into a buffer; returns how many bytes, `null` at the end. */
  readSync(buffer: Uint8Array): number | null;
  /** Goes to an offset from the start. */
  seekSync(offset: number, whence: 0): number;
  statSync(): FileInfo;
  utimeSync(accessed: number, modified: number): void;
  /** Locks the file without waiting; returns whether it could. */
  tryLockSync(exclusive: boolean): boolean;
  close(): void;
}

export interface InputStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  read(buffer: Uint8Array): Promise<number | null>;
  isTerminal(): boolean;
  /** Whether keys arrive one by one, unchanged. */
  setRaw(mode: boolean): void;
}

export interface OutputStream {
  write(bytes: Uint8Array): Promise<number>;
  writeSync(bytes: Uint8Array): number;
  isTerminal(): boolean;
}

export type SignalName = "SIGHUP" | "SIGINT" | "SIGKILL" | "SIGQUIT" | "SIGTERM";

/** A permission that a runtime grants or denies; without a scope, for everything. */
export type Permission =
  | { name: "read" | "write"; path?: string | URL }
  | { name: "run"; command?: string | URL }
  | { name: "env"; variable?: string }
  | { name: "net"; host?: string }
  | { name: "sys"; kind?: "uid" | "hostname" }
  | { name: "ffi" | "import" };

export type PermissionState = "granted" | "prompt" | "denied";

export interface ProgramOptions {
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Whether the environment is `env` alone. */
  clearEnv?: boolean;
  stdin: "null";
  stdout: "null" | "piped";
  stderr: "null" | "piped";
  /** Whether it leads a process group of its own, and may outlive this process. */
  detached: boolean;
}

/** A program that was started. */
export interface RunningProgram {
  readonly pid: number;
  /** Only of one that was started with `piped`. */
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly status: Promise<{ code: number; signal: string | null }>;
  kill(signal?: SignalName): void;
  /** Lets this process end before it. */
  unref(): void;
}

/** A connection by a Unix socket. */
export interface Connection {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

export interface Listener {
  accept(): Promise<Connection>;
  close(): void;
}

export interface FileEvent {
  kind: string;
  paths: string[];
  /** Events may have been lost. */
  flag?: "rescan";
}

export interface FileWatcher extends AsyncIterable<FileEvent> {
  close(): void;
}

/** What has ended a thread. The types of Node.js have no `ErrorEvent`. */
export interface ThreadFailure {
  readonly error?: unknown;
  readonly message: string;
  readonly filename?: string;
  readonly lineno?: number;
  readonly colno?: number;
  preventDefault(): void;
}

/** Decodes bytes of an encoding. */
export interface Decoder {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** A thread that was started. */
export interface Thread {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ThreadFailure) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** A thread's side of that. */
export interface ThreadPort {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
}
