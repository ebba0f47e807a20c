/**
 * The part of one thread in a search: takes work, lists directories, reads files, collects hits.
 * The main thread and the workers run the same code.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { infoAt } from "../util/file_info.ts";
import { Walker } from "../walk/walker.ts";
import {
  emptyReport,
  type EngineReport,
  type FileHit,
  isCutOff,
  isKept,
  type SearchJob,
  type SearchPhase,
} from "../searcher/job.ts";
import { SkipReport } from "../searcher/skip_report.ts";
import { type FileId, isVerified } from "../workspace/verification.ts";
import {
  fileEvidence,
  Provisional,
  skippedEvidence,
  type WalkFinding,
} from "../walk/provisional.ts";
import type { SharedQueue, WorkItem } from "./shared_queue.ts";
import type { CacheUse } from "../cache/worker_cache.ts";
import { type FileInPieces, FileReader, type ReadOutcome } from "../searcher/file_reader.ts";
import { SearchPulse } from "../searcher/search_pulse.ts";
import { SearchSink } from "../searcher/search_sink.ts";
import type { Shards } from "../cache/shards.ts";
import { fileItem, LocalQueue, type LocalWork } from "./local_queue.ts";

/** The most files of one directory in one item of work. */
const FILES_PER_ITEM = 64;
/** Listing a directory takes about as long as reading this many files. */
const DIRECTORY_COST = 2;
/** A file replaced while it was read is read again: it has not left the workspace. */
const MAX_ATTEMPTS = 2;
/** A file whose time has run out ends within this many milliseconds, or is left out of the answer. */
const END_MS = 50;
/** Files between two checks of the clock, each of which costs as much as a small file. */
const FILES_PER_LOOK = 8;

/** What was found in a file, if anything, before it is verified that the file is where its path says. */
type FileFinding = Omit<WalkFinding, "reject"> | undefined;

/** A file that is read in pieces, other work in between. */
interface FileUnderWay {
  file: FileInPieces;
  path: string;
  isNamed: boolean;
  /** Whether its entries are kept. */
  keeps: boolean;
  /** How often it was begun. */
  attempt: number;
}

/** One thread of a search. */
export class SearchWorker {
  /** Hits that the caller has not taken yet. */
  hits: FileHit[] = [];
  readonly #job: SearchJob;
  readonly #queue: SharedQueue;
  readonly #isStopped: () => boolean;
  readonly #pulse: SearchPulse;
  readonly #walker: Walker;
  readonly #report: EngineReport;
  readonly #skips: SkipReport;
  readonly #reader: FileReader;
  readonly #shards: Shards | undefined;
  readonly #sink: SearchSink;
  /** The file that is being read. */
  #path = "";
  readonly #work: LocalQueue;
  /** A file that is read in pieces. */
  #reading: FileUnderWay | undefined;
  /** Findings since the last verification. */
  readonly #provisional: Provisional;
  /** Files and bytes searched since then by directory, if stats are wanted. */
  readonly #tallies = new Map<string, { files: number; bytes: number }>();

  /** @param memory the thread's cache, as this search uses it */
  constructor(job: SearchJob, queue: SharedQueue, memory?: CacheUse) {
    this.#job = job;
    this.#queue = queue;
    this.#report = emptyReport("js", job.mayBeCut);
    this.#skips = new SkipReport(job, this.#report);
    this.#work = new LocalQueue(queue);
    this.#isStopped = () => queue.phase === "stop";
    this.#pulse = new SearchPulse(job, this.#isStopped);
    this.#walker = new Walker(job.walk, memory?.listings, this.#pulse);
    this.#provisional = new Provisional(job.walk, job.since, this.#pulse);
    this.#shards = memory?.shards;
    this.#reader = new FileReader({
      maxFileSize: job.maxFileSize,
      isMultiline: job.plan.multiline,
      encoding: job.encoding,
      isAnyText: job.isAnyText,
      prefilter: job.plan.prefilter,
      cache: memory?.files,
      trust: memory?.trust,
    });
    this.#sink = new SearchSink(job, this);
  }

  /** How the file that is being read goes on. */
  get phase(): SearchPhase {
    return this.#isCutOff(this.#path) ? "stop" : this.#queue.phase;
  }

  /** Accepts work from the queue. */
  accept(item: WorkItem): void {
    this.#work.add(item);
  }

  /** Whether there is work left. */
  get hasWork(): boolean {
    return !this.#work.isEmpty || this.#reading !== undefined || this.#sink.failure !== undefined;
  }

  /** The number of files to read that are known. */
  get filesToRead(): number {
    return this.#work.filesKnown;
  }

  /**
   * Lists directories before any file is read, until enough work is known.
   *
   * @param files how many files are enough; a directory counts as {@linkcode DIRECTORY_COST} of them
   * @param until when to stop in any case, on the `performance.now()` clock
   * @returns whether there is enough work
   */
  listAhead(files: number, until: number): boolean {
    let known = 0;
    for (let listed = 1; known < files && performance.now() < until; listed++) {
      const directory = this.#work.takeDirectory();
      if (directory === undefined) return false;
      this.#list(directory);
      known = this.#work.filesKnown + listed * DIRECTORY_COST;
    }
    return true;
  }

  /**
   * Works until no work is left, or until a point in time (on the `performance.now()` clock) and to the end
   * of the file or piece that it is in by then.
   */
  run(until: number): void {
    // What was found until then has been handed on by now.
    if (this.#sink.failure !== undefined) throw this.#sink.failure;
    try {
      if (this.#reading === undefined) this.#pulse.look();
      this.#run(until);
    } catch (thrown) {
      // A search that is stopped in the middle of a file throws.
      if (!this.#isStopped()) throw thrown;
      this.stop();
    }
  }

  #run(until: number): void {
    while (this.hasWork && performance.now() < until) {
      if (this.#sink.failure !== undefined) break;
      if (this.#isStopped()) {
        this.stop();
        break;
      }
      this.#work.share(this.#reading === undefined ? 0 : 1);
      if (this.#reading !== undefined) {
        this.#readOn(this.#reading);
        continue;
      }
      const item = this.#work.takeFiles();
      if (item === undefined) this.#list(this.#work.takeDirectory()!);
      else if (item.file === undefined) this.#readNames(item, until);
      else if (!this.#isCutOff(item.path)) this.#open(item.path, item.file === "named");
    }
    this.#prove();
  }

  /** Ends the file that is being read: time has run out, and what was found in it is still reported. */
  endFile(): void {
    if (this.#reading === undefined) return;
    try {
      this.run(performance.now() + END_MS);
    } catch {
      // The search has failed already.
    }
  }

  /** Drops all work. */
  stop(): void {
    this.#work.clear();
    this.#close();
  }

  /** Closes the file that is read in pieces. */
  #close(): void {
    this.#reading?.file[Symbol.dispose]();
    this.#reading = undefined;
  }

  /** What was searched and skipped so far. */
  report(): EngineReport {
    return { ...this.#report, skipped: { ...this.#report.skipped } };
  }

  /** Lists a directory. */
  #list(directory: LocalWork): void {
    // The targets of links in it may come before it.
    if (!this.#job.walk.follow && this.#isCutOff(directory.path + platform.sep)) return;
    const { path, base, depth, shard } = directory;
    const listing = this.#walker.list(directory);
    if (shard === undefined || this.#shards!.counts(path, shard)) {
      this.#skips.addListing(path, listing, this.#provisional);
    }
    for (let index = listing.directories.length - 1; index >= 0; index--) {
      const below = listing.directories[index]!;
      if (shard === undefined) this.#work.add(below);
      else this.#work.add({ ...below, shard });
    }
    for (const path of listing.linked.toReversed()) this.#work.add(fileItem(path));
    const names = shard === undefined
      ? listing.files
      : this.#shards!.partOf(path, listing.files, shard);
    for (let from = 0; from < names.length; from += FILES_PER_ITEM) {
      const to = Math.min(names.length, from + FILES_PER_ITEM);
      this.#work.add({ path, base, depth, names, from, to });
    }
  }

  #readNames(item: LocalWork, until: number): void {
    const names = item.names!;
    const { from = 0, to = names.length } = item;
    this.#reader.enter(item.path, names);
    const prefix = item.path.endsWith(platform.sep) ? item.path : item.path + platform.sep;
    const mayPass = !this.#job.withoutMatch && this.#queue.phase !== "finish";
    const passed = { files: 0, bytes: 0 };
    for (let index = from; index < to; index++) {
      if (this.#isStopped() || this.#sink.failure !== undefined) break;
      if (mayPass) index += this.#reader.passOverTrusted(index, to, passed);
      if (index === to) break;
      const path = prefix + names[index]!;
      if (this.#isCutOff(path)) continue;
      const size = mayPass ? this.#reader.passOver(path, index) : -1;
      if (size >= 0) {
        passed.files++;
        passed.bytes += size;
      }
      const found = size >= 0 ? undefined : this.#attempt(path, index);
      if (found !== undefined) {
        this.#provisional.add({ ...found, reject: () => this.#work.add(fileItem(path)) });
      }
      const isTurn = found !== undefined || index % FILES_PER_LOOK === FILES_PER_LOOK - 1;
      if (isTurn && performance.now() >= until && index + 1 < to) {
        this.#work.add({ ...item, from: index + 1 });
        break;
      }
    }
    this.#tally(item.path, passed.files, passed.bytes);
  }

  /** Accepts findings that are where their paths say. */
  #prove(): void {
    this.#provisional.settle();
    for (const [path, { files, bytes }] of this.#tallies) {
      this.#provisional.add({
        path,
        directory: path,
        isSame: () => true,
        accept: () => this.#add(files, bytes),
        reject: () => {},
      });
    }
    this.#tallies.clear();
    this.#provisional.settle();
  }

  /** Begins a file that is read in pieces. */
  #open(path: string, isNamed: boolean, attempt = 1): void {
    const keeps = this.#begin(path);
    const file = this.#reader.readAlone(path, this.#sink, isNamed);
    this.#reading = { file, path, isNamed, keeps, attempt };
  }

  /** Reads the next piece of a file. */
  #readOn({ file, path, isNamed, keeps, attempt }: FileUnderWay): void {
    const outcome = file.next();
    if (outcome === undefined) return;
    this.#close();
    if (this.#settle(this.#found(path, isNamed, outcome, keeps))) return;
    if (attempt < MAX_ATTEMPTS) this.#open(path, isNamed, attempt + 1);
    else this.#vanish(path, isNamed);
  }

  /** Accepts a finding, if any; `false` if it is not where its path says. */
  #settle(found: FileFinding): boolean {
    if (found === undefined) return true;
    if (!isVerified(found, this.#job.walk)) return false;
    found.accept();
    return true;
  }

  /**
   * Reads a file. One that is large becomes an item of work of its own. The result is not verified yet.
   *
   * @param index of its name among those that the reader has entered
   */
  #attempt(path: string, index: number): FileFinding {
    const keeps = this.#begin(path);
    const outcome = this.#reader.read(path, this.#sink, index);
    if (outcome !== undefined) return this.#found(path, false, outcome, keeps);
    this.#work.add(fileItem(path));
    return undefined;
  }

  /** Starts a file; returns whether its entries are kept. */
  #begin(path: string): boolean {
    this.#path = path;
    const keeps = isKept(this.#queue, path);
    this.#sink.start(keeps);
    return keeps;
  }

  /** What there is to report of a file, if anything: that it matches, or why it was not searched. */
  #found(path: string, named: boolean, outcome: ReadOutcome, keeps: boolean): FileFinding {
    const { bytes, info, state } = outcome;
    if (state !== "read") {
      if (state === "binary" && !named && !this.#job.wantsStats) {
        this.#logBinary(path, info);
        return undefined;
      }
      if (state === "vanished") {
        this.#vanish(path, named);
        return undefined;
      }
      const accept = () => {
        this.#skips.skip(path, state, named);
        this.#add(0, bytes);
      };
      return { ...skippedEvidence(path, info ?? infoAt(path)), accept };
    }
    if (info === undefined) {
      this.#count(path, outcome);
      return undefined;
    }
    const { isHit } = this.#sink;
    const hit: FileHit = {
      path,
      count: this.#sink.count,
      patternCounts: this.#sink.patternCounts,
      entries: keeps ? this.#sink.entries : [],
      isIncomplete: this.#sink.isIncomplete,
      isTruncated: keeps && this.#sink.isTruncated,
      encoding: outcome.encoding,
      modified: this.#job.wantsModified ? info.mtime?.getTime() ?? 0 : 0,
    };
    const accept = () => {
      this.#count(path, outcome);
      // The answer may be full by now, and a hit, which is copied to the main thread, can be large.
      if (!isHit || this.#isCutOff(path)) return;
      this.hits.push(isKept(this.#queue, path) ? hit : { ...hit, entries: [] });
    };
    return { ...fileEvidence(path, platform.dirname(path), info), accept };
  }

  /** Says of a binary file that nothing else tells of it. */
  #logBinary(path: string, info: FileId | undefined): void {
    if (!this.#job.walk.isLogged) return;
    const accept = () => this.#skips.log(path, "binary");
    this.#provisional.add({ ...skippedEvidence(path, info ?? infoAt(path)), accept, reject() {} });
  }

  #count(path: string, outcome: ReadOutcome & { state: "read" }): void {
    if (outcome.longLines) this.#skips.skip(path, "long_lines");
    this.#tally(platform.dirname(path), 1, outcome.bytes);
  }

  /** Counts files and bytes searched in a directory. */
  #tally(directory: string, files: number, bytes: number): void {
    this.#queue.countFiles(files);
    if (!this.#job.wantsStats) return this.#add(files, bytes);
    const tally = this.#tallies.get(directory) ?? { files: 0, bytes: 0 };
    tally.files += files;
    tally.bytes += bytes;
    this.#tallies.set(directory, tally);
  }

  #add(files: number, bytes: number): void {
    this.#report.filesSearched += files;
    this.#report.bytesSearched += bytes;
  }

  #vanish(path: string, isNamed: boolean): void {
    if (isNamed) this.#skips.skip(path, "vanished", true);
    else this.#skips.vanish(platform.dirname(path));
  }

  #isCutOff(path: string): boolean {
    return isCutOff(this.#queue, path);
  }
}
