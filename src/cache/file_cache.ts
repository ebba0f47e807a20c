/**
 * Caches what is known about files between searches: their kinds, an index of their trigrams, and the bytes
 * of those that searches had to read.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { Prefilter } from "../regex/pattern_plan.ts";
import { type ByteKind, ByteMemory } from "../read/byte_search.ts";
import type { NotText } from "../read/decoder.ts";
import { TrigramIndex } from "./trigram_index.ts";
import type { Tally } from "../read/files.ts";
import { CHANGE_PRECISION_MS, type Proof } from "../paths/verification.ts";
import { openFile } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";
import { valueAt } from "../util/collections.ts";

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface CachedFile {
  readonly identity: Fingerprint;
  readonly size: number;
  /** The kind of its bytes, if it was read. */
  readonly kind: ByteKind | undefined;
  /** Why it is not text, unless it is. */
  readonly skip: NotText | undefined;
  /** Whether it is binary by its first bytes, which decide for a file that is too large to be read. */
  readonly startsBinary: boolean;
  /** Whether it is an archive, by its first bytes. */
  readonly isArchive: boolean;
  /** Its number in the index, or -1. */
  document: number;
  /** Its bytes, if they are cached, and the last search that used them. */
  text: ByteRange & { used: number } | undefined;
  /** Whether a search has read it. */
  isCounted: boolean;
  /** The search that used it last. */
  used: number;
  /** The epoch in which it was checked last; 0: check it each time. */
  epoch: number;
  isForgotten: boolean;
}

/** The files that the index rules out in a search. */
export interface IndexQuery {
  /** By document: 0 for those that surely hold no match. */
  candidates: Uint8Array;
  /** Whether that holds for files of ASCII only. */
  isForAscii: boolean;
  maxFileSize: number;
}

/** Approximate overhead of a cached file, in bytes besides its own. */
const ENTRY_BYTES = 256;
/** The share of the memory for the index; the rest is for bytes. */
const INDEX_SHARE = 1 / 2;
/** The share of that memory that stays in use once the bytes of all files no longer fit. */
const SMALL_SHARE = 1 / 8;
/** This many documents, and this share of all, may be candidates of every search. */
const MIN_SORTED = 16;
const UNSORTED_SHARE = 1 / 512;
const MAX_INDEXED_BYTES = 1 << 20;

/** Caches files in memory of a fixed size; each is checked against the file system before use. */
export class FileCache {
  /** By directory and name: looking up the same strings again is fast. */
  readonly #records = new Map<string, Map<string, CachedFile>>();
  /** The directory of the last lookup, and its files. */
  #directory = "";
  #entered = new Map<string, CachedFile>();
  /** The files of lists of names: the list of an unchanged directory is the same one each time. */
  #rows = new WeakMap<readonly string[], (CachedFile | undefined)[]>();
  /** The list of the last lookup, and its files. */
  #names: readonly string[] = [];
  #row: (CachedFile | undefined)[] = [];
  readonly #index: TrigramIndex;
  /** Files that are not in the index yet. */
  #toIndex: { path: string; record: CachedFile }[] = [];
  /** Documents of dropped files. */
  #outdated = 0;
  /** The memory that holds the bytes, if they can be searched there. Another one after {@linkcode index}. */
  memory: ByteMemory | undefined;
  #bytes = new Uint8Array();
  readonly #maxTextBytes: number;
  readonly #changePrecision: number;
  #used = 0;
  readonly #maxEntries: number;
  #entries = 0;
  /** Bytes of all files that are text, cached or not, except those that further passes alone read. */
  #textBytes = 0;
  /** Bytes of files that were dropped. */
  #wasted = 0;
  /** Bytes that this search and the last one used. */
  #usedBytes = 0;
  #lastUsedBytes = 0;
  /** Searches so far. */
  #search = 0;
  #isSwept = false;
  #trust: SearchTrust = CHECKS_ALL;
  #isFurther = false;

  /** @param changePrecision as {@linkcode Fingerprint.isStable} takes it */
  constructor(maxBytes: number, changePrecision = CHANGE_PRECISION_MS) {
    this.#changePrecision = changePrecision;
    const forIndex = Math.floor(maxBytes * INDEX_SHARE);
    this.#index = new TrigramIndex(forIndex);
    this.#maxEntries = Math.floor(maxBytes / ENTRY_BYTES);
    this.#maxTextBytes = maxBytes - forIndex;
    this.#makeMemory(this.#maxTextBytes);
  }

  /** Makes memory for bytes. The system allocates only what is written to. */
  #makeMemory(size: number): void {
    this.memory = ByteMemory.create(size);
    this.#bytes = this.memory?.bytes ?? new Uint8Array(size);
  }

  /** @param isFurther whether what it reads was excluded: it is indexed, and takes no room from what is searched */
  begin(trust: SearchTrust, isFurther = false): void {
    this.#trust = trust;
    this.#isFurther = isFurther;
    this.#search++;
    this.#lastUsedBytes = this.#usedBytes;
    this.#usedBytes = 0;
    this.#isSwept = false;
  }

  drop(path: string): void {
    const record = this.#at(path);
    if (record !== undefined) this.#delete(path, record);
  }

  #in(directory: string): Map<string, CachedFile> {
    if (directory !== this.#directory) {
      this.#directory = directory;
      this.#entered = this.#records.get(directory) ?? new Map();
    }
    return this.#entered;
  }

  #at(path: string): CachedFile | undefined {
    return this.#in(platform.dirname(path)).get(platform.basename(path));
  }

  /** The files of a list of names that have been looked up. */
  #rowOf(names: readonly string[]): (CachedFile | undefined)[] {
    if (names !== this.#names) {
      this.#names = names;
      this.#row = valueAt(this.#rows, names, () => new Array(names.length));
    }
    return this.#row;
  }

  /** A file, if it is cached, changed or not; `names[index]` is its name. */
  peek(path: string, names: readonly string[], index: number): CachedFile | undefined {
    const row = this.#rowOf(names);
    const record = row[index];
    const found = record === undefined || record.isForgotten ? row[index] = this.#at(path) : record;
    if (found !== undefined) found.used = this.#search;
    return found;
  }

  isTrusted({ epoch }: CachedFile): boolean {
    return epoch !== 0 && epoch === this.#trust.epoch;
  }

  /** Whether a cached file is unchanged by what the file system reports now; drops it if it is not. */
  isCurrent(path: string, record: CachedFile, info: FileInfo): boolean {
    if (!record.identity.isSame(info)) {
      if (!record.isForgotten) this.#delete(path, record);
      return false;
    }
    this.#willTrust(path, info, record);
    return true;
  }

  /**
   * Trusts a file from the end of the search on, if it is proven that its path names it. One with several
   * names is never trusted: a change is reported by one of them only.
   */
  #willTrust(path: string, info: FileInfo, record: CachedFile): void {
    record.epoch = 0;
    const { epoch, proof } = this.#trust;
    if (epoch === 0 || info.nlink !== null && info.nlink > 1) return;
    const accept = () => void (record.epoch = epoch);
    const { dev, ino } = info;
    proof.addFile(path, platform.dirname(path), { dev, ino }, accept);
  }

  placeOf({ text }: CachedFile): ByteRange | undefined {
    if (text !== undefined && text.used !== this.#search) {
      text.used = this.#search;
      this.#usedBytes += text.end - text.start;
    }
    return text;
  }

  bytesOf(file: CachedFile): Uint8Array | undefined {
    const place = this.placeOf(file);
    return place === undefined ? undefined : this.#bytes.subarray(place.start, place.end);
  }

  /** Which files the index does not rule out: see {@linkcode FileCache.mayHold}. */
  candidates(prefilter: Prefilter): Uint8Array | undefined {
    return this.#index.candidates(prefilter);
  }

  /**
   * The names of a directory's files, except those, which `passed` counts, that need no check and
   * surely hold no match.
   */
  notRuledOut(
    directory: string,
    names: readonly string[],
    { candidates, isForAscii, maxFileSize }: IndexQuery,
    passed: Tally,
  ): readonly string[] {
    const [files, { epoch }, search] = [this.#in(directory), this.#trust, this.#search];
    if (epoch === 0 || files.size === 0) return names;
    const row = this.#rowOf(names);
    const left: string[] = [];
    let bytes = 0;
    for (let index = 0; index < names.length; index++) {
      let record = row[index];
      if (record === undefined || record.isForgotten) {
        record = row[index] = files.get(names[index]!);
      }
      if (
        record === undefined || record.epoch !== epoch || record.document < 0 ||
        candidates[record.document] !== 0 || record.size > maxFileSize ||
        isForAscii && !record.kind!.isAscii
      ) {
        left.push(names[index]!);
        continue;
      }
      record.used = search;
      bytes += record.size;
    }
    passed.files += names.length - left.length;
    passed.bytes += bytes;
    return left.length < names.length ? left : names;
  }

  mayHold({ document }: CachedFile, candidates: Uint8Array | undefined): boolean {
    return candidates === undefined || document < 0 || candidates[document] !== 0;
  }

  /**
   * Indexes the files that are not indexed yet, with pauses. It ends when none is left, and can be called
   * on then; no search may be under way meanwhile.
   */
  *index(): Generator<void, void> {
    if (2 * this.#outdated > this.#index.documents) this.#beginIndex();
    let buffer: Uint8Array | undefined;
    for (let next; (next = this.#toIndex.pop()) !== undefined;) {
      const { path, record } = next;
      if (record.isForgotten) continue;
      const bytes = this.bytesOf(record) ??
        bytesOnDisk(path, record, buffer ??= new Uint8Array(MAX_INDEXED_BYTES + 1));
      if (bytes !== undefined) record.document = this.#index.add(bytes);
      if (bytes !== undefined && record.document < 0) this.#toIndex = []; // there is no room
      yield;
      if (this.#index.isFull) yield* this.#index.sort();
    }
    this.#fitMemory();
    const { unsorted, documents } = this.#index;
    if (unsorted > Math.max(MIN_SORTED, documents * UNSORTED_SHARE)) yield* this.#index.sort();
  }

  /**
   * Shrinks the memory if the bytes of all files would not fit: the files that happened to come first are
   * worth little compared with the index. No search may be running.
   */
  #fitMemory(): void {
    const [full, text] = [this.#maxTextBytes, this.#textBytes];
    const small = Math.floor(full * SMALL_SHARE);
    const isSmall = this.#bytes.length < full;
    if (isSmall ? 2 * text > full : text <= full) return;
    this.#clearBytes();
    this.#makeMemory(isSmall ? full : small);
  }

  #beginIndex(): void {
    this.#index.clear();
    this.#outdated = 0;
    this.#toIndex = [];
    for (const [directory, files] of this.#records) {
      for (const [name, record] of files) {
        record.document = -1;
        this.#willIndex(platform.join(directory, name), record);
      }
    }
  }

  #willIndex(path: string, record: CachedFile): void {
    if (record.kind !== undefined) this.#toIndex.push({ path, record });
  }

  #delete(path: string, record: CachedFile): void {
    this.#in(platform.dirname(path)).delete(platform.basename(path));
    record.isForgotten = true;
    this.#entries--;
    if (record.kind !== undefined && record.isCounted) this.#textBytes -= record.size;
    if (record.document >= 0) this.#outdated++;
    if (record.text === undefined) return;
    this.#wasted += record.text.end - record.text.start;
    if (this.#wasted > this.#bytes.length >> 1) this.#clearBytes();
  }

  /**
   * Caches a file, if there is room and its fingerprint is stable.
   *
   * @param info of the open file, taken before it was read
   * @param time when that was, in milliseconds since the epoch
   * @param file its size and kind
   * @param bytes its bytes, if they are worth caching
   */
  put(
    path: string,
    info: FileInfo,
    time: number,
    { size, kind, skip, startsBinary, isArchive }: Pick<
      CachedFile,
      "size" | "kind" | "skip" | "startsBinary" | "isArchive"
    >,
    bytes?: Uint8Array,
  ): void {
    const length = bytes?.length ?? 0;
    let record = this.#at(path);
    if (record !== undefined && (record.text !== undefined || !record.identity.isSame(info))) {
      return;
    }
    if (!this.#hasRoom(length)) this.#sweep();
    record = this.#at(path);
    if (record === undefined) {
      const identity = new Fingerprint(info);
      if (this.#entries >= this.#maxEntries || !identity.isStable(time, this.#changePrecision)) {
        return;
      }
      const directory = platform.dirname(path);
      const files = this.#in(directory);
      if (files.size === 0) this.#records.set(directory, files);
      this.#entries++;
      record = {
        identity,
        size,
        kind,
        skip,
        startsBinary,
        isArchive,
        used: this.#search,
        epoch: 0,
        isForgotten: false,
        text: undefined,
        isCounted: false,
        document: -1,
      };
      files.set(platform.basename(path), record);
      this.#willTrust(path, info, record);
      this.#willIndex(path, record);
    }
    if (!this.#isFurther) this.#putText(record, bytes);
  }

  #putText(record: CachedFile, bytes: Uint8Array | undefined): void {
    if (record.kind !== undefined && !record.isCounted) this.#textBytes += record.size;
    record.isCounted = true;
    const length = bytes?.length ?? 0;
    if (bytes === undefined || !this.#hasRoom(length)) return;
    this.#bytes.set(bytes, this.#used);
    record.text = { start: this.#used, end: this.#used + length, used: this.#search };
    this.#used += length;
    this.#usedBytes += length;
  }

  #hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.#bytes.length && this.#entries < this.#maxEntries;
  }

  /** Drops files, or only their bytes, if neither this search nor the last one used most of them. */
  #sweep(): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    if (this.#entries < this.#maxEntries) {
      if (2 * Math.max(this.#usedBytes, this.#lastUsedBytes) < this.#used) this.#clearBytes();
      return;
    }
    let entries = 0;
    for (const directory of this.#records.values()) {
      for (const { used } of directory.values()) if (used >= this.#search - 1) entries++;
    }
    if (2 * entries < this.#maxEntries) this.clear();
  }

  #clearBytes(): void {
    this.#used = this.#wasted = 0;
    for (const directory of this.#records.values()) {
      for (const record of directory.values()) record.text = undefined;
    }
  }

  clear(): void {
    this.#clearBytes();
    this.#records.clear();
    this.#rows = new WeakMap();
    this.#index.clear();
    this.#toIndex = [];
    this.#outdated = this.#entries = this.#textBytes = 0;
    this.#directory = "";
    this.#names = [];
  }
}

/** The bytes of a file, if it has not changed. */
function bytesOnDisk(
  path: string,
  { identity, size }: CachedFile,
  buffer: Uint8Array,
): Uint8Array | undefined {
  try {
    using file = openFile(path);
    if (!identity.isSame(file.statSync())) return undefined;
    let read = 0;
    for (let more; read <= size && (more = file.readSync(buffer.subarray(read))) !== null;) {
      read += more;
    }
    return read === size ? buffer.subarray(0, size) : undefined;
  } catch {
    return undefined; // the next search says what is wrong
  }
}

/** File systems lag by some milliseconds; Deno tells the time of the last write in milliseconds. */
const WRITE_PRECISION_MS = 20;

export class Fingerprint {
  readonly #dev: number;
  readonly #ino: number | null;
  readonly #size: number;
  readonly #mtime: number;
  readonly #ctime: number;

  /** @param info taken before the contents were read */
  constructor(info: FileInfo) {
    this.#dev = info.dev;
    this.#ino = info.ino;
    this.#size = info.size;
    this.#mtime = info.mtime?.getTime() ?? NaN;
    this.#ctime = info.ctime?.getTime() ?? NaN;
  }

  /** Whether it is the same, with the same contents, provided that it was stable. */
  isSame(info: FileInfo): boolean {
    return this.#dev === info.dev && this.#ino === info.ino && this.#size === info.size &&
      this.#mtime === info.mtime?.getTime() && this.#ctime === info.ctime?.getTime();
  }

  /**
   * Whether any change after a point in time will show in its times: they are older than that by more than
   * the precision of clocks and file systems. The time of change, which cannot be set, has whole seconds.
   *
   * @param time milliseconds since the epoch, before the contents were read
   * @param changePrecision milliseconds within which two changes may have one time of change
   */
  isStable(time: number, changePrecision: number): boolean {
    return this.#ino !== null && this.#mtime + WRITE_PRECISION_MS < time &&
      this.#ctime + changePrecision < time;
  }
}

export interface SearchTrust {
  /** What was checked in this epoch needs no check, and what is checked now is trusted in it; 0: nothing is. */
  readonly epoch: number;
  /** Proves that what was read is where its path says: only then is it trusted, or a listing cached. */
  readonly proof: Pick<Proof, "addFile" | "addListing">;
}

/** The trust of a search that checks everything and proves nothing. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, proof: { addFile() {}, addListing() {} } };
