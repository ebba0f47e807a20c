/**
 * Parses character classes of a pattern in the spellings of several languages.
 *
 * @module
 */

import { ALL_ASCII, type CharSet } from "./ast.ts";
import {
  type CharReader,
  NEWLINE,
  noteQuoted,
  type PatternText,
  QUOTED,
  RETURN,
} from "./pattern_text.ts";
import { CharSetBuilder, isPosixClass, type SetOperation } from "./char_set.ts";

const OPERATIONS: readonly SetOperation[] = ["&&", "--"];
/** What is a class within a class, nested ones aside. */
const CLASS_START = /\[:\^?[a-z]+:\]|\\[dDwWsShHpP]/y;
/** Letters and digits before `&&`, and behind it. */
const WORD = /^[\p{L}\p{N}_]+$/u;
const WORD_AND_END = /&&[\p{L}\p{N}_]+(?:\]|&&)/uy;
/** The deepest nesting of classes, and the most turns from one operation to another. */
const MAX_DEPTH = 250;

interface Operand {
  readonly builder: CharSetBuilder;
  readonly start: number;
  /** Whether a member is a range or a class. */
  hasClass: boolean;
  /** The last member: a character, or something larger; nothing at the start. */
  last: number | "class" | undefined;
}

/** What a class holds: all others if it is negated, and whether these are line breaks alone. */
interface ClassParts {
  builder: CharSetBuilder;
  negated: boolean;
  breaksOnly: boolean;
}

export class ClassParser {
  readonly #text: PatternText;
  readonly #chars: CharReader;
  #nesting: ReadonlySet<number> | undefined;
  /** Whether `[` opens a class in the class that is parsed. */
  #nests = false;
  #hasOperation = false;
  #unicode = false;
  #depth = 0;

  constructor(text: PatternText, chars: CharReader) {
    this.#text = text;
    this.#chars = chars;
  }

  /** Parses the class at the position, which begins with `[`. */
  parse({ fold, unicode }: { fold: boolean; unicode: boolean }): CharSet {
    const at = this.#text.position;
    this.#unicode = unicode;
    this.#nesting ??= nestingClasses(this.#text.source);
    this.#nests = this.#nesting.has(at);
    this.#hasOperation = false;
    const { builder, negated, breaksOnly } = this.#class();
    const set = builder.build(negated, fold);
    if (!negated && (breaksOnly || set.ascii === ALL_ASCII)) this.#text.noteLineBreak();
    const shown = this.#text.source.slice(at, this.#text.position);
    if (this.#hasOperation && set.ascii === 0n && !set.beyond) {
      this.#text.notes.push({ reason: "empty_class", values: { text: shown } });
    } else if (this.#nests && !this.#hasOperation) {
      this.#text.notes.push({ reason: "nested_class", values: { text: shown } });
    }
    return set;
  }

  #class(): ClassParts {
    const at = this.#text.position;
    const opening = this.#text.source[at + 1] === "^" ? "[^" : "[";
    const negated = opening === "[^";
    this.#text.position += opening.length;
    const operand = this.#operand();
    if (this.#text.take("]")) {
      if (!this.#bracketIsMember(negated)) {
        if (!negated) this.#text.notes.push({ reason: "empty_brackets", values: {} });
        return { builder: operand.builder, negated, breaksOnly: false };
      }
      operand.builder.addRange(0x5d, 0x5d);
      operand.last = 0x5d;
      this.#text.noteSpelling(`${opening}]…]`, `${opening}\\]…]`);
    }
    const word = this.#text.match(/:\^?[a-z]+:\]/y);
    if (word !== null && !negated) {
      this.#text.notes.push({ reason: "class_of_letters", values: { text: word[0] } });
    }
    return { negated, ...this.#members(operand, at) };
  }

  /** Parses the members through the `]` of a class that begins at an offset. */
  #members(operand: Operand, at: number): Omit<ClassParts, "negated"> {
    let breaksOnly = operand.last === undefined;
    let operands: CharSetBuilder[] = [];
    let operation: SetOperation | undefined;
    while (!this.#text.take("]")) {
      if (this.#text.isAtEnd) this.#text.failAsLiteral("unclosed `[`", at, "\\[");
      const next = this.#operation(operand, operation);
      if (next === undefined) {
        breaksOnly = this.#member(operand, operation) && breaksOnly;
        continue;
      }
      operands.push(operand.builder);
      if (operation !== undefined && operation !== next) {
        if (++this.#depth > MAX_DEPTH) this.#failAsTooDeep(at);
        operands = [CharSetBuilder.operated(operation, operands)];
      }
      operation = next;
      operand = this.#operand();
      breaksOnly = false;
    }
    if (operation === undefined) return { builder: operand.builder, breaksOnly };
    this.#hasOperation = true;
    const builder = CharSetBuilder.operated(operation, [...operands, operand.builder]);
    return { builder, breaksOnly };
  }

  #operand(): Operand {
    const start = this.#text.position;
    return { builder: new CharSetBuilder(), start, hasClass: false, last: undefined };
  }

  /**
   * Parses a member: a character, a range, or a class; whether it is a line break.
   *
   * @param before the operation before the operand, if there is one
   */
  #member(operand: Operand, before: SetOperation | undefined): boolean {
    const { builder } = operand;
    const low = this.#classMember(builder);
    if (low === undefined) {
      operand.last = "class";
      operand.hasClass = true;
      return false;
    }
    operand.last = low;
    this.#chars.noteLiteral(low);
    const isRange = this.#text.match(/-(?!\]|\[:\^?[a-z]+:\]|\\[dDwWsShHpPEQ]|$)/y) !== null &&
      !this.#isSubtraction() && !this.#isOperation("--", operand) &&
      !(before === "--" && this.#isRepeated("--"));
    if (!isRange) {
      builder.addRange(low, low);
      return low === NEWLINE || low === RETURN;
    }
    const from = this.#text.position;
    this.#text.position++;
    const high = this.#classMember(builder)!;
    if (high < low) {
      const range = String.fromCodePoint(low) + this.#text.source.slice(from, this.#text.position);
      this.#text.failAsLiteral(`the range \`${range}\` is out of order`, from, "\\-");
    }
    this.#chars.noteLiteral(high);
    builder.addRange(low, high);
    operand.last = "class";
    operand.hasClass = true;
    return false;
  }

  /** Consumes an operation on sets behind an operand, which another may precede. */
  #operation(operand: Operand, before: SetOperation | undefined): SetOperation | undefined {
    if (operand.last === undefined) return undefined;
    const at = this.#text.position;
    if (this.#isSubtraction()) {
      this.#text.fail(
        "`-[` in a class is not supported; write `--[…]` to exclude those characters, or `\\-`",
        at,
      );
    }
    if (this.#text.match(/~~/y) && this.#isClassAt(at + 2)) {
      this.#text.fail("`~~` in a class is not supported; write `[…--…]|[…--…]`", at);
    }
    const operation = OPERATIONS.find((operation) =>
      this.#isOperation(operation, operand) || operation === before && this.#isRepeated(operation)
    );
    if (operation !== undefined) this.#text.position += operation.length;
    return operation;
  }

  /**
   * Whether an operation comes next, and not two characters: only beside a class or a range or, for `&&`,
   * between letters and digits and, for `--`, where it cannot be the end of a range.
   */
  #isOperation(operation: SetOperation, { start, hasClass, last }: Operand): boolean {
    const { source, position: at } = this.#text;
    if (!source.startsWith(operation, at) || [undefined, "]"].includes(source[at + 2])) {
      return false;
    }
    if (this.#isClassAt(at + 2)) return true;
    const isBeside = operation === "--" ? last === "class" : hasClass;
    if (source[at + 2] === "[" && isBeside) {
      this.#text.notes.push({ reason: "two_characters", values: { text: operation } });
      return false;
    }
    if (isBeside) return true;
    if (operation === "--") return typeof last === "number" && last > 0x2d;
    return WORD.test(source.slice(start, at)) && this.#text.match(WORD_AND_END) !== null;
  }

  /** Whether an operation that joins what stands before comes again, with something behind it. */
  #isRepeated(operation: SetOperation): boolean {
    const { source, position: at } = this.#text;
    return source.startsWith(operation, at) && at + 2 < source.length &&
      !"[]".includes(source[at + 2]!);
  }

  #isClassAt(offset: number): boolean {
    const { source } = this.#text;
    if (this.#nests && source[offset] === "[") return true;
    CLASS_START.lastIndex = offset;
    return CLASS_START.test(source);
  }

  /** Whether .NET's and XML Schema's subtraction comes next, as in `[a-z-[aeiou]]`. */
  #isSubtraction(): boolean {
    return this.#nests && this.#text.match(/-\[(?!:\^?[a-z]+:\])/y) !== null;
  }

  /** Throws for what POSIX and BSD have in classes alone. */
  #rejectForeignMember(at: number): void {
    const found = this.#text.match(
      /\[(?:([.=])([^\]]|[a-z-]{2,})\1\]|:(\^?[a-z]+)\]|:[<>]:\])/y,
    );
    if (found === null) return;
    const [whole, sign, member, name] = found;
    if (sign !== undefined) {
      this.#text.fail(
        `\`${whole}\` is not supported; write the character itself, ` +
          (member!.length === 1 ? `\`${member}\`` : "such as `-` for `[.hyphen.]`"),
        at,
      );
    }
    if (name === undefined) {
      this.#text.fail(`\`${whole}\` needs brackets of its own: write \`[${whole}]\``, at);
    }
    if (isPosixClass(name.replace("^", ""))) {
      this.#text.fail(`\`${whole}\` lacks a colon; write \`[:${name}:]\``, at);
    }
  }

  #failAsTooDeep(at: number): never {
    this.#text.fail(`classes are nested more than ${MAX_DEPTH} deep`, at);
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
    const posix = this.#text.match(/\[:(\^?)([a-zA-Z]+):\]/y);
    if (posix !== null) {
      const [whole, negation, name] = posix;
      if (!isPosixClass(name!)) {
        this.#text.fail(
          `unknown class \`${whole}\`; the names are those of POSIX in lower case, such as \`[:alpha:]\``,
          at,
        );
      }
      builder.addPosix(name!, negation === "^");
      this.#text.noteSpelling(`[${whole}]`, "a class of ASCII characters");
      this.#text.position += whole.length;
      return undefined;
    }
    this.#rejectForeignMember(at);
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
    if (this.#nests && this.#text.match(/\[(?!\^?\])/y) !== null) {
      if (++this.#depth > MAX_DEPTH) this.#failAsTooDeep(at);
      const inner = this.#class();
      this.#depth--;
      builder.addClass(inner.builder, inner.negated);
      return undefined;
    }
    if (this.#text.source[at] !== "\\") return this.#text.takeCodePoint();
    const item = this.#chars.setEscape(this.#unicode);
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

/** What opens, closes or joins classes, and what neither does although it holds a bracket. */
const TOKENS = new RegExp(
  [
    /\\Q[^]*?(?:\\E|$)/,
    /\\[pPxukg]\{[^{}]*\}/,
    /\\[^]/,
    /\[:\^?[A-Za-z]+:\]/,
    // `[]` and `[^]` are hardly meant as classes within a class.
    /\[(?!\^?\])/,
    /\](?:(?<joined>&&|--)|(?<repeated>[*+?{]))?/,
    /(?<joining>&&|--)(?=\[)/,
    /[(){}]/,
  ].map(({ source }) => source).join("|"),
  "g",
);

interface OpenClass {
  at: number;
  hasClass: boolean;
  hasOperation: boolean;
  /** Whether it holds what `v` does not take there, or a repeat behind a class. */
  isDoubtful: boolean;
}

/**
 * The offsets of classes in which `[` opens a class, as under JavaScript's flag `v`. Without that flag, and in
 * most other engines, `[` is a character there, and patterns such as `[[(]` and `\[[^[\]]*]` rely on it. In a
 * class that nests, each `[` that is not escaped has its `]`, and it holds an operation, or at least nothing
 * that is more likely to follow a class than to stand in one.
 */
function nestingClasses(pattern: string): ReadonlySet<number> {
  const nesting = new Set<number>();
  const open: OpenClass[] = [];
  for (const { 0: token, index, groups = {} } of pattern.matchAll(TOKENS)) {
    const inner = open.at(-1);
    if (token === "[") {
      open.push({ at: index, hasClass: false, hasOperation: false, isDoubtful: false });
    } else if (inner === undefined) {
      continue;
    } else if (token.startsWith("]")) {
      open.pop();
      const isSure = inner.hasOperation || !inner.isDoubtful;
      if (inner.hasClass && isSure) nesting.add(inner.at);
      const outer = open.at(-1);
      if (outer === undefined) continue;
      outer.hasClass = true;
      outer.hasOperation ||= groups["joined"] !== undefined;
      outer.isDoubtful ||= inner.isDoubtful || groups["repeated"] !== undefined;
    } else if (groups["joining"] !== undefined) {
      inner.hasOperation = true;
    } else if ("(){}".includes(token)) {
      inner.isDoubtful = true;
    }
  }
  return nesting;
}
