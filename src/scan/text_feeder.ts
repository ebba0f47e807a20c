/**
 * Feeds a sink text that comes in pieces: by lines, with memory bounded whatever the longest line is, or
 * all at once.
 *
 * @module
 */

import type { ByteKind } from "./byte_search.ts";
import type { Left } from "./left.ts";
import type { NotText, PieceDecoder } from "./decoder.ts";

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

/** Why some of a text is missing: it unpacks to too much, is damaged, or is packed in another way. */
export type Lack = "too_large" | "damaged" | "archives";

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
    /** In a further pass, why a search does not read it, or not all of it. */
    left?: readonly Left[];
    /** Why not all of its text was read, if so. */
    lacks?: Lack | undefined;
    /** The kind of archive that it is, with `everything`. */
    archive?: string | undefined;
  }
  | { state: NotText | "too_large"; bytes: number };

export class LineFeeder {
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

export class TextFeeder {
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
