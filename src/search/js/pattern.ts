/**
 * Planning a search pattern: reading it once, before any file is opened, into plain data that every
 * thread can match with.
 *
 * @module
 */

import { PathgrepError } from "../../errors.ts";
import { charSet } from "./charset.ts";
import { readFixedString, type ReadPattern, readPattern } from "./dialect.ts";
import { type Source, toSource } from "./source.ts";
import { type Node, sequence } from "./tree.ts";

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

/** A pattern ready to be matched: plain data that can be sent to a worker. */
export interface PatternPlan {
  invert: boolean;
  multiline: boolean;
  /** Finds where the matches are. */
  locate: Source;
  tree: Node;
}

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
  const locate = toSource(tree, options.multiline);
  checkCompiles(locate, options.patterns);
  return {
    plan: { invert: options.invert, multiline: options.multiline, locate, tree },
    notes: [...new Set(read.flatMap((one) => one.notes))],
  };
}

function readAll(options: PatternOptions, caseInsensitive: boolean): ReadPattern[] {
  let firstGroup = 1;
  return options.patterns.map((pattern) => {
    const readOptions = { caseInsensitive, multiline: options.multiline, firstGroup };
    const read = options.fixedStrings
      ? readFixedString(pattern, readOptions)
      : readPattern(pattern, readOptions);
    firstGroup = read.nextGroup;
    return read;
  });
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

/** V8 compiles on the first use only, and may find then that a pattern is too large for it. */
function checkCompiles(source: Source, patterns: readonly string[]): void {
  try {
    new RegExp(source.source, source.flags).test("");
  } catch (thrown) {
    throw new PathgrepError("invalid_pattern", (thrown as Error).message, {
      pattern: patterns.join("\n"),
      hint: "write a smaller pattern",
    });
  }
}
