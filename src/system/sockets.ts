/**
 * Unix sockets.
 *
 * @module
 */

import { node } from "./runtime.ts";
import type { Connection, Listener } from "./types.ts";

export function connect(path: string): Promise<Connection> {
  return node?.sockets.connect(path) ?? Deno.connect({ transport: "unix", path });
}

export function listen(path: string): Listener {
  return Deno.listen({ transport: "unix", path });
}

/** Whether nobody listens on a socket. */
export function isConnectionRefused(error: unknown): boolean {
  return node?.files.isOfKind(error, ["ConnectionRefused"]) ??
    error instanceof Deno.errors.ConnectionRefused;
}

/** Whether a listener gives no more connections, since it is closed. */
export function isListenerClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted;
}
