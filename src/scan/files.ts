/**
 * Where a search finds directories and files: on the disk, or in a cache. Walk and reader know the cache only
 * by this interface.
 *
 * @module
 */

import type { FeedOutcome, Lack } from "./text_feeder.ts";
import type { ByteKind } from "./byte_search.ts";
import { type ByteSource, FileSource } from "./byte_source.ts";
import type { DirectoryRules, Entries } from "./listing.ts";
import { readEntries, type RuleSources } from "./rule_sources.ts";
import type { FileInfo } from "../system/types.ts";

export type ReadOutcome =
  & (FeedOutcome | { state: "unreadable" | "vanished"; bytes: number })
  & {
    /** Whether what is binary is an archive, by its first bytes. @default false */
    isArchive?: boolean;
    /** Identifies the file, if it is part of the answer. */
    info?: FileInfo | undefined;
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
  stat(): FileInfo | undefined;
  onRead?: (outcome: ReadOutcome) => void;
  /** Whether it is unpacked while it is read. @default false */
  readonly isPacked?: boolean;
  /** If so, why not all of its text was read, if so. */
  readonly lacks?: Lack | undefined;
  /** The kind of archive that it is, with `everything`. */
  archive?: string | undefined;
}

/** Reads directories from the disk each time. A subclass may cache them. */
export class Directories {
  /**
   * Returns the entries of a directory.
   *
   * @throws what `readDirectory` throws
   */
  entriesOf(path: string): Entries {
    return readEntries(path);
  }

  /**
   * Returns the rules in a directory that has rule files.
   *
   * @param _found what the directory holds
   * @param _inherited the rules of its parent
   * @param read reads its files of rules
   * @param extend adds to the inherited rules what they say
   */
  rulesOf(
    _found: Entries,
    _inherited: DirectoryRules,
    read: () => RuleSources,
    extend: (sources: RuleSources) => DirectoryRules,
  ): DirectoryRules {
    return extend(read());
  }

  /**
   * The result of a computation. It may be that of an earlier search with identical inputs, so do not
   * change it.
   *
   * @param _about what a directory holds, or a name
   * @param _inputs everything else that it depends on
   */
  derived<T>(_about: string | Entries, _inputs: readonly unknown[], compute: () => T): T {
    return compute();
  }
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
   * @throws what `openFile` throws
   */
  open(path: string, _names: readonly string[], _index: number): OpenFile | ReadOutcome {
    return new FileSource(path, false);
  }

  [Symbol.dispose](): void {}
}
