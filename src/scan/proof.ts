/**
 * The one place that checks whether what was found lay in the workspace. Everything that a walk or a reader
 * finds passes through it before it leaves the scan.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { infoAt, readDirectory } from "../system/files.ts";
import { mayRead } from "../system/permissions.ts";
import type { DirEntry } from "../system/types.ts";
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

/** Holds findings back until they are proven to be where their paths say, many at once. */
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

  /**
   * Adds a directory that a walk has listed, to be proven later: the entries themselves are not held, since
   * Deno's take much memory.
   *
   * @param isMet whether the walk has met it in another directory: then that no name in that has changed is
   * enough
   */
  addWalked(
    path: string,
    entries: DirectoryEntries,
    isMet: boolean,
    accept: () => void,
    reject = nothing,
  ): void {
    const above = isMet ? platform.dirname(path) : undefined;
    const listed = digestOf(entries);
    const isSame = () => digestNow(path) === listed;
    this.#findings.push({ path, directory: path, above, isSame, accept, reject });
  }

  /** How many findings are held back. */
  get pending(): number {
    return this.#findings.length;
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

/** Tells other entries, or another order, with a chance of 1 to 2 ** 32: nobody can look for such. */
function digestOf(entries: Iterable<DirEntry>): number {
  let digest = 0;
  for (const { name, isFile, isDirectory } of entries) {
    for (let index = 0; index < name.length; index++) {
      digest = Math.imul(digest ^ name.charCodeAt(index), 0x0100_0193);
    }
    digest = Math.imul(
      digest ^ (isFile ? 0x1_0000 : isDirectory ? 0x2_0000 : 0x3_0000),
      0x0100_0193,
    );
  }
  return digest;
}

function digestNow(path: string): number | undefined {
  try {
    return digestOf(readDirectory(path));
  } catch {
    return undefined;
  }
}

function listsTheSame(path: string, entries: DirectoryEntries | undefined): boolean {
  const listed = entries?.[Symbol.iterator]();
  try {
    for (const { name, isFile, isDirectory } of readDirectory(path)) {
      const known: DirEntry | undefined = listed?.next().value;
      if (known?.name !== name || known.isFile !== isFile || known.isDirectory !== isDirectory) {
        return false;
      }
    }
  } catch {
    return entries === undefined;
  }
  return listed?.next().done === true;
}
