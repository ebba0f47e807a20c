/**
 * Divides a tree among threads, in the same way in every search, so that each thread reads what it has read
 * before.
 *
 * Each thread lists every directory itself, at a different moment. So a file's part depends on its name
 * alone: if it depended on other entries, files would be read twice or not at all when entries change.
 *
 * @module
 */

/** One of `of` parts of all files. */
export interface Part {
  index: number;
  of: number;
}

/** Characters at the end of a name that are hashed: they differ from most other names. */
const TELLING_CHARS = 16;
/** 2 ** 32 divided by the golden ratio, which spreads numbers evenly. */
const SPREAD = 0x9e37_79b1;

export function namesIn(
  { index, of }: Part,
  directory: string,
  names: readonly string[],
): readonly string[] {
  const seed = hash(directory, 0);
  return names.filter((name) => partAt(hash(name, seed), of) === index);
}

/** Whether what is skipped in a directory counts for a part. */
export function countsIn({ index, of }: Part, directory: string): boolean {
  return partAt(hash(directory, 0), of) === index;
}

function hash(text: string, seed: number): number {
  let hash = seed + text.length;
  for (let index = Math.max(0, text.length - TELLING_CHARS); index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function partAt(hash: number, of: number): number {
  return (Math.imul(hash, SPREAD) >>> 16) % of;
}
