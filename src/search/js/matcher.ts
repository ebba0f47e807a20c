/**
 * Finding the matches of a planned pattern in texts whose lines end at `\n`, with the engine that can
 * neither hang nor be slower than it must: V8's where a pattern and its line are harmless to it, the
 * linear one for others, and V8's under a time limit for what only it can match.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import type { Deadline } from "./deadline.ts";
import { GuardedExpression } from "./guarded_expression.ts";
import { LinearMatcher } from "./linear.ts";
import type { Match } from "./match.ts";
import type { PatternForm, PatternPlan } from "./pattern.ts";

/** UTF-16 units that a line may have to be matched in quadratic time. */
const SHORT_LINE = 1_000;
/** The same for a text that is matched as a whole. */
const SHORT_TEXT = 8_000;
/** Shorter texts are in too many lines for looking them up first to pay. */
const MIN_LITERAL = 2;
/** More texts than this take longer to look up than the pattern itself. */
const MAX_LITERALS = 4;

/** Matches one pattern. */
export class Matcher {
  readonly #plan: PatternPlan;
  readonly #find: Engines;
  readonly #locate: Engines;
  /** The one text that every match holds, if it is worth looking for. */
  readonly #literal: string | undefined;
  #text = "";
  #hasShortLines = false;
  /** The next place of the literal; -1: none. */
  #literalAt = 0;

  /**
   * @param plan the pattern
   * @param deadline ends a match that takes too long, with `search_timed_out`
   */
  constructor(plan: PatternPlan, deadline: Deadline) {
    this.#plan = plan;
    this.#locate = new Engines(plan.locate, plan, deadline);
    this.#find = plan.find === plan.locate ? this.#locate : new Engines(plan.find, plan, deadline);
    const [text, ...others] = plan.required;
    const isTelling = text !== undefined && others.length === 0 && text.length >= MIN_LITERAL;
    this.#literal = isTelling ? text : undefined;
  }

  /** Whether a text, its line ends as they are in the file, plainly holds no match. */
  rejects(text: string): boolean {
    const { required } = this.#plan;
    if (required.length === 0 || required.length > MAX_LITERALS) return false;
    return !required.some((one) => text.includes(one));
  }

  /** Begins with a text, which ends each line with `\n`. */
  open(text: string): void {
    this.#text = text;
    this.#literalAt = 0;
    const { find, multiline } = this.#plan;
    this.#hasShortLines = find.cost === "quadratic" &&
      (multiline ? text.length <= SHORT_TEXT : linesAreShort(text));
  }

  /** Lets go of the text. */
  close(): void {
    this.#text = "";
    this.#find.release();
    this.#locate.release();
  }

  /** An offset inside or at the end of the first matching line from an offset on, or -1. */
  findLine(from: number): number {
    if (this.#plan.literal !== undefined) return this.#text.indexOf(this.#plan.literal, from);
    if (this.#literal === undefined) return this.#find.find(this.#text, from, this.#hasShortLines);
    for (let at = from; (at = this.#text.indexOf(this.#literal, at)) !== -1;) {
      const start = at === 0 ? 0 : this.#text.lastIndexOf("\n", at - 1) + 1;
      const newline = this.#text.indexOf("\n", at);
      const end = newline === -1 ? this.#text.length : newline;
      const isShort = end - start <= SHORT_LINE;
      if (this.#find.find(this.#text.slice(start, end), 0, isShort) !== -1) return at;
      at = end;
    }
    return -1;
  }

  /** With `multiline`: the first match at or after an offset. */
  findMatch(from: number): Match | undefined {
    if (this.#plan.literal !== undefined) return this.#findLiteral(this.#text, from);
    if (this.#literal !== undefined && this.#literalAt !== -1 && this.#literalAt < from) {
      this.#literalAt = this.#text.indexOf(this.#literal, from);
    }
    if (this.#literalAt === -1) return undefined;
    return this.#locate.locate(this.#text, from, this.#hasShortLines);
  }

  /** The first match at or after an offset of a single line. */
  findInLine(line: string, from: number): Match | undefined {
    if (this.#plan.literal !== undefined) return this.#findLiteral(line, from);
    return this.#locate.locate(line, from, line.length <= SHORT_LINE);
  }

  #findLiteral(text: string, from: number): Match | undefined {
    const { literal } = this.#plan;
    const start = text.indexOf(literal!, from);
    return start === -1 ? undefined : { start, end: start + literal!.length };
  }
}

/** The ways to match one form of a pattern, each made when first needed. */
class Engines {
  readonly #form: PatternForm;
  readonly #plan: PatternPlan;
  readonly #deadline: Deadline;
  #compiled: RegExp | undefined;
  #linear: LinearMatcher | undefined;
  #guarded: GuardedExpression | undefined;

  constructor(form: PatternForm, plan: PatternPlan, deadline: Deadline) {
    this.#form = form;
    this.#plan = plan;
    this.#deadline = deadline;
  }

  get #expression(): RegExp {
    const { source, flags } = this.#form.source;
    return this.#compiled ??= new RegExp(source, flags + "g");
  }

  /** An offset in the first matching line, or -1. */
  find(text: string, from: number, isShort: boolean): number {
    if (this.#isHarmless(isShort)) {
      const found = this.#run(text, from, () => this.#expression.test(text));
      if (found !== undefined) return found ? this.#expression.lastIndex : -1;
    }
    if (this.#plan.isLinear) return this.#linearMatcher().find(text, from);
    return this.#guard(text, from, true)?.start ?? -1;
  }

  /** The first match, or nothing. */
  locate(text: string, from: number, isShort: boolean): Match | undefined {
    if (this.#isHarmless(isShort)) {
      const found = this.#run(text, from, () => this.#expression.exec(text));
      if (found === null) return undefined;
      if (found !== undefined) return { start: found.index, end: this.#expression.lastIndex };
    }
    if (this.#plan.isLinear) return this.#linearMatcher().locate(text, from);
    return this.#guard(text, from, false);
  }

  /** Lets go of the text. */
  release(): void {
    this.#guarded?.release();
  }

  #isHarmless(isShort: boolean): boolean {
    const { cost } = this.#form;
    return cost === "linear" || cost === "quadratic" && isShort;
  }

  /** Runs V8's engine; nothing when it needs more memory than it has, as on lines of megabytes. */
  #run<T>(text: string, from: number, run: () => T): T | undefined {
    try {
      this.#expression.lastIndex = from;
      let result = run();
      // V8 finds empty matches in the middle of a surrogate pair, where there is no place for them.
      for (let end; isInPair(text, end = this.#expression.lastIndex);) {
        this.#expression.lastIndex = end + 1;
        result = run();
      }
      return result;
    } catch (thrown) {
      if (thrown instanceof RangeError) return undefined;
      throw thrown;
    }
  }

  #linearMatcher(): LinearMatcher {
    const { multiline } = this.#plan;
    return this.#linear ??= new LinearMatcher(this.#form.tree, multiline, this.#deadline.count);
  }

  #guard(text: string, from: number, byLine: boolean): Match | undefined {
    this.#guarded ??= new GuardedExpression(this.#form.source);
    try {
      return this.#guarded.find(text, from, byLine, this.#deadline.left);
    } catch (thrown) {
      if ((thrown as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        this.#deadline.fail();
      }
      throw new PathgrepError("search_failed", "the pattern needs too much memory on a long line", {
        hint: "write it without lookarounds and backreferences, or with fewer repeats",
      });
    }
  }
}

/** Whether no line is longer than {@linkcode SHORT_LINE}, by looking at one place in each stretch of it. */
function linesAreShort(text: string): boolean {
  for (let start = 0; text.length - start > SHORT_LINE;) {
    const newline = text.lastIndexOf("\n", start + SHORT_LINE);
    if (newline < start) return false;
    start = newline + 1;
  }
  return true;
}

/** Whether an offset lies between the halves of a surrogate pair. */
function isInPair(text: string, offset: number): boolean {
  return offset > 0 && (text.charCodeAt(offset) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
}
