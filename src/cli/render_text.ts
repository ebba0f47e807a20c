/**
 * Answers as text: entries on standard output, all else on standard error.
 *
 * @module
 */
import type { AnswerMeasure } from "../search/answer.ts";
import type { SearchResult } from "../search/result.ts";
import { BatchedOutput } from "./batched_output.ts";
import { visible } from "../visible.ts";
import type { Highlighter } from "./highlight.ts";
import type { Output } from "./output.ts";
import { type Renderer, type Row, rowOf } from "./renderer.ts";
import { TextLines } from "./text_lines.ts";

/** Writes text, coloured on a terminal. */
export class TextRenderer implements Renderer {
  readonly measure: AnswerMeasure;
  readonly #out: BatchedOutput;
  readonly #stderr: Output;
  readonly #lines: TextLines;
  #isDone = false;

  /**
   * @param options `columns` were asked for (a cut line has one in any case); `highlight` finds what
   * is coloured in a line
   */
  constructor(
    stdout: Output,
    stderr: Output,
    options: { columns: boolean; highlight: Highlighter | undefined },
  ) {
    this.#out = new BatchedOutput(stdout);
    this.#stderr = stderr;
    this.#lines = new TextLines({ ...options, colours: usesColours(stdout) });
    this.measure = textMeasure(options.columns);
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

/** What an answer takes up on standard output, without its colours: nothing but its entries. */
function textMeasure(columns: boolean): AnswerMeasure {
  const lines = new TextLines({ colours: false, columns, highlight: undefined });
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
