/**
 * Plans patterns that are plain text: such a search loads neither the parser nor the engines.
 *
 * @module
 */

import { textNode } from "./ast.ts";
import { prefilterOf } from "./literals.ts";
import type { PatternForm, PatternOptions, PatternPlan, PlannedPattern } from "./pattern_plan.ts";
import { escapeRegExp } from "../util/escape.ts";

/** Longer texts go the way of all patterns, where their length is limited. */
const MAX_CHARS = 1_000;

/** The plan of one plain text of one line that matches in one letter case and anywhere, if it is that. */
export function planPlainText(options: PatternOptions): PlannedPattern | undefined {
  const [text = "", ...others] = options.patterns;
  const { caseInsensitive, smartCase, wholeWord, wholeLine, fixedStrings } = options;
  if (others.length > 0 || caseInsensitive || smartCase || wholeWord || wholeLine) return undefined;
  if (text.length > MAX_CHARS || text.includes("\n")) return undefined;
  if (!fixedStrings && !isPlainText(text)) return undefined;
  const plan = planLiteral(text, options);
  if (!options.invert) plan.prefilter = prefilterOf(plan.locate.tree, !options.multiline);
  return { plan, notes: [] };
}

/** Whether a pattern has no special character. */
export function isPlainText(pattern: string): boolean {
  return !/[\\^$.|?*+()[\]{}]/.test(pattern);
}

export function planLiteral(
  literal: string,
  { invert, multiline }: Pick<PatternOptions, "invert" | "multiline">,
): PatternPlan {
  const form: PatternForm = {
    source: { source: escapeRegExp(literal), flags: "v" },
    cost: "linear",
    factor: 1,
    tree: textNode(literal, false),
  };
  return {
    invert,
    multiline,
    find: form,
    locate: form,
    literal,
    required: literal === "" ? [] : [literal],
    prefilter: undefined,
    isLinear: true,
    each: [],
  };
}
