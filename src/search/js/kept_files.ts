/**
 * The bytes of files, kept from one search to the next.
 *
 * @module
 */

import * as platform from "../../util/path.ts";
import { Identity } from "../../cache/fingerprint.ts";
import { type ByteKind, ByteMemory, type TextNeed } from "./byte_search.ts";
import { GramFilter, NeededGrams, type NotedGrams } from "./gram_filter.ts";
import type { NotText } from "./text.ts";

/** A file that was read before. */
export interface KeptFile {
  readonly size: number;
  /** Where its bytes lie in {@linkcode KeptFiles.memory}; none do if it is not text. */
  readonly start: number;
  readonly end: number;
  /** What its bytes are, if that was looked at. */
  readonly kind: ByteKind | undefined;
  /** Why it is not text, if it is not. */
  readonly skip: NotText | undefined;
}

interface Kept extends KeptFile {
  identity: Identity;
  /** The search that used it last. */
  used: number;
  /** In which it was looked at last; 0: it has to be looked at each time. */
  epoch: number;
  isForgotten: boolean;
  /** Its grams, once they were wanted; `null` without room for them. */
  grams?: NotedGrams | null;
}

/** Bytes that a kept file takes besides its own, about. */
const ENTRY_BYTES = 256;
/** The part of the memory that grams are noted in. */
const GRAMS_SHARE = 1 / 8;

/** Files, each checked against the file system before it is trusted, in memory of a fixed size. */
export class KeptFiles {
  /** By directory and name: names are kept as well, which makes them quick to look up. */
  readonly #kept = new Map<string, Map<string, Kept>>();
  #directory = "";
  #entered = new Map<string, Kept>();
  /** The same by lists of names: as long as a listing is trusted, it is given again. */
  #rows = new WeakMap<readonly string[], (Kept | undefined)[]>();
  #names: readonly string[] = [];
  #row: (Kept | undefined)[] = [];
  readonly #grams: GramFilter;
  /** Where the bytes lie, if they can be looked at there. */
  readonly memory: ByteMemory | undefined;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  readonly #maxEntries: number;
  #entries = 0;
  /** Bytes of files that have changed since. */
  #wasted = 0;
  /** Searches so far. */
  #search = 0;
  /** Whether this search has looked for what is not used any more. */
  #isSwept = false;
  #epoch = 0;

  /** @param maxBytes what is kept, at most */
  constructor(maxBytes: number) {
    const forGrams = Math.floor(maxBytes * GRAMS_SHARE);
    // The system gives memory to what is written to only.
    this.#grams = new GramFilter(forGrams);
    this.#maxEntries = Math.floor(maxBytes / ENTRY_BYTES);
    this.memory = ByteMemory.create(maxBytes - forGrams);
    this.#bytes = this.memory?.bytes ?? new Uint8Array(maxBytes - forGrams);
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

  /** Tells which directory the next files are in, and their names. */
  enter(directory: string, names: readonly string[]): void {
    this.#directory = directory;
    this.#entered = this.#kept.get(directory) ?? new Map();
    this.#names = names;
    this.#row = this.#rows.get(names) ?? new Array(names.length);
    this.#rows.set(names, this.#row);
  }

  #at(index: number): Kept | undefined {
    const known = this.#row[index];
    if (known !== undefined && !known.isForgotten) return known;
    return this.#row[index] = this.#entered.get(this.#names[index]!);
  }

  /** The file of that name, if it is kept and need not be looked at again. */
  getTrusted(index: number): KeptFile | undefined {
    const kept = this.#at(index);
    if (kept === undefined || this.#epoch === 0 || kept.epoch !== this.#epoch) return undefined;
    kept.used = this.#search;
    return kept;
  }

  /** The file of that name, if it is kept and still the same. */
  get(index: number, info: Deno.FileInfo): KeptFile | undefined {
    const kept = this.#at(index);
    if (kept === undefined) return undefined;
    if (kept.identity.isSame(info)) {
      kept.used = this.#search;
      kept.epoch = this.#epochOf(info);
      return kept;
    }
    this.#delete(this.#entered, this.#names[index]!, kept);
    return undefined;
  }

  /** A file with several names is never trusted: of a change, only the name used for it is told. */
  #epochOf({ nlink }: Deno.FileInfo): number {
    return nlink !== null && nlink > 1 ? 0 : this.#epoch;
  }

  /** The bytes of a file. */
  bytesOf({ start, end }: KeptFile): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /** The grams that are asked for where texts must hold something; a search that keeps nothing loads none. */
  gramsOf(need: TextNeed): NeededGrams {
    return new NeededGrams(need);
  }

  /** Whether the file of that name may hold what is needed, as far as its grams tell. */
  mayHold(index: number, needed: NeededGrams): boolean {
    const kept = this.#at(index);
    if (kept === undefined) return true;
    if (kept.grams === undefined) kept.grams = this.#grams.note(this.bytesOf(kept)) ?? null;
    return kept.grams === null || this.#grams.mayHold(kept.grams, needed);
  }

  #delete(directory: Map<string, Kept>, name: string, kept: Kept): void {
    directory.delete(name);
    kept.isForgotten = true;
    this.#entries--;
    this.#wasted += kept.end - kept.start;
    if (this.#wasted > this.#bytes.length >> 1) this.clear();
  }

  /**
   * Keeps a file, if there is room and it is no longer changing.
   *
   * @param index which of the names is its
   * @param info taken of the open file before it was read
   * @param time milliseconds since the epoch, before that
   * @param file what was read
   */
  put(
    index: number,
    info: Deno.FileInfo,
    time: number,
    { size, kind, skip }: Pick<KeptFile, "size" | "kind" | "skip">,
    bytes: Uint8Array,
  ): void {
    const name = this.#names[index]!;
    const identity = new Identity(info);
    if (!this.#hasRoom(bytes.length)) this.#sweep();
    if (!this.#hasRoom(bytes.length)) return;
    const end = this.#used + bytes.length;
    if (!identity.isSettled(time) || this.#entered.has(name)) return;
    this.#bytes.set(bytes, this.#used);
    if (this.#entered.size === 0) this.#kept.set(this.#directory, this.#entered);
    this.#entries++;
    this.#entered.set(name, {
      identity,
      size,
      start: this.#used,
      end,
      kind,
      skip,
      used: this.#search,
      epoch: this.#epochOf(info),
      isForgotten: false,
    });
    this.#used = end;
  }

  #hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.#bytes.length && this.#entries < this.#maxEntries;
  }

  /** Begins anew when most of what is kept was used neither in this search nor in the last one. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    let bytes = 0;
    let entries = 0;
    for (const directory of this.#kept.values()) {
      for (const { start, end, used } of directory.values()) {
        if (used < this.#search - 1) continue;
        bytes += end - start;
        entries++;
      }
    }
    if (Math.max(bytes / this.#bytes.length, entries / this.#maxEntries) < 1 / 2) this.clear();
  }

  /** Forgets all files. */
  clear(): void {
    this.#kept.clear();
    this.#rows = new WeakMap();
    this.#grams.clear();
    this.#used = this.#wasted = this.#entries = 0;
    this.enter(this.#directory, this.#names);
  }
}
