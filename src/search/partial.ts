/**
 * What a search had found when its time ran out.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { type AnswerBudget, charsOfError, fitError } from "./budget.ts";
import type { SearchSettings } from "./query.ts";
import type { SearchResult } from "./result.ts";
import type { AnswerMeasure } from "./measure.ts";
import type { ShownFile } from "./result_builder.ts";

/** Characters of JSON between an error and what was found. */
const KEY_CHARS = `,"partial":`.length;

/**
 * The error, with what was found until then: shaped and capped as the answer would have been. Entries that
 * were streamed are not in it.
 *
 * @param build builds the answer from what was found
 */
export async function withPartial(
  error: PathgrepError,
  settings: SearchSettings,
  { measure, onFile }: {
    measure?: AnswerMeasure | undefined;
    onFile?: ((file: ShownFile) => void) | undefined;
  },
  build: (budget: AnswerBudget) => Promise<SearchResult>,
): Promise<PathgrepError> {
  const { maxOutputChars } = settings;
  const named = error.with({ pattern: settings.patterns.join("\n") });
  const short = maxOutputChars === Infinity ? named : fitError(named, maxOutputChars / 2);
  const chars = maxOutputChars - charsOfError(short) - KEY_CHARS;
  try {
    const partial = await build({ chars, mayShorten: true, measure });
    return new PathgrepError(short.code, short.message, {
      ...short.details,
      partial: onFile === undefined ? partial : withoutEntries(partial),
    }, short);
  } catch {
    return error; // there is no room for a single entry
  }
}

function withoutEntries(result: { matches?: unknown; files?: unknown; counts?: unknown }): object {
  const { matches: _, files: __, counts: ___, ...rest } = result;
  return rest;
}
