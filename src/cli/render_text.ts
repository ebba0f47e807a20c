/**
 * Answers as grep writes them: `file:line:text`, `-` around context, `--` between groups.
 *
 * @module
 */
import type { MatchEntry, SearchResult } from "../search/result.ts";
import { BatchedOutput } from "./batched_output.ts";
import { visible } from "./escape.ts";
import type { Highlighter } from "./highlight.ts";
import type { Output } from "./output.ts";
import type { Renderer, Row } from "./renderer.ts";

/** Colours, as grep has them: magenta, bold red, green, cyan. */
const FILE = "35";
const MATCH = "1;31";
const NUMBER = "32";
const MARK = "36";

/** Writes text, coloured on a terminal. */
export class TextRenderer implements Renderer {
  readonly #out: BatchedOutput;
  readonly #stderr: Output;
  readonly #colours: boolean;
  readonly #columns: boolean;
  readonly #highlight: Highlighter | undefined;
  /** The file and the number of the last line written. */
  #file = "";
  #line = 0;
  /** Context after the last match: how far it goes shows when the next match is known. */
  #after: string[] = [];
  #cut = 0;

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
    this.#colours = usesColours(stdout);
    this.#columns = options.columns;
    this.#highlight = options.highlight;
  }

  readonly row = (row: Row): void => {
    if (row.type === "file") this.#out.write(`${this.#paint(FILE, visible(row.file))}\n`);
    else if (row.type === "count") this.#write([row.file, ":"], `${row.count}`);
    else this.#match(row);
  };

  flush(): void {
    this.#endGroup(Infinity);
    this.#out.flush();
  }

  end(result: SearchResult): void {
    this.flush();
    const notes = [...result.notes ?? []];
    if (this.#cut > 0) {
      const lines = this.#cut === 1 ? "1 long line was" : `${this.#cut} long lines were`;
      notes.push(`${lines} cut; --max-line-length sets how long a line may be`);
    }
    if (result.stats !== undefined) notes.push(`stats: ${JSON.stringify(result.stats)}`);
    renderNotes(notes, this.#stderr);
  }

  #match({ file, line_number, line, column, before, after, line_truncated }: MatchEntry): void {
    const sameFile = file === this.#file;
    this.#endGroup(sameFile ? line_number : Infinity);
    const hasContext = before !== undefined || after !== undefined;
    const first = line_number - (before?.length ?? 0);
    if (hasContext && this.#line > 0 && !(sameFile && first <= this.#line + 1)) {
      this.#out.write(`${this.#paint(MARK, "--")}\n`);
    }
    if (!sameFile) this.#line = 0;
    this.#file = file;
    before?.forEach((text, index) => this.#context(first + index, text));
    line.split("\n").forEach((text, index) => {
      const number = line_number + index;
      const place = !this.#columns || column === undefined || index > 0 ? [] : [`${column}`, ":"];
      const parts = this.#highlight?.(text) ?? [text];
      const painted = parts.map((part, index) =>
        index % 2 === 1 && part !== "" ? this.#paint(MATCH, visible(part)) : visible(part)
      );
      this.#write([file, ":", `${number}`, ":", ...place], painted.join(""));
      this.#line = Math.max(this.#line, number);
    });
    this.#after = after ?? [];
    if (line_truncated) this.#cut++;
  }

  /** Writes the context after the last match, up to the line before `next`. */
  #endGroup(next: number): void {
    const first = this.#line + 1;
    this.#after.forEach((text, index) => {
      if (first + index < next) this.#context(first + index, text);
    });
    this.#after = [];
  }

  #context(number: number, text: string): void {
    if (number <= this.#line) return;
    this.#write([this.#file, "-", `${number}`, "-"], visible(text));
    this.#line = number;
  }

  /** Writes a line: its file, marks and numbers, and its text, made safe already. */
  #write(place: readonly string[], text: string): void {
    const [file = "", ...rest] = place;
    const prefix = this.#paint(FILE, visible(file)) +
      rest.map((part) => this.#paint(/\d/.test(part) ? NUMBER : MARK, part)).join("");
    this.#out.write(`${prefix}${text}\n`);
  }

  #paint(colour: string, text: string): string {
    return this.#colours ? `\x1b[${colour}m${text}\x1b[0m` : text;
  }
}

/** Whether text on this output is coloured. */
export function usesColours(output: Output): boolean {
  return output.isTerminal && !Deno.noColor;
}

/** Writes what the caller should know to standard error. */
export function renderNotes(notes: readonly string[], stderr: Output): void {
  stderr.write(notes.map((note) => `pathgrep: note: ${visible(note)}\n`).join(""));
}
