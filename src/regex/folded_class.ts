/**
 * Classes in which letter case does not count, without the flag `i`.
 *
 * A pattern such as `(?i:todo)|\p{L}Key` has it for some of its parts only. V8 has modifiers for that, but in
 * texts of two bytes a character it takes letters behind a class of many ranges in the wrong case (15.0).
 *
 * @module
 */

import { escapeChar } from "./char_set.ts";

const CASED = /[\p{CWCF}\p{CWL}\p{CWU}\p{CWT}\p{LC}]/v;
/** Beyond that, no character has a case. */
const LAST_CASED = 0x1ffff;

let cased: readonly number[] | undefined;

/** Classes by their sources; each takes a millisecond. */
const known = new Map<string, string>();
const MAX_KNOWN = 500;

/**
 * The class of the characters that a class matches under the flag `i`.
 *
 * @param source the class, or one character
 */
export function foldedClass(source: string): string {
  if (known.size > MAX_KNOWN) known.clear();
  return known.getOrInsertComputed(source, computed);
}

function computed(source: string): string {
  cased ??= codePoints().filter((codePoint) => CASED.test(String.fromCodePoint(codePoint)));
  const exact = new RegExp(`^${source}$`, "v");
  const folded = new RegExp(`^${source}$`, "vi");
  const added: number[] = [];
  const removed: number[] = [];
  for (const codePoint of cased) {
    const char = String.fromCodePoint(codePoint);
    const isFolded = folded.test(char);
    if (isFolded !== exact.test(char)) (isFolded ? added : removed).push(codePoint);
  }
  const more = `[${source}${rangesOf(added)}]`;
  return removed.length === 0 ? more : `[${more}--[${rangesOf(removed)}]]`;
}

function codePoints(): number[] {
  const all = Array.from({ length: LAST_CASED }, (_, codePoint) => codePoint);
  return all.filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff);
}

/** Code points in order, as the inside of a class. */
function rangesOf(codePoints: readonly number[]): string {
  let ranges = "";
  for (let index = 0; index < codePoints.length; index++) {
    const first = codePoints[index]!;
    while (codePoints[index + 1] === codePoints[index]! + 1) index++;
    const last = codePoints[index]!;
    ranges += first === last ? escapeChar(first) : `${escapeChar(first)}-${escapeChar(last)}`;
  }
  return ranges;
}
