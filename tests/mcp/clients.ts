/**
 * The official MCP clients under one face, each talking to a real `pathgrep mcp` process.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { CLI } from "../support/run.ts";

/** The v1 SDK's client, and the v2 SDK's in both protocol eras. */
export const CLIENTS = ["v1", "v2 of 2025", "v2 of 2026"] as const;
/** One of {@linkcode CLIENTS}. */
export type ClientName = (typeof CLIENTS)[number];

/** How a server is started and a client is made. */
export interface ConnectOptions {
  /** The arguments after `mcp`. @default none */
  args?: readonly string[];
  /** Whether answers are structured and JSON. @default they are plain text, as usual */
  structured?: boolean;
  /** The server's working directory. */
  cwd: string;
  /** What starts pathgrep, besides its arguments. @default Deno, with its permissions */
  program?: readonly [command: string, ...args: string[]];
  /** Deno's permission flags. @default ["--allow-read"] */
  permissions?: readonly string[];
  /** The server's whole environment besides PATH and what Deno needs. @default none */
  env?: Record<string, string>;
  /** The client's roots, as it is asked for them. @default it has none */
  roots?: () => string[];
  /** Answers the server's questions; gets the question's text. @default it cannot be asked */
  elicit?: (message: string, signal: AbortSignal) => Promise<Elicited>;
}

/** What a user does with a question. */
export type Elicited =
  | { action: "accept"; content: Record<string, string> }
  | { action: "decline" }
  | { action: "cancel" };

/** What a call answers. */
export interface CallResult {
  isError: boolean;
  text: string;
  /** The lines of a plain text up to what they are. */
  readonly entries: string[];
  /** The JSON object in the text: a structured answer, or an error. */
  readonly answer: Record<string, unknown>;
  structured: unknown;
}

/** A connected client. */
export interface Connection extends AsyncDisposable {
  /** The definitions of `tools/list`. */
  tools(): Promise<Record<string, unknown>[]>;
  call(
    name: string,
    input?: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (progress: { progress: number }) => void },
  ): Promise<CallResult>;
  /** Tells the server that the roots have changed. */
  rootsChanged(): Promise<void>;
  /** The server's instructions. */
  readonly instructions: string | undefined;
  readonly pid: number;
}

/** Starts a server and connects a client. */
export async function connect(name: ClientName, options: ConnectOptions): Promise<Connection> {
  const deno = [Deno.execPath(), "run", "--quiet", "--no-prompt"];
  const [command = "", ...program] = options.program ??
    [...deno, ...options.permissions ?? ["--allow-read"], CLI];
  const server = {
    command,
    args: [
      ...program,
      "mcp",
      ...options.structured ? ["--structured"] : [],
      ...options.args ?? [],
    ],
    cwd: options.cwd,
    env: { ...inherited(), ...options.env },
    stderr: "ignore" as const,
  };
  const capabilities = {
    ...(options.roots ? { roots: { listChanged: true } } : {}),
    ...(options.elicit ? { elicitation: {} } : {}),
  };
  const info = { name: "tests", version: "1" };
  const roots = () => ({ roots: options.roots!().map((uri) => ({ uri })) });
  if (name === "v1") {
    const client = new ClientV1(info, { capabilities });
    if (options.roots) client.setRequestHandler(ListRootsRequestSchema, roots);
    if (options.elicit) {
      client.setRequestHandler(
        ElicitRequestSchema,
        ({ params }: { params: { message: string } }, { signal }: { signal: AbortSignal }) =>
          options.elicit!(params.message, signal),
      );
    }
    const transport = new StdioClientTransportV1(server);
    await client.connect(transport);
    return connection({
      listTools: () => client.listTools(),
      callTool: (params, call) => client.callTool(params, undefined, call),
      rootsChanged: () => client.sendRootsListChanged(),
      instructions: client.getInstructions(),
      pid: transport.pid,
      close: () => client.close(),
    });
  }
  const client = new Client(info, {
    capabilities,
    versionNegotiation: { mode: name === "v2 of 2026" ? { pin: "2026-07-28" } : "legacy" },
  });
  if (options.roots) client.setRequestHandler("roots/list", roots);
  if (options.elicit) {
    client.setRequestHandler(
      "elicitation/create",
      ({ params }, { mcpReq }) => options.elicit!(params.message, mcpReq.signal),
    );
  }
  const transport = new StdioClientTransport(server);
  await client.connect(transport);
  return connection({
    listTools: () => client.listTools(),
    callTool: (params, call) => client.callTool(params, call),
    rootsChanged: () => client.sendRootsListChanged(),
    instructions: client.getInstructions(),
    pid: transport.pid,
    close: () => client.close(),
  });
}

/** What the two generations of clients have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options: { signal?: AbortSignal; onprogress?: (progress: { progress: number }) => void },
  ): Promise<unknown>;
  rootsChanged(): Promise<void>;
  readonly instructions: string | undefined;
  readonly pid: number | null;
  close(): Promise<void>;
}

async function connection(client: AnyClient): Promise<Connection> {
  assert.ok(client.pid !== null);
  // The v1 client validates structured content only for tools that it has seen.
  const { tools } = await client.listTools();
  return {
    tools: () => Promise.resolve(tools as Record<string, unknown>[]),
    async call(name, input = {}, options = {}) {
      const result = await client.callTool({ name, arguments: input }, options) as {
        isError?: boolean;
        content: { type: string; text: string }[];
        structuredContent?: unknown;
      };
      assert.equal(result.content.length, 1);
      const { text } = result.content[0]!;
      return {
        isError: result.isError === true,
        text,
        get entries() {
          return text.split("\n\n")[0]!.split("\n");
        },
        get answer() {
          return JSON.parse(text);
        },
        structured: result.structuredContent,
      };
    },
    rootsChanged: () => client.rootsChanged(),
    instructions: client.instructions,
    pid: client.pid,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** What Deno itself needs of the environment; not HOME, which the server is to do without. */
function inherited(): Record<string, string> {
  const kept: Record<string, string> = { DENO_DIR: Deno.env.get("DENO_DIR") ?? defaultDenoDir() };
  const path = Deno.env.get("PATH");
  if (path !== undefined) kept["PATH"] = path;
  return kept;
}

function defaultDenoDir(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
