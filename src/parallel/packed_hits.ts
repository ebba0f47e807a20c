/**
 * Hits on their way to the main thread. A message copies every string as often as it occurs, and
 * wide context repeats each line of a file in hundreds of entries.
 *
 * @module
 */

import type { FileHit } from "../searcher/job.ts";
import type { LineEntry } from "../searcher/line_searcher.ts";

/** An entry whose lines of context are indices. */
type PackedEntry = Omit<LineEntry, "before" | "after"> & { before?: number[]; after?: number[] };

/** Hits with each line of context only once; hits without context stay as they are. */
export type PackedHits = FileHit[] | {
  hits: readonly (Omit<FileHit, "entries"> & { entries: readonly PackedEntry[] })[];
  /** The lines of context. */
  lines: readonly string[];
};

/** Packs hits for a message. */
export function packHits(hits: FileHit[]): PackedHits {
  const hasContext = hits.some(({ entries }) => entries.some((e) => e.before ?? e.after));
  // To copy a million entries takes a second of the main thread.
  if (!hasContext) return hits;
  const indices = new Map<string, number>();
  const indexOf = (line: string): number => {
    const index = indices.get(line) ?? indices.size;
    if (index === indices.size) indices.set(line, index);
    return index;
  };
  const packed = hits.map((hit) => ({
    ...hit,
    entries: hit.entries.map((e) => mapped(e, indexOf)),
  }));
  return { hits: packed, lines: [...indices.keys()] };
}

/** The hits of a message; equal lines of context are one string. */
export function unpackHits(packed: PackedHits): FileHit[] {
  if (Array.isArray(packed)) return packed;
  const { hits, lines } = packed;
  const lineOf = (index: number): string => lines[index]!;
  return hits.map((hit) => ({ ...hit, entries: hit.entries.map((e) => mapped(e, lineOf)) }));
}

/** An entry with other lines of context, its keys in their order. */
function mapped<From, To>(
  entry: Omit<LineEntry, "before" | "after"> & { before?: From[]; after?: From[] },
  to: (line: From) => To,
): Omit<LineEntry, "before" | "after"> & { before?: To[]; after?: To[] } {
  const { before, after, ...rest } = entry;
  if (before === undefined && after === undefined) return rest;
  return {
    ...entry,
    ...(before === undefined ? {} : { before: before.map(to) }),
    ...(after === undefined ? {} : { after: after.map(to) }),
  } as typeof rest;
}
