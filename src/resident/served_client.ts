/**
 * A client as a resident search sees it: its request, and the output it has not read yet.
 *
 * @module
 */

import { type ClientTerminal, FRAME, frame, type FrameKind, MAX_FRAME_BYTES } from "./protocol.ts";
import { MAX_REQUEST_BYTES, STDOUT_CLOSED, type VersionedRequest } from "./protocol.ts";
import { brokenPipe } from "../system/files.ts";
import type { Connection } from "../system/types.ts";

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
export class ByteBudget {
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
