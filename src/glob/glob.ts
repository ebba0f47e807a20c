/**
 * Globs, matched in linear time, for include and exclude filters, ignore rules and the guard's lists.
 *
 * No glob can make a match slow: it costs at most the length of the glob times the length of the path,
 * and usually one table lookup per character. `glob_parser.ts` turns a glob into a tree; this compiles trees
 * to one NFA and runs it as a lazy DFA.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import {
  type CharacterClass,
  foldCase,
  type GlobNode,
  type GlobOptions,
  NOTHING,
  parseGlob,
  type Sequence,
} from "./glob_parser.ts";

/**
 * `?`, `*` and classes match Unicode code points other than `/`. `**` as a whole path segment
 * matches any number of segments, elsewhere it is `*`. A backslash makes the next character
 * ordinary. Braces nest, and an alternative may be empty; without a comma they are ordinary, as in
 * the names of templates.
 */
export class Glob {
  readonly #tree: Sequence;
  readonly #fold: boolean;
  #matcher: GlobMatcher | undefined;

  private constructor(tree: Sequence, fold: boolean) {
    this.#tree = tree;
    this.#fold = fold;
  }

  /** @throws {PathgrepError} `invalid_input` if it is malformed, in the `include` dialect only */
  static parse(source: string, options: GlobOptions = {}): Glob {
    const { dialect = "include", caseInsensitive = false } = options;
    try {
      return new Glob(parseGlob(source, { dialect, caseInsensitive }), caseInsensitive);
    } catch (error) {
      if (dialect === "include" || !(error instanceof PathgrepError)) throw error;
      return new Glob(NOTHING, caseInsensitive);
    }
  }

  /**
   * Compiles several globs into one matcher, which reads a path once however many they are.
   *
   * @param globs none of them case-insensitive
   * @returns a function from a path to the index of the last glob that matches it, or -1. Now and then
   * it beats the pulse; what that throws ends the match
   */
  static lastOf(globs: readonly Glob[]): (path: string, pulse?: Pulse) => number {
    if (globs.length === 0) return () => -1;
    const matcher = new GlobMatcher(globs.map((glob) => glob.#tree));
    return (path, pulse) => matcher.run(path, pulse).rank;
  }

  /** Whether the glob matches the whole of a `/`-separated path, or of a name. */
  matches(path: string, pulse?: Pulse): boolean {
    return this.#run(path, pulse).rank >= 0;
  }

  /**
   * Whether the glob matches a directory on the way from a start to a path, or the path. Costs no more than to
   * match the path alone.
   *
   * @param start `""`, or a `/`-separated path with a slash at its end
   */
  matchesOnTheWay(start: string, segments: readonly string[]): boolean {
    let state = this.#run(start);
    return segments.some((segment, index) => {
      state = this.#run(index === 0 ? segment : `/${segment}`, undefined, state);
      return state.rank >= 0;
    });
  }

  /**
   * Which paths below a directory the glob can match: `none` and `all` are certain, `some` is
   * anything else.
   *
   * @param directory a `/`-separated path without a slash at its end; `""` is the top
   */
  below(directory: string, pulse?: Pulse): "none" | "some" | "all" {
    const state = this.#run(directory === "" ? "" : `${directory}/`, pulse);
    if (state.acceptsAll) return "all";
    return state.points.length === 0 ? "none" : "some";
  }

  #run(path: string, pulse?: Pulse, from?: GlobState): GlobState {
    this.#matcher ??= new GlobMatcher([this.#tree]);
    return this.#matcher.run(this.#fold ? foldCase(path) : path, pulse, from);
  }
}

/** A state of the DFA. */
export interface GlobState {
  /** The instructions that wait for the next character; none: no glob can match any more. */
  readonly points: readonly number[];
  /** The rank of the last glob that matches the text so far, or -1. */
  readonly rank: number;
  /** Whether some glob matches every continuation of the text. */
  readonly acceptsAll: boolean;
  /** The next state by ASCII code; at 128, that of all other characters. */
  readonly next: (GlobState | undefined)[];
}

const SLASH = 0x2f;

/** The index in {@linkcode GlobState.next} of all characters beyond ASCII. */
const OTHER = 128;

/** The most table entries of all states; past it, all states are dropped. */
const MAX_ENTRIES = 1 << 18;
/** Instructions between two beats. */
const STEPS_PER_BEAT = 1 << 20;
/** States of more points are not cached: the key would cost more than it saves. */
const MAX_KEY_POINTS = 500;

class GlobMatcher {
  readonly #program: readonly GlobInstruction[];
  /** Whether a glob distinguishes characters beyond ASCII. */
  readonly #tellsOthersApart: boolean;
  readonly #states = new Map<string, GlobState>();
  #entries = 0;
  #start: GlobState | undefined;
  /** By instruction, the round that last reached it. */
  readonly #reached: Uint32Array;
  #round = 0;
  #steps = 0;

  /** @param globs the trees of the globs; a glob's rank is its index */
  constructor(globs: readonly Sequence[]) {
    const compiler = new GlobCompiler();
    compiler.emitTogether(globs.map((glob, rank) => ({ glob, rank })), 0, true);
    this.#program = compiler.program;
    this.#reached = new Uint32Array(this.#program.length);
    this.#tellsOthersApart = this.#program.some(({ code, set }) =>
      code >= OTHER || set?.ranges.some(([, to]) => to >= OTHER)
    );
  }

  /**
   * The state after a text.
   *
   * @param from the state after what comes before the text @default nothing comes before it
   */
  run(text: string, pulse?: Pulse, from?: GlobState): GlobState {
    let state = from ?? (this.#start ??= this.#state([0], true));
    for (let i = 0; i < text.length && state.points.length > 0; i++) {
      if (this.#steps > STEPS_PER_BEAT) {
        const steps = this.#steps;
        this.#steps = 0;
        pulse?.beat(steps);
      }
      let code = text.charCodeAt(i);
      if (code < OTHER) {
        state = state.next[code] ??= this.#step(state, code);
        continue;
      }
      code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
      state = this.#tellsOthersApart
        ? this.#step(state, code)
        : state.next[OTHER] ??= this.#step(state, code);
    }
    return state;
  }

  #step(state: GlobState, code: number): GlobState {
    const targets: number[] = [];
    this.#steps += state.points.length;
    for (const point of state.points) {
      const instruction = this.#program[point]!;
      switch (instruction.op) {
        case "character":
          if (instruction.code === code) targets.push(point + 1);
          break;
        case "class":
          if (code !== SLASH && contains(instruction.set!, code)) targets.push(point + 1);
          break;
        case "loop":
          if (code !== SLASH || instruction.crosses) targets.push(point);
          break;
        case "slash":
          if (code === SLASH) targets.push(point + 1);
          break;
      }
    }
    return this.#state(targets, code === SLASH);
  }

  /** The state of all instructions that the targets reach without another character. */
  #state(targets: number[], segmentStart: boolean): GlobState {
    const round = ++this.#round;
    const points: number[] = [];
    let rank = -1;
    let acceptsAll = false;
    for (let point = targets.pop(); point !== undefined; point = targets.pop()) {
      if (this.#reached[point] === round) continue;
      this.#reached[point] = round;
      const instruction = this.#program[point]!;
      switch (instruction.op) {
        case "split":
          for (const target of instruction.targets) targets.push(target);
          continue;
        case "loop":
          targets.push(point + 1);
          acceptsAll ||= instruction.crosses && this.#isLast(point);
          break;
        case "slash":
          if (segmentStart) targets.push(point + 1);
          break;
        case "accept":
          rank = Math.max(rank, instruction.rank);
          break;
      }
      points.push(point);
    }
    const key = points.length > MAX_KEY_POINTS ? undefined : points.sort((a, b) => a - b).join();
    const known = key === undefined ? undefined : this.#states.get(key);
    if (known !== undefined) return known;

    const state: GlobState = { points, rank, acceptsAll, next: new Array(OTHER + 1) };
    this.#entries += OTHER + points.length;
    if (this.#entries > MAX_ENTRIES) {
      this.#states.clear();
      this.#start = undefined;
      this.#entries = OTHER + points.length;
    }
    if (key !== undefined) this.#states.set(key, state);
    return state;
  }

  /** Whether a glob ends in this loop. */
  #isLast(loop: number): boolean {
    let next = this.#program[loop + 1]!;
    while (next.op === "split") next = this.#program[next.targets[0]!]!;
    return next.op === "accept";
  }
}

/** One class for all instructions, so that V8 optimizes accesses for one shape of object. */
class GlobInstruction {
  readonly op:
    /** The character `code`. */
    | "character"
    /** One character of `set`. */
    | "class"
    /** Any number of characters, slashes too if it `crosses`. */
    | "loop"
    /** The slash after `**`: a slash or, at the start of a path segment, nothing. */
    | "slash"
    /** Nothing; continues at all `targets`. */
    | "split"
    /** Nothing; the glob with that `rank` ends here. */
    | "accept";
  readonly code: number;
  readonly set: CharacterClass | undefined;
  readonly crosses: boolean;
  readonly targets: number[];
  readonly rank: number;

  constructor(op: GlobInstruction["op"], operands: Partial<Omit<GlobInstruction, "op">> = {}) {
    this.op = op;
    this.code = operands.code ?? -1;
    this.set = operands.set;
    this.crosses = operands.crosses ?? false;
    this.targets = operands.targets ?? [];
    this.rank = operands.rank ?? -1;
  }
}

function contains({ ranges, negated, folded }: CharacterClass, code: number): boolean {
  const isIn = (code: number) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [from, to] = ranges[middle]!;
      if (code < from) high = middle;
      else if (code > to) low = middle + 1;
      else return true;
    }
    return false;
  };
  if (isIn(code)) return !negated;
  const lower = folded ? String.fromCodePoint(code).toLowerCase().codePointAt(0)! : code;
  return (lower !== code && isIn(lower)) !== negated;
}

/** What the compiler knows about the position between two nodes. */
interface GlobPosition {
  /** Whether a path segment starts here. */
  segmentStart: boolean;
  /** Whether a `**` over whole segments may have ended here. */
  afterCrossing: boolean;
}

/** The longest prefix, in nodes, for which globs share instructions. */
const MAX_SHARED = 100;

/** A glob among others. */
interface Ranked {
  glob: Sequence;
  rank: number;
}

/** Writes the instructions of globs; a program starts at its first one. */
class GlobCompiler {
  readonly program: GlobInstruction[] = [];

  /**
   * Emits globs that share their first `depth` nodes, which have been emitted. A longer common prefix is
   * emitted once, so that a hundred rules such as `*.ext` are one loop and not a hundred.
   */
  emitTogether(globs: readonly Ranked[], depth: number, segmentStart: boolean): void {
    const targets: number[] = [];
    this.program.push(new GlobInstruction("split", { targets }));
    const groups = Map.groupBy(globs, ({ glob, rank }) => {
      const node = glob[depth];
      if (depth === MAX_SHARED || node === undefined) return rank;
      if (node.kind === "character") return String.fromCodePoint(node.code);
      return node.kind === "stars" && !isDoubleStar(node) ? "star" : rank;
    });
    for (const group of groups.values()) {
      targets.push(this.program.length);
      const { glob, rank } = group[0]!;
      if (group.length === 1) {
        this.#emit(glob.slice(depth), { segmentStart, afterCrossing: false }, true);
        this.program.push(new GlobInstruction("accept", { rank }));
        continue;
      }
      const node = glob[depth]!;
      this.#emit([node], { segmentStart, afterCrossing: false }, false);
      this.emitTogether(group, depth + 1, node.kind === "character" && node.code === SLASH);
    }
  }

  #emit(sequence: Sequence, position: GlobPosition, end: boolean): GlobPosition {
    const ends = segmentEnds(sequence, end);
    for (let i = 0; i < sequence.length; i++) {
      const node = sequence[i]!;
      switch (node.kind) {
        case "choice":
          position = this.#emitChoice(node.branches, position, ends[i + 1]!);
          break;
        case "stars": {
          const stars = this.#emitStars(sequence, i, position, ends);
          position = stars.position;
          i = stars.last;
          break;
        }
        case "class":
          this.program.push(new GlobInstruction("class", { set: node.set }));
          position = { segmentStart: false, afterCrossing: false };
          break;
        case "character":
          this.program.push(
            isSlash(node) && position.afterCrossing
              ? new GlobInstruction("slash")
              : new GlobInstruction("character", { code: node.code }),
          );
          position = { segmentStart: node.code === SLASH, afterCrossing: false };
      }
    }
    return position;
  }

  /** Emits the stars at an index, and the nodes behind them that they take in, up to `last`. */
  #emitStars(
    sequence: Sequence,
    index: number,
    position: GlobPosition,
    ends: readonly boolean[],
  ): { position: GlobPosition; last: number } {
    const node = sequence[index]!;
    const isWhole = isDoubleStar(node) && ends[index + 1]!;
    const crosses = isWhole && position.segmentStart;
    const hasSlash = isSlash(sequence[index + 1]);
    // `**/**` is `**`: a run of them costs no more than one.
    if (crosses && hasSlash && isDoubleStar(sequence[index + 2]) && ends[index + 3]) {
      return { position, last: index + 1 };
    }
    // git matches the plain text before the first wildcard by itself, and reads what is left as a
    // glob of its own: `a**/b` is `a`, then `**/b`.
    if (isWhole && !crosses && node.kind === "stars" && node.leads) {
      let last = hasSlash ? index + 1 : index;
      // One more `**/` would be optional only where a segment of the path begins.
      while (hasSlash && isDoubleStar(sequence[last + 1]) && isSlash(sequence[last + 2])) last += 2;
      return { position: this.#emitLeading(hasSlash), last };
    }
    this.program.push(new GlobInstruction("loop", { crosses }));
    return { position: { segmentStart: false, afterCrossing: crosses }, last: index };
  }

  /** A `**` that leads the rest of a glob, with the slash after it: both may match nothing. */
  #emitLeading(hasSlash: boolean): GlobPosition {
    const targets: number[] = [];
    if (hasSlash) this.program.push(new GlobInstruction("split", { targets }));
    targets.push(this.program.length);
    this.program.push(new GlobInstruction("loop", { crosses: true }));
    if (hasSlash) this.program.push(new GlobInstruction("character", { code: SLASH }));
    targets.push(this.program.length);
    return { segmentStart: hasSlash, afterCrossing: false };
  }

  #emitChoice(
    branches: readonly Sequence[],
    position: GlobPosition,
    end: boolean,
  ): GlobPosition {
    const targets: number[] = [];
    const joins: GlobInstruction[] = [];
    const result: GlobPosition = { segmentStart: true, afterCrossing: false };
    this.program.push(new GlobInstruction("split", { targets }));
    for (const branch of branches) {
      targets.push(this.program.length);
      const reached = this.#emit(branch, position, end);
      result.segmentStart &&= reached.segmentStart;
      result.afterCrossing ||= reached.afterCrossing;
      const join = new GlobInstruction("split");
      this.program.push(join);
      joins.push(join);
    }
    for (const join of joins) join.targets.push(this.program.length);
    return result;
  }
}

/** For each node of a sequence and for its end: whether a slash or the end of the glob is there. */
function segmentEnds(sequence: Sequence, end: boolean): boolean[] {
  const ends = new Array<boolean>(sequence.length + 1).fill(end);
  for (let i = sequence.length - 1; i >= 0; i--) {
    const node = sequence[i]!;
    const after = ends[i + 1]!;
    if (node.kind === "character") ends[i] = node.code === SLASH;
    else if (node.kind === "choice") {
      ends[i] = node.branches.every((branch) => segmentEnds(branch, after)[0]);
    } else ends[i] = false;
  }
  return ends;
}

/** Whether a node is a slash that is optional after `**`. */
function isSlash(node: GlobNode | undefined): boolean {
  return node?.kind === "character" && node.code === SLASH && !node.escaped;
}

function isDoubleStar(node: GlobNode | undefined): boolean {
  return node?.kind === "stars" && node.count > 1;
}
