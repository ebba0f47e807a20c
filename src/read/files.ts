/**
 * Where a search finds files, on the disk or in a cache, and the bytes of a file or of standard input. The
 * reader knows the cache only by these interfaces.
 *
 * @module
 */

import { openFile } from "../system/files.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import type { FileHandle, FileInfo } from "../system/types.ts";
import { joinBytes } from "../util/collections.ts";
import { type ByteKind, ReadBuffer } from "./byte_search.ts";
import type { NotText } from "./decoder.ts";
import type { Directories } from "../walk/directories.ts";
import type { Left } from "../walk/listing.ts";

/** File systems that return less than requested in the middle of a file return whole blocks. */
const BLOCK_BYTES = 512;

/** What a search wants of the files that it reads. */
export interface ReadOptions {
  plan: Pick<PatternPlan, "prefilter" | "multiline">;
  /** Bytes a file met in the walk may have. */
  maxFileSize: number;
  /** The encoding of files that are neither UTF-8 nor marked as UTF-16; without it they are not text. */
  encoding: string | undefined;
  /** Whether any bytes count as text, including those with a NUL and those in no known encoding. */
  isAnyText: boolean;
  /** With `everything` and in a further pass, how files are read that others find too large, or no text. */
  further?: FurtherReading;
  /** Whether directories that a finder's globs match are listed, and no files. @default false */
  listsDirectories?: boolean;
  /** Whether a file without a match is the hit (`-L`, or a listing). */
  withoutMatch: boolean;
}

export interface FurtherReading {
  /** Bytes a file met in the walk could have in the search. */
  maxFileSize: number;
  /** Whether any bytes counted as text in the search. */
  isAnyText: boolean;
  /** Encodings that are tried, one after the other, on what is not UTF-8. */
  encodings: readonly string[];
  /** Whether gzip files are unpacked; load what that takes with `loadReader`. @default false */
  unpacks?: boolean;
  /** Whether the search itself reads all of this, and archives are reported. @default false */
  isAsked?: boolean;
}

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

/** Why some of a text is missing: it unpacks to too much, is damaged, or is packed in another way. */
export type Lack = "too_large" | "damaged" | "archives";

/** How a file was fed: to its end, or up to where it turned out not to be searched. */
export type FeedOutcome =
  | {
    state: "read";
    bytes: number;
    /** Whether a line was too long to be held, and cut. */
    longLines: boolean;
    /** What the bytes are, if all were looked at together and are UTF-8. */
    kind?: ByteKind;
    /** The encoding that was named for files that are not UTF-8, if this is one. */
    encoding?: string | undefined;
    /** In a further pass, why a search does not read it, or not all of it. */
    left?: readonly Left[];
    /** Why not all of its text was read, if so. */
    lacks?: Lack | undefined;
    /** The kind of archive that it is, with `everything`. */
    archive?: string | undefined;
  }
  | { state: NotText | "too_large"; bytes: number };

export type ReadOutcome =
  & (FeedOutcome | { state: "unreadable" | "vanished"; bytes: number })
  & {
    /** Whether what is binary is an archive, by its first bytes. @default false */
    isArchive?: boolean;
    /** Identifies the file, if it is part of the answer. */
    info?: FileInfo | undefined;
  };

export interface Tally {
  files: number;
  bytes: number;
}

/** An open file of a walk. */
export interface OpenFile extends ByteSource {
  /** What all of its bytes are, if that is known. */
  readonly kind?: ByteKind | undefined;
  /** What the file system reports about it; nothing if the file has changed since it was opened. */
  stat(): FileInfo | undefined;
  onRead?: (outcome: ReadOutcome) => void;
  /** Whether it is unpacked while it is read. @default false */
  readonly isPacked?: boolean;
  /** If so, why not all of its text was read, if so. */
  readonly lacks?: Lack | undefined;
  /** The kind of archive that it is, with `everything`. */
  archive?: string | undefined;
}

/**
 * What one search reads, on one thread: from the disk, where every file is opened. A subclass may cache it.
 * Dispose of it when the search ends.
 */
export class Files implements Disposable {
  /** @default those of the disk */
  readonly directories: Directories | undefined = undefined;

  /**
   * The files of a directory that have to be opened. `_passed` counts the others, which surely hold
   * no match. `names` is not changed.
   */
  toOpen(_directory: string, names: readonly string[], _passed: Tally): readonly string[] {
    return names;
  }

  /**
   * Opens a file, of which `names[index]` is the name: its bytes, or the outcome of searching them.
   *
   * @throws what `openFile` throws
   */
  open(path: string, _names: readonly string[], _index: number): OpenFile | ReadOutcome {
    return new FileSource(path, false);
  }

  [Symbol.dispose](): void {}
}
