/**
 * What a text must hold so that a pattern can match in it: what its bytes can be searched for before
 * they are made a string.
 *
 * @module
 */

import { MAX_TEXTS, type TextNeed } from "./byte_search.ts";
import { requiredFolded } from "./literals.ts";
import type { Node } from "./tree.ts";

/**
 * What a pattern needs.
 *
 * @param tree the pattern
 * @param required texts of which every match holds one, as far as known
 * @returns nothing where nothing is known that would tell texts apart
 */
export function textNeed(tree: Node, required: readonly string[]): TextNeed | undefined {
  if (areTelling(required)) return { texts: required, eitherCase: false, isForAscii: false };
  const texts = requiredFolded(tree);
  if (!areTelling(texts)) return undefined;
  // Two characters beyond ASCII fold to letters of it: the Kelvin sign to k, the long s to s.
  return { texts, eitherCase: true, isForAscii: texts.some((text) => /[ks]/.test(text)) };
}

function areTelling(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.length <= MAX_TEXTS &&
    texts.every((text) => text.length > 1);
}
