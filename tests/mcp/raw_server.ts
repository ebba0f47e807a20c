/**
 * A `pathgrep mcp` process and its bare lines, for what no well-behaved client sends.
 *
 * @module
 */

import assert from "node:assert/strict";
import { OWN_TOOL_NAMES } from "../../src/tools/registry.ts";
import { CLI } from "../support/run.ts";

/** How long a message may take: far more than any does, so that a test fails and never hangs. */
const PATIENCE_MS = 60_000;

/** One JSON-RPC message. */
export type Message = Record<string, unknown> & {
  id?: number | string | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** Options of a server whose answers are JSON objects, and which has every tool. */
const JSON_ANSWERS = ["--structured", `--tools=${OWN_TOOL_NAMES}`];

/** A server process. */
export class RawServer implements AsyncDisposable {
  /** Every message that it wrote. */
  readonly messages: Message[] = [];
  /** The longest line that it wrote, in bytes. */
  longest = 0;
  /** What it wrote to standard error. */
  stderr = "";
  readonly pid: number;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<unknown>;
  #news = Promise.withResolvers<void>();
  #hasEnded = false;
  #nextId = 1;

  /**
   * Starts a server.
   *
   * @param workspace a directory that it has to be told of; none: the client's roots are
   * @param permissions Deno's permission flags
   * @param options more of its options
   * @param cwd its working directory
   * @param form whether it answers with JSON, or as usual
   */
  constructor(
    workspace?: string,
    permissions: readonly string[] = ["--allow-read"],
    options: readonly string[] = [],
    cwd?: string,
    form: "json" | "text" = "json",
  ) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        ...permissions,
        CLI,
        "mcp",
        ...workspace === undefined ? [] : ["--workspace", workspace],
        ...form === "json" ? JSON_ANSWERS : [],
        ...options,
      ],
      ...cwd === undefined ? {} : { cwd },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.pid = this.#child.pid;
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = Promise.all([this.#readMessages(), this.#readErrors()]);
  }

  /** Opens a session of protocol 2025. */
  async initialize(capabilities: object = {}): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities,
      clientInfo: { name: "raw", version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Sends a message, or text as it is. */
  async send(message: object | string): Promise<void> {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    await this.write(new TextEncoder().encode(text + "\n"));
  }

  /** Writes bytes, with no line end after them. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Sends a request and gives its number. */
  async start(method: string, params?: unknown): Promise<number> {
    const id = this.#nextId++;
    await this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return id;
  }

  /** Sends a request and waits for its response. */
  async request(method: string, params?: unknown): Promise<Message> {
    return await this.response(await this.start(method, params));
  }

  /** The response to a request, once it is there. */
  async response(id: number | string | null): Promise<Message> {
    return await this.message((message) => message.id === id && !("method" in message));
  }

  /** The server's next request of a method, once it is there; each is given once. */
  async requestOf(method: string): Promise<Message> {
    const request = await this.message((message) => message["method"] === method);
    this.messages.splice(this.messages.indexOf(request), 1);
    return request;
  }

  /** The first message of that kind, once it is there. A server that never sends one fails the test. */
  async message(isWanted: (message: Message) => boolean): Promise<Message> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, PATIENCE_MS);
    try {
      while (true) {
        const message = this.messages.find(isWanted);
        if (message !== undefined) return message;
        const last = JSON.stringify(this.messages.at(-1))?.slice(0, 1000);
        assert.ok(!this.#hasEnded, `the server ended: ${this.stderr}; its last message: ${last}`);
        assert.ok(!isLate, `no such message within a minute; the last one: ${last}`);
        await this.#news.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls a tool and gives the object in the text of its result: structured answers and errors have one. */
  async call(name: string, input: unknown): Promise<Record<string, unknown>> {
    return JSON.parse(await this.callText(name, input));
  }

  /** Calls a tool and gives the text of its result. */
  async callText(name: string, input: unknown): Promise<string> {
    const { result, error } = await this.request("tools/call", { name, arguments: input });
    assert.ok(result !== undefined, JSON.stringify(error));
    return (result["content"] as { text: string }[])[0]!.text;
  }

  /** Closes standard input and gives the exit status. */
  async end(): Promise<number> {
    await this.#writer.close().catch(() => {});
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #readMessages(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      rest += text;
      if (!text.includes("\n")) continue;
      const lines = rest.split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        this.longest = Math.max(this.longest, new TextEncoder().encode(line).length + 1);
        const message = JSON.parse(line) as Message; // anything else fails the test
        assert.equal(message["jsonrpc"], "2.0");
        this.messages.push(message);
      }
      this.#wake();
    }
    this.#hasEnded = true;
    this.#wake();
    assert.equal(rest, "", "the output ends with a whole line");
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.stderr += text;
    }
  }
}
