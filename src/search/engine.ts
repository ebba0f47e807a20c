/**
 * What an engine is: it gets a search that is resolved and checked, reads files, and hands on what
 * it finds. Order, caps and wording are not its business.
 *
 * @module
 */

import { sep } from "../util/path.ts";
import type { Listing, PendingDirectory, WalkSkips } from "../walk/listing.ts";
import type { Walker, WalkOptions } from "../walk/walk.ts";
import { compareByBytes } from "../workspace/paths.ts";
import type { PatternOptions, PatternPlan } from "./js/pattern.ts";
import type { LineEntry, ScanOptions } from "./js/scan.ts";

/** What one file holds. */
export interface FileHit {
  /** Canonical absolute path, verified to lie where it was found. */
  path: string;
  /** Matching lines (with `multiline`, matches). */
  count: number;
  /** Counting was given up before the file's end. */
  isPartial?: boolean;
  /** Entries were left out because of their length. */
  isShort?: boolean;
  /** In content mode; fewer than `count` when the answer has no room for more. */
  entries: LineEntry[];
  /** Milliseconds since the epoch, when the order asks for it. */
  modified: number;
}

/** A search, ready to be carried out; plain data. */
export interface SearchJob {
  /** The pattern as asked. */
  pattern: PatternOptions;
  /** The pattern as the JavaScript matcher reads it. */
  plan: PatternPlan;
  scan: ScanOptions;
  walk: WalkOptions;
  /** Files named by the caller: read whatever their size. */
  files: readonly string[];
  /** Bytes a file met in the walk may have. */
  maxFileSize: number;
  /** Whether a file without a match is the hit (`-L`). */
  withoutMatch: boolean;
  /** Entries of one file that the answer may have room for. */
  entryLimit: number;
  /** Whether {@linkcode FileHit.modified} is wanted. */
  wantsModified: boolean;
  /** Whether what was skipped is told in full. */
  wantsStats: boolean;
  /** Whether the answer may end at some path, up to which it tells what was skipped. */
  mayBeCut: boolean;
  /** Milliseconds since the epoch after which the search must have ended; `Infinity`: never. */
  deadline: number;
  /** The time limit in milliseconds, for errors; `Infinity`: none. */
  timeout: number;
}

/** What is to be done from now on: keep lines, only count them, or stop. */
export type SearchPhase = "keep" | "count" | "stop";

/** Takes what an engine finds. */
export interface HitSink {
  /** Takes the hits of one or more files, in any order. */
  add(hits: readonly FileHit[]): void;
  /** Takes word of how many files have been searched. */
  progress(filesSearched: number): void;
  /** How to go on, asked for between files. */
  readonly phase: SearchPhase;
  /** With hits wanted in path order: files after this one have no room in the answer. */
  readonly cutoff: string | undefined;
}

/** Why files were not searched, or not wholly. */
export interface SkipCounts extends WalkSkips {
  binary: number;
  too_large: number;
  not_utf8: number;
  long_lines: number;
}

/** A file or directory that was skipped. */
export interface SkipPlace {
  path: string;
  reason: keyof SkipCounts;
}

/** What an engine did. */
export interface EngineReport {
  /** The engine that answered, which another may have handed the search to. */
  engine: string;
  /** Threads that took part. */
  threads: number;
  filesSearched: number;
  bytesSearched: number;
  skipped: SkipCounts;
  /** Named files that were not searched, and why. */
  notSearched: SkipPlace[];
  /**
   * Where that was skipped which notes tell of, if {@linkcode SearchJob.mayBeCut}: the first
   * {@linkcode MAX_PLACES} by path, and perhaps as many more.
   */
  places?: SkipPlace[] | undefined;
  notes: string[];
}

/** Carries out searches. */
export interface Engine {
  /** Whether globs and types count for a file that is named, too. @default false */
  readonly filtersNamed?: boolean;
  /** Whether it ends by itself once the job's deadline has passed. @default false */
  readonly keepsTime?: boolean;
  /**
   * @throws {PathgrepError} `cancelled` once the signal is aborted, `search_timed_out`,
   * `search_failed`, `engine_unavailable`
   */
  run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport>;
}

/** No skips yet. */
export function noSkips(): SkipCounts {
  return {
    binary: 0,
    too_large: 0,
    not_utf8: 0,
    unreadable: 0,
    vanished: 0,
    long_lines: 0,
    ignored: 0,
    blocked: 0,
    symlinks: 0,
    hidden: 0,
    filtered: 0,
    ignore_files: 0,
  };
}

/** Counting goes on this long after the cap, so that the error can say where the matches are. */
export const COUNTING_MS = 1000;
/** Places that are kept: what was skipped in a search may be millions. */
export const MAX_PLACES = 10_000;

/**
 * An empty report.
 *
 * @param mayBeCut {@linkcode SearchJob.mayBeCut}
 */
export function emptyReport(engine: string, mayBeCut = false): EngineReport {
  return {
    engine,
    threads: 1,
    filesSearched: 0,
    bytesSearched: 0,
    skipped: noSkips(),
    notSearched: [],
    places: mayBeCut ? [] : undefined,
    notes: [],
  };
}

/** Remembers where something was skipped, if that is asked for. */
export function addPlace(report: EngineReport, path: string, reason: keyof SkipCounts): void {
  if (report.places === undefined) return;
  report.places.push({ path, reason });
  if (report.places.length === 2 * MAX_PLACES) report.places = firstPlaces(report.places);
}

/** The first places by path, in order. */
export function firstPlaces(places: readonly SkipPlace[]): SkipPlace[] {
  return places.toSorted((a, b) => compareByBytes(a.path, b.path)).slice(0, MAX_PLACES);
}

/** Lists a directory, and remembers in a report if something there was skipped that notes tell of. */
export function listFor(
  report: EngineReport,
  walker: Walker,
  directory: PendingDirectory,
): Listing {
  if (report.places === undefined) return walker.list(directory);
  const before = { ...walker.skips };
  const listing = walker.list(directory);
  for (const reason of ["unreadable", "vanished", "ignore_files"] as const) {
    for (let count = before[reason]; count < walker.skips[reason]; count++) {
      addPlace(report, directory.path + sep, reason);
    }
  }
  return listing;
}

/** Adds what another thread did to a report. */
export function mergeReports(into: EngineReport, from: EngineReport): void {
  into.threads += from.threads;
  into.filesSearched += from.filesSearched;
  into.bytesSearched += from.bytesSearched;
  addSkips(into, from.skipped);
  into.notSearched.push(...from.notSearched);
  for (const { path, reason } of from.places ?? []) addPlace(into, path, reason);
  for (const note of from.notes) if (!into.notes.includes(note)) into.notes.push(note);
}

/** Adds what was left out to a report. */
export function addSkips(into: EngineReport, skips: Partial<SkipCounts>): void {
  for (const [reason, count] of Object.entries(skips)) {
    into.skipped[reason as keyof SkipCounts] += count;
  }
}
