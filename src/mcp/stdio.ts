/**
 * Serves MCP on standard input and output until the client leaves.
 *
 * @module
 */

import { SearchCache } from "../cache/search_cache.ts";
import type { JSONRPCMessage } from "./sdk_types.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import { LineTransport } from "./line_transport.ts";
import { isJSONRPCRequest, serveStdio } from "./sdk.ts";
import { createServer, type McpServerOptions } from "./server.ts";

/** Milliseconds after the end of the input until requests are dropped, and until unread answers are. */
const ANSWER_MS = 1400;
const READ_MS = 1800;

/** Serves until standard input ends and its requests are answered. The process has to end then. */
export async function serveMcp(
  cacheBytes: number,
  options: Omit<McpServerOptions, "pool" | "cache" | "inputEnd">,
): Promise<void> {
  keepConsoleOffStdout();
  const cache = new SearchCache(cacheBytes);
  const pool = new WorkerPool({ isKept: true, store: cache });
  await pool.start();
  const transport = new LineTransport();
  const input = new AbortController();
  const inputEnd = input.signal;
  serveStdio(({ era }) => createServer(era, { ...options, pool, cache, inputEnd }), {
    transport,
    onerror: (error) => console.error(`pathgrep: ${error.message}`),
  });
  await closed(transport, () => input.abort());
  // The watch ends with the process: ending it here would wait as long as changes keep coming.
  pool.close();
}

/**
 * Resolves when the connection has ended, after pending answers were given and read.
 *
 * @param onInputEnd called when the client can send nothing more
 */
function closed(transport: LineTransport, onInputEnd: () => void): Promise<void> {
  const open = new Set<unknown>();
  let onIdle = () => {};
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) onIdle();
  };
  const deadline = { at: Infinity, pass: () => {} };
  const within = (ms: number, done: Promise<void>) => {
    const late = new Promise<void>((resolve) => {
      deadline.at = performance.now() + ms;
      deadline.pass = resolve;
      setTimeout(resolve, ms);
    });
    return Promise.race([done, late]);
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
    // A timer gets no turn while answers are made one after another.
    if (performance.now() > deadline.at) deadline.pass();
    try {
      await send(message);
    } finally {
      if (!("method" in message)) settle(message.id);
    }
  };
  transport.close = async () => {
    if (transport.hasEnded) {
      onInputEnd();
      const ended = performance.now();
      const idle = new Promise<void>((resolve) => onIdle = resolve);
      if (open.size > 0) await within(ANSWER_MS, idle);
      await within(ended + READ_MS - performance.now(), transport.flush());
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
  const methods = "log info debug dir dirxml table group groupCollapsed count timeEnd timeLog";
  const print = console.error.bind(console);
  Object.assign(console, Object.fromEntries(methods.split(" ").map((name) => [name, print])));
}
