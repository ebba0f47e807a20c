/**
 * Where a search finds directories and files: on the disk, or in a cache. Walk and reader know nothing else
 * of the cache.
 *
 * @module
 */

import { Directories } from "./directories.ts";
import type { FeedOutcome } from "./text_feeder.ts";
import type { ByteKind } from "./byte_search.ts";
import { type ByteSource, FileSource } from "./byte_source.ts";

export type ReadOutcome =
  & (FeedOutcome | { state: "unreadable" | "vanished"; bytes: number })
  & {
    /** Which file it was, if the answer has to do with it. */
    info?: Deno.FileInfo | undefined;
  };

export interface Tally {
  files: number;
  bytes: number;
}

/** An open file of a walk. */
export interface OpenFile extends ByteSource {
  /** What all of its bytes are, if that is known. */
  readonly kind?: ByteKind | undefined;
  /** What the file system reports about it; nothing if the file has changed since it was opened. */
  stat(): Deno.FileInfo | undefined;
  onRead?: (outcome: ReadOutcome) => void;
}

/**
 * What one search reads, on one thread: from the disk, where every file is opened. A subclass may cache it.
 * Dispose of it when the search ends.
 */
export class Files implements Disposable {
  readonly directories: Directories = new Directories();

  /**
   * The files of a directory that have to be opened. `_passed` counts the others, which surely hold
   * no match. `names` is not changed.
   */
  toOpen(_directory: string, names: readonly string[], _passed: Tally): readonly string[] {
    return names;
  }

  /**
   * Opens a file, of which `names[index]` is the name: its bytes, or the outcome of searching them.
   *
   * @throws what `Deno.openSync` throws
   */
  open(path: string, _names: readonly string[], _index: number): OpenFile | ReadOutcome {
    return new FileSource(path, false);
  }

  [Symbol.dispose](): void {}
}
