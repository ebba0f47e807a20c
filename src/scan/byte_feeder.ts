/**
 * Applies the prefilter to the bytes of a file, decodes the lines that may match, and feeds them to a sink.
 *
 * @module
 */

import type { Prefilter } from "../regex/prefilter.ts";
import { type ByteKind, ByteSearch } from "./byte_search.ts";
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
import { BytePieces, feedLines, type Pieces, TextPieces } from "./piece_feeder.ts";
import type { SearchJob } from "./job.ts";
import type { ReadBuffer } from "./read_buffer.ts";
import type { FeedOutcome, TextSink } from "./text_feeder.ts";

/** The options of a search that a feeder needs. */
export interface FeederOptions extends Pick<SearchJob, "encoding" | "isAnyText"> {
  plan: Pick<SearchJob["plan"], "prefilter" | "multiline">;
}

export class ByteFeeder {
  readonly #prefilter: Prefilter | undefined;
  /** Searches the buffer of the last file. */
  #search: ByteSearch | undefined;
  /** The same for bytes that are not UTF-8. */
  #anySearch: ByteSearch | undefined;
  readonly #isMultiline: boolean;
  readonly #encoding: string | undefined;
  readonly #isAnyText: boolean;
  /** Whether a match may contain U+FFFD, which stands for invalid bytes. */
  readonly #mayMatchInvalid: boolean;

  constructor({ plan, encoding, isAnyText }: FeederOptions) {
    const { prefilter } = plan;
    this.#prefilter = prefilter;
    this.#isMultiline = plan.multiline;
    this.#encoding = encoding;
    this.#isAnyText = isAnyText;
    const { anyOf = [], allOf = [] } = prefilter ?? {};
    this.#mayMatchInvalid = [...anyOf, ...allOf].some((text) => text.includes("\ufffd"));
  }

  /** The search of a buffer; nothing if the processor or the system does not support it. */
  #searchIn({ memory }: ReadBuffer): ByteSearch | undefined {
    if (memory !== this.#search?.memory) {
      this.#search = memory && new ByteSearch(this.#prefilter, memory);
    }
    return this.#search;
  }

  /**
   * Whether a file that is in a buffer as a whole is text that surely holds no match, and the kind of
   * its bytes.
   */
  look(buffer: ReadBuffer, bytes: number): { lacksMatch: boolean; kind: ByteKind | undefined } {
    const search = this.#searchIn(buffer);
    const kind = search?.classify(bytes);
    const lacksMatch = kind !== undefined && !kind.hasNul && kind.isUtf8 &&
      !search!.mayMatch(bytes, kind);
    return { lacksMatch, kind };
  }

  /** Feeds a sink the text of a source, all `bytes` of which are in its buffer; `kind` if that is known. */
  feed(source: ByteSource, sink: TextSink, bytes: number, kind?: ByteKind): FeedOutcome {
    const content = source.buffer.bytes.subarray(0, bytes);
    const outcome = this.#feedUnicode(source, content, sink, kind);
    if (!this.#isOtherText(outcome)) return outcome;
    if (this.#encoding === undefined && this.#lacksText(source.buffer, bytes)) {
      return { state: "read", bytes, longLines: false };
    }
    return this.#feedOther(content, sink);
  }

  /** The text of a source in pieces, to feed a sink; `bytes` of it are in its buffer. */
  pieces(source: ByteSource, bytes: number, sink: TextSink): Pieces {
    const encoding = this.#encoding;
    const isAny = this.#isAnyText;
    const mayBeOther = encoding !== undefined || isAny;
    const asText = (decoder?: PieceDecoder, filled = bytes) =>
      new TextPieces(source, filled, sink, this.#isMultiline, decoder);
    if (mayBeOther && source.isEndless) {
      return asText(
        encoding === undefined
          ? new TextStream(undefined, isAny)
          : new MixedStream(encoding, isAny),
      );
    }
    if (source.isAtEnd) return { next: () => this.feed(source, sink, bytes) };
    const search = this.#searchIn(source.buffer);
    const isMarked = utf16Of(source.buffer.bytes.subarray(0, bytes)) !== undefined;
    let pieces: Pieces = search === undefined || this.#isMultiline || isMarked
      ? asText()
      : new BytePieces(source, bytes, sink, search);
    let isUnicode = true;
    return {
      next: () => {
        const outcome = pieces.next();
        if (outcome === undefined || !isUnicode || !this.#isOtherText(outcome)) return outcome;
        if (!source.rewind?.()) return outcome;
        isUnicode = false;
        sink.restart();
        pieces = asText(new TextStream(encoding, isAny), source.fill(0));
        return undefined;
      },
    };
  }

  /** Whether a file that is not Unicode text counts as text: because any file does, or in an encoding. */
  #isOtherText({ state }: FeedOutcome): boolean {
    const encoding = this.#encoding;
    if (encoding === undefined && !this.#isAnyText) return false;
    if (state !== "binary") return state === "not_utf8";
    return this.#isAnyText || isUtf16(encoding!);
  }

  /** Whether a file of any bytes that is in a buffer as a whole surely holds no match. */
  #lacksText(buffer: ReadBuffer, bytes: number): boolean {
    const search = this.#anyBytesIn(buffer);
    if (search === undefined || this.#isMultiline || this.#mayMatchInvalid) return false;
    return search.candidate(0, bytes) < 0;
  }

  /** The search of a buffer of any bytes; nothing if there is nothing to search for. */
  #anyBytesIn({ memory }: ReadBuffer): ByteSearch | undefined {
    if (memory === undefined || this.#prefilter === undefined) return undefined;
    if (memory !== this.#anySearch?.memory) {
      const prefilter = beyondAscii(this.#prefilter);
      this.#anySearch = prefilter && new ByteSearch(prefilter, memory);
    }
    return this.#anySearch;
  }

  /** Feeds a file that is UTF-8 or marked as UTF-16. */
  #feedUnicode(
    source: ByteSource,
    content: Uint8Array,
    sink: TextSink,
    known: ByteKind | undefined,
  ): FeedOutcome {
    const bytes = content.length;
    const search = this.#searchIn(source.buffer);
    if (search === undefined || utf16Of(content) !== undefined) {
      return new TextPieces(source, bytes, sink, this.#isMultiline).next()!;
    }
    const kind = known ?? search.classify(bytes);
    if (kind.hasNul) return { state: "binary", bytes };
    if (!kind.isUtf8) return { state: "not_utf8", bytes };
    if (!this.#isMultiline && search.canTell(kind)) feedLines(content, true, true, sink, search);
    else sink.feed(decodeUtf8(content, true), true);
    return { state: "read", bytes, longLines: false, kind };
  }

  /** Feeds a file that is in its buffer as a whole and is not Unicode text. */
  #feedOther(content: Uint8Array, sink: TextSink): FeedOutcome {
    const encoding = this.#encoding;
    const bytes = content.length;
    const text = decodeAs(encoding, content, this.#isAnyText);
    if (text === undefined) return { state: "binary", bytes };
    sink.feed(text, true);
    return { state: "read", bytes, longLines: false, encoding };
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
