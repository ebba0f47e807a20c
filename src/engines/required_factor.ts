/**
 * Extracts a factor of a pattern that a program can search for in linear time.
 *
 * Some programs start anew at each offset, so that `a.*b` reads a line of a million characters a million
 * times; others track all attempts under way, which for `a.{200}b` exceeds any memory. A factor that
 * every match contains, without such repeats, finds every line that the whole pattern finds.
 *
 * @module
 */

import { isNullable } from "../regex/ast.ts";
import { type OverApproximation, sequenceOf } from "./over_approximation.ts";

/** Which patterns a program can take. */
export interface PatternLimits {
  /** The largest weight: a letter weighs 1, a set of several characters {@linkcode WIDE}. */
  readonly weight: number;
  /** Whether a repeat may be unbounded. */
  readonly endless: boolean;
}

/**
 * The weight of a set of several characters. Eight of them in a row make a DFA of some hundred states;
 * with ten, grep is a hundred times slower.
 */
const WIDE = 4;

/**
 * A factor that every match of a pattern contains: the whole pattern if it is within the limits,
 * and otherwise the part that is likely to be the rarest.
 *
 * @param pattern a pattern that does not match the empty string
 */
export function requiredFactor(
  pattern: OverApproximation,
  limits: PatternLimits,
): OverApproximation {
  const isFit = (part: OverApproximation) => weightOf(part, limits) <= limits.weight;

  const required = (whole: OverApproximation): OverApproximation => {
    if (isFit(whole)) return whole;
    const parts = partsOf(whole.type === "sequence" ? whole.items : [whole]);
    return parts.reduce((best, part) => selectivity(part) > selectivity(best) ? part : best);
  };

  /** Factors of a sequence, each within the limits. */
  const partsOf = (items: readonly OverApproximation[]): OverApproximation[] => {
    const parts: OverApproximation[] = [];
    let run: OverApproximation[] = [];
    const end = () => {
      const part = sequenceOf(run);
      if (!isNullable(part)) parts.push(part);
      run = [];
    };
    const extend = (item: OverApproximation) => {
      if (!isFit(sequenceOf([...run, item]))) end();
      run.push(item);
    };
    for (const item of items) {
      if (isFit(item)) {
        extend(item);
      } else if (item.type === "repeat" && !isNullable(item) && isFit(item.item)) {
        // The first copy follows what precedes the repeat, the last precedes what follows it.
        const some = copiesOf(item.item, item.min);
        extend(some);
        end();
        run = [some];
      } else {
        end();
        if (isNullable(item)) continue;
        if (item.type === "repeat") parts.push(required(item.item));
        if (item.type === "alternation") {
          parts.push({ type: "alternation", branches: item.branches.map(required) });
        }
      }
    }
    end();
    return parts;
  };

  /** A number of copies of an item, or as many as are within the limits. */
  const copiesOf = (item: OverApproximation, number: number): OverApproximation => {
    const count = Math.min(number, Math.floor(limits.weight / weightOf(item, limits)));
    return count === 1 ? item : { type: "repeat", item, min: count, max: count, lazy: false };
  };

  return required(pattern);
}

function weightOf(pattern: OverApproximation, limits: PatternLimits): number {
  const sum = (parts: readonly OverApproximation[]) =>
    parts.reduce((weight, part) => weight + weightOf(part, limits), 0);
  switch (pattern.type) {
    case "set":
      return isOneLetter(pattern.ascii) ? 1 : WIDE;
    case "anchor":
      return 1;
    case "sequence":
      return sum(pattern.items);
    case "alternation":
      return sum(pattern.branches);
    case "repeat": {
      const { item, min, max } = pattern;
      if (max === Infinity && !limits.endless) return Infinity;
      return weightOf(item, limits) * Math.max(1, max === Infinity ? min : max);
    }
  }
}

/** Whether a set is one character, or one letter in both cases. */
function isOneLetter(bits: bigint): boolean {
  const first = bits & -bits;
  return bits === first || bits === (first | first << 32n);
}

function bitCount(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}

/** The information in bits, roughly, that a text holds such a part. */
function selectivity(pattern: OverApproximation): number {
  switch (pattern.type) {
    case "set":
      // Characters of one kind, such as digits, come in groups.
      return isOneLetter(pattern.ascii) ? 7 : (7 - Math.log2(bitCount(pattern.ascii))) / 2;
    case "anchor":
      return 1;
    case "sequence":
      return pattern.items.reduce((bits, item) => bits + selectivity(item), 0);
    case "alternation":
      return Math.min(...pattern.branches.map(selectivity));
    case "repeat":
      return pattern.min * selectivity(pattern.item);
  }
}
