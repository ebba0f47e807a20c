/**
 * The protocol between a client and a resident search: one request as a line of JSON, then frames with
 * what the command writes, and its exit status as the last; and the client's side of it.
 *
 * @module
 */

import manifest from "../../deno.json" with { type: "json" };
import { joinBytes } from "../util/collections.ts";
import { lstat, readLink } from "../system/files.ts";
import { connect, mayRead } from "../system/platform.ts";
import { within } from "../util/pulse.ts";
import type { Connection } from "../system/types.ts";

export type Request = CommandRequest | { kind: "status" } | { kind: "stop" };

/** A request as it is sent. */
export type VersionedRequest = Request & {
  /** The client's version, which has to be the server's. */
  version?: string;
};

export interface CommandRequest {
  kind: "command";
  args: string[];
  /** The absolute paths by which the roots were given. */
  workspace: string[];
  /** The client's {@linkcode viewOf} the roots. @default the server's */
  view?: string[];
  /** Standard input, for commands that read it. */
  stdin?: string | undefined;
  /** The default of `--format` in the client's environment. @default none */
  format?: string | undefined;
  /** What the answer has to say of the client's standard input. */
  note?: string | undefined;
  /** Whether the client could ask its user for a permission. */
  canAsk: boolean;
  /** The terminal that the client's output goes to. @default none */
  terminal?: ClientTerminal | undefined;
}

export interface ClientTerminal {
  /** Whether standard output is one, and whether standard error is. */
  stdout: boolean;
  stderr: boolean;
  noColor: boolean;
  /** The start of the address of a link to a file. @default there are no links */
  linkOrigin?: string;
}

export const FRAME = {
  /** The request was understood, and is under way. */
  accepted: 0,
  stdout: 1,
  stderr: 2,
  /** The exit status, a byte. */
  exit: 3,
  /** The client has to do the work itself; nothing was written. */
  declined: 4,
} as const;

/** The byte that a client sends once nobody reads its standard output any more. */
export const STDOUT_CLOSED = 1;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

/** Bytes before the contents of a frame: its kind, and their length. */
const HEADER_BYTES = 5;
/** Bytes of a frame's contents, at most. */
export const MAX_FRAME_BYTES: number = 1 << 20;
/** Bytes of a request, at most. */
export const MAX_REQUEST_BYTES: number = 4 << 20;

export function frame(kind: FrameKind, contents: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + contents.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, contents.length);
  bytes.set(contents, HEADER_BYTES);
  return bytes;
}

/** Takes bytes as they come, and yields complete frames. */
export class FrameReader {
  #rest: Uint8Array = new Uint8Array();

  /** @throws {Error} for what is not a frame */
  *push(bytes: Uint8Array): Generator<{ kind: number; contents: Uint8Array }> {
    let data = joinBytes([this.#rest, bytes]);
    while (data.length >= HEADER_BYTES) {
      const length = new DataView(data.buffer, data.byteOffset).getUint32(1);
      if (length > MAX_FRAME_BYTES) throw new Error("a frame is too long");
      if (data.length < HEADER_BYTES + length) break;
      yield { kind: data[0]!, contents: data.subarray(HEADER_BYTES, HEADER_BYTES + length) };
      data = data.subarray(HEADER_BYTES + length);
    }
    this.#rest = data;
  }
}

/** Names the mounts that a process sees, on Linux. */
const MOUNTS = "/proc/self/ns/mnt";

/**
 * What a process sees at canonical roots, which may be something else in a container that shares the
 * socket: the identity of each, and of the mounts where Deno lets them be read.
 */
export function viewOf(roots: readonly string[]): string[] {
  const view = roots.map((root) => {
    const { dev, ino } = lstat(root);
    return `${dev}:${ino}`;
  });
  try {
    return mayRead(MOUNTS) ? [...view, readLink(MOUNTS)] : view;
  } catch {
    return view;
  }
}

/** Whether two processes see the same files, as far as both know. */
export function isSameView(one: readonly string[], other: readonly string[]): boolean {
  return one.every((each, index) => index >= other.length || other[index] === each);
}

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
