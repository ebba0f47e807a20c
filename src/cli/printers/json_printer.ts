/**
 * Answers as one JSON value.
 *
 * @module
 */
import { type AnswerForm, jsonForm, jsonOf, written } from "../../search/form.ts";
import { keyOfEntries } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";
import type { AnswerPrinter } from "./answer_printer.ts";

/** Characters of a value that are written at once. */
const PART_CHARS = 1 << 16;

export function jsonLine(value: unknown): string {
  return written(value) + "\n";
}

export class JsonPrinter implements AnswerPrinter {
  readonly form: AnswerForm = {
    *write(answer, files) {
      yield* jsonForm().write(answer, files);
      yield "\n";
    },
  };
  readonly #stdout: Output;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  end(result: SearchResult): void {
    const entries = Object.entries(result).find(([key]) => key === keyOfEntries(result))?.[1];
    let part = "";
    for (const piece of jsonOf(result, entries)) {
      part += piece;
      if (part.length < PART_CHARS) continue;
      this.#stdout.writePart(part);
      if (this.#stdout.closed) return;
      part = "";
    }
    this.#stdout.write(`${part}\n`);
  }
}
