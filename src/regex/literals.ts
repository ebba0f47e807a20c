/**
 * Extracts the literals of a pattern, texts without which it cannot match, and makes its prefilter of
 * them.
 *
 * @module
 */

import { type Char, childrenOf, type PatternNode } from "./ast.ts";
import { MAX_ALL_OF, MAX_ANY_OF, type Prefilter, rarity } from "./prefilter.ts";

/** More alternatives than this are not worth a search. */
const MAX_ALTERNATIVES = 32;

/** The text of a character, or nothing if more than one text matches it. */
type TextOf = (char: Char) => string | undefined;

/**
 * The most selective literals of which each match holds at least one; behind a lookahead, the text after
 * the match may. None: nothing is known.
 */
export function requiredLiterals(tree: PatternNode): string[] {
  return required(tree, plainText) ?? [];
}

/**
 * Sets of literals: each match holds at least one literal of each set.
 *
 * @param fold whether letters may be in either case. The literals are then lower-case ASCII, and a
 * match may hold a character beyond ASCII in place of a letter that it folds to
 */
function requiredSets(tree: PatternNode, fold: boolean): string[][] {
  const textOf = fold ? foldedText : plainText;
  if (tree.type === "sequence") return setsOf(tree.items, textOf);
  const texts = required(tree, textOf);
  return texts === undefined ? [] : [texts];
}

/** Texts with characters beyond ASCII that a match may hold, as they stand in a pattern. */
export function literalsBeyondAscii(tree: PatternNode): string[] {
  const texts: string[] = [];
  const visit = (node: PatternNode): void => {
    let run = "";
    for (const item of node.type === "sequence" ? node.items.flatMap(flattened) : [node]) {
      if (item.type === "char" && item.codePoint !== 0x0a) {
        run += String.fromCodePoint(item.codePoint);
        continue;
      }
      texts.push(run);
      run = "";
      childrenOf(item).forEach(visit);
    }
    texts.push(run);
  };
  visit(tree);
  return [...new Set(texts)].filter((text) => /[^\0-\x7f]/u.test(text)).slice(0, MAX_ALTERNATIVES);
}

/** The text that a tree matches, if it is a single text in one letter case and of one line. */
export function literalText(tree: PatternNode): string | undefined {
  const items = tree.type === "sequence" ? tree.items : [tree];
  let text = "";
  for (const item of items) {
    const char = item.type === "char" ? plainText(item) : undefined;
    if (char === undefined) return undefined;
    text += char;
  }
  return text;
}

function plainText({ codePoint, fold }: Char): string | undefined {
  const text = String.fromCodePoint(codePoint);
  if (codePoint === 0x0a || fold && (codePoint >= 128 || /[A-Za-z]/.test(text))) return undefined;
  return text;
}

function foldedText({ codePoint }: Char): string | undefined {
  const isOneOf = codePoint < 128 && codePoint !== 0x0a;
  return isOneOf ? String.fromCharCode(codePoint).toLowerCase() : undefined;
}

function required(node: PatternNode, textOf: TextOf): string[] | undefined {
  switch (node.type) {
    case "char": {
      const text = textOf(node);
      return text === undefined ? undefined : [text];
    }
    case "sequence":
      return mostSelective(setsOf(node.items, textOf));
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
      // A lookbehind may match text before the offset where the search starts.
      return node.negated || node.behind ? undefined : required(node.item, textOf);
    default:
      return undefined;
  }
}

/** The literals that a sequence requires: runs of characters, and those of single items. */
function setsOf(items: readonly PatternNode[], textOf: TextOf): string[][] {
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
      // Zero-width: the characters around it are adjacent.
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

/** The items of a node, with groups replaced by their items. */
function flattened(node: PatternNode): readonly PatternNode[] {
  if (node.type !== "capture" && node.type !== "sequence") return [node];
  return childrenOf(node).flatMap(flattened);
}

function mostSelective(sets: readonly string[][]): string[] | undefined {
  return sets.toSorted((a, b) => worth(b) - worth(a))[0];
}

/** Long literals are more selective, few are found faster. */
function worth(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length)) - texts.length / (MAX_ALTERNATIVES + 1);
}

/**
 * The prefilter of a pattern, or nothing if it has no literals that are rare enough to help.
 *
 * @param isByLine whether every match lies within one line
 */
export function prefilterOf(tree: PatternNode, isByLine: boolean): Prefilter | undefined {
  for (const eitherCase of [false, true]) {
    const [anyOf, ...others] = requiredSets(tree, eitherCase).filter(areSelective).sort(byRarity);
    if (anyOf === undefined) continue;
    const allOf = isByLine ? singlesOf(others) : [];
    // Two characters beyond ASCII fold to letters of it: the Kelvin sign to k, the long s to s.
    const isForAscii = eitherCase && [...anyOf, ...allOf].some((text) => /[ks]/.test(text));
    return { anyOf, allOf, eitherCase, isForAscii };
  }
  return undefined;
}

/** Orders sets by how rare their literals are, smaller sets first. */
function byRarity(a: readonly string[], b: readonly string[]): number {
  const worth = (texts: readonly string[]) => Math.min(...texts.map(rarity)) / texts.length;
  return worth(b) - worth(a);
}

/** The literals of sets of one, all of which a line must hold. */
function singlesOf(sets: readonly string[][]): string[] {
  const singles = sets.filter((texts) => texts.length === 1).map(([text]) => text!);
  return [...new Set(singles)].slice(0, MAX_ALL_OF);
}

function areSelective(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.length <= MAX_ANY_OF &&
    texts.every((text) => text.length > 1);
}
