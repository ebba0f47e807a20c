/**
 * The names of Deno that tests use, in Node.js: loaded before a file of tests.
 *
 * @module
 */

import { spawn, spawnSync, type StdioOptions } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import nodeProcess from "node:process";
import { Readable, Writable } from "node:stream";
import { after, test as nodeTest, type TestContext } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

type Path = string | URL;
type Body = (t: Deno.TestContext) => void | Promise<void>;

/** A test that takes longer hangs. */
const DEADLINE_MS = 5 * 60_000;

const tests: { name: string; fn: Body }[] = [];

function test(name: string, ...rest: [Body] | [object, Body]): void {
  tests.push({ name, fn: rest.at(-1) as Body });
}

test.ignore = (name: string) => nodeTest.skip(name);
test.afterAll = (fn: () => Promise<void>) => after(fn);

/** Runs the tests of a file that are for Node.js, once all of it is loaded. */
function runTests(file: string, isHere: (name: string) => boolean, origin: string): void {
  for (const { name, fn } of tests) {
    if (!isHere(name)) continue;
    const body = async (t: TestContext) => await fn(contextOf(t, name, origin));
    nodeTest(`${file}: ${name}`, { timeout: DEADLINE_MS }, body);
  }
  // The programs that tests start are no part of this run.
  delete nodeProcess.env["NODE_TEST_CONTEXT"];
}

function contextOf(t: TestContext, name: string, origin: string): Deno.TestContext {
  const step = async (name: string, fn: Body) => {
    await t.test(name, async (t) => await fn(contextOf(t, name, origin)));
    return true;
  };
  return { name, origin, step } as unknown as Deno.TestContext;
}

/** Kinds of errors by Node.js' codes. */
const CODES = {
  NotFound: "ENOENT",
  PermissionDenied: "EACCES",
  AlreadyExists: "EEXIST",
  BrokenPipe: "EPIPE",
  ConnectionReset: "ECONNRESET",
};

const errors = Object.fromEntries(
  Object.entries(CODES).map(([name, code]) => [
    name,
    class extends Error {
      readonly code = code;
      static override [Symbol.hasInstance](error: unknown): boolean {
        return (Object(error) as { code?: string }).code === code;
      }
    },
  ]),
);

function infoOf(stats: fs.Stats): Partial<Deno.FileInfo> {
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isCharDevice: stats.isCharacterDevice(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
    size: stats.size,
    mtime: stats.mtime,
    atime: stats.atime,
    ctime: stats.ctime,
    birthtime: stats.birthtime,
    dev: stats.dev,
    ino: stats.ino,
    mode: stats.mode,
    nlink: stats.nlink,
    uid: stats.uid,
    gid: stats.gid,
  };
}

interface WriteOptions {
  append?: boolean;
  create?: boolean;
  mode?: number;
}

function write(path: Path, data: string | Uint8Array, options: WriteOptions = {}): void {
  const { append = false, create = true, mode = 0o666 } = options;
  const { O_WRONLY, O_APPEND, O_TRUNC, O_CREAT } = fs.constants;
  const flag = O_WRONLY | (append ? O_APPEND : O_TRUNC) | (create ? O_CREAT : 0);
  fs.writeFileSync(path, data, { flag: flag as unknown as string, mode });
}

function remove(path: Path, { recursive = false } = {}): void {
  if (recursive) fs.rmSync(path, { recursive });
  else if (fs.lstatSync(path).isDirectory()) fs.rmdirSync(path);
  else fs.unlinkSync(path);
}

function makeTempDir({ dir = os.tmpdir(), prefix = "", suffix = "" } = {}): string {
  const path = `${dir}/${prefix}${crypto.randomUUID().slice(-12)}${suffix}`;
  fs.mkdirSync(path, 0o700);
  return path;
}

function makeTempFile({ dir = os.tmpdir(), prefix = "", suffix = "" } = {}): string {
  const path = `${dir}/${prefix}${crypto.randomUUID().slice(-12)}${suffix}`;
  fs.closeSync(fs.openSync(path, "wx", 0o600));
  return path;
}

function readDirectory(path: Path): Deno.DirEntry[] {
  return fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    isFile: entry.isFile(),
    isDirectory: entry.isDirectory(),
    isSymlink: entry.isSymbolicLink(),
  }));
}

async function* readDirectoryLater(path: Path): AsyncGenerator<Deno.DirEntry> {
  yield* readDirectory(path);
}

/** An open file. */
class OpenFile {
  readonly #file: number;

  constructor(path: Path, flags: string) {
    this.#file = fs.openSync(path, flags);
  }

  async write(bytes: Uint8Array): Promise<number> {
    return await Promise.resolve(this.writeSync(bytes));
  }

  writeSync(bytes: Uint8Array): number {
    return fs.writeSync(this.#file, bytes);
  }

  truncateSync(length: number): void {
    fs.ftruncateSync(this.#file, length);
  }

  async truncate(length: number): Promise<void> {
    await Promise.resolve(this.truncateSync(length));
  }

  close(): void {
    fs.closeSync(this.#file);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Ended = { success: boolean; code: number; signal: string | null };

function endedOf(code: number | null, signal: NodeJS.Signals | null): Ended {
  const status = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
  return { success: status === 0, code: status, signal };
}

interface CommandOptions {
  args?: readonly (string | URL)[];
  cwd?: Path;
  env?: Record<string, string>;
  clearEnv?: boolean;
  stdin?: "piped" | "null" | "inherit";
  stdout?: "piped" | "null" | "inherit";
  stderr?: "piped" | "null" | "inherit";
  detached?: boolean;
}

class Command {
  readonly #program: string;
  readonly #options: CommandOptions;

  constructor(program: Path, options: CommandOptions = {}) {
    this.#program = program instanceof URL ? fileURLToPath(program) : program;
    this.#options = options;
  }

  spawn(piped: "piped" | "inherit" = "inherit", input: "null" | "inherit" = "inherit") {
    return new Child(this.#program, this.#args(), this.#spawnOptions(piped, input));
  }

  async output() {
    return await this.spawn("piped", "null").output();
  }

  outputSync() {
    const done = spawnSync(this.#program, this.#args(), this.#spawnOptions("piped", "null"));
    if (done.error !== undefined) throw done.error;
    const { stdout, stderr } = done as unknown as { stdout: Uint8Array; stderr: Uint8Array };
    return { ...endedOf(done.status, done.signal), stdout, stderr };
  }

  #args(): string[] {
    return (this.#options.args ?? []).map(String);
  }

  #spawnOptions(piped: "piped" | "inherit", input: "null" | "inherit") {
    const { cwd, env = {}, clearEnv = false, stdin, stdout, stderr, detached } = this.#options;
    const kinds = { piped: "pipe", null: "ignore", inherit: "inherit" } as const;
    return {
      ...(cwd === undefined ? {} : { cwd }),
      ...(detached === undefined ? {} : { detached }),
      env: clearEnv ? env : { ...nodeProcess.env, ...env },
      stdio: [stdin ?? input, stdout ?? piped, stderr ?? piped]
        .map((kind) => kinds[kind]) as StdioOptions,
    };
  }
}

class Child {
  readonly #child: ReturnType<typeof spawn>;
  readonly status: Promise<Ended>;
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;

  constructor(...[program, args, options]: Parameters<typeof spawn>) {
    const child = this.#child = spawn(program, args, options);
    this.pid = child.pid ?? 0;
    this.status = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code, signal) => resolve(endedOf(code, signal)));
    });
    this.status.catch(() => {});
    this.stdin = (child.stdin && Writable.toWeb(child.stdin)) as WritableStream<Uint8Array>;
    this.stdout = (child.stdout && Readable.toWeb(child.stdout)) as ReadableStream<Uint8Array>;
    this.stderr = (child.stderr && Readable.toWeb(child.stderr)) as ReadableStream<Uint8Array>;
  }

  async output() {
    const all = (stream: ReadableStream<Uint8Array> | null) =>
      stream === null ? undefined : new Response(stream as BodyInit).bytes();
    const [stdout, stderr, status] = await Promise.all([
      all(this.stdout),
      all(this.stderr),
      this.status,
    ]);
    return { ...status, stdout, stderr };
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    this.#child.kill(signal);
  }

  ref(): void {
    this.#child.ref();
  }

  unref(): void {
    this.#child.unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    await this.status;
  }
}

/** What Node.js 22 lacks. */
class Stack {
  #ends: (() => void | PromiseLike<void>)[] = [];

  use<Resource extends Partial<Disposable & AsyncDisposable>>(resource: Resource): Resource {
    this.#ends.push(() => resource[Symbol.asyncDispose]?.() ?? resource[Symbol.dispose]?.());
    return resource;
  }

  defer(end: () => void | PromiseLike<void>): void {
    this.#ends.push(end);
  }

  move(): Stack {
    const moved = new Stack();
    [moved.#ends, this.#ends] = [this.#ends, []];
    return moved;
  }

  dispose(): void {
    for (const end of this.#ends.splice(0).reverse()) end();
  }

  async disposeAsync(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

const { env } = nodeProcess;
const platform = os.platform();

const sync = {
  readTextFile: (path: Path) => fs.readFileSync(path, "utf-8"),
  readFile: (path: Path) => new Uint8Array(fs.readFileSync(path)),
  writeTextFile: write,
  writeFile: write,
  remove,
  rename: fs.renameSync,
  symlink: (target: Path, path: Path) => fs.symlinkSync(target, path),
  link: fs.linkSync,
  chmod: fs.chmodSync,
  chown: fs.chownSync,
  lstat: (path: Path) => infoOf(fs.lstatSync(path)),
  stat: (path: Path) => infoOf(fs.statSync(path)),
  mkdir: (path: Path, options?: fs.MakeDirectoryOptions) => void fs.mkdirSync(path, options),
  makeTempDir,
  makeTempFile,
  utime: fs.utimesSync,
  realPath: (path: Path) => fs.realpathSync.native(path),
  readLink: (path: Path) => fs.readlinkSync(path),
  truncate: fs.truncateSync,
  copyFile: fs.copyFileSync,
  create: (path: Path) => new OpenFile(path, "w+"),
  open: (path: Path, { write = false, create = false } = {}) =>
    new OpenFile(path, create ? "a+" : write ? "r+" : "r"),
};

type AnyFunction = (...args: never[]) => unknown;

/** Each function by its name, which resolves later, and with `Sync`. */
function inBothWays(functions: Record<string, AnyFunction>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(functions).flatMap(([name, fn]) => [
      [`${name}Sync`, fn],
      [name, async (...args: never[]) => await Promise.resolve(fn(...args))],
    ]),
  );
}

Object.assign(globalThis, {
  DisposableStack: Stack,
  AsyncDisposableStack: Stack,
  Deno: {
    ...inBothWays(sync),
    readDirSync: readDirectory,
    readDir: readDirectoryLater,
    test,
    runTests,
    errors,
    Command,
    build: { os: platform === "win32" ? "windows" : platform, arch: "x86_64" },
    env: {
      get: (name: string) => env[name],
      set: (name: string, value: string) => env[name] = value,
      has: (name: string) => name in env,
      delete: (name: string) => delete env[name],
      toObject: () => ({ ...env }),
    },
    execPath: () => env["PATHGREP_DENO"],
    cwd: nodeProcess.cwd,
    chdir: nodeProcess.chdir,
    uid: nodeProcess.getuid,
    pid: nodeProcess.pid,
    mainModule: pathToFileURL(env["PATHGREP_MAIN"] ?? "").href,
    args: nodeProcess.argv.slice(2),
    kill: nodeProcess.kill,
    exit: nodeProcess.exit,
    hostname: os.hostname,
    memoryUsage: nodeProcess.memoryUsage,
    permissions: { querySync: () => ({ state: "granted" }) },
    listen: ({ path }: { path: string }) => {
      const server = createServer().listen(path);
      return { close: () => server.close(), [Symbol.dispose]: () => void server.close() };
    },
  },
});
