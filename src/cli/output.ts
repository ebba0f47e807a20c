/**
 * Writes to standard output and standard error: everything, at once, and silently when nobody reads; and the
 * progress line of a long search.
 *
 * @module
 */
import type { SearchProgress } from "../search/search_context.ts";
import { joinBytes } from "../util/collections.ts";
import { isBrokenPipe, isWouldBlock } from "../system/files.ts";
import { standardError, standardOutput, streamInfo } from "../system/platform.ts";

const encoder = new TextEncoder();

/**
 * Bytes written at once: a pipe takes up to this many whole or not at all, so that a write which would
 * block can be repeated. Deno does not say how much of a longer one, or of the text after the last
 * line end, has gone out by then.
 */
const PIECE = 4096;
const LINE_FEED = 10;

export interface ByteStream {
  /** Writes some of the bytes; returns how many. */
  writeSync(bytes: Uint8Array): number;
  /** Bytes of one write, at most. @default 4096 */
  readonly pieceBytes?: number;
  isTerminal(): boolean;
}

/** A stream that takes everything or, once its reader is gone, nothing. */
export class Output {
  /** Nobody reads any more. */
  closed = false;
  /** Nothing can be written any more, for another reason. */
  failed = false;
  /** Whether a person reads. */
  readonly isTerminal: boolean;
  readonly #stream: ByteStream;
  /** The end of what {@linkcode Output.writePart} was given. */
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: ByteStream) {
    this.#stream = stream;
    this.isTerminal = stream.isTerminal();
  }

  /**
   * Writes the text to its end; does nothing once that has become impossible.
   *
   * @throws when it cannot be written for another reason, such as a full disk
   */
  write(text: string): void {
    const bytes = this.#withRest(text);
    this.#rest = new Uint8Array();
    this.writeBytes(bytes);
  }

  /** Writes the beginning of a text that {@linkcode Output.write} ends. What fills no piece waits. */
  writePart(text: string): void {
    const bytes = this.#withRest(text);
    const end = bytes.length - bytes.length % PIECE;
    this.#rest = bytes.slice(end);
    this.writeBytes(bytes.subarray(0, end));
  }

  #withRest(text: string): Uint8Array {
    const added = encoder.encode(text);
    return this.#rest.length === 0 ? added : joinBytes([this.#rest, added]);
  }

  /** Writes bytes as {@linkcode Output.write} writes a text. */
  writeBytes(bytes: Uint8Array): void {
    if (this.closed || this.failed) return;
    while (bytes.length > 0) {
      try {
        const piece = bytes.subarray(0, this.#stream.pieceBytes ?? PIECE);
        const lines = piece.subarray(0, piece.lastIndexOf(LINE_FEED) + 1);
        bytes = bytes.subarray(this.#stream.writeSync(lines.length > 0 ? lines : piece));
      } catch (error) {
        if (isWouldBlock(error)) {
          // A process that shares the stream made it non-blocking: its reader needs a moment.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        } else if (isBrokenPipe(error)) {
          this.closed = true;
          return;
        } else {
          this.failed = true;
          throw error;
        }
      }
    }
  }
}

/** Standard output: answers, and nothing else. */
export const stdout: Output = new Output(standardOutput);
/** Standard error: notes, questions, progress, and errors in text format. */
export const stderr: Output = new Output(standardError);

/**
 * Whether standard output is a pipe. Its reader may be `less`, which draws on the terminal that standard
 * error is.
 */
export function isPiped(): boolean {
  return streamInfo(1).isFifo === true;
}

/** Milliseconds without an answer after which progress is shown. */
const PROGRESS_AFTER = 1000;
/** Milliseconds between updates of the line. */
const INTERVAL = 100;

/** One line that is rewritten, and erased in the end. */
export class Progress {
  readonly #stderr: Output;
  #next = performance.now() + PROGRESS_AFTER;
  #shown = false;

  constructor(stderr: Output) {
    this.#stderr = stderr;
  }

  /** Shows a report, unless the search is young or the last report is. */
  readonly show = ({ filesSearched }: SearchProgress): void => {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#shown = true;
    this.#stderr.write(`\r\x1b[K${filesSearched} files searched`);
  };

  /** Clears the line for what is written next. */
  erase(): void {
    if (this.#shown) this.#stderr.write("\r\x1b[K");
    this.#shown = false;
  }

  /** Clears the line for good. */
  end(): void {
    this.erase();
    this.#next = Infinity;
  }
}
