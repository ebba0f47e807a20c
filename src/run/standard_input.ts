/**
 * Searches standard input as if it were a large file, piece by piece, and, if the answer is
 * streamed, passes on matches as they are found.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { loadSearcher } from "../read/line_searcher.ts";
import { Slices, untilAborted } from "../util/pulse.ts";
import { ByteFeeder } from "../read/byte_feeder.ts";
import { type FeedOutcome, StdinSource, type Wait } from "../read/files.ts";
import { entriesIn } from "../read/hit_lines.ts";
import { type EngineReport, type HitSink, type SearchJob, STDIN } from "./job.ts";
import { SearchSink } from "./search_sink.ts";
import { SkipReport } from "./skip_report.ts";

/** If only counting is left to do, waiting for input is given up this soon after its end. */
const LOOK_MS = 50;
/** The bytes of a byte-order mark: the input is not decoded before they have come. */
const FIRST_BYTES = 2;
const STDIN_HIT = { path: STDIN.file, modified: 0, chars: 0 };

/** Passes on hits, in parts if they are shown at once. */
class StdinHits {
  /** Entries passed on before the end. */
  streamed = 0;
  readonly #job: SearchJob;
  readonly #sink: HitSink;
  readonly #text: SearchSink;

  constructor(job: SearchJob, sink: HitSink, text: SearchSink) {
    this.#job = job;
    this.#sink = sink;
    this.#text = text;
  }

  /** Passes on what was found so far, unless an encoding was named: the end decides which applied. */
  pause(): void {
    const { stream } = this.#sink;
    if (this.#job.encoding === undefined && stream !== undefined) {
      const { found } = this.#text;
      const { passed } = found;
      const lines = found.takeLines();
      const count = passed + entriesIn(lines);
      if (count + lines.length > 0) stream({ ...STDIN_HIT, count, lines, passed, isPart: true });
      this.streamed += count;
    }
    this.#sink.idle?.();
  }

  end(encoding: string | undefined): void {
    if (!this.#text.isHit) return;
    const { isIncomplete, found } = this.#text;
    const { count, patternCounts, lines, passed, values, chars, isTruncated } = found;
    const rest = {
      patternCounts,
      lines,
      passed,
      values,
      chars,
      isIncomplete,
      isTruncated,
      encoding,
    };
    const hit = { ...STDIN_HIT, ...rest, count: count - this.streamed };
    if (this.#sink.stream === undefined) this.#sink.add([hit]);
    else this.#sink.stream(hit);
  }
}

/** Searches standard input after an engine has searched the files, and adds to its report. */
export class StdinReader {
  readonly #open: () => AsyncIterable<Uint8Array>;
  readonly #report: EngineReport;

  constructor(open: () => AsyncIterable<Uint8Array>, report: EngineReport) {
    this.#open = open;
    this.#report = report;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const report = this.#report;
    if (sink.phase === "stop") return report;
    await loadSearcher(job);
    const state = {
      get phase() {
        return signal.aborted ? "stop" : sink.phase;
      },
    };
    const text = new SearchSink(job, state);
    text.start();
    const skips = new SkipReport(job, report);
    const found = new StdinHits(job, sink, text);
    /** Waits for input, but not forever if only counting is left to do. */
    const wait = async <T>(next: Promise<T>): Promise<T | undefined> => {
      while (sink.phase !== "keep" || text.isCounting) {
        if (text.isStopped || text.isDone) return undefined;
        if (await untilAborted(isSettled(next, LOOK_MS), signal)) break;
      }
      return await untilAborted(next, signal);
    };
    let outcome: FeedOutcome;
    try {
      outcome = await this.#feed(job, text, wait, () => found.pause(), signal);
      if (signal.aborted) throw signal.reason;
      if (text.failure !== undefined) throw text.failure;
    } catch (thrown) {
      const error = PathgrepError.from(thrown);
      if (error.code !== "search_timed_out") throw error;
      found.end(job.encoding);
      throw error.with({
        hint: "standard input did not end in time; --timeout 0 waits as long as it takes",
      });
    }
    if (outcome.state !== "read") {
      const reason = outcome.state;
      const isPart = found.streamed > 0;
      // What was passed on cannot be taken back.
      if (isPart) found.end(job.encoding);
      skips.skip(STDIN.file, reason, true, isPart);
      return report;
    }
    report.filesSearched++;
    if (outcome.longLines) skips.skip(STDIN.file, "long_lines");
    found.end(outcome.encoding);
    return report;
  }

  async #feed(
    job: SearchJob,
    text: SearchSink,
    wait: Wait,
    pause: () => void,
    signal: AbortSignal,
  ): Promise<FeedOutcome> {
    using source = new StdinSource(this.#open());
    const read = async (atLeast?: number) => {
      const bytes = await source.read(wait, atLeast);
      this.#report.bytesSearched += bytes ?? 0;
      return bytes !== undefined;
    };
    const feeder = new ByteFeeder(job);
    const slices = new Slices(job.walk.allowedRoots[0]!);
    await read(FIRST_BYTES);
    const pieces = feeder.pieces(source, source.fill(0), text);
    for (;;) {
      const outcome = await slices.run(() => pieces.next());
      if (signal.aborted) throw PathgrepError.from(signal.reason);
      if (outcome !== undefined) return await this.#withNul(outcome, source, read);
      if (source.isStarved) {
        pause();
        await read();
      }
    }
  }

  /** A NUL counts more than a byte that is not UTF-8, wherever pieces end. */
  async #withNul(
    outcome: FeedOutcome,
    source: StdinSource,
    read: () => Promise<boolean>,
  ): Promise<FeedOutcome> {
    if (outcome.state !== "not_utf8") return outcome;
    while (!source.hasNul && !source.isAtEnd && await read());
    return source.hasNul ? { ...outcome, state: "binary" } : outcome;
  }
}

async function isSettled(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const id = setTimeout(() => timer.resolve(false), milliseconds);
  try {
    return await Promise.race([promise.then(() => true, () => true), timer.promise]);
  } finally {
    clearTimeout(id);
  }
}
