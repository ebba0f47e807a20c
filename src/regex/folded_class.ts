/**
 * Case-insensitive classes without the flag `i`.
 *
 * A pattern such as `(?i:todo)|\p{L}Key` has it for some of its parts only. V8 has modifiers for that, but in
 * texts of two bytes a character it takes letters behind a class of many ranges in the wrong case (15.0).
 *
 * @module
 */

import { rangeSource } from "./char_set.ts";

const CASED = /[\p{CWCF}\p{CWL}\p{CWU}\p{CWT}\p{LC}]/v;
/** Beyond that, no character has a case. */
const LAST_CASED = 0x1ffff;

/** All characters that have a case. */
let cased: string | undefined;

/** Classes by their sources, and how many characters these may have together. */
const known = new Map<string, string>();
const MAX_KNOWN = 1 << 22;
let knownChars = 0;

/** Whether a character may match others where letter case does not count. */
export function isCased(codePoint: number): boolean {
  return CASED.test(String.fromCodePoint(codePoint));
}

/** The class of the characters that a class, or one character, matches under the flag `i`. */
export function foldedClass(source: string): string {
  let folded = known.get(source);
  if (folded !== undefined) return folded;
  folded = computed(source);
  knownChars += source.length + folded.length;
  if (knownChars > MAX_KNOWN) {
    known.clear();
    knownChars = source.length + folded.length;
  }
  known.set(source, folded);
  return folded;
}

function computed(source: string): string {
  const exact = casedMembers(source, "gv");
  const folded = casedMembers(source, "giv");
  const added = without(folded, exact);
  const more = `[${source}${rangesOf(added)}]`;
  if (exact.length + added.length === folded.length) return more;
  return `[${more}--[${rangesOf(without(exact, folded))}]]`;
}

function without(chars: readonly string[], others: readonly string[]): string[] {
  const dropped = new Set(others);
  return chars.filter((char) => !dropped.has(char));
}

/** The members of a class that have a case, in order. One look at all is far quicker than one at each. */
function casedMembers(source: string, flags: string): readonly string[] {
  cased ??= allCased();
  return cased.match(new RegExp(source, flags)) ?? [];
}

function allCased(): string {
  let all = "";
  for (let codePoint = 0; codePoint < LAST_CASED; codePoint++) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) all += String.fromCodePoint(codePoint);
  }
  return all.match(new RegExp(CASED, "gv"))!.join("");
}

/** Characters in order, as the inside of a class. */
function rangesOf(chars: readonly string[]): string {
  const codePoints = chars.map((char) => char.codePointAt(0)!);
  let ranges = "";
  for (let index = 0; index < codePoints.length; index++) {
    const first = codePoints[index]!;
    while (codePoints[index + 1] === codePoints[index]! + 1) index++;
    ranges += rangeSource(first, codePoints[index]!);
  }
  return ranges;
}
