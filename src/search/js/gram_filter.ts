/**
 * Which three bytes in a row files hold, by and large: that most files do not hold a text is known at
 * a glance then, where looking through them would be bound by how fast memory is read.
 *
 * @module
 */

import type { TextNeed } from "./byte_search.ts";

/** Three bytes in a row; letters of either case are the same. */
const GRAM_BYTES = 3;
const GRAM_MASK = 0xff_ff_ff;
const LETTER_CASE = 0x20;
/** Spreads numbers over 32 bits: 2 ** 32 divided by the golden ratio (Knuth's multiplicative hash). */
const SPREAD = 0x9e37_79b1;
/** Between one and two bits for each byte leave most bits unset. */
const MIN_BITS = 8;
const MAX_BITS = 24;

/** Where a file's grams are noted. */
export interface NotedGrams {
  /** Of its first byte. */
  at: number;
  /** How far a spread number is shifted to be one of its bits. */
  shift: number;
}

/** The grams without which a text cannot match. */
export class NeededGrams {
  readonly #texts: readonly number[][];
  readonly #besides: readonly number[];

  /** @param need what the text must hold */
  constructor({ texts, besides }: TextNeed) {
    this.#texts = texts.map(spreadGrams);
    this.#besides = besides.flatMap(spreadGrams);
  }

  /**
   * Whether all that is needed is noted.
   *
   * @param isNoted whether a spread gram is
   */
  areNoted(isNoted: (gram: number) => boolean): boolean {
    return this.#texts.some((grams) => grams.every(isNoted)) && this.#besides.every(isNoted);
  }
}

/** Notes grams of many files, in memory of a fixed size. */
export class GramFilter {
  readonly #bytes: Uint8Array;
  #used = 0;

  /** @param maxBytes what is noted, at most */
  constructor(maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes);
  }

  /** Notes the grams of a file's bytes, if there is room. */
  note(bytes: Uint8Array): NotedGrams | undefined {
    const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, 32 - Math.clz32(bytes.length)));
    const at = this.#used;
    const end = at + (1 << (bits - 3));
    if (end > this.#bytes.length) return undefined;
    this.#used = end;
    const noted = this.#bytes.subarray(at, end);
    const shift = 32 - bits;
    let gram = 0;
    for (let index = 0; index < bytes.length; index++) {
      gram = (gram << 8 | bytes[index]! | LETTER_CASE) & GRAM_MASK;
      if (index < GRAM_BYTES - 1) continue;
      const bit = Math.imul(gram, SPREAD) >>> shift;
      noted[bit >>> 3]! |= 1 << (bit & 7);
    }
    return { at, shift };
  }

  /** Whether a file whose grams were noted may hold what is needed. */
  mayHold({ at, shift }: NotedGrams, needed: NeededGrams): boolean {
    const bytes = this.#bytes;
    return needed.areNoted((gram) => {
      const bit = gram >>> shift;
      return (bytes[at + (bit >>> 3)]! >>> (bit & 7) & 1) !== 0;
    });
  }

  /** Forgets all. */
  clear(): void {
    this.#bytes.fill(0, 0, this.#used);
    this.#used = 0;
  }
}

/** The grams of a text, each spread over 32 bits. */
function spreadGrams(text: string): number[] {
  const grams: number[] = [];
  let gram = 0;
  for (const [index, byte] of new TextEncoder().encode(text).entries()) {
    gram = (gram << 8 | byte | LETTER_CASE) & GRAM_MASK;
    if (index >= GRAM_BYTES - 1) grams.push(Math.imul(gram, SPREAD) >>> 0);
  }
  return grams;
}
