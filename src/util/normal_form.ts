/**
 * Unicode normal forms: `é` is one character in NFC, and `e` with a combining accent in NFD, as in names that
 * come from a Mac.
 *
 * @module
 */

import { unicodeEscape } from "./text.ts";

export type NormalForm = "NFC" | "NFD";

/** Whether a text is the same in every normal form, being ASCII. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}

/** The normal form of a text that is not ASCII alone. */
export function normalFormOf(text: string): NormalForm | undefined {
  if (isAscii(text)) return undefined;
  return text.normalize("NFC") === text ? "NFC" : "NFD";
}

/** Describes a name that differs from another only in its normal form; nothing if it differs in more. */
export function formDifference(given: string, found: string): string | undefined {
  const form = normalFormOf(found);
  const [ours, theirs] = [given.normalize("NFC"), found.normalize("NFC")];
  const isSame = theirs.endsWith(ours) || ours.endsWith(theirs);
  if (form === undefined || !isSame || found.endsWith(given) || given.endsWith(found)) {
    return undefined;
  }
  const char = Array.from(ours).find((char) => char.normalize("NFD") !== char) ?? "";
  const written = form === "NFC" ? "one character" : `"${withEscapedParts(char.normalize("NFD"))}"`;
  return `in the Unicode normal form ${form}, with ${written} for "${char}"`;
}

/** Characters that only show beside others: combining ones, and the parts of Hangul syllables. */
const PARTS = /[\p{M}\u1100-\u11ff]/gu;

/** A text with its combining characters escaped: nobody sees them. */
export function withEscapedParts(text: string): string {
  return text.replace(PARTS, unicodeEscape);
}
