/**
 * One file: from its bytes to the lines that match. Its words, in the order in which bytes go:
 *
 * ```text
 * ByteSource ─────> ByteFeeder ─────> SearchSink ─────> LineSearcher ─────> HitLine
 * disk, cache,      asks the          stops when        asks the            a line that matches,
 * standard input    Prefilter,        more of the       matcher, line       or is context, with
 *                   decodes what      file can change   by line             its number
 *                   may match         nothing
 * ```
 *
 * - A **source** (`files.ts`) reads the bytes of one file into a buffer that is its own. Where they come
 *   from makes no difference from there on.
 * - The **prefilter** (`regex/pattern_plan.ts`) is what every match must hold: texts that
 *   `byte_search.ts` looks for in the bytes. Most files hold none of them, and are passed over.
 * - The **feeder** (`byte_feeder.ts`) tells what is binary or not UTF-8, and decodes (`decoder.ts`) only
 *   the lines that the prefilter does not rule out. What is larger than a buffer comes in pieces
 *   (`piece_feeder.ts`), whose lines are put together.
 * - The **sink** (`search_sink.ts`) keeps a file to the limits of its search.
 * - The **searcher** (`line_searcher.ts`) gives the lines and counts of the file; `hit_lines.ts` says what
 *   an answer makes of lines.
 * - The **outcome** says whether the file was read, and why if it was not. Only what has to do with the
 *   answer says which file it was (`info`); of the sink's lines `SearchWorker` makes a `FileHit`.
 *
 * A `SearchWorker` has the files of a walk read by this module, which opens them by way of `files.ts`, on the
 * disk or in a cache. `standard_input.ts` reads standard input. What is read, and what came of it, is
 * in `files.ts`.
 *
 * @module
 */

import { ByteFeeder, type FeederOptions } from "./byte_feeder.ts";
import {
  type FeedOutcome,
  type Files,
  FileSource,
  type OpenFile,
  type ReadOptions,
  type ReadOutcome,
} from "./files.ts";
import { isUtf16, utf16Of } from "./decoder.ts";
import type { Left } from "../walk/listing.ts";
import type { TextSink } from "./piece_feeder.ts";
import { isMissing, isSystemError, lstat } from "../system/files.ts";
import type { FileHandle } from "../system/types.ts";

/** A larger file with a NUL in as many bytes is binary; no more of it is looked at. */
const TELLING_BYTES = 1 << 13;

let packed: typeof import("./packed_files.ts") | undefined;

/** Loads what it takes to read the files of a job on this thread; call it before creating a {@linkcode FileReader}. */
export async function loadReader({ further }: Pick<ReadOptions, "further">): Promise<void> {
  if (further?.unpacks || further?.isAsked) packed ??= await import("./packed_files.ts");
}

type ReaderOptions = FeederOptions & Pick<ReadOptions, "maxFileSize">;

export class FileReader {
  readonly #job: ReaderOptions;
  readonly #files: Files;
  readonly #begin: (path: string) => TextSink;
  readonly #feeder: ByteFeeder;

  /** @param begin called before a file is fed to the sink that it returns */
  constructor(job: ReaderOptions, files: Files, begin: (path: string) => TextSink) {
    this.#job = job;
    this.#files = files;
    this.#begin = begin;
    this.#feeder = new ByteFeeder(job);
  }

  /**
   * Reads a file of a walk, whose name is `names[index]`. Most files surely hold no match, and are fed
   * to no sink. Returns nothing where it is large and has to be read with {@linkcode readAlone}.
   */
  read(path: string, names: readonly string[], index: number): ReadOutcome | undefined {
    try {
      // A second time if a cached file turns out to have changed.
      for (;;) {
        const opened = this.#files.open(path, names, index);
        if ("state" in opened) return opened;
        let source: OpenFile = opened;
        // `using` would cost as much as all the rest for most files.
        try {
          let bytes = source.fill(0);
          const skipped = this.#skipLarge(source, bytes);
          if (skipped === undefined && this.#isPacked(source, bytes)) {
            source = new packed!.GzipSource(source, bytes);
            bytes = source.fill(0);
          }
          this.#inspect(source, bytes);
          const outcome = this.#readOpen(source, path, bytes, skipped);
          if (outcome !== "changed") return outcome;
        } finally {
          source[Symbol.dispose]();
        }
      }
    } catch (error) {
      return failureOutcome(error);
    }
  }

  /** Reads a file that fits into the buffer, or is too large to be searched. */
  #readOpen(
    source: OpenFile,
    path: string,
    bytes: number,
    outcome?: FeedOutcome,
  ): ReadOutcome | "changed" | undefined {
    if (outcome === undefined && !source.isAtEnd) return undefined;
    let { kind } = source;
    // Of a file that is reported in any case, the sink has to say that nothing matches.
    const mayPass = source.lacks === undefined && source.archive === undefined;
    if (outcome === undefined && kind === undefined && mayPass && !this.#job.withoutMatch) {
      const look = this.#feeder.look(source.buffer, bytes);
      kind = look.kind;
      if (look.lacksMatch) outcome = { state: "read", bytes, longLines: false, kind: kind! };
    }
    const sink = outcome === undefined ? this.#begin(path) : undefined;
    outcome ??= this.#feeder.feed(source, sink!, bytes, kind);
    const read: ReadOutcome = withReasons(
      outcome,
      source,
      source.isPacked ? source.stat()?.size ?? 0 : bytes,
      this.#job,
    );
    if (read.state === "binary") read.isArchive = isArchive(source.buffer.bytes, bytes);
    source.onRead?.(read);
    if (!isPartOfAnswer(read, sink)) return read;
    const info = source.stat();
    return info === undefined ? "changed" : { ...read, info };
  }

  /**
   * Begins to read a file however large it is. One that the caller named may have any size, and be a
   * pipe or device.
   *
   * @param opened the file, if it is open already: it is closed with what is returned
   */
  readAlone(path: string, isNamed: boolean, opened?: FileHandle): FileInPieces {
    const sink = this.#begin(path);
    let source: OpenFile | undefined;
    try {
      source = new FileSource(path, isNamed, opened);
      let bytes = source.fill(0);
      const skipped = isNamed ? undefined : this.#skipLarge(source, bytes);
      if (skipped === undefined && this.#isPacked(source, bytes)) {
        source = new packed!.GzipSource(source, bytes);
        bytes = source.fill(0);
      }
      this.#inspect(source, bytes);
      const pieces = skipped === undefined
        ? this.#feeder.pieces(source, bytes, sink)
        : { next: () => skipped };
      const { further } = this.#job;
      // It may have any size.
      const job = isNamed && further
        ? { further: { ...further, maxFileSize: Infinity } }
        : this.#job;
      return new FileInPieces(pieces, source, job, isArchive(source.buffer.bytes, bytes));
    } catch (error) {
      source?.[Symbol.dispose]();
      const outcome = failureOutcome(error);
      return new FileInPieces({ next: () => outcome });
    }
  }

  #isPacked({ buffer }: OpenFile, bytes: number): boolean {
    return this.#job.further?.unpacks === true && packed!.isGzip(buffer.bytes.subarray(0, bytes));
  }

  #inspect(source: OpenFile, bytes: number): void {
    if (!this.#job.further?.isAsked) return;
    source.archive = packed!.archiveIn(source.buffer.bytes.subarray(0, bytes));
  }

  /** The outcome of a file that is larger than one met in a walk may be; its first bytes are in the buffer. */
  #skipLarge(source: OpenFile, bytes: number): FeedOutcome | undefined {
    const size = source.isAtEnd ? bytes : source.stat()?.size ?? bytes;
    if (size <= this.#job.maxFileSize) return undefined;
    const isBinary = startsBinary(source.buffer.bytes.subarray(0, bytes));
    return { state: tooLargeState(isBinary, this.#job), bytes };
  }
}

/** Looks files up in place of reading them: for a listing, the file system says enough. */
export class FileLookup {
  readonly #job: ReadOptions;

  constructor(job: ReadOptions) {
    this.#job = job;
  }

  read(path: string): ReadOutcome {
    return this.#lookUp(path, false);
  }

  readAlone(path: string, isNamed: boolean): FileInPieces {
    const next = () => this.#lookUp(path, isNamed);
    return new FileInPieces({ next });
  }

  #lookUp(path: string, isNamed: boolean): ReadOutcome {
    const maxFileSize = isNamed ? Infinity : this.#job.maxFileSize;
    try {
      const info = lstat(path);
      const { isFile, isDirectory } = info;
      const isListed = this.#job.listsDirectories && !isNamed ? isDirectory : isFile;
      if (!isListed) return { state: "vanished", bytes: 0 };
      if (info.size > maxFileSize) return { state: "too_large", bytes: 0, info };
      const read = { state: "read", bytes: 0, longLines: false, info } as const;
      return isNamed ? read : withReasons(read, {}, info.size, this.#job);
    } catch (error) {
      return failureOutcome(error);
    }
  }
}

/** A file that is open, to be read one piece at a time. Dispose of it, whether or not it was read to its end. */
export class FileInPieces implements Disposable {
  readonly #pieces: { next(): ReadOutcome | undefined };
  readonly #source: OpenFile | undefined;
  readonly #job: Pick<ReadOptions, "further">;
  readonly #isArchive: boolean;

  constructor(
    pieces: { next(): ReadOutcome | undefined },
    source?: OpenFile,
    job: Pick<ReadOptions, "further"> = {},
    isArchive = false,
  ) {
    this.#isArchive = isArchive;
    this.#pieces = pieces;
    this.#source = source;
    this.#job = job;
  }

  /** Reads the next piece into the sink; returns the outcome, if that was the last one. */
  next(): ReadOutcome | undefined {
    try {
      const outcome = this.#pieces.next();
      if (outcome === undefined || this.#source === undefined) return outcome;
      const info = this.#source.stat()!;
      const read = withReasons(outcome, this.#source, info.size, this.#job);
      const isArchive = this.#isArchive && read.state === "binary";
      return { ...read, ...(isArchive && { isArchive }), info };
    } catch (error) {
      return failureOutcome(error);
    }
  }

  [Symbol.dispose](): void {
    this.#source?.[Symbol.dispose]();
  }
}

/** What is missing of a file's text and, in a further pass, why the search does not read the file. */
function withReasons<Outcome extends ReadOutcome>(
  outcome: Outcome,
  { archive, isPacked, lacks = archive === undefined ? undefined : "archives" }: Partial<OpenFile>,
  size: number,
  { further }: Pick<ReadOptions, "further">,
): Outcome {
  if (outcome.state !== "read") return outcome;
  const left: Left[] = [
    ...(isPacked && !further?.isAsked ? [{ reason: "compressed" } as const] : []),
    ...outcome.left ?? [],
    ...(size > (further?.maxFileSize ?? Infinity) ? [{ reason: "too_large" } as const] : []),
  ];
  return { ...outcome, ...(lacks && { lacks, archive }), ...(left.length > 0 && { left }) };
}

/** How archives begin: gzip, zip, bzip2, xz, 7z, zstd, rar. */
const ARCHIVES = [
  ...[
    "\x1f\x8b",
    "PK\x03\x04",
    "PK\x05\x06",
    "BZh",
    "\xfd7zXZ",
    "7z\xbc\xaf",
    "(\xb5/\xfd",
    "Rar!",
  ],
];
/** Where tar says so. */
const TAR = { text: "ustar", at: 257 } as const;

function isArchive(buffer: Uint8Array, bytes: number): boolean {
  const start = String.fromCharCode(...buffer.subarray(0, Math.min(bytes, TAR.at + 5)));
  return ARCHIVES.some((text) => start.startsWith(text)) || start.startsWith(TAR.text, TAR.at);
}

/** Whether the answer has to do with a file that was read. */
function isPartOfAnswer(outcome: ReadOutcome, sink: TextSink | undefined): boolean {
  return outcome.state !== "read" || sink?.isHit === true || outcome.longLines ||
    outcome.lacks !== undefined;
}

/** Why a file that is too large is not searched: a program or an archive is not text at any size. */
export function tooLargeState(
  startsBinary: boolean,
  { encoding = "", isAnyText }: Pick<ReadOptions, "encoding" | "isAnyText">,
): "too_large" | "binary" {
  return startsBinary && !isAnyText && !isUtf16(encoding) ? "binary" : "too_large";
}

/** Whether the first bytes of a file are no text: they hold a NUL, and no mark of UTF-16. */
export function startsBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, TELLING_BYTES).includes(0);
}

/** The outcome for an error of the file system; throws any other error. */
function failureOutcome(error: unknown): ReadOutcome {
  if (isMissing(error)) return { state: "vanished", bytes: 0 };
  if (!isSystemError(error)) throw error;
  return { state: "unreadable", bytes: 0 };
}
