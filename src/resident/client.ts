/**
 * The client of a resident search.
 *
 * @module
 */

import { within } from "../util/pulse.ts";
import manifest from "../../deno.json" with { type: "json" };
import { FRAME, FrameReader, STDOUT_CLOSED, type VersionedRequest } from "./protocol.ts";
import { connect } from "../system/platform.ts";
import type { Connection } from "../system/types.ts";

/** Milliseconds within which a server that is alive accepts a request. */
const ACCEPT_MS = 1000;
/** Milliseconds between two frames beyond what the request itself may take. */
const GRACE_MS = 1000;
const READ_BYTES = 1 << 16;

export interface ResidentCall {
  /** Its version is this program's unless it has one. */
  request: VersionedRequest;
  /** Milliseconds that the answer may take. */
  timeout: number;
  /** Takes what the command writes; returns whether anybody reads standard output. */
  onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => boolean;
}

/**
 * Sends a request to a resident search.
 *
 * @returns the exit status; nothing if nobody answers, or the client has to do the work itself
 * @throws {Error} when the server ended after it had begun to answer
 */
export async function callResident(
  socket: string,
  { request, timeout, onOutput }: ResidentCall,
): Promise<number | undefined> {
  let connection: Connection;
  try {
    connection = await connect(socket);
  } catch {
    return undefined; // nobody listens anymore
  }
  let hasWritten = false;
  try {
    let bytes = new TextEncoder().encode(
      JSON.stringify({ version: manifest.version, ...request }) + "\n",
    );
    while (bytes.length > 0) {
      const written = await within(ACCEPT_MS, connection.write(bytes));
      if (written === undefined) throw new Error("the resident search does not read the request");
      bytes = bytes.subarray(written);
    }
    const reader = new FrameReader();
    let isRead = true;
    const buffer = new Uint8Array(READ_BYTES);
    let patience = ACCEPT_MS;
    for (;;) {
      const length = await within(patience, connection.read(buffer));
      if (length === undefined || length === null) {
        throw new Error("the resident search ended in the middle of its answer");
      }
      patience = timeout + GRACE_MS;
      for (const { kind, contents } of reader.push(buffer.subarray(0, length))) {
        if (kind === FRAME.exit) return contents[0];
        if (kind === FRAME.declined) return undefined;
        if (kind === FRAME.accepted) continue;
        // Standard error may well be repeated: it holds progress and notes.
        hasWritten ||= kind === FRAME.stdout;
        if (onOutput(kind === FRAME.stdout ? "stdout" : "stderr", contents) || !isRead) continue;
        isRead = false;
        // A server that has answered no longer listens.
        await connection.write(new Uint8Array([STDOUT_CLOSED])).catch(() => {});
      }
    }
  } catch (error) {
    if (hasWritten) throw error;
    return undefined;
  } finally {
    connection.close();
  }
}
