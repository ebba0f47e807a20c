/**
 * The work of one thread in a search: takes items, lists directories, reads files, collects hits.
 * The main thread and the workers run the same code.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { infoAt } from "../system/files.ts";
import {
  countsIn,
  isFilterKey,
  type Left,
  namesIn,
  type Part,
  PassTurn,
  type WalkListing,
} from "../walk/listing.ts";
import { Proof } from "../paths/verification.ts";
import type { Walker } from "../walk/walker.ts";
import {
  emptyReport,
  type EngineReport,
  type FileHit,
  isCutOff,
  isKept,
  type SearchJob,
  type SearchPhase,
} from "./job.ts";
import { type FileInPieces, FileLookup, FileReader } from "../read/file_reader.ts";
import type { Files, ReadOutcome, Tally } from "../read/files.ts";
import { NOTHING, SearchPulse, SearchSink } from "./search_sink.ts";
import { addDirectories, SkipReport } from "./skip_report.ts";
import {
  directoriesOf,
  fileItem,
  LocalQueue,
  type LocalWork,
  type SharedQueue,
  type WorkItem,
} from "./queues.ts";

const FILES_PER_ITEM = 64;
/** Listing a directory takes about as long as reading this many files. */
const DIRECTORY_COST = 2;
/** A file replaced while it was read is read again: it has not left the workspace. */
const MAX_ATTEMPTS = 2;
/** When time runs out, findings are proven within this many milliseconds, or excluded from the answer. */
const END_MS = 50;
/** Files between two checks of the clock, each of which costs as much as a small file. */
const FILES_PER_LOOK = 8;

/** Files that were searched and have nothing to do with the answer. */
interface PassedFiles extends Tally {
  /** Those that are binary, and archives among them. */
  binary: number;
  archives: number;
}

interface FileUnderWay {
  item: LocalWork;
  file: FileInPieces;
}

let walks: typeof import("../walk/walker.ts") | undefined;

/** Loads what it takes to walk, if a job has directories; call it before creating a {@linkcode SearchWorker}. */
export async function loadWalker(job: SearchJob): Promise<void> {
  if (directoriesOf(job).length > 0) walks ??= await import("../walk/walker.ts");
}

export class SearchWorker {
  /** Hits that the caller has not taken yet. */
  hits: FileHit[] = [];
  readonly #job: SearchJob;
  readonly #queue: SharedQueue;
  readonly #isStopped: () => boolean;
  readonly #pulse: SearchPulse;
  #walker: Walker | undefined;
  readonly #report: EngineReport;
  readonly #skips: SkipReport;
  readonly #reader: FileReader | FileLookup;
  readonly #files: Files;
  readonly #sink: SearchSink;
  /** The file that was begun last, and whether its entries are kept. */
  #path = "";
  #keeps = false;
  readonly #work: LocalQueue;
  /** The part of all files that it takes where it lists directories. @default all */
  #part: Part | undefined;
  #reading: FileUnderWay | undefined;
  /** Why the search left out the file that was begun last. */
  #left: readonly Left[] | undefined;
  readonly #proof: Proof;

  constructor(job: SearchJob, queue: SharedQueue, files: Files) {
    this.#job = job;
    this.#queue = queue;
    this.#report = emptyReport("js");
    this.#skips = new SkipReport(job, this.#report);
    this.#work = new LocalQueue(queue);
    this.#isStopped = () => queue.phase === "stop";
    this.#pulse = new SearchPulse(job, this.#isStopped);
    const ending = {
      timeout: job.timeout,
      get deadline() {
        return job.deadline + END_MS;
      },
    };
    const pulse = new SearchPulse(ending, this.#isStopped);
    this.#proof = new Proof(job.walk, job.since, pulse);
    this.#files = files;
    const begin = (path: string) => this.#begin(path);
    this.#reader = job.isListing ? new FileLookup(job) : new FileReader(job, files, begin);
    this.#sink = new SearchSink(job, this);
  }

  /** How the file that is being read goes on. */
  get phase(): SearchPhase {
    return this.#isCutOff(this.#path) ? "stop" : this.#queue.phase;
  }

  accept(item: WorkItem): void {
    this.#work.add(item);
  }

  /** Takes a part of the job, of which no other thread has anything in its cache. */
  acceptPart(part: Part): void {
    this.#part = part;
    this.#walker = undefined;
    this.#work.isShared = false;
    for (const { names, ...item } of directoriesOf(this.#job)) {
      this.accept({ ...item, ...(names && { names: namesIn(part, item.path, names) }) });
    }
  }

  /** A failure counts as work: what was found until then is handed on before `run` throws it. */
  get hasWork(): boolean {
    return !this.#work.isEmpty || this.#reading !== undefined || this.#sink.failure !== undefined;
  }

  get filesToRead(): number {
    return this.#work.filesKnown;
  }

  /**
   * Lists directories before any file is read, until enough work is known or a time on the
   * `performance.now()` clock; a directory counts as {@linkcode DIRECTORY_COST} files. Returns
   * whether there is enough work, or time ran out first.
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
    // Everything found before has been handed on by now.
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

  /** Whether what it has found may fill the answer: then no other file is begun that may take long. */
  get #isFull(): boolean {
    return this.hits.length > this.#job.entryLimit - 2 && this.#queue.phase === "keep";
  }

  #run(until: number): void {
    while (this.hasWork && performance.now() < until) {
      if (this.#sink.failure !== undefined || this.#isFull) break;
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
      else if (!this.#isCutOff(item.path)) this.#open(item);
    }
    this.#proof.settle();
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

  stop(): void {
    this.#work.clear();
    this.#close();
  }

  #close(): void {
    this.#reading?.file[Symbol.dispose]();
    this.#reading = undefined;
  }

  /** The report once the search is over. */
  report(): EngineReport {
    return { ...this.#report, skipped: { ...this.#report.skipped } };
  }

  #list(directory: LocalWork): void {
    // The targets of links in it may come before it.
    if (!this.#job.walk.follow && this.#isCutOff(directory.path + platform.sep)) return;
    const [part, { path }] = [this.#part, directory];
    const { walk } = this.#job;
    this.#walker ??= new walks!.Walker({ ...walk, part }, this.#files.directories, this.#pulse);
    const listing = this.#walker.list(directory);
    if (countsIn(part, path)) this.#skips.addListing(directory, listing);
    const { directories } = listing;
    for (let index = directories.length - 1; index >= 0; index--) {
      this.#work.add(directories[index]!);
    }
    const { named = [] } = listing;
    if (this.#job.listsDirectories) {
      this.#addFiles(directory, { files: named, linked: [] });
    } else {
      this.#addFiles(directory, listing);
      const prefix = path.endsWith(platform.sep) ? path : path + platform.sep;
      if (named.length > 0) addDirectories(this.#report, named.map((name) => prefix + name));
    }
    for (const files of listing.left ?? []) {
      const { turn: own = PassTurn.Searched } = directory;
      const turn = own === PassTurn.Start ? own : Math.max(own, PassTurn.LeftOut);
      this.#addFiles({ ...directory, left: files.left, turn }, files);
    }
    if (this.#job.walk.asked !== undefined) this.#addFilters(listing);
  }

  #addFiles(directory: LocalWork, { files, linked }: Pick<WalkListing, "files" | "linked">): void {
    const { path, base, depth, left, turn } = directory;
    const why = left === undefined ? {} : { left, turn: turn! };
    for (const path of linked.toReversed()) this.#work.add({ ...fileItem(path), ...why });
    const names = this.#toOpen(path, files);
    // What is added last is done first.
    for (let from = names.length - 1; from >= 0; from -= FILES_PER_ITEM) {
      from -= from % FILES_PER_ITEM;
      const to = Math.min(names.length, from + FILES_PER_ITEM);
      this.#work.add({ path, base, depth, names, from, to, ...why });
    }
  }

  /** Reports which filters alone exclude files, and what alone does so but filters. */
  #addFilters({ files, linked, left = [] }: WalkListing): void {
    const { filteredBy } = this.#report;
    if (files.length + linked.length > 0) filteredBy.add("");
    for (const { left: reasons, ...of } of left) {
      if (of.files.length + of.linked.length === 0) continue;
      const areFilters = reasons.every(({ reason }) => isFilterKey(reason));
      const isBarred = reasons.every(({ reason }) => reason === "ignored" || reason === "hidden");
      if (!areFilters && !isBarred) continue;
      filteredBy.add(`${isBarred ? "!" : ""}${reasons.map(({ reason }) => reason).join()}`);
    }
  }

  /** The files of a directory that have to be opened; counts the others. */
  #toOpen(directory: string, names: readonly string[]): readonly string[] {
    if (this.#queue.phase === "finish") return names; // some of them are cut off
    const passed = { files: 0, bytes: 0, binary: 0, archives: 0 };
    const left = this.#files.toOpen(directory, names, passed);
    this.#count(passed);
    return left;
  }

  #readNames(item: LocalWork, until: number): void {
    const names = item.names!;
    const { path: directory, from = 0, to = names.length } = item;
    const prefix = directory.endsWith(platform.sep) ? directory : directory + platform.sep;
    const passed = { files: 0, bytes: 0, binary: 0, archives: 0 };
    for (let index = from; index < to; index++) {
      if (this.#isStopped() || this.#sink.failure !== undefined) break;
      const path = prefix + names[index]!;
      if (this.#isCutOff(path)) continue;
      this.#left = item.left;
      const outcome = this.#reader.read(path, names, index); // its lines are in the sink
      const isPassed = outcome !== undefined && this.#pass(outcome, passed);
      const readAlone = () => this.#work.add(this.#alone(path, item));
      if (outcome !== undefined) this.#skips.addExcludedFile(path, outcome.state);
      if (outcome === undefined) readAlone();
      else if (!isPassed) this.#found(path, false, outcome, readAlone);
      const isTurn = !isPassed || index % FILES_PER_LOOK === FILES_PER_LOOK - 1;
      if (isTurn && performance.now() >= until && index + 1 < to) {
        this.#work.add({ ...item, from: index + 1 });
        break;
      }
    }
    this.#count(passed);
  }

  /** A file of an item, to be read by itself: in a further pass, after what takes less long. */
  #alone(path: string, { left, turn = PassTurn.Searched }: LocalWork): LocalWork {
    if (this.#job.walk.asked === undefined) return fileItem(path);
    return { ...fileItem(path), ...(left && { left }), turn: Math.max(turn, PassTurn.Large) };
  }

  /** Counts a file that has nothing to do with the answer, or that a cache knows to be binary. */
  #pass({ state, info, bytes, isArchive = false }: ReadOutcome, passed: PassedFiles): boolean {
    const isUnnamed = state === "binary" && !this.#skips.namesBinary(isArchive);
    if (!isUnnamed && (state !== "read" || info !== undefined)) return false;
    if (state === "read") passed.files++;
    else passed.binary++;
    if (isArchive) passed.archives++;
    passed.bytes += bytes;
    return true;
  }

  #open(item: LocalWork): void {
    const file = this.#reader.readAlone(item.path, item.file === "named");
    this.#reading = { item, file };
  }

  #readOn({ item, file }: FileUnderWay): void {
    const outcome = file.next();
    if (outcome === undefined) return;
    this.#close();
    this.#left = item.left;
    const { path, attempt = 1 } = item;
    const isNamed = item.file === "named";
    this.#skips.addExcludedFile(path, outcome.state);
    this.#proof.settle(); // then the file is proven alone: another one that has moved says nothing of it
    this.#found(path, isNamed, outcome, () => {
      if (attempt < MAX_ATTEMPTS) this.#work.add({ ...item, attempt: attempt + 1 });
      else this.#vanish(path, isNamed);
    });
    this.#proof.settle();
  }

  #begin(path: string): SearchSink {
    this.#path = path;
    this.#keeps = isKept(this.#queue, path);
    this.#sink.start(this.#keeps);
    return this.#sink;
  }

  /**
   * Reports a file once it is proven to be where its path says: that it matches, or why it was not
   * searched. If it is not proven, calls `retry`.
   */
  #found(
    path: string,
    isNamed: boolean,
    outcome: ReadOutcome,
    retry: () => void,
  ): void {
    const { bytes, info, state } = outcome;
    const directory = platform.dirname(path);
    if (state === "vanished") return this.#vanish(path, isNamed);
    if (state !== "read") {
      const accept = () => {
        this.#skips.skip(path, state, isNamed, false, outcome.isArchive);
        this.#report.bytesSearched += bytes;
      };
      return this.#proof.addFile(path, directory, info ?? infoAt(path), accept, retry);
    }
    const { isHit, found, isIncomplete } = this.#sink;
    if (info === undefined || !isHit && !outcome.longLines && outcome.lacks === undefined) {
      return this.#countFile(path, outcome, isNamed);
    }
    const kept = this.#keeps ? found : NOTHING;
    const hit: FileHit = {
      path,
      ...(info.isDirectory && { isDirectory: true }),
      count: this.#job.isListing ? 1 : found.count,
      patternCounts: found.patternCounts,
      ...(found.values && { values: found.values }),
      lines: kept.lines,
      passed: kept.passed,
      chars: kept.chars,
      isIncomplete,
      isTruncated: kept.isTruncated,
      encoding: outcome.encoding,
      ...this.#leftFor(outcome),
      modified: this.#job.wantsModified ? info.mtime?.getTime() ?? 0 : 0,
    };
    const accept = () => {
      this.#countFile(path, outcome, isNamed);
      // The answer may be full by now, and a hit, which is copied to the main thread, can be large.
      if (!isHit || this.#isCutOff(path)) return;
      this.hits.push(isKept(this.#queue, path) ? hit : { ...hit, lines: [], passed: 0, chars: 0 });
    };
    this.#proof.addFile(path, directory, info, accept, retry);
  }

  #leftFor({ left = [] }: ReadOutcome & { state: "read" }): Pick<FileHit, "left"> {
    const all = [...this.#left ?? [], ...left];
    return all.length === 0 ? {} : { left: all };
  }

  #countFile(
    path: string,
    { archive, longLines, lacks, bytes }: ReadOutcome & { state: "read" },
    isNamed: boolean,
  ): void {
    if (longLines) this.#skips.skip(path, "long_lines");
    if (lacks !== undefined) this.#skips.skip(path, lacks, isNamed, true);
    if (archive !== undefined) this.#report.archiveKinds.add(archive);
    this.#count({ files: 1, bytes, binary: 0, archives: 0 });
  }

  /** Numbers of files need no proof: unlike names and lines, they show nothing of what lies elsewhere. */
  #count({ files, bytes, binary, archives }: PassedFiles): void {
    this.#queue.countFiles(files);
    this.#report.filesSearched += files;
    this.#report.bytesSearched += bytes;
    this.#report.skipped.binary += binary;
    this.#report.archives += archives;
  }

  #vanish(path: string, isNamed: boolean): void {
    if (isNamed) this.#skips.skip(path, "vanished", true);
    else this.#skips.vanish(platform.dirname(path));
  }

  #isCutOff(path: string): boolean {
    return isCutOff(this.#queue, path);
  }
}
