/**
 * The parse tree of a pattern, as plain data: what the dialect is read into, and what sources,
 * literals, costs and automata are made from.
 *
 * @module
 */

/** A set of characters, any one of which matches. */
export interface CharSet {
  readonly type: "set";
  /** The inside of a `v`-mode class, without its brackets. */
  readonly items: string;
  /** Whether the class starts with `^`. */
  readonly negated: boolean;
  /** Whether letters match in either case. */
  readonly fold: boolean;
  /** Bit n: code point n, below 128, is in the set (`fold` and `negated` counted in). */
  readonly ascii: bigint;
  /** Whether anything beyond ASCII may be in the set. */
  readonly beyond: boolean;
}

/** One literal character. */
export interface Char {
  readonly type: "char";
  readonly codePoint: number;
  /** Whether it matches in either case. */
  readonly fold: boolean;
}

/** What holds between two characters. */
export interface Anchor {
  readonly type: "anchor";
  readonly kind: "lineStart" | "lineEnd" | "textStart" | "textEnd" | "boundary" | "notBoundary";
  /** For boundaries: whether letters are compared in either case. */
  readonly fold: boolean;
}

/** A node of a pattern. */
export type Node =
  | Char
  | CharSet
  | Anchor
  | { readonly type: "sequence"; readonly items: readonly Node[] }
  | { readonly type: "alternation"; readonly branches: readonly Node[] }
  | {
    readonly type: "repeat";
    readonly item: Node;
    readonly min: number;
    /** `Infinity`: no limit. */
    readonly max: number;
    readonly lazy: boolean;
  }
  | { readonly type: "capture"; readonly id: number; readonly item: Node }
  | {
    readonly type: "look";
    readonly behind: boolean;
    readonly negated: boolean;
    readonly item: Node;
  }
  /** What the one group of these that took part last matched. */
  | { readonly type: "backreference"; readonly ids: readonly number[]; readonly fold: boolean };

/** The node that matches the empty string. */
export const EMPTY: Node = { type: "sequence", items: [] };

/** Several nodes one after the other, flattened. */
export function sequence(items: readonly Node[]): Node {
  const flat = items.flatMap((item) => item.type === "sequence" ? item.items : [item]);
  return flat.length === 1 ? flat[0]! : { type: "sequence", items: flat };
}

/** The nodes right below a node. */
export function childrenOf(node: Node): readonly Node[] {
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

/** Whether a node or any below it passes the test. */
export function some(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => some(child, test));
}

/** The one character that a node starts with, if there is just one. */
export function firstChar(node: Node): number | undefined {
  if (node.type === "char") return node.codePoint;
  if (node.type === "sequence") return node.items[0] && firstChar(node.items[0]);
  if (node.type === "capture") return firstChar(node.item);
  return node.type === "repeat" && node.min > 0 ? firstChar(node.item) : undefined;
}

/** The one character that a node ends with, if there is just one. */
export function lastChar(node: Node): number | undefined {
  if (node.type === "char") return node.codePoint;
  if (node.type === "sequence") {
    return node.items.length > 0 ? lastChar(node.items.at(-1)!) : undefined;
  }
  if (node.type === "capture") return lastChar(node.item);
  return node.type === "repeat" && node.min > 0 ? lastChar(node.item) : undefined;
}

/** How many single items a tree has when its repeats are written out. */
export function sizeOf(node: Node): number {
  const size = childrenOf(node).reduce((total, child) => total + sizeOf(child), 1);
  if (node.type !== "repeat") return size;
  return size * Math.max(1, node.max === Infinity ? node.min : node.max);
}

/** Whether a node can match the empty string. */
export function isNullable(node: Node): boolean {
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
