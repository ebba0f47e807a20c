/**
 * Keeps file names and file contents from driving a terminal.
 *
 * @module
 */

/** C0 but the tab, DEL, C1, and whatever changes the direction of writing. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const UNSAFE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r" };

/** Text with every control and direction character made visible: `\x1b`, `\u202e`, `\n`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return NAMED[character] ??
      (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`);
  });
}

/** JSON text with the same characters escaped as JSON does; its value stays the same. */
export function visibleJson(json: string): string {
  return json.replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
