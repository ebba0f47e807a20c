/**
 * Matching in time linear in the text, whatever the pattern: no pattern can make it hang.
 *
 * @module
 */

import { Automaton } from "./automaton.ts";
import { CharClasses } from "../../regex/char_classes.ts";
import type { Match } from "./match.ts";
import { type Program, toProgram } from "./program.ts";
import { simulate } from "../../regex/pike_vm.ts";
import type { Node } from "../../regex/ast.ts";

/** Matches one pattern in linear time, with V8's answers. */
export class LinearMatcher {
  readonly #program: Program;
  readonly #classes: CharClasses;
  readonly #automaton: Automaton;
  readonly #count: (steps: number) => void;

  /**
   * @param tree a pattern that can be matched so (see `isLinear`)
   * @param multiline whether a match may span lines
   * @param count told how much work was done; may throw
   */
  constructor(tree: Node, multiline: boolean, count: (steps: number) => void) {
    this.#program = toProgram(tree, multiline);
    this.#classes = new CharClasses(this.#program, multiline);
    this.#automaton = new Automaton(this.#program, this.#classes, count);
    this.#count = count;
  }

  /** An offset in the first line that matches, or at which the first match to end is known; or -1. */
  find(text: string, from: number): number {
    return this.#automaton.find(text, from);
  }

  /** The first match, of one line or with `multiline`. */
  locate(text: string, from: number): Match | undefined {
    if (this.#automaton.find(text, from) === -1) return undefined;
    return simulate(this.#program, this.#classes, text, this.#automaton.idleAt, this.#count);
  }
}
