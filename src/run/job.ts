/**
 * The input and output of the threads and engines of a search: jobs, hits, reports. Order, caps and
 * messages are up to their callers.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import {
  type BlockedBy,
  type Left,
  noWalkSkips,
  type PassStart,
  type WalkOptions,
  type WalkSkips,
} from "../walk/listing.ts";
import { compareByBytes } from "../util/path.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import type { HitLine } from "../read/hit_lines.ts";
import type { ReadOptions } from "../read/files.ts";
import type { LineSearchOptions } from "../read/line_searcher.ts";
import type { FoundValue } from "../read/tally.ts";

export interface FileHit {
  /** Canonical absolute path, verified to be where it was found. */
  path: string;
  /** Whether it is a directory, of a listing of those. @default false */
  isDirectory?: boolean | undefined;
  /** Matching lines (with `multiline`, matches). */
  count: number;
  /** Of several patterns, how many of these each matches; in file mode, 1 if it matches at all. */
  patternCounts?: number[] | undefined;
  /** In values mode, the texts that match. */
  values?: ReadonlyMap<string, FoundValue> | undefined;
  /** More of the file follows. */
  isPart?: boolean;
  /** Of several runs of entries of a file, apart from each other: which of the answer's this is. */
  run?: number | undefined;
  /** Entries of the file that come in later runs. @default 0 */
  more?: number | undefined;
  /** Counting stopped before the end of the file. */
  isIncomplete?: boolean;
  /** Entries were dropped because of their length. */
  isTruncated?: boolean;
  /** The encoding that was named for files that are not UTF-8, if this is one. */
  encoding?: string | undefined;
  /** In a further pass, why the search left it out. @default it did not */
  left?: readonly Left[] | undefined;
  /** In content mode; fewer of them match than `count` says when the answer has no room for more. */
  lines: HitLine[];
  /** Entries before these, which were passed over. @default 0 */
  passed?: number | undefined;
  /** The approximate characters that the entries of the lines take up. */
  chars: number;
  /** Milliseconds since the epoch, when the order asks for it. */
  modified: number;
}

/** A search that is ready to run; plain data. */
export interface SearchJob extends ReadOptions {
  plan: PatternPlan;
  lines: LineSearchOptions;
  walk: WalkOptions;
  /** Files named by the caller: read whatever their size. */
  files: readonly string[];
  /** In a further pass, where it begins. @default with the bases of the walk */
  start?: readonly PassStart[];
  /** Whether the report says where a further pass would find what was excluded. @default false */
  wantsExcluded?: boolean;
  /** Whether files are listed: looked up, not read. @default false */
  isListing?: boolean;
  /** Entries of one file that the answer may have room for. */
  entryLimit: number;
  /** The first entries of a file that are surely before the answer's. @default 0 */
  passOver?: number;
  /** Whether {@linkcode FileHit.modified} is wanted. */
  wantsModified: boolean;
  /** Whether the report counts everything that was skipped. */
  wantsStats: boolean;
  /** Whether the report has the data for the scope of an answer. @default false */
  wantsScope?: boolean | undefined;
  /** What to do with more entries than there is room for. */
  onOverflow: "error" | "truncate";
  /** Milliseconds since the epoch, before anything was listed. */
  since: number;
  /** Milliseconds since the epoch after which the search must have ended; `Infinity`: never. */
  deadline: number;
  /** The time limit in milliseconds, for errors; `Infinity`: none. */
  timeout: number;
  /** Whether it may be ended by a signal, which the thread of its caller has to be free to receive. */
  isAbortable: boolean;
}

/**
 * The phase of a search: keep entries (files after the cutoff are only counted), only count them, finish the
 * files up to the cutoff, or stop.
 */
export type SearchPhase = "keep" | "count" | "finish" | "stop";

export interface SearchState {
  readonly phase: SearchPhase;
  /** If hits are wanted in path order: there is no room in the answer for files after this one. */
  readonly cutoff: string | undefined;
}

/** Whether a file no longer matters: neither its entries nor their number. */
export function isCutOff({ phase, cutoff }: SearchState, path: string): boolean {
  return phase === "finish" && cutoff !== undefined && compareByBytes(path, cutoff) > 0;
}

/** Whether the entries of a file are kept, not only counted. */
export function isKept({ phase, cutoff }: SearchState, path: string): boolean {
  return phase !== "count" && (cutoff === undefined || compareByBytes(path, cutoff) <= 0);
}

/** The path that stands for standard input, and the file name it gets in answers. */
export const STDIN = { path: "-", file: "(stdin)" } as const;

/** Receives what an engine finds; the engine checks the phase between files. */
export interface HitSink extends SearchState {
  add(hits: readonly FileHit[]): void;
  /** Whether its caller sets the pace, so that one thread is enough. @default false */
  readonly isPaced?: boolean;
  /** Pending while there is no room for more hits. @default there always is */
  readonly ready?: Promise<void> | undefined;
  /** Receives a part of what is found in standard input, if it is shown at once. */
  readonly stream?: ((hit: FileHit) => void) | undefined;
  /** Called when a search waits for input, so that streamed hits can be shown. */
  idle?(): void;
  progress(filesSearched: number): void;
}

export interface SkipCounts extends WalkSkips {
  binary: number;
  /** Files searched as they are, though what they hold is packed. */
  archives: number;
  /** Gzip files that were searched up to where they are damaged. */
  damaged: number;
  too_large: number;
  not_utf8: number;
  long_lines: number;
}

/** What is counted and named apart; archives are binary files. */
export type SkippedKind = keyof SkipCounts | "archives";

export interface SkippedPath {
  path: string;
  reason: keyof SkipCounts;
  /** Whether the answer has entries of what comes before. @default false */
  isPart?: boolean;
}

/** An entry that ignore rules exclude. */
export interface IgnoredEntry {
  /** Canonical; of a link that was followed, the path of the link itself. */
  path: string;
  /** Levels below the base of the walk. */
  depth: number;
  /** Whether most repositories ignore something of this name. */
  isUsual: boolean;
}

export interface EngineReport {
  /** The engine that answered, which another may have handed the search to. */
  engine: string;
  threads: number;
  filesSearched: number;
  bytesSearched: number;
  skipped: SkipCounts;
  /** Named files that were not searched, and why. */
  notSearched: SkippedPath[];
  /** The first paths by bytes that were met and skipped, for each reason: {@linkcode MAX_NAMED_FILES} at most. */
  firstSkipped: Partial<Record<SkippedKind, string[]>>;
  /** How many of the binary files are archives. */
  archives: number;
  /** Links that were not followed, the first by path, if {@linkcode SearchJob.wantsScope}. */
  links: string[];
  /** Directories in which something vanished: each counts once, on however many threads. */
  vanishedIn: Set<string>;
  /** Excluded git worktrees: the first of them by path. */
  worktrees: string[];
  /** The kinds of archives that were met. */
  archiveKinds: Set<string>;
  /** The topmost ignored entries, unusual ones first, if {@linkcode SearchJob.wantsScope}. */
  ignored: IgnoredEntry[];
  /** Of directories that a finder names beside files, the first {@linkcode MAX_DIRECTORIES} and their number. */
  directories: string[];
  directoriesNamed: number;
  /** How many of the blocked entries are named `.git`. */
  gits: number;
  /** What blocks the others: {@linkcode MAX_BLOCKED_RULES} at most. */
  blockedBy: Map<string, BlockedBy & { path: string }>;
  /**
   * In a further pass, the filters that exclude files which nothing else does, for each of them in one text;
   * behind `!`, that files are ignored or hidden which the filters take.
   */
  filteredBy: Set<string>;
  /**
   * With {@linkcode SearchJob.wantsExcluded}, where a further pass finds what was excluded. These names are
   * not proven: nothing may show them.
   */
  excluded: PassStart[];
  /** Whether there was more of it than is held. */
  isExcludedCut: boolean;
  notes: Note[];
}

function noSkips(): SkipCounts {
  // In the order in which answers report them.
  const first = {
    binary: 0,
    archives: 0,
    damaged: 0,
    too_large: 0,
    not_utf8: 0,
    unreadable: 0,
    vanished: 0,
    worktrees: 0,
  };
  return { ...first, long_lines: 0, ...noWalkSkips() };
}

/** Counting goes on this long after the cap, so that the answer can have totals. */
const COUNTING_MS = 1000;
/** The rules held that block something: a tree may hold an exclusion file in each directory. */
export const MAX_BLOCKED_RULES = 1000;
/** The directories that an answer names beside files. */
export const MAX_DIRECTORIES = 50;
/** The excluded names held for a further pass, which has time for a few thousand files. */
export const MAX_EXCLUDED = 20_000;
/** The files of a kind that an answer names, unless there are more. */
export const MAX_NAMED_FILES = 3;
/** The links held: to find out where one leads takes as long as to read a file. */
export const MAX_LINKS = 500;
/** The ignored entries that an answer names. */
export const MAX_NAMED_IGNORED = 5;

export function emptyReport(engine: string): EngineReport {
  return {
    engine,
    threads: 1,
    filesSearched: 0,
    bytesSearched: 0,
    skipped: noSkips(),
    notSearched: [],
    firstSkipped: {},
    archives: 0,
    links: [],
    vanishedIn: new Set(),
    worktrees: [],
    archiveKinds: new Set(),
    ignored: [],
    directories: [],
    directoriesNamed: 0,
    gits: 0,
    blockedBy: new Map(),
    filteredBy: new Set(),
    excluded: [],
    isExcludedCut: false,
    notes: [],
  };
}

/** When counting that begins now ends: with time left to finish the answer. On the `performance.now()` clock. */
export function countingEnd({ deadline }: Pick<SearchJob, "deadline">): number {
  return performance.now() + Math.min(COUNTING_MS, Math.max(0, deadline - Date.now()) / 2);
}
