/**
 * The printer of an answer, and those of JSON: one value, or JSON Lines with a row for each entry and one for the
 * rest; and of an error, as the caller asked for answers.
 *
 * @module
 */

import type { SearchResult } from "../../answer/result.ts";
import {
  type AnswerEntry,
  type AnswerForm,
  entriesOf,
  EntryBuilder,
  jsonForm,
  jsonOf,
  keyOfEntries,
  type ShownFile,
  written,
} from "../../answer/result_builder.ts";
import type { Output } from "../output.ts";
import type { PathgrepError } from "../../util/errors.ts";
import { escapeControls, ESCAPES_NOTE, isEscaped, quotedName } from "../../util/text.ts";
import type { Format } from "../options/settings.ts";

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

/** Characters of a value that are written at once. */
const PART_CHARS = 1 << 16;

export function jsonLine(value: unknown): string {
  return written(value) + "\n";
}

export class JsonPrinter implements AnswerPrinter {
  readonly form: AnswerForm = {
    *write(answer, files) {
      yield* jsonForm().write(answer, files);
      yield "\n";
    },
  };
  readonly #stdout: Output;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  end(result: SearchResult): void {
    const entries = Object.entries(result).find(([key]) => key === keyOfEntries(result))?.[1];
    let part = "";
    for (const piece of jsonOf(result, entries)) {
      part += piece;
      if (part.length < PART_CHARS) continue;
      this.#stdout.writePart(part);
      if (this.#stdout.closed) return;
      part = "";
    }
    this.#stdout.write(`${part}\n`);
  }
}

export class JsonlPrinter implements AnswerPrinter {
  readonly out: BatchedOutput;
  readonly #entries = new EntryBuilder();

  constructor(stdout: Output) {
    this.out = new BatchedOutput(stdout);
  }

  readonly form: AnswerForm = {
    *write(answer, files) {
      for (const entry of entriesOf(files)) yield rowOf(entry);
      yield summaryOf(answer);
    },
  };

  readonly file = (file: ShownFile): void => {
    for (const entry of this.#entries.next(file)) this.out.write(rowOf(entry));
  };

  end(result: SearchResult): void {
    this.out.write(summaryOf(result));
    this.out.flush();
  }
}

function rowOf(entry: AnswerEntry): string {
  if (typeof entry === "string") return jsonLine({ type: "file", file: entry });
  const type = "line" in entry ? "match" : "value" in entry ? "value" : "count";
  return jsonLine({ type, ...entry });
}

function summaryOf(result: SearchResult): string {
  return jsonLine({ type: "summary", ...result, [keyOfEntries(result)]: undefined });
}

/** Writes an object to standard output or, in text, two lines at most to standard error. */
export function printError(
  error: PathgrepError,
  format: Format,
  { stdout, stderr }: { stdout: Output; stderr: Output },
): void {
  // What cannot be said on standard output, such as that it is full, is said as in text.
  if (stdout.failed) format = "text";
  if (format === "json") stdout.write(jsonLine(error));
  else if (format === "jsonl") stdout.write(jsonLine({ type: "error", ...error.toJSON() }));
  else stderr.write(linesOf(error).map((line) => `${escapeControls(line)}\n`).join(""));
}

function linesOf(error: PathgrepError): string[] {
  const { suggestions = [], hint } = error.details;
  const { notes = [] } = error.details as { notes?: readonly string[] };
  const remedy = suggestions.length > 0
    ? `did you mean ${suggestions.map(quotedName).join(", ")}?`
    : hint;
  const what = `pathgrep: ${sentenceOf(error)}`;
  const said = remedy === undefined ? [...notes] : [...notes, remedy];
  if ([what, ...said].some(isEscaped)) said.push(ESCAPES_NOTE);
  return said.length === 0 ? [what] : [what, `  ${said.join("; ")}`];
}

/** The sentence for people: of a path it is `a.ts does not exist`, where JSON has the words of the contract. */
function sentenceOf(error: PathgrepError): string {
  return error.toJSON().error.replace(/^path resolution failed: /, "")
    .replace(/^Path ((?:is|does) [^:]+): ([^]+)$/, "$2 $1");
}

/** Writes ripgrep's list of file types unless JSON was asked for: what reads `rg --type-list` reads this, too. */
export async function printTypes(format: Format | "auto", stdout: Output): Promise<void> {
  const { fileTypes, typeList } = await import("../../walk/file_types.ts");
  if (format === "auto" || format === "text") return stdout.write(typeList());
  const types = [...fileTypes()].map(([name, globs]) => ({ name, globs }));
  if (format === "json") return stdout.write(jsonLine({ types, count: types.length }));
  stdout.write(types.map((type) => jsonLine({ type: "file_type", ...type })).join(""));
}
