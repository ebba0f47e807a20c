/**
 * Matches in time linear in the text, whatever the pattern: no pattern can make it hang.
 *
 * @module
 */

import { LazyDfa } from "./lazy_dfa.ts";
import { CharClasses } from "./char_classes.ts";
import type { Meter } from "./deadline.ts";
import type { Match } from "./match.ts";
import { type Nfa, toNfa } from "./nfa.ts";
import { simulate } from "./pike_vm.ts";
import type { PatternNode } from "./ast.ts";

/** Matches one pattern in linear time, with V8's answers. */
export class LinearMatcher {
  readonly #nfa: Nfa;
  readonly #classes: CharClasses;
  readonly #dfa: LazyDfa;
  readonly #count: Meter;

  /**
   * @param tree a pattern that `isLinear` accepts
   * @param multiline whether a match may span lines
   * @param count receives the number of steps
   */
  constructor(tree: PatternNode, multiline: boolean, count: Meter) {
    this.#nfa = toNfa(tree, multiline);
    this.#classes = new CharClasses(this.#nfa, multiline, count);
    this.#dfa = new LazyDfa(this.#nfa, this.#classes, count);
    this.#count = count;
  }

  /**
   * Finds the first line that matches; the match given is empty and lies in the line or at its end.
   * Yields when it is time to pause; a new search discards one that has paused.
   */
  *find(text: string, from: number): Generator<void, Match | undefined> {
    const offset = yield* this.#dfa.find(text, from);
    return offset === -1 ? undefined : { start: offset, end: offset };
  }

  /** Finds the first match, in a line or with `multiline`; yields as {@linkcode LinearMatcher.find} does. */
  *locate(text: string, from: number): Generator<void, Match | undefined> {
    if ((yield* this.#dfa.find(text, from)) === -1) return undefined;
    const { idleAt } = this.#dfa;
    return yield* simulate(this.#nfa, this.#classes, text, idleAt, this.#count);
  }
}
