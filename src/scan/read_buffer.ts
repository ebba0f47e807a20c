/**
 * The buffers that files are read into. A buffer belongs to one open file from its first byte until the
 * file is closed: between two pieces of a large file the thread may read others, which goes into other
 * buffers.
 *
 * @module
 */

import { ByteMemory } from "./byte_memory.ts";

/** The default size limit of a walk, and one more byte, which shows that a file exceeds it. */
export const MAX_BYTES = (1 << 20) + 1;
/** Free buffers that a thread keeps. It needs a second one only between the pieces of a large file. */
const MAX_FREE = 4;
const free: ReadBuffer[] = [];

export class ReadBuffer implements Disposable {
  /** Searches the bytes in place, if the processor can. */
  readonly memory: ByteMemory | undefined = ByteMemory.create(MAX_BYTES);
  readonly #bytes: Uint8Array<ArrayBuffer> = this.memory?.bytes ?? new Uint8Array(MAX_BYTES);
  #isTaken = true;

  private constructor() {}

  static take(): ReadBuffer {
    const buffer = free.pop() ?? new ReadBuffer();
    buffer.#isTaken = true;
    return buffer;
  }

  /**
   * What was read.
   *
   * @throws {Error} once the buffer has been given back: others may have read into it
   */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (!this.#isTaken) throw new Error("a buffer was used after it had been given back");
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    if (free.length < MAX_FREE) free.push(this);
  }
}
