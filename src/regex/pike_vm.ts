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

/**
 * Finds the match that V8 would find: the leftmost, and of several there the one whose alternatives
 * come first.
 *
 * @param from the first offset at which a match may start
 */
export function simulate(
  nfa: Nfa,
  classes: CharClasses,
  text: string,
  from: number,
  pulse: Pulse,
): Match | undefined {
  const { instructions, start } = nfa;
  const marks = new Int32Array(instructions.length).fill(-1);
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
    if (found === undefined) stack.unshift({ at: start, start: offset });
    const reached: Attempt[] = [];
    let steps = offset === from ? instructions.length >> MARKS_PER_STEP : 0;
    for (let attempt = stack.pop(); attempt !== undefined; attempt = stack.pop()) {
      if (marks[attempt.at] === offset) continue;
      marks[attempt.at] = offset;
      if (++steps === STEPS_PER_COUNT) {
        pulse.beat(steps);
        steps = 0;
      }
      const instruction = instructions[attempt.at]!;
      if (instruction.op === "match") {
        found = { start: attempt.start, end: offset };
        break;
      }
      if (instruction.op === "split") {
        stack.push({ at: instruction.other, start: attempt.start });
        stack.push({ at: instruction.next, start: attempt.start });
      } else if (instruction.op === "assert") {
        if (classes.holds(instruction.assertion, before, after)) {
          stack.push({ at: instruction.next, start: attempt.start });
        }
      } else if (classes.isMember(after, instruction.set)) {
        reached.push({ at: instruction.next, start: attempt.start });
      }
    }
    pulse.beat(steps); // of the last character, too: there may be many short matches
    if (after === EDGE || reached.length === 0 && found !== undefined) return found;
    attempts = reached;
    before = after;
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
}
