/**
 * Passes the text of a file on to its searcher, as long as more of it can change the answer.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { countingEnd, type SearchJob, type SearchState } from "./job.ts";
import { LineSearcher, type LineSearchOptions } from "./line_searcher.ts";
import { SearchPulse } from "./search_pulse.ts";
import type { TextSink } from "./text_feeder.ts";

type Found = Pick<
  LineSearcher,
  "count" | "patternCounts" | "lines" | "values" | "chars" | "isTruncated" | "takeLines"
>;

/** The findings in a file of which nothing was fed. */
const NOTHING: Found = {
  count: 0,
  patternCounts: undefined,
  values: undefined,
  lines: [],
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
