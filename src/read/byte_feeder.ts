/**
 * Applies the prefilter to the bytes of a file, decodes the lines that may match, and feeds them to a sink.
 *
 * @module
 */

import type { Prefilter } from "../regex/pattern_plan.ts";
import { type ByteKind, ByteSearch, type ReadBuffer } from "./byte_search.ts";
import type { ByteSource, FeedOutcome, ReadOptions } from "./files.ts";
import {
  decodeAs,
  decodeUtf8,
  isUtf16,
  MixedStream,
  type PieceDecoder,
  TextStream,
  utf16ByNuls,
  utf16Of,
} from "./decoder.ts";
import { BytePieces, feedLines, type Pieces, TextPieces, type TextSink } from "./piece_feeder.ts";
import type { Left } from "../walk/listing.ts";

/** The options of a search that a feeder needs. */
export interface FeederOptions
  extends Pick<ReadOptions, "plan" | "encoding" | "isAnyText" | "further" | "withoutMatch"> {
  /** Tells the encoding of what is not UTF-8 by its first bytes. @default those of `further` are tried */
  encodingFor?: ((content: Uint8Array) => string) | undefined;
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
  readonly #further: ReadOptions["further"];
  readonly #withoutMatch: boolean;
  readonly #encodingFor: FeederOptions["encodingFor"];
  /** Whether a match may contain U+FFFD, which stands for invalid bytes. */
  readonly #mayMatchInvalid: boolean;

  constructor(options: FeederOptions) {
    const { plan, encoding, isAnyText, further, withoutMatch, encodingFor } = options;
    this.#encodingFor = encodingFor;
    const { prefilter } = plan;
    this.#prefilter = prefilter;
    this.#isMultiline = plan.multiline;
    this.#encoding = encoding;
    this.#isAnyText = isAnyText;
    this.#further = further;
    this.#withoutMatch = withoutMatch;
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
    const isText = kind !== undefined && !kind.hasNul && kind.isUtf8;
    const telling = isText ? this.#tellingOf(buffer, kind) : undefined;
    return { lacksMatch: telling !== undefined && telling.candidate(0, bytes) < 0, kind };
  }

  /** What can tell whether text of a kind may match; nothing if no literal is left that could. */
  #tellingOf(buffer: ReadBuffer, kind: ByteKind): ByteSearch | undefined {
    const search = this.#searchIn(buffer);
    return search?.canTell(kind) ? search : this.#anyBytesIn(buffer);
  }

  /** Feeds a sink the text of a source, all `bytes` of which are in its buffer; `kind` if that is known. */
  feed(source: ByteSource, sink: TextSink, bytes: number, kind?: ByteKind): FeedOutcome {
    const content = source.buffer.bytes.subarray(0, bytes);
    const outcome = this.#feedUnicode(source, content, sink, kind);
    if (!this.#isOtherText(outcome)) return outcome;
    let encoding: string | undefined;
    for (encoding of this.#encodingsOf(outcome, content)) {
      if (encoding === undefined && this.#lacksText(source.buffer, bytes)) continue;
      const text = decodeAs(encoding, content, this.#isAnyIn(outcome));
      if (text === undefined) return { state: "binary", bytes };
      sink.restart();
      sink.feed(text, true);
      if (this.#isMatched(sink) || sink.isStopped) break;
    }
    return this.#readAs(encoding, outcome, { state: "read", bytes, longLines: false });
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
      : new BytePieces(source, bytes, sink, search, (kind) => this.#tellingOf(source.buffer, kind));
    let other: FeedOutcome | undefined;
    let encodings: (string | undefined)[] | undefined;
    let tried: string | undefined;
    return {
      next: () => {
        const outcome = pieces.next();
        if (outcome === undefined) return undefined;
        if (other === undefined && !this.#isOtherText(outcome)) return outcome;
        const isLast = encodings?.length === 0 || sink.isStopped;
        if (other !== undefined && (this.#isMatched(sink) || isLast)) {
          return this.#readAs(tried, other, outcome);
        }
        if (!source.rewind?.()) return outcome;
        other ??= outcome;
        sink.restart();
        const filled = source.fill(0);
        encodings ??= this.#encodingsOf(other, source.buffer.bytes.subarray(0, filled));
        tried = encodings.shift();
        pieces = asText(new TextStream(tried, this.#isAnyIn(other)), filled);
        return undefined;
      },
    };
  }

  /** The encodings in which to read a file that is not Unicode text, until one matches; `undefined`: any text. */
  #encodingsOf({ state }: FeedOutcome, content: Uint8Array): (string | undefined)[] {
    const isNamed = this.#further?.isAsked && this.#encoding !== undefined;
    if (this.#further === undefined || isNamed) return [this.#encoding];
    if (state === "not_utf8") {
      const told = this.#encoding === undefined ? this.#encodingFor?.(content) : undefined;
      return told === undefined ? [this.#encoding, ...this.#further.encodings] : [told];
    }
    const isWide = this.#encoding !== undefined && isUtf16(this.#encoding);
    const likely = isWide ? this.#encoding : utf16ByNuls(content);
    const { encodings, isAsked } = this.#further;
    return isAsked ? [...new Set([likely, undefined, ...encodings.filter(isUtf16)])] : [likely];
  }

  /** Whether more of a text than its encoding has is read: NULs, and U+FFFD for what is no character. */
  #isAnyIn({ state }: FeedOutcome): boolean {
    return this.#isAnyText || state === "not_utf8" && this.#further?.isAsked === true;
  }

  /** Whether a file matches, as far as it was fed. */
  #isMatched(sink: TextSink): boolean {
    return sink.isHit !== this.#withoutMatch;
  }

  /** The outcome of reading such a file; in a further pass, with the reason why a search did not. */
  #readAs(encoding: string | undefined, other: FeedOutcome, outcome: FeedOutcome): FeedOutcome {
    if (outcome.state !== "read") return outcome;
    const isNamed = encoding !== undefined && encoding === this.#encoding;
    const wasRead = encoding === undefined
      ? this.#further?.isAnyText
      : isNamed || this.#further?.isAsked;
    if (this.#further === undefined || wasRead) return { ...outcome, encoding };
    const isBinary = other.state === "binary" && encoding === undefined;
    const left: Left = isBinary
      ? { reason: "binary" }
      : { reason: "not_utf8", ...(encoding !== undefined && { by: encoding }) };
    return { ...outcome, left: [left] };
  }

  /** Whether a file that is not Unicode text counts as text: because any file does, or in an encoding. */
  #isOtherText({ state }: FeedOutcome): boolean {
    const encoding = this.#encoding;
    if (state === "not_utf8") {
      return encoding !== undefined || this.#isAnyText || this.#further?.isAsked === true;
    }
    if (state !== "binary" || encoding === undefined && !this.#isAnyText) return false;
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
    const telling = this.#isMultiline ? undefined : this.#tellingOf(source.buffer, kind);
    if (telling !== undefined) feedLines(content, true, true, sink, telling);
    else sink.feed(decodeUtf8(content, true), true);
    return { state: "read", bytes, longLines: false, kind };
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
