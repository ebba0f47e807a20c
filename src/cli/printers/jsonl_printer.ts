/**
 * Answers as JSON Lines: a row for each entry, and one for the rest.
 *
 * @module
 */
import type { AnswerEntry, AnswerMeasure } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";
import { type AnswerPrinter, rowOf } from "./answer_printer.ts";
import { BatchedOutput } from "./batched_output.ts";
import { ENTRY_KEYS, jsonLine, lengthOf } from "./json_printer.ts";

/** Writes each entry as a row, and the rest of the result as the last one. */
export class JsonlPrinter implements AnswerPrinter {
  readonly #out: BatchedOutput;

  constructor(stdout: Output) {
    this.#out = new BatchedOutput(stdout);
  }

  readonly measure: AnswerMeasure = {
    frame: (result) => lengthOf(summaryOf(result)),
    entries: () => (entry) => lengthOf(rowOf(entry)),
  };

  readonly entry = (entry: AnswerEntry): void => this.#out.write(jsonLine(rowOf(entry)));

  tick(): void {
    this.#out.tick();
  }

  flush(): void {
    this.#out.flush();
  }

  end(result: SearchResult): void {
    this.#out.write(jsonLine(summaryOf(result)));
    this.#out.flush();
  }
}

/** The last row: a result without its entries. */
function summaryOf(result: SearchResult): Record<string, unknown> {
  const summary: Record<string, unknown> = { type: "summary", ...result };
  for (const key of ENTRY_KEYS) delete summary[key];
  return summary;
}
