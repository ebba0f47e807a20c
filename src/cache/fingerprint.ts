/**
 * Detects whether a file or directory has changed since it was read.
 *
 * @module
 */

import type { FileInfo } from "../system/types.ts";

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
