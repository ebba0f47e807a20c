/**
 * Counts the different texts that match.
 *
 * @module
 */

import { detached } from "./cut.ts";

/** How often a text matches. */
export interface FoundValue {
  count: number;
  /** The files that it matches in. */
  files: number;
  /** Of several patterns, how often each matches it. */
  patternCounts?: number[] | undefined;
}

/** The values that one answer may be about. */
export const MAX_VALUES = 100_000;
/** The UTF-16 units of all of them. */
export const MAX_VALUE_CHARS: number = 1 << 25;

/** The values of one file, or of all: those that there is room for. */
export class ValueTally {
  readonly values: Map<string, FoundValue> = new Map();
  /** Whether there are more than there is room for: these are missing. */
  isFull = false;
  #chars = 0;

  /** Counts one match; of several patterns, `patterns` match it. */
  add(text: string, patterns?: readonly number[]): void {
    const known = this.values.get(text) ?? this.#new(text);
    if (known === undefined) return;
    known.count++;
    known.files = 1;
    for (const pattern of patterns ?? []) addPattern(known, pattern, 1);
  }

  /** Adds the values of one more file. */
  merge(values: ReadonlyMap<string, FoundValue>): void {
    for (const [text, { count, files, patternCounts }] of values) {
      const known = this.values.get(text) ?? this.#new(text);
      if (known === undefined) continue;
      known.count += count;
      known.files += files;
      patternCounts?.forEach((count, pattern) => addPattern(known, pattern, count));
    }
  }

  #new(text: string): FoundValue | undefined {
    this.isFull ||= this.values.size >= MAX_VALUES || this.#chars + text.length > MAX_VALUE_CHARS;
    if (this.isFull) return undefined;
    const value: FoundValue = { count: 0, files: 0 };
    this.values.set(detached(text), value);
    this.#chars += text.length;
    return value;
  }
}

function addPattern(value: FoundValue, pattern: number, count: number): void {
  const counts = value.patternCounts ??= [];
  while (counts.length <= pattern) counts.push(0);
  counts[pattern]! += count;
}
