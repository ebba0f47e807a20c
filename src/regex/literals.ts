/**
 * The texts that a pattern cannot match without.
 *
 * @module
 */

import { type Char, childrenOf, type Node } from "./ast.ts";

/** More alternatives than this are not worth looking for. */
const MAX_ALTERNATIVES = 16;

/** A character as it must stand in a text; nothing if it may be another. */
type TextOf = (char: Char) => string | undefined;

/**
 * Texts of which each match holds at least one (or, where the pattern looks ahead, what follows it does).
 *
 * @returns the most telling such texts; none: nothing is known
 */
export function requiredLiterals(tree: Node): string[] {
  return required(tree, plainText) ?? [];
}

/**
 * Sets of texts: each match holds at least one text of each set.
 *
 * @param fold whether letters may be in either case: the texts are ASCII in lower case then, and a
 * letter of them may also stand there as a character beyond ASCII that it folds to
 */
export function requiredSets(tree: Node, fold: boolean): string[][] {
  const textOf = fold ? foldedText : plainText;
  if (tree.type === "sequence") return setsOf(tree.items, textOf);
  const texts = required(tree, textOf);
  return texts === undefined ? [] : [texts];
}

/** The text that a tree stands for, if it is plain text in one letter case and of one line. */
export function literalText(tree: Node): string | undefined {
  const items = tree.type === "sequence" ? tree.items : [tree];
  let text = "";
  for (const item of items) {
    if (!isPlain(item)) return undefined;
    text += String.fromCodePoint(item.codePoint);
  }
  return text;
}

function isPlain(node: Node): node is Node & { type: "char" } {
  if (node.type !== "char" || node.codePoint === 0x0a) return false;
  return !node.fold ||
    node.codePoint < 128 && !/[A-Za-z]/.test(String.fromCharCode(node.codePoint));
}

function plainText(char: Char): string | undefined {
  return isPlain(char) ? String.fromCodePoint(char.codePoint) : undefined;
}

function foldedText({ codePoint }: Char): string | undefined {
  const isOneOf = codePoint < 128 && codePoint !== 0x0a;
  return isOneOf ? String.fromCharCode(codePoint).toLowerCase() : undefined;
}

function required(node: Node, textOf: TextOf): string[] | undefined {
  switch (node.type) {
    case "char": {
      const text = textOf(node);
      return text === undefined ? undefined : [text];
    }
    case "sequence":
      return mostTelling(setsOf(node.items, textOf));
    case "alternation": {
      const all: string[] = [];
      for (const branch of node.branches) {
        const texts = required(branch, textOf);
        if (texts === undefined) return undefined;
        all.push(...texts);
      }
      return all.length > MAX_ALTERNATIVES ? undefined : [...new Set(all)];
    }
    case "repeat":
      return node.min > 0 ? required(node.item, textOf) : undefined;
    case "capture":
      return required(node.item, textOf);
    case "look":
      // What is looked at behind a match may lie before the place where the search for it begins.
      return node.negated || node.behind ? undefined : required(node.item, textOf);
    default:
      return undefined;
  }
}

/** What the items need: runs of characters, and what single ones of them need. */
function setsOf(items: readonly Node[], textOf: TextOf): string[][] {
  const sets: string[][] = [];
  let run = "";
  const offer = (texts: string[] | undefined) => {
    if (texts !== undefined && !texts.includes("")) sets.push(texts);
  };
  for (const item of items.flatMap(flattened)) {
    const text = item.type === "char" ? textOf(item) : undefined;
    if (text !== undefined) {
      run += text;
    } else if (item.type === "anchor" || item.type === "look") {
      // Zero-width: the characters around it stay neighbours.
      offer(required(item, textOf));
    } else {
      const repeated = item.type === "repeat" && item.min > 0 ? item.item : undefined;
      const char = repeated?.type === "char" ? textOf(repeated) ?? "" : "";
      offer([run + char]);
      if (char === "") offer(required(item, textOf));
      run = char;
    }
  }
  offer([run]);
  return sets;
}

/** A group's items in place of the group. */
function flattened(node: Node): readonly Node[] {
  if (node.type !== "capture" && node.type !== "sequence") return [node];
  return childrenOf(node).flatMap(flattened);
}

function mostTelling(sets: readonly string[][]): string[] | undefined {
  let best: string[] | undefined;
  for (const texts of sets) {
    if (best === undefined || worth(texts) > worth(best)) best = texts;
  }
  return best;
}

/** Long texts tell more, few are found faster. */
function worth(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length)) - texts.length / (MAX_ALTERNATIVES + 1);
}
