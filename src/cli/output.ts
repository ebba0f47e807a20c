/**
 * Writes to standard output and standard error: everything, at once, and quietly when nobody reads.
 *
 * @module
 */

const encoder = new TextEncoder();

/**
 * Bytes written at once: a pipe takes so many whole or not at all, so that a write which would
 * block can be repeated. Deno does not say how much of a longer one, or of the text after the last
 * line end, has gone out by then.
 */
const PIECE = 4096;
const LINE_FEED = 10;

/** A stream that takes everything or, once its reader is gone, nothing. */
export class Output {
  /** Nobody reads any more. */
  closed = false;
  /** Nothing can be written any more, for another reason. */
  failed = false;
  /** Whether a person reads. */
  readonly isTerminal: boolean;
  readonly #stream: typeof Deno.stdout | typeof Deno.stderr;

  constructor(stream: typeof Deno.stdout | typeof Deno.stderr) {
    this.#stream = stream;
    this.isTerminal = stream.isTerminal();
  }

  /**
   * Writes the text to its end; does nothing once that has become impossible.
   *
   * @throws when it cannot be written for another reason, such as a full disk
   */
  write(text: string): void {
    if (this.closed || this.failed) return;
    for (let bytes = encoder.encode(text); bytes.length > 0;) {
      try {
        const piece = bytes.subarray(0, PIECE);
        const lines = piece.subarray(0, piece.lastIndexOf(LINE_FEED) + 1);
        bytes = bytes.subarray(this.#stream.writeSync(lines.length > 0 ? lines : piece));
      } catch (error) {
        if (error instanceof Deno.errors.WouldBlock) {
          // Whoever shares the stream made it non-blocking: its reader needs a moment.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        } else if (error instanceof Deno.errors.BrokenPipe) {
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
export const stdout: Output = new Output(Deno.stdout);
/** Standard error: notes, questions, progress, and errors in text format. */
export const stderr: Output = new Output(Deno.stderr);
