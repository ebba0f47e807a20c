/**
 * What is answered: the shapes of a search result, on every engine and every way in.
 *
 * @module
 */

import type { LineEntry } from "./js/scan.ts";

/** One matching line (with `multiline`, one match) and the file that it is in. */
export interface MatchEntry extends LineEntry {
  /** The canonical path: absolute or, if that was asked for, relative to the workspace root. */
  file: string;
}

/** How many lines of one file match. */
export interface CountEntry {
  /** The canonical path: absolute or, if that was asked for, relative to the workspace root. */
  file: string;
  /** Matching lines. */
  count: number;
}

/** What was searched and what was left out, on request. */
export interface SearchStats {
  /** Files whose contents were searched. */
  files_searched: number;
  /** Files and directories left out, by reason. */
  skipped: Record<string, number>;
  /** Bytes read. */
  bytes: number;
  /** The engine that answered. */
  engine: string;
  /** Threads that searched. */
  threads: number;
  /** Wall time of the whole search, in milliseconds. */
  elapsed_ms: number;
}

/** What every result begins with. */
export interface ResultHead {
  /** The pattern as given; several are joined by newlines. */
  pattern: string;
  /** The canonical path that was searched. */
  base_path: string;
  /** All of them, where there are several. */
  base_paths?: string[];
}

/** What every result ends with. */
export interface ResultTail {
  /** The number of entries (in `count` mode: the sum). */
  count: number;
  /** There are more entries than were given. */
  truncated?: true;
  /** The `offset` that gives the next entries. */
  next_offset?: number;
  /**
   * Sentences for the caller. Of what was left out, a page of a longer answer in order of paths tells
   * up to its last path.
   */
  notes?: string[];
  /** On request. */
  stats?: SearchStats;
}

/** The answer to a search in `content` mode. */
export type ContentResult =
  & ResultHead
  & { output_mode: "content"; matches: MatchEntry[] }
  & ResultTail;
/** The answer to a search in `file` mode. */
export type FileResult = ResultHead & { output_mode: "file"; files: string[] } & ResultTail;
/** The answer to a search in `count` mode. */
export type CountResult = ResultHead & { output_mode: "count"; counts: CountEntry[] } & ResultTail;
/** The answer to a search. */
export type SearchResult = ContentResult | FileResult | CountResult;
