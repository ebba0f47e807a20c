/**
 * One file: from its bytes to the lines that match. Its words, in the order in which bytes go:
 *
 * ```text
 * ByteSource ─────> ByteFeeder ─────> SearchSink ─────> LineSearcher ─────> LineEntry
 * disk, cache,      asks the          stops when        asks the            a line with its
 * standard input    Prefilter,        more of the       matcher, line       number, column
 *                   decodes what      file can change   by line             and context
 *                   may match         nothing
 * ```
 *
 * - A **source** (`byte_source.ts`) reads the bytes of one file into a buffer that is its own
 *   (`read_buffer.ts`). Where they come from makes no difference from there on.
 * - The **prefilter** (`regex/prefilter.ts`) is what every match must hold: texts that
 *   `byte_search.ts` looks for in the bytes. Most files hold none of them, and are passed over.
 * - The **feeder** (`byte_feeder.ts`) tells what is binary or not UTF-8, and decodes (`decoder.ts`) only
 *   the lines that the prefilter does not rule out. What is larger than a buffer comes in pieces
 *   (`piece_feeder.ts`), whose lines are put together by `text_feeder.ts`.
 * - The **sink** (`search_sink.ts`) keeps a file to the limits of its search.
 * - The **searcher** (`line_searcher.ts`) gives the entries and counts of the file.
 * - The **outcome** says whether the file was read, and why if it was not.
 *
 * A `SearchWorker` has the files of a walk read by this module, which tries the cache before the disk;
 * `standard_input.ts` reads standard input. What both are given and report is in `job.ts`.
 *
 * @module
 */

import type { CachedFile, FileCache } from "../cache/file_cache.ts";
import { CHECKS_ALL, type SearchTrust } from "../cache/search_trust.ts";
import type { Prefilter } from "../regex/prefilter.ts";
import { ByteFeeder, type FeedOptions, type Known } from "./byte_feeder.ts";
import { ByteSearch } from "./byte_search.ts";
import { FileSource, MemorySource } from "./byte_source.ts";
import { isUtf16, utf16Of } from "./decoder.ts";
import { MAX_BYTES, type ReadBuffer } from "./read_buffer.ts";
import type { FeedOutcome, TextSink } from "./text_feeder.ts";

/** A larger file with a NUL in as many bytes is binary; no more of it is looked at. */
const TELLING_BYTES = 1 << 13;

/** How reading a file ended. */
export type ReadOutcome =
  & (FeedOutcome | { state: "unreadable" | "vanished"; bytes: number })
  & {
    /** Which file it was, if the answer has to do with it. */
    info?: Deno.FileInfo;
  };

/** How files are read. */
export interface ReadOptions extends FeedOptions {
  /** Bytes a file met in a walk may have, `Infinity` for no limit. */
  maxFileSize: number;
  /** What a text with a match holds, if that is known. */
  prefilter: Prefilter | undefined;
  /** Files of earlier searches. */
  cache: FileCache | undefined;
  /** What this search trusts of it. */
  trust: SearchTrust | undefined;
}

/** A file whose start was read. */
interface Opened {
  source: FileSource;
  known: Known;
  /** Milliseconds since the epoch, before it was opened. */
  started: number;
  /** What the file system reported about it before it was read, if it may be kept. */
  info: Deno.FileInfo | undefined;
}

/** Reads files, one after the other. */
export class FileReader {
  readonly #options: ReadOptions;
  readonly #feeder: ByteFeeder;
  /** Looks at files in place, in the cache. */
  readonly #cacheSearch: ByteSearch | undefined;
  /** What the index of the cache does not rule out, and which files it covers. */
  readonly #passing: Parameters<FileCache["ruledOut"]>[2] | undefined;
  /** The file that was not passed over: open, its start in the buffer. */
  #opened: Opened | undefined;
  /** What the file system reports about it, if the cache may hold it. */
  #checked: Deno.FileInfo | undefined;

  constructor(options: ReadOptions) {
    const { prefilter, cache } = options;
    this.#options = options;
    this.#feeder = new ByteFeeder(prefilter, options);
    if (cache?.memory === undefined) return;
    this.#cacheSearch = new ByteSearch(prefilter, cache.memory);
    const candidates = prefilter && cache.candidates(prefilter);
    if (candidates === undefined) return;
    const { isForAscii } = prefilter!;
    this.#passing = { candidates, isForAscii, maxFileSize: options.maxFileSize };
  }

  /** Tells which directory the next files are in, and their names. */
  enter(directory: string, names: readonly string[]): void {
    const { cache, trust = CHECKS_ALL } = this.#options;
    cache?.enter(directory, names, trust);
  }

  /**
   * Passes over a file met in a walk that surely holds no match, as most do. This costs less than
   * {@linkcode read}, which has to follow where it is not sure and goes on from here.
   *
   * @param index of its name among those last entered
   * @returns its bytes, or -1 where it has to be read
   */
  passOver(path: string, index: number): number {
    const { cache, prefilter, maxFileSize } = this.#options;
    if (prefilter === undefined) return -1;
    const file = cache?.peek(index) && this.#checkedFile(path, index);
    if (file !== undefined) {
      const lacksMatch = this.#lacksMatch(file);
      if (!lacksMatch && this.#usable(file) !== undefined) return -1;
      this.#checked = undefined;
      if (lacksMatch) return file.size;
    }
    const started = Date.now();
    let source: FileSource | undefined;
    try {
      source = new FileSource(path, false);
      const info = cache === undefined ? undefined : source.stat();
      const bytes = source.fill();
      const isWhole = source.isAtEnd && bytes <= maxFileSize;
      const look = isWhole ? this.#feeder.look(source.buffer, bytes) : undefined;
      if (!look?.lacksMatch) {
        this.#opened = { source, known: { bytes, kind: look?.kind }, started, info };
        return -1;
      }
      const outcome = { state: "read", bytes, longLines: false, kind: look.kind! } as const;
      if (info !== undefined) this.#keep(index, info, started, outcome, source.buffer);
      source[Symbol.dispose]();
      return bytes;
    } catch {
      source?.[Symbol.dispose](); // reading it says what is wrong
      return -1;
    }
  }

  /**
   * Passes over files that need no look at the file system for that.
   *
   * @param from the index of the first among the names last entered
   * @param to where they end at the latest
   * @param tally counts them and their bytes
   * @returns how many
   */
  passOverTrusted(from: number, to: number, tally: { files: number; bytes: number }): number {
    if (this.#passing === undefined) return 0;
    const { files, bytes } = this.#options.cache!.ruledOut(from, to, this.#passing);
    tally.files += files;
    tally.bytes += bytes;
    return files;
  }

  /** The cached file of a name, checked now unless it is trusted. */
  #checkedFile(path: string, index: number): CachedFile | undefined {
    const cache = this.#options.cache!;
    const trusted = cache.getTrusted(index);
    if (trusted !== undefined) return trusted;
    try {
      this.#checked = Deno.lstatSync(path);
      return cache.get(index, this.#checked);
    } catch {
      return undefined; // reading it says what is wrong
    }
  }

  /** Whether a cached file surely holds no match. */
  #lacksMatch(file: CachedFile): boolean {
    const search = this.#cacheSearch;
    const { cache, maxFileSize } = this.#options;
    if (search === undefined || file.kind === undefined || file.size > maxFileSize) return false;
    if (!search.canTell(file.kind)) return false;
    if (!cache!.mayHold(file, this.#passing?.candidates)) return true;
    const place = cache!.placeOf(file);
    return place !== undefined && search.candidate(place.start, place.end) < 0;
  }

  /**
   * Reads a file met in a walk into the sink.
   *
   * @param index of its name among those last entered
   * @returns nothing where it is large and has to be read with {@linkcode readAlone}
   */
  read(path: string, sink: TextSink, index: number): ReadOutcome | undefined {
    const { cache } = this.#options;
    if (cache === undefined) return this.#readFile(path, sink);
    const isOpen = this.#opened !== undefined;
    const checked = this.#checked;
    this.#checked = undefined;
    if (isOpen || this.#usable(cache.peek(index)) === undefined) {
      return this.#readFile(path, sink, index);
    }
    const trusted = checked === undefined ? this.#usable(cache.getTrusted(index)) : undefined;
    let outcome = trusted && this.#readCached(trusted, sink);
    // Whatever is part of the answer is looked at in any case.
    if (outcome !== undefined && (outcome.state !== "read" || !sink.isHit)) return outcome;
    try {
      const info = checked ?? Deno.lstatSync(path);
      const cached = this.#usable(cache.get(index, info));
      if (cached === undefined) {
        sink.restart();
        return this.#readFile(path, sink, index);
      }
      outcome ??= this.#readCached(cached, sink);
      if (outcome.state === "read" && sink.isHit) outcome.info = info;
      return outcome;
    } catch (error) {
      return failureOutcome(error);
    }
  }

  /**
   * Begins to read a file however large it is.
   *
   * @param isNamed whether the caller named it, so that it may have any size
   */
  readAlone(path: string, sink: TextSink, isNamed: boolean): FileInPieces {
    let source: FileSource | undefined;
    try {
      source = new FileSource(path, isNamed);
      const bytes = source.fill();
      const skipped = isNamed ? undefined : this.#skipLarge(source, bytes);
      const pieces = skipped === undefined
        ? this.#feeder.pieces(source, bytes, sink)
        : { next: () => skipped };
      return new FileInPieces(pieces, sink, source);
    } catch (error) {
      source?.[Symbol.dispose]();
      const outcome = failureOutcome(error);
      return new FileInPieces({ next: () => outcome }, sink);
    }
  }

  /** @param index of its name among those last entered, if it may be cached */
  #readFile(path: string, sink: TextSink, index?: number): ReadOutcome | undefined {
    const opened = this.#opened;
    const started = opened?.started ?? Date.now();
    this.#opened = undefined;
    try {
      using source = opened?.source ?? new FileSource(path, false);
      const info = opened?.info ?? (index === undefined ? undefined : source.stat());
      const bytes = opened?.known.bytes ?? source.fill();
      const skipped = this.#skipLarge(source, bytes);
      if (skipped === undefined && !source.isAtEnd) return undefined;
      const known = { bytes, kind: opened?.known.kind };
      const outcome = skipped ?? this.#feeder.feed(source, sink, known);
      if (info !== undefined) this.#keep(index!, info, started, outcome, source.buffer);
      return withInfo(outcome, sink, source);
    } catch (error) {
      return failureOutcome(error);
    }
  }

  /** The outcome of a file that is larger than one met in a walk may be; its first bytes are in the buffer. */
  #skipLarge(source: FileSource, bytes: number): FeedOutcome | undefined {
    const size = source.isAtEnd ? bytes : source.stat().size;
    if (size <= this.#options.maxFileSize) return undefined;
    return { state: this.#tooLarge(startsBinary(source.buffer.bytes.subarray(0, bytes))), bytes };
  }

  /** Why a file that is too large is not searched: a program or an archive is no text of any size. */
  #tooLarge(startsBinary = false): "too_large" | "binary" {
    const { encoding = "", isAnyText } = this.#options;
    return startsBinary && !isAnyText && !isUtf16(encoding) ? "binary" : "too_large";
  }

  /**
   * A cached file, if it need not be read. What is otherwise not text may be text to this search.
   */
  #usable(file: CachedFile | undefined): CachedFile | undefined {
    const { encoding, isAnyText, maxFileSize } = this.#options;
    if (file === undefined || file.size > maxFileSize) return file;
    const isKnown = file.skip === undefined
      ? file.text !== undefined
      : encoding === undefined && !isAnyText;
    return isKnown ? file : undefined;
  }

  #readCached(file: CachedFile, sink: TextSink): ReadOutcome {
    const { size, kind, skip, startsBinary } = file;
    if (size > this.#options.maxFileSize) {
      return { state: this.#tooLarge(startsBinary), bytes: Math.min(size, MAX_BYTES) };
    }
    if (skip !== undefined) return { state: skip, bytes: size };
    using source = new MemorySource(this.#options.cache!.bytesOf(file)!);
    return this.#feeder.feed(source, sink, { kind });
  }

  /**
   * Caches what is known of a file: its kind and, as far as there is room, its bytes.
   *
   * @param buffer the one that it was read into, which nothing else has had since
   */
  #keep(
    index: number,
    info: Deno.FileInfo,
    time: number,
    outcome: ReadOutcome,
    buffer: ReadBuffer,
  ): void {
    const { state, bytes } = outcome;
    const { size } = info;
    const { encoding, maxFileSize } = this.#options;
    const cache = this.#options.cache!;
    const content = buffer.bytes.subarray(0, bytes);
    const file = { size, startsBinary: startsBinary(content), kind: undefined, skip: undefined };
    if (size > maxFileSize) {
      return state === "read" ? undefined : cache.put(index, info, time, file);
    }
    if (bytes !== size || bytes >= MAX_BYTES) return;
    if (state === "read") {
      return cache.put(index, info, time, { ...file, kind: outcome.kind }, content);
    }
    // What is not text in a named encoding may be text otherwise, or may not be text for another
    // reason.
    if (encoding !== undefined || state !== "binary" && state !== "not_utf8") return;
    cache.put(index, info, time, { ...file, skip: state });
  }
}

/** A file that is open, to be read one piece at a time. Dispose of it, whether or not it was read to its end. */
export class FileInPieces implements Disposable {
  readonly #pieces: { next(): ReadOutcome | undefined };
  readonly #sink: TextSink;
  readonly #source: FileSource | undefined;

  /** @param source what the pieces are of, if it could be opened */
  constructor(
    pieces: { next(): ReadOutcome | undefined },
    sink: TextSink,
    source?: FileSource,
  ) {
    this.#pieces = pieces;
    this.#sink = sink;
    this.#source = source;
  }

  /**
   * Reads the next piece into the sink.
   *
   * @returns the outcome, if that was the last one
   */
  next(): ReadOutcome | undefined {
    try {
      const outcome = this.#pieces.next();
      return outcome && withInfo(outcome, this.#sink, this.#source);
    } catch (error) {
      return failureOutcome(error);
    }
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#source?.[Symbol.dispose]();
  }
}

/** An outcome with what the file system says about the file, if the answer has to do with it. */
function withInfo(
  outcome: ReadOutcome,
  sink: TextSink,
  source: FileSource | undefined,
): ReadOutcome {
  const isTold = outcome.state !== "read" || sink.isHit || outcome.longLines;
  return isTold && source !== undefined ? { ...outcome, info: source.stat() } : outcome;
}

/** Whether the first bytes of a file are no text: they hold a NUL, and no mark of UTF-16. */
function startsBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, TELLING_BYTES).includes(0);
}

/** How reading ended with an error of the file system; throws any other. */
function failureOutcome(error: unknown): ReadOutcome {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
    return { state: "vanished", bytes: 0 };
  }
  // Deno has neither a class nor a code for some errors, such as that of opening a socket.
  const isSystem = error instanceof Error &&
    (error.name in Deno.errors || "code" in error && /^E[A-Z]+$/.test(String(error.code)) ||
      / \(os error \d+\)/.test(error.message));
  if (!isSystem) throw error;
  return { state: "unreadable", bytes: 0 };
}
