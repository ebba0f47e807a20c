/**
 * Errors as the caller asked for answers: an object or a sentence.
 *
 * @module
 */
import type { PathgrepError } from "../util/errors.ts";
import { visible } from "../visible.ts";
import { stderr, stdout } from "./output.ts";
import { jsonLine } from "./render_json.ts";
import type { Format } from "./settings.ts";

/** Writes an object to standard output or, in text, a line to standard error. */
export function renderError(error: PathgrepError, format: Format): void {
  // What cannot be said on standard output, such as that it is full, is said as in text.
  if (stdout.failed) format = "text";
  if (format === "json") stdout.write(jsonLine(error));
  else if (format === "jsonl") stdout.write(jsonLine({ type: "error", ...error.toJSON() }));
  else stderr.write(visible(sentence(error)) + "\n");
}

function sentence(error: PathgrepError): string {
  const { suggestions, hint } = error.details;
  let sentence = `pathgrep: ${error.toJSON().error}`;
  if (suggestions?.length) sentence += ` (did you mean ${suggestions.join(", ")}?)`;
  if (hint !== undefined) sentence += ` (${hint})`;
  return sentence;
}
