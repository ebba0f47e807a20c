/**
 * `pathgrep files`: list what a search would read.
 *
 * @module
 */
import { listFiles } from "../search/search.ts";
import { answer } from "./answer.ts";
import type { Settings } from "./settings.ts";

/** Lists the files below the operands, or below every root. */
export async function run(settings: Settings, operands: readonly string[]): Promise<number> {
  settings.query.path = [...operands];
  await answer(settings, ({ pattern: _, ...query }, options) => listFiles(query, options));
  return 0;
}
