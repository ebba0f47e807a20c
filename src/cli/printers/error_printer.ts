/**
 * Errors as the caller asked for answers: an object or a sentence.
 *
 * @module
 */
import type { PathgrepError } from "../../util/errors.ts";
import { escapeControls, ESCAPES_NOTE, isEscaped, quotedName } from "../../util/text.ts";
import type { Output } from "../output.ts";
import { jsonLine } from "./answer_printer.ts";
import type { Format } from "../options/settings.ts";

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
