/**
 * Keeps a search to its limits: passes the text of a file on to its searcher as long as more of it can change
 * the answer, and ends what takes too long or what nobody needs anymore.
 *
 * @module
 */

import { cancelled, PathgrepError, timedOut } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import { countingEnd, type SearchJob, type SearchState } from "./job.ts";
import { LineSearcher, type LineSearchOptions } from "../read/line_searcher.ts";
import type { TextSink } from "../read/piece_feeder.ts";

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

type Found = Pick<
  LineSearcher,
  "count" | "patternCounts" | "lines" | "passed" | "values" | "chars" | "isTruncated" | "takeLines"
>;

/** The findings in a file of which nothing was fed, or nothing is kept. */
export const NOTHING: Found = {
  count: 0,
  patternCounts: undefined,
  values: undefined,
  lines: [],
  passed: 0,
  chars: 0,
  isTruncated: false,
  takeLines: () => [],
};

export class SearchSink implements TextSink {
  /** Why the search has to end, if it does: what was found until then can still be used. */
  failure: PathgrepError | undefined;
  readonly #job: SearchJob;
  readonly #state: Pick<SearchState, "phase">;
  readonly #pulse: SearchPulse;
  /** Searches files whose entries are kept. */
  readonly #keeping: LineSearcher;
  /** Searches files that are only counted. */
  #counting: LineSearcher | undefined;
  #searcher: LineSearcher;
  /** Whether the searcher has seen anything of the present file. */
  #isFed = false;
  #countUntil = Infinity;
  #isIncomplete = false;

  constructor(job: SearchJob, state: Pick<SearchState, "phase">) {
    this.#job = job;
    this.#state = state;
    this.#pulse = new SearchPulse(job, () => state.phase === "stop" || this.#isCountingOver);
    this.#searcher = this.#keeping = this.#newSearcher(job.lines);
  }

  /** Begins a file; `keeps`: its entries are kept, not only counted. */
  start(keeps = true): void {
    const { lines } = this.#job;
    const mode = lines.mode === "file" ? "file" : "count";
    this.#searcher = keeps
      ? this.#keeping
      : this.#counting ??= this.#newSearcher({ ...lines, mode });
    this.restart();
  }

  #newSearcher(options: LineSearchOptions): LineSearcher {
    const searcher = new LineSearcher(this.#job.plan, options, this.#pulse);
    searcher.entryLimit = this.#job.entryLimit;
    searcher.passOver = this.#job.passOver ?? 0;
    return searcher;
  }

  restart(): void {
    this.#isFed = false;
    this.#countUntil = Infinity;
    this.#isIncomplete = false;
  }

  feed(text: string, last: boolean, hasReturns = true): boolean {
    try {
      this.#pulse.beginPiece();
      this.#begun().feed(text, last, hasReturns);
    } catch (thrown) {
      this.#giveUp(thrown);
    }
    return !last && !this.isStopped && !this.isDone;
  }

  skip(countLines: () => number): boolean {
    return this.isDone || this.#begun().skip(countLines);
  }

  /** Whether entries that the answer has no room for have been counted for long enough. */
  get #isCountingOver(): boolean {
    const { entryLimit, lines } = this.#job;
    // Only lines have a limit: in another mode the entry is the whole count.
    if (lines.mode !== "content" || this.#searcher.count < entryLimit) return false;
    if (this.#countUntil === Infinity) this.#countUntil = countingEnd(this.#job);
    return performance.now() >= this.#countUntil;
  }

  /** Ends a file in the middle, on request or because time ran out. */
  #giveUp(thrown: unknown): void {
    const error = PathgrepError.from(thrown);
    if (error.code === "search_timed_out") this.failure = error;
    else if (error.code !== "cancelled") throw thrown;
    this.#isIncomplete = true;
    this.#searcher.abandon();
  }

  get isDone(): boolean {
    return this.#isIncomplete || this.#isFed && this.#searcher.done;
  }

  get isStopped(): boolean {
    if (this.failure !== undefined || this.#state.phase === "stop") return true;
    if (this.#isFed && this.#isCountingOver) this.#isIncomplete = true;
    // A file that is part of the answer is read to its end, since it may turn out not to be text.
    return this.#isIncomplete && this.#job.onOverflow === "error";
  }

  get isHit(): boolean {
    const { count } = this.found;
    return this.#job.withoutMatch ? count === 0 && !this.#isIncomplete : count > 0;
  }

  /** What was found in the file so far. */
  get found(): Found {
    return this.#isFed ? this.#searcher : NOTHING;
  }

  get isCounting(): boolean {
    return this.#countUntil !== Infinity;
  }

  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  #begun(): LineSearcher {
    if (!this.#isFed) this.#searcher.start();
    this.#isFed = true;
    return this.#searcher;
  }
}
