/**
 * Writing a widened pattern in the syntax of a program.
 *
 * @module
 */

import { ANY_CHAR, type LoosePattern } from "../search/engines/loose_pattern.ts";

/** How a program spells characters; all else is the same everywhere. */
export interface PatternSyntax {
  /** One ASCII character. */
  char(code: number): string;
  /** A class of some ASCII characters, given as the runs of neighbours it has: first and last. */
  chars(runs: readonly (readonly [number, number])[]): string;
}

/** POSIX extended regular expressions in the C locale. */
export const POSIX_SYNTAX: PatternSyntax = { char: posixChar, chars: posixChars };

/** The expressions of Rust's `regex` crate. */
export const RUST_SYNTAX: PatternSyntax = {
  char: rustChar,
  chars: (runs) =>
    `[${
      runs.map(([first, last]) =>
        first === last ? rustChar(first) : `${rustChar(first)}-${rustChar(last)}`
      ).join("")
    }]`,
};

/** Writes a pattern. A `\r` may stand before the end of a line. */
export function writePattern(pattern: LoosePattern, syntax: PatternSyntax): string {
  const write = (node: LoosePattern): string => {
    switch (node.type) {
      case "chars": {
        if (node.bits === ANY_CHAR) return ".";
        const runs = runsOf(node.bits);
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
        const item = node.item.type === "chars" ? write(node.item) : group(node.item);
        return item + quantifier(node.min, node.max);
      }
    }
  };
  const group = (node: LoosePattern) => `(${write(node)})`;
  return write(pattern);
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** The runs of neighbouring bits. */
function runsOf(bits: bigint): [number, number][] {
  const runs: [number, number][] = [];
  for (let code = 0; code < 128; code++) {
    if ((bits >> BigInt(code) & 1n) === 0n) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else runs.push([code, code]);
  }
  return runs;
}

/** A backslash before anything but these means something else, or nothing that is defined. */
function posixChar(code: number): string {
  const char = String.fromCharCode(code);
  return "\\^$.[|()*+?{".includes(char) ? `\\${char}` : char;
}

/** A bracket expression knows no escapes: its own characters stand where they mean themselves. */
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
  // `^` negates where it comes first, `-` is itself where it comes first or last.
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
