/**
 * The text of a pattern as it is parsed: the position, notes for the caller, and errors.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";

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
