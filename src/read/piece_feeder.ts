/**
 * Feeds a sink text that comes in pieces, as large files and standard input do: by lines, with memory bounded
 * whatever the longest line is, or all at once.
 *
 * @module
 */

import type { ByteKind, ByteSearch } from "./byte_search.ts";
import { decodeUtf8, type NotText, type PieceDecoder, TextStream } from "./decoder.ts";
import type { ByteSource, FeedOutcome } from "./files.ts";

/** The most characters of one line: without a limit, memory would grow with the file. */
export const MAX_LINE_CHARS: number = 1 << 24;
/** The most characters of a text whose matches may span lines. */
const MAX_MULTILINE_CHARS = 1 << 27;

/** Takes the text of a file. */
export interface TextSink {
  /**
   * Takes whole lines, but for the last piece.
   *
   * @param hasReturns whether lines may end with `\r\n`; else all of them end with `\n` @default true
   * @returns whether more is wanted
   */
  feed(text: string, last: boolean, hasReturns?: boolean): boolean;
  /** Whether the search is over, and with it this file. */
  readonly isStopped: boolean;
  /** Whether the rest of the file cannot change anything. */
  readonly isDone: boolean;
  /**
   * Takes note of whole lines without a match instead of being fed their text; `false` if it needs the text.
   * A file whose rest is skipped has no last piece, and the lines of that rest need not be counted.
   */
  skip(countLines: () => number): boolean;
  /** Whether the file, as far as it was fed, is part of the answer. */
  readonly isHit: boolean;
  /** Forgets the part of the file that was fed. */
  restart(): void;
}

class LineFeeder {
  /** Whether a line was cut. */
  hasLongLine = false;
  isDone = false;
  readonly #sink: Pick<TextSink, "feed">;
  #held = "";
  #dropping = false;

  constructor(sink: Pick<TextSink, "feed">) {
    this.#sink = sink;
  }

  get isAtLineStart(): boolean {
    return this.#held === ""; // of a line that is dropped, the beginning is held
  }

  /** Takes the next piece; `last` ends the text. */
  push(text: string, last: boolean): void {
    if (this.isDone) return;
    if (this.#dropping) {
      const end = text.indexOf("\n");
      text = end < 0 ? "" : text.slice(end);
      this.#dropping = end < 0;
    }
    const end = last ? text.length : text.lastIndexOf("\n") + 1;
    if (end > 0 || last) {
      this.isDone = !this.#sink.feed(this.#held + text.slice(0, end), last);
      this.#held = text.slice(end);
    } else {
      this.#held += text;
    }
    if (this.#held.length > MAX_LINE_CHARS) {
      this.#held = this.#held.slice(0, MAX_LINE_CHARS);
      this.#dropping = this.hasLongLine = true;
    }
  }
}

class TextFeeder {
  readonly #decoder: PieceDecoder;
  readonly #lines: LineFeeder;
  readonly #sink: Pick<TextSink, "feed">;
  readonly #isMultiline: boolean;
  #whole = "";
  /** A carriage return at the end of a piece, which may be half of a line end. */
  #heldReturn = "";

  /** @param isMultiline whether the sink wants the whole text at once */
  constructor(sink: Pick<TextSink, "feed">, isMultiline: boolean, decoder: PieceDecoder) {
    this.#sink = sink;
    this.#decoder = decoder;
    this.#lines = new LineFeeder(sink);
    this.#isMultiline = isMultiline;
  }

  get hasLongLine(): boolean {
    return this.#lines.hasLongLine;
  }

  /**
   * Takes the next piece; `last` ends the text. Returns why it is not text, if so; feed nothing more
   * then.
   */
  push(bytes: Uint8Array, last: boolean): NotText | "too_large" | undefined {
    const decoded = this.#decoder.decode(bytes, last);
    if ("skip" in decoded) return decoded.skip;
    if (!this.#isMultiline) {
      this.#lines.push(decoded.text, last);
      return undefined;
    }
    // Piece by piece, since this would take too long in all of the text at once.
    const text = this.#heldReturn + decoded.text;
    this.#heldReturn = !last && text.endsWith("\r") ? "\r" : "";
    this.#whole += text.slice(0, text.length - this.#heldReturn.length).replaceAll("\r\n", "\n");
    if (this.#whole.length > MAX_MULTILINE_CHARS) return "too_large";
    if (last) this.#sink.feed(this.#whole, true, false);
    return undefined;
  }
}

const LINE_FEED = 10;
/** Of a file with more lines that may match, or more for its size, the rest is decoded at once. */
const MAX_LONE_LINES = 16;
const BYTES_PER_LONE_LINE = 4096;

export interface Pieces {
  /** Feeds the next piece; returns the outcome, if that was the last one. */
  next(): FeedOutcome | undefined;
}

/** Pieces that are decoded as a whole. */
export class TextPieces implements Pieces {
  readonly #source: ByteSource;
  readonly #sink: TextSink;
  readonly #decoder: PieceDecoder;
  readonly #feeder: TextFeeder;
  #bytes: number;
  /** The bytes in the buffer that are not fed yet. */
  #filled: number | undefined;

  constructor(
    source: ByteSource,
    first: number,
    sink: TextSink,
    isMultiline: boolean,
    decoder: PieceDecoder = new TextStream(undefined, false),
  ) {
    this.#source = source;
    this.#sink = sink;
    this.#decoder = decoder;
    this.#feeder = new TextFeeder(sink, isMultiline, decoder);
    this.#filled = this.#bytes = first;
  }

  next(): FeedOutcome | undefined {
    const source = this.#source;
    const isFirst = this.#filled !== undefined;
    const filled = this.#filled ?? source.fill(0);
    this.#filled = undefined;
    if (!isFirst) this.#bytes += filled;
    const last = source.isAtEnd;
    const skip = this.#feeder.push(source.buffer.bytes.subarray(0, filled), last);
    const bytes = this.#bytes;
    if (skip !== undefined) return { state: skip, bytes };
    if (!last && isWanted(source, this.#sink)) return undefined;
    const { encoding } = this.#decoder;
    return { state: "read", bytes, longLines: this.#feeder.hasLongLine, encoding };
  }
}

/** Pieces of UTF-8 of which only what may match is decoded. */
export class BytePieces implements Pieces {
  readonly #source: ByteSource;
  readonly #sink: TextSink;
  readonly #search: ByteSearch;
  readonly #tellingOf: (kind: ByteKind) => ByteSearch | undefined;
  readonly #lines: LineFeeder;
  /** The sink, to which lines may come in several pieces. */
  readonly #lineSink: Pick<TextSink, "feed" | "skip">;
  /** The offset in the file of the bytes that are in the buffer. */
  #offset = 0;
  #filled: number | undefined;
  /** Bytes at the start that were held back before: no line ends in them, and none of them is NUL. */
  #held = 0;

  /** @param tellingOf what can tell whether text of a kind may match */
  constructor(
    source: ByteSource,
    first: number,
    sink: TextSink,
    search: ByteSearch,
    tellingOf: (kind: ByteKind) => ByteSearch | undefined,
  ) {
    this.#source = source;
    this.#filled = first;
    this.#sink = sink;
    this.#search = search;
    this.#tellingOf = tellingOf;
    const lines = this.#lines = new LineFeeder(sink);
    this.#lineSink = {
      feed(text, last) {
        lines.push(text, last);
        return !lines.isDone;
      },
      skip: (countLines) => sink.skip(countLines),
    };
  }

  next(): FeedOutcome | undefined {
    const [source, sink, search, held] = [this.#source, this.#sink, this.#search, this.#held];
    const filled = this.#filled ?? source.fill(held);
    this.#filled = undefined;
    const buffer = source.buffer.bytes;
    const last = source.isAtEnd;
    const newline = buffer.subarray(held, filled).lastIndexOf(LINE_FEED);
    const lineEnd = last ? filled : newline < 0 ? 0 : held + newline + 1;
    const isFull = filled === buffer.length;
    const end = lineEnd === 0 && isFull ? endOfCharacters(buffer, filled) : lineEnd;
    const bytes = this.#offset + filled;
    const kind = search.classify(end);
    const hasNul = kind.hasNul || buffer.subarray(Math.max(end, held), filled).includes(0);
    if (hasNul) return { state: "binary", bytes };
    if (!kind.isUtf8) return { state: "not_utf8", bytes };
    const telling = this.#lines.isAtLineStart && lineEnd > 0 ? this.#tellingOf(kind) : undefined;
    if (end > 0 || last) this.#feed(buffer.subarray(0, end), last, telling);
    if (last || !isWanted(source, sink)) {
      return { state: "read", bytes, longLines: this.#lines.hasLongLine };
    }
    this.#held = filled - end;
    if (end > 0) buffer.copyWithin(0, end, filled);
    this.#offset += end;
    return undefined;
  }

  #feed(content: Uint8Array, last: boolean, telling: ByteSearch | undefined): void {
    const isFirst = this.#offset === 0;
    // The rest is still classified: a binary file is skipped in every mode.
    if (this.#lines.isDone) this.#sink.skip(() => this.#search.countLines(0, content.length));
    else if (telling !== undefined) feedLines(content, isFirst, last, this.#lineSink, telling);
    else this.#lineSink.feed(decodeUtf8(content, isFirst), last);
  }
}

/** Whether more of a source is to be read: a file is read to its end, since it may turn out not to be text. */
function isWanted({ isEndless }: ByteSource, sink: TextSink): boolean {
  return !sink.isStopped && !(isEndless && sink.isDone);
}

/**
 * Decodes the lines that may match, as long as they are few, and passes over the others, unless the sink
 * wants them: for context, or for lines that do not match. `content` is whole lines of the file, or their
 * last piece.
 */
export function feedLines(
  content: Uint8Array,
  isFirst: boolean,
  isLast: boolean,
  sink: Pick<TextSink, "feed" | "skip">,
  search: ByteSearch,
): void {
  const bytes = content.length;
  const most = Math.max(MAX_LONE_LINES, bytes / BYTES_PER_LONE_LINE);
  let start = 0;
  let candidate = search.candidate(0, bytes);
  if (candidate < 0 && isFirst && isLast) return;
  for (let lines = 0; start < bytes; lines++) {
    const from = candidate < 0 ? bytes : content.lastIndexOf(LINE_FEED, candidate) + 1;
    const isNumbered = candidate >= 0 || !isLast;
    const isPassed = from <= start ||
      sink.skip(() => isNumbered ? search.countLines(start, from) : 0);
    if (isPassed) {
      if (candidate < 0) return;
      start = Math.max(start, from);
    }
    const newline = isPassed && lines < most ? content.indexOf(LINE_FEED, candidate) : -1;
    const end = newline < 0 ? bytes : newline + 1;
    const text = decodeUtf8(content.subarray(start, end), isFirst && start === 0);
    if (!sink.feed(text, isLast && end === bytes)) return;
    start = end;
    candidate = search.candidate(start, bytes);
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
