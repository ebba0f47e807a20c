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
export function firstOf(node: Node): number | undefined {
  if (node.type === "char") return node.codePoint;
  if (node.type === "sequence") return node.items[0] && firstOf(node.items[0]);
  if (node.type === "capture") return firstOf(node.item);
  return node.type === "repeat" && node.min > 0 ? firstOf(node.item) : undefined;
}

/** The one character that a node ends with, if there is just one. */
export function lastOf(node: Node): number | undefined {
  if (node.type === "char") return node.codePoint;
  if (node.type === "sequence") {
    return node.items.length > 0 ? lastOf(node.items.at(-1)!) : undefined;
  }
  if (node.type === "capture") return lastOf(node.item);
  return node.type === "repeat" && node.min > 0 ? lastOf(node.item) : undefined;
}
