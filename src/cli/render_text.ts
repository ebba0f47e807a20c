/**
 * Answers as text: entries on standard output, all else on standard error.
 *
 * @module
 */
import type { AnswerMeasure } from "../search/answer.ts";
import type { SearchResult } from "../search/result.ts";
import { BatchedOutput } from "./printers/batched_output.ts";
import { visible } from "../visible.ts";
import type { Output } from "./output.ts";
import { type Renderer, type Row, rowOf } from "./printers/answer_printer.ts";
import { TextLines, type TextOptions } from "./text_lines.ts";

/** Writes text, coloured on a terminal. */
export class TextRenderer implements Renderer {
  readonly measure: AnswerMeasure;
  readonly #out: BatchedOutput;
  readonly #stderr: Output;
  readonly #lines: TextLines;
  #isDone = false;

  /** @param options how lines are written to standard output */
  constructor(stdout: Output, stderr: Output, options: TextOptions) {
    this.#out = new BatchedOutput(stdout);
    this.#stderr = stderr;
    this.#lines = new TextLines(options);
    this.measure = textMeasure(options);
  }

  readonly row = (row: Row): void => this.#out.write(this.#lines.next(row));

  tick(): void {
    this.#out.tick();
  }

  flush(): void {
    if (!this.#isDone) this.#out.write(this.#lines.rest);
    this.#isDone = true;
    this.#out.flush();
  }

  end({ notes: given = [], next_offset, stats }: SearchResult): void {
    this.flush();
    const notes = [...given];
    const { cut } = this.#lines;
    if (cut > 0) {
      const lines = cut === 1 ? "1 long line was" : `${cut} long lines were`;
      notes.push(`${lines} cut; --max-line-length sets how long a line may be`);
    }
    if (next_offset !== undefined) {
      notes.push(`truncated; next entries with --offset ${next_offset}`);
    }
    if (stats !== undefined) notes.push(`stats: ${JSON.stringify(stats)}`);
    renderNotes(notes, this.#stderr);
  }
}

/** What an answer takes up where nothing is coloured or linked: nothing but its entries. */
function textMeasure(options: TextOptions): AnswerMeasure {
  const lines = new TextLines({
    ...options,
    colours: false,
    highlight: undefined,
    link: undefined,
  });
  return {
    frame: () => 0,
    entry(entry) {
      const rest = lines.rest.length;
      return lines.next(rowOf(entry)).length + lines.rest.length - rest;
    },
  };
}

/** Whether text on this output is coloured. */
export function usesColours(output: Output): boolean {
  return output.isTerminal && !Deno.noColor;
}

/** Writes what the caller should know to standard error. */
export function renderNotes(notes: readonly string[], stderr: Output): void {
  stderr.write(notes.map((note) => `pathgrep: note: ${visible(note)}\n`).join(""));
}
