/**
 * The interface of what writes an answer, and the output of those that write line by line: many lines cost
 * few writes, and none waits for long.
 *
 * @module
 */

import type { AnswerForm } from "../../search/form.ts";
import type { ShownFile } from "../../search/result_builder.ts";
import type { SearchResult } from "../../search/result.ts";
import type { Output } from "../output.ts";

export interface AnswerPrinter {
  /** What it writes. */
  readonly form: AnswerForm;
  /** Takes the next file, or a part of it; a printer without it wants all entries in the result. */
  readonly file?: (file: ShownFile) => void;
  /** Where lines gather: to be flushed before a pause or an error. */
  readonly out?: BatchedOutput;
  /** Takes the result, without the entries of files that were given one by one. */
  end(result: SearchResult): void;
}

const BATCH = 1 << 16;
/** Milliseconds after which a line is written even if few have gathered. */
const PATIENCE = 20;

export class BatchedOutput {
  readonly #output: Output;
  #waiting: string[] = [];
  #size = 0;
  #lastWrite = -Infinity;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Takes lines, with their line ends. */
  write(lines: string): void {
    this.#waiting.push(lines);
    this.#size += lines.length;
    if (this.#size >= BATCH) this.flush();
    else this.tick();
  }

  /** Writes what has gathered if the last write is long ago; to be called now and then. */
  tick(): void {
    // Not with a timer: a search that never pauses gives it no turn, and the first one costs 8 ms.
    if (this.#size > 0 && performance.now() - this.#lastWrite > PATIENCE) this.flush();
  }

  flush(): void {
    this.#output.write(this.#waiting.join(""));
    this.#waiting = [];
    this.#size = 0;
    this.#lastWrite = performance.now();
  }
}
