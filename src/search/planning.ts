/**
 * Plans the patterns of a search.
 *
 * @module
 */

import type { PatternOptions, PlannedPattern } from "../regex/pattern_plan.ts";
import { planPlainText } from "../regex/plain_text.ts";
import { type Caller, optionName } from "./callers.ts";
import type { SearchSettings } from "./query.ts";

/** Characters of patterns that take a while to plan. */
const LONG_PATTERNS = 2_000;

/**
 * Plans a search; between two that take a while others get their turns.
 *
 * @param root a directory that may be read
 * @param caller who reads the notes and hints
 * @throws {PathgrepError} `invalid_pattern`
 */
export async function planInTurn(
  settings: SearchSettings,
  root: string,
  caller: Caller = "library",
): Promise<PlannedPattern> {
  const plain = planPlainText(settings);
  if (plain !== undefined) return plain;
  const { planPattern } = await import("../regex/plan.ts");
  const options: PatternOptions = {
    ...settings,
    nameOf: (key) => optionName(key, caller) ?? key,
  };
  const length = settings.patterns.reduce((length, pattern) => length + pattern.length, 0);
  if (length < LONG_PATTERNS) return planPattern(options);
  const { Slices } = await import("../util/slices.ts");
  return await new Slices(root).run(() => planPattern(options));
}
