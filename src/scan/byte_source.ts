/**
 * The source of one file's bytes: disk, cache or standard input, which differ in nothing else.
 *
 * @module
 */

import { ReadBuffer } from "./read_buffer.ts";
import { joinBytes } from "../util/bytes.ts";
import { openFile } from "../system/files.ts";
import type { FileHandle, FileInfo } from "../system/types.ts";

/** File systems that return less than requested in the middle of a file return whole blocks. */
const BLOCK_BYTES = 512;

/** The bytes of one file, from its start to its end. */
export interface ByteSource extends Disposable {
  /** The buffer for the bytes. It belongs to the source alone until the source is disposed of. */
  readonly buffer: ReadBuffer;
  /**
   * Reads on into the buffer, behind the `held` bytes at its start; returns the bytes in the buffer
   * now.
   */
  fill(held: number): number;
  /** Rewinds to the start; returns `false` if the source cannot. */
  rewind?(): boolean;
  /** Whether the last of the bytes has been read. */
  readonly isAtEnd: boolean;
  /** Whether more bytes may never come, so that no more are read than needed. */
  readonly isEndless: boolean;
}

export class FileSource implements ByteSource {
  isAtEnd = false;
  readonly isEndless = false;
  readonly buffer: ReadBuffer;
  readonly #file: FileHandle;
  /** Whether only a read of nothing counts as the end. */
  #isSpecial: boolean;

  /**
   * @param isSpecial whether it may be a pipe or device, which gives whatever it has at a time
   * @param file the file, if it is open already
   */
  constructor(path: string, isSpecial: boolean, file: FileHandle = openFile(path)) {
    this.#file = file;
    this.buffer = ReadBuffer.take();
    this.#isSpecial = isSpecial;
  }

  fill(held = 0): number {
    const buffer = this.buffer.bytes;
    let filled = held;
    while (filled < buffer.length) {
      const read = this.#file.readSync(filled === 0 ? buffer : buffer.subarray(filled));
      if (read === null || read === 0) break;
      filled += read;
      if (!this.#isSpecial && filled % BLOCK_BYTES !== 0) break;
    }
    this.isAtEnd = filled < buffer.length;
    this.#isSpecial = true; // behind held bytes, the count says nothing about blocks
    return filled;
  }

  rewind(): boolean {
    try {
      this.#file.seekSync(0, 0);
    } catch {
      return false; // a pipe
    }
    this.isAtEnd = false;
    return true;
  }

  stat(): FileInfo {
    return this.#file.statSync();
  }

  [Symbol.dispose](): void {
    this.buffer[Symbol.dispose]();
    this.#file.close();
  }
}

/** Waits for a promise; returns nothing once waiting is pointless. */
export type Wait = <T>(promise: Promise<T>) => Promise<T | undefined>;

/** Standard input. Wait for its bytes with {@linkcode StdinSource.read} before it is asked for them. */
export class StdinSource implements ByteSource {
  isAtEnd = false;
  readonly isEndless = true;
  readonly buffer: ReadBuffer = ReadBuffer.take();
  /** Whether bytes were requested when there were none. */
  isStarved = true;
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  #taken = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * Waits for the next bytes, `atLeast` so many, or the end. Returns how many have come; nothing if
   * `wait` gave up.
   */
  async read(wait: Wait, atLeast = 1): Promise<number | undefined> {
    this.#piece = new Uint8Array();
    this.#taken = 0;
    this.isStarved = false;
    while (this.#piece.length < atLeast && !this.isAtEnd) {
      const next = await wait(this.#pieces.next());
      if (next === undefined) return undefined;
      const { done, value } = next;
      if (done) this.isAtEnd = true;
      else this.#piece = this.#piece.length === 0 ? value : joinBytes([this.#piece, value]);
    }
    return this.#piece.length;
  }

  get hasNul(): boolean {
    return this.#piece.includes(0);
  }

  fill(held: number): number {
    const buffer = this.buffer.bytes;
    const bytes = this.#piece.subarray(this.#taken, this.#taken + buffer.length - held);
    buffer.set(bytes, held);
    this.#taken += bytes.length;
    this.isStarved = bytes.length === 0 && !this.isAtEnd;
    return held + bytes.length;
  }

  /** Reads no more, without waiting for input that may never come. */
  [Symbol.dispose](): void {
    this.buffer[Symbol.dispose]();
    this.#pieces.return?.().catch(() => {});
  }
}
