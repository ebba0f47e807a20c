/**
 * Text from a model, fit to be shown to a user.
 *
 * @module
 */

/** Control, format and direction characters as escapes, so that nothing hides and nothing moves. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })[character] ??
        `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
