/**
 * The text of a pattern while it is read: how far the reader is, and what it has to say about it.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";

/** What a caller is told whose pattern has line breaks in it. */
export const LINE_BREAK_NOTE =
  "a match never spans lines; use multiline (-U) for a pattern that has line breaks in it";
const FIXED_STRINGS_HINT = "to find the text as it stands, use fixed strings (fixed_strings, -F)";

/** A pattern, a position in it, and remarks. */
export class PatternText {
  /** The pattern as given. */
  readonly source: string;
  /** How far it is read, in UTF-16 code units. */
  position = 0;
  /** Sentences on what the caller may not expect. */
  readonly notes: Set<string> = new Set();
  /** Foreign spellings met and how JavaScript spells them. */
  readonly #spellings = new Set<string>();

  /** @param source the pattern as given */
  constructor(source: string) {
    this.source = source;
  }

  /** Whether all of it is read. */
  get isAtEnd(): boolean {
    return this.position >= this.source.length;
  }

  /** The notes and, in one sentence more, the spellings. */
  get remarks(): string[] {
    if (this.#spellings.size === 0) return [...this.notes];
    return [...this.notes, `read as JavaScript: ${[...this.#spellings].join(", ")}`];
  }

  /** Takes the given text if it comes next. */
  take(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Takes the next code point. */
  takeCodePoint(): number {
    const codePoint = this.source.codePointAt(this.position)!;
    this.position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Looks for a sticky expression at the position, without taking it. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    return expression.exec(this.source);
  }

  /** Takes what a sticky expression matches at the position. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = this.match(expression);
    if (found !== null) this.position += found[0].length;
    return found;
  }

  /** Remembers that a foreign spelling was read as one of JavaScript's. */
  spell(theirs: string, ours: string): void {
    this.#spellings.add(`\`${theirs}\` as ${ours.includes(" ") ? ours : `\`${ours}\``}`);
  }

  /**
   * Gives up.
   *
   * @param reason what is wrong
   * @param at where it is
   * @param hint what to do instead
   */
  fail(reason: string, at: number, hint?: string): never {
    const character = Array.from(this.source.slice(0, at)).length + 1;
    throw new PathgrepError("invalid_pattern", `${reason} (at character ${character})`, {
      pattern: this.source,
      hint,
    });
  }

  /** Fails where the pattern may have been meant as text. */
  failAsLiteral(reason: string, at: number, escaped: string): never {
    this.fail(reason, at, `${FIXED_STRINGS_HINT}, or write \`${escaped}\` for the character`);
  }
}
