/**
 * Parses character classes of a pattern in the spellings of several languages.
 *
 * @module
 */

import type { CharSet } from "./ast.ts";
import { type CharReader, NEWLINE, noteQuoted, QUOTED, RETURN } from "./char_reader.ts";
import { CharSetBuilder } from "./char_set.ts";
import { LINE_BREAK_NOTE, type PatternText } from "./pattern_text.ts";

/** What other engines, and JavaScript with the flag `v`, read as an operation on sets. */
const OPERATION = /(&&|--)(?:\[|\\[dDwWsShHpP])/y;
/** The same behind a class in the class, whose `]` ends the outer one here. */
const OPERATION_ON_CLASS = /\[\w[^\]]*\](?:&&|--)(?:\[[^\]]*\]|\\\w(?:\{\w+\})?)\]/y;

/** Parses classes at the position of a pattern's text. */
export class ClassParser {
  readonly #text: PatternText;
  readonly #chars: CharReader;
  readonly #multiline: boolean;

  /**
   * @param text the pattern
   * @param chars parses its characters
   * @param multiline whether a match may span lines
   */
  constructor(text: PatternText, chars: CharReader, multiline: boolean) {
    this.#text = text;
    this.#chars = chars;
    this.#multiline = multiline;
  }

  /** Parses the class at the position, which begins with `[`. */
  parse(fold: boolean): CharSet {
    const at = this.#text.position;
    const opening = this.#text.source[at + 1] === "^" ? "[^" : "[";
    const negated = opening === "[^";
    this.#text.position += opening.length;
    const builder = new CharSetBuilder();
    let breaksOnly = true;
    if (this.#text.source[this.#text.position] === "]") {
      this.#text.position++;
      if (!this.#bracketIsMember(negated)) {
        if (!negated) {
          this.#text.notes.add("`[]` matches nothing; write `\\[\\]` for the characters");
        }
        return builder.build(negated, fold);
      }
      breaksOnly = false;
      builder.addRange(0x5d, 0x5d);
      this.#text.noteSpelling(`${opening}]…]`, `${opening}\\]…]`);
    }
    const word = this.#text.match(/:\^?[a-z]+:\]/y);
    if (word !== null && !negated) {
      this.#text.notes.add(
        `\`[${word[0]}\` is a class of its letters; write \`[[${word[0]}]\` for the POSIX class`,
      );
    }
    while (!this.#text.take("]")) {
      if (this.#text.position >= this.#text.source.length) {
        this.#text.failAsLiteral("unclosed `[`", at, "\\[");
      }
      if (this.#text.position > at + opening.length) this.#noteOperation();
      const low = this.#classMember(builder);
      if (low === undefined) {
        breaksOnly = false;
        continue;
      }
      if (low !== NEWLINE && low !== RETURN) breaksOnly = false;
      let high = low;
      if (this.#text.match(/-(?!\]|\[:\^?[a-z]+:\]|\\[dDwWsShHpPEQ]|$)/y)) {
        const from = this.#text.position;
        this.#text.position++;
        high = this.#classMember(builder)!;
        if (high < low) {
          this.#text.failAsLiteral(
            `the range \`${String.fromCodePoint(low)}${
              this.#text.source.slice(from, this.#text.position)
            }\` ` +
              "is out of order",
            from,
            "\\-",
          );
        }
        breaksOnly = false;
      }
      this.#chars.noteLiteral(low);
      this.#chars.noteLiteral(high);
      builder.addRange(low, high);
    }
    OPERATION_ON_CLASS.lastIndex = at + opening.length;
    if (OPERATION_ON_CLASS.test(this.#text.source)) this.#noteOperation();
    const set = builder.build(negated, fold);
    if (!this.#multiline && !negated && (breaksOnly || set.ascii === (1n << 128n) - 1n)) {
      this.#text.notes.add(LINE_BREAK_NOTE);
    }
    return set;
  }

  /** Notes that `&&` and `--` are characters. */
  #noteOperation(): void {
    const operator = this.#text.match(OPERATION)?.[1];
    if (operator === undefined) return;
    const [operation, instead] = operator === "&&"
      ? ["an intersection", "(?=[…])[…]"]
      : ["a difference", "(?![…])[…]"];
    this.#text.notes.add(
      `\`${operator}\` beside a class stands for characters, not for ${operation}; write \`${instead}\``,
    );
  }

  /**
   * Whether the `]` right after `[` or `[^` is a member, as in POSIX, PCRE and Rust. In JavaScript
   * it closes the class; so it does here where no other `]` would, and in `[^]` before a quantifier.
   */
  #bracketIsMember(negated: boolean): boolean {
    if (negated && this.#text.match(/[*+?{)|]|$/y)) return false;
    return this.#text.match(/(?:[^\]\\]|\\[^])*\]/y) !== null;
  }

  /** Parses a member of a class: returns a character, adds a set of characters to the builder. */
  #classMember(builder: CharSetBuilder): number | undefined {
    const at = this.#text.position;
    const posix = this.#text.match(/\[:(\^?)([a-z]+):\]/y);
    if (posix !== null) {
      const [whole, negation, name] = posix;
      if (!builder.addPosix(name!, negation === "^")) {
        this.#text.fail(`unknown class \`${whole}\``, at);
      }
      this.#text.noteSpelling(`[${whole}]`, "a class of ASCII characters");
      this.#text.position += whole.length;
      return undefined;
    }
    const quoted = this.#text.takeMatch(QUOTED);
    if (quoted !== null) {
      noteQuoted(this.#text, quoted);
      for (const char of quoted[1] ?? "") {
        const codePoint = char.codePointAt(0)!;
        this.#chars.noteLiteral(codePoint);
        builder.addRange(codePoint, codePoint);
      }
      return undefined;
    }
    if (this.#text.source[at] !== "\\") return this.#text.takeCodePoint();
    const item = this.#chars.setEscape();
    if (item !== undefined) {
      builder.addItem(item);
      return undefined;
    }
    if (this.#text.take("\\b")) return 0x08;
    const anchor = this.#text.match(/\\[ABzZR]/y);
    if (anchor !== null) this.#text.fail(`\`${anchor[0]}\` has no meaning in a class`, at);
    return this.#chars.characterEscape();
  }
}
