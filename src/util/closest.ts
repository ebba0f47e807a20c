/**
 * Finds the closest name to a misspelled one.
 *
 * @module
 */

/** The Damerau–Levenshtein distance of two words, with swaps of adjacent characters. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}

/** A longer word is not a misspelling of one of our names. */
const MAX_LENGTH = 40;

/** The name at the smallest distance, if that is small for its length; a prefix counts as 1. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  if (given === "" || given.length > MAX_LENGTH) return undefined;
  const word = given.toLowerCase();
  let best: string | undefined;
  let fewest = Infinity;
  for (const name of names) {
    const slips = name.startsWith(word) ? 1 : distance(word, name.toLowerCase());
    if (slips < fewest && slips <= Math.max(2, Math.floor(name.length / 3))) {
      fewest = slips;
      best = name;
    }
  }
  return best;
}

/** A question about the name that was meant, to follow the given one; empty if no name is near. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearest(given, names);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}
