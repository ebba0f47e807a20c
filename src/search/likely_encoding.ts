/**
 * Which encoding a text is likely to be in that is not UTF-8, where its bytes make it plain.
 *
 * @module
 */

/** Bytes that are looked at. */
const MAX_SAMPLE = 1 << 16;
/** Fewer characters beyond ASCII tell nothing about letters of two bytes, or of Cyrillic. */
const MIN_LETTERS = 3;
/** This many Cyrillic letters are not ideographs. */
const MIN_CYRILLIC = 10;
/** This many Hangul in a row are not ideographs. */
const MIN_HANGUL = 12;
/** Of the characters beyond ASCII, the part that has to be usual ones. */
const PLAIN = 0.7;

/** Letters and marks that texts in the languages of windows-1252 are full of. */
const WESTERN = /[à-ïñ-öø-üÀ-ÏÑ-ÖØ-ÜßœŒ€‘’“”–—…•°§«»¡¿£©®]/u;
/** A letter beyond ASCII in a word. */
const ACCENTED_WORD = /[a-zA-Z][À-ïñ-öø-ü]|[À-ïñ-öø-ü][a-zA-Z]/u;
const HIRAGANA_OR_KATAKANA = /[ぁ-ヿ]/gu;
const IDEOGRAPH = /\p{Script=Han}/gu;
const HANGUL = /[가-힣]/gu;
/** The most frequent letters of Russian, three out of four of a text. */
const FREQUENT_CYRILLIC = /[оеаинтсрвлкмдпу]/gu;

/**
 * The encoding of a text that is not UTF-8.
 *
 * @param bytes its start, or all of it
 * @returns a label of the Encoding Standard, or nothing where several are as likely
 */
export function likelyEncoding(bytes: Uint8Array): string | undefined {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return undefined;
  const start = Math.max(0, first - 1);
  const sample = wholeLines(bytes.subarray(start, start + MAX_SAMPLE));
  const ofPairs = asian(sample);
  return cyrillic(sample, ofPairs === undefined ? MIN_LETTERS : MIN_CYRILLIC) ?? ofPairs ??
    western(sample);
}

/** Without a last line that may have been cut in the middle of a character. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  if (bytes.length < MAX_SAMPLE) return bytes;
  return bytes.subarray(0, bytes.lastIndexOf(10) + 1 || bytes.length);
}

/** Encodings with letters of two bytes. Text of one is seldom well formed in another, and then rare characters. */
function asian(sample: Uint8Array): string | undefined {
  const pairs = pairsIn(sample);
  // In other languages they occur alone.
  if (pairs.filter(({ isInRow }) => isInRow).length < pairs.length / 2) return undefined;
  const usual: [label: string, part: number][] = [];
  for (
    const [label, letters] of [
      ["shift_jis", HIRAGANA_OR_KATAKANA],
      ["euc-jp", HIRAGANA_OR_KATAKANA],
      ["euc-kr", HANGUL],
      ["gbk", IDEOGRAPH],
      ["big5", IDEOGRAPH],
    ] as const
  ) {
    const text = decodedAs(label, sample);
    if (text === undefined) continue;
    const beyond = [...text.replace(/[\0-\x7f\u3000-\u303f\uff00-\uffef]/gu, "")].length;
    if (beyond < MIN_LETTERS) continue;
    // Half-width katakana are single bytes, which any bytes may be taken for.
    const found = text.match(letters)?.length ?? 0;
    const ideographs = letters === HIRAGANA_OR_KATAKANA ? text.match(IDEOGRAPH)?.length ?? 0 : 0;
    const isPlain = found >= beyond * (ideographs > 0 ? 0.25 : PLAIN);
    if (isPlain) usual.push([label, (found + ideographs) / beyond * commonness(label, pairs)]);
  }
  usual.sort(([, a], [, b]) => b - a);
  const [best, second] = usual;
  if (best === undefined || best[1] < PLAIN) return undefined;
  const labels = [best[0], second?.[0]];
  if (labels.includes("gbk") && labels.includes("euc-kr")) {
    // Hangul lie in rows where two of three frequent ideographs of GBK do.
    const part = commonness("euc-kr", pairs);
    if (part < 0.9) return "gbk";
    return pairs.length >= MIN_HANGUL && part === 1 ? "euc-kr" : undefined;
  }
  return second === undefined || best[1] - second[1] > 0.1 ? best[0] : undefined;
}

/** What may be a letter of two bytes. */
interface Pair {
  lead: number;
  trail: number;
  /** Whether it is right after another, or right before one. */
  isInRow: boolean;
}

function pairsIn(sample: Uint8Array): Pair[] {
  const pairs: Pair[] = [];
  let end = -1;
  for (let index = 0; index + 1 < sample.length; index++) {
    const lead = sample[index]!;
    if (lead < 0x81) continue;
    const isInRow = end === index;
    if (isInRow) pairs.at(-1)!.isInRow = true;
    pairs.push({ lead, trail: sample[++index]!, isInRow });
    end = index + 1;
  }
  return pairs;
}

/** The part of letters of two bytes that are where an encoding has its frequent ones. */
function commonness(label: string, pairs: readonly Pair[]): number {
  const [from, to, least] = FREQUENT[label]!;
  const frequent = pairs.filter(({ lead, trail }) => lead >= from && lead <= to && trail >= least);
  return frequent.length / pairs.length;
}

/** The range of the first byte of kana, Hangul and ideographs of level 1, and the least second one. */
const FREQUENT: Readonly<Record<string, readonly [from: number, to: number, least: number]>> = {
  "shift_jis": [0x81, 0x98, 0x40],
  "euc-jp": [0xa1, 0xcf, 0xa1],
  "euc-kr": [0xb0, 0xc8, 0xa1],
  "gbk": [0xb0, 0xd7, 0xa1],
  "big5": [0xa4, 0xc6, 0x40],
};

/** Encodings of Cyrillic: words of it are all letters beyond ASCII. */
function cyrillic(sample: Uint8Array, least: number): string | undefined {
  const usual = ["windows-1251", "koi8-r", "ibm866"].map((label) => {
    const text = decodedAs(label, sample) ?? "";
    const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
    const inWords = text.match(/[а-яё]{2,}/gu)?.join("").length ?? 0;
    const frequent = text.match(FREQUENT_CYRILLIC)?.length ?? 0;
    return { label, part: Math.min(inWords, frequent / 0.75) / beyond, beyond };
  }).sort((a, b) => b.part - a.part);
  const [best] = usual;
  return best!.beyond >= least && best!.part >= PLAIN ? best!.label : undefined;
}

/** Letters of western European languages occur alone among those of ASCII. */
function western(sample: Uint8Array): string | undefined {
  const text = decodedAs("windows-1252", sample);
  if (text === undefined || /[\x80-\x9f]/u.test(text)) return undefined;
  const beyond = [...text].filter((character) => character > "\x7f");
  const usual = beyond.filter((character) => WESTERN.test(character));
  const inRows = text.match(/[^\0-\x7f]{3,}/gu)?.join("").length ?? 0;
  const isPlain = usual.length >= beyond.length * 0.95 && inRows <= beyond.length * 0.1 &&
    ACCENTED_WORD.test(text);
  return isPlain ? "windows-1252" : undefined;
}

function decodedAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
