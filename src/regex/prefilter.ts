/**
 * The prefilter of a pattern: literals that bytes are tested for before they are decoded, rare ones
 * first.
 *
 * @module
 */

/** What every text with a match holds. */
export interface Prefilter {
  /** Every match holds at least one of these, each of two characters or more. */
  anyOf: readonly string[];
  /** The line of every match also contains all of these. */
  allOf: readonly string[];
  /** Whether ASCII letters match in both cases; they are lower case then. */
  eitherCase: boolean;
  isForAscii: boolean;
}

/** More literals in `anyOf` take longer to find than they save. */
export const MAX_ANY_OF = 32;
export const MAX_ALL_OF = 2;

/** The bytes of source code, most frequent first; all others are rarer. */
const FREQUENT = " etrnoaisldcpu\nmf.(),*/;hg=bxy_-:'\"k0v1w{}2jTESAqzCR[]INOP>LDM3<4&8FBU+675";

/** How rare a text is likely to be, on an arbitrary scale. */
export function rarity(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const { first, second } = rarest(bytes);
  return byteRank(bytes[first]!) + byteRank(bytes[second]!) + bytes.length;
}

/** The offsets of the two rarest bytes of a text. */
export function rarest(text: Uint8Array): { first: number; second: number } {
  const offsets = Array.from(text, (byte, offset) => ({ offset, rank: byteRank(byte) }));
  const [first, second] = offsets.sort((a, b) => b.rank - a.rank);
  return { first: first!.offset, second: (second ?? first)!.offset };
}

/** The offset of the rarest two bytes in a row of a text. */
export function rarestPair(text: Uint8Array): number {
  const rankAt = (offset: number) => byteRank(text[offset]!) + byteRank(text[offset + 1]!);
  const offsets = Array.from(text.subarray(1), (_, offset) => offset);
  return offsets.reduce((best, offset) => rankAt(offset) > rankAt(best) ? offset : best, 0);
}

function byteRank(byte: number): number {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte));
  return rank < 0 ? FREQUENT.length : rank;
}
