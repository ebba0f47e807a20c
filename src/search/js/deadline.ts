/**
 * Ending what takes too long.
 *
 * @module
 */

import { timedOut } from "../../util/errors.ts";

/** Milliseconds that one piece of text may take when nothing else limits the search. */
const PIECE_LIMIT = 10_000;
/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 50_000;

/** A point in time after which work ends with an error. */
export class Deadline {
  /** Milliseconds on the `performance.now()` clock. */
  #until = Infinity;
  /** Milliseconds that the error says were allowed. */
  #limit = PIECE_LIMIT;
  #steps = 0;

  /**
   * Sets the time for the next piece of work.
   *
   * @param until milliseconds on the `performance.now()` clock; `Infinity`: ten seconds from now
   * @param limit milliseconds that the caller allowed for all of the work
   */
  set(until: number, limit: number): void {
    const now = performance.now();
    this.#until = until === Infinity ? now + PIECE_LIMIT : until;
    this.#limit = until === Infinity ? PIECE_LIMIT : limit;
    if (now > this.#until) this.fail();
  }

  /** Milliseconds left. */
  get left(): number {
    return this.#until - performance.now();
  }

  /** Takes note of work done, and throws `search_timed_out` when the time is up. */
  readonly count = (steps: number): void => {
    this.#steps += steps + 1;
    if (this.#steps < STEPS_PER_LOOK) return;
    this.#steps = 0;
    if (this.left < 0) this.fail();
  };

  /** Throws `search_timed_out`. */
  fail(): never {
    throw timedOut(this.#limit, {
      hint: "search fewer files, or write a pattern with fewer nested repeats, lookarounds and " +
        "backreferences",
    });
  }
}
