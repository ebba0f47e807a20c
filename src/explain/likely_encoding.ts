/**
 * Guesses the encoding of a text that is not UTF-8 from its bytes and from the text that is searched for.
 *
 * Each encoding is charged for what it makes of the bytes, in bits: little for frequent letters of its
 * languages, much for what no text holds. The cheapest is named if the next one costs clearly more, or
 * if it alone has the text that is searched for.
 *
 * @module
 */

import { isUtf16 } from "../scan/decoder.ts";
import { FREQUENT, isUsual } from "./frequent_letters.ts";

/** Bytes that are weighed: of lines beyond ASCII, or in UTF-16. */
const MAX_SAMPLE = 1 << 12;
/** Bits that the next encoding must cost more; half of it where the searched text is in it. */
const MARGIN = 8;
/** Bits for each byte beyond ASCII that text costs, at most. */
const MOST_PER_BYTE = 6.5;
/** A searched text decides alone from this many bytes beyond ASCII. */
const TELLING_BYTES = 4;
/** Bytes of UTF-16, at least. */
const MIN_UTF16_BYTES = 4;
/** From this share of NULs on, bytes are no text of one byte a character. */
const NUL_SHARE = 1 / 4;
/** Scripts of the letters in one text; kana, Han and Latin are three. */
const MAX_SCRIPTS = 3;

/** Bits for a character that is no frequent letter. */
const COST = {
  punctuation: 6,
  symbol: 8,
  letter: 10,
  strange: 14,
  control: 24,
  rareHan: 12,
  /** A capital letter after a small one, or a letter in a row of what stands alone as a rule. */
  misplaced: 5,
  /** A letter of another script beside one of ASCII. */
  mixed: 8,
} as const;

/** `bits`: what the encoding costs because it is rare. */
type Language = readonly [label: string, letters: keyof typeof FREQUENT, bits: number];

/** Of those that give the same text, the first is preferred. */
const LANGUAGES: readonly Language[] = [
  ["windows-1252", "western", 0],
  ["gbk", "simplified", 0],
  ["shift_jis", "japanese", 0],
  ["euc-jp", "japanese", 0],
  ["euc-kr", "korean", 0],
  ["big5", "traditional", 0],
  ["windows-1251", "cyrillic", 0],
  ["koi8-r", "cyrillic", 0],
  ["ibm866", "cyrillic", 2],
  ["iso-8859-5", "cyrillic", 6],
  ["x-mac-cyrillic", "cyrillic", 10],
  ["koi8-u", "cyrillic", 8],
  ["windows-1250", "central", 3],
  ["iso-8859-2", "central", 3],
  ["windows-1254", "turkish", 6],
  ["windows-1257", "baltic", 6],
  ["windows-1253", "greek", 3],
  ["iso-8859-7", "greek", 3],
  ["windows-1255", "hebrew", 3],
  ["windows-1256", "arabic", 3],
  ["windows-874", "thai", 3],
  ["iso-8859-15", "western", 6],
  ["macintosh", "western", 10],
];

/** An encoding, by its label in the Encoding Standard. */
export interface LikelyEncoding {
  label: string;
  /** Whether no other is as likely; if not, at least the searched text is in it. */
  isSure: boolean;
}

interface Reading {
  label: string;
  text: string;
  bits: number;
}

/**
 * The encoding of a text that is not UTF-8.
 *
 * @param bytes its start, or all of it
 * @param literals texts of which the search looks for one, those of ASCII aside
 * @returns nothing where several are as likely, and none has one of the texts
 */
export function likelyEncoding(
  bytes: Uint8Array,
  literals: readonly string[] = [],
): LikelyEncoding | undefined {
  const wide = likelyUtf16(bytes, literals);
  if (wide !== undefined) return { label: wide, isSure: true };
  if (bytes.includes(0)) return undefined;
  const sample = linesBeyondAscii(bytes);
  const size = sample.filter(isBeyond).length;
  if (size === 0) return undefined;
  const readings = LANGUAGES.flatMap(([label, letters, bits]): Reading[] => {
    const text = decodedAs(label, sample);
    return text === undefined ? [] : [{ label, text, bits: bits + costIn(text, letters) }];
  }).sort((a, b) => a.bits - b.bits);
  const [best] = readings;
  if (best === undefined) return undefined;
  const holding = literals.length === 0 ? [] : readings.filter(({ label }) => {
    const text = decodedAs(label, bytes, false)!;
    return literals.some((literal) => holds(text, literal));
  });
  const label = chosen(holding, best, size, literals) ??
    (isDoubtful(holding, best, literals) ? undefined : cheapest(readings, size));
  if (label !== undefined) return { label, isSure: true };
  return holding[0] && { label: holding[0].label, isSure: false };
}

/** The encoding that has the searched text, unless another is far more likely. */
function chosen(
  [first, second]: readonly Reading[],
  best: Reading,
  size: number,
  literals: readonly string[],
): string | undefined {
  if (first === undefined || first.bits > MOST_PER_BYTE * 1.5 * size) return undefined;
  if (second !== undefined && second.text !== first.text && second.bits - first.bits < MARGIN / 2) {
    return undefined;
  }
  const isTelling = mostBeyondAscii(literals, first.label) >= TELLING_BYTES;
  return isTelling || first.bits - best.bits < MARGIN ? first.label : undefined;
}

/** Whether the searched text makes an encoding as likely as the letters make another. */
function isDoubtful(holding: readonly Reading[], best: Reading, literals: readonly string[]) {
  const [first] = holding;
  if (first === undefined || holding.some(({ text }) => text === best.text)) return false;
  // Each byte is as likely by chance as a difference of so many bits.
  return first.bits - best.bits < MARGIN * mostBeyondAscii(literals, first.label);
}

function cheapest([best, ...others]: readonly Reading[], size: number): string | undefined {
  const next = others.find(({ text }) => text !== best!.text);
  const margin = next === undefined ? Infinity : next.bits - best!.bits;
  return best!.bits <= MOST_PER_BYTE * size && margin >= MARGIN ? best!.label : undefined;
}

function costIn(text: string, letters: keyof typeof FREQUENT): number {
  const frequent = FREQUENT[letters];
  const standsAlone = ["western", "central", "turkish", "baltic"].includes(letters);
  let bits = 0;
  let before = "";
  for (const character of text) {
    if (character > "\x7f") {
      bits += frequent.get(character.toLowerCase()) ?? costOfOther(character, letters);
      const isAfterSmall = /\p{Ll}/u.test(before) && /\p{Lu}/u.test(character);
      const isInRow = standsAlone && before > "\x7f" && /\p{L}/u.test(before + character);
      if (isAfterSmall || isInRow) bits += COST.misplaced;
    }
    const [letter, other] = before > "\x7f" ? [character, before] : [before, character];
    if (/[a-z]/iu.test(letter) && other > "\x7f") {
      const isLetter = /[\p{L}\p{M}]/u.test(other);
      if (isLetter && !standsAlone) bits += COST.mixed;
      if (!isLetter && standsAlone) bits += COST.misplaced / 2;
    }
    before = character;
  }
  return bits;
}

function costOfOther(character: string, letters: keyof typeof FREQUENT): number {
  if (/[\x80-\x9f\p{Cn}\p{Co}\ufffd]/u.test(character)) return COST.control;
  const isOfTwo = isUsual(letters, character);
  if (isOfTwo === true && /\p{L}/u.test(character)) return COST.letter;
  if (isOfTwo === false && /\p{Script=Han}/u.test(character)) return COST.rareHan;
  if (/[\u3001-\u3011\uff01-\uff5e“”‘’–—…«»„·]/u.test(character)) return COST.punctuation;
  return /[\p{P}\p{S}\p{Z}]/u.test(character) ? COST.symbol : COST.strange;
}

/** Whole lines with bytes beyond ASCII, the first ones. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLE);
  let length = 0;
  for (let at = bytes.findIndex(isBeyond); at >= 0;) {
    const start = bytes.lastIndexOf(LINE_FEED, at) + 1;
    const newline = bytes.indexOf(LINE_FEED, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    if (length + end - start > MAX_SAMPLE) {
      if (length > 0) break;
      // From a long line, from where a character begins.
      return bytes.subarray(Math.max(start, at - 1), at + MAX_SAMPLE);
    }
    sample.set(bytes.subarray(start, end), length);
    length += end - start;
    const next = bytes.subarray(end).findIndex(isBeyond);
    at = next < 0 ? next : end + next;
  }
  return sample.subarray(0, length);
}

const LINE_FEED = 10;
const isBeyond = (byte: number) => byte >= 0x80;

/** Whether a text holds another, in either letter case. */
function holds(text: string, literal: string): boolean {
  return text.includes(literal) || text.toLowerCase().includes(literal.toLowerCase());
}

/** The most bytes that the characters of a text beyond ASCII take in an encoding. */
function mostBeyondAscii(texts: readonly string[], label: string): number {
  const isWide = /^(?:gbk|big5|shift_jis|euc-)/u.test(label) || isUtf16(label);
  const counts = texts.map((text) => [...text].filter((character) => character > "\x7f").length);
  return (isWide ? 2 : 1) * Math.max(...counts);
}

/** @param stream whether the bytes may end within a character, as a part of a long line does */
function decodedAs(
  label: string,
  bytes: Uint8Array,
  fatal = true,
  stream = bytes.length >= MAX_SAMPLE / 2,
): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

const SCRIPTS = [
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ...["Latin", "Han", "Hangul", "Cyrillic", "Greek", "Arabic", "Hebrew"]
    .map((name) => new RegExp(`\\p{Script=${name}}`, "u")),
];

/**
 * The kind of UTF-16 that a text without a byte-order mark is in.
 *
 * @param bytes its start, or all of it
 * @param literals texts one of which it holds where it has no NUL
 */
export function likelyUtf16(
  bytes: Uint8Array,
  literals: readonly string[] = [],
): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, MAX_SAMPLE) & ~1);
  if (sample.length < MIN_UTF16_BYTES || bytes.length < MAX_SAMPLE && bytes.length % 2 > 0) {
    return undefined;
  }
  const nuls = sample.filter((byte) => byte === 0).length;
  if (nuls < NUL_SHARE * sample.length && isPlain(sample)) return undefined;
  const found = (["utf-16le", "utf-16be"] as const).flatMap((label) => {
    const text = textIn(label, sample);
    if (text === undefined) return [];
    const ascii = text.match(/[\0-\x7f]/g)?.length ?? 0;
    const isMeant = nuls > 0 ? ascii > 0 : literals.some((literal) => {
      return new TextDecoder(label).decode(bytes).includes(literal);
    });
    return isMeant ? [{ label, ascii }] : [];
  });
  return found.sort((a, b) => b.ascii - a.ascii)[0]?.label;
}

/** The text in a kind of UTF-16, if a person may have written it. */
function textIn(label: string, bytes: Uint8Array): string | undefined {
  const text = decodedAs(label, bytes, true, true);
  if (text === undefined || /[\p{Cn}\p{Co}]|(?![\t\n\f\r])\p{Cc}/u.test(text)) return undefined;
  const letters = text.match(/\p{L}/gu) ?? [];
  const scripts = new Set(letters.map((letter) => SCRIPTS.findIndex((is) => is.test(letter))));
  return scripts.has(-1) || scripts.size > MAX_SCRIPTS ? undefined : text;
}

/** Whether bytes are UTF-8, NULs aside, without control characters. */
function isPlain(bytes: Uint8Array): boolean {
  const text = decodedAs("utf-8", bytes, true, true);
  return text !== undefined && !/(?![\0\t\n\f\r])\p{Cc}/u.test(text);
}
