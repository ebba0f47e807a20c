/**
 * Lists the files that a search would read, without reading them: the JavaScript engine only looks them
 * up.
 *
 * @module
 */

import { basename, dirname } from "../util/path.ts";
import { FileFilter } from "../scan/file_filter.ts";
import type { EngineReport, HitSink, SearchJob } from "../scan/job.ts";
import type { Engine } from "./engine.ts";
import type { JsEngine } from "./js.ts";

/** Lists files for `pathgrep files` and the `glob` tool. */
export class FileLister implements Engine {
  readonly keepsTime = true;
  readonly isListing = true;
  readonly filtersNamed: boolean;
  readonly #js: JsEngine;

  constructor(filtersNamed: boolean, js: JsEngine) {
    this.filtersNamed = filtersNamed;
    this.#js = js;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const filters = FileFilter.forEach(
      { ...job.walk.filter, within: undefined },
      job.files.map(dirname),
    );
    const files = job.files.filter((path, index) =>
      !this.filtersNamed || filters[index]!.accepts(basename(path), basename(path))
    );
    const walk = { ...job.walk, named: files };
    const listsDirectories = FileFilter.isOfDirectories(job.walk.filter);
    const listing = { ...job, files, walk, isListing: true, listsDirectories, withoutMatch: true };
    return { ...await this.#js.run(listing, sink, signal), engine: "list" };
  }
}
