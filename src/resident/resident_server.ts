/**
 * A resident search: serves requests on its socket until it is stopped, idle, or without its workspace. Whatever a
 * client sends costs a bounded amount of memory and time, and so does the output that it has not read yet.
 *
 * @module
 */

import manifest from "../../deno.json" with { type: "json" };
import { PathgrepError } from "../util/errors.ts";
import {
  type ClientTerminal,
  type CommandRequest,
  FRAME,
  frame,
  type FrameKind,
  MAX_FRAME_BYTES,
  MAX_REQUEST_BYTES,
  STDOUT_CLOSED,
  type VersionedRequest,
} from "./protocol.ts";
import { locked } from "./socket.ts";
import { brokenPipe, changeMode, isNotFound, lstat, removeFile } from "../system/files.ts";
import { connect, isConnectionRefused, isListenerClosed, listen } from "../system/platform.ts";
import type { Connection, Listener } from "../system/types.ts";

/** Connections at once, at most; further clients search themselves. */
const MAX_CLIENTS = 700;
/** Commands executed at once: with more, slow patterns would delay a quick one. */
const MAX_RUNNING = 4;
/** Milliseconds that a command waits for a turn before its client executes it. */
const TURN_MS = 300;
/** Words of a command line, its roots and input, and their characters: with more, reading takes seconds. */
const MAX_WORDS = 1000;
const MAX_WORD_CHARS = 1 << 15;
/** Bytes of incomplete requests. */
const MAX_REQUESTS_BYTES = 64 << 20;
/** Bytes of answers that wait for their readers. */
const MAX_ANSWERS_BYTES = 256 << 20;
/** Milliseconds without reading after which a client may lose its answer to the answers of others. */
const STALLED_MS = 1000;
/** Milliseconds between checks of the workspace and of whether the server is idle. */
const WATCH_MS = 1000;

/** The JSON of `serve --status`. */
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
  memory_bytes: number;
}

/** A command that only the client itself can execute. */
export class Declined extends Error {}

export interface ResidentOptions {
  socket: string;
  /** Milliseconds without a request after which it ends. */
  idle: number;
  /**
   * Executes a command; returns its exit status.
   *
   * @throws {Declined} when the client has to execute it
   */
  run: (request: CommandRequest, reply: Reply) => Promise<number>;
  status: () => Promise<ResidentStatus>;
  /** @throws when the workspace is gone */
  checkWorkspace: () => void;
}

export class ResidentServer {
  readonly #options: ResidentOptions;
  readonly #listener: Listener;
  readonly #ended = Promise.withResolvers<void>();
  readonly #clients = new Set<Client>();
  #lastUse = performance.now();
  readonly #budgets: ByteBudgets = {
    requests: new ByteBudget(MAX_REQUESTS_BYTES),
    answers: new ByteBudget(MAX_ANSWERS_BYTES, () => this.#closeSlowest()),
  };
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #accepting: Promise<void>;
  #hasEnded = false;
  #running = 0;
  /** Commands that wait for a turn, in order. */
  readonly #waiting = new Set<(hasTurn: boolean) => void>();
  /** Of the socket, as long as it is this server's. */
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
      removeIfThere(socket);
      const listener = listen(socket);
      changeMode(socket, 0o600);
      return listener;
    });
    return new ResidentServer(options, listener);
  }

  private constructor(options: ResidentOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#identity = socketIdentity(options.socket);
    this.#timer = setInterval(() => this.#look(), WATCH_MS);
    this.#accepting = this.#accept();
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer);
    const { socket } = this.#options;
    try {
      await locked(socket, async () => {
        // Closing removes whatever is in its place: by now, perhaps the socket of the next server.
        if (!this.#isInPlace) return;
        this.#listener.close();
        await this.#accepting; // else the process may end before the socket is removed
      });
    } catch {
      // It is gone with its directory, or the next server replaces it.
    }
    for (const client of this.#clients) client.close();
    this.#ended.resolve();
  }

  /** Whether the socket is where clients look for it. */
  get #isInPlace(): boolean {
    try {
      return socketIdentity(this.#options.socket) === this.#identity;
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
      let connection: Connection;
      try {
        connection = await this.#listener.accept();
      } catch (error) {
        if (isListenerClosed(error)) {
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
      const client = new Client(connection, this.#budgets);
      this.#clients.add(client);
      this.#serve(client).catch(() => {}).finally(() => {
        client.close();
        this.#clients.delete(client);
      });
    }
  }

  /** Closes the client that has read nothing of its answer for longest, if one has for a while. */
  #closeSlowest(): boolean {
    const slowest = [...this.#clients].filter((client) => client.isBehind)
      .reduce<Client | undefined>((a, b) => a && a.lastRead <= b.lastRead ? a : b, undefined);
    if (slowest === undefined || performance.now() - slowest.lastRead < STALLED_MS) return false;
    slowest.close();
    return true;
  }

  /** Waits for a turn to execute a command; `false` when none is free in time. */
  async #takeTurn(): Promise<boolean> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve);
      resolve(false);
    }, TURN_MS);
    return await promise.finally(() => clearTimeout(timer));
  }

  /** Hands the turn to the command that has waited longest, and to no other. */
  #endTurn(): void {
    const [next] = this.#waiting;
    if (next === undefined) return void this.#running--;
    this.#waiting.delete(next);
    next(true);
  }

  async #serve(client: Client): Promise<void> {
    const request = await client.request();
    const { run, status } = this.#options;
    if (request.version !== manifest.version) return await client.decline();
    switch (request.kind) {
      case "status":
        client.send(FRAME.accepted);
        client.write("stdout", new TextEncoder().encode(JSON.stringify(await status()) + "\n"));
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
        if (takesLong(request)) return await client.decline();
        if (!await this.#takeTurn()) return await client.decline();
        // Readers may take their time: the turn ends before they have read everything.
        try {
          client.send(FRAME.exit, new Uint8Array([await run(request, client)]));
        } catch (error) {
          if (!(error instanceof Declined)) throw error;
          client.send(FRAME.declined);
        } finally {
          this.#endTurn();
        }
        await client.flushed();
    }
  }
}

/** Whether reading its words would block other clients. */
function takesLong({ args, workspace, stdin = "", format = "" }: CommandRequest): boolean {
  const words = [...args, ...workspace, stdin, format];
  return words.length > MAX_WORDS ||
    words.reduce((sum, { length }) => sum + length, 0) > MAX_WORD_CHARS;
}

/** Distinguishes a socket from one that replaces it; its inode number may be reused. */
function socketIdentity(socket: string): string {
  const { dev, ino, mtime } = lstat(socket);
  return `${dev} ${ino} ${mtime?.getTime()}`;
}

async function isAlive(socket: string): Promise<boolean> {
  try {
    (await connect(socket)).close();
    return true;
  } catch (error) {
    // One that is too busy refuses in another way.
    return !isNotFound(error) &&
      !isConnectionRefused(error);
  }
}

function removeIfThere(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Milliseconds that a request may take to arrive. */
const REQUEST_MS = 5000;
const LINE_FEED = 10;

export interface Reply {
  /** @throws a {@linkcode brokenPipe} when nobody reads the client's standard output anymore */
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** A limit on the bytes held for all clients. */
class ByteBudget {
  #room: number;
  readonly #makeRoom: () => boolean;

  /** @param makeRoom releases some bytes; returns whether it could */
  constructor(bytes: number, makeRoom: () => boolean = () => false) {
    this.#room = bytes;
    this.#makeRoom = makeRoom;
  }

  /** @throws {Error} when there is no room for more */
  take(bytes: number): void {
    while (bytes > this.#room) {
      if (!this.#makeRoom()) throw new Error("too much is held for clients");
    }
    this.#room -= bytes;
  }

  give(bytes: number): void {
    this.#room += bytes;
  }
}

export interface ByteBudgets {
  /** Incomplete requests. */
  requests: ByteBudget;
  /** Answers that wait for their readers. */
  answers: ByteBudget;
}

export class Client implements Reply {
  readonly #connection: Connection;
  readonly #budgets: ByteBudgets;
  readonly #controller = new AbortController();
  /** Bytes that the connection has not taken. */
  #held = 0;
  /** When the connection last accepted some, or the wait for it began. */
  lastRead = 0;
  #isStdoutClosed = false;
  #waiting: Uint8Array[] = [];
  #writing: Promise<void> | undefined;

  constructor(connection: Connection, budgets: ByteBudgets) {
    this.#connection = connection;
    this.#budgets = budgets;
  }

  get isBehind(): boolean {
    return this.#held > 0;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws {Error} when what arrives is not a request or is too long, or when nothing arrives */
  async request(): Promise<VersionedRequest> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const timer = setTimeout(() => this.close(), REQUEST_MS);
    try {
      for (;;) {
        const buffer = new Uint8Array(1 << 14);
        const read = await this.#connection.read(buffer);
        if (read === null) throw new Error("the request has no end");
        this.#budgets.requests.take(read);
        pieces.push(buffer.slice(0, read)); // a part would retain the whole buffer
        length += read;
        if (length > MAX_REQUEST_BYTES) throw new Error("the request is too long");
        if (buffer[read - 1] === LINE_FEED) break;
      }
    } finally {
      clearTimeout(timer);
      this.#budgets.requests.give(length);
    }
    this.#watchForEnd();
    return checked(JSON.parse(await new Blob(pieces as BlobPart[]).text()));
  }

  /** A client that hangs up wants no answer. */
  async #watchForEnd(): Promise<void> {
    const byte = new Uint8Array(1);
    try {
      while (await this.#connection.read(byte) !== null && byte[0] === STDOUT_CLOSED) {
        this.#isStdoutClosed = true;
      }
    } catch {
      // The connection is closed.
    }
    this.close();
  }

  write(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    if (stream === "stdout" && this.#isStdoutClosed) throw brokenPipe();
    for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) {
      this.send(FRAME[stream], bytes.subarray(at, at + MAX_FRAME_BYTES));
    }
  }

  send(kind: FrameKind, contents?: Uint8Array): void {
    if (this.signal.aborted) return;
    const bytes = frame(kind, contents);
    try {
      this.#budgets.answers.take(bytes.length);
    } catch {
      return this.close();
    }
    if (this.signal.aborted) return this.#budgets.answers.give(bytes.length); // it was the slowest
    if (this.#held === 0) this.lastRead = performance.now();
    this.#held += bytes.length;
    this.#waiting.push(bytes);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      for (let bytes; (bytes = this.#waiting.shift()) !== undefined;) {
        while (bytes.length > 0) {
          const written = await this.#connection.write(bytes);
          if (this.signal.aborted) return;
          bytes = bytes.subarray(written);
          this.lastRead = performance.now();
          this.#release(written);
        }
      }
    } catch {
      this.close();
    } finally {
      this.#writing = undefined;
    }
  }

  #release(bytes: number): void {
    this.#held -= bytes;
    this.#budgets.answers.give(bytes);
  }

  async flushed(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async end(status: number): Promise<void> {
    this.send(FRAME.exit, new Uint8Array([status]));
    await this.flushed();
  }

  async decline(): Promise<void> {
    this.send(FRAME.declined);
    await this.flushed();
  }

  close(): void {
    this.#controller.abort();
    this.#waiting = [];
    this.#release(this.#held);
    try {
      this.#connection.close();
    } catch {
      // It is closed already.
    }
  }
}

/** @throws {Error} for what is not a request */
function checked(value: unknown): VersionedRequest {
  const fields = Object(value) as Record<string, unknown>;
  const { version, kind, args, workspace, view = [], stdin, format, note, canAsk, terminal } =
    fields;
  if (typeof version !== "string") throw new Error("not a request");
  if (kind === "status" || kind === "stop") return { version, kind };
  const isCommand = kind === "command" && areStrings(args) && areStrings(workspace) &&
    areStrings(view) && typeof canAsk === "boolean" &&
    isText(stdin) && isText(format) && isText(note) &&
    (terminal === undefined || isTerminal(terminal));
  if (!isCommand) throw new Error("not a request");
  return { version, kind, args, workspace, view, stdin, format, note, canAsk, terminal };
}

/** Links repeat their origin in every line, so that a long one would make the answer large. */
const LINK_ORIGIN = /^file:\/\/[\w.-]{0,255}$/;

function isTerminal(value: unknown): value is ClientTerminal {
  const { stdout, stderr, noColor, linkOrigin = "file://" } = Object(value);
  return [stdout, stderr, noColor].every((each) => typeof each === "boolean") &&
    typeof linkOrigin === "string" && LINK_ORIGIN.test(linkOrigin);
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function areStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
