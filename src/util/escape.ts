/**
 * Escapes control characters, so that file names, file contents and what a model sends can neither drive
 * a terminal nor fool a reader; quotes words for a shell.
 *
 * @module
 */

/** C0 without the tab, DEL, C1, and characters that change the direction of text. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const UNSAFE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  if (code.length > 4) return `\\u{${code}}`;
  return NAMED[character] ??
    (code.length > 2 ? unicodeEscape(character) : `\\x${code.padStart(2, "0")}`);
}

/** A character as JSON escapes it. */
export function unicodeEscape(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}

/** Escapes control and direction characters visibly: `\x1b`, `\u202e`, `\n`. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, escapedCharacter);
}

/** Escapes the same characters in a JSON text as JSON does; its value stays the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(UNSAFE, unicodeEscape);
}

/**
 * Escapes a model's text for a question to the user: also format characters, such as zero-width ones, so
 * that nothing is hidden or moved.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapedCharacter);
}

const ELLIPSIS = "…";

/**
 * Shortens a text to a number of terminal columns: cuts its middle, so that the end of a path stays.
 * Characters beyond ASCII count as two columns, the most that any takes.
 */
export function shortened(text: string, columns: number): string {
  const width = (character: string) => character > "\x7f" ? 2 : 1;
  // No more than this is ever shown.
  const start = [...text.slice(0, 2 * columns)];
  const end = [...text.slice(-2 * columns)];
  if (text.length <= columns && start.reduce((sum, each) => sum + width(each), 0) <= columns) {
    return text;
  }
  const fitting = (characters: readonly string[], room: number) => {
    const index = characters.findIndex((character) => (room -= width(character)) < 0);
    return index < 0 ? characters.length : index;
  };
  const room = columns - width(ELLIPSIS);
  const head = start.slice(0, fitting(start, Math.floor(room / 3)));
  const tail = end.slice(end.length - fitting(end.toReversed(), Math.ceil(room * 2 / 3)));
  return head.join("") + ELLIPSIS + tail.join("");
}

/** Quotes a text for a POSIX shell where it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
