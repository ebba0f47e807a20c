/**
 * Parses globs into trees, and reads what the globs of shells and of JavaScript have and ours have not:
 * alternatives in parentheses, `(a|b)` and `@(a|b)`, mean what braces do. The other extended forms are errors
 * that say what to write.
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
  if (options.dialect === "include" && source.includes("\0")) {
    throw malformed(source, "contains a NUL character", "remove it, no path contains one");
  }
  return new GlobParser(source, options).parse();
}

class GlobParser {
  readonly #source: string;
  readonly #characters: readonly string[];
  readonly #isInclude: boolean;
  readonly #folds: boolean;
  /** The index of the next character. */
  #at = 0;
  /** The braces that are open, with what stands before each. */
  readonly #open: { outer: Sequence; branches: Sequence[] }[] = [];
  #sequence: Sequence = [];

  constructor(source: string, { dialect, caseInsensitive }: Required<GlobOptions>) {
    this.#source = source;
    this.#characters = Array.from(source);
    this.#isInclude = dialect === "include";
    this.#folds = caseInsensitive;
  }

  parse(): Sequence {
    const { length } = this.#characters;
    if (length > MAX_LENGTH) {
      this.#fail(`is longer than ${MAX_LENGTH} characters`, "use several shorter globs");
    }
    while (this.#at < length) this.#part(this.#characters[this.#at++]!);
    if (this.#open.length > 0) {
      this.#fail("has a { without a }", "close it, or write \\{ for a literal brace");
    }
    return this.#sequence;
  }

  #part(c: string): void {
    if (c === "\\") this.#escaped();
    else if (c === "?") this.#sequence.push({ kind: "class", set: ANY });
    else if (c === "*") this.#stars();
    else if (c === "[") this.#class();
    else if (c === "{" && this.#isInclude) this.#openBraces();
    else if (c === "}" && this.#isInclude) this.#closeBraces();
    else if (c === "," && this.#open.length > 0) {
      this.#open.at(-1)!.branches.push(this.#sequence);
      this.#sequence = [];
    } else this.#add(c, false);
  }

  #add(character: string, escaped: boolean): void {
    for (const c of this.#folds ? foldCase(character) : character) {
      this.#sequence.push({ kind: "character", code: c.codePointAt(0)!, escaped });
    }
  }

  #escaped(): void {
    const next = this.#characters[this.#at++];
    if (next === undefined) {
      this.#fail("ends with a backslash", "write \\\\ for a literal backslash");
    }
    this.#add(next, true);
  }

  #stars(): void {
    const leads = !this.#isInclude && this.#sequence.every(isUnescaped);
    let count = 1;
    for (; this.#characters[this.#at] === "*"; this.#at++) count++;
    this.#sequence.push({ kind: "stars", count, leads });
  }

  #class(): void {
    const [from, strict, folds] = [this.#at - 1, this.#isInclude, this.#folds];
    const { set, next } = parseClass(this.#source, this.#characters, from, strict, folds);
    this.#sequence.push({ kind: "class", set });
    this.#at = next;
  }

  #openBraces(): void {
    if (this.#open.length === MAX_DEPTH) {
      this.#fail(`nests braces more than ${MAX_DEPTH} deep`, "use several globs");
    }
    this.#open.push({ outer: this.#sequence, branches: [] });
    this.#sequence = [];
  }

  #closeBraces(): void {
    const group = this.#open.pop();
    if (group === undefined) {
      this.#fail("has a } without a {", "write \\} for a literal brace");
    }
    const { outer, branches } = group;
    const last = this.#sequence;
    this.#sequence = outer;
    if (branches.length > 0) {
      outer.push({ kind: "choice", branches: [...branches, last] });
      return;
    }
    this.#add("{", false);
    for (const node of last) outer.push(node);
    this.#add("}", false);
  }

  #fail(problem: string, remedy: string): never {
    throw malformed(this.#source, problem, remedy);
  }
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
  const at = (index: number) => characters[index] ?? unclosed(source);
  const negated = "!^".includes(at(i));
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
        ranges.push(...namedClass(source, characters.slice(i + 2, end - 1).join("")));
        from = undefined;
        i = end;
        continue;
      }
    }
    if (c === "-" && from !== undefined && at(i + 1) !== "]") {
      if (at(++i) === "\\") i++;
      const to = at(i).codePointAt(0)!;
      if (strict) checkOrder(source, from, to);
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

function checkOrder(source: string, from: number, to: number): void {
  if (to < from) throw malformed(source, "has a reversed range", "put the lower end first");
}

function unclosed(source: string): never {
  throw malformed(source, "has a [ without a ]", "close it, or write \\[ for a literal bracket");
}

function namedClass(source: string, name: string): [number, number][] {
  const named = NAMED_CLASSES.get(name);
  if (named !== undefined) return named;
  const remedy = `the classes are ${[...NAMED_CLASSES.keys()].join(", ")}`;
  throw malformed(source, `has an unknown class [:${name.slice(0, 20)}:]`, remedy);
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

/** Parentheses with a form's character before them, or with a bar in them. */
interface ExtendedGroup {
  /** The character before the parenthesis; empty for alternatives in parentheses alone. */
  form: string;
  /** The indices of the closing parenthesis and of the bars. */
  end: number;
  bars: readonly number[];
}

const FORMS = "@!?*+";

/** The deepest groups, and the most negations for which a replacement is suggested. */
const MAX_GROUP_DEPTH = 100;
const MAX_NEGATIONS = 8;
/** The longest suggestion, in UTF-16 units. */
const MAX_SENT = 500;

/**
 * The extended groups of a glob, by the index of the parenthesis that opens each.
 *
 * @throws {PathgrepError} `invalid_input` if they nest too deep
 */
function extendedGroups(tokens: readonly string[]): ReadonlyMap<number, ExtendedGroup> {
  const groups = new Map<number, ExtendedGroup>();
  const open: { start: number; bars: number[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "(") open.push({ start: index, bars: [] });
    else if (token === "|") open.at(-1)?.bars.push(index);
    else if (token === ")") {
      const group = open.pop();
      if (group === undefined) continue;
      const before = tokens[group.start - 1] ?? "";
      const form = before !== "" && FORMS.includes(before) ? before : "";
      // Parentheses around a name, as in `(group)/page.tsx`, are a part of it.
      const isGroup = form !== "" || group.bars.length > 0;
      if (isGroup && open.length >= MAX_GROUP_DEPTH) {
        const problem = `nests groups more than ${MAX_GROUP_DEPTH} deep`;
        throw malformed(tokens.join(""), problem, "use several globs");
      }
      if (isGroup) groups.set(group.start, { form, end: index, bars: group.bars });
    }
  }
  return groups;
}

/** Whether a glob begins with `!(…)`, where a `!` alone would negate it. */
export function beginsWithNegation(glob: string): boolean {
  return glob.startsWith("!(") && extendedGroups(globTokens(glob)).has(1);
}

/**
 * Splits a list of globs at its commas, except in braces, in classes, in extended groups and after a
 * backslash.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function splitGlobs(list: string): string[] {
  if (!list.includes(",")) return [list];
  const tokens = globTokens(list);
  const groups = extendedGroups(tokens);
  const globs: string[] = [];
  let start = 0;
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (token === "," && depth === 0) {
      globs.push(tokens.slice(start, i).join(""));
      start = i + 1;
    } else i = groups.get(i)?.end ?? i;
  }
  globs.push(tokens.slice(start).join(""));
  return globs;
}

/** What stands for a group. */
type Substitute = (alternatives: readonly string[], form: string, start: number) => string;

/**
 * Reads a glob with extended forms as one without.
 *
 * @param source a glob without the `!` that negates it
 * @param sendFor the suggestion for a glob with `!(…)`, given the glob with anything in its place and
 * those for what must not be there @default there is none
 * @throws {PathgrepError} `invalid_input` for a form that braces cannot express, and an unclosed class
 */
export function readExtendedForms(
  source: string,
  sendFor?: (anything: string, unwanted: readonly string[]) => string,
): string {
  if (!source.includes("(")) return source;
  const tokens = globTokens(source);
  const groups = extendedGroups(tokens);
  if (groups.size === 0) return source;
  const write = (substitute: Substitute, only?: number) =>
    withGroups(tokens, groups, substitute, only);
  const unread = groups.values().find(({ form }) => form !== "" && form !== "@");
  if (unread === undefined) return write(inBraces);
  const negations = groups.entries().filter(([, { form }]) => form === "!").toArray();
  const send = negations.length === 0
    ? `'${write(oncePresent)}'`
    : negations.length > MAX_NEGATIONS || negations.some(holdsAnother)
    ? undefined
    : sendFor?.(
      write((alternatives, form) => form === "!" ? "*" : oncePresent(alternatives, form)),
      negations.map(([negation]) =>
        write(
          (alternatives, form, start) =>
            form === "!" && start !== negation ? "*" : oncePresent(alternatives, form),
          negation,
        )
      ),
    );
  const isRepeated = groups.values().some(({ form }) => form === "+" || form === "*");
  const remedy = send !== undefined && send.length <= MAX_SENT
    ? `use ${send}${isRepeated ? ", which matches the repeated part once" : ""}`
    : "write each alternative as a glob of its own";
  throw malformed(
    source,
    `has the extended form ${unread.form}(…), which is not supported`,
    `${remedy}, or write \\( for a literal (`,
  );

  function holdsAnother([start, { end }]: [number, ExtendedGroup]): boolean {
    return negations.some(([other]) => other > start && other < end);
  }
}

function inBraces(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? alternatives[0]! : `{${alternatives.join(",")}}`;
}

/** What comes nearest to a form: its alternatives once, where they may be repeated. */
function oncePresent(alternatives: readonly string[], form: string): string {
  return inBraces(form === "?" || form === "*" ? [...alternatives, ""] : alternatives);
}

/**
 * A glob with something else in place of its groups.
 *
 * @param only the index of a group: of those around it, only the alternatives that hold it are written
 */
function withGroups(
  tokens: readonly string[],
  groups: ReadonlyMap<number, ExtendedGroup>,
  substitute: Substitute,
  only?: number,
): string {
  const isForm = (index: number) => (groups.get(index + 1)?.form ?? "") !== "";
  const between = (from: number, to: number, isInGroup: boolean): string => {
    let text = "";
    let depth = 0;
    for (let i = from; i < to; i++) {
      const token = tokens[i]!;
      const group = groups.get(i);
      if (group !== undefined) {
        const cuts = [i, ...group.bars, group.end];
        const parts = cuts.slice(1).map((to, index) => ({ from: cuts[index]! + 1, to }));
        const around = only === undefined
          ? []
          : parts.filter(({ from, to }) => only >= from && only < to);
        const alternatives = (around.length > 0 ? around : parts)
          .map(({ from, to }) => between(from, to, true));
        text += substitute(alternatives, group.form, i);
        i = group.end;
      } else if (!isForm(i)) {
        if (token === "{") depth++;
        if (token === "}") depth--;
        // A comma is a character of an alternative, and would separate two of them.
        text += token === "," && depth === 0 && isInGroup ? "\\," : token;
      }
    }
    return text;
  };
  return between(0, tokens.length, false);
}

/**
 * A glob without its braces that hold no comma, as ripgrep reads it: `*.ts` for `*.{ts}`. Here and in shells
 * such braces are ordinary characters.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function withoutLoneBraces(glob: string): string {
  if (!glob.includes("{")) return glob;
  const tokens = globTokens(glob);
  const open: { index: number; hasComma: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "{") open.push({ index, hasComma: false });
    else if (token === "," && open.length > 0) open.at(-1)!.hasComma = true;
    else if (token === "}") {
      const group = open.pop();
      if (group?.hasComma === false) tokens[group.index] = tokens[index] = "";
    }
  }
  return tokens.join("");
}
