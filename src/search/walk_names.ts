/**
 * Walks over names alone, before a search: what globs match, and paths that end with a missing one.
 *
 * @module
 */

import { cancelled } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import type { PendingDirectory, WalkListing, WalkOptions } from "../scan/listing.ts";
import { Walker } from "../scan/walker.ts";

/** Milliseconds of a slice, between which the event loop has its turn. */
const SLICE_MS = 10;

interface NamesWalk {
  signal?: AbortSignal | undefined;
  /** Milliseconds that it may take. */
  time: number;
}

class CutShort extends Error {}

/**
 * Lists directories until what meets them wants no more.
 *
 * @param meet returns whether that is enough
 * @returns whether the walk came to its end, or found enough, in time
 * @throws {PathgrepError} `cancelled`; `invalid_input` for a bad glob or type
 */
export async function walkNames(
  options: WalkOptions,
  { signal, time }: NamesWalk,
  meet: (directory: PendingDirectory, listing: WalkListing) => boolean,
): Promise<boolean> {
  const end = performance.now() + time;
  const beat = () => {
    if (signal?.aborted) throw cancelled(signal);
    if (performance.now() > end) throw new CutShort();
  };
  const walker = new Walker(options, undefined, { beat });
  const pending = walker.start();
  const slice = () => {
    for (const until = performance.now() + SLICE_MS; performance.now() < until;) {
      const directory = pending.pop();
      if (directory === undefined) return true;
      beat();
      const listing = walker.list(directory);
      if (meet(directory, listing)) return true;
      for (const next of listing.directories) pending.push(next);
    }
    return false;
  };
  const slices = new Slices(options.allowedRoots[0]!);
  try {
    while (!await slices.run(slice)) { /* the next slice */ }
    return true;
  } catch (thrown) {
    if (thrown instanceof CutShort) return false;
    throw thrown;
  }
}

/** How many files, and directories that a finder names, a walk takes, `most` at most; nothing if it was cut short. */
export async function countTaken(
  options: WalkOptions,
  walk: NamesWalk,
  most = Infinity,
): Promise<number | undefined> {
  let count = 0;
  const isDone = await walkNames(options, walk, (_, { files, linked, named = [] }) => {
    count += files.length + linked.length + named.length;
    return count >= most;
  });
  return isDone ? Math.min(count, most) : undefined;
}
