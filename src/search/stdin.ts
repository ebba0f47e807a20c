/**
 * Standard input, searched as if it were a file.
 *
 * @module
 */

import type { EngineReport, HitSink, SearchJob } from "./engine.ts";
import { decodeText, isBinary } from "./js/text.ts";
import { limitScanner } from "./js/thread.ts";
import { Scanner } from "./js/scan.ts";
import { STDIN } from "./targets.ts";

/** Reads and searches standard input; adds to the report what was done. */
export async function searchStdin(
  job: SearchJob,
  read: () => Promise<Uint8Array>,
  sink: HitSink,
  report: EngineReport,
): Promise<void> {
  const bytes = await read();
  report.bytesSearched += bytes.length;
  const decoded = isBinary(bytes) ? { skip: "binary" as const } : decodeText(bytes);
  if ("skip" in decoded) {
    report.skipped[decoded.skip]++;
    report.notSearched.push({ path: STDIN.file, reason: decoded.skip });
    return;
  }
  report.filesSearched++;
  const scanner = new Scanner(job.plan, job.scan);
  limitScanner(scanner, job);
  scanner.start();
  scanner.feed(decoded.text, true);
  if (scanner.count > 0 === job.withoutMatch) return;
  sink.add([{ path: STDIN.file, count: scanner.count, entries: scanner.entries, modified: 0 }]);
}
