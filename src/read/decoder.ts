/**
 * Decodes bytes, detects UTF-16 and non-text, and tells which of the other encodings fits a text.
 *
 * @module
 */

import { decoderOf } from "../system/platform.ts";
import type { Decoder } from "../system/types.ts";

/** Why bytes are not text. */
export type NotText = "binary" | "not_utf8";

const lenient = new TextDecoder("utf-8");
const continued = new TextDecoder("utf-8", { ignoreBOM: true });

/** The kind of UTF-16 that a byte-order mark stands for. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Bytes that tell whether a file is UTF-16 without a mark. */
const UTF16_SAMPLE = 1 << 12;
/** The share of characters of ASCII, whose other byte is NUL, from which it is. */
const UTF16_SHARE = 0.4;

/** What no text has: what stands for no character, and control characters. */
const NO_TEXT = /[\p{Cn}\p{Co}\p{Cs}\ufffd]|(?![\t\n\r])\p{Cc}/u;

/**
 * The kind of UTF-16 that a file without a byte-order mark is in, told by the NULs of its ASCII characters:
 * where they are, and that what they stand beside is text. Where few are of ASCII, all has to be text, with
 * a blank or a line end, which is another character or none where its bytes are exchanged.
 */
export function utf16ByNuls(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, UTF16_SAMPLE);
  for (const [nul, label] of [[1, "utf-16le"], [0, "utf-16be"]] as const) {
    let ascii = 0;
    for (let at = 0; at + 1 < sample.length; at += 2) {
      const [byte, other] = [sample[at + 1 - nul]!, sample[at + nul]!];
      if (other !== 0) continue;
      if (byte < 0x20 && !TEXT_CONTROLS.includes(byte)) return undefined;
      ascii++;
    }
    if (ascii >= UTF16_SHARE * (sample.length >> 1)) return label;
  }
  if (isPlainUtf8(sample.filter((byte) => byte !== 0))) return undefined; // a stray NUL
  return (["utf-16le", "utf-16be"] as const).find((label) => {
    const text = new TextDecoder(label).decode(sample, { stream: true });
    return /[\n ]/u.test(text) && !NO_TEXT.test(text);
  });
}

/** The text of bytes that are known to be UTF-8; of the start of a file, without a byte-order mark. */
export function decodeUtf8(bytes: Uint8Array, isStart: boolean): string {
  return (isStart ? lenient : continued).decode(bytes);
}

/** Whether bytes of an encoding hold a NUL for an ordinary character. */
export function isUtf16(encoding: string): boolean {
  return encoding.startsWith("utf-16");
}

/**
 * The text of bytes in a named encoding; nothing if they are not text. What is not a character of
 * the encoding becomes U+FFFD, except in UTF-16, since almost any bytes could be UTF-16.
 *
 * @param encoding a name that `TextDecoder` knows; without it, what the first bytes say
 * @param isAny whether any bytes are text
 */
export function decodeAs(
  encoding: string | undefined,
  bytes: Uint8Array,
  isAny: boolean,
): string | undefined {
  const result = new TextStream(encoding, isAny).decode(bytes, true);
  return "text" in result ? result.text : undefined;
}

export type DecodedPiece = { text: string } | { skip: NotText };

export interface PieceDecoder {
  /** The next piece; `last` ends the file. */
  decode(bytes: Uint8Array, last: boolean): DecodedPiece;
  /** The named encoding, if it was used. */
  readonly encoding: string | undefined;
}

/** Decodes UTF-8, UTF-16 with a byte-order mark, or a named encoding. */
export class TextStream implements PieceDecoder {
  readonly encoding: string | undefined;
  readonly #isAny: boolean;
  #decoder: Decoder | undefined;
  #isUtf16 = false;
  /** Whether no character has come yet: the first may be a byte-order mark. */
  #isStart = true;
  /** A first byte, which may be half of a byte-order mark. */
  #half: number | undefined;

  /**
   * @param encoding what all of the file is in @default what its first bytes say
   * @param isAny whether any bytes are text: NUL as well, and U+FFFD for what is no character
   */
  constructor(encoding: string | undefined, isAny: boolean) {
    this.encoding = encoding;
    this.#isAny = isAny;
    if (encoding === undefined) return;
    this.#isUtf16 = isUtf16(encoding);
    this.#decoder = decoderOf(encoding, {
      fatal: this.#isUtf16 && !isAny,
      ignoreBOM: true,
    });
  }

  decode(bytes: Uint8Array, last: boolean): DecodedPiece {
    if (this.#decoder === undefined) {
      if (this.#half !== undefined) bytes = Uint8Array.of(this.#half, ...bytes);
      if (bytes.length < 2 && !last) {
        this.#half = bytes[0];
        return { text: "" };
      }
      const encoding = utf16Of(bytes);
      this.#isUtf16 = encoding !== undefined;
      this.#decoder = new TextDecoder(encoding ?? "utf-8", {
        fatal: !this.#isUtf16 && !this.#isAny,
        ignoreBOM: true,
      });
    }
    if (this.#isAny) return { text: this.#decode(this.#decoder, bytes, last) };
    if (!this.#isUtf16 && bytes.includes(0)) return { skip: "binary" };
    try {
      const text = this.#decode(this.#decoder, bytes, last);
      const isNoText = this.encoding !== undefined && this.#isUtf16 && text.includes("\0");
      return isNoText ? { skip: "binary" } : { text };
    } catch {
      return { skip: this.encoding === undefined ? "not_utf8" : "binary" };
    }
  }

  /** Drops a byte-order mark only at the start; Deno's decoder drops one at the start of each piece. */
  #decode(decoder: Decoder, bytes: Uint8Array, last: boolean): string {
    const text = decoder.decode(bytes, { stream: !last });
    const isMarked = this.#isStart && text.startsWith("\ufeff") && /^utf-/.test(decoder.encoding);
    if (text !== "") this.#isStart = false;
    return isMarked ? text.slice(1) : text;
  }
}

/**
 * Decodes input that cannot be read again, such as standard input: as UTF-8 up to the first line that is not,
 * and from there on in a named encoding. Where that is UTF-16, all of it is in one of the two, since half
 * of a UTF-16 character may look like a line end.
 */
export class MixedStream implements PieceDecoder {
  encoding: string | undefined;
  readonly #fallback: string;
  readonly #isAny: boolean;
  #stream: TextStream | undefined;
  #isStart = true;
  #held = new Uint8Array();

  /**
   * @param fallback the encoding of what is not UTF-8
   * @param isAny whether any bytes are text
   */
  constructor(fallback: string, isAny: boolean) {
    this.#fallback = fallback;
    this.#isAny = isAny;
  }

  decode(bytes: Uint8Array, last: boolean): DecodedPiece {
    if (this.#stream !== undefined) return this.#stream.decode(bytes, last);
    const held = this.#held = concatenated(this.#held, bytes);
    if (this.#isStart && held.length < 2 && !last) return { text: "" };
    if (this.#isStart && utf16Of(held) !== undefined) return this.#goOn(undefined, held, last);
    return isUtf16(this.#fallback) ? this.#decodeWide(held, last) : this.#decodeLines(held, last);
  }

  /** Decides on the whole of the input by its beginning. */
  #decodeWide(held: Uint8Array, last: boolean): DecodedPiece {
    const telling = held.subarray(0, MAX_TELLING_BYTES);
    if (last) return this.#goOn(isUtf8(held) ? undefined : this.#fallback, held, last);
    if (telling.length < MIN_TELLING_BYTES) return { text: "" };
    if (isPlainUtf8(telling)) return this.#goOn(undefined, held, last);
    const isUnsure = telling.length < MAX_TELLING_BYTES && !telling.includes(0);
    return isUnsure ? { text: "" } : this.#goOn(this.#fallback, held, last);
  }

  #decodeLines(held: Uint8Array, last: boolean): DecodedPiece {
    if (!this.#isAny && held.includes(0)) return { skip: "binary" };
    const lineEnd = held.lastIndexOf(LINE_FEED) + 1;
    const isLong = lineEnd === 0 && held.length > MAX_HELD_BYTES;
    const end = last ? held.length : isLong ? lastCharacter(held) : lineEnd;
    const start = firstOther(held.subarray(0, end));
    const text = decodeUtf8(held.subarray(0, start), this.#isStart);
    if (end > 0) this.#isStart = false;
    this.#held = held.slice(start);
    if (start === end) return { text };
    const rest = this.#goOn(this.#fallback, this.#held, last);
    return "skip" in rest ? rest : { text: text + rest.text };
  }

  /** Reads what is held and all that follows in one encoding; nothing: in Unicode. */
  #goOn(encoding: string | undefined, held: Uint8Array, last: boolean): DecodedPiece {
    this.encoding = encoding;
    this.#stream = new TextStream(encoding, this.#isAny);
    this.#held = new Uint8Array();
    return this.#stream.decode(held, last);
  }
}

const LINE_FEED = 10;
/** The fewest and the most bytes that decide between UTF-8 and UTF-16. */
const MIN_TELLING_BYTES = 64;
const MAX_TELLING_BYTES = 4096;
/** The encoding of a longer line is decided part by part. */
const MAX_HELD_BYTES = 1 << 20;
/** Control characters that are frequent in text: tab, line feed, carriage return, escape. */
const TEXT_CONTROLS: readonly number[] = [0x09, LINE_FEED, 0x0d, 0x1b];

function concatenated(before: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(before.length + bytes.length);
  whole.set(before);
  whole.set(bytes, before.length);
  return whole;
}

/** Where the last character begins, in UTF-8: the rest of it may not have arrived yet. */
function lastCharacter(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}
const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * Whether bytes are UTF-8 and not UTF-16. As UTF-16 they would be ideographs: of any other script each
 * second byte is a control character or NUL, and of ideographs not all would be UTF-8.
 */
function isPlainUtf8(bytes: Uint8Array): boolean {
  const controls = bytes.filter((byte) => byte < 0x20);
  return 4 * controls.length <= bytes.length &&
    controls.every((byte) => TEXT_CONTROLS.includes(byte)) &&
    isUtf8(bytes.subarray(0, lastCharacter(bytes)));
}

/** Where the first line begins that is not UTF-8 text. */
function firstOther(lines: Uint8Array): number {
  if (isUtf8(lines)) return lines.length;
  let start = 0;
  for (;;) {
    const end = lines.indexOf(LINE_FEED, start) + 1 || lines.length;
    if (!isUtf8(lines.subarray(start, end))) return start;
    start = end;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

/**
 * Encodings that are tried on what is not UTF-8, where bytes alone do not tell a text: those of more than one
 * byte a character come first, since any bytes are text in the others.
 */
export const ENCODINGS: readonly string[] = [
  ...["gbk", "shift_jis", "euc-jp", "euc-kr", "big5", "windows-1252", "windows-1251", "koi8-r"],
  ...["ibm866", "windows-1250", "macintosh", "utf-16le", "utf-16be"],
];
/** The others of the Encoding Standard. */
export const RARE_ENCODINGS: readonly string[] = [
  ...["gb18030", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257"],
  ...["windows-1258", "windows-874", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5"],
  ...["iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14"],
  ...["iso-8859-15", "iso-8859-16", "koi8-u", "x-mac-cyrillic"],
];

const KANA = /^[\p{Script=Han}\u3041-\u30ff]+$/u;
const [HAN, HANGUL] = [/^\p{Script=Han}+$/u, /^\p{Script=Hangul}+$/u];
const LATIN = /^(?:\p{Script=Latin}?[\p{Script=Latin}&&\p{Ll}]+|[\p{Script=Latin}&&\p{Lu}]+)$/v;
const CYRILLIC = /^\p{Script=Cyrillic}?[\p{Script=Cyrillic}&&\p{Ll}]+$/v;
/** Bytes that tell an encoding, and how much better than those before one has to be. */
const SAMPLE_BYTES = 1 << 16;
const MARGIN = 1.2;

/** The bytes in words that are too few to tell, and how many others that fit are named then. */
const FEW = 24;
const MAX_OTHERS = 2;

/** The encoding that fits a text best which is neither UTF-8 nor binary, and others that it may be in. */
export function fittingEncodings(bytes: Uint8Array): readonly [best: string, ...others: string[]] {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const all = ENCODINGS.filter((label) => !label.startsWith("utf-16")).map((label) => {
    const text = decoderOf(label).decode(sample);
    return { label, text, score: scoreOf(text, /jis|jp/.test(label)) };
  });
  const best = all.reduce((best, one) => one.score > MARGIN * Math.max(0, best.score) ? one : best);
  const isNear = (score: number) =>
    MARGIN * score >= best.score || best.score < FEW && score >= 0 && 2 * (score + 1) >= best.score;
  const others = all.filter(({ text, score }) => text !== best.text && isNear(score))
    .sort((a, b) => b.score - a.score);
  return [best.label, ...others.slice(0, MAX_OTHERS).map(({ label }) => label)];
}

/** How many bytes beyond ASCII make words as they are written: of one script, and in its letter case. */
function scoreOf(text: string, isJapanese: boolean): number {
  let score = -2 * (text.match(/[\ufffd\x80-\x9f\u2500-\u259f]/g)?.length ?? 0);
  for (const [word] of text.matchAll(/[\p{L}\p{M}ー]+/gu)) {
    const beyond = word.replace(/[\0-\x7f]/g, "").length;
    if (beyond === 0) continue;
    // The characters of two bytes are likely by chance in Chinese alone.
    if (HAN.test(word)) score += beyond;
    else if (HANGUL.test(word) || isJapanese && KANA.test(word)) score += 2 * beyond;
    else if (CYRILLIC.test(word) || LATIN.test(word) && 2 * beyond <= word.length + 1) {
      score += beyond;
    } else score -= beyond;
  }
  return score;
}
