/**
 * Hits every file that a search would read, without reading it.
 *
 * @module
 */

import * as platform from "../../util/path.ts";
import { PathgrepError } from "../../util/errors.ts";
import { FileFilter } from "../../walk/file_filter.ts";
import type { PendingDirectory } from "../../walk/listing.ts";
import { Walker, whyMissing } from "../../walk/walk.ts";
import {
  addPlace,
  addSkips,
  emptyReport,
  type Engine,
  type EngineReport,
  type HitSink,
  listFor,
  type SearchJob,
} from "../engine.ts";

/** Directories listed before others get their turn. */
const DIRECTORIES_PER_TURN = 100;

/** Lists files for `pathgrep files` and the `glob` tool. */
export class FileLister implements Engine {
  readonly filtersNamed: boolean;

  constructor(filtersNamed: boolean) {
    this.filtersNamed = filtersNamed;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const report = emptyReport("list", job.mayBeCut);
    const filter = FileFilter.compile(job.walk.filter);
    const skip = (path: string, reason: "vanished" | "unreadable" | "too_large") => {
      report.skipped[reason]++;
      addPlace(report, path, reason);
    };
    const add = (path: string, named: boolean) => {
      let info: Deno.FileInfo;
      try {
        info = Deno.lstatSync(path);
      } catch (error) {
        const isMissing = error instanceof Deno.errors.NotFound;
        return skip(path, isMissing ? whyMissing(path) : "unreadable");
      }
      if (!named && info.size > job.maxFileSize) return skip(path, "too_large");
      report.filesSearched++;
      sink.add([{ path, count: 1, entries: [], modified: info.mtime?.getTime() ?? 0 }]);
    };
    const named = job.files.filter((path) => {
      const name = platform.basename(path);
      return !this.filtersNamed || filter.accepts(name, name);
    });
    for (const path of named) add(path, true);
    const walker = new Walker({ ...job.walk, named });
    const pending: PendingDirectory[] = walker.start().reverse();
    for (let turn = 1; pending.length > 0 && sink.phase !== "stop"; turn++) {
      const directory = pending.pop()!;
      const listing = listFor(report, walker, directory);
      pending.push(...listing.directories.toReversed());
      for (const name of listing.files) add(platform.join(directory.path, name), false);
      for (const path of listing.linked) add(path, false);
      if (turn % DIRECTORIES_PER_TURN !== 0) continue;
      sink.progress(report.filesSearched);
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw PathgrepError.from(signal.reason);
    }
    addSkips(report, walker.skips);
    return report;
  }
}
