/**
 * Detects whether a file or directory has changed since it was read, and what a search needs not check.
 *
 * @module
 */

import type { FileInfo } from "../system/types.ts";
import type { Proof } from "../paths/verification.ts";

/** File systems lag by some milliseconds; Deno tells the time of the last write in milliseconds. */
const WRITE_PRECISION_MS = 20;

export class Fingerprint {
  readonly #dev: number;
  readonly #ino: number | null;
  readonly #size: number;
  readonly #mtime: number;
  readonly #ctime: number;

  /** @param info taken before the contents were read */
  constructor(info: FileInfo) {
    this.#dev = info.dev;
    this.#ino = info.ino;
    this.#size = info.size;
    this.#mtime = info.mtime?.getTime() ?? NaN;
    this.#ctime = info.ctime?.getTime() ?? NaN;
  }

  /** Whether it is the same, with the same contents, provided that it was stable. */
  isSame(info: FileInfo): boolean {
    return this.#dev === info.dev && this.#ino === info.ino && this.#size === info.size &&
      this.#mtime === info.mtime?.getTime() && this.#ctime === info.ctime?.getTime();
  }

  /**
   * Whether any change after a point in time will show in its times: they are older than that by more than
   * the precision of clocks and file systems. The time of change, which cannot be set, has whole seconds.
   *
   * @param time milliseconds since the epoch, before the contents were read
   * @param changePrecision milliseconds within which two changes may have one time of change
   */
  isStable(time: number, changePrecision: number): boolean {
    return this.#ino !== null && this.#mtime + WRITE_PRECISION_MS < time &&
      this.#ctime + changePrecision < time;
  }
}

export interface SearchTrust {
  /** What was checked in this epoch needs no check, and what is checked now is trusted in it; 0: nothing is. */
  readonly epoch: number;
  /** Proves that what was read is where its path says: only then is it trusted, or a listing cached. */
  readonly proof: Pick<Proof, "addFile" | "addListing">;
}

/** The trust of a search that checks everything and proves nothing. */
export const CHECKS_ALL: SearchTrust = { epoch: 0, proof: { addFile() {}, addListing() {} } };
