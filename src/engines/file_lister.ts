/**
 * Lists the files that a search would read, without reading them.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { PathgrepError } from "../util/errors.ts";
import { FileFilter } from "../walk/file_filter.ts";
import { DISK, type FileStore } from "../parallel/worker_pool.ts";
import { isMissing, type PendingDirectory } from "../walk/listing.ts";
import { Walker } from "../walk/walker.ts";
import type { Engine } from "./engine.ts";
import {
  emptyReport,
  type EngineReport,
  type HitSink,
  isCutOff,
  type SearchJob,
} from "../searcher/job.ts";
import { SkipReport } from "../searcher/skip_report.ts";
import { SearchPulse } from "../searcher/search_pulse.ts";
import type { Pulse } from "../util/pulse.ts";
import { Slices } from "../util/slices.ts";
import { Proof } from "../walk/proof.ts";

/** A file that was replaced while it was listed is checked once more. */
const MAX_ATTEMPTS = 2;
/** Milliseconds of listing before the event loop gets its turn. */
const SLICE_MS = 8;
/** Files between two readings of the clock. */
const FILES_PER_LOOK = 64;

/** Lists files for `pathgrep files` and the `glob` tool. */
export class FileLister implements Engine {
  readonly filtersNamed: boolean;
  readonly #store: FileStore;

  /** @param store where directories are found */
  constructor(filtersNamed: boolean, store = DISK) {
    this.filtersNamed = filtersNamed;
    this.#store = store;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const pulse = new SearchPulse(job, () => signal.aborted);
    const listing = new ProvenListing(job, sink, pulse);
    const filters = FileFilter.forEach(job.walk.filter, job.files.map(platform.dirname));
    const named = job.files.filter((path, index) => {
      const name = platform.basename(path);
      return !this.filtersNamed || filters[index]!.accepts(name, name);
    });
    using files = await this.#store.open(job, await this.#store.ticket(job, 1, signal));
    const walker = new Walker({ ...job.walk, named }, files.directories, pulse);
    const list = function* (): Generator<void, void> {
      for (const path of named) {
        listing.addNamed(path);
        yield;
      }
      const pending: PendingDirectory[] = walker.start().reverse();
      for (let directory; (directory = pending.pop()) !== undefined;) {
        pending.push(...(yield* listing.list(walker, directory)).toReversed());
        yield;
      }
    };
    const listed = list();
    const slices = new Slices(job.walk.allowedRoots[0]!);
    const slice = () => {
      const until = performance.now() + SLICE_MS;
      let isDone = false;
      while (!isDone && performance.now() < until) isDone = listed.next().done === true;
      listing.prove();
      return !isDone;
    };
    while (sink.phase !== "stop" && await slices.run(slice)) {
      sink.progress(listing.report.filesSearched);
      if (signal.aborted) throw PathgrepError.from(signal.reason);
      pulse.look();
    }
    return listing.report;
  }
}

/** A listing whose entries are reported once they are proven to be where their paths say. */
class ProvenListing {
  readonly report: EngineReport;
  readonly #job: SearchJob;
  readonly #sink: HitSink;
  readonly #proof: Proof;
  readonly #skips: SkipReport;

  constructor(job: SearchJob, sink: HitSink, pulse: Pulse) {
    this.report = emptyReport("list", job.mayBeCut);
    this.#job = job;
    this.#sink = sink;
    this.#proof = new Proof(job.walk, job.since, pulse);
    this.#skips = new SkipReport(job, this.report);
  }

  /** Adds the files of a directory and returns its subdirectories, which are yet to be listed. */
  *list(walker: Walker, directory: PendingDirectory): Generator<void, readonly PendingDirectory[]> {
    const { path } = directory;
    // What links in it lead to may come before it.
    if (!this.#job.walk.follow && isCutOff(this.#sink, path + platform.sep)) return [];
    const listing = walker.list(directory);
    this.#skips.addListing(path, listing, this.#proof);
    const prefix = path.endsWith(platform.sep) ? path : path + platform.sep;
    for (const [index, name] of listing.files.entries()) {
      this.#add(prefix + name, path, false);
      if (index % FILES_PER_LOOK === FILES_PER_LOOK - 1) yield;
    }
    for (const file of listing.linked) {
      this.#add(file, platform.dirname(file), false);
      yield;
    }
    return listing.directories;
  }

  /** Adds a file that the caller named. */
  addNamed(path: string): void {
    this.#add(path, platform.dirname(path), true);
  }

  #add(path: string, directory: string, isNamed: boolean, attempt = 1): void {
    let info: Deno.FileInfo;
    try {
      info = Deno.lstatSync(path);
    } catch (error) {
      if (isMissing(error)) return this.#skips.vanish(directory);
      const accept = () => this.#skips.skip(path, "unreadable");
      const reject = () => this.#skips.vanish(directory);
      return this.#proof.addFile(path, directory, undefined, accept, reject);
    }
    if (!info.isFile) return this.#skips.vanish(directory);
    const accept = () => {
      if (!isNamed && info.size > this.#job.maxFileSize) return this.#skips.skip(path, "too_large");
      this.report.filesSearched++;
      const modified = info.mtime?.getTime() ?? 0;
      this.#sink.add([{ path, count: 1, lines: [], chars: 0, modified }]);
    };
    const reject = () => {
      if (attempt === MAX_ATTEMPTS) this.#skips.vanish(directory);
      else this.#add(path, directory, isNamed, attempt + 1);
    };
    this.#proof.addFile(path, directory, info, accept, reject);
  }

  /** Reports what was listed and is proven. */
  prove(): void {
    // Rejected files are checked again.
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) this.#proof.settle();
  }
}
