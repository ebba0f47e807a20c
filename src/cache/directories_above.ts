/**
 * The directories above a watched workspace, which are not watched themselves: some of them change too often.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { infoAt } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";
import { CHANGE_PRECISION_MS, StandstillProof } from "../paths/verification.ts";

/** Detects whether directories above some roots were swapped or became unreadable. */
export class DirectoriesAbove {
  readonly #roots: readonly string[];
  readonly #paths: readonly string[];
  readonly #changePrecision: number;
  /** Their last known state; nothing while a further change might go unnoticed. */
  #state: string | undefined;

  /** @param roots canonical directories */
  constructor(roots: readonly string[], changePrecision = CHANGE_PRECISION_MS) {
    this.#roots = roots;
    this.#changePrecision = changePrecision;
    const paths = new Set<string>();
    for (const root of roots) {
      let path = root;
      while (path !== platform.dirname(path)) paths.add(path = platform.dirname(path));
    }
    this.#paths = [...paths];
  }

  /**
   * Whether a directory may have become unreadable since the last call, if only for a moment: while
   * it is, Deno drops the reports of all changes below it. A name that changes in the directory
   * after that hides it. Looking further would cost a new watch for each name in, say, a home
   * directory.
   *
   * @param now milliseconds since the epoch
   */
  mayHaveBeenBarred(now = Date.now()): boolean {
    const before = this.#state;
    const settled = now - this.#changePrecision;
    let isSettled = true;
    const states = this.#paths.map((path) => {
      const info: Partial<FileInfo> = infoAt(path) ?? {};
      const { ino, mode, uid, gid, ctime, mtime } = info;
      const changed = ctime?.getTime() ?? Infinity;
      // A changed name sets both times.
      if (changed <= (mtime?.getTime() ?? 0)) return [ino, mode, uid, gid];
      isSettled &&= changed < settled;
      return [ino, mode, uid, gid, changed];
    });
    const state = JSON.stringify(states);
    this.#state = isSettled ? state : undefined;
    return state !== before;
  }

  /**
   * Whether the roots are the same directories as at a time in milliseconds since the epoch: a watch
   * is bound to what is at their paths.
   */
  areInPlaceSince(since: number): boolean {
    const allowedRoots = { allowedRoots: this.#roots, identities: [] };
    const roots = new Set(this.#roots);
    const proof = new StandstillProof(since, allowedRoots, roots, this.#changePrecision);
    return this.#roots.every((root) => proof.isRootInPlace(root));
  }
}
