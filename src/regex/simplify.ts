/**
 * Simplifies a pattern for a search that only needs to know whether a line matches.
 *
 * @module
 */

import { EMPTY, type PatternNode, sequence, some } from "./ast.ts";

/**
 * A tree that matches in the same lines as the given one, with shorter matches: repeats at its ends go
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
