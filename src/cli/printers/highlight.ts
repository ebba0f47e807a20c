/**
 * Finds the matches in a printed line, so that a terminal can colour them.
 *
 * @module
 */
import { loadMatcher } from "../../regex/matcher.ts";
import { planPattern } from "../../regex/plan.ts";
import { LineSearcher } from "../../read/line_searcher.ts";
import { SearchPulse } from "../../run/search_sink.ts";
import type { SearchQuery } from "../../query/query.ts";
import { parseQuery } from "../../query/query_parser.ts";
import { PathgrepError } from "../../util/errors.ts";

/** Milliseconds for one line, for all slow lines together, and for all lines after the time limit. */
const PATIENCE = 50;
const SLOW_PATIENCE = 500;
const MORE_PATIENCE = 500;
/** Milliseconds from which on a line is slow. */
const SLOW = 1;

/**
 * Cuts a line into text that matches and text that does not, in turn; the first does not. Nothing where
 * that takes too long.
 */
export type Highlighter = (line: string) => string[] | undefined;

/** A highlighter for a query; none if lines do not show matches of their own, or the search will fail. */
export async function highlighterFor(query: SearchQuery): Promise<Highlighter | undefined> {
  const planned = await planOf(query).catch((error) => {
    // The search says what is wrong with the query, in the names that options have at the shell.
    if (error instanceof PathgrepError) return undefined;
    throw error;
  });
  if (planned === undefined) return undefined;
  const { plan, timeout, onlyMatching } = planned;
  if (onlyMatching) return (line) => ["", line];
  let lineEnd = 0;
  const pulse = new SearchPulse(
    { deadline: Infinity, timeout: Infinity },
    () => performance.now() > lineEnd,
  );
  const scanner = new LineSearcher({ ...plan, each: [] }, {
    mode: "content",
    before: 0,
    after: 0,
    maxCount: Infinity,
    maxLineLength: 0,
    column: true,
    onlyMatching: true,
  }, pulse);
  const until = performance.now() + (timeout || Infinity) + MORE_PATIENCE;
  let left = SLOW_PATIENCE;
  return (line) => {
    const started = performance.now();
    if (left <= 0 || started > until) return undefined;
    try {
      lineEnd = Math.min(started + PATIENCE, until);
      scanner.start();
      scanner.feed(line, true);
    } catch {
      return undefined;
    } finally {
      const spent = performance.now() - started;
      if (spent > SLOW) left -= spent;
    }
    const characters = Array.from(line);
    const parts: string[] = [];
    let end = 0;
    for (const { text, column = 1 } of scanner.lines) {
      parts.push(characters.slice(end, column - 1).join(""), text);
      end = column - 1 + Array.from(text).length;
    }
    return [...parts, characters.slice(end).join("")];
  };
}

async function planOf(query: SearchQuery) {
  const settings = parseQuery(query);
  if (settings.invert || settings.multiline) return undefined;
  const { plan } = planPattern(settings);
  await loadMatcher(plan);
  return { ...settings, plan };
}
