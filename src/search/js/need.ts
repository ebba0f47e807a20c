/**
 * What a text must hold so that a pattern can match in it: what its bytes can be searched for before
 * they are made a string.
 *
 * @module
 */

import { MAX_BESIDES, MAX_TEXTS, rarity, type TextNeed } from "./byte_search.ts";
import { requiredSets } from "../../regex/literals.ts";
import type { Node } from "../../regex/ast.ts";

/**
 * What a pattern needs.
 *
 * @param tree the pattern
 * @param isByLine whether every match lies within one line
 * @returns nothing where nothing is known that would tell texts apart
 */
export function textNeed(tree: Node, isByLine: boolean): TextNeed | undefined {
  for (const eitherCase of [false, true]) {
    const [texts, ...others] = requiredSets(tree, eitherCase).filter(areTelling).sort(bySeldom);
    if (texts === undefined) continue;
    const besides = isByLine ? singlesOf(others) : [];
    // Two characters beyond ASCII fold to letters of it: the Kelvin sign to k, the long s to s.
    const isForAscii = eitherCase && [...texts, ...besides].some((text) => /[ks]/.test(text));
    return { texts, besides, eitherCase, isForAscii };
  }
  return undefined;
}

/** Sets of texts that are seldom found come first, small ones of those. */
function bySeldom(a: readonly string[], b: readonly string[]): number {
  const worth = (texts: readonly string[]) => Math.min(...texts.map(rarity)) / texts.length;
  return worth(b) - worth(a);
}

/** Texts that a line has to hold all of. */
function singlesOf(sets: readonly string[][]): string[] {
  const singles = sets.filter((texts) => texts.length === 1).map(([text]) => text!);
  return [...new Set(singles)].slice(0, MAX_BESIDES);
}

function areTelling(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.length <= MAX_TEXTS &&
    texts.every((text) => text.length > 1);
}
