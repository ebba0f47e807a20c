/**
 * Which files each of several threads reads, the same ones in every search: what a thread has read it
 * keeps.
 *
 * Each thread lists every directory for itself, at another moment. So it goes by names alone: by what
 * else is in a directory, files would be read twice or by nobody when something comes or goes.
 *
 * @module
 */

/** One of `of` parts of all files. */
export interface Stripe {
  index: number;
  of: number;
}

/** The end of a name tells it apart from most others. */
const TELLING_CHARS = 16;
/** 2 ** 32 divided by the golden ratio, which spreads numbers evenly. */
const SPREAD = 0x9e37_79b1;

/** Divides files among threads. */
export class Stripes {
  /** Parts by what they are parts of: as long as a directory stays as it is, it is the same list. */
  readonly #parts = new WeakMap<readonly string[], Stripe & { names: readonly string[] }>();

  /**
   * The names of a directory that are in a stripe.
   *
   * @param directory the directory's path
   * @param names a list that does not change; of the same list, the answer is the same list
   * @param stripe which stripe
   */
  partOf(directory: string, names: readonly string[], { index, of }: Stripe): readonly string[] {
    const known = this.#parts.get(names);
    if (known?.index === index && known.of === of) return known.names;
    const seed = hash(directory, 0);
    const part = names.filter((name) => stripeOf(hash(name, seed), of) === index);
    this.#parts.set(names, { index, of, names: part });
    return part;
  }

  /** Whether it falls to a stripe to count what is left out of a directory. */
  counts(directory: string, { index, of }: Stripe): boolean {
    return stripeOf(hash(directory, 0), of) === index;
  }
}

function hash(text: string, seed: number): number {
  let hash = seed + text.length;
  for (let index = Math.max(0, text.length - TELLING_CHARS); index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function stripeOf(hash: number, of: number): number {
  return (Math.imul(hash, SPREAD) >>> 16) % of;
}
