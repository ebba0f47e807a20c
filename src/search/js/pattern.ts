/**
 * Planning a search pattern: reading it once, before any file is opened, into plain data that every
 * thread can match with.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import type { TextNeed } from "./byte_search.ts";
import { charSet } from "../../regex/char_set.ts";
import { type Cost, costOf } from "../../regex/backtracking.ts";
import { readFixedString, type ReadPattern, readPattern } from "./dialect.ts";
import { literalText, requiredLiterals } from "../../regex/literals.ts";
import { textNeed } from "./need.ts";
import { isLinear } from "./program.ts";
import { type Source, toSource } from "../../regex/printer.ts";
import { type Node, sequence, sizeOf } from "../../regex/ast.ts";
import { trimmed } from "../../regex/simplify.ts";

/** What is searched for. */
export interface PatternOptions {
  /** Regular expressions or, with `fixedStrings`, texts; any of them matches. */
  patterns: readonly string[];
  fixedStrings: boolean;
  caseInsensitive: boolean;
  /** `caseInsensitive` unless an upper-case letter stands for itself in a pattern. */
  smartCase: boolean;
  /** A match must have no Unicode word character beside it. */
  wholeWord: boolean;
  /** A match must be a whole line (with `multiline`, whole lines); outdoes `wholeWord`. */
  wholeLine: boolean;
  /** Lines without a match are looked for. */
  invert: boolean;
  /** A match may span lines. */
  multiline: boolean;
}

/** One form of a pattern, and what is known of it. */
export interface PatternForm {
  /** As a regular expression. */
  source: Source;
  /** What a backtracking engine can make of it. */
  cost: Cost;
  tree: Node;
}

/** A pattern ready to be matched: plain data that can be sent to a worker. */
export interface PatternPlan {
  invert: boolean;
  multiline: boolean;
  /** Matches in the same lines as the pattern, but not at the same places. */
  find: PatternForm;
  /** Matches where the pattern does. */
  locate: PatternForm;
  /** The text that the pattern stands for, if it is plain text in one letter case. */
  literal: string | undefined;
  /** Texts of which the lines of every match hold at least one; none: nothing is known. */
  required: readonly string[];
  /** What a text must hold to match, if that is known. */
  need: TextNeed | undefined;
  /** Whether it can be matched in linear time. */
  isLinear: boolean;
}

/** Items that a pattern may have when its repeats are written out. */
const MAX_SIZE = 100_000;
/** Items that are no trouble for V8. */
const SMALL_SIZE = 1_000;

/**
 * Reads patterns and plans how to match them.
 *
 * @param options the patterns and how they match
 * @returns the plan, and sentences for the caller on what was read in an unexpected way
 * @throws {PathgrepError} `invalid_pattern`, with the reason, the position and often a hint
 */
export function planPattern(options: PatternOptions): { plan: PatternPlan; notes: string[] } {
  let read = readAll(options, options.caseInsensitive);
  if (options.smartCase && !options.caseInsensitive && !read.some((one) => one.hasUpperCase)) {
    read = readAll(options, true);
  }
  const branches = read.map((one) => framed(one.tree, options));
  const tree: Node = branches.length === 1 ? branches[0]! : { type: "alternation", branches };
  const literal = literalText(tree);
  const plan = literal === undefined
    ? planTree(tree, options)
    : planLiteral(literal, tree, options);
  return { plan, notes: [...new Set(read.flatMap((one) => one.notes))] };
}

function planTree(tree: Node, options: PatternOptions): PatternPlan {
  const { invert, multiline } = options;
  const locate = { source: toSource(tree, multiline), cost: costOf(tree), tree };
  if (!isBearable(locate)) throw tooLarge(options);
  const short = multiline ? tree : trimmed(tree);
  const find = short === tree
    ? locate
    : { source: toSource(short, false), cost: costOf(short), tree: short };
  const required = requiredLiterals(tree);
  return {
    invert,
    multiline,
    find,
    locate,
    literal: undefined,
    required,
    need: invert ? undefined : textNeed(tree, !multiline),
    isLinear: isLinear(tree),
  };
}

/** The plan of plain text, which takes no regular expression. */
function planLiteral(literal: string, tree: Node, options: PatternOptions): PatternPlan {
  const { invert, multiline } = options;
  const form: PatternForm = {
    source: { source: RegExp.escape(literal), flags: "v" },
    cost: "linear",
    tree,
  };
  const required = literal === "" ? [] : [literal];
  const need = invert ? undefined : textNeed(tree, !multiline);
  return { invert, multiline, find: form, locate: form, literal, required, need, isLinear: true };
}

/** Whether V8 takes a pattern of this size; it finds out on the first use only. */
function isBearable({ source: { source, flags }, tree }: PatternForm): boolean {
  const size = sizeOf(tree);
  if (size < SMALL_SIZE || size > MAX_SIZE) return size < SMALL_SIZE;
  try {
    new RegExp(source, flags).test("");
    return true;
  } catch {
    return false;
  }
}

function tooLarge({ patterns }: PatternOptions): PathgrepError {
  return new PathgrepError("invalid_pattern", "it is too large, counting what it repeats", {
    pattern: patterns.join("\n"),
    hint: "search for a smaller part of the text",
  });
}

function readAll(options: PatternOptions, caseInsensitive: boolean): ReadPattern[] {
  // Patterns that can be no plan together are not read to their end.
  if (options.patterns.length > MAX_SIZE) throw tooLarge(options);
  let size = 0;
  let firstGroup = 1;
  return options.patterns.map((pattern) => {
    const readOptions = { caseInsensitive, multiline: options.multiline, firstGroup };
    const read = options.fixedStrings || isPlainText(pattern)
      ? readFixedString(pattern, readOptions)
      : readPattern(pattern, readOptions);
    firstGroup = read.nextGroup;
    if (options.patterns.length > 1 && (size += sizeOf(read.tree)) > MAX_SIZE) {
      throw tooLarge(options);
    }
    return read;
  });
}

/** Whether a pattern has no character that could mean another than itself. */
function isPlainText(pattern: string): boolean {
  return !/[\\^$.|?*+()[\]{}]/.test(pattern);
}

/** The tree of a pattern that must match a whole word or line. */
function framed(tree: Node, options: PatternOptions): Node {
  if (options.wholeLine) {
    return sequence([
      { type: "anchor", kind: "lineStart", fold: false },
      tree,
      { type: "anchor", kind: "lineEnd", fold: false },
    ]);
  }
  if (options.wholeWord) {
    const word = charSet("\\p{L}\\p{M}\\p{N}\\p{Pc}", false, false);
    return sequence([
      { type: "look", behind: true, negated: true, item: word },
      tree,
      { type: "look", behind: false, negated: true, item: word },
    ]);
  }
  return tree;
}
