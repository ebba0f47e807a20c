/**
 * The text of a pattern as it is parsed: the position, notes for the caller, and errors; its characters and
 * escapes in the spellings of several languages.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import { HORIZONTAL_SPACE, unicodeProperty } from "./char_set.ts";

/** Returns the caller's name of an option for hints. */
export type OptionNaming = (
  option: "caseInsensitive" | "fixedStrings" | "multiline" | "wholeWord",
) => string;

export const LINE_BREAK: Note = { reason: "never_spans_lines", values: {} };

/** A pattern, the parser's position in it, and notes about it. */
export class PatternText {
  readonly source: string;
  /** In UTF-16 code units. */
  position = 0;
  /** On readings that the caller may not expect. */
  readonly notes: Note[] = [];
  /** JavaScript's spelling for each one of another engine. */
  readonly #spellings = new Map<string, string>();
  readonly nameOf: OptionNaming;
  /** Whether a match may span lines. */
  readonly multiline: boolean;

  constructor(
    source: string,
    { nameOf, multiline }: { nameOf: OptionNaming; multiline: boolean },
  ) {
    this.source = source;
    this.nameOf = nameOf;
    this.multiline = multiline;
  }

  /** Notes a line break in the pattern, if no match may span lines. */
  noteLineBreak(): void {
    if (!this.multiline) this.notes.push(LINE_BREAK);
  }

  get isAtEnd(): boolean {
    return this.position >= this.source.length;
  }

  /** The notes, with one more for all spellings. */
  get allNotes(): Note[] {
    if (this.#spellings.size === 0) return this.notes;
    return [...this.notes, { reason: "spellings", values: { read: [...this.#spellings] } }];
  }

  /** Consumes the given text if it comes next. */
  take(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  takeCodePoint(): number {
    const codePoint = this.source.codePointAt(this.position)!;
    this.position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Matches a sticky expression at the position without consuming anything. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    return expression.exec(this.source);
  }

  /** Consumes what a sticky expression matches at the position. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = this.match(expression);
    if (found !== null) this.position += found[0].length;
    return found;
  }

  /** Notes that a spelling of another engine was read as one of JavaScript's. */
  noteSpelling(theirs: string, ours: string): void {
    this.#spellings.set(theirs, ours);
  }

  /**
   * @param at the offset of the fault, in UTF-16 code units
   * @throws {PathgrepError} `invalid_pattern`
   */
  fail(reason: string, at: number, hint?: string): never {
    const character = Array.from(this.source.slice(0, at)).length + 1;
    throw new PathgrepError("invalid_pattern", `${reason} (at character ${character})`, {
      pattern: this.source,
      hint,
    });
  }

  /** Rejects a pattern that was probably meant as plain text. */
  failAsLiteral(reason: string, at: number, escaped: string): never {
    const what = /^(?:\\.){2,}$/u.test(escaped) ? "characters" : "character";
    const fixed = `use fixed strings (${this.nameOf("fixedStrings")})`;
    const hint = `to find the text as it stands, ${fixed}, or write \`${escaped}\` for the ${what}`;
    this.fail(reason, at, hint);
  }
}

export const NEWLINE = 0x0a;
export const RETURN = 0x0d;

/** Matches `\Q…\E`, with its text in a group, or a stray `\E`. */
export const QUOTED = /\\E|\\Q([^]*?)(?:\\E|$)/y;

/** The word characters of every language, as the inside of a class. */
export const UNICODE_WORD = "\\p{L}\\p{M}\\p{N}\\p{Pc}";
/** What class escapes stand for under the flag `u` of Rust, Python and PCRE. */
const UNICODE_ESCAPES: Readonly<Record<string, string>> = {
  "\\w": `[${UNICODE_WORD}]`,
  "\\W": `[^${UNICODE_WORD}]`,
  "\\d": "\\p{Nd}",
  "\\D": "\\P{Nd}",
};

const CONTROL: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 0x07, e: 0x1b, f: 0x0c, n: NEWLINE, r: RETURN, t: 0x09, v: 0x0b }),
);

/** Escapes of other engines without a counterpart here, by the letter after the backslash. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  K: "`\\K` is not supported; write the part before it as a lookbehind, `(?<=…)`",
  G: "`\\G` is not supported; write `^` for the start of the line",
  X: "`\\X` is not supported; write `.` for one code point",
  C: "`\\C` is not supported; write `.` for one code point",
  q: "`\\q{…}` is not supported; write the strings as alternatives, `(?:ab|[c])`",
  N: "`\\N` is not supported; write `[^\\n]`",
};

const HEXADECIMAL =
  /\\(?:x([\da-fA-F]{2})|u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|[xu]\{\s*([\da-fA-F]+)\s*\})/y;

export class CharReader {
  hasUpperCase = false;
  readonly #text: PatternText;

  constructor(text: PatternText) {
    this.#text = text;
  }

  noteLiteral(codePoint: number): void {
    this.hasUpperCase ||= isUpperCase(codePoint);
  }

  /** Parses a class escape, in or outside a class, as the inside of a class; or nothing. */
  setEscape(unicode: boolean): string | undefined {
    const at = this.#text.position;
    const found = this.#text.takeMatch(
      /\\(?:[dDwWsS]|([hH])|([pP])(?:([A-Za-z])|\{(\^?)([^{}]*)\}))/y,
    );
    if (found === null) return undefined;
    const [whole, horizontal, property, letter, negation, name] = found;
    if (horizontal !== undefined) {
      const ours = `[${horizontal === "H" ? "^" : ""}${HORIZONTAL_SPACE}]`;
      this.#text.noteSpelling(whole, ours);
      return ours;
    }
    if (property === undefined) return unicode ? UNICODE_ESCAPES[whole] ?? whole : whole;
    const given = (letter ?? name)!;
    const resolved = unicodeProperty(given);
    if (resolved === undefined) {
      this.#text.failAsLiteral(`unknown Unicode property \`${given}\``, at, `\\${whole}`);
    }
    const negated = (property === "P") !== (negation === "^");
    const ours = `\\${negated ? "P" : "p"}{${resolved}}`;
    if (ours !== whole) this.#text.noteSpelling(whole, ours);
    // V8 alone, of all engines, takes letter case of this property into account where none is asked for.
    return resolved === "ASCII" ? `[${negated ? "^" : ""}\\0-\\x7f]` : ours;
  }

  /** Parses an escape of one character, in or outside a class. */
  characterEscape(): number {
    const text: PatternText = this.#text;
    const at = text.position;
    const hex = text.takeMatch(HEXADECIMAL);
    if (hex !== null) return this.#codePoint(hex, at);
    const letter = text.source[at + 1];
    if (letter === undefined) text.failAsLiteral("it ends with a backslash", at, "\\\\");
    if (Object.hasOwn(UNSUPPORTED, letter)) text.fail(UNSUPPORTED[letter]!, at);
    const control = CONTROL.get(letter);
    if (control !== undefined) {
      text.position += 2;
      if ("ea".includes(letter)) text.noteSpelling(`\\${letter}`, hexEscape(control));
      return control;
    }
    const controlled = text.takeMatch(/\\c([A-Za-z])/y);
    if (controlled !== null) return controlled[1]!.charCodeAt(0) % 32;
    this.#rejectOctal(at);
    if (text.take("\\0")) return 0;
    if (/[A-Za-z0-9]/.test(letter)) this.#rejectLetter(letter, at);
    // `foo\|bar` is an alternation in grep's basic syntax.
    if (/^[\w)]\\\|[\w(]/.test(text.source.slice(Math.max(0, at - 1), at + 3))) {
      text.notes.push({ reason: "escaped_bar", values: {} });
    }
    text.position++;
    return text.takeCodePoint();
  }

  /** The code point of a hexadecimal escape, taken from an offset on. */
  #codePoint([whole, x, high, low, u, long, braced]: RegExpExecArray, at: number): number {
    if (high !== undefined) {
      return String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)).codePointAt(0)!;
    }
    const value = parseInt((x ?? u ?? long ?? braced)!, 16);
    if (value > 0x10ffff) {
      this.#text.fail(`\`${whole}\` is beyond the last code point, 10FFFF`, at);
    }
    if (long !== undefined || whole.startsWith("\\x{")) {
      this.#text.noteSpelling(whole, `\\u{${value.toString(16).toUpperCase()}}`);
    }
    return value;
  }

  #rejectOctal(at: number): void {
    const octal = this.#text.match(/\\(0[0-7]{1,2}|[0-7]{2,3})/y);
    if (octal === null) return;
    const value = hexEscape(parseInt(octal[1]!, 8));
    this.#text.fail(`the octal escape \`${octal[0]}\` is not supported; write \`${value}\``, at);
  }

  #rejectLetter(letter: string, at: number): never {
    const example = { x: "x41", u: "u0041" }[letter];
    const reason = example === undefined
      ? `unknown escape \`\\${letter}\``
      : `\`\\${letter}\` needs hexadecimal digits, such as \`\\${example}\``;
    this.#text.failAsLiteral(reason, at, `\\\\${letter}`);
  }
}

/** Notes how what {@linkcode QUOTED} matches was read. */
export function noteQuoted(text: PatternText, [, quoted]: RegExpExecArray): void {
  if (quoted === undefined) text.noteSpelling("\\E", "nothing, without a `\\Q`");
  else text.noteSpelling("\\Q…\\E", "escaped characters");
}

export function isUpperCase(codePoint: number): boolean {
  const char = String.fromCodePoint(codePoint);
  return char.toLowerCase() !== char;
}

function hexEscape(codePoint: number): string {
  return `\\x${codePoint.toString(16).toUpperCase().padStart(2, "0")}`;
}
