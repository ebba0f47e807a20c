/**
 * The part of a pattern that a program can look for in a time proportional to the text.
 *
 * Where a match may start, some programs try each place anew, so that `a.*b` takes a line of a million
 * characters a million times; others remember what may have started before, which for `a.{200}b` is
 * more than any memory holds. What every match must contain, without such repeats, finds all that the
 * whole finds.
 *
 * @module
 */

import { isNullable, type LoosePattern } from "./loose_pattern.ts";

/** What a program can be asked for. */
export interface PatternLimits {
  /** The weight, at most: a letter weighs 1, whatever may be several characters {@linkcode WIDE}. */
  readonly weight: number;
  /** Whether a repeat may have no end. */
  readonly endless: boolean;
}

/**
 * The weight of an item that may be any of several characters. Eight of these in a row take an
 * automaton some hundred states; with ten, grep is a hundred times as slow.
 */
const WIDE = 4;

/**
 * What every match of a pattern contains: the pattern, where it is within the limits, or the
 * part of it that is likely to be met least often.
 *
 * @param pattern a pattern that does not match the empty string
 */
export function requiredPart(pattern: LoosePattern, limits: PatternLimits): LoosePattern {
  const isFit = (part: LoosePattern) => weightOf(part, limits) <= limits.weight;

  const required = (whole: LoosePattern): LoosePattern => {
    if (isFit(whole)) return whole;
    const parts = partsOf(whole.type === "sequence" ? whole.items : [whole]);
    return parts.reduce((best, part) => tellingOf(part) > tellingOf(best) ? part : best);
  };

  /** What a match of a sequence contains, each within the limits. */
  const partsOf = (items: readonly LoosePattern[]): LoosePattern[] => {
    const parts: LoosePattern[] = [];
    let run: LoosePattern[] = [];
    const end = () => {
      const part = sequenceOf(run);
      if (!isNullable(part)) parts.push(part);
      run = [];
    };
    const extend = (item: LoosePattern) => {
      if (!isFit(sequenceOf([...run, item]))) end();
      run.push(item);
    };
    for (const item of items) {
      if (isFit(item)) {
        extend(item);
      } else if (item.type === "repeat" && !isNullable(item) && isFit(item.item)) {
        // What comes before touches the first of them, what comes after the last.
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

  /** So many copies of an item, or as many as are within the limits. */
  const copiesOf = (item: LoosePattern, number: number): LoosePattern => {
    const count = Math.min(number, Math.floor(limits.weight / weightOf(item, limits)));
    return count === 1 ? item : { type: "repeat", item, min: count, max: count };
  };

  return required(pattern);
}

function sequenceOf(items: readonly LoosePattern[]): LoosePattern {
  return items.length === 1 ? items[0]! : { type: "sequence", items };
}

function weightOf(pattern: LoosePattern, limits: PatternLimits): number {
  const sum = (parts: readonly LoosePattern[]) =>
    parts.reduce((weight, part) => weight + weightOf(part, limits), 0);
  switch (pattern.type) {
    case "chars":
      return isLetter(pattern.bits) ? 1 : WIDE;
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
function isLetter(bits: bigint): boolean {
  const first = bits & -bits;
  return bits === first || bits === (first | first << 32n);
}

function sizeOf(bits: bigint): number {
  return bits.toString(2).replaceAll("0", "").length;
}

/** How much it tells about a text that it has such a part: about so many bits. */
function tellingOf(pattern: LoosePattern): number {
  switch (pattern.type) {
    case "chars":
      // Characters of one kind, such as digits, are met side by side.
      return isLetter(pattern.bits) ? 7 : (7 - Math.log2(sizeOf(pattern.bits))) / 2;
    case "anchor":
      return 1;
    case "sequence":
      return pattern.items.reduce((bits, item) => bits + tellingOf(item), 0);
    case "alternation":
      return Math.min(...pattern.branches.map(tellingOf));
    case "repeat":
      return pattern.min * tellingOf(pattern.item);
  }
}
