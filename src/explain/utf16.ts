/**
 * Text in UTF-16 without a byte-order mark.
 *
 * @module
 */

/** Bytes that are looked at, and fewer that tell something. */
const MAX_SAMPLE = 1 << 12;
const MIN_SAMPLE = 4;
/** From this share of NULs on, bytes are no text of one byte a character. */
const NUL_SHARE = 1 / 4;
/** Scripts of the letters in one text; kana, Han and Latin are three. */
const MAX_SCRIPTS = 3;

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Han}/u,
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
];

/**
 * The kind of UTF-16 that a text without a mark is in; nothing if it is none.
 *
 * @param bytes its start, or all of it
 * @param literals texts one of which it holds where it has no NUL
 */
export function likelyUtf16(
  bytes: Uint8Array,
  literals: readonly string[] = [],
): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, MAX_SAMPLE) & ~1);
  if (sample.length < MIN_SAMPLE || bytes.length < MAX_SAMPLE && bytes.length % 2 > 0) {
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
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
  if (/[\p{Cn}\p{Co}]|(?![\t\n\f\r])\p{Cc}/u.test(text)) return undefined;
  const letters = text.match(/\p{L}/gu) ?? [];
  const scripts = new Set(letters.map((letter) => SCRIPTS.findIndex((is) => is.test(letter))));
  return scripts.has(-1) || scripts.size > MAX_SCRIPTS ? undefined : text;
}

/** Whether bytes are UTF-8, NULs aside, without control characters. */
function isPlain(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return !/(?![\0\t\n\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}
