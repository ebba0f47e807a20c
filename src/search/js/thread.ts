/**
 * What one thread does in a search: takes work, lists directories, reads files, keeps the hits.
 * The main thread and the workers run the same code.
 *
 * @module
 */

import * as platform from "../../path.ts";
import { type PendingDirectory, Walker } from "../../walk/walk.ts";
import {
  addSkips,
  emptyReport,
  type EngineReport,
  type FileHit,
  type SearchJob,
  type SkipCounts,
} from "../engine.ts";
import { compareByBytes } from "../../workspace/paths.ts";
import type { Board, WorkItem } from "./board.ts";
import { FileReader, isVerified, type TextSink } from "./read.ts";
import { Scanner } from "./scan.ts";

/** In a file that alone exceeds the cap, counting goes on for so long. */
const COUNTING_MS = 1000;
/** So many files of one directory are one piece of work, to be shared out. */
const FILES_PER_ITEM = 64;
/** Directories that are given away at once, at most. */
const MAX_GIVEN = 64;

type LocalWork = WorkItem & Pick<PendingDirectory, "rules">;

/** Sets a job's limits on a scanner. */
export function limitScanner(scanner: Scanner, job: SearchJob): void {
  scanner.deadline = job.deadline - performance.timeOrigin;
  scanner.timeout = job.timeout;
  scanner.entryLimit = job.entryLimit;
}

/** One thread of a search. */
export class SearchThread {
  /** What was found and not yet handed on. */
  hits: FileHit[] = [];
  readonly #job: SearchJob;
  readonly #board: Board;
  readonly #walker: Walker;
  readonly #report: EngineReport = emptyReport("js");
  readonly #reader: FileReader;
  readonly #scanner: Scanner;
  #counter: Scanner | undefined;
  readonly #work: LocalWork[] = [];

  constructor(job: SearchJob, board: Board) {
    this.#job = job;
    this.#board = board;
    this.#walker = new Walker(job.walk);
    this.#reader = new FileReader(job.maxFileSize, job.pattern.multiline, job.wantsStats);
    this.#scanner = this.#newScanner(job.scan);
  }

  /** Takes on the given work, or the whole search: the named files first, then the walk. */
  start(work?: readonly WorkItem[]): void {
    if (work !== undefined) {
      this.#work.push(...work.toReversed());
      return;
    }
    const named = this.#job.files.map((path) => ({ path, base: 0, depth: 0, named: true }));
    this.#work.push(...this.#walker.start().reverse(), ...named.reverse());
  }

  /** Takes on work from the board. */
  accept(item: WorkItem): void {
    this.#work.push(item);
  }

  /** Whether there is work left. */
  get hasWork(): boolean {
    return this.#work.length > 0;
  }

  /** Works until a point in time (on the `performance.now()` clock) or the end of its work. */
  run(until: number): void {
    while (this.#work.length > 0 && performance.now() < until) {
      if (this.#board.phase === "stop") {
        this.#work.length = 0;
        return;
      }
      if (this.#work.length > 1 && this.#board.isWanting) this.#share();
      const item = this.#work.pop()!;
      if (item.named) this.#search(item.path, true);
      else if (item.names === undefined) this.#list(item);
      else this.#readNames(item, until);
    }
  }

  /** What was done and left out so far. */
  report(): EngineReport {
    const report = structuredClone(this.#report);
    addSkips(report, this.#walker.skips);
    return report;
  }

  #list(directory: PendingDirectory): void {
    if (this.#isCutOff(directory.path + platform.sep)) return;
    const listing = this.#walker.list(directory);
    for (let index = listing.directories.length - 1; index >= 0; index--) {
      this.#work.push(listing.directories[index]!);
    }
    for (const path of listing.linked) this.#search(path, false);
    const { rules: _, ...place } = directory;
    for (let start = 0; start < listing.files.length; start += FILES_PER_ITEM) {
      this.#work.push({ ...place, names: listing.files.slice(start, start + FILES_PER_ITEM) });
    }
  }

  #readNames(item: LocalWork, until: number): void {
    const names = item.names!;
    const prefix = item.path.endsWith(platform.sep) ? item.path : item.path + platform.sep;
    for (let index = 0; index < names.length; index++) {
      if (this.#board.phase === "stop") return;
      this.#search(prefix + names[index]!, false);
      if (performance.now() >= until && index + 1 < names.length) {
        this.#work.push({ ...item, names: names.slice(index + 1) });
        return;
      }
    }
  }

  /** Gives the oldest half of the work to whoever waits: it lies nearest the root and is largest. */
  #share(): void {
    const given = this.#work.splice(0, Math.min(MAX_GIVEN, this.#work.length >> 1));
    const back = this.#board.give(given.map(({ rules: _, ...item }) => item));
    this.#work.unshift(...back);
  }

  #search(path: string, named: boolean): void {
    if (this.#isCutOff(path)) return;
    // A file replaced while it was read is read once more: it has not left the workspace.
    if (this.#attempt(path, named) === "replaced" && this.#attempt(path, named) === "replaced") {
      this.#skip(path, named, "vanished");
    }
  }

  #attempt(path: string, named: boolean): "done" | "replaced" {
    const keeps = this.#board.phase === "keep";
    const scanner = keeps ? this.#scanner : this.#countingScanner();
    scanner.start();
    const withoutMatch = this.#job.withoutMatch;
    let isReplaced = false;
    let modified = 0;
    let countUntil = Infinity;
    const sink: TextSink = {
      feed: (text, last) => {
        scanner.feed(text, last);
        if (scanner.count > this.#job.entryLimit && countUntil === Infinity) {
          countUntil = performance.now() + COUNTING_MS;
        }
        return !scanner.done && this.#board.phase !== "stop" && performance.now() < countUntil;
      },
      get isHit() {
        return (scanner.count > 0) !== withoutMatch;
      },
    };
    const outcome = this.#reader.read(path, named, sink, (file) => {
      isReplaced = !isVerified(file, path, this.#job.walk.confines);
      if (this.#job.wantsModified) modified = file.statSync().mtime?.getTime() ?? 0;
    });
    if (isReplaced) return "replaced";
    this.#report.bytesSearched += outcome.bytes;
    if (outcome.state !== "read") {
      this.#skip(path, named, outcome.state);
      return "done";
    }
    this.#report.filesSearched++;
    this.#board.countFile();
    if (outcome.longLines) this.#report.skipped.long_lines++;
    if (sink.isHit) {
      this.hits.push({
        path,
        count: scanner.count,
        entries: keeps ? scanner.entries : [],
        isPartial: performance.now() >= countUntil,
        modified,
      });
    }
    return "done";
  }

  #skip(path: string, named: boolean, reason: keyof SkipCounts): void {
    this.#report.skipped[reason]++;
    if (named) this.#report.notSearched.push({ path, reason });
  }

  #isCutOff(path: string): boolean {
    const cutoff = this.#board.cutoff;
    return cutoff !== undefined && compareByBytes(path, cutoff) > 0;
  }

  #countingScanner(): Scanner {
    const mode = this.#job.scan.mode === "file" ? "file" : "count";
    return this.#counter ??= this.#newScanner({ ...this.#job.scan, mode });
  }

  #newScanner(options: SearchJob["scan"]): Scanner {
    const scanner = new Scanner(this.#job.plan, options);
    limitScanner(scanner, this.#job);
    return scanner;
  }
}
