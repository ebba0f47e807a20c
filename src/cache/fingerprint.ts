/**
 * Telling whether something is still what it was when it was read.
 *
 * @module
 */

/** What a file or directory was when it was looked at. */
export class Identity {
  readonly #dev: number;
  readonly #ino: number | null;
  readonly #size: number;
  readonly #mtime: number;
  readonly #ctime: number;

  /** @param info taken before the contents were read */
  constructor(info: Deno.FileInfo) {
    this.#dev = info.dev;
    this.#ino = info.ino;
    this.#size = info.size;
    this.#mtime = info.mtime?.getTime() ?? NaN;
    this.#ctime = info.ctime?.getTime() ?? NaN;
  }

  /** Whether it is the same, with the same contents; given that it was settled. */
  isSame(info: Deno.FileInfo): boolean {
    return this.#dev === info.dev && this.#ino === info.ino && this.#size === info.size &&
      this.#mtime === info.mtime?.getTime() && this.#ctime === info.ctime?.getTime();
  }

  /** All of it in a text, the same text for the same file with the same contents. */
  toString(): string {
    return [this.#dev, this.#ino, this.#size, this.#mtime, this.#ctime].join();
  }

  /**
   * Whether any change from a point in time on gives it other times: the times that it has are older
   * than what clocks and file systems round off. The time of change, which nobody can put back, comes
   * in whole seconds.
   *
   * @param time milliseconds since the epoch, before the contents were read
   */
  isSettled(time: number): boolean {
    return this.#ino !== null && this.#mtime + 20 < time && this.#ctime + 1020 < time;
  }
}
