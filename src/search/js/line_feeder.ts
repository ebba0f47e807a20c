/**
 * Puts lines together that come in pieces of text, with memory bounded whatever the longest line is.
 *
 * @module
 */

/** Characters of one line that are held; beyond, memory would grow with the file. */
export const MAX_LINE_CHARS: number = 1 << 24;

/** Takes lines. */
export interface LineSink {
  /** Whole lines, but for the last piece. Answers whether more is wanted. */
  feed(text: string, last: boolean): boolean;
}

/** Feeds a sink whole lines. */
export class LineFeeder {
  /** Whether a line was cut. */
  hasLongLine = false;
  /** Whether the sink wants no more. */
  isDone = false;
  readonly #sink: LineSink;
  #held = "";
  #dropping = false;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  /** Whether the next piece begins with a new line. */
  get isAtLineStart(): boolean {
    return this.#held === "" && !this.#dropping;
  }

  /** Takes the next piece; `last` ends the text. */
  push(text: string, last: boolean): void {
    if (this.isDone) return;
    if (this.#dropping) {
      const end = text.indexOf("\n");
      text = end < 0 ? "" : text.slice(end);
      this.#dropping = end < 0;
    }
    const end = last ? text.length : text.lastIndexOf("\n") + 1;
    if (end > 0 || last) {
      this.isDone = !this.#sink.feed(this.#held + text.slice(0, end), last);
      this.#held = text.slice(end);
    } else {
      this.#held += text;
    }
    if (this.#held.length > MAX_LINE_CHARS) {
      this.#held = this.#held.slice(0, MAX_LINE_CHARS);
      this.#dropping = this.hasLongLine = true;
    }
  }
}
