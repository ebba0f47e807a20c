/**
 * Answers as JSON: one value, or one row for each entry.
 *
 * @module
 */
import type { AnswerMeasure } from "../search/answer.ts";
import type { SearchResult } from "../search/result.ts";
import { BatchedOutput } from "./printers/batched_output.ts";
import { visibleJson } from "../visible.ts";
import type { Output } from "./output.ts";
import { type Renderer, type Row, rowOf } from "./printers/answer_printer.ts";

/** One JSON value on a line of its own. */
export function jsonLine(value: unknown): string {
  return visibleJson(JSON.stringify(value)) + "\n";
}

/** Writes the result as one value. */
export class JsonRenderer implements Renderer {
  // The comma after an entry is as long as the line end after a value.
  readonly measure: AnswerMeasure = { frame: lengthOf, entry: lengthOf };
  readonly #stdout: Output;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  end(result: SearchResult): void {
    this.#stdout.write(jsonLine(result));
  }
}

/** Writes each entry as a row, and the rest of the result as the last one. */
export class RowRenderer implements Renderer {
  readonly #out: BatchedOutput;

  constructor(stdout: Output) {
    this.#out = new BatchedOutput(stdout);
  }

  readonly measure: AnswerMeasure = {
    frame: (result) => lengthOf(summaryOf(result)),
    entry: (entry) => lengthOf(rowOf(entry)),
  };

  readonly row = (row: Row): void => this.#out.write(jsonLine(row));

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
  for (const entries of ["files", "matches", "counts"]) delete summary[entries];
  return summary;
}

function lengthOf(value: unknown): number {
  return jsonLine(value).length;
}
