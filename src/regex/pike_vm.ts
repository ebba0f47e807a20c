/**
 * Simulates an NFA (a Pike VM) and finds where exactly it matches: all ways through the text at once,
 * in the order in which a backtracking engine would try them.
 *
 * @module
 */

import { type CharClasses, EDGE } from "./char_classes.ts";
import type { Nfa } from "./nfa.ts";
import type { Match } from "./pattern_plan.ts";
import type { Pulse } from "../util/pulse.ts";

/** Binary logarithm of the marks that take as long to reset as one instruction takes to run. */
const MARKS_PER_STEP = 6;

/** Instructions at one offset after which they are counted before all are followed. */
const STEPS_PER_COUNT = 8_192;

/** An attempt: its instruction, and the offset at which it started. */
interface Attempt {
  at: number;
  start: number;
}

/** An offset, the classes of the characters around it, and the attempts that go on behind it. */
interface Step {
  /** By instruction, the last offset at which it was reached. */
  marks: Int32Array;
  offset: number;
  before: number;
  after: number;
  reached: Attempt[];
}

/** Runs an NFA on a text, with a new attempt at every character until there is a match. */
export class PikeVm {
  readonly #nfa: Nfa;
  readonly #classes: CharClasses;
  readonly #pulse: Pulse;

  constructor(nfa: Nfa, classes: CharClasses, pulse: Pulse) {
    this.#nfa = nfa;
    this.#classes = classes;
    this.#pulse = pulse;
  }

  /**
   * The match that V8 would find: the leftmost, and of several there the one whose alternatives come first.
   *
   * @param from the first offset at which a match may start
   */
  locate(text: string, from: number): Match | undefined {
    const classes = this.#classes;
    const marks = new Int32Array(this.#nfa.instructions.length).fill(-1);
    this.#pulse.beat(marks.length >> MARKS_PER_STEP);
    let attempts: Attempt[] = [];
    let found: Match | undefined;
    let { generation } = classes;
    let before = classes.before(text, from);
    for (let offset = from;;) {
      classes.makeRoom();
      const after = classes.at(text, offset);
      if (generation !== classes.generation) {
        generation = classes.generation;
        before = classes.before(text, offset);
      }
      const stack = attempts.reverse();
      // A later start has the least priority, and none once there is a match.
      if (found === undefined) stack.unshift({ at: this.#nfa.start, start: offset });
      attempts = [];
      const start = this.#follow(stack, { marks, offset, before, after, reached: attempts });
      if (start !== undefined) found = { start, end: offset };
      if (after === EDGE || attempts.length === 0 && found !== undefined) return found;
      before = after;
      offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
    }
  }

  /** Follows attempts from one offset to the next; returns the start of one that matches: those below it end. */
  #follow(stack: Attempt[], { marks, offset, before, after, reached }: Step): number | undefined {
    const { instructions } = this.#nfa;
    const classes = this.#classes;
    let steps = 0;
    let found: number | undefined;
    for (let attempt; found === undefined && (attempt = stack.pop()) !== undefined;) {
      const { at, start } = attempt;
      if (marks[at] === offset) continue;
      marks[at] = offset;
      if (++steps === STEPS_PER_COUNT) {
        this.#pulse.beat(steps);
        steps = 0;
      }
      const instruction = instructions[at]!;
      switch (instruction.op) {
        case "match":
          found = start;
          break;
        case "split":
          stack.push({ at: instruction.other, start }, { at: instruction.next, start });
          break;
        case "assert":
          if (!classes.holds(instruction.assertion, before, after)) break;
          stack.push({ at: instruction.next, start });
          break;
        case "set":
          if (classes.isMember(after, instruction.set)) {
            reached.push({ at: instruction.next, start });
          }
      }
    }
    this.#pulse.beat(steps); // of the last character, too: there may be many short matches
    return found;
  }
}
