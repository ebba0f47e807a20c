/**
 * Reports what a walk left out, once it is proven to be where its path says.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import {
  addSkippedPath,
  addWalkSkips,
  type EngineReport,
  type SearchJob,
  type SkippedPath,
} from "../searcher/job.ts";
import type { WalkListing, WalkSkips } from "../walk/listing.ts";
import { isTold, listingEvidence, type Provisional } from "../walk/provisional.ts";

/** Adds to a report what was skipped. */
export class SkipReporter {
  readonly #job: SearchJob;
  readonly #report: EngineReport;
  readonly #provisional: Provisional;
  /** Directories in which entries vanished; counting each entry could reveal what is outside. */
  readonly #changed = new Set<string>();

  /** @param provisional collects what has to be proven first */
  constructor(job: SearchJob, report: EngineReport, provisional: Provisional) {
    this.#job = job;
    this.#report = report;
    this.#provisional = provisional;
  }

  /** Reports a file or directory. */
  skip(path: string, reason: SkippedPath["reason"]): void {
    this.#report.skipped[reason]++;
    addSkippedPath(this.#report, path, reason);
  }

  /** Reports that an entry of a directory vanished, once for each directory. */
  vanish(directory: string): void {
    if (this.#changed.has(directory)) return;
    this.#changed.add(directory);
    this.skip(directory + platform.sep, "vanished");
  }

  /** Reports what was left out of a directory, after it has been listed. */
  addListing(path: string, listing: WalkListing, skips: WalkSkips): void {
    if (skips.vanished > 0) {
      skips.vanished = 0;
      this.vanish(platform.dirname(path));
    }
    const accept = () => addWalkSkips(this.#report, path, skips, listing.leftOut);
    if (!isTold(skips, this.#job.wantsStats)) return accept();
    const reject = () => this.vanish(path);
    this.#provisional.add({ ...listingEvidence(path, listing), accept, reject });
  }
}
