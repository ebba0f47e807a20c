/**
 * Applies the prefilter to the bytes of a file, piece by piece, decodes what it does not rule out, and
 * feeds it to a sink.
 *
 * @module
 */

import type { ByteKind, NotText } from "../cache/byte_kind.ts";
import type { Prefilter } from "../regex/prefilter.ts";
import { ByteSearch } from "./byte_search.ts";
import type { ByteSource } from "./byte_source.ts";
import {
  decodeAs,
  decodeUtf8,
  isUtf16,
  MixedStream,
  type PieceDecoder,
  TextStream,
  utf16Of,
} from "./decoder.ts";
import type { ReadBuffer } from "./read_buffer.ts";
import { LineFeeder, type LineSink, TextFeeder } from "./text_feeder.ts";

const LINE_FEED = 10;
/** Of a file with more lines that may match, or more for its size, the rest is decoded at once. */
const MAX_LONE_LINES = 16;
const BYTES_PER_LONE_LINE = 4096;

/** Takes the text of a file. */
export interface TextSink extends LineSink {
  /** Whether the search is over, and with it this file. */
  readonly isStopped: boolean;
  /** Whether the rest of the file can change nothing. */
  readonly isDone: boolean;
  /**
   * Takes note of whole lines without a match instead of being fed their text.
   *
   * @param countLines counts them
   * @returns whether that is enough; if not, the text must be fed
   */
  skip(countLines: () => number): boolean;
  /** Whether the file, as far as it was fed, is part of the answer. */
  readonly isHit: boolean;
  /** Forgets what it was fed of the file. */
  restart(): void;
}

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
  }
  | { state: NotText | "too_large"; bytes: number };

/** What text is, and how it is wanted. */
export interface FeedOptions {
  /** Whether sinks want the whole text at once. */
  isMultiline: boolean;
  /**
   * The encoding of files that are neither UTF-8 nor marked as UTF-16; without it they are not
   * text.
   */
  encoding: string | undefined;
  /** Whether any bytes count as text, including those with a NUL and those in no known encoding. */
  isAnyText: boolean;
}

/** What is already known of a file whose bytes are fed. */
export interface Known {
  /** Bytes that are in the source's buffer already. */
  bytes?: number | undefined;
  /** What all of its bytes are. */
  kind?: ByteKind | undefined;
}

/** Feeds sinks, one file after the other. */
export class ByteFeeder {
  readonly #prefilter: Prefilter | undefined;
  /** Searches the buffer of the last file. */
  #search: ByteSearch | undefined;
  /** The same for bytes that are not UTF-8. */
  #anySearch: ByteSearch | undefined;
  readonly #isMultiline: boolean;
  readonly #encoding: string | undefined;
  readonly #isAnyText: boolean;
  /** Whether a match may hold what stands for bytes that are no character. */
  readonly #mayMatchInvalid: boolean;

  /** @param prefilter what a text with a match holds, if that is known */
  constructor(
    prefilter: Prefilter | undefined,
    { isMultiline, encoding, isAnyText }: FeedOptions,
  ) {
    this.#prefilter = prefilter;
    this.#isMultiline = isMultiline;
    this.#encoding = encoding;
    this.#isAnyText = isAnyText;
    const { anyOf = [], allOf = [] } = prefilter ?? {};
    this.#mayMatchInvalid = [...anyOf, ...allOf].some((text) => text.includes("\ufffd"));
  }

  /** What searches a buffer; nothing if the processor or the system lacks what that takes. */
  #searchIn({ memory }: ReadBuffer): ByteSearch | undefined {
    if (memory !== this.#search?.memory) {
      this.#search = memory && new ByteSearch(this.#prefilter, memory);
    }
    return this.#search;
  }

  /**
   * Classifies and prefilters a file that is in a buffer as a whole.
   *
   * @returns whether it is text that surely holds no match, and the kind of its bytes
   */
  look(buffer: ReadBuffer, bytes: number): { lacksMatch: boolean; kind: ByteKind | undefined } {
    const search = this.#searchIn(buffer);
    const kind = search?.classify(bytes);
    const lacksMatch = kind !== undefined && !kind.hasNul && kind.isUtf8 &&
      !search!.mayMatch(bytes, kind);
    return { lacksMatch, kind };
  }

  /** Feeds a sink the text of a source. It yields between pieces. */
  *feed(source: ByteSource, sink: TextSink, known: Known = {}): Generator<void, FeedOutcome> {
    const encoding = this.#encoding;
    const isAny = this.#isAnyText;
    const bytes = known.bytes ?? source.fill(0);
    if (encoding === undefined && !isAny) {
      return yield* this.#feedUnicode(source, bytes, sink, known);
    }
    if (source.isEndless) {
      const decoder = encoding === undefined
        ? new TextStream(undefined, isAny)
        : new MixedStream(encoding, isAny);
      return yield* this.#feedText(source, bytes, sink, decoder);
    }
    const isWhole = source.isAtEnd;
    const outcome = yield* this.#feedUnicode(source, bytes, sink, known);
    if (!this.#isOtherText(outcome)) return outcome;
    if (isWhole) {
      if (encoding === undefined && this.#lacksText(source.buffer, bytes)) {
        return { state: "read", bytes, longLines: false };
      }
      return this.#feedOther(source.buffer.bytes.subarray(0, bytes), sink);
    }
    if (!source.rewind?.()) return outcome;
    sink.restart();
    const first = source.fill(0);
    return yield* this.#feedText(source, first, sink, new TextStream(encoding, isAny));
  }

  /**
   * Whether a file that is not Unicode text counts as text all the same: because any file does, or
   * in an encoding.
   */
  #isOtherText({ state }: FeedOutcome): boolean {
    if (state !== "binary") return state === "not_utf8";
    return this.#isAnyText || isUtf16(this.#encoding!);
  }

  /** Whether a file of any bytes that is in a buffer as a whole surely holds no match. */
  #lacksText(buffer: ReadBuffer, bytes: number): boolean {
    const search = this.#anyBytesIn(buffer);
    if (search === undefined || this.#isMultiline || this.#mayMatchInvalid) return false;
    return search.candidate(0, bytes) < 0;
  }

  /** What searches a buffer of any bytes; nothing if there is nothing to search for. */
  #anyBytesIn({ memory }: ReadBuffer): ByteSearch | undefined {
    if (memory === undefined || this.#prefilter === undefined) return undefined;
    if (memory !== this.#anySearch?.memory) {
      const prefilter = beyondAscii(this.#prefilter);
      this.#anySearch = prefilter && new ByteSearch(prefilter, memory);
    }
    return this.#anySearch;
  }

  /** Feeds a file that is UTF-8 or marked as UTF-16, of which some bytes are in the buffer. */
  *#feedUnicode(
    source: ByteSource,
    bytes: number,
    sink: TextSink,
    known: Known,
  ): Generator<void, FeedOutcome> {
    const search = this.#searchIn(source.buffer);
    const content = source.buffer.bytes.subarray(0, bytes);
    const isText = search === undefined || this.#isMultiline && !source.isAtEnd ||
      utf16Of(content) !== undefined;
    if (isText) return yield* this.#feedText(source, bytes, sink);
    return source.isAtEnd
      ? this.#feedWhole(content, sink, search, known.kind)
      : yield* this.#feedPieces(source, bytes, sink, search);
  }

  /** Feeds a file that is in its buffer as a whole. */
  #feedWhole(
    content: Uint8Array,
    sink: TextSink,
    search: ByteSearch,
    kind = search.classify(content.length),
  ): FeedOutcome {
    const bytes = content.length;
    if (kind.hasNul) return { state: "binary", bytes };
    if (!kind.isUtf8) return { state: "not_utf8", bytes };
    if (!this.#isMultiline && search.canTell(kind)) {
      this.#feedLines(content, true, true, sink, search);
    } else {
      sink.feed(decodeUtf8(content, true), true);
    }
    return { state: "read", bytes, longLines: false, kind };
  }

  /** Feeds a file that is in its buffer as a whole, and no Unicode text. */
  #feedOther(content: Uint8Array, sink: TextSink): FeedOutcome {
    const encoding = this.#encoding;
    const bytes = content.length;
    const text = decodeAs(encoding, content, this.#isAnyText);
    if (text === undefined) return { state: "binary", bytes };
    sink.feed(text, true);
    return { state: "read", bytes, longLines: false, encoding };
  }

  /** Feeds a file piece by piece, and decodes only what may match. */
  *#feedPieces(
    source: ByteSource,
    first: number,
    sink: TextSink,
    search: ByteSearch,
  ): Generator<void, FeedOutcome> {
    const buffer = source.buffer.bytes;
    const lines = new LineFeeder(sink);
    const pieces = throughLines(lines, sink);
    /** The offset in the file of the bytes that are in the buffer. */
    let offset = 0;
    let filled = first;
    /** Bytes at the start that were held back before: no line ends in them, and none of them is NUL. */
    let held = 0;
    for (;;) {
      const last = source.isAtEnd;
      const newline = buffer.subarray(held, filled).lastIndexOf(LINE_FEED);
      const lineEnd = last ? filled : newline < 0 ? 0 : held + newline + 1;
      const isFull = filled === buffer.length;
      const end = lineEnd === 0 && isFull ? endOfCharacters(buffer, filled) : lineEnd;
      const kind = search.classify(end);
      const hasNul = kind.hasNul || buffer.subarray(Math.max(end, held), filled).includes(0);
      if (hasNul) return { state: "binary", bytes: offset + filled };
      if (!kind.isUtf8) return { state: "not_utf8", bytes: offset + filled };
      const content = buffer.subarray(0, end);
      // The rest is still classified: a binary file is skipped in every mode.
      if (lines.isDone) sink.skip(() => search.countLines(end));
      else if (lines.isAtLineStart && lineEnd > 0 && search.canTell(kind)) {
        this.#feedLines(content, offset === 0, last, pieces, search);
      } else if (end > 0 || last) {
        pieces.feed(decodeUtf8(content, offset === 0), last);
      }
      if (last || sink.isStopped || source.isEndless && sink.isDone) break;
      held = filled - end;
      if (end > 0) buffer.copyWithin(0, end, filled);
      yield;
      offset += end;
      filled = source.fill(held);
    }
    return { state: "read", bytes: offset + filled, longLines: lines.hasLongLine };
  }

  /**
   * Decodes the lines that may match, as long as they are few, and passes over the others.
   *
   * @param content whole lines of the file, or their last piece
   * @param isFirst whether the file starts with them
   * @param isLast whether it ends with them
   */
  #feedLines(
    content: Uint8Array,
    isFirst: boolean,
    isLast: boolean,
    sink: Pick<TextSink, "feed" | "skip">,
    search: ByteSearch,
  ): void {
    const bytes = content.length;
    const most = Math.max(MAX_LONE_LINES, bytes / BYTES_PER_LONE_LINE);
    let start = 0;
    for (let lines = 0; start < bytes; lines++) {
      const candidate = search.candidate(start, bytes);
      if (candidate < 0 && isFirst && isLast && start === 0) return;
      const from = candidate < 0 ? bytes : content.lastIndexOf(LINE_FEED, candidate) + 1;
      const isNumbered = candidate >= 0 || !isLast;
      const isPassed = from <= start ||
        sink.skip(() => isNumbered ? search.countLines(from, start) : 0);
      if (isPassed) start = Math.max(start, from);
      if (isPassed && candidate < 0) return;
      const newline = isPassed && lines < most ? content.indexOf(LINE_FEED, candidate) : -1;
      const end = newline < 0 ? bytes : newline + 1;
      const text = decodeUtf8(content.subarray(start, end), isFirst && start === 0);
      const isMore = sink.feed(text, isLast && end === bytes);
      if (newline < 0 || !isMore) return;
      start = end;
    }
  }

  /** Feeds a file as text and decodes all of it, piece by piece or at once. */
  *#feedText(
    source: ByteSource,
    first: number,
    sink: TextSink,
    decoder: PieceDecoder = new TextStream(undefined, false),
  ): Generator<void, FeedOutcome> {
    const feeder = new TextFeeder(sink, this.#isMultiline, decoder);
    let bytes = first;
    for (let filled = first;;) {
      const last = source.isAtEnd;
      const skip = feeder.push(source.buffer.bytes.subarray(0, filled), last);
      if (skip !== undefined) return { state: skip, bytes };
      if (last || sink.isStopped || source.isEndless && sink.isDone) break;
      yield;
      filled = source.fill(0);
      bytes += filled;
    }
    const { encoding } = decoder;
    return { state: "read", bytes, longLines: feeder.hasLongLine, encoding };
  }
}

/** The letters of ASCII that a character beyond it folds to: the Kelvin sign and the long s. */
const FOLDED_TO = /[ks]/;

/** A prefilter that holds for texts beyond ASCII as well; nothing if too little is left of it. */
function beyondAscii(prefilter: Prefilter): Prefilter | undefined {
  if (!prefilter.isForAscii) return prefilter;
  const anyOf = prefilter.anyOf.map((text) =>
    text.split(FOLDED_TO).reduce((longest, part) => part.length > longest.length ? part : longest)
  );
  const isEnough = anyOf.every((text) => text.length > 1);
  return isEnough ? { anyOf, allOf: [], eitherCase: true, isForAscii: false } : undefined;
}

/** A sink whose lines may come in several pieces. */
function throughLines(lines: LineFeeder, sink: TextSink): Pick<TextSink, "feed" | "skip"> {
  return {
    feed(text, last) {
      lines.push(text, last);
      return !lines.isDone;
    },
    skip: (countLines) => sink.skip(countLines),
  };
}

/** The end of the last whole character before an offset. */
function endOfCharacters(bytes: Uint8Array, end: number): number {
  let start = end - 1;
  while (end - start < 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  const lead = bytes[start]!;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return start + length > end ? start : end;
}
