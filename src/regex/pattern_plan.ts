/**
 * A pattern that is ready to be matched, as plain data: every thread can match with it.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import type { Estimate } from "./backtracking.ts";
import type { PatternNode } from "./ast.ts";
import type { OptionNaming } from "./pattern_text.ts";
import type { Prefilter } from "./prefilter.ts";
import type { Source } from "./printer.ts";

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
  source: Source;
  tree: PatternNode;
  /** Whether V8 takes a while to compile it, on first use. @default false */
  isSlowToCompile?: boolean;
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
