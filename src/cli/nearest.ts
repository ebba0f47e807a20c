/**
 * The nearest of some names to a misspelt one.
 *
 * @module
 */
import { distance } from "../distance.ts";

/** The name with the fewest slips, if they are few for its length, or one that begins alike. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const slips = name.startsWith(given) ? 1 : distance(given, name);
    if (slips < fewest) {
      fewest = slips;
      best = name;
    }
  }
  return best;
}
