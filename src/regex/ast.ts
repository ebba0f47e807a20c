/**
 * The parse tree of a pattern, as plain data. The parser builds it; the printer, the NFA, the
 * literals and the backtracking estimate are derived from it.
 *
 * @module
 */

import { valueAt } from "../util/collections.ts";

/** The bits of all ASCII characters, in {@linkcode CharSet.ascii}. */
export const ALL_ASCII: bigint = (1n << 128n) - 1n;

/** A set of characters, any one of which matches. */
export interface CharSet {
  readonly type: "set";
  /** The inside of a `v`-mode class, without its brackets. */
  readonly items: string;
  readonly negated: boolean;
  /** Whether letters match in either case. */
  readonly fold: boolean;
  /** Bit n: code point n, below 128, is in the set, after `fold` and `negated` have been applied. */
  readonly ascii: bigint;
  /** Whether the set may hold a character beyond ASCII. */
  readonly beyond: boolean;
}

/** One literal character. */
export interface Char {
  readonly type: "char";
  readonly codePoint: number;
  /** As {@linkcode CharSet.fold}. */
  readonly fold: boolean;
}

/** An assertion about the position between two characters. */
export interface Anchor {
  readonly type: "anchor";
  readonly kind: "lineStart" | "lineEnd" | "textStart" | "textEnd" | "boundary" | "notBoundary";
  /** For word boundaries: whether letters match in either case. */
  readonly fold: boolean;
}

export type PatternNode =
  | Char
  | CharSet
  | Anchor
  | { readonly type: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly type: "alternation"; readonly branches: readonly PatternNode[] }
  | {
    readonly type: "repeat";
    readonly item: PatternNode;
    readonly min: number;
    /** `Infinity`: no limit. */
    readonly max: number;
    readonly lazy: boolean;
  }
  | { readonly type: "capture"; readonly id: number; readonly item: PatternNode }
  | {
    readonly type: "look";
    readonly behind: boolean;
    readonly negated: boolean;
    readonly item: PatternNode;
  }
  /** The text last captured by whichever of these groups took part in the match. */
  | { readonly type: "backreference"; readonly ids: readonly number[]; readonly fold: boolean };

const EMPTY: PatternNode = { type: "sequence", items: [] };

/** Concatenates nodes and flattens nested sequences. */
export function sequence(items: readonly PatternNode[]): PatternNode {
  const flat = items.flatMap((item) => item.type === "sequence" ? item.items : [item]);
  return flat.length === 1 ? flat[0]! : { type: "sequence", items: flat };
}

export function textNode(text: string, fold: boolean): PatternNode {
  return sequence(
    Array.from(text, (char) => ({ type: "char", codePoint: char.codePointAt(0)!, fold })),
  );
}

export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.type) {
    case "sequence":
      return node.items;
    case "alternation":
      return node.branches;
    case "repeat":
    case "capture":
    case "look":
      return [node.item];
    default:
      return [];
  }
}

/** Whether a node or any of its descendants passes the test. */
export function some(node: PatternNode, test: (node: PatternNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => some(child, test));
}

/** The group of a pattern that has one group alone, which may be written more than once. */
export function onlyGroup(tree: PatternNode): number | undefined {
  const groups = new Set<number>();
  const visit = (node: PatternNode) => {
    if (node.type === "capture") groups.add(node.id);
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return groups.size === 1 ? [...groups][0] : undefined;
}

/** The literal character that a node starts with, if it is the same in every match. */
export function firstChar(node: PatternNode): number | undefined {
  if (node.type === "char") return node.codePoint;
  if (node.type === "sequence") return node.items[0] && firstChar(node.items[0]);
  if (node.type === "capture") return firstChar(node.item);
  return node.type === "repeat" && node.min > 0 ? firstChar(node.item) : undefined;
}

/** How far into a node a letter is looked for: more would take long where groups are nested. */
const LETTER_DEPTH = 6;
const LETTER_BRANCHES = 8;

/** A letter beyond ASCII that a match of a node may begin (0) or end (-1) with, as far as that is plain. */
export function letterBeyondAscii(
  node: PatternNode | undefined,
  side: 0 | -1,
  depth = LETTER_DEPTH,
): string | undefined {
  if (depth === 0) return undefined;
  switch (node?.type) {
    case "char":
      return letterIn(String.fromCodePoint(node.codePoint));
    case "set":
      return node.negated ? undefined : letterInSet(node);
    case "sequence":
      return letterBeyondAscii(node.items.at(side), side, depth - 1);
    case "alternation":
      return node.branches.slice(0, LETTER_BRANCHES).values()
        .map((branch) => letterBeyondAscii(branch, side, depth - 1))
        .find((letter) => letter !== undefined);
    case "capture":
    case "repeat":
      return letterBeyondAscii(node.item, side, depth - 1);
    default:
      return undefined;
  }
}

/** A letter that is named in a set and is in it: a class in it may exclude what it names. */
function letterInSet({ items }: CharSet): string | undefined {
  const members = items.replace(
    /\\u\{([\da-f]+)\}/gu,
    (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)),
  );
  const letter = letterIn(members);
  return letter === undefined || new RegExp(`[${items}]`, "v").test(letter) ? letter : undefined;
}

function letterIn(text: string): string | undefined {
  return /(?![\0-\x7f])[\p{L}\p{M}\p{N}]/u.exec(text)?.[0];
}

/** As many nodes take V8 as long to compile as one Unicode property. */
export const PROPERTY_SIZE = 11;
/** Binary logarithm of the length of a class that takes as long to compile as one more node. */
const CLASS_LENGTH = 9;
/** V8 writes out the rounds of a repeat as long as the pattern does not grow by more than this factor. */
const MAX_EXPANSION = 6;

/**
 * How large a tree is once its repeats are expanded, and so how long it takes to compile: its nodes, and
 * more for properties and for long classes.
 *
 * @param known classes that are compiled; the others are added @default every class is compiled anew
 * @param rounds how often the node is repeated
 */
export function expandedSize(node: PatternNode, known?: Set<string>, rounds = 1): number {
  if (node.type === "repeat") {
    rounds *= Math.max(1, node.max === Infinity ? node.min : node.max);
  } else if (node.type === "set") {
    const key = `${node.negated} ${node.fold} ${node.items}`;
    if (known?.has(key)) return rounds;
    known?.add(key);
    const properties = node.items.match(/\\[pP]\{/g)?.length ?? 0;
    const size = properties * PROPERTY_SIZE + (node.items.length >> CLASS_LENGTH);
    return rounds + Math.min(rounds, MAX_EXPANSION) * size;
  }
  return childrenOf(node).reduce((sum, child) => sum + expandedSize(child, known, rounds), rounds);
}

/** Cached: where groups are nested, each node is asked for at every level. */
const nullable = new WeakMap<PatternNode, boolean>();

/** Whether a node can match the empty string. */
export function isNullable(node: PatternNode): boolean {
  return valueAt(nullable, node, canBeEmpty);
}

function canBeEmpty(node: PatternNode): boolean {
  switch (node.type) {
    case "char":
    case "set":
      return false;
    case "repeat":
      return node.min === 0 || isNullable(node.item);
    case "sequence":
      return node.items.every(isNullable);
    case "alternation":
      return node.branches.some(isNullable);
    case "capture":
      return isNullable(node.item);
    default:
      return true;
  }
}

/**
 * A tree that matches in the same lines as the given one, with shorter matches, for a search that only needs
 * to know whether a line matches: repeats at its ends go
 * down to their minimum, since a match may start later and end earlier. `.*foo\w+` becomes `foo\w`.
 */
export function simplify(tree: PatternNode): PatternNode {
  // A backreference depends on all of its group's text.
  if (some(tree, (node) => node.type === "backreference")) return tree;
  return trimSide(trimSide(tree, "start"), "end");
}

/** Trims one end of a node; nothing beyond that end may depend on it. */
function trimSide(node: PatternNode, side: "start" | "end"): PatternNode {
  switch (node.type) {
    case "repeat":
      if (node.min === 0) return EMPTY;
      if (node.min === 1) return trimSide(node.item, side);
      return node.max === node.min ? node : { ...node, max: node.min };
    case "capture":
      return trimSide(node.item, side);
    case "alternation": {
      const branches = node.branches.map((branch) => trimSide(branch, side));
      const isSame = branches.every((branch, index) => branch === node.branches[index]);
      return isSame ? node : { type: "alternation", branches };
    }
    case "sequence": {
      const last = node.items.length - 1;
      for (let dropped = 0; dropped <= last; dropped++) {
        const at = side === "start" ? dropped : last - dropped;
        const item = trimSide(node.items[at]!, side);
        if (item === EMPTY) continue;
        if (dropped === 0 && item === node.items[at]) return node;
        return sequence(
          side === "start"
            ? [item, ...node.items.slice(at + 1)]
            : [...node.items.slice(0, at), item],
        );
      }
      return EMPTY;
    }
    default:
      return node;
  }
}
