/**
 * Serves MCP on standard input and output until the client leaves.
 *
 * @module
 */

import { SearchCache } from "../cache/search_cache.ts";
import { WorkerPool } from "../threads/worker_pool.ts";
import { LineTransport } from "./line_transport.ts";
import { serveStdio } from "./sdk.ts";
import { createServer, type McpServerOptions } from "./server.ts";

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
  const { inputEnd } = transport;
  serveStdio(({ era }) => createServer(era, { ...options, pool, cache, inputEnd }), {
    transport,
    onerror: (error) => console.error(`pathgrep: ${error.message}`),
  });
  await transport.closed;
  // The watch ends with the process: ending it here would wait as long as changes keep coming.
  pool.close();
}

/** Standard output is the protocol's: what a dependency may print goes to standard error. */
function keepConsoleOffStdout(): void {
  const methods = "log info debug dir dirxml table group groupCollapsed count timeEnd timeLog";
  const print = console.error.bind(console);
  Object.assign(console, Object.fromEntries(methods.split(" ").map((name) => [name, print])));
}
