/**
 * Estimates the worst case of a backtracking engine for a pattern from its tree.
 *
 * @module
 */

import { ALL_ASCII, childrenOf, isNullable, type PatternNode, some } from "./ast.ts";
import { valueAt } from "../util/collections.ts";

export interface Estimate {
  /**
   * How the worst case grows with the length of a line: `linear`; `quadratic`, which is fine on short
   * lines; or `unbounded`, a higher power or exponential.
   */
  cost: "linear" | "quadratic" | "unbounded";
  /**
   * Steps of the engine per character of the text if the cost is linear, else per pair of
   * characters of a line.
   */
  factor: number;
}

/** The most steps per character in linear work; with more, the linear matcher is as fast. */
const MAX_LINEAR_FACTOR = 40;
/** The same for quadratic work. */
const MAX_QUADRATIC_FACTOR = 8;
/** Repeats of at most this many rounds cost a constant, longer ones the line's length. */
const SHORT_REPEAT = 16;

interface First {
  ascii: bigint;
  beyond: boolean;
}

/** A bound on work: at most `factor * length ** degree`, for a line that is longer than a short repeat. */
interface Bound {
  factor: number;
  degree: number;
}

/** What one attempt to match a node can cost. */
interface Effort {
  /** Steps inside the node. */
  work: Bound;
  /** How many times the rest of the pattern is tried beyond its first character. */
  ways: Bound;
}

const NOTHING: First = { ascii: 0n, beyond: false };
const ANYTHING: First = { ascii: ALL_ASCII, beyond: true };
/** The cost of one character: next to nothing, since choices make the work. */
const FREE: Bound = { factor: 1 / 16, degree: 0 };
const ONCE: Bound = { factor: 1, degree: 0 };
const EACH: Bound = { factor: 1, degree: 1 };
const HOPELESS: Bound = { factor: 1, degree: Infinity };

/** @param multiline whether the pattern is matched against whole texts, not lines */
export function costOf(tree: PatternNode, multiline: boolean): Estimate {
  const { work } = effort(tree, NOTHING);
  const isSinglePass = work.degree > 0 && (startsOnce(tree, multiline) || !rescans(tree));
  const degree = isSinglePass ? work.degree : work.degree + 1;
  const factor = Math.max(1, work.factor);
  if (degree === 1 && factor <= MAX_LINEAR_FACTOR) return { cost: "linear", factor };
  const isQuadratic = degree === 2 && factor <= MAX_QUADRATIC_FACTOR;
  return { cost: isQuadratic ? "quadratic" : "unbounded", factor };
}

/** Whether an engine that counts how often groups are tried may give up: one is repeated, or referred to. */
export function mayGiveUp(tree: PatternNode): boolean {
  return some(tree, (node) => {
    if (node.type === "backreference") return true;
    return node.type === "repeat" && node.item.type !== "char" && node.item.type !== "set";
  });
}

/** Whether a match can only start where the text, or the line, does. */
function startsOnce(node: PatternNode, multiline: boolean): boolean {
  switch (node.type) {
    case "anchor":
      return node.kind === "textStart" || node.kind === "lineStart" && !multiline;
    case "sequence":
      return node.items.length > 0 && startsOnce(node.items[0]!, multiline);
    case "alternation":
      return node.branches.every((branch) => startsOnce(branch, multiline));
    default:
      return node.type === "capture" && startsOnce(node.item, multiline);
  }
}

/**
 * Whether many attempts may read the same stretch of text again. They do not if every match begins
 * with a character that the stretch cannot hold: then an attempt starts close to the stretch's end.
 */
function rescans(tree: PatternNode): boolean {
  const opening = openingOf(tree).firsts;
  const visit = (node: PatternNode): boolean => {
    if (node.type === "backreference") return true;
    if (node.type === "repeat" && node.max > SHORT_REPEAT) {
      const stretch = charactersOf(node);
      return opening.every((first) => !areDisjoint(stretch, first));
    }
    return childrenOf(node).some(visit);
  };
  return visit(tree);
}

function charactersOf(node: PatternNode): First {
  if (node.type === "char" || node.type === "set") return firstOf(node);
  if (node.type === "backreference") return ANYTHING;
  return childrenOf(node).map(charactersOf).reduce(union, NOTHING);
}

/** The first characters of every match, one by one, and whether they are the whole node. */
function openingOf(node: PatternNode): { firsts: First[]; isAll: boolean } {
  if (node.type === "char" || node.type === "set") return { firsts: [firstOf(node)], isAll: true };
  if (node.type === "anchor") return { firsts: [], isAll: true };
  if (node.type === "capture") return openingOf(node.item);
  if (node.type === "sequence") {
    const firsts: First[] = [];
    for (const item of node.items) {
      const opening = openingOf(item);
      firsts.push(...opening.firsts);
      if (!opening.isAll) return { firsts, isAll: false };
    }
    return { firsts, isAll: true };
  }
  // The engine enters a lookaround before it reads the character that follows.
  const isOpen = node.type === "look" || node.type === "backreference" || isNullable(node);
  return { firsts: isOpen ? [] : [firstOf(node)], isAll: false };
}

/** The effort of a node that is followed by something that can start with `follow`. */
function effort(node: PatternNode, follow: First): Effort {
  switch (node.type) {
    case "char":
    case "set":
    case "anchor":
      return { work: FREE, ways: ONCE };
    case "backreference":
      return { work: EACH, ways: ONCE };
    case "capture":
      return effort(node.item, follow);
    case "look":
      // A lookaround that holds is not entered again. A lookbehind is matched from its end.
      return { ...effort(node.behind ? mirrored(node.item) : node.item, NOTHING), ways: ONCE };
    case "sequence":
      return ofSequence(node.items, follow);
    case "alternation":
      return ofAlternation(node.branches, follow);
    case "repeat":
      return ofRepeat(node, follow);
  }
}

function ofSequence(items: readonly PatternNode[], follow: First): Effort {
  // From the end: what follows an item is tried once for each way to match the item.
  let work = FREE;
  let ways = ONCE;
  let after = follow;
  for (const item of items.toReversed()) {
    const own = effort(item, after);
    work = sum(own.work, product(own.ways, work));
    ways = product(own.ways, ways);
    after = followedBy(item, after);
  }
  return { work: sum(work, ways), ways };
}

function ofAlternation(branches: readonly PatternNode[], follow: First): Effort {
  const efforts = branches.map((branch) => effort(branch, follow));
  const work = efforts.map((one) => one.work).reduce(sum, ONCE);
  // The first character may leave only one branch.
  let seen = NOTHING;
  let isDecided = true;
  for (const branch of branches) {
    const first = followedBy(branch, follow);
    isDecided &&= areDisjoint(first, seen);
    seen = union(seen, first);
  }
  const ways = efforts.map((one) => one.ways).reduce(isDecided ? larger : sum);
  return { work, ways };
}

function ofRepeat(node: PatternNode & { type: "repeat" }, follow: First): Effort {
  const { item, min, max } = node;
  if (max === 0) return { work: FREE, ways: ONCE };
  const start = firstOf(item);
  const isNested = max > 1;
  const body = effort(item, isNested ? union(start, follow) : follow);
  const isLong = max > SHORT_REPEAT;
  const isSimple = body.ways.factor === 1 && body.ways.degree === 0;
  if (isNested && isLong && (!isSimple || isNullable(item))) {
    return { work: HOPELESS, ways: HOPELESS };
  }
  const round = sum(body.work, ONCE);
  const work = isLong
    ? ofRounds(round, item)
    : product({ factor: max, degree: 0 }, isSimple ? round : power(round, max));
  const exits = areDisjoint(start, follow) && !isNullable(item)
    ? ONCE
    : isLong
    ? EACH
    : { factor: max - min + 1, degree: 0 };
  return { work, ways: product(exits, isSimple ? ONCE : power(body.ways, max)) };
}

/** The work of all rounds of a long repeat, whose body has one way to match. */
function ofRounds({ factor, degree }: Bound, item: PatternNode): Bound {
  const looksAround = some(item, ({ type }) => type === "look" || type === "backreference");
  // What a round has read no other reads again, unless it only looked at it.
  return degree > (looksAround ? 0 : 1) ? HOPELESS : { factor, degree: 1 };
}

/** The characters that a node followed by `follow` can start with. */
function followedBy(node: PatternNode, follow: First): First {
  return isNullable(node) ? union(firstOf(node), follow) : firstOf(node);
}

/** Cached: where groups are nested, each node is asked for at every level. */
const firsts = new WeakMap<PatternNode, First>();

/** The characters that a node can start with; any for a lookaround, which may cost something. */
function firstOf(node: PatternNode): First {
  return valueAt(firsts, node, startingCharacters);
}

function startingCharacters(node: PatternNode): First {
  switch (node.type) {
    case "char": {
      const { codePoint, fold } = node;
      const letter = String.fromCodePoint(codePoint);
      if (codePoint >= 128) return { ascii: fold ? ALL_ASCII : 0n, beyond: true };
      if (!fold) return { ascii: 1n << BigInt(codePoint), beyond: false };
      const cases = [letter.toLowerCase(), letter.toUpperCase()];
      return {
        ascii: cases.reduce((bits, one) => bits | 1n << BigInt(one.charCodeAt(0)), 0n),
        beyond: /[ks]/i.test(letter),
      };
    }
    case "set":
      return node;
    case "anchor":
      return NOTHING;
    case "look":
    case "backreference":
      return ANYTHING;
    case "sequence": {
      let first = NOTHING;
      for (const item of node.items) {
        first = union(first, firstOf(item));
        if (!isNullable(item)) break;
      }
      return first;
    }
    default:
      return childrenOf(node).map(firstOf).reduce(union);
  }
}

/** The tree that matches the reversed text. */
function mirrored(node: PatternNode): PatternNode {
  switch (node.type) {
    case "sequence":
      return { ...node, items: node.items.toReversed().map(mirrored) };
    case "alternation":
      return { ...node, branches: node.branches.map(mirrored) };
    case "repeat":
    case "capture":
      return { ...node, item: mirrored(node.item) };
    default:
      return node;
  }
}

function areDisjoint(one: First, other: First): boolean {
  return (one.ascii & other.ascii) === 0n && !(one.beyond && other.beyond);
}

function union(one: First, other: First): First {
  return { ascii: one.ascii | other.ascii, beyond: one.beyond || other.beyond };
}

function sum(one: Bound, other: Bound): Bound {
  const [more, less] = one.degree < other.degree ? [other, one] : [one, other];
  const least = less.degree < more.degree ? SHORT_REPEAT : 1;
  return { factor: more.factor + less.factor / least, degree: more.degree };
}

function larger(one: Bound, other: Bound): Bound {
  return {
    factor: Math.max(one.factor, other.factor),
    degree: Math.max(one.degree, other.degree),
  };
}

function product(one: Bound, other: Bound): Bound {
  return { factor: one.factor * other.factor, degree: one.degree + other.degree };
}

function power({ factor, degree }: Bound, exponent: number): Bound {
  return { factor: factor ** exponent, degree: degree * exponent };
}
