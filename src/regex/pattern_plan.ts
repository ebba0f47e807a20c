/**
 * A pattern that is ready to be matched, as plain data: every thread can match with it. For plain text, neither
 * the parser nor the engines are loaded.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import type { Estimate } from "./backtracking.ts";
import { type PatternNode, textNode } from "./ast.ts";
import type { OptionNaming } from "./pattern_text.ts";
import type { Prefilter } from "./prefilter.ts";
import type { Source } from "./printer.ts";
import { prefilterOf } from "./literals.ts";
import { escapeRegExp } from "../util/text.ts";

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
  if (!options.invert) plan.prefilter = prefilterOf(plan.locate.tree, !options.multiline);
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
  const form: PatternForm = {
    source: { source: escapeRegExp(literal), flags: "v" },
    cost: "linear",
    factor: 1,
    tree: textNode(literal, false),
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
