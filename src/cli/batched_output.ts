/**
 * Gathers lines, so that many cost few writes and none waits for long.
 *
 * @module
 */
import type { Output } from "./output.ts";

/** Characters that are written at once. */
const BATCH = 1 << 16;
/** Milliseconds after which a line is written even if few have gathered. */
const PATIENCE = 20;

/** Lines on their way to an output. */
export class BatchedOutput {
  readonly #output: Output;
  #waiting: string[] = [];
  #size = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastWrite = -Infinity;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Takes lines, with their line ends. */
  write(lines: string): void {
    this.#waiting.push(lines);
    this.#size += lines.length;
    // A search that never pauses gives no timer its turn: the clock is looked at as well.
    if (this.#size >= BATCH || performance.now() - this.#lastWrite > PATIENCE) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), PATIENCE);
  }

  /** Writes what has gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#output.write(this.#waiting.join(""));
    this.#waiting = [];
    this.#size = 0;
    this.#lastWrite = performance.now();
  }
}
