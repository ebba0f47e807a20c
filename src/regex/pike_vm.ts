/**
 * Where exactly a program matches: all ways through the text at once, in the order in which a
 * backtracking engine would try them.
 *
 * @module
 */

import { type CharClasses, EDGE } from "./char_classes.ts";
import type { Match } from "../search/js/match.ts";
import type { Program } from "../search/js/program.ts";

/** An attempt: the instruction it is at, and where it started. */
interface Attempt {
  at: number;
  start: number;
}

/**
 * The first match of a program, as V8 would give it: the leftmost, and of several there the one whose
 * alternatives come first. Only where what is repeated may match nothing can the end be another.
 *
 * @param program what to match
 * @param classes the classes of its characters
 * @param text the text
 * @param from the offset at which a match may start
 * @param count told how many instructions were gone through; may throw
 */
export function simulate(
  program: Program,
  classes: CharClasses,
  text: string,
  from: number,
  count: (steps: number) => void,
): Match | undefined {
  const { instructions, start } = program;
  const marks = new Int32Array(instructions.length).fill(-1);
  let attempts: Attempt[] = [];
  let found: Match | undefined;
  let before = classes.before(text, from);
  for (let offset = from;;) {
    const after = classes.at(text, offset);
    const stack = attempts.reverse();
    // A later start comes after all others, and never once there is a match.
    if (found === undefined) stack.unshift({ at: start, start: offset });
    const reached: Attempt[] = [];
    let steps = 0;
    for (let attempt = stack.pop(); attempt !== undefined; attempt = stack.pop()) {
      if (marks[attempt.at] === offset) continue;
      marks[attempt.at] = offset;
      steps++;
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
    count(steps);
    if (after === EDGE || reached.length === 0 && found !== undefined) return found;
    attempts = reached;
    before = after;
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
}
