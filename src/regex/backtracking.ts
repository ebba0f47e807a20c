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

/**
 * A bound on work: what it takes once, for each character of the line, and for each pair of them. None is
 * dropped beside a higher one: what a pattern takes once may be more than any line has characters.
 */
type Bound = readonly [once: number, perCharacter: number, perPair: number];

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
const FREE: Bound = [1 / 16, 0, 0];
const ONCE: Bound = [1, 0, 0];
const EACH: Bound = [0, 1, 0];
const HOPELESS: Bound = [Infinity, Infinity, Infinity];

/** @param multiline whether the pattern is matched against whole texts, not lines */
export function costOf(tree: PatternNode, multiline: boolean): Estimate {
  const { work } = effort(tree, NOTHING);
  const isSinglePass = startsOnce(tree, multiline) || !rescans(tree);
  const [perStart, ...more] = work;
  const [perCharacter, perPair, beyond] = isSinglePass
    ? [perStart + more[0], more[1], 0]
    : [perStart, ...more];
  if (perPair === 0 && beyond === 0) {
    const factor = Math.max(1, perCharacter);
    return { cost: factor <= MAX_LINEAR_FACTOR ? "linear" : "unbounded", factor };
  }
  // What takes long from a single start does so only on long lines.
  const factor = Math.max(1, perPair + perCharacter / SHORT_REPEAT);
  const isQuadratic = beyond === 0 && factor <= MAX_QUADRATIC_FACTOR;
  return { cost: isQuadratic ? "quadratic" : "unbounded", factor };
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
  const rounds: Bound = isLong ? EACH : [max, 0, 0];
  const isSimple = isOnce(body.ways);
  if (isNested && isLong && (!isSimple || isNullable(item))) {
    return { work: HOPELESS, ways: HOPELESS };
  }
  const work = isLong
    ? ofRounds(sum(body.work, ONCE), item)
    : product(rounds, isSimple ? sum(body.work, ONCE) : power(sum(body.work, ONCE), max));
  const exits: Bound = areDisjoint(start, follow) && !isNullable(item)
    ? ONCE
    : isLong
    ? EACH
    : [max - min + 1, 0, 0];
  return { work, ways: product(exits, isSimple ? ONCE : power(body.ways, max)) };
}

/** The work of all rounds of a long repeat, whose body has one way to match. */
function ofRounds(body: Bound, item: PatternNode): Bound {
  const [once, perCharacter, perPair] = body;
  const looksAround = some(item, ({ type }) => type === "look" || type === "backreference");
  // What a round has read no other reads again, unless it only looked at it.
  if (!looksAround && perPair === 0) return [0, once + perCharacter, 0];
  return perCharacter > 0 ? HOPELESS : product(EACH, body);
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

function isOnce(bound: Bound): boolean {
  return bound.every((work, index) => work === ONCE[index]);
}

function sum([a, b, c]: Bound, [x, y, z]: Bound): Bound {
  return [a + x, b + y, c + z];
}

function larger([a, b, c]: Bound, [x, y, z]: Bound): Bound {
  return [Math.max(a, x), Math.max(b, y), Math.max(c, z)];
}

function product(one: Bound, other: Bound): Bound {
  const [a, b, c] = one;
  const [x, y, z] = other;
  const isTooMuch = [...one, ...other].includes(Infinity) || c * (y + z) + b * z > 0;
  return isTooMuch ? HOPELESS : [a * x, a * y + b * x, a * z + b * y + c * x];
}

function power(bound: Bound, exponent: number): Bound {
  let result = ONCE;
  for (let round = 0; round < exponent; round++) result = product(result, bound);
  return result;
}
