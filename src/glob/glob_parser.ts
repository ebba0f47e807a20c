/**
 * Parses globs into trees.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";

export interface GlobOptions {
  /**
   * `include`: braces hold alternatives, and a malformed glob is an error. `gitignore`: as git does,
   * braces are ordinary characters and a malformed glob matches nothing. @default "include"
   */
  dialect?: "include" | "gitignore";
  /** Letters match in either case: texts have to be folded. @default false */
  caseInsensitive?: boolean;
}

export type GlobNode =
  /** One character; an escaped slash is not optional after `**`, as in git. */
  | { kind: "character"; code: number; escaped: boolean }
  /** A class, or `?`. */
  | { kind: "class"; set: CharacterClass }
  /** One or more `*` in a row; `leads`: with only plain characters before it, in an ignore rule. */
  | { kind: "stars"; count: number; leads?: boolean }
  /** Braces with a comma; without one they are ordinary characters. */
  | { kind: "choice"; branches: Sequence[] };

/** A sequence of parts; a glob is one. */
export type Sequence = GlobNode[];

export interface CharacterClass {
  negated: boolean;
  /** First and last code point of each range, in order and apart. */
  ranges: [number, number][];
  /** Whether the text is folded, so that a letter's lower case matches too. */
  folded: boolean;
}

/** The class of `?`. */
const ANY: CharacterClass = { negated: true, ranges: [], folded: false };

/** A glob that matches nothing: a choice without alternatives. */
export const NOTHING: Sequence = [{ kind: "choice", branches: [] }];

/** The longest glob, in code points, and the deepest braces: far beyond what any path needs. */
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 100;

/** The error of a glob that cannot be read: what is wrong with it, and what to write instead. */
export function malformed(source: string, problem: string, remedy: string): PathgrepError {
  const shown = source.length > 200 ? `${source.slice(0, 200)}…` : source;
  return new PathgrepError("invalid_input", `the glob '${shown}' ${problem}; ${remedy}`);
}

/** Folds letter case: upper case by way of lower case, so that all forms of a letter agree. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** @throws {PathgrepError} `invalid_input` if the glob is malformed, in either dialect */
export function parseGlob(source: string, options: Required<GlobOptions>): Sequence {
  const { dialect, caseInsensitive } = options;
  const include = dialect === "include";
  const characters = Array.from(source);
  if (include && source.includes("\0")) {
    throw malformed(source, "contains a NUL character", "remove it, no path contains one");
  }
  if (characters.length > MAX_LENGTH) {
    throw malformed(source, `is longer than ${MAX_LENGTH} characters`, "use several shorter globs");
  }
  const open: { outer: Sequence; branches: Sequence[] }[] = [];
  let sequence: Sequence = [];
  const add = (character: string, escaped: boolean) => {
    for (const c of caseInsensitive ? foldCase(character) : character) {
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
      sequence.push({ kind: "class", set: ANY });
    } else if (c === "*") {
      let count = 1;
      while (characters[i + 1] === "*") i++, count++;
      sequence.push({ kind: "stars", count, leads: !include && sequence.every(isUnescaped) });
    } else if (c === "[") {
      const { set, next } = parseClass(source, characters, i, include, caseInsensitive);
      sequence.push({ kind: "class", set });
      i = next - 1;
    } else if (include && c === "{") {
      if (open.length === MAX_DEPTH) {
        throw malformed(source, `nests braces more than ${MAX_DEPTH} deep`, "use several globs");
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
      if (group.branches.length === 0) {
        const inner = sequence;
        sequence = group.outer;
        add("{", false);
        for (const node of inner) sequence.push(node);
        add(c, false);
        continue;
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

function isUnescaped(node: GlobNode): boolean {
  return node.kind === "character" && !node.escaped;
}

/** POSIX classes, of ASCII only, as in git. */
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

/** Parses the class that opens at an index; `next` is the index after its `]`. */
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
  // The character that starts a range if "-" follows.
  let from: number | undefined;
  const first = i;
  // The next "]", found once however many "[:" precede it.
  let end = -1;
  for (; at(i) !== "]" || i === first; i++) {
    const c = at(i);
    if (c === "[" && characters[i + 1] === ":") {
      if (end < i + 2) end = characters.indexOf("]", i + 2);
      if (end < 0) at(characters.length);
      if (end > i + 2 && characters[end - 1] === ":") {
        const name = characters.slice(i + 2, end - 1).join("");
        const named = NAMED_CLASSES.get(name);
        if (named === undefined) {
          const remedy = `the classes are ${[...NAMED_CLASSES.keys()].join(", ")}`;
          throw malformed(source, `has an unknown class [:${name.slice(0, 20)}:]`, remedy);
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
        throw malformed(source, "has a reversed range", "put the lower end first");
      }
      ranges.push([from, to]);
      from = undefined;
      continue;
    }
    if (c === "\\") i++;
    from = at(i).codePointAt(0)!;
    ranges.push([from, from]);
  }
  return { set: { negated, ranges: inOrder(ranges), folded }, next: i + 1 };
}

/** The same characters as ranges that do not overlap, in order. */
function inOrder(ranges: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (to < from) continue; // runs backwards
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/**
 * The parts of a glob as they are written: escaped characters, classes, and all other characters.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function globTokens(source: string): string[] {
  const tokens: string[] = [];
  const characters = Array.from(source);
  for (let i = 0; i < characters.length;) {
    const c = characters[i];
    const next = c === "\\"
      ? i + 2
      : c === "["
      ? parseClass(source, characters, i, true, false).next
      : i + 1;
    tokens.push(characters.slice(i, next).join(""));
    i = next;
  }
  return tokens;
}
