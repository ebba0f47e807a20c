/**
 * Standard input, searched as if it were a file: as a stream, like one that is large.
 *
 * @module
 */

import { untilAborted } from "../util/until_aborted.ts";
import {
  addPlace,
  type Engine,
  type EngineReport,
  type HitSink,
  type SearchJob,
} from "./engine.ts";
import { Board } from "./js/board.ts";
import { Scanner } from "./js/scan.ts";
import { limitScanner, ScannerSink } from "./js/scanner_sink.ts";
import { TextFeeder } from "./js/text_feeder.ts";
import { STDIN } from "./targets.ts";

const NO_BYTES = new Uint8Array();

/** Reads standard input and nothing else of a search; adds to the report of what was done before. */
export class StdinReader implements Engine {
  readonly #open: () => AsyncIterable<Uint8Array>;
  readonly #report: EngineReport;

  constructor(open: () => AsyncIterable<Uint8Array>, report: EngineReport) {
    this.#open = open;
    this.#report = report;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const report = this.#report;
    if (sink.phase === "stop") return report;
    const board = new Board();
    const scanner = new Scanner(job.plan, job.scan);
    limitScanner(scanner, job);
    const text = new ScannerSink(job, board, scanner);
    text.start(scanner);
    const feeder = new TextFeeder(text, job.pattern.multiline);
    const skip = await this.#feed(feeder, text, signal);
    if (skip !== undefined) {
      report.skipped[skip]++;
      report.notSearched.push({ path: STDIN.file, reason: skip });
      addPlace(report, STDIN.file, skip);
      return report;
    }
    report.filesSearched++;
    if (feeder.hasLongLine) {
      report.skipped.long_lines++;
      addPlace(report, STDIN.file, "long_lines");
    }
    if (text.isHit) {
      const { count, entries, isPartial, isShort } = text;
      sink.add([{ path: STDIN.file, count, entries, isPartial, isShort, modified: 0 }]);
    }
    return report;
  }

  /** Feeds all there is; answers why it is not searched, if so. */
  async #feed(
    feeder: TextFeeder,
    text: ScannerSink,
    signal: AbortSignal,
  ): Promise<ReturnType<TextFeeder["push"]>> {
    const pieces = this.#open()[Symbol.asyncIterator]();
    let skip: ReturnType<TextFeeder["push"]>;
    try {
      while (!text.isStopped) {
        const { done, value } = await untilAborted(pieces.next(), signal);
        if (done) return skip ?? feeder.push(NO_BYTES, true);
        this.#report.bytesSearched += value.length;
        if (skip === undefined) {
          skip = feeder.push(value, false);
          // What writes it may never end: unlike a file, it is not read on to learn if it is text.
          if (skip === undefined && text.isDone) return undefined;
        } // Where pieces end must not decide: a NUL says more, before or after what is not UTF-8.
        else if (value.includes(0)) return "binary";
        if (skip !== undefined && skip !== "not_utf8") return skip;
      }
      return undefined;
    } finally {
      // One that waits for input that never comes would not end either.
      pieces.return?.().catch(() => {});
    }
  }
}
