/**
 * Keeps file names, file contents and what a model sends from driving a terminal or fooling a reader.
 *
 * @module
 */

/** C0 but the tab, DEL, C1, and whatever changes the direction of writing. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const UNSAFE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  if (code.length > 4) return `\\u{${code}}`;
  return NAMED[character] ??
    (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`);
}

/** Text with every control and direction character made visible: `\x1b`, `\u202e`, `\n`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** JSON text with the same characters escaped as JSON does; its value stays the same. */
export function visibleJson(json: string): string {
  return json.replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Text from a model as a user is shown it when asked: format characters too (zero-width ones, say) are
 * escapes, so that nothing hides and nothing moves.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
