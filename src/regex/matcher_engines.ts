/**
 * The engines of the matcher: V8's, one whose time is linear in the text whatever the pattern, and V8's in
 * slices of time.
 *
 * @module
 */

import { REGEXPS_GIVE_UP, RUNTIME } from "../system/platform.ts";
import { PathgrepError } from "../util/errors.ts";
import type { Match, PatternForm, PatternPlan } from "./pattern_plan.ts";
import { toSource } from "./printer.ts";
import type { Pulse } from "../util/pulse.ts";
import { TimedRegExp } from "./timed_regexp.ts";
import { LazyDfa } from "./lazy_dfa.ts";
import { CharClasses } from "./char_classes.ts";
import { toNfa } from "./nfa.ts";
import { PikeVm } from "./pike_vm.ts";
import { expandedSize, onlyGroup, type PatternNode } from "./ast.ts";

/** Steps that a match counts as for each node of its pattern: V8 may have compiled it for that match. */
const STEPS_TO_COMPILE = 50;

/** The engines for one form of a pattern, each created on first use. */
export class Engines {
  readonly #form: PatternForm;
  readonly #plan: PatternPlan;
  readonly #pulse: Pulse;
  readonly #stepsToCompile: number;
  #compiled: RegExp | undefined;
  #capturing: RegExp | undefined;
  #linear: LinearMatcher | undefined;
  #timed: TimedRegExp | undefined;

  constructor(form: PatternForm, plan: PatternPlan, pulse: Pulse) {
    this.#form = form;
    this.#plan = plan;
    this.#pulse = pulse;
    this.#stepsToCompile = STEPS_TO_COMPILE * expandedSize(form.tree);
  }

  /** The end of the first match by V8's engine, or -1; nothing if that needs too much memory. */
  test(text: string, from: number): number | undefined {
    const found = this.#run(text, from, (expression) => expression.test(text));
    return found === false ? -1 : found && this.#compiled!.lastIndex;
  }

  /** The first match by V8's engine, or `null`; nothing if that needs too much memory. */
  exec(text: string, from: number): Match | null | undefined {
    const found = this.#run(text, from, (expression) => expression.exec(text));
    return found && { start: found.index, end: this.#compiled!.lastIndex };
  }

  /**
   * The first match by an engine that can be ended.
   *
   * @param byLine whether any offset in the first matching line will do
   */
  search(text: string, from: number, byLine: boolean): Match | undefined {
    if (!this.#plan.isLinear) return this.#searchTimed(text, from, byLine);
    const { multiline } = this.#plan;
    this.#linear ??= new LinearMatcher(this.#form.tree, multiline, this.#pulse);
    return byLine ? this.#linear.find(text, from) : this.#linear.locate(text, from);
  }

  /** What the only group of the pattern captured in a match; nothing if it took no part. */
  captured(text: string, { start }: Match): string | undefined {
    if (this.#capturing === undefined) {
      const { tree } = this.#form;
      const { source, flags } = toSource(tree, this.#plan.multiline, false, onlyGroup(tree));
      this.#capturing = new RegExp(source, flags + "y");
    }
    this.#capturing.lastIndex = start;
    try {
      return this.#capturing.exec(text)?.groups?.["wanted"];
    } catch {
      throw tooLargeForStack();
    }
  }

  release(): void {
    this.#timed?.release();
  }

  /** Runs V8's engine; nothing if its stack is too small, as on lines of megabytes. */
  #run<T>(text: string, from: number, run: (expression: RegExp) => T): T | undefined {
    const expression = this.#compiled ??= this.#compile();
    try {
      expression.lastIndex = from;
      let result = run(expression);
      // V8 also finds empty matches between the halves of a surrogate pair; they do not count.
      for (let end; isInPair(text, end = expression.lastIndex);) {
        expression.lastIndex = end + 1;
        result = run(expression);
      }
      this.#pulse.beat(this.#stepsToCompile);
      return result;
    } catch (thrown) {
      if (thrown instanceof RangeError) return undefined;
      throw thrown;
    }
  }

  #compile(): RegExp {
    const { source, flags } = toSource(this.#form.tree, this.#plan.multiline);
    return new RegExp(source, flags + "g");
  }

  #searchTimed(text: string, from: number, byLine: boolean): Match | undefined {
    if (REGEXPS_GIVE_UP) throw unstoppable();
    this.#timed ??= new TimedRegExp(
      toSource(this.#form.tree, this.#plan.multiline, true),
      this.#pulse,
    );
    try {
      return this.#timed.find(text, from, byLine);
    } catch (thrown) {
      if (thrown instanceof PathgrepError) throw thrown;
      throw tooLargeForStack();
    }
  }
}

function unstoppable(): PathgrepError {
  return new PathgrepError("search_failed", `${RUNTIME} cannot end this pattern on a long line`, {
    hint:
      "write it without lookarounds of several characters, or start pathgrep with Node.js or Deno",
  });
}

function tooLargeForStack(): PathgrepError {
  return new PathgrepError("search_failed", "the pattern needs too much memory on a long line", {
    hint: "write it without lookarounds and backreferences, or with fewer repeats",
  });
}

/** Whether an offset lies between the halves of a surrogate pair. */
function isInPair(text: string, offset: number): boolean {
  return offset > 0 && (text.charCodeAt(offset) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
}

/** Matches one pattern in linear time, with V8's answers. */
export class LinearMatcher {
  readonly #dfa: LazyDfa;
  readonly #vm: PikeVm;

  /** @param tree a pattern that `isLinear` accepts */
  constructor(tree: PatternNode, multiline: boolean, pulse: Pulse) {
    const nfa = toNfa(tree, multiline);
    const classes = new CharClasses(nfa, multiline, pulse);
    this.#dfa = new LazyDfa(nfa, classes, pulse);
    this.#vm = new PikeVm(nfa, classes, pulse);
  }

  /** Finds the first line that matches; the match given is empty and lies in the line or at its end. */
  find(text: string, from: number): Match | undefined {
    const offset = this.#dfa.find(text, from);
    return offset === -1 ? undefined : { start: offset, end: offset };
  }

  locate(text: string, from: number): Match | undefined {
    if (this.#dfa.find(text, from) === -1) return undefined;
    return this.#vm.locate(text, this.#dfa.idleAt);
  }
}
