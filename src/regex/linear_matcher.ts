/**
 * Matches a pattern in time that is linear in the text: finds a line with a *lazy DFA*, which is built as it
 * runs, and locates the match in it with a *Pike VM*, which goes all ways through the text at once, in the
 * order in which a backtracking engine would try them.
 *
 * @module
 */

import type { PatternNode } from "./ast.ts";
import { CharClasses, EDGE, type Nfa, toNfa } from "./nfa.ts";
import type { Match } from "./pattern_plan.ts";
import type { Pulse } from "../util/pulse.ts";

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

/** Limits on states, on instructions in all states, and on table cells; past one, the table resets. */
const MAX_STATES = 4_096;
const MAX_STATE_SIZE = 1_000_000;
const MAX_CELLS = 1 << 22;
/** Characters between two beats of the pulse. */
const STRETCH = 16_384;

/** Instructions of one step after which they are counted before it ends: it may follow thousands. */
const STEPS_PER_COUNT = 8_192;
/** Steps that it takes to sort one of the instructions of a state, and to name the state by it. */
const SORTING_STEPS = 4;

/** Table cells for a transition that is not computed yet, and for a match before the character. */
const UNKNOWN = -1;
const ACCEPT = -2;

/** Runs an NFA on a text, with a new attempt at every character. */
class LazyDfa {
  /** The last offset of {@linkcode LazyDfa.find} without an attempt under way: no match starts before it. */
  idleAt = 0;

  readonly #nfa: Nfa;
  readonly #classes: CharClasses;
  readonly #pulse: Pulse;
  /** Whether an assertion depends on the character before it. */
  readonly #looksBehind: boolean;
  /** By instruction, the last step that reached it. */
  readonly #marks: Uint32Array;
  #mark = 0;
  #table: StateTable;
  /** The generation of classes that the table's columns belong to. */
  #generation: number;
  /** Instructions followed since the last count. */
  #steps = 0;

  constructor(nfa: Nfa, classes: CharClasses, pulse: Pulse) {
    this.#nfa = nfa;
    this.#classes = classes;
    this.#pulse = pulse;
    this.#marks = new Uint32Array(nfa.instructions.length);
    this.#looksBehind = nfa.instructions.some((one) => {
      if (one.op !== "assert") return false;
      const { assertion } = one;
      if (assertion.kind === "look") return assertion.behind;
      return assertion.kind !== "lineEnd" && assertion.kind !== "textEnd";
    });
    this.#table = new StateTable(classes.count);
    this.#generation = classes.generation;
  }

  /** The offset where the match that ends first is known, or -1. */
  find(text: string, from: number): number {
    const { known } = this.#classes;
    this.#classes.makeRoom();
    let state = this.#stateAt(text, from, []);
    let { cells, stride, idle } = this.#table;
    this.idleAt = from;
    let offset = from;
    while (offset < text.length) {
      const start = offset;
      const end = Math.min(text.length, start + STRETCH);
      while (offset < end) {
        const charClass = known[text.charCodeAt(offset)]!;
        if (charClass === 0 || charClass >= stride) break;
        const to = cells[state * stride + charClass]!;
        if (to < 0) break;
        state = to;
        offset++;
        if (idle[state] === 1) this.idleAt = offset;
      }
      if (offset < end) {
        state = this.#stepAt(text, offset, state);
        if (state === ACCEPT) {
          this.#countSteps(offset - start);
          return offset;
        }
        ({ cells, stride, idle } = this.#table);
        offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
        if (idle[state] === 1) this.idleAt = offset;
      }
      this.#countSteps(offset - start);
    }
    const end = this.#step(state, EDGE);
    this.#countSteps(0);
    return end === ACCEPT ? text.length : -1;
  }

  /** Counts the instructions gone through since the last time, and some characters. */
  #countSteps(characters: number): void {
    const steps = this.#steps + (characters >> 3);
    this.#steps = 0;
    this.#pulse.beat(steps);
  }

  #stepAt(text: string, offset: number, state: number): number {
    const known = this.#table.states[state]!;
    this.#classes.makeRoom();
    const charClass = this.#classes.of(text.codePointAt(offset)!);
    if (this.#generation !== this.#classes.generation) {
      state = this.#stateAt(text, offset, known.instructions);
    } else if (charClass >= this.#table.stride) {
      this.#table = new StateTable(this.#classes.count);
      state = this.#table.add(known);
    }
    return this.#step(state, charClass);
  }

  #stateAt(text: string, offset: number, instructions: readonly number[]): number {
    if (this.#generation !== this.#classes.generation) {
      this.#generation = this.#classes.generation;
      this.#table = new StateTable(this.#classes.count);
    }
    return this.#stateOf(instructions, this.#classes.before(text, offset));
  }

  /** The state after a character, from the table or computed and stored there. */
  #step(from: number, charClass: number): number {
    const table = this.#table;
    const cell = from * table.stride + charClass;
    const known = table.cells[cell]!;
    if (known !== UNKNOWN) return known;
    const to = this.#follow(table.states[from]!, charClass);
    const state = to === undefined ? ACCEPT : this.#stateOf(to, charClass);
    if (table === this.#table) table.cells[cell] = state;
    return state;
  }

  /** The instructions after a character, or nothing if there is a match before it. */
  #follow(state: DfaState, charClass: number): number[] | undefined {
    const { instructions, start } = this.#nfa;
    const reached: number[] = [];
    const stack = [start, ...state.instructions];
    const mark = ++this.#mark;
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.#marks[at] === mark) continue;
      this.#marks[at] = mark;
      if (++this.#steps >= STEPS_PER_COUNT) this.#countSteps(0);
      const instruction = instructions[at]!;
      switch (instruction.op) {
        case "match":
          return undefined;
        case "split":
          stack.push(instruction.other, instruction.next);
          break;
        case "assert":
          if (this.#classes.holds(instruction.assertion, state.before, charClass)) {
            stack.push(instruction.next);
          }
          break;
        case "set":
          if (this.#classes.isMember(charClass, instruction.set)) reached.push(instruction.next);
      }
    }
    return reached;
  }

  #stateOf(reached: readonly number[], before: number): number {
    const instructions = [...new Set(reached)].sort((one, other) => one - other);
    this.#steps += SORTING_STEPS * reached.length;
    const state = { instructions, before: this.#looksBehind ? before : EDGE };
    if (this.#table.isFull) this.#table = new StateTable(this.#classes.count);
    return this.#table.add(state);
  }
}

/** The instructions that are reached after a character of the class `before`. */
interface DfaState {
  instructions: readonly number[];
  before: number;
}

class StateTable {
  readonly states: DfaState[] = [];
  /** The number of cells in a row, one per class. */
  readonly stride: number;
  /** Transitions, row by row: a state, {@linkcode UNKNOWN} or {@linkcode ACCEPT}. */
  cells: Int32Array = new Int32Array(0);
  /** By state: 1 if no attempt is under way. */
  readonly idle: Uint8Array = new Uint8Array(MAX_STATES + 1);
  readonly #numbers = new Map<string, number>();
  #size = 0;

  constructor(classes: number) {
    this.stride = 2 ** Math.ceil(Math.log2(classes + 8));
  }

  get isFull(): boolean {
    return this.states.length >= MAX_STATES || this.#size > MAX_STATE_SIZE ||
      this.states.length * this.stride > MAX_CELLS;
  }

  /** Adds a state if it is new, and returns its number. */
  add(state: DfaState): number {
    const key = `${state.before}:${state.instructions.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.states.push(state) - 1;
    this.#numbers.set(key, number);
    this.#size += state.instructions.length;
    this.idle[number] = state.instructions.length === 0 ? 1 : 0;
    const needed = (number + 1) * this.stride;
    if (needed > this.cells.length) {
      const cells = new Int32Array(2 * needed).fill(UNKNOWN);
      cells.set(this.cells);
      this.cells = cells;
    }
    return number;
  }
}

/** Binary logarithm of the marks that take as long to reset as one instruction takes to run. */
const MARKS_PER_STEP = 6;

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
class PikeVm {
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
