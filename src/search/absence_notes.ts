/**
 * Notes on an empty answer that tell nothing of the workspace; loaded for those alone.
 *
 * @module
 */

import { isNullable } from "../regex/ast.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { type Caller, optionName } from "./callers.ts";
import type { Total } from "./collector.ts";
import type { SearchSettings } from "./query.ts";

/** An empty page after the last entry would be taken for the absence of any. */
export function pageNotes({ offset, outputMode }: SearchSettings, total: Total): string[] {
  const entries = outputMode === "content" ? total.count : total.files;
  if (offset === 0 || entries === 0) return [];
  const said = entries === 1 ? "1 entry" : `${entries} entries`;
  return [`offset ${offset} is past the last of ${said}`];
}

/** What an empty answer of matched texts does not show. */
export function emptyMatchNotes(
  { onlyMatching, outputMode }: SearchSettings,
  { locate: { tree } }: PatternPlan,
  caller: Caller,
): string[] {
  if (!onlyMatching || outputMode !== "content" || !isNullable(tree)) return [];
  const name = optionName("onlyMatching", caller);
  return [`${name} leaves out matches of no characters, which the pattern allows`];
}
