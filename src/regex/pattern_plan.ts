/**
 * A pattern that is ready to be matched, as plain data: every thread can match with it. Its prefilter is literals
 * that bytes are tested for before they are decoded, rare ones first. For plain text, neither the parser nor the
 * engines are loaded.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import type { PatternNode } from "./ast.ts";
import type { Estimate } from "./backtracking.ts";
import type { OptionNaming } from "./pattern_text.ts";

/** What every text with a match holds. */
export interface Prefilter {
  /** Every match holds at least one of these, each of two characters or more. */
  anyOf: readonly string[];
  /** The line of every match also contains all of these. */
  allOf: readonly string[];
  /** Whether ASCII letters match in both cases; they are lower case then. */
  eitherCase: boolean;
  isForAscii: boolean;
}

/** More literals in `anyOf` take longer to find than they save. */
export const MAX_ANY_OF = 32;
export const MAX_ALL_OF = 2;

/** The bytes of source code, most frequent first; all others are rarer. */
const FREQUENT = " etrnoaisldcpu\nmf.(),*/;hg=bxy_-:'\"k0v1w{}2jTESAqzCR[]INOP>LDM3<4&8FBU+675";

/** How rare a text is likely to be, on an arbitrary scale. */
export function rarity(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const { first, second } = rarest(bytes);
  return byteRank(bytes[first]!) + byteRank(bytes[second]!) + bytes.length;
}

/** The offsets of the two rarest bytes of a text. */
export function rarest(text: Uint8Array): { first: number; second: number } {
  const offsets = Array.from(text, (byte, offset) => ({ offset, rank: byteRank(byte) }));
  const [first, second] = offsets.sort((a, b) => b.rank - a.rank);
  return { first: first!.offset, second: (second ?? first)!.offset };
}

/** The offset of the rarest two bytes in a row of a text. */
export function rarestPair(text: Uint8Array): number {
  const rankAt = (offset: number) => byteRank(text[offset]!) + byteRank(text[offset + 1]!);
  const offsets = Array.from(text.subarray(1), (_, offset) => offset);
  return offsets.reduce((best, offset) => rankAt(offset) > rankAt(best) ? offset : best, 0);
}

function byteRank(byte: number): number {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte));
  return rank < 0 ? FREQUENT.length : rank;
}

export interface PatternOptions {
  /** Regular expressions or, with `fixedStrings`, plain texts; a line matches if any of them does. */
  patterns: readonly string[];
  fixedStrings: boolean;
  caseInsensitive: boolean;
  /** `caseInsensitive` unless an upper-case letter stands for itself in a pattern. */
  smartCase: boolean;
  /** A match must have no Unicode word character beside it. */
  wholeWord: boolean;
  /** A match must be a whole line (with `multiline`, whole lines); overrides `wholeWord`. */
  wholeLine: boolean;
  /** Lines without a match are the hits. */
  invert: boolean;
  /** A match may span lines. */
  multiline: boolean;
  /** Whether it matters what a group captures. @default false */
  keepsGroups?: boolean;
  /** The number of the first group, if plans are joined. @default 1 */
  firstGroup?: number;
  /** What hints call options. @default their keys */
  nameOf?: OptionNaming;
}

/** A match: UTF-16 offsets into the text. */
export interface Match {
  start: number;
  end: number;
}

/** One form of a pattern, with the estimate of its cost. */
export interface PatternForm extends Estimate {
  tree: PatternNode;
}

export interface PatternPlan {
  invert: boolean;
  multiline: boolean;
  /** Matches in the same lines as the pattern, perhaps at other offsets. */
  find: PatternForm;
  /** Matches at the same offsets as the pattern. */
  locate: PatternForm;
  /** The text that the pattern matches, if it is a single text in one letter case. */
  literal: string | undefined;
  /** Literals of which the lines of every match hold at least one; none: nothing is known. */
  required: readonly string[];
  /** What a text must hold to match, if anything is known; of all patterns together. */
  prefilter: Prefilter | undefined;
  isLinear: boolean;
  /** For several patterns, the plan of each, to tell which of them match; empty for one pattern. */
  each: readonly PatternPlan[];
}

/** A plan, and notes on readings that the caller may not expect. */
export interface PlannedPattern {
  plan: PatternPlan;
  notes: Note[];
}

/** Longer texts go the way of all patterns, where their length is limited. */
const MAX_CHARS = 1_000;

/** The plan of one plain text of one line that matches in one letter case and anywhere, if it is that. */
export function planPlainText(options: PatternOptions): PlannedPattern | undefined {
  const [text = "", ...others] = options.patterns;
  const { caseInsensitive, smartCase, wholeWord, wholeLine, fixedStrings } = options;
  if (others.length > 0 || caseInsensitive || smartCase || wholeWord || wholeLine) return undefined;
  if (text.length > MAX_CHARS || text.includes("\n")) return undefined;
  if (!fixedStrings && !isPlainText(text)) return undefined;
  const plan = planLiteral(text, options);
  if (!options.invert && text.length > 1) {
    plan.prefilter = { anyOf: [text], allOf: [], eitherCase: false, isForAscii: false };
  }
  return { plan, notes: [] };
}

/** Whether a pattern has no special character. */
export function isPlainText(pattern: string): boolean {
  return !/[\\^$.|?*+()[\]{}]/.test(pattern);
}

export function planLiteral(
  literal: string,
  { invert, multiline }: Pick<PatternOptions, "invert" | "multiline">,
): PatternPlan {
  const items = Array.from(literal, (char): PatternNode => {
    return { type: "char", codePoint: char.codePointAt(0)!, fold: false };
  });
  const form: PatternForm = {
    cost: "linear",
    factor: 1,
    tree: items.length === 1 ? items[0]! : { type: "sequence", items },
  };
  return {
    invert,
    multiline,
    find: form,
    locate: form,
    literal,
    required: literal === "" ? [] : [literal],
    prefilter: undefined,
    isLinear: true,
    each: [],
  };
}
