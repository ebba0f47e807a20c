/**
 * Cuts long lines to a window around their match, by code point.
 *
 * @module
 */

const encoder = new TextEncoder();

/** Half of a code point; without one, each UTF-16 unit is a code point. */
const SURROGATE = /[\ud800-\udfff]/;

export interface Cut {
  text: string;
  /** Whether anything was cut off. */
  truncated: boolean;
  /** Whether that was at the start. */
  startsLate?: boolean;
  /** Whether that was at the end. */
  endsEarly?: boolean;
}

const ELLIPSIS = "…";

/** The text of a cut, marked where something was cut off. */
export function marked({ text, startsLate, endsEarly }: Cut): string {
  return (startsLate ? ELLIPSIS : "") + text + (endsEarly ? ELLIPSIS : "");
}

/**
 * The part of a line around a match.
 *
 * @param matchStart UTF-16 offset of the match; 0 cuts at the start of the line
 * @param limit code points to keep; 0: all
 * @returns the whole line if it fits, else `limit` code points of it with the match's start among
 * them
 */
export function cutAround(line: string, matchStart: number, limit: number): Cut {
  if (limit === 0 || line.length <= limit) return { text: line, truncated: false };
  const from = Math.max(0, Math.min(matchStart - (limit >> 2), line.length - limit));
  const to = from + limit;
  if (!SURROGATE.test(line.slice(from, to))) return cut(line, from, to);
  let start = stepBack(line, matchStart, limit >> 2);
  let end = stepOn(line, start.offset, limit);
  if (end.steps < limit) {
    start = stepBack(line, start.offset, limit - end.steps);
    end = { offset: line.length, steps: limit };
  }
  if (start.offset === 0 && end.offset === line.length) return { text: line, truncated: false };
  return cut(line, start.offset, end.offset);
}

function cut(line: string, start: number, end: number): Cut {
  return {
    text: line.slice(start, end),
    truncated: true,
    startsLate: start > 0,
    endsEarly: end < line.length,
  };
}

/** A copy that does not retain the text that a string is a slice of: V8 joins and flattens it. */
export function detached(slice: string): string {
  return slice.length < 13 ? slice : (" " + slice).slice(1);
}

export function codePointsIn(text: string): number {
  return SURROGATE.test(text) ? stepOn(text, 0, Infinity).steps : text.length;
}

export function utf8BytesIn(text: string): number {
  return encoder.encode(text).length;
}

/** The offset some code points later, at most the end. */
function stepOn(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset < line.length) {
    offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}

/** The offset some code points earlier, at least the start. */
function stepBack(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset > 0) {
    offset -= offset > 1 && line.codePointAt(offset - 2)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}
