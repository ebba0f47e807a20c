/**
 * The progress line of a long search, on a terminal.
 *
 * @module
 */
import type { SearchProgress } from "../search/search_context.ts";
import type { Output } from "./output.ts";

/** Milliseconds without an answer after which progress is shown. */
const PATIENCE = 1000;
/** Milliseconds between updates of the line. */
const INTERVAL = 100;

/** One line that is rewritten, and erased in the end. */
export class Progress {
  readonly #stderr: Output;
  #next = performance.now() + PATIENCE;
  #shown = false;

  constructor(stderr: Output) {
    this.#stderr = stderr;
  }

  /** Shows a report, unless the search is young or the last report is. */
  readonly show = ({ filesSearched }: SearchProgress): void => {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + INTERVAL;
    this.#shown = true;
    this.#stderr.write(`\r\x1b[K${filesSearched} files searched`);
  };

  /** Clears the line for what is written next. */
  erase(): void {
    if (this.#shown) this.#stderr.write("\r\x1b[K");
    this.#shown = false;
  }

  /** Clears the line for good. */
  end(): void {
    this.erase();
    this.#next = Infinity;
  }
}
