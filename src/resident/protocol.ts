/**
 * What a client and a resident search say to each other: one request as a line of JSON, then frames with
 * what the command writes, and its exit status as the last.
 *
 * @module
 */

/** What a client asks. */
export type Request = CommandRequest | { kind: "status" } | { kind: "stop" };

/** A command line to be executed as the client would execute it. */
export interface CommandRequest {
  kind: "command";
  /** The arguments after the program's name. */
  args: string[];
  /** The absolute paths by which the roots were given. */
  workspace: string[];
  /** What the client finds at the roots' paths. @default what the server does */
  view?: string[];
  /** What came on standard input, for commands that read it. */
  stdin?: string;
  /** Whether the client could ask its user for a permission. */
  canAsk: boolean;
  /** Where the client's output goes. @default to no terminal */
  terminal?: ClientTerminal;
}

/** What a client's terminal shows. */
export interface ClientTerminal {
  /** Whether standard output is one. */
  stdout: boolean;
  /** Whether standard error is one. */
  stderr: boolean;
  /** Whether the user wants no colours. */
  noColor: boolean;
  /** What the address of a link to a file begins with. @default there are no links */
  linkOrigin?: string;
}

/** What a frame holds. */
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

/** What a client sends after its request once nobody reads its standard output any more. */
export const STDOUT_CLOSED = 1;

/** The kind of a frame. */
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

/** Bytes before the contents of a frame: its kind, and their length. */
const HEADER_BYTES = 5;
/** Bytes of a frame's contents, at most. */
export const MAX_FRAME_BYTES: number = 1 << 20;
/** Bytes of a request, at most. */
export const MAX_REQUEST_BYTES: number = 4 << 20;

/** A frame as it is sent. */
export function frame(kind: FrameKind, contents: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + contents.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, contents.length);
  bytes.set(contents, HEADER_BYTES);
  return bytes;
}

/** Takes bytes as they come, and gives the frames that are whole. */
export class FrameReader {
  #rest = new Uint8Array();

  /** @throws {Error} for what is not a frame */
  *push(bytes: Uint8Array): Generator<{ kind: number; contents: Uint8Array }> {
    let data = new Uint8Array(this.#rest.length + bytes.length);
    data.set(this.#rest);
    data.set(bytes, this.#rest.length);
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
