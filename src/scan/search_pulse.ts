/**
 * Ends a search whose time is up, or whose answer nobody needs anymore.
 *
 * @module
 */

import { cancelled, timedOut } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import type { SearchJob } from "./job.ts";

/** Milliseconds for one piece of text in a search without a time limit. */
const PIECE_LIMIT = 10_000;
const HINT = "write a pattern with fewer nested repeats, lookarounds and backreferences";
/** Steps between two readings of the clock: a few milliseconds. */
const STEPS_PER_LOOK = 50_000;

export class SearchPulse implements Pulse {
  readonly #isStopped: () => boolean;
  /** Read again each time: a search that waits for its caller has its deadline put off. */
  readonly #job: Pick<SearchJob, "deadline" | "timeout">;
  readonly #hasDeadline: boolean;
  /** When the present piece has to end in a search without a deadline, on the `performance.now()` clock. */
  #until = Infinity;
  /** The milliseconds that it had, for the error. */
  #limit: number;
  #steps = 0;

  /** @param isStopped whether nobody needs the answer anymore; checked whenever the clock is read */
  constructor(
    job: Pick<SearchJob, "deadline" | "timeout">,
    isStopped: () => boolean,
  ) {
    this.#isStopped = isStopped;
    this.#job = job;
    this.#hasDeadline = job.deadline !== Infinity;
    this.#limit = job.timeout;
  }

  /** Begins a piece of text. In a search without a time limit, each piece has one. */
  beginPiece(): void {
    this.look();
    if (this.#hasDeadline) return;
    this.#until = performance.now() + PIECE_LIMIT;
    this.#limit = PIECE_LIMIT;
  }

  beat(steps: number): void {
    this.#steps += steps + 1;
    if (this.#steps >= STEPS_PER_LOOK) this.look();
  }

  /** Reads the clock at once. Throws `search_timed_out` or `cancelled`. */
  look(): void {
    this.#steps = 0;
    if (this.#isStopped()) throw cancelled();
    const until = this.#hasDeadline ? this.#job.deadline - performance.timeOrigin : this.#until;
    if (performance.now() <= until) return;
    throw timedOut(this.#limit, this.#hasDeadline ? {} : { hint: HINT });
  }
}
