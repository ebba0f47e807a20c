/**
 * V8's engine under a time limit, for patterns that only it can match and that may take for ever.
 *
 * `node:vm` is the one way to stop a running expression in Deno: a worker that is busy in one cannot be
 * ended. It takes some 50 ms to load, hence only when needed.
 *
 * @module
 */

import type { Match } from "./match.ts";
import type { Source } from "../../regex/printer.ts";

/** Matches that are looked for in one call, since each call has its own cost. */
const BATCH = 512;

/** The part of `node:vm` used here. */
interface VirtualMachine {
  createContext(globals: object): object;
  Script: new (source: string) => {
    runInContext(context: object, options: { timeout: number }): unknown;
  };
}

/** What goes in and out of the time-limited script. */
interface Job {
  text: string;
  from: number;
  byLine: boolean;
  limit: number;
  /** Start and end of each match, one after the other. */
  found: number[];
}

const SCRIPT = `{
  const { text, byLine, limit, found } = job;
  expression.lastIndex = job.from;
  let match;
  while (found.length < 2 * limit && (match = expression.exec(text)) !== null) {
    const end = expression.lastIndex;
    if (text.codePointAt(end - 1) > 0xffff) {
      // An empty match in the middle of a surrogate pair is none.
      expression.lastIndex = end + 1;
      continue;
    }
    found.push(match.index, end);
    if (byLine) {
      const next = text.indexOf("\\n", end);
      if (next === -1) break;
      expression.lastIndex = next + 1;
    } else if (match.index === end) {
      expression.lastIndex += text.codePointAt(end) > 0xffff ? 2 : 1;
    }
  }
}`;

/** An expression that runs for a limited time only. */
export class GuardedExpression {
  readonly #globals: { expression: RegExp; job: Job | undefined };
  readonly #context: object;
  readonly #script: InstanceType<VirtualMachine["Script"]>;
  /** How many of the present job's matches were handed out. */
  #taken = 0;
  /** The offset last asked for. */
  #asked = 0;

  /** @param source the expression */
  constructor(source: Source) {
    const vm: VirtualMachine = process.getBuiltinModule("node:vm");
    this.#globals = {
      expression: new RegExp(source.source, source.flags + "g"),
      job: undefined,
    };
    this.#context = vm.createContext(this.#globals);
    this.#script = new vm.Script(SCRIPT);
  }

  /**
   * The first match at or after an offset.
   *
   * @param text the text
   * @param from the offset
   * @param byLine whether one match of each line is all that will be asked for
   * @param timeout milliseconds
   * @returns the match, or nothing
   * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT` when the time is up, a `RangeError`
   * when the expression needs too much memory
   */
  find(text: string, from: number, byLine: boolean, timeout: number): Match | undefined {
    let job = this.#globals.job;
    // A question that goes back is about another text, even if it has the same characters.
    const isSame = job?.text === text && job.byLine === byLine && from > this.#asked;
    this.#asked = from;
    if (!isSame || this.#next(job!)?.start! < from || this.#isUsedUp(job!)) {
      // The first match may be all that is wanted.
      job = { text, from, byLine, limit: isSame ? BATCH : 1, found: [] };
      this.#globals.job = job;
      this.#taken = 0;
      this.#script.runInContext(this.#context, { timeout: Math.max(1, Math.ceil(timeout)) });
    }
    const match = this.#next(job!);
    this.#taken++;
    return match;
  }

  /** Lets go of the text. */
  release(): void {
    this.#globals.job = undefined;
  }

  #next(job: Job): Match | undefined {
    const start = job.found[2 * this.#taken];
    return start === undefined ? undefined : { start, end: job.found[2 * this.#taken + 1]! };
  }

  /** Whether there may be more matches than the job found. */
  #isUsedUp(job: Job): boolean {
    return this.#taken >= job.limit && job.found.length >= 2 * job.limit;
  }
}
