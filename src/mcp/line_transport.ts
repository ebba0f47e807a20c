/**
 * JSON-RPC messages as lines on standard input and output.
 *
 * The SDK's own transport closes the session at a line of more than 10 MiB, and does not answer a
 * client that sent something other than a message. This one answers both and reads on.
 *
 * @module
 */

import { MAX_MESSAGE_BYTES } from "../tools/answer_size.ts";
import { isJSONRPCRequest, isJSONRPCResponse, parseJSONRPCMessage } from "./sdk.ts";
import type { JSONRPCMessage, Transport } from "./sdk.ts";
import { joinBytes } from "../util/collections.ts";
import { standardInput, standardOutput } from "../system/platform.ts";

/** Bytes of the longest line that is read, as by the official clients. */
const MAX_INPUT_BYTES = 10 * 1024 * 1024;
/** Input waits while the client has more bytes than this to read. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** What an answer takes until it is written, besides its text: the SDK keeps its request. */
const BYTES_PER_MESSAGE = 4096;
const LINE_FEED = 10;
/** Milliseconds after the end of the input until requests are dropped, and until unread answers are. */
const ANSWER_MS = 1400;
const READ_MS = 1800;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #input: ReadableStreamDefaultReader<Uint8Array> = standardInput.readable.getReader();
  /** Resolves when everything sent is written. */
  #writing: Promise<void> = Promise.resolve();
  /** Bytes that messages take which were sent and are not written. */
  #unread = 0;
  #isClosed = false;
  /** The requests that are not answered. */
  readonly #open = new Set<unknown>();
  #onIdle = () => {};
  /** When what is awaited after the end of the input is given up, and how. */
  #deadline = { at: Infinity, pass: () => {} };
  readonly #inputEnder = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<void>();
  /** Aborts when the client can send nothing more. */
  readonly inputEnd = this.#inputEnder.signal;
  /** Resolves when the first message is written. */
  readonly answered = this.#answered.promise;
  /** Resolves when the connection has ended, after pending answers were given and read. */
  readonly closed = this.#closed.promise;

  // deno-lint-ignore require-await
  async start(): Promise<void> {
    this.#read().catch((error) => this.onerror?.(error)).finally(() => {
      this.#inputEnder.abort();
      return this.close();
    });
  }

  /**
   * Writes a message. A response that is too long for a client goes out as an error.
   *
   * @throws {RangeError} when the message is no response and too long
   */
  async send(message: JSONRPCMessage): Promise<void> {
    // A timer gets no turn while answers are made one after another.
    if (performance.now() > this.#deadline.at) this.#deadline.pass();
    let line = encoded(message);
    if (line.length > MAX_MESSAGE_BYTES) {
      const problem = `the message has more than ${MAX_MESSAGE_BYTES} bytes`;
      if (!isJSONRPCResponse(message)) throw new RangeError(problem);
      line = failureLine(message.id, INTERNAL_ERROR, problem);
    }
    try {
      await this.#write(line);
      this.#answered.resolve();
    } finally {
      if (!("method" in message)) this.#settle(message.id);
    }
  }

  /** Ends the connection; after the end of the input, once requests are answered and answers read. */
  async close(): Promise<void> {
    if (this.inputEnd.aborted) {
      const ended = performance.now();
      const idle = new Promise<void>((resolve) => this.#onIdle = resolve);
      if (this.#open.size > 0) await this.#within(ANSWER_MS, idle);
      await this.#within(ended + READ_MS - performance.now(), this.flush());
    }
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.cancel().catch(() => {});
    this.onclose?.();
    this.#closed.resolve();
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }

  #within(ms: number, done: Promise<void>): Promise<void> {
    const late = new Promise<void>((resolve) => {
      this.#deadline = { at: performance.now() + ms, pass: resolve };
      setTimeout(resolve, ms);
    });
    return Promise.race([done, late]);
  }

  /** Resolves when everything sent is written, or cannot be. */
  async flush(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  #write(line: Uint8Array): Promise<void> {
    this.#unread += line.length + BYTES_PER_MESSAGE;
    this.#writing = this.#writing.then(async () => {
      while (line.length > 0) {
        const written = await standardOutput.write(line);
        line = line.subarray(written);
        this.#unread -= written;
      }
      this.#unread -= BYTES_PER_MESSAGE;
    });
    this.#writing.catch(() => this.close()); // nobody reads anymore
    return this.#writing;
  }

  /** Reads to the end of the input. A line that is too long is not stored. */
  async #read(): Promise<void> {
    let parts: Uint8Array[] = [];
    let length = 0;
    const take = (part: Uint8Array) => {
      const fitted = length <= MAX_INPUT_BYTES;
      length += part.length;
      if (length <= MAX_INPUT_BYTES) parts.push(part);
      else {
        parts = [];
        if (fitted) {
          this.#refuse(PARSE_ERROR, `Parse error: a line of more than ${MAX_INPUT_BYTES} bytes`);
        }
      }
    };
    const endLine = () => {
      if (length > 0 && length <= MAX_INPUT_BYTES) this.#receive(joinBytes(parts));
      parts = [];
      length = 0;
    };
    for await (const piece of this.#pieces()) {
      let start = 0;
      for (let end; (end = piece.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        take(piece.subarray(start, end));
        endLine();
      }
      take(piece.subarray(start));
    }
    endLine();
  }

  /**
   * The pieces of the input. While too much is unread they wait, as many as make the longest line: so the
   * end of the input is still seen. Then they are dropped, since nobody reads the answers.
   */
  async *#pieces(): AsyncGenerator<Uint8Array, void> {
    const waiting: Uint8Array[] = [];
    let length = 0;
    let next = this.#input.read();
    while (!this.#isClosed) {
      if (waiting.length > 0 && this.#unread <= MAX_UNREAD_BYTES) {
        const piece = waiting.shift()!;
        length -= piece.length;
        yield piece;
        // A turn of the event loop: what is answered at once is counted before the next piece is taken.
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const isDrained = waiting.length > 0 ? [this.flush()] : [];
      const read = await Promise.race(length > MAX_INPUT_BYTES ? isDrained : [next, ...isDrained]);
      if (read === undefined) continue;
      if (read.done) return;
      waiting.push(read.value);
      length += read.value.length;
      next = this.#input.read();
    }
  }

  #receive(line: Uint8Array): void {
    let value: unknown;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
      if (text.trim() === "") return;
      value = JSON.parse(text);
    } catch (error) {
      return this.#refuse(PARSE_ERROR, `Parse error: ${lineProblem(error)}`);
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(withoutNulls(value));
    } catch {
      return this.#receiveMalformed(value);
    }
    if (isJSONRPCRequest(message)) this.#open.add(message.id);
    else if ("method" in message && message.method === "notifications/cancelled") {
      this.#settle(message.params?.["requestId"]);
    }
    this.onmessage?.(message);
  }

  /** Answers what is not a message, or a malformed one. */
  #receiveMalformed(value: unknown): void {
    const { id, method } = Object(value) as Record<string, unknown>;
    const isNamed = typeof id === "string" || typeof id === "number";
    if (isNamed && method === undefined) {
      // The response to one of our own requests, which has failed.
      const failure = errorResponse(id, INVALID_REQUEST, "a malformed response");
      this.onmessage?.(failure as JSONRPCMessage);
    } else {
      this.#refuse(INVALID_REQUEST, "Invalid Request", isNamed ? id : null);
    }
  }

  #refuse(code: number, text: string, id: string | number | null = null): void {
    this.onerror?.(new Error(text));
    this.#write(failureLine(id, code, text)).catch(() => {});
  }
}

/**
 * A request or notification as the protocol wants it: without the `null`s by which some clients say that
 * something is absent, and with an object as the arguments of a call. The tool reads what those are.
 */
function withoutNulls(message: unknown): unknown {
  const { method, params } = Object(message) as { method?: unknown; params?: unknown };
  if (typeof method !== "string" || typeof params !== "object") return message;
  if (params === null) return { ...Object(message), params: undefined };
  if (Array.isArray(params)) return message;
  const { _meta, ...given } = present(params);
  if (_meta !== undefined) given["_meta"] = isRecord(_meta) ? present(_meta) : _meta;
  const input = given["arguments"];
  const isCall = method === "tools/call" && input !== undefined && !isRecord(input);
  if (isCall) given["arguments"] = { arguments: input };
  return { ...Object(message), params: given };
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function present(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function errorResponse(id: string | number | null | undefined, code: number, text: string) {
  return { jsonrpc: "2.0", id: id ?? null, error: { code, message: text } };
}

/** A failure as a line, without the request's id if that is too long to send. */
function failureLine(...[id, code, text]: Parameters<typeof errorResponse>): Uint8Array {
  const line = encoded(errorResponse(id, code, text));
  return line.length > MAX_MESSAGE_BYTES ? encoded(errorResponse(null, code, text)) : line;
}

function encoded(message: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message) + "\n");
}

/** The problem with a line, without its text. */
function lineProblem(error: unknown): string {
  if (error instanceof TypeError) return "the line is not UTF-8";
  return error instanceof SyntaxError ? "the line is not JSON" : "the line is nested too deeply";
}
