/**
 * The bytes of files, kept from one search to the next.
 *
 * @module
 */

import { Identity } from "../../walk/identity.ts";
import type { ByteKind } from "./byte_search.ts";
import type { NotText } from "./text.ts";

/** A file that was read before. */
export interface KeptFile {
  /** Its bytes; none if it is not text. */
  readonly bytes: Uint8Array;
  /** What its bytes are, if that was looked at. */
  readonly kind: ByteKind | undefined;
  /** Why it is not text, if it is not. */
  readonly skip: NotText | undefined;
}

interface Kept {
  identity: Identity;
  start: number;
  end: number;
  kind: ByteKind | undefined;
  skip: NotText | undefined;
  /** The search that used it last. */
  used: number;
}

/** Files, each checked against the file system before it is trusted, in memory of a fixed size. */
export class KeptFiles {
  /** By directory and name: names are kept as well, which makes them quick to look up. */
  readonly #kept = new Map<string, Map<string, Kept>>();
  #entered = new Map<string, Kept>();
  readonly #memory: Uint8Array<ArrayBuffer>;
  #used = 0;
  /** Bytes of files that have changed since. */
  #wasted = 0;
  /** Searches so far. */
  #search = 0;
  /** Whether this search has looked for what is not used any more. */
  #isSwept = false;

  /** @param maxBytes what is kept, at most */
  constructor(maxBytes: number) {
    // The system gives memory to what is written to only.
    this.#memory = new Uint8Array(maxBytes);
  }

  /** Begins a search. */
  begin(): void {
    this.#search++;
    this.#isSwept = false;
  }

  /** Tells which directory the next files are in. */
  enter(directory: string): void {
    this.#entered = this.#kept.get(directory) ?? new Map();
    this.#kept.set(directory, this.#entered);
  }

  /** The file of a name, if it is kept and still the same. */
  get(name: string, info: Deno.FileInfo): KeptFile | undefined {
    const kept = this.#entered.get(name);
    if (kept === undefined) return undefined;
    if (kept.identity.isSame(info)) {
      kept.used = this.#search;
      const { start, end, kind, skip } = kept;
      return { bytes: this.#memory.subarray(start, end), kind, skip };
    }
    this.#entered.delete(name);
    this.#wasted += kept.end - kept.start;
    if (this.#wasted > this.#memory.length >> 1) this.clear();
    return undefined;
  }

  /**
   * Keeps a file, if there is room and it is no longer changing.
   *
   * @param name the file
   * @param info taken of the open file before it was read
   * @param time milliseconds since the epoch, before that
   * @param file what was read
   */
  put(name: string, info: Deno.FileInfo, time: number, { bytes, kind, skip }: KeptFile): void {
    const identity = new Identity(info);
    if (this.#used + bytes.length > this.#memory.length) this.#sweep();
    const end = this.#used + bytes.length;
    if (end > this.#memory.length || !identity.isSettled(time) || this.#entered.has(name)) return;
    this.#memory.set(bytes, this.#used);
    this.#entered.set(name, { identity, start: this.#used, end, kind, skip, used: this.#search });
    this.#used = end;
  }

  /** Begins anew when most of what is kept was used neither in this search nor in the last one. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    let inUse = 0;
    for (const directory of this.#kept.values()) {
      for (const { start, end, used } of directory.values()) {
        if (used >= this.#search - 1) inUse += end - start;
      }
    }
    if (inUse < this.#memory.length >> 1) this.clear();
  }

  /** Forgets all files. */
  clear(): void {
    this.#kept.clear();
    this.#entered.clear();
    this.#used = this.#wasted = 0;
  }
}
