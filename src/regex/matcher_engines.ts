/**
 * The engines of the matcher: V8's, one whose time is linear in the text whatever the pattern, and V8's in
 * slices of time.
 *
 * @module
 */

import { REGEXPS_GIVE_UP, RUNTIME, stoppableScript } from "../system/platform.ts";
import { PathgrepError } from "../util/errors.ts";
import type { Match, PatternForm, PatternPlan } from "./pattern_plan.ts";
import { type Source, toSource } from "./printer.ts";
import type { Pulse } from "../util/pulse.ts";
import { LinearMatcher } from "./linear_matcher.ts";
import { expandedSize, onlyGroup } from "./ast.ts";

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

/** The most matches of one call: calls are expensive. */
const BATCH = 512;

/**
 * Milliseconds of one slice. A search that does not end in one goes on with one start offset at a time;
 * an attempt at one offset that does not end either gets twice the time, up to the second figure.
 */
const SLICE = 150;
const MAX_SLICE = 400;
/** Steps that a slice counts as. It takes too long for the clock not to be read after it. */
const STEPS_PER_SLICE = 10_000_000;

/**
 * Milliseconds from the end of a slice to the time at which Deno stops the script. The script must
 * not end by itself at exactly that time: Deno would stop whatever is running by then, and nobody
 * would notice (2.9.6: the thread that keeps the time is notified of the end, but not awaited).
 * On a busy machine, a thread may get no turn for longer than 25 ms just then: once, a search
 * never ended.
 */
const MARGIN = 150;

/** The input and output of the script. */
interface Job {
  text: string;
  byLine: boolean;
  limit: number;
  /** Where the search for the next match starts. */
  at: number;
  /** Whether start offsets are tried one by one; {@linkcode Job.at} is the current one. */
  isStepwise: boolean;
  /** When the slice ends, in milliseconds on the `performance.now()` clock. */
  until: number;
  /** Whether there is no match at or after {@linkcode Job.at}. */
  isDone: boolean;
  /** Start and end of each match, in turn. */
  found: number[];
  failure?: string;
}

const NOT_RUN = { isStepwise: false, until: 0, isDone: false };

/**
 * The script catches its own errors: one that is thrown as the time runs out cannot be caught outside,
 * and the caller would wait for ever.
 */
const SCRIPT = `try {
  const { text, byLine, limit, found } = job;
  const widthAt = (offset) => text.codePointAt(offset) > 0xffff ? 2 : 1;
  while (found.length < 2 * limit && !job.isDone) {
    let start = -1, end;
    if (job.isStepwise) {
      for (let at = job.at; at <= text.length && start < 0; at += widthAt(at)) {
        job.at = sticky.lastIndex = at;
        if (sticky.test(text)) start = at, end = sticky.lastIndex;
      }
    } else {
      global.lastIndex = job.at;
      const match = global.exec(text);
      // V8 also finds empty matches between the halves of a surrogate pair; they do not count.
      if (match !== null && text.codePointAt((end = global.lastIndex) - 1) > 0xffff) {
        job.at = end + 1;
        continue;
      }
      if (match !== null) start = match.index;
    }
    if (start < 0) {
      job.isDone = true;
    } else {
      const newline = byLine ? text.indexOf("\\n", end) : -1;
      const next = byLine ? newline + 1 : start === end ? end + widthAt(end) : end;
      found.push(start, end);
      job.at = next;
      job.isDone = byLine ? newline < 0 : next > text.length;
    }
  }
} catch (error) {
  job.failure = String(error);
}
// Waits to be stopped: see MARGIN.
if (now() > job.until) for (;;);`;

/**
 * A regular expression that never runs for long at once, for patterns that only V8 can match and that may run
 * for ever. `node:vm` is the only way to stop a running expression in Deno: a worker that is busy in one
 * cannot be terminated. It is loaded on first use, since that takes 50 ms.
 */
export class TimedRegExp {
  readonly #globals: {
    global: RegExp;
    sticky: RegExp;
    now: () => number;
    job: Job | undefined;
  };
  /** Runs the script, but not for long; returns whether it ended by itself. */
  readonly #script: (timeout: number) => boolean;
  readonly #pulse: Pulse;
  /** How many matches of the current job have been returned. */
  #taken = 0;
  /** The offset of the last call. */
  #asked = 0;
  /** The end of the match last found: the matches of a job do not overlap. */
  #end = 0;

  constructor({ source, flags }: Source, pulse: Pulse) {
    this.#globals = {
      global: new RegExp(source, flags + "g"),
      sticky: new RegExp(source, flags + "y"),
      now: () => performance.now(),
      job: undefined,
    };
    this.#script = stoppableScript(SCRIPT, this.#globals);
    this.#pulse = pulse;
  }

  /**
   * The first match at or after an offset.
   *
   * @param byLine whether the caller wants one match of each line only
   * @throws a `RangeError` if the expression needs too much memory; what the pulse throws
   */
  find(text: string, from: number, byLine: boolean): Match | undefined {
    let job = this.#globals.job;
    // A call with an earlier offset starts over: the text may be another with the same characters.
    const isNext = job?.text === text && job.byLine === byLine && from > this.#asked &&
      from >= this.#end;
    this.#asked = from;
    if (isNext && this.#next(job!) === undefined && !job!.isDone) {
      job = { ...job!, limit: BATCH, at: Math.max(from, job!.at), isStepwise: false, found: [] };
      this.#run(job);
    } else if (!isNext || this.#next(job!)?.start! < from) {
      // The caller may want the first match only.
      job = { ...NOT_RUN, text, byLine, limit: 1, at: from, found: [] };
      this.#run(job);
    }
    const match = this.#next(job!);
    this.#end = match?.end ?? 0;
    this.#taken++;
    return match;
  }

  release(): void {
    this.#globals.job = undefined;
  }

  /** Runs a job until it has a match or there is none. */
  #run(job: Job): void {
    this.#globals.job = job;
    this.#taken = 0;
    for (let slice = SLICE; job.found.length === 0 && !job.isDone;) {
      const { at } = job;
      job.until = performance.now() + slice;
      if (!this.#script(slice + MARGIN)) {
        if (job.isStepwise) slice = job.at > at ? SLICE : Math.min(2 * slice, MAX_SLICE);
        job.isStepwise = true;
      }
      this.#pulse.beat(STEPS_PER_SLICE);
      if (job.failure !== undefined) throw new RangeError(job.failure);
    }
  }

  #next(job: Job): Match | undefined {
    const start = job.found[2 * this.#taken];
    return start === undefined ? undefined : { start, end: job.found[2 * this.#taken + 1]! };
  }
}
