/**
 * The one place that asks whether what was found lay in the workspace. Whatever a walk or a reader has found
 * goes through it before it leaves the scan.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { mayRead } from "../util/permissions.ts";
import { infoAt } from "../util/file_info.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";
import type { DirectoryEntries } from "./listing.ts";
import {
  type AllowedRoots,
  type Evidence,
  type FileId,
  isNamed,
  verify,
} from "../paths/verification.ts";

interface Finding extends Evidence {
  readonly accept: () => void;
  readonly reject: () => void;
}

const nothing = () => {};

/** Holds findings back until it is proven that they are where their paths say: of many at once. */
export class Proof {
  readonly #allowedRoots: AllowedRoots;
  readonly #since: number;
  readonly #pulse: Pulse;
  #findings: Finding[] = [];

  /** @param since milliseconds since the epoch, before any directory was listed */
  constructor(allowedRoots: AllowedRoots, since: number, pulse: Pulse = ENDLESS) {
    this.#allowedRoots = allowedRoots;
    this.#since = since;
    this.#pulse = pulse;
  }

  /**
   * Adds something found in a file: its path has to name that file still. Without an id, the path was
   * not accessible, and must still not be.
   */
  addFile(
    path: string,
    directory: string,
    id: FileId | undefined,
    accept: () => void,
    reject = nothing,
  ): void {
    // Of what is not accessible, only the directory can be shown to be in place.
    const [place, isSame] = id === undefined
      ? [directory, () => infoAt(path) === undefined]
      : [path, () => isNamed(id, path)];
    this.#findings.push({ path: place, directory, isSame, accept, reject });
  }

  /**
   * Adds something found among the names in a directory: it has to list them still. Without entries,
   * it could not be listed, and must still not be.
   */
  addListing(
    path: string,
    entries: DirectoryEntries | undefined,
    accept: () => void,
    reject = nothing,
  ): void {
    // What Deno denies can only be shown to be so in the directory above.
    const isDenied = entries === undefined && !mayRead(path);
    const directory = isDenied ? platform.dirname(path) : path;
    const isSame = () => listsTheSame(path, entries);
    this.#findings.push({ path: directory, directory, isSame, accept, reject });
  }

  /** Adds what says nothing about single names in a directory: it has to be where its path says. */
  addDirectory(path: string, accept: () => void): void {
    this.#findings.push({ path, directory: path, isSame: () => true, accept, reject: nothing });
  }

  /** Accepts the findings that are proven and rejects the rest; does neither if the pulse throws. */
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

  abandon(): void {
    for (const finding of this.#findings.splice(0)) finding.reject();
  }
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
