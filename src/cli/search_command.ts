/**
 * `pathgrep search`: search files for a pattern.
 *
 * @module
 */
import { PathgrepError } from "../util/errors.ts";
import { search } from "../search/search.ts";
import { answer } from "./answer.ts";
import type { Settings } from "./settings.ts";

/** Searches; the first operand is the pattern, unless `-e` gave it. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  const { query } = settings;
  query.path = [...operands];
  if (query.pattern.length === 0) query.pattern = query.path.splice(0, 1);
  if (query.pattern.length === 0) {
    throw new PathgrepError("invalid_input", "pattern is missing", {
      hint: "usage: pathgrep [OPTIONS] PATTERN [PATH…]; `pathgrep --help` lists the options",
    });
  }
  if (settings.quiet) {
    // One entry decides the exit status.
    query.outputMode = "file";
    query.maxResults = 1;
    query.onOverflow = "truncate";
  }
  const count = await answer(settings, search);
  return count > 0 ? 0 : 1;
}
