/**
 * Answers as JSON Lines: a row for each entry, and one for the rest.
 *
 * @module
 */
import type { AnswerForm } from "../../search/form.ts";
import {
  type AnswerEntry,
  entriesOf,
  EntryBuilder,
  keyOfEntries,
  type ShownFile,
} from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";
import { type AnswerPrinter, BatchedOutput } from "./answer_printer.ts";
import { jsonLine } from "./json_printer.ts";

export class JsonlPrinter implements AnswerPrinter {
  readonly out: BatchedOutput;
  readonly #entries = new EntryBuilder();

  constructor(stdout: Output) {
    this.out = new BatchedOutput(stdout);
  }

  readonly form: AnswerForm = {
    *write(answer, files) {
      for (const entry of entriesOf(files)) yield rowOf(entry);
      yield summaryOf(answer);
    },
  };

  readonly file = (file: ShownFile): void => {
    for (const entry of this.#entries.next(file)) this.out.write(rowOf(entry));
  };

  end(result: SearchResult): void {
    this.out.write(summaryOf(result));
    this.out.flush();
  }
}

function rowOf(entry: AnswerEntry): string {
  if (typeof entry === "string") return jsonLine({ type: "file", file: entry });
  const type = "line" in entry ? "match" : "value" in entry ? "value" : "count";
  return jsonLine({ type, ...entry });
}

function summaryOf(result: SearchResult): string {
  return jsonLine({ type: "summary", ...result, [keyOfEntries(result)]: undefined });
}
