/**
 * Makes text of bytes that come in pieces and feeds it to a sink, by lines or all at once.
 *
 * @module
 */

import { LineFeeder, type LineSink } from "./line_feeder.ts";
import { type NotText, TextStream } from "./text.ts";

/** Characters held for a match that may span lines. */
const MAX_MULTILINE_CHARS = 1 << 27;

/** Feeds a sink the text of pieces of bytes. */
export class TextFeeder {
  readonly #stream = new TextStream();
  readonly #lines: LineFeeder;
  readonly #sink: LineSink;
  readonly #isMultiline: boolean;
  #whole = "";

  /**
   * @param sink takes the text
   * @param isMultiline whether the sink wants the whole text at once
   */
  constructor(sink: LineSink, isMultiline: boolean) {
    this.#sink = sink;
    this.#lines = new LineFeeder(sink);
    this.#isMultiline = isMultiline;
  }

  /** Whether a line was cut. */
  get hasLongLine(): boolean {
    return this.#lines.hasLongLine;
  }

  /**
   * Takes the next piece; `last` ends the text.
   *
   * @returns why there is no text, if so; then nothing more may be fed
   */
  push(bytes: Uint8Array, last: boolean): NotText | "too_large" | undefined {
    const decoded = this.#stream.decode(bytes, last);
    if ("skip" in decoded) return decoded.skip;
    if (!this.#isMultiline) {
      this.#lines.push(decoded.text, last);
      return undefined;
    }
    this.#whole += decoded.text;
    if (this.#whole.length > MAX_MULTILINE_CHARS) return "too_large";
    if (last) this.#sink.feed(this.#whole, true);
    return undefined;
  }
}
