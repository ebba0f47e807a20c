/**
 * Compiles a pattern to a nondeterministic automaton (Thompson's construction), and sorts characters into
 * classes that it does not distinguish, so that tables stay small.
 *
 * @module
 */

import { charSet } from "./char_set.ts";
import { type Source, toSource } from "./printer.ts";
import { type Anchor, isNullable, type PatternNode, some } from "./ast.ts";
import { valueAt } from "../util/collections.ts";
import type { Pulse } from "../util/pulse.ts";

/** An instruction. `next` and `other` are indices of instructions; `next` has priority. */
type NfaInstruction =
  | { op: "set"; set: number; next: number }
  | { op: "assert"; assertion: Assertion; next: number }
  | { op: "split"; next: number; other: number }
  | { op: "match" };

/** An assertion about a position; `set` is an index of {@linkcode Nfa.sets}. */
type Assertion =
  | { kind: Anchor["kind"]; set: number }
  | { kind: "look"; behind: boolean; negated: boolean; set: number };

export interface Nfa {
  instructions: readonly NfaInstruction[];
  start: number;
  /** Regular expressions, each of which tests whether one character is in a set. */
  sets: readonly Source[];
}

/** Whether a pattern has an NFA: no backreferences, and lookarounds of one character at most. */
export function isLinear(tree: PatternNode): boolean {
  return !some(tree, (node) => {
    if (node.type === "backreference") return true;
    return node.type === "look" && node.item.type !== "set" && node.item.type !== "char";
  });
}

/**
 * @param tree a tree that {@linkcode isLinear} accepts
 * @param multiline whether sets may hold `\n`
 */
export function toNfa(tree: PatternNode, multiline: boolean): Nfa {
  const compiler = new Compiler(multiline);
  const start = compiler.compile(tree, compiler.emit({ op: "match" }));
  return { instructions: compiler.instructions, start, sets: compiler.sets };
}

/** In place of an instruction's index: this way fails. */
const FAIL = -1;

/**
 * Emits a program from its end, so that each instruction's successor exists before it.
 *
 * Beyond its minimum a repeat takes another round in JavaScript only if the round matches a character,
 * and otherwise tries the round's other alternatives. A body that can match the empty string is
 * therefore emitted twice: before its first character, where its end fails, and after it.
 */
class Compiler {
  readonly instructions: NfaInstruction[] = [];
  readonly sets: Source[] = [];
  readonly #multiline: boolean;
  readonly #setIndices = new Map<string, number>();
  /** Instructions by their text, so that none is emitted twice. */
  readonly #emitted = new Map<string, number>();
  /** Where a node starts, by what follows it. */
  readonly #starts = new Map<PatternNode, Map<string, number>>();
  /** The same for the unbounded part of a repeat. */
  readonly #loops = new Map<PatternNode, Map<number, number>>();

  constructor(multiline: boolean) {
    this.#multiline = multiline;
  }

  emit(instruction: NfaInstruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /**
   * Compiles a node and returns its first instruction.
   *
   * @param next what follows it
   * @param unmoved what follows it if the enclosing round has matched no character so far
   */
  compile(node: PatternNode, next: number, unmoved: number = next): number {
    const after = isNullable(node) ? unmoved : next;
    const starts = valueAt(this.#starts, node, () => new Map<string, number>());
    return valueAt(starts, `${next},${after}`, () => this.#emitNode(node, next, after));
  }

  #emitNode(node: PatternNode, next: number, unmoved: number): number {
    switch (node.type) {
      case "char":
      case "set": {
        const set = this.#setOf(node);
        return this.#emitOnce(`${set}>${next}`, { op: "set", set, next });
      }
      case "anchor": {
        const set = this.#setOf(charSet("\\w", node.fold));
        return this.#assert({ kind: node.kind, set }, unmoved);
      }
      case "look": {
        const { behind, negated, item } = node;
        return this.#assert({ kind: "look", behind, negated, set: this.#setOf(item) }, unmoved);
      }
      case "sequence":
        return this.#sequence(node.items, next, unmoved);
      case "alternation":
        return node.branches.map((branch) => this.compile(branch, next, unmoved))
          .reduceRight((other, first) => this.#split(first, other));
      case "capture":
        return this.compile(node.item, next, unmoved);
      case "repeat":
        return this.#repeat(node, next, unmoved);
      case "backreference":
        throw new Error("a backreference has no NFA");
    }
  }

  #sequence(items: readonly PatternNode[], next: number, unmoved: number): number {
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index]!;
      unmoved = this.compile(item, next, unmoved);
      if (index > 0) next = this.compile(item, next);
    }
    return unmoved;
  }

  #repeat(node: PatternNode & { type: "repeat" }, next: number, unmoved: number): number {
    const { item, min } = node;
    const moved = min > 0 ? this.#furtherRounds(node, next, next) : next;
    const start = this.#furtherRounds(node, next, unmoved);
    return min > 0 ? this.#sequence(Array(min).fill(item), moved, start) : start;
  }

  /** Compiles the rounds of a repeat beyond its minimum. */
  #furtherRounds(node: PatternNode & { type: "repeat" }, next: number, unmoved: number): number {
    const { item, min, max, lazy } = node;
    let start = next;
    if (max === Infinity) {
      const loop = this.#loop(node, next);
      if (unmoved === next) return loop;
      return this.#choice(lazy, this.compile(item, loop, FAIL), unmoved);
    }
    for (let left = max - min; left > 0; left--) {
      start = this.#choice(lazy, this.compile(item, start, FAIL), left === 1 ? unmoved : next);
    }
    return max === min ? unmoved : start;
  }

  #loop(node: PatternNode & { type: "repeat" }, next: number): number {
    const loops = valueAt(this.#loops, node, () => new Map());
    const known = loops.get(next);
    if (known !== undefined) return known;
    const split: NfaInstruction & { op: "split" } = { op: "split", next, other: next };
    const loop = this.emit(split);
    loops.set(next, loop);
    const body = this.compile(node.item, loop, FAIL);
    if (body !== FAIL) split[node.lazy ? "other" : "next"] = body;
    return loop;
  }

  #choice(lazy: boolean, round: number, exit: number): number {
    return lazy ? this.#split(exit, round) : this.#split(round, exit);
  }

  #split(next: number, other: number): number {
    if (next === FAIL || next === other) return other;
    if (other === FAIL) return next;
    return this.#emitOnce(`${next}|${other}`, { op: "split", next, other });
  }

  #assert(assertion: Assertion, next: number): number {
    if (next === FAIL) return FAIL;
    const key = `${JSON.stringify(assertion)}>${next}`;
    return this.#emitOnce(key, { op: "assert", assertion, next });
  }

  #emitOnce(key: string, instruction: NfaInstruction): number {
    return valueAt(this.#emitted, key, () => this.emit(instruction));
  }

  #setOf(node: PatternNode): number {
    const source = toSource(node, this.#multiline);
    const key = `${source.flags}/${source.source}`;
    return valueAt(this.#setIndices, key, () => this.sets.push(source) - 1);
  }
}

/** The class of the ends of the text and, when matching by lines, of `\n`. */
export const EDGE = 1;

const NEWLINE = 0x0a;

/** Limits on classes and on the bits of their sets; past one, all classes are dropped. */
const MAX_CLASSES = 60_000;
const MAX_BITS = 1 << 28;
/** Steps that a test, and making it, counts as: on first use V8 compiles it. */
const STEPS_PER_TEST = 500;

/** The classes of the characters seen so far. */
export class CharClasses {
  count = 0;
  /** How often all classes have been dropped; numbers of an earlier generation are void. */
  generation = 0;
  /** Classes by UTF-16 code unit; 0: not computed yet, or half of a surrogate pair. */
  readonly known: Uint16Array = new Uint16Array(0x10000);
  readonly #astral = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  /** By class, a bit for each set. */
  #members: Uint8Array[] = [];
  readonly #tests: readonly RegExp[];
  readonly #isMultiline: boolean;
  readonly #pulse: Pulse;
  readonly #limit: number;
  #newline = EDGE;

  /** @param multiline whether `\n` is a character like any other */
  constructor(nfa: Nfa, multiline: boolean, pulse: Pulse) {
    this.#tests = nfa.sets.map(({ source, flags }) => {
      pulse.beat(STEPS_PER_TEST);
      return new RegExp(source, flags);
    });
    this.#isMultiline = multiline;
    this.#pulse = pulse;
    this.#limit = Math.min(MAX_CLASSES, Math.floor(MAX_BITS / (this.#tests.length + 1)));
    this.#clear();
  }

  /** Drops all classes unless there is room for those of two more characters. */
  makeRoom(): void {
    if (this.count + 2 <= this.#limit) return;
    this.generation++;
    this.#clear();
  }

  #clear(): void {
    const nowhere = new Uint8Array(Math.ceil(this.#tests.length / 8));
    this.#members = [nowhere, nowhere];
    this.count = this.#members.length;
    this.#bySignature.clear();
    this.#astral.clear();
    this.known.fill(0);
    if (this.#isMultiline) this.#newline = this.#add(this.#test(NEWLINE));
    this.known[NEWLINE] = this.#newline;
  }

  of(codePoint: number): number {
    const isAstral = codePoint > 0xffff;
    const known = isAstral ? this.#astral.get(codePoint) ?? 0 : this.known[codePoint]!;
    if (known !== 0) return known;
    const members = this.#test(codePoint);
    const signature = String.fromCharCode(...members);
    const found = this.#bySignature.get(signature) ?? this.#add(members);
    this.#bySignature.set(signature, found);
    if (isAstral) this.#astral.set(codePoint, found);
    else if (codePoint < 0xd800 || codePoint > 0xdfff) this.known[codePoint] = found;
    return found;
  }

  /** The class of the character at an offset; {@linkcode EDGE} at the end. */
  at(text: string, offset: number): number {
    return offset < text.length ? this.of(text.codePointAt(offset)!) : EDGE;
  }

  /** The class of the character before an offset; {@linkcode EDGE} at the start. */
  before(text: string, offset: number): number {
    if (offset === 0) return EDGE;
    const pair = offset > 1 ? text.codePointAt(offset - 2)! : 0;
    return this.of(pair > 0xffff ? pair : text.charCodeAt(offset - 1));
  }

  isMember(charClass: number, set: number): boolean {
    return (this.#members[charClass]![set >> 3]! >> (set & 7) & 1) === 1;
  }

  /** Whether an assertion holds between characters of two classes. */
  holds(assertion: Assertion, before: number, after: number): boolean {
    switch (assertion.kind) {
      case "lineStart":
        return before === EDGE || before === this.#newline;
      case "lineEnd":
        return after === EDGE || after === this.#newline;
      case "textStart":
        return before === EDGE;
      case "textEnd":
        return after === EDGE;
      case "boundary":
        return this.isMember(before, assertion.set) !== this.isMember(after, assertion.set);
      case "notBoundary":
        return this.isMember(before, assertion.set) === this.isMember(after, assertion.set);
      case "look":
        return this.isMember(assertion.behind ? before : after, assertion.set) !==
          assertion.negated;
    }
  }

  #test(codePoint: number): Uint8Array {
    const char = String.fromCodePoint(codePoint);
    const members = new Uint8Array(Math.ceil(this.#tests.length / 8));
    for (const [set, test] of this.#tests.entries()) {
      if (test.test(char)) members[set >> 3]! |= 1 << (set & 7);
      this.#pulse.beat(STEPS_PER_TEST);
    }
    return members;
  }

  #add(members: Uint8Array): number {
    this.#members.push(members);
    return this.count++;
  }
}
