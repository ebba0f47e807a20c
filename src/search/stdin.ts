/**
 * Standard input, searched as if it were a file.
 *
 * @module
 */

import { untilAborted } from "../until_aborted.ts";
import type { Engine, EngineReport, HitSink, SearchJob } from "./engine.ts";
import { decodeText, isBinary } from "./js/text.ts";
import { limitScanner } from "./js/thread.ts";
import { Scanner } from "./js/scan.ts";
import { STDIN } from "./targets.ts";

/** Reads standard input and nothing else of a search; adds to the report of what was done before. */
export class StdinReader implements Engine {
  readonly #read: () => Promise<Uint8Array>;
  readonly #report: EngineReport;

  constructor(read: () => Promise<Uint8Array>, report: EngineReport) {
    this.#read = read;
    this.#report = report;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const report = this.#report;
    const bytes = await untilAborted(this.#read(), signal);
    report.bytesSearched += bytes.length;
    const decoded = isBinary(bytes) ? { skip: "binary" as const } : decodeText(bytes);
    if ("skip" in decoded) {
      report.skipped[decoded.skip]++;
      report.notSearched.push({ path: STDIN.file, reason: decoded.skip });
      return report;
    }
    report.filesSearched++;
    const scanner = new Scanner(job.plan, job.scan);
    limitScanner(scanner, job);
    scanner.start();
    scanner.feed(decoded.text, true);
    if (scanner.count > 0 !== job.withoutMatch) {
      const { count, entries } = scanner;
      sink.add([{ path: STDIN.file, count, entries, modified: 0 }]);
    }
    return report;
  }
}
