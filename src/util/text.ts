/**
 * Texts: control characters escaped, so that file names, file contents and what a model sends can neither drive
 * a terminal nor fool a reader; words quoted for a shell, and texts for a regular expression; Unicode normal forms;
 * where lines start and end; words that go with a number; the closest name to a misspelled one.
 *
 * @module
 */

/**
 * What a reader cannot see, and what moves what he sees: control characters but for the tab, separators of
 * lines and paragraphs, and what Unicode says to ignore, such as tags, zero-width characters and changes of
 * direction. Scripts and emoji need the joiners and the two selectors of a presentation.
 */
const invisible = () => unsafe ??= /[\p{Cc}\p{DI}\u2028\u2029](?<![\t\u200c\u200d\ufe0e\ufe0f])/gu;
let unsafe: RegExp | undefined; // made when it is needed: that takes half a millisecond

/** Whether a text shows whatever is in it, as most do. */
function isVisible(text: string): boolean {
  return !/[^\t -~]/.test(text);
}

/** What an answer says that shows an escape. */
export const ESCAPES_NOTE = "escapes such as \\u200b stand for invisible characters";

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapedCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  if (code.length > 4) return `\\u{${code}}`;
  return NAMED[character] ??
    (code.length > 2 ? unicodeEscape(character) : `\\x${code.padStart(2, "0")}`);
}

/** A character as JSON escapes it. */
function unicodeEscape(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}

/** Whether {@linkcode escapeControls} escapes something of a text. */
export function isEscaped(text: string): boolean {
  return !isVisible(text) && text.search(invisible()) >= 0;
}

/**
 * Lines as they are shown, with {@linkcode ESCAPES_NOTE} at the end if one has an escape.
 *
 * @param hasEscape whether the answer that they belong to has one
 */
export function escapedLines(lines: readonly string[], hasEscape = false): string[] {
  const isNoted = !lines.includes(ESCAPES_NOTE) && (hasEscape || lines.some(isEscaped));
  return [...lines.map(escapeControls), ...(isNoted ? [ESCAPES_NOTE] : [])];
}

/** A name as sentences show it: in quotes where it could be taken for a part of one. */
export function quotedName(name: string): string {
  const isPlain = !/[\s\u2800"'`;,]|[.:!?]$/u.test(name) && !isEscaped(name);
  return isPlain || /^(?:\.\.?\/)*\.{1,2}$/.test(name)
    ? name
    : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/** Escapes what a reader cannot see: `\x1b`, `\u202e`, `\u{e0041}`, `\n`. */
export function escapeControls(text: string): string {
  return isVisible(text) ? text : text.replace(invisible(), escapedCharacter);
}

/** Escapes the same characters in a JSON text as JSON does; its value stays the same. */
export function escapeControlsInJson(json: string): string {
  if (isVisible(json)) return json;
  return json.replace(invisible(), (character) => character.split("").map(unicodeEscape).join(""));
}

/**
 * Escapes a model's text for a question to the user: also format characters, such as zero-width ones, so
 * that nothing is hidden or moved.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, escapedCharacter);
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

/** A regular expression of exactly this text, with any flags; `RegExp.escape`, which Node.js 22 lacks. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(
    /[^\w\u0080-\uffff\\^$.*+?()[\]{}|/]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

/** The offset of the last line's end: an empty match beyond it is in no line. */
export function lastLineOffset(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}

/**
 * The lines of an entry. A matched text that goes up to the start of a line has no part of that one.
 *
 * @param onlyMatching whether the entry is a matched text
 */
export function linesShown(line: string, onlyMatching: boolean): string[] {
  const lines = line.split("\n");
  return onlyMatching && lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Text, the lines of which begin without white space. */
export function trimmedText(text: string): string {
  return text.replace(/(?<=^|\n)[ \t\v\f\r]+/g, "");
}

/** A number and what it counts: `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export type Tag = (strings: TemplateStringsArray, ...values: readonly unknown[]) => string;

/** A text that has forms for one and for many, in the one that goes with a number. */
export function formFor(count: number, text: string): string {
  return text.replace(/\[([^[\]|]*)\|([^[\]|]*)\]/g, count === 1 ? "$1" : "$2");
}

/** Tags a sentence that has forms for one and for many: `file[|s] [was|were] read`. */
export function inForm(count: number): Tag {
  return (strings, ...values) =>
    String.raw({ raw: strings.map((part) => formFor(count, part)) }, ...values);
}

/** The Damerau–Levenshtein distance of two words, with swaps of adjacent characters. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

/** A longer word is not a misspelling of one of our names. */
const MAX_LENGTH = 40;

/** The name at the smallest distance, if that is small for its length; a prefix counts as 1. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  if (given === "" || given.length > MAX_LENGTH) return undefined;
  const word = given.toLowerCase();
  let best: string | undefined;
  let fewest = Infinity;
  for (const name of names) {
    const slips = name.startsWith(word) ? 1 : distance(word, name.toLowerCase());
    if (slips < fewest && slips <= Math.max(2, Math.floor(name.length / 3))) {
      fewest = slips;
      best = name;
    }
  }
  return best;
}

/** A question about the name that was meant, to follow the given one; empty if no name is near. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearest(given, names);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

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
