/**
 * The bytes of files, kept from one search to the next.
 *
 * @module
 */

import * as platform from "../../path.ts";
import { Identity } from "../../walk/identity.ts";
import { type ByteKind, ByteMemory } from "./byte_search.ts";
import type { NotText } from "./text.ts";

/** A file that was read before. */
export interface KeptFile {
  readonly size: number;
  /** Its bytes; none if it is not text. */
  readonly bytes: Uint8Array;
  /** Where they lie in {@linkcode KeptFiles.memory}. */
  readonly start: number;
  /** What its bytes are, if that was looked at. */
  readonly kind: ByteKind | undefined;
  /** Why it is not text, if it is not. */
  readonly skip: NotText | undefined;
}

interface Kept {
  identity: Identity;
  size: number;
  start: number;
  end: number;
  kind: ByteKind | undefined;
  skip: NotText | undefined;
  /** The search that used it last. */
  used: number;
  /** In which it was looked at last. */
  epoch: number;
}

/** Files, each checked against the file system before it is trusted, in memory of a fixed size. */
export class KeptFiles {
  /** By directory and name: names are kept as well, which makes them quick to look up. */
  readonly #kept = new Map<string, Map<string, Kept>>();
  #entered = new Map<string, Kept>();
  /** Where the bytes lie, if they can be looked at there. */
  readonly memory: ByteMemory | undefined;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  /** Bytes of files that have changed since. */
  #wasted = 0;
  /** Searches so far. */
  #search = 0;
  /** Whether this search has looked for what is not used any more. */
  #isSwept = false;
  #epoch = 0;

  /** @param maxBytes what is kept, at most */
  constructor(maxBytes: number) {
    // The system gives memory to what is written to only.
    this.memory = ByteMemory.create(maxBytes);
    this.#bytes = this.memory?.bytes ?? new Uint8Array(maxBytes);
  }

  /**
   * Begins a search.
   *
   * @param epoch what was looked at in it is trusted without another look; 0: nothing is
   */
  begin(epoch: number): void {
    this.#search++;
    this.#isSwept = false;
    this.#epoch = epoch;
  }

  /** Forgets a file. */
  drop(path: string): void {
    const directory = this.#kept.get(platform.dirname(path));
    const name = platform.basename(path);
    const kept = directory?.get(name);
    if (kept !== undefined) this.#delete(directory!, name, kept);
  }

  /** Tells which directory the next files are in. */
  enter(directory: string): void {
    this.#entered = this.#kept.get(directory) ?? new Map();
    this.#kept.set(directory, this.#entered);
  }

  /** The file of a name, if it is kept and need not be looked at again. */
  getTrusted(name: string): KeptFile | undefined {
    const kept = this.#entered.get(name);
    if (kept === undefined || this.#epoch === 0 || kept.epoch !== this.#epoch) return undefined;
    kept.used = this.#search;
    return this.#fileOf(kept);
  }

  /** The file of a name, if it is kept and still the same. */
  get(name: string, info: Deno.FileInfo): KeptFile | undefined {
    const kept = this.#entered.get(name);
    if (kept === undefined) return undefined;
    if (kept.identity.isSame(info)) {
      kept.used = this.#search;
      kept.epoch = this.#epoch;
      return this.#fileOf(kept);
    }
    this.#delete(this.#entered, name, kept);
    return undefined;
  }

  #fileOf({ size, start, end, kind, skip }: Kept): KeptFile {
    return { size, bytes: this.#bytes.subarray(start, end), start, kind, skip };
  }

  #delete(directory: Map<string, Kept>, name: string, { start, end }: Kept): void {
    directory.delete(name);
    this.#wasted += end - start;
    if (this.#wasted > this.#bytes.length >> 1) this.clear();
  }

  /**
   * Keeps a file, if there is room and it is no longer changing.
   *
   * @param name the file
   * @param info taken of the open file before it was read
   * @param time milliseconds since the epoch, before that
   * @param file what was read
   */
  put(
    name: string,
    info: Deno.FileInfo,
    time: number,
    { size, bytes, kind, skip }: Omit<KeptFile, "start">,
  ): void {
    const identity = new Identity(info);
    if (this.#used + bytes.length > this.#bytes.length) this.#sweep();
    const end = this.#used + bytes.length;
    if (end > this.#bytes.length || !identity.isSettled(time) || this.#entered.has(name)) return;
    this.#bytes.set(bytes, this.#used);
    this.#entered.set(name, {
      identity,
      size,
      start: this.#used,
      end,
      kind,
      skip,
      used: this.#search,
      epoch: this.#epoch,
    });
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
    if (inUse < this.#bytes.length >> 1) this.clear();
  }

  /** Forgets all files. */
  clear(): void {
    this.#kept.clear();
    this.#entered.clear();
    this.#used = this.#wasted = 0;
  }
}
