/**
 * Divides files among threads, in the same way in every search: each thread caches what it has read.
 *
 * Each thread lists every directory itself, at a different moment. So a file's shard depends on its name
 * alone: if it depended on other entries, files would be read twice or not at all when entries change.
 *
 * @module
 */

/** One of `of` parts of all files. */
export interface Shard {
  index: number;
  of: number;
}

/** Characters at the end of a name that are hashed: they differ from most other names. */
const TELLING_CHARS = 16;
/** 2 ** 32 divided by the golden ratio, which spreads numbers evenly. */
const SPREAD = 0x9e37_79b1;

/** Divides files among threads. */
export class Shards {
  /** Parts by the lists that they are parts of: an unchanged directory has the same list. */
  readonly #parts = new WeakMap<readonly string[], Shard & { names: readonly string[] }>();

  /**
   * The names of a directory that are in a shard.
   *
   * @param directory the directory's path
   * @param names a list that does not change; of the same list, the answer is the same list
   * @param shard which shard
   */
  partOf(directory: string, names: readonly string[], { index, of }: Shard): readonly string[] {
    const known = this.#parts.get(names);
    if (known?.index === index && known.of === of) return known.names;
    const seed = hash(directory, 0);
    const part = names.filter((name) => shardOf(hash(name, seed), of) === index);
    this.#parts.set(names, { index, of, names: part });
    return part;
  }

  /** Whether a shard counts what is skipped in a directory. */
  counts(directory: string, { index, of }: Shard): boolean {
    return shardOf(hash(directory, 0), of) === index;
  }
}

function hash(text: string, seed: number): number {
  let hash = seed + text.length;
  for (let index = Math.max(0, text.length - TELLING_CHARS); index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function shardOf(hash: number, of: number): number {
  return (Math.imul(hash, SPREAD) >>> 16) % of;
}
