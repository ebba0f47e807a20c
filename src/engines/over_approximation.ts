/**
 * Over-approximates a pattern for external programs: matches at least what the pattern matches, in a
 * syntax so plain that every program reads it alike.
 *
 * This holds for ASCII text without NUL only. What the program finds is read and matched again.
 *
 * @module
 */

import {
  type Anchor,
  type Char,
  type CharSet,
  expandedSize,
  isNullable,
  type PatternNode,
} from "../regex/ast.ts";
import { asciiOf, asciiSet } from "../regex/char_set.ts";
import { toSource } from "../regex/printer.ts";

/**
 * A widened pattern: a tree whose sets are ASCII and whose anchors are those of lines. No node of it
 * is empty, and none can match nothing but the empty string.
 */
export type OverApproximation =
  | CharSet
  | Anchor
  | { readonly type: "sequence"; readonly items: readonly OverApproximation[] }
  | { readonly type: "alternation"; readonly branches: readonly OverApproximation[] }
  | Omit<PatternNode & { type: "repeat" }, "item"> & { readonly item: OverApproximation };

/** Every ASCII character that a line can hold: all but NUL and `\n`. */
export const ANY_CHAR: bigint = (1n << 128n) - 1n & ~(1n << 0n) & ~(1n << 10n);

/** The largest bound of a repeat that POSIX guarantees. */
const MAX_BOUND = 255;
/** Repeats that expand to more nodes lose their bounds. */
const MAX_REPEAT_SIZE = 1000;
/** A pattern that expands to more nodes is too large for a program. */
const MAX_SIZE = 10_000;

const EMPTY: OverApproximation = { type: "sequence", items: [] };
const NEVER: OverApproximation = asciiSet(0n);

/** The sets of widened patterns, by what they hold. */
const sets = new Map<bigint, CharSet>([[0n, NEVER], [ANY_CHAR, asciiSet(ANY_CHAR)]]);

/**
 * Over-approximates a pattern that is matched line by line.
 *
 * @param tree a pattern that matches in the lines that are wanted
 * @returns the wider pattern, or why it is useless: it matches every text (`everything`), no ASCII
 * text (`nothing`), or is too large (`size`)
 */
export function overApproximate(
  tree: PatternNode,
): OverApproximation | "everything" | "nothing" | "size" {
  const loose = widen(tree, false);
  if (isNever(loose)) return "nothing";
  if (isNullable(loose)) return "everything";
  return expandedSize(loose) > MAX_SIZE ? "size" : loose;
}

function widen(node: PatternNode, repeated: boolean): OverApproximation {
  switch (node.type) {
    case "char":
    case "set":
      return widenedSet(node);
    case "anchor":
      // Programs disagree on repeated anchors and on what a word is.
      return !repeated && (node.kind === "lineStart" || node.kind === "lineEnd") ? node : EMPTY;
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
      return repeatOf(sets.get(ANY_CHAR)!, 0, Infinity);
  }
}

/** Concatenates patterns and flattens nested sequences. */
export function sequenceOf(items: readonly OverApproximation[]): OverApproximation {
  if (items.some(isNever)) return NEVER;
  const flat = items.flatMap((item) => item.type === "sequence" ? item.items : [item]);
  return flat.length === 1 ? flat[0]! : { type: "sequence", items: flat };
}

/** An empty branch makes the others optional, since not every program accepts one. */
function alternationOf(all: readonly OverApproximation[]): OverApproximation {
  const possible = all.filter((branch) => !isNever(branch));
  const branches = possible.filter((branch) => !isEmpty(branch));
  if (branches.length === 0) return possible.length === 0 ? NEVER : EMPTY;
  const choice: OverApproximation = branches.length === 1
    ? branches[0]!
    : { type: "alternation", branches };
  return branches.length === possible.length ? choice : repeatOf(withoutAnchors(choice), 0, 1);
}

function repeatOf(item: OverApproximation, min: number, max: number): OverApproximation {
  if (max === 0 || isEmpty(item)) return EMPTY;
  if (isNever(item)) return min === 0 ? EMPTY : NEVER;
  if (min === 1 && max === 1) return item;
  const most = max === Infinity ? min : max;
  const isBounded = most <= MAX_BOUND && most * expandedSize(item) <= MAX_REPEAT_SIZE;
  return isBounded
    ? { type: "repeat", item, min, max, lazy: false }
    : { type: "repeat", item, min: Math.min(min, 1), max: Infinity, lazy: false };
}

/** The pattern without its anchors, for use in a repeat. */
function withoutAnchors(pattern: OverApproximation): OverApproximation {
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

function isEmpty(pattern: OverApproximation): boolean {
  return pattern.type === "sequence" && pattern.items.length === 0;
}

function isNever(pattern: OverApproximation): boolean {
  return pattern.type === "set" && pattern.ascii === 0n;
}

/** The ASCII characters that a character or set matches, by the expression that decides in the end. */
function widenedSet(node: Char | CharSet): CharSet {
  const { source, flags } = toSource(node, false);
  const bits = asciiOf(source, flags) & ANY_CHAR;
  let set = sets.get(bits);
  if (set === undefined) sets.set(bits, set = asciiSet(bits));
  return set;
}
