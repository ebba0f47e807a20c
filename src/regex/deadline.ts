/**
 * Ends and pauses work that takes too long.
 *
 * @module
 */

import { PathgrepError, timedOut } from "../util/errors.ts";

/** Milliseconds for one piece of text in a search without a time limit. */
const PIECE_LIMIT = 10_000;
/** Steps between two readings of the clock. */
const STEPS_PER_LOOK = 50_000;

/** In place of a result: it was time to pause first. The same call resumes the search. */
export const PAUSED = -2;

/** Counts steps of work and answers whether it is time to pause; throws when it is time to end. */
export type Meter = (steps: number) => boolean;

/** When work ends with an error, and when it pauses. */
export class Deadline {
  /** Whether the caller has cancelled; called whenever the clock is read. */
  isStopped: () => boolean = () => false;

  /** Milliseconds on the `performance.now()` clock. */
  #until = Infinity;
  /** The limit in milliseconds that the error names. */
  #limit = PIECE_LIMIT;
  #steps = 0;
  #pauseAt = Infinity;
  /** Whether it was time to pause when the clock was last read. */
  #isPauseDue = false;

  /**
   * Sets the time for the next piece of work.
   *
   * @param until milliseconds on the `performance.now()` clock; `Infinity`: ten seconds from now
   * @param limit the caller's limit for the whole search in milliseconds, for the error
   * @throws {PathgrepError} `search_timed_out`, `cancelled`
   */
  set(until: number, limit: number): void {
    const now = performance.now();
    this.#until = until === Infinity ? now + PIECE_LIMIT : until;
    this.#limit = until === Infinity ? PIECE_LIMIT : limit;
    this.check();
  }

  /** Milliseconds left. */
  get left(): number {
    return this.#until - performance.now();
  }

  /** Milliseconds on the `performance.now()` clock after which matching pauses; `Infinity`: never. */
  get pauseAt(): number {
    return this.#pauseAt;
  }
  set pauseAt(time: number) {
    this.#pauseAt = time;
    this.#isPauseDue = false;
  }

  /** Whether it is time to pause. */
  get shouldPause(): boolean {
    return this.#pauseAt !== Infinity && performance.now() >= this.#pauseAt;
  }

  /**
   * Counts steps of work.
   *
   * @returns whether it is time to pause
   * @throws {PathgrepError} `search_timed_out` once the time is up, `cancelled` once the caller has
   * cancelled
   */
  readonly count: Meter = (steps) => {
    this.#steps += steps + 1;
    if (this.#steps >= STEPS_PER_LOOK) this.look();
    return this.#isPauseDue;
  };

  /**
   * Reads the clock after work that was not counted.
   *
   * @throws {PathgrepError} `search_timed_out`, `cancelled`
   */
  look(): void {
    this.#steps = 0;
    this.check();
    this.#isPauseDue = this.shouldPause;
  }

  /**
   * Reads the clock at once, as {@linkcode Deadline.count} does now and then.
   *
   * @throws {PathgrepError} `search_timed_out`, `cancelled`
   */
  check(): void {
    if (this.isStopped()) throw new PathgrepError("cancelled", "cancelled");
    if (this.left < 0) this.fail();
  }

  /** Throws `search_timed_out`. */
  fail(): never {
    throw timedOut(this.#limit, {
      hint: "search fewer files, or write a pattern with fewer nested repeats, lookarounds and " +
        "backreferences",
    });
  }
}
