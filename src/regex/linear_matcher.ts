/**
 * Matches in time linear in the text, whatever the pattern: no pattern can make it hang.
 *
 * @module
 */

import { LazyDfa } from "./lazy_dfa.ts";
import { CharClasses } from "./char_classes.ts";
import { type Nfa, toNfa } from "./nfa.ts";
import type { Match } from "./pattern_plan.ts";
import { simulate } from "./pike_vm.ts";
import type { PatternNode } from "./ast.ts";
import type { Pulse } from "../util/pulse.ts";

/** Matches one pattern in linear time, with V8's answers. */
export class LinearMatcher {
  readonly #nfa: Nfa;
  readonly #classes: CharClasses;
  readonly #dfa: LazyDfa;
  readonly #pulse: Pulse;

  /** @param tree a pattern that `isLinear` accepts */
  constructor(tree: PatternNode, multiline: boolean, pulse: Pulse) {
    this.#nfa = toNfa(tree, multiline);
    this.#classes = new CharClasses(this.#nfa, multiline, pulse);
    this.#dfa = new LazyDfa(this.#nfa, this.#classes, pulse);
    this.#pulse = pulse;
  }

  /** Finds the first line that matches; the match given is empty and lies in the line or at its end. */
  find(text: string, from: number): Match | undefined {
    const offset = this.#dfa.find(text, from);
    return offset === -1 ? undefined : { start: offset, end: offset };
  }

  locate(text: string, from: number): Match | undefined {
    if (this.#dfa.find(text, from) === -1) return undefined;
    return simulate(this.#nfa, this.#classes, text, this.#dfa.idleAt, this.#pulse);
  }
}
