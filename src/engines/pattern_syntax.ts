/**
 * Prints an over-approximation in the syntax of a program.
 *
 * @module
 */

import { runsOf } from "../regex/char_set.ts";
import { quantifier } from "../regex/printer.ts";
import { ANY_CHAR, type OverApproximation } from "./over_approximation.ts";

/** How a program writes characters; everything else is the same in every syntax. */
export interface PatternSyntax {
  /** One ASCII character. */
  char(code: number): string;
  /** A class of ASCII characters, given by the first and last code of each run. */
  chars(runs: readonly (readonly [number, number])[]): string;
}

/** POSIX extended regular expressions in the C locale. */
export const POSIX_SYNTAX: PatternSyntax = { char: posixChar, chars: posixChars };

/** Regular expressions of Rust's `regex` crate. */
export const RUST_SYNTAX: PatternSyntax = {
  char: rustChar,
  chars: (runs) =>
    `[${
      runs.map(([first, last]) =>
        first === last ? rustChar(first) : `${rustChar(first)}-${rustChar(last)}`
      ).join("")
    }]`,
};

/** Prints a pattern. A `\r` may precede the end of a line. */
export function writePattern(pattern: OverApproximation, syntax: PatternSyntax): string {
  const write = (node: OverApproximation): string => {
    switch (node.type) {
      case "set": {
        if (node.ascii === ANY_CHAR) return ".";
        const runs = runsOf(node.ascii);
        const isSingle = runs.length === 1 && runs[0]![0] === runs[0]![1];
        return isSingle ? syntax.char(runs[0]![0]) : syntax.chars(runs);
      }
      case "anchor":
        return node.kind === "lineStart" ? "^" : `${syntax.char(0x0d)}?$`;
      case "sequence":
        return node.items.map((item) => item.type === "alternation" ? group(item) : write(item))
          .join("");
      case "alternation":
        return node.branches.map(write).join("|");
      case "repeat": {
        const item = node.item.type === "set" ? write(node.item) : group(node.item);
        return item + quantifier(node.min, node.max);
      }
    }
  };
  const group = (node: OverApproximation) => `(${write(node)})`;
  return write(pattern);
}

/** Escapes special characters only: a backslash before any other has another meaning, or none. */
function posixChar(code: number): string {
  const char = String.fromCharCode(code);
  return "\\^$.[|()*+?{".includes(char) ? `\\${char}` : char;
}

/** A bracket expression has no escapes, so special characters go where they are literal. */
function posixChars(runs: readonly (readonly [number, number])[]): string {
  let ranges = "";
  const own = new Set<string>();
  for (const [first, last] of runs) {
    let start = first;
    for (let code = first; code <= last + 1; code++) {
      const char = String.fromCharCode(code);
      const isOwn = code <= last && "[]^-".includes(char);
      if (isOwn) own.add(char);
      if (!isOwn && code <= last) continue;
      if (start < code) ranges += posixRange(start, code - 1);
      start = code + 1;
    }
  }
  const take = (char: string) => own.delete(char) ? char : "";
  const start = take("]") + ranges + take("[");
  // `^` negates if it comes first; `-` is literal if it comes first or last.
  return start === "" ? `[${take("-")}${take("^")}]` : `[${start}${take("^")}${take("-")}]`;
}

function posixRange(first: number, last: number): string {
  const [from, to] = [String.fromCharCode(first), String.fromCharCode(last)];
  return first === last ? from : first + 1 === last ? from + to : `${from}-${to}`;
}

function rustChar(code: number): string {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(char) ? char : `\\x${code.toString(16).padStart(2, "0")}`;
}
