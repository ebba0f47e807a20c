/**
 * How an answer is paged.
 *
 * @module
 */

import type { SearchQuery } from "../search/query.ts";
import type { PAGE_FIELDS } from "./tool_definition.ts";
import type { ValuesOf } from "./fields.ts";

/** A page was asked for when it has a length or a start; without either, too much is an error. */
export function page(
  { max_results, offset, paths }: ValuesOf<typeof PAGE_FIELDS>,
): Pick<SearchQuery, "maxResults" | "offset" | "onOverflow" | "paths"> {
  const isPaged = max_results !== undefined || offset !== undefined;
  return {
    maxResults: max_results,
    offset,
    onOverflow: isPaged ? "truncate" : "error",
    paths,
  };
}
