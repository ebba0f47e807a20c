/**
 * The nearest of some names to a misspelt one.
 *
 * @module
 */

import { distance } from "../distance.ts";

/** A longer name is no misspelling of ours. */
const MAX_LENGTH = 40;

/** The name with the fewest slips, if they are few for its length. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const [best] = names.map((name) => ({ name, slips: distance(given.toLowerCase(), name) }))
    .sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= Math.max(1, best.name.length / 3)
    ? best.name
    : undefined;
}
