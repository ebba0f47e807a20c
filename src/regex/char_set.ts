/**
 * Builds sets of characters: the inside of a `v`-mode class together with its ASCII members.
 *
 * @module
 */

import { ALL_ASCII, type CharSet } from "./ast.ts";
import { valueAt } from "../util/collections.ts";

const LOWER = rangeBits(0x61, 0x7a);
const UPPER = rangeBits(0x41, 0x5a);
const DIGIT = rangeBits(0x30, 0x39);

const WORD = LOWER | UPPER | DIGIT | 1n << 0x5fn;

/** `k` and `s`, which a character beyond ASCII folds to: the Kelvin sign and the long s. */
const FOLDS_BEYOND = bitsOf("kKsS");

/** POSIX classes, of ASCII characters, as the inside of a class. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  ascii: "\\x00-\\x7f",
  blank: "\\t\\x20",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: "\\x20-~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t-\\r\\x20",
  upper: "A-Z",
  word: "a-zA-Z0-9_",
  xdigit: "0-9a-fA-F",
};

export const HORIZONTAL_SPACE = "\\t\\p{Zs}";

/** The most items of a class that is printed without classes in it. */
const MAX_ITEMS = 32;

/** A character, escaped so that it is literal anywhere in a pattern or class. */
export function escapeChar(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /[A-Za-z0-9_]/.test(char) ? char : `\\u{${codePoint.toString(16)}}`;
}

export function rangeSource(low: number, high: number): string {
  return low === high ? escapeChar(low) : `${escapeChar(low)}-${escapeChar(high)}`;
}

/** An operation on sets: intersection, or difference. */
export type SetOperation = "&&" | "--";

export class CharSetBuilder {
  readonly #items: string[] = [];
  #ascii = 0n;
  #beyond = false;
  /** Whether `#ascii` lacks what classes in the class add, which depends on the letter case. */
  #hasClasses = false;

  addRange(low: number, high: number): void {
    this.#items.push(rangeSource(low, high));
    if (low < 128) this.#ascii |= rangeBits(low, Math.min(high, 127));
    if (high >= 128) this.#beyond = true;
  }

  /** Adds the members of a class escape such as `\d` or of a nested class. */
  addItem(item: string): void {
    this.#items.push(item);
    this.#ascii |= asciiOf(`[${item}]`);
    this.#beyond ||= item !== "\\d" && item !== "\\w";
  }

  addPosix(name: string, negated: boolean): void {
    const item = `[${negated ? "^" : ""}${POSIX[name]}]`;
    this.#items.push(item);
    this.#ascii |= asciiOf(item);
    this.#beyond ||= negated;
  }

  /** Adds the members of a class in the class, or all others. */
  addClass(inner: CharSetBuilder, negated: boolean): void {
    this.#items.push(`[${negated ? "^" : ""}${insideOf(inner.#items)}]`);
    this.#hasClasses = true;
    this.#beyond ||= negated || inner.#beyond;
  }

  static operated(operation: SetOperation, operands: readonly CharSetBuilder[]): CharSetBuilder {
    const builder = new CharSetBuilder();
    const classes = operands.map((operand) => `[${insideOf(operand.#items)}]`);
    builder.#items.push(`[${classes.join(operation)}]`);
    builder.#hasClasses = true;
    builder.#beyond = operation === "&&"
      ? operands.every((operand) => operand.#beyond)
      : operands[0]!.#beyond;
    return builder;
  }

  /** The class of everything added, or of everything else. */
  build(negated: boolean, fold: boolean): CharSet {
    const items = insideOf(this.#items);
    let ascii = this.#ascii;
    let beyond = this.#beyond;
    if (this.#hasClasses) {
      ascii = asciiOf(`[${items}]`, fold ? "vi" : "v");
      if (fold && (ascii & FOLDS_BEYOND) !== 0n) beyond = true;
    } else if (fold) {
      // Conservative both ways: a character beyond ASCII may fold to k or s.
      if ((ascii & FOLDS_BEYOND) !== 0n) beyond = true;
      ascii |= (ascii & UPPER) << 32n | (ascii & LOWER) >> 32n;
      if (this.#beyond && !negated) ascii |= FOLDS_BEYOND;
    }
    return {
      type: "set",
      items,
      negated,
      fold,
      ascii: negated ? ALL_ASCII & ~ascii : ascii,
      beyond: negated || beyond,
    };
  }
}

/**
 * The inside of a class of these items. The time that V8 takes to parse a class under the flag `i` grows
 * with the square of the number of its items, nested classes being one each: 10,000 took two seconds.
 */
function insideOf(items: readonly string[]): string {
  if (items.length <= MAX_ITEMS) return items.join("");
  const classes: string[] = [];
  for (let at = 0; at < items.length; at += MAX_ITEMS) {
    classes.push(`[${items.slice(at, at + MAX_ITEMS).join("")}]`);
  }
  return insideOf(classes);
}

export function isPosixClass(name: string): boolean {
  return Object.hasOwn(POSIX, name);
}

/** The set of a class, given by its inside. */
export function charSet(items: string, fold: boolean): CharSet {
  const builder = new CharSetBuilder();
  builder.addItem(items);
  return builder.build(false, fold);
}

function bitsOf(chars: Iterable<string>): bigint {
  let bits = 0n;
  for (const char of chars) bits |= 1n << BigInt(char.charCodeAt(0));
  return bits;
}

function rangeBits(low: number, high: number): bigint {
  return (1n << BigInt(high - low + 1)) - 1n << BigInt(low);
}

const ASCII = String.fromCharCode(...Array(128).keys());

/** Results of {@linkcode asciiOf}; those of the usual escapes are computed here. */
const known = new Map<string, bigint>([
  ["v/[\\d]", DIGIT],
  ["v/[\\D]", ALL_ASCII & ~DIGIT],
  ["v/[\\w]", WORD],
  ["v/[\\W]", ALL_ASCII & ~WORD],
  ["v/[\\s]", bitsOf("\t\n\v\f\r ")],
  ["v/[\\S]", ALL_ASCII & ~bitsOf("\t\n\v\f\r ")],
]);

/** The ASCII characters that an expression for one character matches: bit n is code point n. */
function asciiOf(source: string, flags = "v"): bigint {
  return valueAt(
    known,
    `${flags}/${source}`,
    () => bitsOf(ASCII.match(new RegExp(source, `${flags}g`)) ?? []),
  );
}

/** A name for `\p{…}`, for names such as `L`, `lu`, `Greek` or `script=greek`; nothing if there is none. */
export function unicodeProperty(name: string): string | undefined {
  const plain = name.trim().replaceAll(/[\s-]+/g, "_");
  if (plain === "L&") return "LC";
  if (!/^\w+(?:=\w+)?$/.test(plain)) return undefined;
  const titled = plain.replaceAll(
    /([A-Za-z])([A-Za-z]*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
  );
  const candidates = [plain, titled, plain.toUpperCase(), `Script=${plain}`, `Script=${titled}`];
  return candidates.find((candidate) => {
    try {
      // Unlike `v`, the flag `u` knows no properties of strings.
      return new RegExp(`\\p{${candidate}}`, "u");
    } catch {
      return false;
    }
  });
}
