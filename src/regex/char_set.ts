/**
 * Building sets of characters: the inside of a `v`-mode class together with what it holds of ASCII.
 *
 * @module
 */

import type { CharSet } from "./ast.ts";

const ALL = (1n << 128n) - 1n;
const LOWER = rangeBits(0x61, 0x7a);
const UPPER = rangeBits(0x41, 0x5a);
const DIGIT = rangeBits(0x30, 0x39);

/** The bits of the ASCII characters of a word in JavaScript's sense. */
const WORD = LOWER | UPPER | DIGIT | 1n << 0x5fn;

/** `k` and `s`, which equal a character beyond ASCII (the kelvin sign, the long s) in either case. */
const FOLDS_BEYOND = bitsOf("kKsS");

/** The ASCII members of a POSIX class, as the inside of a class. */
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

/** `\h` as the inside of a class. */
export const HORIZONTAL_SPACE = "\\t\\p{Zs}";

/** One character, written so that it means itself anywhere in a pattern or class. */
export function escapeChar(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /[A-Za-z0-9_]/.test(char) ? char : `\\u{${codePoint.toString(16)}}`;
}

/** Collects what stands in a class. */
export class CharSetBuilder {
  #items = "";
  #ascii = 0n;
  #beyond = false;

  /** Adds the code points `low` to `high`. */
  addRange(low: number, high: number): void {
    this.#items += low === high ? escapeChar(low) : `${escapeChar(low)}-${escapeChar(high)}`;
    if (low < 128) this.#ascii |= rangeBits(low, Math.min(high, 127));
    if (high >= 128) this.#beyond = true;
  }

  /** Adds what a class escape such as `\d` or a nested class holds. */
  addItem(item: string): void {
    this.#items += item;
    this.#ascii |= asciiOf(item);
    this.#beyond ||= item !== "\\d" && item !== "\\w";
  }

  /** Adds a POSIX class such as `alpha`, or its complement. False: there is no such class. */
  addPosix(name: string, negated: boolean): boolean {
    if (!Object.hasOwn(POSIX, name)) return false;
    const item = `[${negated ? "^" : ""}${POSIX[name]}]`;
    this.#items += item;
    this.#ascii |= asciiOf(item);
    this.#beyond ||= negated;
    return true;
  }

  /** The class of everything added, or of everything else. */
  build(negated: boolean, fold: boolean): CharSet {
    let ascii = this.#ascii;
    let beyond = this.#beyond;
    if (fold) {
      // Conservative both ways: a set that reaches beyond ASCII may fold back onto k and s.
      if ((ascii & FOLDS_BEYOND) !== 0n) beyond = true;
      ascii |= (ascii & UPPER) << 32n | (ascii & LOWER) >> 32n;
      if (this.#beyond && !negated) ascii |= FOLDS_BEYOND;
    }
    return {
      type: "set",
      items: this.#items,
      negated,
      fold,
      ascii: negated ? ALL & ~ascii : ascii,
      beyond: negated || beyond,
    };
  }
}

/** A set given as the inside of a class. */
export function charSet(items: string, negated: boolean, fold: boolean): CharSet {
  const builder = new CharSetBuilder();
  if (items !== "") builder.addItem(items);
  return builder.build(negated, fold);
}

/** The bits of the characters of an ASCII string. */
function bitsOf(chars: string): bigint {
  let bits = 0n;
  for (const char of chars) bits |= 1n << BigInt(char.charCodeAt(0));
  return bits;
}

/** Bits `low` to `high`. */
function rangeBits(low: number, high: number): bigint {
  return (1n << BigInt(high - low + 1)) - 1n << BigInt(low);
}

/** Every ASCII character. */
const ASCII = String.fromCharCode(...Array(128).keys());

/** Answers of {@linkcode asciiOf}; the usual escapes need no question to V8. */
const known = new Map<string, bigint>([
  ["\\d", DIGIT],
  ["\\D", ALL & ~DIGIT],
  ["\\w", WORD],
  ["\\W", ALL & ~WORD],
  ["\\s", bitsOf("\t\n\v\f\r ")],
  ["\\S", ALL & ~bitsOf("\t\n\v\f\r ")],
]);

/** What a class holds of ASCII. */
function asciiOf(items: string): bigint {
  let bits = known.get(items);
  if (bits === undefined) {
    bits = bitsOf(ASCII.replaceAll(new RegExp(`[^${items}]`, "gv"), ""));
    known.set(items, bits);
  }
  return bits;
}

/**
 * A Unicode property as JavaScript writes it: `L`, `lu`, `Greek` and `script=greek` are all understood.
 *
 * @param name the name between the braces
 * @returns what may stand between the braces of `\p{…}`, or nothing if there is no such property
 */
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
      // The `u` flag knows properties of single characters only, as is meant here.
      return new RegExp(`\\p{${candidate}}`, "u");
    } catch {
      return false;
    }
  });
}
