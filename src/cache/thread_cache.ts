/**
 * The cache of one thread: the directories and files that it has read in earlier searches.
 *
 * @module
 */

import { DirectoryCache } from "./directory_cache.ts";
import { type CachedFile, FileCache, type IndexQuery } from "./file_cache.ts";
import type { Trust } from "./tree_watch.ts";
import { type ByteKind, ByteSearch, MAX_BYTES, ReadBuffer } from "../read/byte_search.ts";
import {
  Files,
  FileSource,
  type OpenFile,
  type ReadOptions,
  type ReadOutcome,
  type Tally,
} from "../read/files.ts";
import { startsBinary, tooLargeState } from "../read/file_reader.ts";
import { lstat } from "../system/files.ts";
import { atWork } from "../system/heap.ts";
import type { WalkOptions } from "../walk/listing.ts";
import type { FileInfo } from "../system/types.ts";
import { turn } from "../util/pulse.ts";
import { Proof } from "../paths/verification.ts";

const DIRECTORIES_SHARE = 1 / 4;
/** Milliseconds after the end of a search for proving what it has found; the rest is read again. */
const SETTLE_MS = 500;
/** Between two searches, the thread checks for the next one at least this often. */
const INDEX_MS = 4;

/** With this, a thread opens its cache for a search; plain data. */
export interface CacheTicket {
  maxBytes: number;
  /**
   * Milliseconds for which a change is not cached, because another change might have the same time. Tests set
   * less, so that they need not wait. @default the precision of Deno and file systems
   */
  changePrecision?: number | undefined;
  trust: Trust | undefined;
}

/** What the cache has to know of a search. */
export type CachedSearch = ReadOptions & { walk: WalkOptions };

/** The cache of a worker. */
let ofThread: ThreadCache | undefined;

/** Opens the cache of a worker for a search. */
export function openCached(job: CachedSearch, ticket: CacheTicket): Files {
  ofThread ??= new ThreadCache(ticket);
  return ofThread.open(job, ticket.trust);
}

/** Caches directories and files, for one search at a time. */
export class ThreadCache {
  readonly #files: FileCache;
  readonly #directories: DirectoryCache;
  #epoch = 0;
  /** How many changes of the epoch have been applied. */
  #applied = 0;
  #isInUse = false;
  /** Indexes what searches have read; paused while one is running. */
  #indexing: Generator<void, void> | undefined;

  constructor({ maxBytes, changePrecision }: Omit<CacheTicket, "trust">) {
    const forDirectories = Math.floor(maxBytes * DIRECTORIES_SHARE);
    this.#files = new FileCache(maxBytes - forDirectories, changePrecision);
    this.#directories = new DirectoryCache(forDirectories, changePrecision);
  }

  /**
   * Opens the cache for a search. A search beside another, as there may be on the main thread, reads
   * the disk.
   */
  open(job: CachedSearch, trust: Trust | undefined): Files {
    if (this.#isInUse) return new Files();
    this.#isInUse = true;
    const work = atWork();
    let until = Infinity;
    const proof = new Proof(job.walk, Date.now(), {
      beat() {
        if (performance.now() > until) throw new Error("it takes too long");
      },
    });
    const epoch = this.#apply(trust);
    this.#files.begin({ epoch, proof }, job.walk.asked !== undefined);
    this.#directories.begin({ epoch, proof });
    return new CachedFiles(job, this.#files, this.#directories, () => {
      until = performance.now() + SETTLE_MS;
      try {
        proof.settle();
      } catch {
        proof.abandon();
      }
      work[Symbol.dispose]();
      this.#isInUse = false;
      this.#index();
    });
  }

  close(): void {
    this.#isInUse = true;
  }

  /** Drops what has changed; returns the epoch to trust, or 0. */
  #apply(trust: Trust | undefined): number {
    if (trust === undefined || trust.epoch < this.#epoch) return 0;
    if (trust.epoch > this.#epoch) this.#applied = 0;
    this.#epoch = trust.epoch;
    for (; this.#applied < trust.changes.length; this.#applied++) {
      this.#files.drop(trust.changes[this.#applied]!);
      this.#directories.drop(trust.changes[this.#applied]!);
    }
    return trust.epoch;
  }

  /** Indexes what searches have read, until the next one begins. */
  async #index(): Promise<void> {
    this.#indexing ??= this.#files.index();
    using _work = atWork();
    await turn();
    while (!this.#isInUse && this.#indexing !== undefined) {
      const until = performance.now() + INDEX_MS;
      while (performance.now() < until) {
        if (!this.#indexing.next().done) continue;
        this.#indexing = undefined;
        return;
      }
      await turn();
    }
  }
}

/** The files of one search: from the cache as far as they are known, else from the disk. */
class CachedFiles extends Files {
  override readonly directories: DirectoryCache;
  readonly #job: CachedSearch;
  readonly #files: FileCache;
  readonly #end: () => void;
  readonly #search: ByteSearch | undefined;
  readonly #query: IndexQuery | undefined;

  constructor(job: CachedSearch, files: FileCache, directories: DirectoryCache, end: () => void) {
    super();
    this.directories = directories;
    this.#job = job;
    this.#files = files;
    this.#end = end;
    const { plan: { prefilter }, withoutMatch, maxFileSize } = job;
    if (withoutMatch || prefilter === undefined || files.memory === undefined) return;
    this.#search = new ByteSearch(prefilter, files.memory);
    const candidates = files.candidates(prefilter);
    if (candidates === undefined) return;
    this.#query = { candidates, isForAscii: prefilter.isForAscii, maxFileSize };
  }

  override toOpen(directory: string, names: readonly string[], passed: Tally): readonly string[] {
    if (this.#query === undefined) return names;
    return this.#files.notRuledOut(directory, names, this.#query, passed);
  }

  override open(path: string, names: readonly string[], index: number): OpenFile | ReadOutcome {
    const cached = this.#files.peek(path, names, index);
    if (cached === undefined) return this.#fromDisk(path);
    let info: FileInfo | undefined;
    if (!this.#files.isTrusted(cached)) {
      info = lstat(path);
      if (!this.#files.isCurrent(path, cached, info)) return this.#fromDisk(path);
    }
    return this.#knownOf(cached) ?? this.#fromMemory(path, cached, info) ?? this.#fromDisk(path);
  }

  #fromMemory(
    path: string,
    file: CachedFile,
    info: FileInfo | undefined,
  ): OpenFile | undefined {
    const bytes = this.#files.bytesOf(file);
    return bytes && new CachedSource(bytes, file.kind, () => {
      const now = info ?? lstat(path);
      return info !== undefined || this.#files.isCurrent(path, file, now) ? now : undefined;
    });
  }

  #fromDisk(path: string): OpenFile {
    const time = Date.now();
    const source: OpenFile = new FileSource(path, false);
    const before = source.stat()!;
    source.onRead = (outcome) => {
      const content = source.buffer.bytes.subarray(0, outcome.bytes);
      this.#cache(path, before, time, outcome, content);
    };
    return source;
  }

  /** The outcome of reading a cached file, if it is known without its bytes. */
  #knownOf(file: CachedFile): ReadOutcome | undefined {
    const { encoding, further, isAnyText, maxFileSize } = this.#job;
    const { size, skip } = file;
    if (size > maxFileSize) {
      const state = tooLargeState(file.startsBinary, this.#job);
      return { ...archive(state, file), state, bytes: Math.min(size, MAX_BYTES) };
    }
    if (this.#lacksMatch(file)) return { state: "read", bytes: size, longLines: false };
    // What other searches do not take for text may be text to this one.
    if (skip === undefined || encoding !== undefined || isAnyText || further?.unpacks) {
      return undefined;
    }
    return { ...archive(skip, file), state: skip, bytes: size };
  }

  /** Whether a cached file surely holds no match. */
  #lacksMatch(file: CachedFile): boolean {
    const search = this.#search;
    if (search === undefined || file.kind === undefined || !search.canTell(file.kind)) return false;
    if (!this.#files.mayHold(file, this.#query?.candidates)) return true;
    const place = this.#files.placeOf(file);
    return place !== undefined && search.candidate(place.start, place.end) < 0;
  }

  /**
   * Caches what is known of a file, and as far as there is room its bytes. `info` and `time` were
   * taken before it was opened; `content` is its first bytes, or all.
   */
  #cache(
    path: string,
    info: FileInfo,
    time: number,
    outcome: ReadOutcome,
    content: Uint8Array,
  ): void {
    const { encoding, maxFileSize } = this.#job;
    const { state, bytes } = outcome;
    const { size } = info;
    const put = (known: Pick<CachedFile, "kind" | "skip">, bytes?: Uint8Array) => {
      const { isArchive = false } = outcome;
      const file = { ...known, size, startsBinary: startsBinary(content), isArchive };
      this.#files.put(path, info, time, file, bytes);
    };
    if (size > maxFileSize) {
      if (state !== "read") put({ kind: undefined, skip: undefined });
    } else if (bytes !== size || bytes >= MAX_BYTES) return;
    else if (state === "read") put({ kind: outcome.kind, skip: undefined }, content);
    // What is not text in a named encoding may be text otherwise, or may not be text for another
    // reason.
    else if (encoding === undefined && (state === "binary" || state === "not_utf8")) {
      put({ kind: undefined, skip: state });
    }
  }

  override [Symbol.dispose](): void {
    this.#end();
  }
}

function archive(
  state: ReadOutcome["state"],
  { isArchive }: CachedFile,
): Pick<ReadOutcome, "isArchive"> {
  return state === "binary" && isArchive ? { isArchive } : {};
}

/** A file whose bytes are cached. They are copied to where they can be searched. */
class CachedSource implements OpenFile {
  readonly isAtEnd = true;
  readonly isEndless = false;
  readonly buffer: ReadBuffer = ReadBuffer.take();
  readonly kind: ByteKind | undefined;
  readonly stat: OpenFile["stat"];
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, kind: ByteKind | undefined, stat: OpenFile["stat"]) {
    this.#bytes = bytes;
    this.kind = kind;
    this.stat = stat;
  }

  fill(): number {
    this.buffer.bytes.set(this.#bytes);
    return this.#bytes.length;
  }

  [Symbol.dispose](): void {
    this.buffer[Symbol.dispose]();
  }
}
