/**
 * Unix sockets in Node.js: a client's side, since no server runs there.
 *
 * @module
 */

import type { Connection } from "../types.ts";
import { builtin } from "./builtin.ts";

export function connect(path: string): Promise<Connection> {
  const socket = builtin("node:net").connect({ path });
  const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let rest: Uint8Array = new Uint8Array();
  const connection: Connection = {
    async read(buffer) {
      if (rest.length === 0) {
        const { value, done } = await pieces.next();
        if (done) return null;
        rest = value;
      }
      const taken = rest.subarray(0, buffer.length);
      buffer.set(taken);
      rest = rest.subarray(taken.length);
      return taken.length;
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
      }),
    close: () => void socket.destroy(),
  };
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(connection));
    socket.once("error", reject);
  });
}
