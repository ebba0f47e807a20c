/**
 * Answers as JSON Lines: a row for each entry, and one for the rest.
 *
 * @module
 */
import { type AnswerMeasure, sumOfEntries } from "../../search/measure.ts";
import { type AnswerEntry, EntryBuilder, type ShownFile } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";
import { type AnswerPrinter, BatchedOutput } from "./answer_printer.ts";
import { ENTRY_KEYS, jsonLine } from "./json_printer.ts";

export class JsonlPrinter implements AnswerPrinter {
  readonly out: BatchedOutput;
  readonly #entries = new EntryBuilder();

  constructor(stdout: Output) {
    this.out = new BatchedOutput(stdout);
  }

  readonly measure: AnswerMeasure = {
    frame: (result) => jsonLine(summaryOf(result)).length,
    entries: (room) => sumOfEntries((entry) => rowOf(entry).length, room),
  };

  readonly file = (file: ShownFile): void => {
    for (const entry of this.#entries.next(file)) this.out.write(rowOf(entry));
  };

  end(result: SearchResult): void {
    this.out.write(jsonLine(summaryOf(result)));
    this.out.flush();
  }
}

function rowOf(entry: AnswerEntry): string {
  if (typeof entry === "string") return jsonLine({ type: "file", file: entry });
  const type = "line" in entry ? "match" : "value" in entry ? "value" : "count";
  return jsonLine({ type, ...entry });
}

function summaryOf(result: SearchResult): Record<string, unknown> {
  const summary: Record<string, unknown> = { type: "summary", ...result };
  for (const key of ENTRY_KEYS) delete summary[key];
  return summary;
}
