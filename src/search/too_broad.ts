/**
 * The error of a search that found more than fits into its answer: where the matches are, and which narrower
 * calls would fit.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { dependencyHint } from "../explain/skip_notes.ts";
import { type Collector, roomFor } from "./collector.ts";
import type { DirectoryCount, Total } from "./result_builder.ts";
import { type Caller, optionName } from "./callers.ts";
import { MAX_HELD_CHARS } from "../scan/hit_lines.ts";
import type { PreparedSearch } from "./prepare.ts";
import type { SearchSettings } from "./query.ts";
import { isPathFree } from "./query_parser.ts";

export function tooBroadError(
  { settings, options: { workspace }, job, caller }: PreparedSearch,
  { total, isTooLong, facets }: Collector,
): PathgrepError {
  const searched = job.walk.bases;
  const shown = ({ path, count }: DirectoryCount) => ({ path: workspace.display(path), count });
  const room = roomFor(settings);
  // A truncated answer does not count by place.
  const isKnown = !total.isLeast && settings.onOverflow === "error" &&
    settings.outputMode !== "values";
  const narrower = isKnown && !isTooLong
    ? [
      ...isPathFree(settings)
        ? facets.fittingDirectories(searched, room).slice(0, 2).map(shown)
        : [],
      ...settings.include.length === 0 ? facets.fittingTypes(searched, room).slice(0, 2) : [],
    ]
    : [];
  const examples = narrower.map(({ count, ...call }) => {
    const [[key, value]] = Object.entries(call) as [[string, string]];
    return `${key} ${JSON.stringify(value)} (${count} of them)`;
  });
  return new PathgrepError(
    "search_too_broad",
    whatIsTooMuch(settings, total, isTooLong),
    {
      hint: (isTooLong ? "ask for less context or a lower max_line_length, " : "") +
        `narrow path or ${settings.includeKey}` +
        (examples.length === 0 ? "" : `, for example with ${examples.join(" or ")}`) +
        (isKnown ? dependencyHint(facets.byDirectory, settings, job) : "") +
        (settings.includeKey === "pattern" ? "" : ", or make the pattern more specific") +
        orPages(settings, total, caller),
      top_directories: isKnown
        ? facets.topDirectories([...workspace.roots, ...searched]).map(shown)
        : undefined,
      top_types: isKnown ? facets.topTypes(searched) : undefined,
      narrower_calls: narrower.length === 0
        ? undefined
        : narrower.map(({ count: _, ...keys }) => keys),
    },
  );
}

/** Pages are of a whole, which is not known where there are too many values. */
function orPages({ outputMode }: SearchSettings, { isLeast }: Total, caller: Caller): string {
  if (outputMode === "values" && isLeast) return "";
  const then = caller === "shell" ? " N --on-overflow truncate, then --offset N" : " and offset";
  return `; or page with ${optionName("maxResults", caller)}${then}`;
}

function whatIsTooMuch(settings: SearchSettings, total: Total, isTooLong: boolean): string {
  const room = roomFor(settings);
  if (isTooLong || room < settings.maxResults) {
    return `answer exceeds ${Math.min(settings.maxOutputChars, MAX_HELD_CHARS)} characters`;
  }
  if (settings.outputMode !== "values") return `found more than ${room} matches`;
  return `found more than ${total.isLeast ? total.count : room} values`;
}
