/**
 * Cutting long lines down to a window around their match, by code point.
 *
 * @module
 */

/** Half of a code point; where there is none, each UTF-16 unit is one. */
const SURROGATE = /[\ud800-\udfff]/;

/** A part of a line. */
export interface Cut {
  text: string;
  /** Whether anything was left out. */
  truncated: boolean;
}

/**
 * The part of a line around a match.
 *
 * @param line the whole line
 * @param matchStart UTF-16 offset of the match; 0 cuts at the start of the line
 * @param limit code points to keep; 0: all
 * @returns the whole line if it fits, else `limit` code points of it with the match's start among them
 */
export function cutAround(line: string, matchStart: number, limit: number): Cut {
  if (limit === 0 || line.length <= limit) return { text: line, truncated: false };
  if (!SURROGATE.test(line)) {
    const start = Math.max(0, Math.min(matchStart - (limit >> 2), line.length - limit));
    return { text: line.slice(start, start + limit), truncated: true };
  }
  let start = stepBack(line, matchStart, limit >> 2);
  let end = stepOn(line, start.offset, limit);
  if (end.steps < limit) {
    start = stepBack(line, start.offset, limit - end.steps);
    end = { offset: line.length, steps: limit };
  }
  if (start.offset === 0 && end.offset === line.length) return { text: line, truncated: false };
  return { text: line.slice(start.offset, end.offset), truncated: true };
}

/**
 * A copy that does not keep the text alive that a string is a slice of: V8 joins and flattens it.
 */
export function detached(slice: string): string {
  return slice.length < 13 ? slice : (" " + slice).slice(1);
}

/** How many code points a text has. */
export function codePointsIn(text: string): number {
  return SURROGATE.test(text) ? stepOn(text, 0, Infinity).steps : text.length;
}

/** Goes on by some code points, at most to the end. */
function stepOn(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset < line.length) {
    offset += line.codePointAt(offset)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}

/** Goes back by some code points, at most to the start. */
function stepBack(line: string, from: number, count: number) {
  let offset = from;
  let steps = 0;
  while (steps < count && offset > 0) {
    offset -= offset > 1 && line.codePointAt(offset - 2)! > 0xffff ? 2 : 1;
    steps++;
  }
  return { offset, steps };
}
