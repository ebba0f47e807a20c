/**
 * Findings that are shown only once it is verified that they are where their paths say.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { mayRead } from "../util/permissions.ts";
import { infoAt } from "../util/file_info.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";
import type { DirectoryEntries, WalkListing, WalkSkips } from "./listing.ts";
import {
  type AllowedRoots,
  type Evidence,
  type FileId,
  isNamed,
  verify,
} from "../workspace/verification.ts";

/** Something found, with what to do once it is verified. */
export interface WalkFinding extends Evidence {
  /** The finding is where its path says. */
  accept(): void;
  /** That could not be verified. */
  reject(): void;
}

/** Takes findings that are yet to be verified. */
export interface FindingSink {
  /** Adds a finding. */
  add(finding: WalkFinding): void;
}

/** Collects findings, to verify many at once. */
export class Provisional implements FindingSink {
  readonly #allowedRoots: AllowedRoots;
  readonly #since: number;
  readonly #pulse: Pulse;
  #findings: WalkFinding[] = [];

  /**
   * @param since milliseconds since the epoch, before any directory was listed
   * @param pulse as {@linkcode verify} beats it
   */
  constructor(allowedRoots: AllowedRoots, since: number, pulse: Pulse = ENDLESS) {
    this.#allowedRoots = allowedRoots;
    this.#since = since;
    this.#pulse = pulse;
  }

  add(finding: WalkFinding): void {
    this.#findings.push(finding);
  }

  /** Accepts the findings that are verified and rejects the rest; none if the pulse throws. */
  settle(): void {
    if (this.#findings.length === 0) return;
    const { proven, unproven } = verify(
      this.#findings,
      this.#since,
      this.#allowedRoots,
      this.#pulse,
    );
    this.#findings = [];
    for (const finding of proven) finding.accept();
    for (const finding of unproven) finding.reject();
  }

  /** Rejects the findings that are left. */
  abandon(): void {
    for (const finding of this.#findings.splice(0)) finding.reject();
  }
}

/** Evidence of a file: its path still names the file that was read. */
export function fileEvidence(path: string, directory: string, id: FileId): Evidence {
  return { path, directory, isSame: () => isNamed(id, path) };
}

/** Evidence of a file that cannot be accessed: it still cannot be. */
export function barredEvidence(path: string, directory: string): Evidence {
  return { path: directory, directory, isSame: () => infoAt(path) === undefined };
}

/** A skipped file as evidence: `id` is the file, if it may be looked at. */
export function skippedEvidence(path: string, id: FileId | undefined): Evidence {
  const directory = platform.dirname(path);
  return id === undefined ? barredEvidence(path, directory) : fileEvidence(path, directory, id);
}

/** Evidence of a directory: it still has the same entries, or still cannot be listed. */
export function listingEvidence(
  path: string,
  { entries }: Pick<WalkListing, "entries">,
): Evidence {
  // What Deno denies can only be shown to be so in the directory above.
  const isDenied = entries === undefined && !mayRead(path);
  const directory = isDenied ? platform.dirname(path) : path;
  return { path: directory, directory, isSame: () => listsTheSame(path, entries) };
}

function listsTheSame(path: string, entries: DirectoryEntries | undefined): boolean {
  const listed = entries?.[Symbol.iterator]();
  try {
    for (const { name, isFile, isDirectory } of Deno.readDirSync(path)) {
      const known: Deno.DirEntry | undefined = listed?.next().value;
      if (known?.name !== name || known.isFile !== isFile || known.isDirectory !== isDirectory) {
        return false;
      }
    }
  } catch {
    return entries === undefined;
  }
  return listed?.next().done === true;
}

/** Whether an answer says anything of what was skipped in a directory: in notes, or in stats. */
export function isTold(skips: WalkSkips, wantsStats: boolean): boolean {
  const noted = skips.unreadable + skips.worktrees + skips.ignore_files + skips.exclusion_files;
  if (noted > 0) return true;
  return wantsStats && Object.values(skips).some((count) => count > 0);
}
