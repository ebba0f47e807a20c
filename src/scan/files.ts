/**
 * Where a search finds directories and files: on the disk, or by way of something that remembers them. Walk
 * and reader know nothing else of what stays from one search to the next.
 *
 * @module
 */

import { type Directories, DiskDirectories } from "./directories.ts";
import type { FeedOutcome } from "./text_feeder.ts";
import type { ByteKind } from "./byte_kind.ts";
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

/** What one search reads, on one thread. Dispose of it when the search ends. */
export interface Files extends Disposable {
  readonly directories: Directories;
  /**
   * The files of a directory that have to be opened.
   *
   * @param names the files that are searched; this list is not changed
   * @param passed counts those that surely hold no match, which are not opened
   */
  toOpen(directory: string, names: readonly string[], passed: Tally): readonly string[];
  /**
   * Opens a file.
   *
   * @param path the file, of which `names[index]` is the name
   * @returns its bytes, or what a search of them would come to
   * @throws what `Deno.openSync` throws
   */
  open(path: string, names: readonly string[], index: number): OpenFile | ReadOutcome;
}

export interface OpenFile extends ByteSource {
  /** What all of its bytes are, if that is known. */
  readonly kind?: ByteKind | undefined;
  /** What the file system reports about it; nothing if the file has changed since it was opened. */
  stat(): Deno.FileInfo | undefined;
  onRead?: (outcome: ReadOutcome) => void;
}

/** The disk: every file is opened. */
export class DiskFiles implements Files {
  readonly directories: Directories = new DiskDirectories();

  toOpen(_directory: string, names: readonly string[]): readonly string[] {
    return names;
  }

  open(path: string): OpenFile {
    return new FileSource(path, false);
  }

  [Symbol.dispose](): void {}
}
