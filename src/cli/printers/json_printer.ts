/**
 * Answers as one JSON value.
 *
 * @module
 */
import type { AnswerMeasure } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import { escapeControlsInJson } from "../../util/escape.ts";
import type { Output } from "../output.ts";
import type { AnswerPrinter } from "./answer_printer.ts";

/** Characters of a value that are written at once. */
const PART_CHARS = 1 << 16;
/** Where a result has its entries. */
export const ENTRY_KEYS = ["files", "matches", "counts"] as const;

/** One JSON value on a line of its own. */
export function jsonLine(value: unknown): string {
  return jsonText(value) + "\n";
}

function jsonText(value: unknown): string {
  return escapeControlsInJson(JSON.stringify(value));
}

/** Writes the result as one value. */
export class JsonPrinter implements AnswerPrinter {
  /** Every entry but the last has a comma, which is as long as the line end of its value. */
  readonly measure: AnswerMeasure = {
    frame: (result) => lengthOf(result) - (result.count > 0 ? 1 : 0),
    entries: () => lengthOf,
  };
  readonly #stdout: Output;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  /**
   * Writes entry by entry: a large answer written all at once would take three times its size in
   * memory.
   */
  end(result: SearchResult): void {
    const key = ENTRY_KEYS.find((key) => key in result)!;
    const frame = jsonLine({ ...result, [key]: [] });
    // Quotes in values are escaped, so that this is the key.
    const start = frame.indexOf(`"${key}":[]`) + key.length + 4;
    let part = frame.slice(0, start);
    let separator = "";
    for (const entry of (result as unknown as Record<string, readonly unknown[]>)[key]!) {
      part += separator + jsonText(entry);
      separator = ",";
      if (part.length < PART_CHARS) continue;
      this.#stdout.writePart(part);
      if (this.#stdout.closed) return;
      part = "";
    }
    this.#stdout.write(part + frame.slice(start));
  }
}

/** The length of a value as JSON, with its line end. */
export function lengthOf(value: unknown): number {
  return jsonLine(value).length;
}
