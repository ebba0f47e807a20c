/**
 * Answers as one JSON value.
 *
 * @module
 */
import { type AnswerMeasure, jsonMeasure, written } from "../../search/measure.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";
import type { AnswerPrinter } from "./answer_printer.ts";

/** Characters of a value that are written at once. */
const PART_CHARS = 1 << 16;
/** The keys of a result's entries. */
export const ENTRY_KEYS = ["files", "matches", "counts", "values"] as const;

export function jsonLine(value: unknown): string {
  return written(value) + "\n";
}

const MEASURE = jsonMeasure();

export class JsonPrinter implements AnswerPrinter {
  /** The value has a line end. */
  readonly measure: AnswerMeasure = { ...MEASURE, frame: (result) => MEASURE.frame(result) + 1 };
  readonly #stdout: Output;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  /** Writes entry by entry: all at once would take three times the answer's size in memory. */
  end(result: SearchResult): void {
    const key = ENTRY_KEYS.find((key) => key in result)!;
    const frame = jsonLine({ ...result, [key]: [] });
    // Quotes in values are escaped, so that this is the key.
    const start = frame.indexOf(`"${key}":[]`) + key.length + 4;
    let part = frame.slice(0, start);
    let separator = "";
    for (const entry of (result as unknown as Record<string, readonly unknown[]>)[key]!) {
      part += separator + written(entry);
      separator = ",";
      if (part.length < PART_CHARS) continue;
      this.#stdout.writePart(part);
      if (this.#stdout.closed) return;
      part = "";
    }
    this.#stdout.write(part + frame.slice(start));
  }
}
