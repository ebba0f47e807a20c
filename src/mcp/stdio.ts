/**
 * Serves MCP on standard input and output until the client leaves.
 *
 * @module
 */

import process from "node:process";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { WorkerPool } from "../search/js/pool.ts";
import { createServer, type McpServerOptions } from "./server.ts";

/** What is not answered this long after the end of the input is not answered. */
const DRAIN_MS = 1500;

/** Bytes of what was read that are kept for the calls to come, each file checked before it is trusted. */
const MAX_CACHE_BYTES = 1 << 26;

/** Serves until standard input ends and what it asked is answered. */
export async function serve(options: Omit<McpServerOptions, "pool">): Promise<void> {
  keepConsoleOffStdout();
  const pool = new WorkerPool(MAX_CACHE_BYTES);
  const transport = new StdioServerTransport();
  serveStdio(({ era }) => createServer(era, { ...options, pool }), {
    transport,
    onerror: (error) => console.error(`pathgrep: ${error.message}`),
  });
  await closed(transport);
  pool.close();
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
}

/** Resolves when the connection has ended; answers on their way are waited for. */
function closed(transport: StdioServerTransport): Promise<void> {
  const open = new Set<unknown>();
  let onIdle = () => {};
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) onIdle();
  };
  const { onmessage, onclose } = transport;
  const send = transport.send.bind(transport);
  const close = transport.close.bind(transport);
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else if ("method" in message && message.method === "notifications/cancelled") {
      settle(message.params?.["requestId"]);
    }
    onmessage?.(message);
  };
  transport.send = async (message) => {
    try {
      await send(message);
    } finally {
      if (!("method" in message)) settle(message.id);
    }
  };
  transport.close = async () => {
    if (process.stdin.readableEnded && open.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        setTimeout(resolve, DRAIN_MS);
      });
    }
    await close();
  };
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** Standard output is the protocol's: what a dependency may print goes to standard error. */
function keepConsoleOffStdout(): void {
  const say = console.error.bind(console);
  Object.assign(console, {
    log: say,
    info: say,
    debug: say,
    dir: say,
    dirxml: say,
    table: say,
    group: say,
    groupCollapsed: say,
    count: say,
    timeEnd: say,
    timeLog: say,
  });
}
