/**
 * A pattern that a program of another make can look for: wider than the one asked for, and so plain
 * that every program reads it alike.
 *
 * It is about text of ASCII characters without NUL only, and finds at least every line that the
 * pattern matches there; what the program finds is read and matched again.
 *
 * @module
 */

import { toSource } from "../../regex/printer.ts";
import type { Node } from "../../regex/ast.ts";

/** A widened pattern. No node of it is empty, and none can match nothing but the empty string. */
export type LoosePattern =
  /** One of a set of characters: bit n is code point n. */
  | { readonly type: "chars"; readonly bits: bigint }
  | { readonly type: "anchor"; readonly kind: "lineStart" | "lineEnd" }
  | { readonly type: "sequence"; readonly items: readonly LoosePattern[] }
  | { readonly type: "alternation"; readonly branches: readonly LoosePattern[] }
  | {
    readonly type: "repeat";
    readonly item: LoosePattern;
    readonly min: number;
    readonly max: number;
  };

/** Every ASCII character but NUL and `\n`, which no line holds. */
export const ANY_CHAR: bigint = (1n << 128n) - 1n & ~(1n << 0n) & ~(1n << 10n);

/** The largest bound that POSIX promises. */
const MAX_BOUND = 255;
/** Repeats that come to more single items when written out lose their bounds. */
const MAX_REPEAT_SIZE = 1000;
/** What comes to more single items than this is not worth another program's while. */
const MAX_SIZE = 10_000;

const EMPTY: LoosePattern = { type: "sequence", items: [] };
const NEVER: LoosePattern = { type: "chars", bits: 0n };

/**
 * Widens a pattern that is matched line by line.
 *
 * @param tree a pattern that matches in the lines that are wanted
 * @returns the wider pattern, or why it is of no use: it is found in every text (`everything`), in no
 * text of ASCII characters (`nothing`), or is too large (`size`)
 */
export function loosen(tree: Node): LoosePattern | "everything" | "nothing" | "size" {
  const loose = widen(tree, false);
  if (isNever(loose)) return "nothing";
  if (isNullable(loose)) return "everything";
  return sizeOf(loose) > MAX_SIZE ? "size" : loose;
}

function widen(node: Node, repeated: boolean): LoosePattern {
  switch (node.type) {
    case "char":
    case "set":
      return { type: "chars", bits: asciiOf(node) };
    case "anchor":
      // Programs differ on a repeated anchor, and on what a word is.
      return !repeated && (node.kind === "lineStart" || node.kind === "lineEnd")
        ? { type: "anchor", kind: node.kind }
        : EMPTY;
    case "sequence":
      return sequenceOf(node.items.map((item) => widen(item, repeated)));
    case "alternation":
      return alternationOf(node.branches.map((branch) => widen(branch, repeated)));
    case "repeat":
      return repeatOf(widen(node.item, true), node.min, node.max);
    case "capture":
      return widen(node.item, repeated);
    case "look":
      return EMPTY;
    case "backreference":
      return repeatOf({ type: "chars", bits: ANY_CHAR }, 0, Infinity);
  }
}

function sequenceOf(items: readonly LoosePattern[]): LoosePattern {
  if (items.some(isNever)) return NEVER;
  const flat = items.flatMap((item) => item.type === "sequence" ? item.items : [item]);
  return flat.length === 1 ? flat[0]! : { type: "sequence", items: flat };
}

/** An empty branch makes the others optional: not every program takes one as it stands. */
function alternationOf(all: readonly LoosePattern[]): LoosePattern {
  const possible = all.filter((branch) => !isNever(branch));
  const branches = possible.filter((branch) => !isEmpty(branch));
  if (branches.length === 0) return possible.length === 0 ? NEVER : EMPTY;
  const choice: LoosePattern = branches.length === 1
    ? branches[0]!
    : { type: "alternation", branches };
  return branches.length === possible.length ? choice : repeatOf(withoutAnchors(choice), 0, 1);
}

function repeatOf(item: LoosePattern, min: number, max: number): LoosePattern {
  if (max === 0 || isEmpty(item)) return EMPTY;
  if (isNever(item)) return min === 0 ? EMPTY : NEVER;
  if (min === 1 && max === 1) return item;
  const most = max === Infinity ? min : max;
  const isBounded = most <= MAX_BOUND && most * sizeOf(item) <= MAX_REPEAT_SIZE;
  return isBounded
    ? { type: "repeat", item, min, max }
    : { type: "repeat", item, min: Math.min(min, 1), max: Infinity };
}

/** The pattern for use in a repeat. */
function withoutAnchors(pattern: LoosePattern): LoosePattern {
  switch (pattern.type) {
    case "anchor":
      return EMPTY;
    case "sequence":
      return sequenceOf(pattern.items.map(withoutAnchors));
    case "alternation":
      return alternationOf(pattern.branches.map(withoutAnchors));
    default:
      return pattern;
  }
}

function isEmpty(pattern: LoosePattern): boolean {
  return pattern.type === "sequence" && pattern.items.length === 0;
}

function isNever(pattern: LoosePattern): boolean {
  return pattern.type === "chars" && pattern.bits === 0n;
}

/** Whether a pattern matches the empty string. */
export function isNullable(pattern: LoosePattern): boolean {
  switch (pattern.type) {
    case "chars":
      return false;
    case "anchor":
      return true;
    case "sequence":
      return pattern.items.every(isNullable);
    case "alternation":
      return pattern.branches.some(isNullable);
    case "repeat":
      return pattern.min === 0 || isNullable(pattern.item);
  }
}

/** How many single items a pattern has when its repeats are written out. */
function sizeOf(pattern: LoosePattern): number {
  switch (pattern.type) {
    case "chars":
    case "anchor":
      return 1;
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + sizeOf(item), 1);
    case "alternation":
      return pattern.branches.reduce((sum, branch) => sum + sizeOf(branch), 1);
    case "repeat": {
      const { item, min, max } = pattern;
      return sizeOf(item) * Math.max(1, max === Infinity ? min : max);
    }
  }
}

/** Answers of {@linkcode asciiOf}, by source and flags. */
const known = new Map<string, bigint>();

/** What a character or set matches of ASCII, asked of the very expression that decides in the end. */
function asciiOf(node: Node): bigint {
  const { source, flags } = toSource(node, false);
  const key = `${flags}/${source}`;
  let bits = known.get(key);
  if (bits === undefined) {
    const expression = new RegExp(source, flags);
    bits = 0n;
    for (let code = 1; code < 128; code++) {
      if (expression.test(String.fromCharCode(code))) bits |= 1n << BigInt(code);
    }
    bits &= ANY_CHAR;
    known.set(key, bits);
  }
  return bits;
}
