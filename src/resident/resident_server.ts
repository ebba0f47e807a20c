/**
 * A resident search: takes requests on its socket until it is stopped, is not used any more, or its
 * workspace is gone. What reaches it is data, and costs it a bounded amount of memory and time.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { type CommandRequest, FRAME, frame, type FrameKind } from "./protocol.ts";
import { MAX_FRAME_BYTES, MAX_REQUEST_BYTES, type Request, STDOUT_CLOSED } from "./protocol.ts";
import { locked } from "./socket.ts";

/** Connections at once, at most; further clients search themselves. */
const MAX_CLIENTS = 700;
/** Commands that are executed at once: more slow patterns than that would keep a quick one waiting. */
const MAX_RUNNING = 4;
/** Milliseconds that a command waits until others have ended; then its client does it itself. */
const TURN_MS = 300;
/** Milliseconds in which a request must have come. */
const REQUEST_MS = 5000;
/** Bytes of requests that have not all come, and of answers that wait for their readers. */
const MAX_HELD_BYTES = 256 << 20;
/** Milliseconds between two looks at whether the workspace is there and somebody uses the server. */
const WATCH_MS = 1000;
const LINE_FEED = 10;

/** What a server says of itself. */
export interface ResidentStatus {
  running: true;
  pid: number;
  roots: readonly string[];
  socket: string;
  version: string;
  /** Whether the workspace has been read once. */
  ready: boolean;
  /** Files that a search without filters reads. */
  files: number;
  /** Bytes of memory that the process holds. */
  memory_bytes: number;
}

/** Where a command's output goes. */
export interface Reply {
  /** @throws {Deno.errors.BrokenPipe} when nobody reads the client's standard output any more */
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Bytes that are held for all clients. */
class Budget {
  #held = 0;

  /** @throws {Error} when there is no room for more */
  take(bytes: number): void {
    if (this.#held + bytes > MAX_HELD_BYTES) throw new Error("too much is held for clients");
    this.#held += bytes;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** A command that only the client itself can execute. */
export class Declined extends Error {}

/** What a server is made of. */
export interface ResidentOptions {
  socket: string;
  /** Milliseconds without a request after which it ends. */
  idle: number;
  /**
   * Executes a command.
   *
   * @returns its exit status
   * @throws {Declined} when the client is to do it
   */
  run: (request: CommandRequest, reply: Reply) => Promise<number>;
  status: () => ResidentStatus;
  /** @throws when the workspace is gone */
  checkWorkspace: () => void;
}

/** A server and its socket. */
export class ResidentServer {
  readonly #options: ResidentOptions;
  readonly #listener: Deno.UnixListener;
  readonly #ended = Promise.withResolvers<void>();
  readonly #clients = new Set<Client>();
  #lastUse = performance.now();
  readonly #budget = new Budget();
  readonly #timer: ReturnType<typeof setInterval>;
  #hasEnded = false;
  #running = 0;
  readonly #queue = new Set<() => void>();
  /** What the socket's place in its directory holds as long as it is this server's. */
  readonly #identity: string;

  /**
   * Starts to listen. A socket that nobody listens on is replaced.
   *
   * Needs `--allow-read` and `--allow-write` for the socket.
   *
   * @throws {PathgrepError} `search_failed` when another server listens on it
   */
  static async start(options: ResidentOptions): Promise<ResidentServer> {
    const { socket } = options;
    const listener = await locked(socket, async () => {
      if (await isAlive(socket)) {
        throw new PathgrepError("search_failed", `a resident search runs already: ${socket}`, {
          hint: "`pathgrep serve --status` shows it, `pathgrep serve --stop` ends it",
        });
      }
      remove(socket);
      const listener = Deno.listen({ transport: "unix", path: socket });
      Deno.chmodSync(socket, 0o600);
      return listener;
    });
    return new ResidentServer(options, listener);
  }

  private constructor(options: ResidentOptions, listener: Deno.UnixListener) {
    this.#options = options;
    this.#listener = listener;
    this.#identity = identityOf(options.socket);
    this.#timer = setInterval(() => this.#look(), WATCH_MS);
    this.#accept();
  }

  /** Resolves when the server has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends the server, and what is under way. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer);
    const { socket } = this.#options;
    try {
      // To close it removes whatever is in its place, which may be the socket of the next server by now.
      await locked(socket, () => this.#isInPlace && this.#listener.close());
    } catch {
      // It is gone with its directory, or the next server replaces it.
    }
    for (const client of this.#clients) client.close();
    this.#ended.resolve();
  }

  /** Whether the socket is where clients look for it. */
  get #isInPlace(): boolean {
    try {
      return identityOf(this.#options.socket) === this.#identity;
    } catch {
      return false;
    }
  }

  get #hasWorkspace(): boolean {
    try {
      this.#options.checkWorkspace();
      return true;
    } catch {
      return false;
    }
  }

  #look(): void {
    const now = performance.now();
    if (this.#clients.size > 0) this.#lastUse = now;
    const isIdle = now - this.#lastUse > this.#options.idle;
    if (isIdle || !this.#isInPlace || !this.#hasWorkspace) this.stop();
  }

  async #accept(): Promise<void> {
    for (;;) {
      let connection: Deno.UnixConn;
      try {
        connection = await this.#listener.accept() as Deno.UnixConn;
      } catch (error) {
        if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 10)); // too many open files, as a rule
        continue;
      }
      if (this.#clients.size >= MAX_CLIENTS) {
        connection.close();
        continue;
      }
      if (this.#hasEnded) return connection.close();
      const client = new Client(connection, this.#budget);
      this.#clients.add(client);
      this.#serve(client).catch(() => {}).finally(() => {
        client.close();
        this.#clients.delete(client);
      });
    }
  }

  /** Waits until a command may be executed; `false` when that takes too long. */
  async #hasTurn(): Promise<boolean> {
    const until = performance.now() + TURN_MS;
    while (this.#running >= MAX_RUNNING) {
      const left = until - performance.now();
      if (left <= 0) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, left);
      this.#queue.add(resolve);
      await promise;
      this.#queue.delete(resolve);
      clearTimeout(timer);
    }
    return true;
  }

  async #serve(client: Client): Promise<void> {
    const request = await client.request();
    const { run, status } = this.#options;
    switch (request.kind) {
      case "status":
        client.write("stdout", new TextEncoder().encode(JSON.stringify(status()) + "\n"));
        return await client.end(0);
      case "stop":
        await client.end(0);
        return await this.stop();
      case "command":
        this.#lastUse = performance.now();
        client.send(FRAME.accepted);
        if (!this.#hasWorkspace) {
          await client.decline();
          return await this.stop();
        }
        if (!await this.#hasTurn()) return await client.decline();
        this.#running++;
        try {
          await client.end(await run(request, client));
        } catch (error) {
          if (!(error instanceof Declined)) throw error;
          await client.decline();
        } finally {
          this.#running--;
          for (const wake of this.#queue) wake();
        }
    }
  }
}

/** One connection. */
class Client implements Reply {
  readonly #connection: Deno.UnixConn;
  readonly #budget: Budget;
  readonly #controller = new AbortController();
  #isStdoutClosed = false;
  #waiting: Uint8Array[] = [];
  #writing: Promise<void> | undefined;

  constructor(connection: Deno.UnixConn, budget: Budget) {
    this.#connection = connection;
    this.#budget = budget;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * What the client asks.
   *
   * @throws {Error} when that is no request, is too long, or does not come
   */
  async request(): Promise<Request> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const timer = setTimeout(() => this.close(), REQUEST_MS);
    try {
      for (;;) {
        const buffer = new Uint8Array(1 << 14);
        const read = await this.#connection.read(buffer);
        if (read === null) throw new Error("the request has no end");
        this.#budget.take(read);
        pieces.push(buffer.subarray(0, read));
        length += read;
        if (length > MAX_REQUEST_BYTES) throw new Error("the request is too long");
        if (buffer[read - 1] === LINE_FEED) break;
      }
    } finally {
      clearTimeout(timer);
      this.#budget.give(length);
    }
    this.#watchForEnd();
    return checked(JSON.parse(await new Blob(pieces as BlobPart[]).text()));
  }

  /** A client that hangs up wants no answer any more. */
  async #watchForEnd(): Promise<void> {
    const byte = new Uint8Array(1);
    try {
      while (await this.#connection.read(byte) !== null && byte[0] === STDOUT_CLOSED) {
        this.#isStdoutClosed = true;
      }
    } catch {
      // It is closed, which is what was waited for.
    }
    this.close();
  }

  write(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    if (stream === "stdout" && this.#isStdoutClosed) throw new Deno.errors.BrokenPipe();
    for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) {
      this.send(FRAME[stream], bytes.subarray(at, at + MAX_FRAME_BYTES));
    }
  }

  send(kind: FrameKind, contents?: Uint8Array): void {
    if (this.signal.aborted) return;
    const bytes = frame(kind, contents);
    try {
      this.#budget.take(bytes.length);
    } catch {
      return this.close();
    }
    this.#waiting.push(bytes);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      for (let bytes; (bytes = this.#waiting.shift()) !== undefined;) {
        const { length } = bytes;
        try {
          while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
        } finally {
          this.#budget.give(length);
        }
      }
    } catch {
      this.close();
    }
    this.#writing = undefined;
  }

  /** Resolves when everything has been written. */
  async flushed(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Sends the exit status, as the last frame. */
  async end(status: number): Promise<void> {
    this.send(FRAME.exit, new Uint8Array([status]));
    await this.flushed();
  }

  /** Leaves the command to the client. */
  async decline(): Promise<void> {
    this.send(FRAME.declined);
    await this.flushed();
  }

  close(): void {
    this.#controller.abort();
    for (const { length } of this.#waiting.splice(0)) this.#budget.give(length);
    try {
      this.#connection.close();
    } catch {
      // It is closed already.
    }
  }
}

/** @throws {Error} for what is no request */
function checked(value: unknown): Request {
  const { kind, args, workspace, stdin, canAsk } = Object(value) as Record<string, unknown>;
  if (kind === "status" || kind === "stop") return { kind };
  const isCommand = kind === "command" && areStrings(args) && areStrings(workspace) &&
    typeof canAsk === "boolean" && (stdin === undefined || typeof stdin === "string");
  if (!isCommand) throw new Error("not a request");
  return { kind, args, workspace, canAsk, ...(stdin === undefined ? {} : { stdin }) };
}

function areStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** What tells a socket from others that take its place; the number of its inode may be used again. */
function identityOf(socket: string): string {
  const { dev, ino, mtime } = Deno.lstatSync(socket);
  return `${dev} ${ino} ${mtime?.getTime()}`;
}

/** Whether somebody listens on a socket. */
async function isAlive(socket: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path: socket })).close();
    return true;
  } catch (error) {
    // One that is too busy refuses in another way.
    return !(error instanceof Deno.errors.NotFound) &&
      !(error instanceof Deno.errors.ConnectionRefused);
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
