/**
 * A `pathgrep mcp` process and its bare lines, for what no well-behaved client sends.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLI } from "../support/run_cli.ts";

/** One JSON-RPC message. */
export type Message = Record<string, unknown> & {
  id?: number | string | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** A server process. */
export class RawServer implements AsyncDisposable {
  /** Every message that it wrote. */
  readonly messages: Message[] = [];
  /** What it wrote to standard error. */
  stderr = "";
  readonly pid: number;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<unknown>;
  #news = Promise.withResolvers<void>();
  #nextId = 1;

  /** Starts a server on a directory that it has to be told of. */
  constructor(workspace: string, permissions: readonly string[] = ["--allow-read"]) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        ...permissions,
        CLI,
        "mcp",
        "--workspace",
        workspace,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.pid = this.#child.pid;
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = Promise.all([this.#readMessages(), this.#readErrors()]);
  }

  /** Opens a session of protocol 2025. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Sends a message, or text as it is. */
  async send(message: object | string): Promise<void> {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    await this.#writer.write(new TextEncoder().encode(text + "\n"));
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
  async response(id: number): Promise<Message> {
    while (true) {
      const response = this.messages.find((message) => message.id === id);
      if (response !== undefined) return response;
      await this.#news.promise;
    }
  }

  /** Calls a tool and gives the object in the text of its result. */
  async call(name: string, input: unknown): Promise<Record<string, unknown>> {
    const { result, error } = await this.request("tools/call", { name, arguments: input });
    assert.ok(result !== undefined, JSON.stringify(error));
    return JSON.parse((result["content"] as { text: string }[])[0]!.text);
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
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as Message; // anything else fails the test
        assert.equal(message["jsonrpc"], "2.0");
        this.messages.push(message);
      }
      this.#news.resolve();
      this.#news = Promise.withResolvers<void>();
    }
    assert.equal(rest, "", "the output ends with a whole line");
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.stderr += text;
    }
  }
}
