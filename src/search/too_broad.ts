/**
 * The error of an answer that is too long and may not be shortened: where the matches are, and which narrower
 * calls would fit.
 *
 * @module
 */

import type { DirectoryCount, Total } from "../answer/result_builder.ts";
import type { Voice } from "../notes/table.ts";
import type { Query } from "../query/query.ts";
import { isPathFree } from "../query/query_parser.ts";
import { MAX_HELD_CHARS } from "../read/hit_lines.ts";
import { PathgrepError } from "../util/errors.ts";
import { type Collector, roomFor } from "./collector.ts";
import type { PreparedSearch } from "./prepare.ts";

export async function tooBroadError(
  { query, options: { workspace }, job }: PreparedSearch,
  { total, isTooLong, facets }: Collector,
  voice: Voice,
): Promise<PathgrepError> {
  const searched = job.walk.bases;
  const shown = ({ path, count }: DirectoryCount) => ({ path: workspace.display(path), count });
  const room = roomFor(query);
  // A truncated answer does not count by place.
  const isKnown = !total.isLeast && query.onOverflow === "error" &&
    query.outputMode !== "values";
  const narrower = isKnown && !isTooLong
    ? [
      ...isPathFree(query) ? facets.fittingDirectories(searched, room).slice(0, 2).map(shown) : [],
      ...query.include.length === 0 ? facets.fittingTypes(searched, room).slice(0, 2) : [],
    ]
    : [];
  const dependencies = isKnown
    ? (await import("../reasons/skip_notes.ts")).dependencyHint(facets.byDirectory, query, job)
    : "";
  const examples = narrower.map(({ count, ...call }) => {
    const [[key, value]] = Object.entries(call) as [[string, string]];
    return `${key} ${JSON.stringify(value)} (${count} of them)`;
  });
  return new PathgrepError(
    "search_too_broad",
    whatIsTooMuch(query, total, isTooLong),
    {
      hint: (isTooLong ? "ask for less context or a lower max_line_length, " : "") +
        `narrow path or ${query.includeKey}` +
        (examples.length === 0 ? "" : `, for example with ${examples.join(" or ")}`) +
        dependencies +
        (query.includeKey === "pattern" ? "" : ", or make the pattern more specific") +
        orPages(query, total, voice),
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
function orPages({ outputMode }: Query, { isLeast }: Total, voice: Voice): string {
  if (outputMode === "values" && isLeast) return "";
  return `; or page with ${voice.paging}`;
}

function whatIsTooMuch(query: Query, total: Total, isTooLong: boolean): string {
  const room = roomFor(query);
  if (isTooLong || room < query.maxResults) {
    return `answer exceeds ${Math.min(query.maxOutputChars, MAX_HELD_CHARS)} characters`;
  }
  if (query.outputMode !== "values") return `found more than ${room} matches`;
  return `found more than ${total.isLeast ? total.count : room} values`;
}
