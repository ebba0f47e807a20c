/**
 * Serves MCP on standard input and output until the client leaves.
 *
 * @module
 */

import type { JSONRPCMessage } from "./sdk_types.ts";
import { WorkerPool } from "../parallel/worker_pool.ts";
import { LineTransport } from "./line_transport.ts";
import { isJSONRPCRequest, serveStdio } from "./sdk.ts";
import { createServer, type McpServerOptions } from "./server.ts";
import { SessionWatch } from "./session_watch.ts";

/** What has not been answered this long after the end of the input is dropped. */
const DRAIN_MS = 1500;

/**
 * Serves until standard input ends and its requests are answered. The process has to end then.
 *
 * @param cacheBytes what is kept for the calls to come, at most
 */
export async function serve(
  cacheBytes: number,
  options: Omit<McpServerOptions, "pool" | "watch">,
): Promise<void> {
  keepConsoleOffStdout();
  const pool = new WorkerPool({ isKept: true, cacheBytes });
  const watch = new SessionWatch(pool);
  pool.start();
  const transport = new LineTransport();
  serveStdio(({ era }) => createServer(era, { ...options, pool, watch }), {
    transport,
    onerror: (error) => console.error(`pathgrep: ${error.message}`),
  });
  await closed(transport);
  pool.close();
  // The watch ends with the process: to end it here would wait as long as changes keep coming.
  await transport.drain();
}

/** Resolves when the connection has ended; answers on their way are waited for. */
function closed(transport: LineTransport): Promise<void> {
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
    if (transport.hasEnded && open.size > 0) {
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
