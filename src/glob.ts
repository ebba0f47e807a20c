/**
 * Globs, matched in linear time: the one matcher behind include and exclude filters, ignore rules
 * and the guard's lists.
 *
 * A glob is parsed to a tree, compiled to a nondeterministic automaton, and run through a
 * deterministic one that is built as texts need it. So no glob can make a match slow: the cost is
 * at most the length of the glob times the length of the path, and for the usual glob one table
 * look-up per character.
 *
 * @module
 */

import { PathgrepError } from "./errors.ts";

/** How a glob is written. */
export interface GlobOptions {
  /**
   * `include`: braces hold alternatives, and a malformed glob is an error. `gitignore`: git's rules,
   * where a brace is an ordinary character and a malformed glob matches nothing. @default "include"
   */
  dialect?: "include" | "gitignore";
  /** Letters match in either case. @default false */
  caseInsensitive?: boolean;
}

/**
 * A compiled glob.
 *
 * `?`, `*` and classes match Unicode code points other than `/`. `**` as a whole path segment
 * matches any number of segments, elsewhere it is `*`. A backslash makes the next character
 * ordinary. Braces nest, and an alternative may be empty.
 */
export class Glob {
  /** The text that the glob is, when it has no wildcard and is case-sensitive. */
  readonly literal: string | undefined;
  /** What follows the star, when the glob is one star and then plain text without `/`. */
  readonly suffix: string | undefined;

  readonly #automaton: Automaton | undefined;
  readonly #minLength: number;
  readonly #fold: boolean;

  private constructor(tree: Sequence | undefined, fold: boolean) {
    this.#fold = fold;
    if (tree === undefined) {
      this.#minLength = Infinity;
      return;
    }
    if (!fold) {
      this.literal = plainText(tree);
      this.suffix = suffixOf(tree);
    }
    const { program, minLength } = compile(tree);
    this.#automaton = new Automaton(program);
    this.#minLength = minLength;
  }

  /**
   * Compiles a glob.
   *
   * @param source the glob
   * @param options how it is written
   * @throws {PathgrepError} `invalid_input` when it is malformed, in the `include` dialect only
   */
  static parse(source: string, options: GlobOptions = {}): Glob {
    const fold = options.caseInsensitive ?? false;
    if (options.dialect !== "gitignore") return new Glob(parse(source, true, fold), fold);
    try {
      return new Glob(parse(source, false, fold), fold);
    } catch (error) {
      if (error instanceof PathgrepError) return new Glob(undefined, fold);
      throw error;
    }
  }

  /**
   * The globs in a list separated by commas; a comma in braces or in a class, or after a
   * backslash, does not separate.
   *
   * @throws {PathgrepError} `invalid_input` when a class is not closed
   */
  static split(list: string): string[] {
    const globs: string[] = [];
    const characters = Array.from(list);
    let start = 0;
    let depth = 0;
    for (let i = 0; i < characters.length; i++) {
      const c = characters[i];
      if (c === "\\") i++;
      else if (c === "[") i = parseClass(list, characters, i, true, false).next - 1;
      else if (c === "{") depth++;
      else if (c === "}") depth--;
      else if (c === "," && depth === 0) {
        globs.push(characters.slice(start, i).join(""));
        start = i + 1;
      }
    }
    globs.push(characters.slice(start).join(""));
    return globs;
  }

  /** Whether the glob matches the whole of a `/`-separated path (or of a name). */
  matches(path: string): boolean {
    if (this.literal !== undefined) return path === this.literal;
    if (this.suffix !== undefined) return path.endsWith(this.suffix) && !path.includes("/");
    const text = this.#fold ? fold(path) : path;
    if (this.#automaton === undefined || text.length < this.#minLength) return false;
    return this.#automaton.run(text).accepts;
  }

  /**
   * Which paths below a directory the glob can match: `none` and `all` are certain, `some` is
   * anything else.
   *
   * @param directory a `/`-separated path without a slash at its end; `""` is the top
   */
  below(directory: string): "none" | "some" | "all" {
    if (this.#automaton === undefined) return "none";
    const text = directory === "" ? "" : `${this.#fold ? fold(directory) : directory}/`;
    const state = this.#automaton.run(text);
    if (state.acceptsAll) return "all";
    return state.points.length === 0 ? "none" : "some";
  }
}

// ---- The tree -----------------------------------------------------------------------------------

type Node =
  /** One character; an escaped slash is never left out after `**`, as in git. */
  | { kind: "character"; code: number; escaped: boolean }
  /** `?` */
  | { kind: "any" }
  | { kind: "class"; set: CharacterClass }
  /** One or more `*` in a row. */
  | { kind: "stars"; count: number }
  /** Braces. */
  | { kind: "choice"; branches: Sequence[] };

type Sequence = Node[];

interface CharacterClass {
  negated: boolean;
  /** First and last code point of each range. */
  ranges: [number, number][];
  /** Whether the text is folded, so that a letter's lower case counts too. */
  folded: boolean;
}

const SLASH = 0x2f;

/** Longest glob, in code points, and deepest braces in the `include` dialect. */
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 100;

function malformed(source: string, problem: string, remedy: string): PathgrepError {
  const shown = source.length > 200 ? `${source.slice(0, 200)}…` : source;
  return new PathgrepError("invalid_input", `the glob '${shown}' ${problem}; ${remedy}`);
}

/** Upper case by way of lower case: the same for every spelling of a letter, and free of context. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** @throws {PathgrepError} when the glob is malformed, whatever the dialect */
function parse(source: string, include: boolean, caseInsensitive: boolean): Sequence {
  const characters = Array.from(source);
  if (include && source.includes("\0")) {
    throw malformed(source, "holds a NUL character", "no path has one, leave it out");
  }
  if (include && characters.length > MAX_LENGTH) {
    throw malformed(source, `is longer than ${MAX_LENGTH} characters`, "use several shorter globs");
  }
  const open: { outer: Sequence; branches: Sequence[] }[] = [];
  let sequence: Sequence = [];
  const add = (character: string, escaped: boolean) => {
    for (const c of caseInsensitive ? fold(character) : character) {
      sequence.push({ kind: "character", code: c.codePointAt(0)!, escaped });
    }
  };
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!;
    if (c === "\\") {
      const next = characters[++i];
      if (next === undefined) {
        throw malformed(source, "ends with a backslash", "write \\\\ for a literal backslash");
      }
      add(next, true);
    } else if (c === "?") {
      sequence.push({ kind: "any" });
    } else if (c === "*") {
      let count = 1;
      while (characters[i + 1] === "*") i++, count++;
      sequence.push({ kind: "stars", count });
    } else if (c === "[") {
      const { set, next } = parseClass(source, characters, i, include, caseInsensitive);
      sequence.push({ kind: "class", set });
      i = next - 1;
    } else if (include && c === "{") {
      if (open.length === MAX_DEPTH) {
        throw malformed(source, `nests braces over ${MAX_DEPTH} deep`, "use several globs");
      }
      open.push({ outer: sequence, branches: [] });
      sequence = [];
    } else if (c === "," && open.length > 0) {
      open.at(-1)!.branches.push(sequence);
      sequence = [];
    } else if (include && c === "}") {
      const group = open.pop();
      if (group === undefined) {
        throw malformed(source, "has a } without a {", "write \\} for a literal brace");
      }
      group.branches.push(sequence);
      sequence = group.outer;
      sequence.push({ kind: "choice", branches: group.branches });
    } else {
      add(c, false);
    }
  }
  if (open.length > 0) {
    throw malformed(source, "has a { without a }", "close it, or write \\{ for a literal brace");
  }
  return sequence;
}

/** Named classes, of ASCII only, as git has them. */
const NAMED_CLASSES: ReadonlyMap<string, [number, number][]> = new Map([
  ["alnum", [[48, 57], [65, 90], [97, 122]]],
  ["alpha", [[65, 90], [97, 122]]],
  ["blank", [[9, 9], [32, 32]]],
  ["cntrl", [[0, 31], [127, 127]]],
  ["digit", [[48, 57]]],
  ["graph", [[33, 126]]],
  ["lower", [[97, 122]]],
  ["print", [[32, 126]]],
  ["punct", [[33, 47], [58, 64], [91, 96], [123, 126]]],
  ["space", [[9, 10], [13, 13], [32, 32]]],
  ["upper", [[65, 90]]],
  ["xdigit", [[48, 57], [65, 70], [97, 102]]],
]);

/** Reads the class that opens at an index; `next` is the index after its `]`. */
function parseClass(
  source: string,
  characters: readonly string[],
  opening: number,
  strict: boolean,
  folded: boolean,
): { set: CharacterClass; next: number } {
  let i = opening + 1;
  const at = (index: number): string => {
    const c = characters[index];
    if (c !== undefined) return c;
    throw malformed(source, "has a [ without a ]", "close it, or write \\[ for a literal bracket");
  };
  const negated = characters[i] === "!" || characters[i] === "^";
  if (negated) i++;
  const ranges: [number, number][] = [];
  // The character that a following "-" would make the start of a range.
  let from: number | undefined;
  const first = i;
  for (; at(i) !== "]" || i === first; i++) {
    const c = at(i);
    if (c === "[" && characters[i + 1] === ":") {
      const end = characters.indexOf("]", i + 2);
      if (end < 0) at(characters.length);
      if (end > i + 2 && characters[end - 1] === ":") {
        const name = characters.slice(i + 2, end - 1).join("");
        const named = NAMED_CLASSES.get(name);
        if (named === undefined) {
          const known = [...NAMED_CLASSES.keys()].join(", ");
          throw malformed(source, `has no known class in [:${name}:]`, `known are ${known}`);
        }
        ranges.push(...named);
        from = undefined;
        i = end;
        continue;
      }
    }
    if (c === "-" && from !== undefined && at(i + 1) !== "]") {
      if (at(++i) === "\\") i++;
      const to = at(i).codePointAt(0)!;
      if (strict && to < from) {
        throw malformed(source, "has a range that runs backwards", "put the lower end first");
      }
      ranges.push([from, to]);
      from = undefined;
      continue;
    }
    if (c === "\\") i++;
    from = at(i).codePointAt(0)!;
    ranges.push([from, from]);
  }
  return { set: { negated, ranges, folded }, next: i + 1 };
}

function plainText(sequence: Sequence): string | undefined {
  let text = "";
  for (const node of sequence) {
    if (node.kind !== "character") return undefined;
    text += String.fromCodePoint(node.code);
  }
  return text;
}

function suffixOf([first, ...rest]: Sequence): string | undefined {
  // Two stars alone match over slashes; with text beside them they are one star.
  if (first?.kind !== "stars" || (first.count > 1 && rest.length === 0)) return undefined;
  const text = plainText(rest);
  return text?.includes("/") ? undefined : text;
}

// ---- The nondeterministic automaton --------------------------------------------------------------

type Instruction =
  | { op: "character"; code: number }
  | { op: "any" }
  | { op: "class"; set: CharacterClass }
  /** Any number of characters, over slashes too if it crosses. */
  | { op: "loop"; crosses: boolean }
  /** The slash after `**`: also nothing, at the start of a path segment. */
  | { op: "slash" }
  | { op: "split"; targets: number[] }
  | { op: "jump"; target: number }
  | { op: "accept" };

/** What the compiler knows between two nodes. */
interface Position {
  /** Whether a path segment starts here. */
  segmentStart: boolean;
  /** Whether a `**` over whole segments may have ended here. */
  afterCrossing: boolean;
}

function compile(tree: Sequence): { program: Instruction[]; minLength: number } {
  const program: Instruction[] = [];

  /** Whether each node of a sequence, and its end, is followed by a slash or by the glob's end. */
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

  let minLength = 0;
  function emit(sequence: Sequence, position: Position, end: boolean): Position {
    const ends = segmentEnds(sequence, end);
    for (let i = 0; i < sequence.length; i++) {
      const node = sequence[i]!;
      if (node.kind === "stars") {
        const crosses = node.count > 1 && position.segmentStart && ends[i + 1]!;
        // `**/**` is `**`: kept short, a row of them costs no more than one.
        const next = sequence[i + 1];
        const repeats = crosses && next?.kind === "character" && !next.escaped &&
          isLongStar(sequence[i + 2]) && ends[i + 3];
        if (repeats) {
          i++;
          continue;
        }
        program.push({ op: "loop", crosses });
        position = { segmentStart: false, afterCrossing: crosses };
        continue;
      }
      if (node.kind === "choice") {
        position = emitChoice(node.branches, position, ends[i + 1]!);
        continue;
      }
      const isSlash = node.kind === "character" && node.code === SLASH;
      if (isSlash && position.afterCrossing && !node.escaped) {
        program.push({ op: "slash" });
      } else {
        minLength++;
        if (node.kind === "any") program.push({ op: "any" });
        else if (node.kind === "class") program.push({ op: "class", set: node.set });
        else program.push({ op: "character", code: node.code });
      }
      position = { segmentStart: isSlash, afterCrossing: false };
    }
    return position;
  }

  function emitChoice(branches: Sequence[], position: Position, end: boolean): Position {
    const targets: number[] = [];
    const jumps: { op: "jump"; target: number }[] = [];
    const result: Position = { segmentStart: true, afterCrossing: false };
    const before = minLength;
    let shortest = Infinity;
    program.push({ op: "split", targets });
    for (const branch of branches) {
      targets.push(program.length);
      minLength = 0;
      const reached = emit(branch, position, end);
      shortest = Math.min(shortest, minLength);
      result.segmentStart &&= reached.segmentStart;
      result.afterCrossing ||= reached.afterCrossing;
      const jump: { op: "jump"; target: number } = { op: "jump", target: 0 };
      program.push(jump);
      jumps.push(jump);
    }
    for (const jump of jumps) jump.target = program.length;
    minLength = before + shortest;
    return result;
  }

  emit(tree, { segmentStart: true, afterCrossing: false }, true);
  program.push({ op: "accept" });
  return { program, minLength };
}

function isLongStar(node: Node | undefined): boolean {
  return node?.kind === "stars" && node.count > 1;
}

function contains(set: CharacterClass, code: number): boolean {
  const lower = set.folded ? String.fromCodePoint(code).toLowerCase().codePointAt(0)! : code;
  const inside = set.ranges.some(([from, to]) =>
    (code >= from && code <= to) || (lower >= from && lower <= to)
  );
  return inside !== set.negated;
}

// ---- The deterministic automaton -----------------------------------------------------------------

interface State {
  /** Instructions that wait for the next character, in ascending order. */
  points: readonly number[];
  /** Whether the text may end here. */
  accepts: boolean;
  /** Whether every text that goes on from here is accepted. */
  acceptsAll: boolean;
  /** The next state by ASCII code, and at 128 for every other character alike. */
  next: (State | undefined)[];
}

const OTHER = 128;

/** Room for remembered states, in table entries; when it is full, all are forgotten. */
const MAX_ENTRIES = 1 << 18;

class Automaton {
  readonly #program: readonly Instruction[];
  /** Whether the glob tells characters beyond ASCII apart. */
  readonly #tellsOthersApart: boolean;
  readonly #states = new Map<string, State>();
  #entries = 0;
  #start: State | undefined;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    this.#tellsOthersApart = program.some((instruction) =>
      instruction.op === "character"
        ? instruction.code >= OTHER
        : instruction.op === "class" && instruction.set.ranges.some(([, to]) => to >= OTHER)
    );
  }

  /** The state after a text. */
  run(text: string): State {
    let state = this.#start ??= this.#state([0], true);
    for (let i = 0; i < text.length && !state.acceptsAll && state.points.length > 0; i++) {
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

  #step(state: State, code: number): State {
    const targets: number[] = [];
    for (const point of state.points) {
      const instruction = this.#program[point]!;
      switch (instruction.op) {
        case "character":
          if (instruction.code === code) targets.push(point + 1);
          break;
        case "any":
          if (code !== SLASH) targets.push(point + 1);
          break;
        case "class":
          if (code !== SLASH && contains(instruction.set, code)) targets.push(point + 1);
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

  /** The state of everything that the targets reach without a further character. */
  #state(targets: number[], segmentStart: boolean): State {
    const reached = new Set<number>();
    while (targets.length > 0) {
      const point = targets.pop()!;
      if (reached.has(point)) continue;
      reached.add(point);
      const instruction = this.#program[point]!;
      if (instruction.op === "split") targets.push(...instruction.targets);
      else if (instruction.op === "jump") targets.push(instruction.target);
      else if (instruction.op === "loop") targets.push(point + 1);
      else if (instruction.op === "slash" && segmentStart) targets.push(point + 1);
    }
    const points = [...reached].filter((point) => {
      const { op } = this.#program[point]!;
      return op !== "split" && op !== "jump";
    }).sort((a, b) => a - b);

    const key = points.join();
    let state = this.#states.get(key);
    if (state === undefined) {
      const accepts = points.at(-1) === this.#program.length - 1;
      const acceptsAll = points.some((point) => this.#isFinalLoop(point));
      state = { points, accepts, acceptsAll, next: new Array(OTHER + 1) };
      this.#entries += OTHER + points.length;
      if (this.#entries > MAX_ENTRIES) {
        this.#states.clear();
        this.#start = undefined;
        this.#entries = OTHER + points.length;
      }
      this.#states.set(key, state);
    }
    return state;
  }

  /** Whether a point is a `**` that the glob ends with. */
  #isFinalLoop(point: number): boolean {
    const loop = this.#program[point]!;
    if (loop.op !== "loop" || !loop.crosses) return false;
    let next = this.#program[point + 1]!;
    while (next.op === "jump") next = this.#program[next.target]!;
    return next.op === "accept";
  }
}
