/**
 * Answers as text: entries on standard output, all else on standard error.
 *
 * @module
 */
import { type AnswerForm, REDUCED, type ShownFile } from "../../answer/result_builder.ts";
import type { SearchResult } from "../../answer/result.ts";
import { type AnswerPrinter, BatchedOutput } from "./answer_printer.ts";
import { escapedLines } from "../../util/text.ts";
import type { TextStyle } from "../options/settings.ts";
import type { Output } from "../output.ts";
import { type LineStyle, TextLines, textOf } from "../../answer/text_lines.ts";

export class TextPrinter implements AnswerPrinter {
  readonly form: AnswerForm;
  readonly out: BatchedOutput;
  readonly #stderr: Output;
  readonly #lines: TextLines;

  constructor(stdout: Output, stderr: Output, style: LineStyle) {
    this.out = new BatchedOutput(stdout);
    this.#stderr = stderr;
    this.#lines = new TextLines(style);
    // Colours and links take no room.
    const highlight = style.everyMatch ? style.highlight : undefined;
    const plain = { ...style, colours: false, highlight, link: undefined };
    this.form = { write: (_, files) => textOf(files, plain) };
  }

  readonly file = (file: ShownFile): void => {
    for (const line of this.#lines.of(file)) this.out.write(line);
  };

  end(result: SearchResult): void {
    const { notes: given = [], next_offset, reduced, stats } = result;
    const { not_shown_line: notShown } = result as { not_shown_line?: string };
    this.out.flush();
    const notes = [...given, ...notShown === undefined ? [] : [notShown]];
    const { cut, unfinished } = this.#lines;
    if (cut > 0) {
      const lines = cut === 1 ? "1 long line was" : `${cut} long lines were`;
      notes.push(`${lines} cut around the match; --max-line-length sets how long a line may be`);
    }
    if (unfinished > 0) {
      const lines = unfinished === 1 ? "1 line" : `${unfinished} lines`;
      const why = "others are cut off, too many or take too long to find";
      notes.push(`only the first match of ${lines} is shown: ${why}`);
    }
    if (reduced !== undefined) {
      notes.push(`--max-output-chars: ${reduced.map((part) => REDUCED[part]).join(", ")}`);
    }
    if (next_offset !== undefined) {
      // A budget leaves them out, whatever the number of entries.
      const all = reduced?.includes("entries") ? "" : ", or --max-results 0 for all";
      notes.push(
        `truncated: ${totalOf(result)}; use --offset ${next_offset} for the next page${all}`,
      );
    }
    if (stats !== undefined) notes.push(`stats: ${JSON.stringify(stats)}`);
    printNotes(notes, this.#stderr, this.#lines.hasEscape);
  }
}

export function usesColours(output: Output, when: TextStyle["color"], noColor: boolean): boolean {
  return when === "auto" ? output.isTerminal && !noColor : when === "always";
}

/** @param hasEscape as for {@linkcode escapedLines} */
export function printNotes(notes: readonly string[], stderr: Output, hasEscape = false): void {
  const lines = escapedLines(notes, hasEscape);
  stderr.write(lines.map((line) => `pathgrep: note: ${line}\n`).join(""));
}

function totalOf({ output_mode, total, total_files, total_at_least }: SearchResult): string {
  if (output_mode === "file") return `${total ?? `at least ${total_at_least}`} files in all`;
  if (output_mode === "values") return `${total ?? `at least ${total_at_least}`} values in all`;
  return total === undefined
    ? `at least ${total_at_least} matches in all`
    : `${total} matches in ${total_files} ${total_files === 1 ? "file" : "files"} in all`;
}
