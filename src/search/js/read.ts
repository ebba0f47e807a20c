/**
 * Reads one file, whole or piece by piece, into the scanner.
 *
 * @module
 */

import { type ByteKind, ByteSearch, MAX_BYTES, type TextNeed } from "./byte_search.ts";
import type { NeededGrams } from "./gram_filter.ts";
import type { KeptFile, KeptFiles } from "./kept_files.ts";
import { LineFeeder, type LineSink } from "./line_feeder.ts";
import { type OfferSurvey, SurveyedFile } from "./survey.ts";
import { decodeText, decodeUtf8, isBinary, type NotText, utf16Of } from "./text.ts";
import { TextFeeder } from "./text_feeder.ts";

/** File systems that give less than was asked for, in the middle of a file, give whole blocks. */
const BLOCK_BYTES = 512;
const LINE_FEED = 10;
/** Of a file with more lines that may match, or more for its size, the rest is made text at once. */
const MAX_LONE_LINES = 16;
const BYTES_PER_LONE_LINE = 4096;

/** Takes the text of a file. */
export interface TextSink extends LineSink {
  /** Whether the search is over, and with it this file. */
  readonly isStopped: boolean;
  /**
   * Takes word of whole lines without a match instead of their text.
   *
   * @param countLines how many there are
   * @returns whether that is enough; if not, the text must be fed
   */
  skip(countLines: () => number): boolean;
  /** Whether the file, as far as it was fed, is part of the answer. */
  readonly isHit: boolean;
  /** Forgets what it was fed of the file. */
  restart(): void;
}

/** How reading a file ended. */
export type ReadOutcome =
  /** `info` tells which file it was, if it is part of the answer. */
  | {
    state: "read";
    bytes: number;
    longLines: boolean;
    info?: Deno.FileInfo;
    /** Whether its path was asked for `info`, not the open file. */
    isOfPath?: boolean;
    /** What the bytes are, if that was looked at. */
    kind?: ByteKind;
  }
  | { state: NotText | "too_large" | "unreadable" | "vanished"; bytes: number };

/** How files are read. */
export interface ReadOptions {
  /** Bytes a file met in a walk may have, `Infinity` for no limit. */
  maxFileSize: number;
  /** Whether the sink wants the whole text at once. */
  isMultiline: boolean;
  /** Whether a binary file is told even if it would not be part of the answer. */
  tellsBinaries: boolean;
  /** What a text with a match holds. */
  need: TextNeed | undefined;
  /** Files of earlier searches. */
  kept: KeptFiles | undefined;
  /** Finds a thread that surveys a large file. */
  offerSurvey: OfferSurvey;
}

/** Reads files, one after the other, into one buffer. */
export class FileReader {
  readonly #options: ReadOptions;
  readonly #buffer: Uint8Array<ArrayBuffer>;
  readonly #search: ByteSearch | undefined;
  /** Look at what is kept. */
  readonly #keptSearch: ByteSearch | undefined;
  readonly #neededGrams: NeededGrams | undefined;
  /** A file that was skimmed and is to be read, and how many of its bytes are in the buffer. */
  #skimmed: { file: Deno.FsFile; bytes: number } | undefined;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#search = ByteSearch.create(options.need);
    this.#buffer = this.#search?.bytes ?? new Uint8Array(MAX_BYTES);
    const { need, kept } = options;
    if (kept?.memory === undefined) return;
    this.#keptSearch = ByteSearch.create(need, kept.memory);
    if (need !== undefined) this.#neededGrams = kept.gramsOf(need);
  }

  /**
   * Reads a file met in a walk into the sink.
   *
   * @param index of its name among those last entered; without it, nothing that is kept is used
   * @returns nothing where it is large and has to be read with {@linkcode readInPieces}
   */
  read(path: string, sink: TextSink, index?: number): ReadOutcome | undefined {
    const { kept } = this.#options;
    if (kept === undefined || index === undefined) return this.#readFile(path, sink);
    const trusted = kept.getTrusted(index);
    let outcome = trusted === undefined ? undefined : this.#takeKept(trusted, sink);
    // What is part of the answer is looked at in any case.
    if (outcome !== undefined && (outcome.state !== "read" || !sink.isHit)) return outcome;
    try {
      const info = Deno.lstatSync(path);
      const file = kept.get(index, info);
      if (file === undefined) {
        sink.restart();
        return this.#readFile(path, sink, index);
      }
      outcome ??= this.#takeKept(file, sink);
      if (outcome.state === "read" && sink.isHit) {
        outcome.info = info;
        outcome.isOfPath = true;
      }
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { state: failureState(error), bytes: 0 };
    }
  }

  /** Tells which directory the next files are in, and their names. */
  enter(directory: string, names: readonly string[]): void {
    this.#options.kept?.enter(directory, names);
  }

  /**
   * Passes over a file that is known to hold no match without a look at it.
   *
   * @param index of its name among those last entered
   * @returns its bytes, or -1 where it has to be read
   */
  passOver(index: number): number {
    const { kept, maxFileSize } = this.#options;
    const search = this.#keptSearch;
    const file = search === undefined ? undefined : kept!.getTrusted(index);
    if (file?.kind === undefined || file.size > maxFileSize) return -1;
    if (!search!.canTell(file.kind)) return -1;
    const mayMatch = kept!.mayHold(index, this.#neededGrams!) &&
      search!.candidate(file.start, file.end) >= 0;
    return mayMatch ? -1 : file.size;
  }

  /** Whether it can be told of bytes that they hold no match. */
  get canSkim(): boolean {
    return this.#search !== undefined && this.#options.need !== undefined &&
      this.#options.kept === undefined;
  }

  /**
   * Passes over a file met in a walk that surely holds no match. Most do not, and this costs less than
   * {@linkcode read}, which has to follow where it is not sure and goes on from here.
   *
   * @returns its bytes, or -1 where it has to be read
   */
  skim(path: string): number {
    let file: Deno.FsFile | undefined;
    try {
      file = Deno.openSync(path);
      const bytes = file.readSync(this.#buffer) ?? 0;
      const isWhole = bytes % BLOCK_BYTES !== 0 && bytes < this.#buffer.length;
      if (isWhole && bytes <= this.#options.maxFileSize && this.#search!.lacks(bytes)) {
        file.close();
        return bytes;
      }
      this.#skimmed = { file, bytes };
    } catch {
      file?.close();
    }
    return -1;
  }

  /**
   * Reads a file into the sink and gives way between the pieces of a large one; other files are to be
   * read with other sinks then.
   *
   * @param isNamed whether the caller named it, so that it may have any size
   */
  *readInPieces(path: string, sink: TextSink, isNamed: boolean): Generator<void, ReadOutcome> {
    try {
      using file = Deno.openSync(path);
      const bytes = this.#fill(file, isNamed);
      if (!isNamed && file.statSync().size > this.#options.maxFileSize) {
        return { state: "too_large", bytes };
      }
      const outcome = bytes < this.#buffer.length
        ? this.#take(bytes, isNamed, sink)
        : yield* this.#stream(file, path, bytes, sink);
      if (outcome.state === "read" && sink.isHit) outcome.info = file.statSync();
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { state: failureState(error), bytes: 0 };
    }
  }

  #readFile(path: string, sink: TextSink, index?: number): ReadOutcome | undefined {
    const started = Date.now();
    const skimmed = this.#skimmed;
    this.#skimmed = undefined;
    let file: Deno.FsFile;
    try {
      file = skimmed?.file ?? Deno.openSync(path);
    } catch (error) {
      return { state: failureState(error), bytes: 0 };
    }
    try {
      const info = index === undefined ? undefined : file.statSync();
      const outcome = this.#readOpen(file, sink, skimmed?.bytes);
      if (outcome === undefined) return undefined;
      if (info !== undefined) this.#keep(index!, info, started, outcome);
      if (outcome.state === "read" && sink.isHit) outcome.info = file.statSync();
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { state: failureState(error), bytes: 0 };
    } finally {
      file.close();
    }
  }

  #readOpen(file: Deno.FsFile, sink: TextSink, held = 0): ReadOutcome | undefined {
    const isWhole = held % BLOCK_BYTES !== 0;
    const bytes = isWhole ? held : this.#fill(file, false, held);
    const { maxFileSize } = this.#options;
    if (bytes > maxFileSize) return { state: "too_large", bytes };
    if (bytes < this.#buffer.length) return this.#take(bytes, false, sink);
    return file.statSync().size > maxFileSize ? { state: "too_large", bytes } : undefined;
  }

  /** Remembers the file in the buffer, if it is there as a whole. */
  #keep(index: number, info: Deno.FileInfo, time: number, outcome: ReadOutcome): void {
    const { state, bytes } = outcome;
    if (bytes !== info.size || bytes >= this.#buffer.length) return;
    if (state !== "read" && state !== "binary" && state !== "not_utf8") return;
    const isText = state === "read";
    const file = {
      size: bytes,
      kind: isText ? outcome.kind : undefined,
      skip: isText ? undefined : state,
    };
    this.#options.kept!.put(index, info, time, file, this.#buffer.subarray(0, isText ? bytes : 0));
  }

  #takeKept(file: KeptFile, sink: TextSink): ReadOutcome {
    const outcome = this.#sureOutcome(file);
    if (outcome !== undefined) return outcome;
    this.#buffer.set(this.#options.kept!.bytesOf(file));
    return this.#take(file.size, false, sink, file.kind);
  }

  /** How reading a kept file ends, if it is sure that nothing in it matches. */
  #sureOutcome({ size, start, kind, skip }: KeptFile): ReadOutcome | undefined {
    if (size > this.#options.maxFileSize) return { state: "too_large", bytes: 0 };
    if (skip !== undefined) return { state: skip, bytes: size };
    const search = kind === undefined ? undefined : this.#keptSearch;
    if (search === undefined || search.mayMatch(size, kind!, start)) return undefined;
    return { state: "read", bytes: size, longLines: false };
  }

  /**
   * Takes the whole of a file from the buffer.
   *
   * @param known what its bytes are, if that is known
   */
  #take(bytes: number, named: boolean, sink: TextSink, known?: ByteKind): ReadOutcome {
    const content = this.#buffer.subarray(0, bytes);
    const search = this.#search;
    if (search === undefined || utf16Of(content) !== undefined) {
      return this.#takeUnseen(content, named, sink);
    }
    const kind = known ?? search.classify(bytes);
    if (kind.hasNul) return { state: "binary", bytes };
    if (!kind.isUtf8) return { state: "not_utf8", bytes };
    if (this.#options.isMultiline || !search.canTell(kind)) {
      sink.feed(decodeUtf8(content, true), true);
    } else {
      this.#takeLines(content, true, true, sink, search);
    }
    return { state: "read", bytes, longLines: false, kind };
  }

  /**
   * Makes text of the lines that may match, as long as they are few, and passes over the others.
   *
   * @param content whole lines of the file, or their last piece
   * @param isFirst whether the file starts with them
   * @param isLast whether it ends with them
   * @returns how many lines were made text; `Infinity`: all the rest
   */
  #takeLines(
    content: Uint8Array,
    isFirst: boolean,
    isLast: boolean,
    sink: Pick<TextSink, "feed" | "skip">,
    search: ByteSearch,
  ): number {
    const bytes = content.length;
    const most = Math.max(MAX_LONE_LINES, bytes / BYTES_PER_LONE_LINE);
    let start = 0;
    for (let lines = 0;; lines++) {
      if (start === bytes) return lines;
      const candidate = search.candidate(start, bytes);
      if (candidate < 0) {
        const isUnwanted = isFirst && isLast && start === 0 ||
          sink.skip(() => isLast ? 0 : search.countLines(bytes, start));
        if (isUnwanted) return lines;
        sink.feed(decodeUtf8(content.subarray(start), isFirst && start === 0), isLast);
        return Infinity;
      }
      const from = content.lastIndexOf(LINE_FEED, candidate) + 1;
      const isNear = from <= start;
      const isPassed = isNear || sink.skip(() => search.countLines(from, start));
      if (isPassed) start = Math.max(start, from);
      const newline = isPassed && lines < most ? content.indexOf(LINE_FEED, candidate) : -1;
      const end = newline < 0 ? bytes : newline + 1;
      const text = decodeUtf8(content.subarray(start, end), isFirst && start === 0);
      const isMore = sink.feed(text, isLast && end === bytes);
      if (newline < 0) return Infinity;
      if (!isMore) return lines + 1;
      start = end;
    }
  }

  /** Takes the whole of a file that was not looked at before. */
  #takeUnseen(content: Uint8Array, named: boolean, sink: TextSink): ReadOutcome {
    const bytes = content.length;
    const decoded = decodeText(content);
    if ("skip" in decoded) return { state: decoded.skip, bytes };
    sink.feed(decoded.text, true);
    const matters = sink.isHit || named || this.#options.tellsBinaries;
    if (matters && isBinary(content)) return { state: "binary", bytes };
    return { state: "read", bytes, longLines: false };
  }

  /**
   * Reads until the buffer holds enough or the file ends.
   *
   * @param isWary whether only a read of nothing counts as the end, as in special files
   * @param held bytes at the start of the buffer that stay
   * @param enough bytes that the buffer is to hold
   * @returns the bytes in the buffer
   */
  #fill(file: Deno.FsFile, isWary: boolean, held = 0, enough = this.#buffer.length): number {
    const room = enough < this.#buffer.length ? this.#buffer.subarray(0, enough) : this.#buffer;
    let filled = held;
    while (filled < enough) {
      const read = file.readSync(filled === 0 ? room : room.subarray(filled));
      if (read === null || read === 0) break;
      filled += read;
      if (!isWary && filled % BLOCK_BYTES !== 0) break;
    }
    return filled;
  }

  /** Goes on after the first full buffer. Between pieces, the buffer may be used for something else. */
  *#stream(
    file: Deno.FsFile,
    path: string,
    first: number,
    sink: TextSink,
  ): Generator<void, ReadOutcome> {
    const search = this.#search;
    if (search === undefined || this.#options.isMultiline || utf16Of(this.#buffer) !== undefined) {
      return yield* this.#streamText(file, first, sink);
    }
    const surveyed = new SurveyedFile(path, file, this.#options.offerSurvey);
    try {
      return yield* this.#streamBytes(file, surveyed, first, sink, search);
    } finally {
      surveyed.close();
    }
  }

  /** Goes on piece by piece, and makes text only of those that may have a match. */
  *#streamBytes(
    file: Deno.FsFile,
    surveyed: SurveyedFile,
    first: number,
    sink: TextSink,
    search: ByteSearch,
  ): Generator<void, ReadOutcome> {
    const buffer = this.#buffer;
    const feeder = new LineFeeder(sink);
    /** Takes whole lines when those before them have ended. */
    const whole: Pick<TextSink, "feed" | "skip"> = {
      feed: (text, last) => {
        feeder.push(text, last);
        return !feeder.isDone;
      },
      skip: (countLines) => sink.skip(countLines),
    };
    /** Where in the file the bytes lie that are in the buffer. */
    let offset = 0;
    let filled = first;
    let wanted = buffer.length;
    for (;;) {
      const last = filled < wanted;
      const lines = last ? filled : buffer.lastIndexOf(LINE_FEED, filled - 1) + 1;
      const end = last || lines > 0 ? lines : endOfCharacters(buffer, filled);
      const kind = search.classify(end);
      if (kind.hasNul) return { state: "binary", bytes: offset + filled };
      if (!kind.isUtf8) return { state: "not_utf8", bytes: offset + filled };
      const content = buffer.subarray(0, end);
      let loneLines = Infinity;
      if (feeder.isDone) {
        // What is not searched any more is still looked at: a binary file is none in every mode.
        if (sink.skip(() => search.countLines(end))) loneLines = 0;
      } else if (feeder.isAtLineStart && lines > 0 && search.canTell(kind)) {
        loneLines = this.#takeLines(content, offset === 0, last, whole, search);
      } else {
        feeder.push(decodeUtf8(content, offset === 0), last);
      }
      if (last || sink.isStopped) break;
      const rest = buffer.slice(end, filled);
      yield;
      buffer.set(rest);
      offset += end;
      const held = rest.length;
      surveyed.reach(offset, loneLines, feeder.isDone);
      const stretch = held === 0 && feeder.isAtLineStart ? surveyed.stretchAt(offset) : undefined;
      if (stretch !== undefined && sink.skip(() => stretch.lines)) {
        offset = stretch.end;
        file.seekSync(offset, Deno.SeekMode.Start);
      }
      wanted = held + surveyed.bytesToRead(offset + held, buffer.length - held);
      filled = this.#fill(file, true, held, wanted);
    }
    return { state: "read", bytes: offset + filled, longLines: feeder.hasLongLine };
  }

  /** Goes on as text, piece by piece or at once. */
  *#streamText(file: Deno.FsFile, first: number, sink: TextSink): Generator<void, ReadOutcome> {
    const feeder = new TextFeeder(sink, this.#options.isMultiline);
    let bytes = first;
    let filled = first;
    for (;;) {
      const last = filled < this.#buffer.length;
      const skip = feeder.push(this.#buffer.subarray(0, filled), last);
      if (skip !== undefined) return { state: skip, bytes };
      if (last || sink.isStopped) break;
      yield;
      filled = this.#fill(file, true);
      bytes += filled;
    }
    return { state: "read", bytes, longLines: feeder.hasLongLine };
  }
}

/** The end of the last whole character before an offset. */
function endOfCharacters(bytes: Uint8Array, end: number): number {
  let start = end - 1;
  while (end - start < 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  const lead = bytes[start]!;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return start + length > end ? start : end;
}

function failureState(error: unknown): "vanished" | "unreadable" {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory
    ? "vanished"
    : "unreadable";
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && error.name in Deno.errors ||
    error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}
