/**
 * Answers as text of a few characters a line: a path, its lines with their numbers, a blank line between
 * files.
 *
 * @module
 */

import { type AnswerForm, inserted, written } from "../search/form.ts";
import { conciseStyle, textOf } from "../search/text_lines.ts";
import type { Weigh } from "./answer_size.ts";

/** A concise answer: JSON with the entries as one text. */
export function conciseForm(weigh: Weigh, onlyMatching: boolean): AnswerForm {
  const style = conciseStyle(onlyMatching);
  return {
    weigh,
    write: (answer, files) =>
      inserted(answer, '"text":"', textOf(files, style).map((line) => written(line).slice(1, -1))),
    entries: (files) => ({ text: [...textOf(files, style)].join("") }),
  };
}
