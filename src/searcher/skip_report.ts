/**
 * Reports what an engine or one of its threads skipped, and where: the same on every engine, so that an
 * answer that is cut off at a path has the same notes on each.
 *
 * @module
 */

import { debug } from "../util/debug.ts";
import { dirname, sep } from "../util/path.ts";
import type { WalkListing } from "../walk/listing.ts";
import { type FindingSink, isTold, listingEvidence } from "../walk/provisional.ts";
import {
  addSkippedPath,
  addWalkSkips,
  type EngineReport,
  type SearchJob,
  type SkippedPath,
} from "./job.ts";

/** Why a file was skipped, in the lines of `PATHGREP_DEBUG`; a walk words what it left out itself. */
const WHY: Partial<Record<SkippedPath["reason"], string>> = {
  binary: "binary, for it holds a NUL byte",
  not_utf8: "not UTF-8",
  too_large: "larger than --max-file-size",
  unreadable: "cannot be read",
  long_lines: "searched in part, for one of its lines is too long",
};

/** What it depends on. */
type SkipOptions = Pick<SearchJob, "wantsStats"> & {
  walk: Pick<SearchJob["walk"], "isLogged" | "tellsLeftOut">;
};

/** Adds to a report what was skipped. */
export class SkipReport {
  readonly #job: SkipOptions;
  readonly #report: EngineReport;

  constructor(job: SkipOptions, report: EngineReport) {
    this.#job = job;
    this.#report = report;
  }

  /**
   * Reports a file or directory.
   *
   * @param isNamed whether the caller named it, so that a note says why it was not searched
   */
  skip(path: string, reason: SkippedPath["reason"], isNamed = false): void {
    this.#report.skipped[reason]++;
    if (isNamed) this.#report.notSearched.push({ path, reason });
    this.log(path, reason);
    // Notes say nothing of binary files met in a walk, which may be many, unless they are the reason.
    const isTold = isNamed || reason !== "binary" || this.#job.walk.tellsLeftOut === true;
    if (isTold) addSkippedPath(this.#report, path, reason, isNamed);
  }

  /** Says for whoever debugs the search why a file was skipped. */
  log(path: string, reason: SkippedPath["reason"]): void {
    const why = WHY[reason];
    if (this.#job.walk.isLogged && why !== undefined) debug([`${path}: ${why}`]);
  }

  /**
   * Reports that something in a directory vanished or was replaced, once for each directory: how much it
   * was could reveal what lies outside of the workspace. For the same reason its place is the directory,
   * whatever was met there first.
   */
  vanish(directory: string): void {
    const { vanishedIn } = this.#report;
    if (vanishedIn.has(directory)) return;
    vanishedIn.add(directory);
    this.skip(directory + sep, "vanished");
  }

  /**
   * Reports what was left out of a directory, after it has been listed.
   *
   * @param findings takes what is reported only once the directory is proven to be where its path says
   */
  addListing(path: string, listing: WalkListing, findings: FindingSink): void {
    const { log = [], leftOut } = listing;
    const skips = { ...listing.skips, vanished: 0 };
    if (listing.skips.vanished > 0) this.vanish(dirname(path));
    // It names entries: not before it is proven that they are in the workspace.
    if (log.length > 0) {
      const accept = () => debug(log);
      findings.add({ ...listingEvidence(path, listing), accept, reject: () => {} });
    }
    const isListed = listing.entries !== undefined;
    const accept = () => addWalkSkips(this.#report, path, skips, leftOut, isListed);
    if (!isTold(skips, this.#job.wantsStats)) return accept();
    const reject = () => this.vanish(path);
    findings.add({ ...listingEvidence(path, listing), accept, reject });
  }
}
