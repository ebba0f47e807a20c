/**
 * How much work a backtracking engine can have with a pattern, judged from its tree.
 *
 * @module
 */

import { childrenOf, isNullable, type Node, some } from "./ast.ts";

/**
 * The growth of the work with the length of a line at worst: `linear` in it; `quadratic`, which short
 * lines allow; or `unbounded`, a higher power or an exponential.
 */
export type Cost = "linear" | "quadratic" | "unbounded";

/** Choices times this many stay bearable in linear work. */
const MAX_LINEAR_FACTOR = 200;
/** The same, in quadratic work. */
const MAX_QUADRATIC_FACTOR = 8;
/** Repeats up to this many times count as constant work, longer ones as work in the line's length. */
const SHORT_REPEAT = 16;

const ALL_ASCII = (1n << 128n) - 1n;

/** Which characters something can start with. */
interface First {
  ascii: bigint;
  beyond: boolean;
}

/** A bound: so many times the line's length to the power of `degree`. */
interface Bound {
  degree: number;
  factor: number;
}

/** What a part of a pattern can do at one place. */
interface Effort {
  /** Steps spent inside. */
  work: Bound;
  /** How often what follows is tried, beyond its first character. */
  ways: Bound;
}

const NOTHING: First = { ascii: 0n, beyond: false };
const ANYTHING: First = { ascii: ALL_ASCII, beyond: true };
/** Going on by one character is not counted: it is choices that make the work. */
const FREE: Bound = { degree: 0, factor: 0 };
const ONCE: Bound = { degree: 0, factor: 1 };
const HOPELESS: Bound = { degree: Infinity, factor: 1 };

/** Judges a pattern. */
export function costOf(tree: Node): Cost {
  const { work } = effort(tree, NOTHING);
  const degree = startsOnce(tree) || !rescans(tree) ? Math.max(1, work.degree) : 1 + work.degree;
  if (degree === 1 && work.factor <= MAX_LINEAR_FACTOR) return "linear";
  if (degree <= 2 && work.factor <= MAX_QUADRATIC_FACTOR) return "quadratic";
  return "unbounded";
}

/** Whether a match can only start at the start of a line. */
function startsOnce(node: Node): boolean {
  if (node.type === "anchor") return node.kind === "lineStart" || node.kind === "textStart";
  if (node.type === "sequence") return node.items.length > 0 && startsOnce(node.items[0]!);
  if (node.type === "alternation") return node.branches.every(startsOnce);
  return node.type === "capture" && startsOnce(node.item);
}

/**
 * Whether a stretch that one attempt has gone over may be gone over by many others that start in it. It
 * may not where each must soon take a character that the stretch has none of: then it has to start close
 * to the stretch's end.
 */
function rescans(tree: Node): boolean {
  const opening = openingOf(tree).firsts;
  const visit = (node: Node): boolean => {
    if (node.type === "backreference") return true;
    if (node.type === "repeat" && node.max > SHORT_REPEAT) {
      const stretch = charactersOf(node);
      return opening.every((first) => !areDisjoint(stretch, first));
    }
    return childrenOf(node).some(visit);
  };
  return visit(tree);
}

/** All characters that a node can take. */
function charactersOf(node: Node): First {
  if (node.type === "char" || node.type === "set") return firstOf(node);
  if (node.type === "backreference") return ANYTHING;
  return childrenOf(node).map(charactersOf).reduce(union, NOTHING);
}

/** What every match begins with, character by character, and whether that is all of the node. */
function openingOf(node: Node): { firsts: First[]; isAll: boolean } {
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
  // A lookaround is entered before the character that follows it is looked at.
  const isOpen = node.type === "look" || node.type === "backreference" || isNullable(node);
  return { firsts: isOpen ? [] : [firstOf(node)], isAll: false };
}

/** The effort of a node before something that can start with `follow`. */
function effort(node: Node, follow: First): Effort {
  switch (node.type) {
    case "char":
    case "set":
    case "anchor":
      return { work: FREE, ways: ONCE };
    case "backreference":
      return { work: { degree: 1, factor: 1 }, ways: ONCE };
    case "capture":
      return effort(node.item, follow);
    case "look":
      // Once it holds, a lookaround is not entered again. Behind, it is matched from its end.
      return {
        work: effort(node.behind ? mirrored(node.item) : node.item, NOTHING).work,
        ways: ONCE,
      };
    case "sequence":
      return ofSequence(node.items, follow);
    case "alternation":
      return ofAlternation(node.branches, follow);
    case "repeat":
      return ofRepeat(node, follow);
  }
}

function ofSequence(items: readonly Node[], follow: First): Effort {
  // Seen from the end: what comes after an item is done as often as the item can be matched.
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

function ofAlternation(branches: readonly Node[], follow: First): Effort {
  const efforts = branches.map((branch) => effort(branch, follow));
  const work = efforts.map((one) => one.work).reduce(sum, ONCE);
  // The first character may decide which branch can match.
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

function ofRepeat(node: Node & { type: "repeat" }, follow: First): Effort {
  const { item, min, max } = node;
  if (max === 0) return { work: FREE, ways: ONCE };
  const start = firstOf(item);
  const isNested = max > 1;
  const body = effort(item, isNested ? union(start, follow) : follow);
  const isLong = max > SHORT_REPEAT;
  const rounds: Bound = isLong ? { degree: 1, factor: 1 } : { degree: 0, factor: max };
  const isSimple = body.ways.degree === 0 && body.ways.factor === 1;
  if (isNested && isLong && (!isSimple || isNullable(item))) {
    return { work: HOPELESS, ways: HOPELESS };
  }
  // A body that is matched in one way only goes over each character once, however often it repeats.
  const work = isLong
    ? body.work.degree > 0 && looksAround(item) ? HOPELESS : rounds
    : product(rounds, isSimple ? sum(body.work, ONCE) : power(sum(body.work, ONCE), max));
  const exits = areDisjoint(start, follow) && !isNullable(item)
    ? ONCE
    : isLong
    ? rounds
    : { degree: 0, factor: max - min + 1 };
  return { work, ways: product(exits, isSimple ? ONCE : power(body.ways, max)) };
}

/** Whether something below may go over the same characters in each round of a repeat. */
function looksAround(node: Node): boolean {
  return some(node, ({ type }) => type === "look" || type === "backreference");
}

/** What can come first where a node stands before `follow`. */
function followedBy(node: Node, follow: First): First {
  return isNullable(node) ? union(firstOf(node), follow) : firstOf(node);
}

/** What a node can start with; a lookaround, which may cost something, starts with anything. */
function firstOf(node: Node): First {
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

/** A tree that reads backwards. */
function mirrored(node: Node): Node {
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
  if (one.degree !== other.degree) return larger(one, other);
  return { degree: one.degree, factor: one.factor + other.factor };
}

function larger(one: Bound, other: Bound): Bound {
  if (one.degree !== other.degree) return one.degree > other.degree ? one : other;
  return one.factor > other.factor ? one : other;
}

function product(one: Bound, other: Bound): Bound {
  return { degree: one.degree + other.degree, factor: one.factor * other.factor };
}

function power(bound: Bound, exponent: number): Bound {
  return { degree: bound.degree * exponent, factor: bound.factor ** exponent };
}
