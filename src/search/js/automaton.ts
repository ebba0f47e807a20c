/**
 * Whether and roughly where a program matches: a deterministic automaton, built while it runs.
 *
 * @module
 */

import { type CharClasses, EDGE } from "../../regex/char_classes.ts";
import type { Program } from "./program.ts";

/** States that are kept, and instructions in all of them; beyond this the automaton starts anew. */
const MAX_STATES = 4_096;
const MAX_STATE_SIZE = 1_000_000;

/** In a table's cells: where a step leads is not known yet, or a match was found before it. */
const UNKNOWN = -1;
const ACCEPT = -2;

/** Runs a program on a text, starting a new attempt at every character. */
export class Automaton {
  /** Where the last {@linkcode Automaton.find} saw no attempt under way: no match starts earlier. */
  idleAt = 0;

  readonly #program: Program;
  readonly #classes: CharClasses;
  readonly #count: (steps: number) => void;
  /** Whether an assertion looks at the character before it. */
  readonly #looksBehind: boolean;
  /** By instruction, the last step that has been to it. */
  readonly #marks: Uint32Array;
  #mark = 0;
  #table: StateTable;

  /**
   * @param program what to match
   * @param classes the classes of its characters
   * @param count told how many instructions were gone through; may throw
   */
  constructor(program: Program, classes: CharClasses, count: (steps: number) => void) {
    this.#program = program;
    this.#classes = classes;
    this.#count = count;
    this.#marks = new Uint32Array(program.instructions.length);
    this.#looksBehind = program.instructions.some((one) => {
      if (one.op !== "assert") return false;
      const { kind } = one.assertion;
      if (one.assertion.kind === "look") return one.assertion.behind;
      return kind !== "lineEnd" && kind !== "textEnd";
    });
    this.#table = new StateTable(classes.count);
  }

  /** The offset at which the first match to end is known, or -1. */
  find(text: string, from: number): number {
    const { known } = this.#classes;
    let state = this.#stateOf([], this.#classes.before(text, from));
    let { cells, stride, idle } = this.#table;
    this.idleAt = from;
    for (let offset = from; offset < text.length;) {
      const charClass = known[text.charCodeAt(offset)]!;
      const to = charClass < stride ? cells[state * stride + charClass]! : UNKNOWN;
      if (charClass !== 0 && to >= 0) {
        state = to;
        offset++;
      } else {
        const codePoint = text.codePointAt(offset)!;
        state = this.#step(state, this.#classes.of(codePoint));
        if (state === ACCEPT) return offset;
        ({ cells, stride, idle } = this.#table);
        offset += codePoint > 0xffff ? 2 : 1;
      }
      if (idle[state] === 1) this.idleAt = offset;
    }
    return this.#step(state, EDGE) === ACCEPT ? text.length : -1;
  }

  /** Where a character leads: looked up, or worked out and remembered. */
  #step(from: number, charClass: number): number {
    const table = this.#table;
    const known = table.get(from, charClass);
    if (known !== UNKNOWN) return known;
    const to = this.#follow(table.states[from]!, charClass);
    const state = to === undefined ? ACCEPT : this.#stateOf(to, charClass);
    if (table === this.#table) table.set(from, charClass, state);
    return state;
  }

  /** The instructions after a character, or nothing when there is a match before it. */
  #follow(state: State, charClass: number): number[] | undefined {
    const { instructions, start } = this.#program;
    const reached: number[] = [];
    const stack = [start, ...state.instructions];
    const mark = ++this.#mark;
    let steps = 0;
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.#marks[at] === mark) continue;
      this.#marks[at] = mark;
      steps++;
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
    this.#count(steps);
    return reached;
  }

  /** The state of being at some instructions after a character. */
  #stateOf(reached: readonly number[], before: number): number {
    const instructions = [...new Set(reached)].sort((one, other) => one - other);
    const state = { instructions, before: this.#looksBehind ? before : EDGE };
    if (this.#table.isFull || this.#classes.count > this.#table.stride) {
      this.#table = new StateTable(this.#classes.count);
    }
    return this.#table.add(state);
  }
}

/** The instructions at which the machine may be after a character of the class `before`. */
interface State {
  instructions: readonly number[];
  before: number;
}

/** States and what is known of where characters lead from them. */
class StateTable {
  readonly states: State[] = [];
  /** How many classes a row has room for. */
  readonly stride: number;
  /** Where a class leads from a state: row by row, a state or a mark. */
  cells: Int32Array;
  /** By state: 1 when no attempt is under way. */
  readonly idle: Uint8Array = new Uint8Array(MAX_STATES + 1);
  readonly #numbers = new Map<string, number>();
  #size = 0;

  constructor(classes: number) {
    this.stride = 2 ** Math.ceil(Math.log2(classes + 8));
    this.cells = new Int32Array(0);
  }

  get isFull(): boolean {
    return this.states.length >= MAX_STATES || this.#size > MAX_STATE_SIZE;
  }

  get(state: number, charClass: number): number {
    return this.cells[state * this.stride + charClass]!;
  }

  set(state: number, charClass: number, to: number): void {
    this.cells[state * this.stride + charClass] = to;
  }

  /** The number of a state, new or known. */
  add(state: State): number {
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
