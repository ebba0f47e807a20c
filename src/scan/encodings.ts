/**
 * The encodings of texts that are not UTF-8.
 *
 * @module
 */

import { decoderOf } from "../system/platform.ts";

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
