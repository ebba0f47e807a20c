/**
 * A pattern as a program for a machine that follows all its ways through a text at once.
 *
 * @module
 */

import { charSet } from "../../regex/char_set.ts";
import { type Source, toSource } from "../../regex/printer.ts";
import { type Anchor, type Node, sizeOf, some } from "../../regex/ast.ts";

/** An instruction; `next` and `other` are indices of instructions, and `next` is tried first. */
export type Instruction =
  | { op: "set"; set: number; next: number }
  | { op: "assert"; assertion: Assertion; next: number }
  | { op: "split"; next: number; other: number }
  | { op: "match" };

/** What must hold between two characters; `set` is an index of {@linkcode Program.sets}. */
export type Assertion =
  | { kind: Anchor["kind"]; set: number }
  | { kind: "look"; behind: boolean; negated: boolean; set: number };

/** A program. */
export interface Program {
  instructions: readonly Instruction[];
  /** The instruction to start at. */
  start: number;
  /** Regular expressions that tell of one character whether it is in a set. */
  sets: readonly Source[];
}

/** The size of the largest program. */
const MAX_INSTRUCTIONS = 20_000;

/**
 * Whether a pattern can be a program: it refers to no group, looks ahead and behind by one character at
 * most, and is of bearable size.
 */
export function isLinear(tree: Node): boolean {
  if (sizeOf(tree) > MAX_INSTRUCTIONS) return false;
  return !some(tree, (node) => {
    if (node.type === "backreference") return true;
    return node.type === "look" && node.item.type !== "set" && node.item.type !== "char";
  });
}

/**
 * The program of a pattern.
 *
 * @param tree a tree that {@linkcode isLinear} accepts
 * @param multiline whether sets may hold `\n`
 */
export function toProgram(tree: Node, multiline: boolean): Program {
  const compiler = new Compiler(multiline);
  const start = compiler.compile(tree, compiler.emit({ op: "match" }));
  return { instructions: compiler.instructions, start, sets: compiler.sets };
}

/** Builds a program from its end, so that each instruction knows the next. */
class Compiler {
  readonly instructions: Instruction[] = [];
  readonly sets: Source[] = [];
  readonly #multiline: boolean;
  readonly #setIndices = new Map<string, number>();

  constructor(multiline: boolean) {
    this.#multiline = multiline;
  }

  emit(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /** The instruction at which `node` starts when `next` comes after it. */
  compile(node: Node, next: number): number {
    switch (node.type) {
      case "char":
      case "set":
        return this.emit({ op: "set", set: this.#setOf(node), next });
      case "anchor":
        return this.emit({
          op: "assert",
          assertion: { kind: node.kind, set: this.#setOf(charSet("\\w", false, node.fold)) },
          next,
        });
      case "look": {
        const { behind, negated } = node;
        const assertion = { kind: "look", behind, negated, set: this.#setOf(node.item) } as const;
        return this.emit({ op: "assert", assertion, next });
      }
      case "sequence":
        return node.items.reduceRight((after, item) => this.compile(item, after), next);
      case "alternation":
        return node.branches.map((branch) => this.compile(branch, next))
          .reduceRight((other, first) => this.emit({ op: "split", next: first, other }));
      case "capture":
        return this.compile(node.item, next);
      case "repeat":
        return this.#repeat(node, next);
      case "backreference":
        throw new Error("a backreference has no program");
    }
  }

  #repeat({ item, min, max, lazy }: Node & { type: "repeat" }, next: number): number {
    let start = next;
    let copies = min;
    if (max === Infinity) {
      const split: Instruction & { op: "split" } = { op: "split", next, other: next };
      start = this.emit(split);
      const body = this.compile(item, start);
      split[lazy ? "other" : "next"] = body;
      // The loop serves as the last copy.
      if (min > 0) {
        start = body;
        copies--;
      }
    } else {
      for (let optional = max - min; optional > 0; optional--) {
        const body = this.compile(item, start);
        start = this.emit(
          lazy ? { op: "split", next, other: body } : { op: "split", next: body, other: next },
        );
      }
    }
    for (; copies > 0; copies--) start = this.compile(item, start);
    return start;
  }

  #setOf(node: Node): number {
    const source = toSource(node, this.#multiline);
    const key = `${source.flags}/${source.source}`;
    let index = this.#setIndices.get(key);
    if (index === undefined) {
      index = this.sets.push(source) - 1;
      this.#setIndices.set(key, index);
    }
    return index;
  }
}
