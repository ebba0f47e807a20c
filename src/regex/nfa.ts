/**
 * Compiles a pattern to a nondeterministic automaton (Thompson's construction).
 *
 * @module
 */

import { charSet } from "./char_set.ts";
import { type Source, toSource } from "./printer.ts";
import { type Anchor, isNullable, type PatternNode, some } from "./ast.ts";
import { valueAt } from "../util/collections.ts";

/** An instruction. `next` and `other` are indices of instructions; `next` has priority. */
type NfaInstruction =
  | { op: "set"; set: number; next: number }
  | { op: "assert"; assertion: Assertion; next: number }
  | { op: "split"; next: number; other: number }
  | { op: "match" };

/** An assertion about a position; `set` is an index of {@linkcode Nfa.sets}. */
export type Assertion =
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
