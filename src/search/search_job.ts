/**
 * From the settings of a query to what engines carry out: plain data.
 *
 * @module
 */

import type { Guard } from "../guard/guard.ts";
import { isDebugging } from "../util/debug.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import type { SearchJob } from "../searcher/job.ts";
import { roomFor } from "./collector.ts";
import type { SearchSettings } from "./query.ts";
import { MAX_CONTEXT } from "./query_notes.ts";
import { type Targets, walkOptions } from "./targets.ts";

/**
 * The job of a query.
 *
 * @param deadline milliseconds since the epoch at which the search has timed out
 */
export function searchJob(
  settings: SearchSettings,
  plan: PatternPlan,
  targets: Targets,
  guard: Guard,
  deadline: number,
): SearchJob {
  const entryLimit = settings.offset + roomFor(settings) + 1;
  return {
    // Files without a match are found by the first match of any pattern.
    plan: settings.filesWithoutMatch ? { ...plan, each: [] } : plan,
    scan: {
      mode: settings.outputMode,
      before: Math.min(settings.before, MAX_CONTEXT),
      after: Math.min(settings.after, MAX_CONTEXT),
      maxCount: settings.maxCount,
      maxLineLength: settings.maxLineLength,
      column: settings.column,
      onlyMatching: settings.onlyMatching,
      countsEmpty: settings.outputMode === "count",
    },
    walk: {
      ...walkOptions(settings, targets, guard),
      ...(isDebugging() ? { isLogged: true } : {}),
    },
    files: targets.files,
    maxFileSize: settings.maxFileSize,
    encoding: settings.encoding === "utf-8" ? undefined : settings.encoding,
    isAnyText: settings.text,
    withoutMatch: settings.filesWithoutMatch,
    entryLimit,
    wantsStats: settings.stats,
    wantsModified: settings.sort === "modified",
    mayBeCut: settings.onOverflow === "truncate" && settings.sort === "path",
    onOverflow: settings.onOverflow,
    since: Date.now(),
    deadline,
    timeout: settings.timeout === 0 ? Infinity : settings.timeout,
  };
}
