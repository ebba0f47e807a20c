/**
 * What one thread does in a search: takes work, lists directories, reads files, keeps the hits.
 * The main thread and the workers run the same code.
 *
 * @module
 */

import * as platform from "../../util/path.ts";
import { noWalkSkips, Walker, whyMissing } from "../../walk/walk.ts";
import {
  addPlace,
  addSkips,
  emptyReport,
  type EngineReport,
  type FileHit,
  listFor,
  type SearchJob,
  type SkipCounts,
} from "../engine.ts";
import { compareByBytes } from "../../workspace/paths.ts";
import type { Board, WorkItem } from "./board.ts";
import type { ThreadMemory } from "./memory.ts";
import { FileReader, type ReadOutcome } from "./read.ts";
import { Scanner } from "./scan.ts";
import { limitScanner, ScannerSink } from "./scanner_sink.ts";
import type { Stripes } from "./stripes.ts";
import type { OfferSurvey } from "./survey.ts";
import { isNamed, isVerified, StandstillProof } from "./verify.ts";
import { type LocalWork, WorkList } from "./work_list.ts";

/** So many files of one directory are one piece of work, to be shared out. */
const FILES_PER_ITEM = 64;
/** Listing a directory takes as long as reading so many files. */
const DIRECTORY_COST = 2;
/** A file replaced while it was read is read once more: it has not left the workspace. */
const MAX_ATTEMPTS = 2;
/** Files that are read between two looks at the clock, which costs as much as a small one. */
const FILES_PER_LOOK = 8;

/** What was found in a file, before it is known that the file lies where its path says. */
interface Found {
  hit: FileHit;
  outcome: ReadOutcome & { state: "read"; info: Deno.FileInfo };
}

/** One thread of a search. */
export class SearchThread {
  /** What was found and not yet handed on. */
  hits: FileHit[] = [];
  readonly #job: SearchJob;
  readonly #board: Board;
  readonly #callSurveyor: (bytes: number) => boolean;
  readonly #walker: Walker;
  readonly #report: EngineReport;
  readonly #reader: FileReader;
  readonly #stripes: Stripes | undefined;
  readonly #scanner: Scanner;
  readonly #sink: ScannerSink;
  #counter: Scanner | undefined;
  readonly #work: WorkList;
  /** The search in a file that may be large, which goes on where it paused. */
  #reading: Generator<void, void> | undefined;
  /** What was found below directories that are still to be looked at. */
  #unproven: (Found & { directory: string })[] = [];

  /**
   * @param memory what the thread remembers of earlier searches, begun for this one
   * @param callSurveyor sees to it that another thread takes part, for a file with so many bytes to
   * come, and answers whether one will
   */
  constructor(
    job: SearchJob,
    board: Board,
    memory?: ThreadMemory,
    callSurveyor: (bytes: number) => boolean = () => true,
  ) {
    this.#job = job;
    this.#board = board;
    this.#report = emptyReport("js", job.mayBeCut);
    this.#work = new WorkList(board);
    this.#callSurveyor = callSurveyor;
    this.#walker = new Walker(job.walk, memory?.listings);
    this.#stripes = memory?.stripes;
    this.#reader = new FileReader({
      maxFileSize: job.maxFileSize,
      isMultiline: job.pattern.multiline,
      tellsBinaries: job.wantsStats,
      need: job.plan.need,
      kept: memory?.files,
      offerSurvey: (...asked) => this.#offerSurvey(...asked),
    });
    this.#scanner = this.#newScanner(job.scan);
    this.#sink = new ScannerSink(job, board, this.#scanner);
  }

  /**
   * Takes on the given work, or the whole search: the named files first, then the walk.
   *
   * @param work what to do instead of all that the job names
   * @param stripes how many threads may share the walk so that each reads the same files every time
   */
  start(work?: readonly WorkItem[], stripes = 1): void {
    if (work !== undefined) {
      for (const item of work.toReversed()) this.#work.add(item);
      return;
    }
    for (const base of this.#walker.start().reverse()) {
      if (stripes > 1) this.#startStripes(base, stripes);
      else this.#work.add(base);
    }
    for (const path of this.#job.files.toReversed()) {
      this.#work.add({ path, base: 0, depth: 0, file: "named" });
    }
  }

  /** Lays down all stripes but the first for other threads. */
  #startStripes(base: LocalWork, of: number): void {
    this.#work.add({ ...base, stripe: { index: 0, of } });
    for (let index = 1; index < of; index++) {
      this.#work.addForOthers([{ ...base, stripe: { index, of } }]);
    }
  }

  /** Takes on work from the board. */
  accept(item: WorkItem): void {
    this.#work.add(item);
  }

  /** Whether there is work left. */
  get hasWork(): boolean {
    return !this.#work.isEmpty;
  }

  /** Files that are known of and still to be read. */
  get filesToRead(): number {
    return this.#work.filesKnown;
  }

  /**
   * Lists directories before any file is read, until that much work is known of.
   *
   * @param files in how many files; a directory counts as {@linkcode DIRECTORY_COST} of them
   * @returns whether there is that much
   */
  listAhead(files: number): boolean {
    let known = 0;
    for (let listed = 1; known < files; listed++) {
      const directory = this.#work.takeDirectory();
      if (directory === undefined) return false;
      this.#list(directory);
      known = this.#work.filesKnown + listed * DIRECTORY_COST;
    }
    return true;
  }

  /** Works until a point in time (on the `performance.now()` clock) or the end of its work. */
  run(until: number): void {
    const started = Date.now();
    while (this.hasWork && performance.now() < until) {
      if (this.#board.phase === "stop") {
        this.stop();
        break;
      }
      this.#work.share();
      const item = this.#work.takeFiles();
      if (item === undefined) this.#list(this.#work.takeDirectory()!);
      else if (item.file !== undefined) {
        // What is found before is proven before: both use the same sink.
        if (this.#reading === undefined) this.#prove(started);
        this.#readInPieces(item, until);
      } else this.#readNames(item, until);
    }
    this.#prove(started);
  }

  /** Lets go of all work. */
  stop(): void {
    this.#work.clear();
    this.#reading?.return();
    this.#reading = undefined;
  }

  /** What was done and left out so far. */
  report(): EngineReport {
    const report = { ...this.#report, skipped: { ...this.#report.skipped } };
    addSkips(report, this.#walker.skips);
    return report;
  }

  #list(directory: LocalWork): void {
    // What links in it lead to may come before it.
    if (!this.#job.walk.follow && this.#isCutOff(directory.path + platform.sep)) return;
    const { path, base, depth, stripe } = directory;
    const listing = stripe === undefined || this.#stripes!.counts(path, stripe)
      ? listFor(this.#report, this.#walker, directory)
      : this.#walker.list(directory, noWalkSkips());
    for (let index = listing.directories.length - 1; index >= 0; index--) {
      const below = listing.directories[index]!;
      if (stripe === undefined) this.#work.add(below);
      else {
        const { path, base, depth, rules } = below;
        this.#work.add({ path, base, depth, rules: rules!, stripe });
      }
    }
    for (const path of listing.linked) this.#search(path);
    const names = stripe === undefined
      ? listing.files
      : this.#stripes!.partOf(path, listing.files, stripe);
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
    const mayPass = !this.#job.withoutMatch && this.#board.cutoff === undefined;
    const maySkim = mayPass && this.#reader.canSkim;
    let passed = 0;
    let bytes = 0;
    for (let index = from; index < to; index++) {
      if (this.#board.phase === "stop") break;
      const size = mayPass ? this.#reader.passOver(index) : -1;
      if (size >= 0) {
        passed++;
        bytes += size;
        continue;
      }
      const path = prefix + names[index]!;
      if (this.#isCutOff(path)) continue;
      const skimmed = maySkim ? this.#reader.skim(path) : -1;
      if (skimmed >= 0) {
        passed++;
        bytes += skimmed;
      }
      const found = skimmed >= 0 ? undefined : this.#attempt(path, index);
      if (found !== undefined) {
        const { info, isOfPath } = found.outcome;
        if (isOfPath || isNamed(info, path)) {
          this.#unproven.push({ directory: item.path, ...found });
        } else this.#search(path);
      }
      const isTurn = found !== undefined || index % FILES_PER_LOOK === FILES_PER_LOOK - 1;
      if (isTurn && performance.now() >= until && index + 1 < to) {
        this.#work.add({ ...item, from: index + 1 });
        break;
      }
    }
    this.#report.bytesSearched += bytes;
    this.#countFiles(passed);
  }

  /** Accepts what was found and lies where its path says. */
  #prove(since: number): void {
    if (this.#unproven.length === 0) return;
    // A look at each directory spares many at each file.
    const { confines } = this.#job.walk;
    const proof = new StandstillProof(since, confines);
    for (const { directory, ...found } of this.#unproven.splice(0)) {
      const { path } = found.hit;
      const isProven = proof.covers(directory) || isVerified(found.outcome.info, path, confines);
      if (isProven) this.#accept(found);
      else this.#search(path);
    }
  }

  #offerSurvey(...[path, ahead, task]: Parameters<OfferSurvey>): ReturnType<OfferSurvey> {
    if (!this.#callSurveyor(ahead)) return undefined;
    const { survey } = this.#board;
    const id = survey.open();
    if (id === undefined) return undefined;
    const item: WorkItem = { path, base: 0, depth: 0, survey: { id, ...task } };
    if (this.#board.give([item]).length === 0) return { survey, id };
    survey.close(id);
    return undefined;
  }

  #readInPieces(item: LocalWork, until: number): void {
    this.#reading ??= this.#searchInPieces(item.path, item.file === "named");
    while (!this.#reading.next().done) {
      if (performance.now() < until) continue;
      this.#work.add(item);
      return;
    }
    this.#reading = undefined;
  }

  /** Searches a file; gives way between the pieces of a large one. */
  *#searchInPieces(path: string, isNamed: boolean): Generator<void, void> {
    if (this.#isCutOff(path)) return;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const keeps = this.#begin();
      const outcome = yield* this.#reader.readInPieces(path, this.#sink, isNamed);
      if (this.#settle(path, this.#found(path, isNamed, outcome, keeps))) return;
    }
    this.#skip(path, isNamed, "vanished");
  }

  #search(path: string): void {
    if (this.#isCutOff(path)) return;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (this.#settle(path, this.#attempt(path))) return;
    }
    this.#skip(path, false, "vanished");
  }

  /** Accepts what was found, if anything; `false` when it does not lie where its path says. */
  #settle(path: string, found: Found | undefined): boolean {
    if (found === undefined) return true;
    if (!isVerified(found.outcome.info, path, this.#job.walk.confines)) return false;
    this.#accept(found);
    return true;
  }

  /**
   * Reads a file, unless it is large: then it becomes work by itself. What is found still has to be proven
   * to lie there.
   *
   * @param index of its name, if that is among those that the reader has entered
   */
  #attempt(path: string, index?: number): Found | undefined {
    const keeps = this.#begin();
    const outcome = this.#reader.read(path, this.#sink, index);
    if (outcome !== undefined) return this.#found(path, false, outcome, keeps);
    this.#work.add({ path, base: 0, depth: 0, file: "met" });
    return undefined;
  }

  /** Begins a file; answers whether lines are kept. */
  #begin(): boolean {
    const keeps = this.#board.phase === "keep";
    this.#sink.start(keeps ? this.#scanner : this.#countingScanner());
    return keeps;
  }

  /** What was found in a file that was read. */
  #found(path: string, named: boolean, outcome: ReadOutcome, keeps: boolean): Found | undefined {
    if (outcome.state !== "read") {
      this.#report.bytesSearched += outcome.bytes;
      this.#skip(path, named, outcome.state);
      return undefined;
    }
    if (outcome.info === undefined) {
      this.#count(path, outcome);
      return undefined;
    }
    const hit = {
      path,
      count: this.#sink.count,
      entries: keeps ? this.#sink.entries : [],
      isPartial: this.#sink.isPartial,
      isShort: keeps && this.#sink.isShort,
      modified: this.#job.wantsModified ? outcome.info.mtime?.getTime() ?? 0 : 0,
    };
    return { hit, outcome: outcome as Found["outcome"] };
  }

  #accept({ hit, outcome }: Found): void {
    this.#count(hit.path, outcome);
    this.hits.push(hit);
  }

  #count(path: string, outcome: ReadOutcome & { state: "read" }): void {
    this.#report.bytesSearched += outcome.bytes;
    if (outcome.longLines) {
      this.#report.skipped.long_lines++;
      addPlace(this.#report, path, "long_lines");
    }
    this.#countFiles(1);
  }

  #countFiles(files: number): void {
    this.#report.filesSearched += files;
    this.#board.countFiles(files);
  }

  #skip(path: string, named: boolean, why: keyof SkipCounts): void {
    const reason = why === "vanished" ? whyMissing(path) : why;
    this.#report.skipped[reason]++;
    if (named) this.#report.notSearched.push({ path, reason });
    if (named || reason !== "binary") addPlace(this.#report, path, reason);
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
