/**
 * Reading a pattern as agents write it: JavaScript's syntax, and what they bring from PCRE, RE2,
 * Rust, Python and grep, into one parse tree.
 *
 * @module
 */

import { PathgrepError } from "../../errors.ts";
import { charSet, CharSetBuilder, HORIZONTAL_SPACE, unicodeProperty } from "./charset.ts";
import { type Anchor, type CharSet, firstChar, lastChar, type Node, sequence } from "./tree.ts";

/** How to read a pattern. */
export interface ReadOptions {
  /** Letters match in either case unless the pattern says otherwise. */
  caseInsensitive: boolean;
  /** Whether a match may span lines. */
  multiline: boolean;
  /** The id of the pattern's first group, so that patterns read one after the other share none. */
  firstGroup: number;
}

/** A pattern that was read. */
export interface ReadPattern {
  tree: Node;
  /** The id that the next pattern's first group may have. */
  nextGroup: number;
  /** Whether an upper-case letter stands for itself (for smart case). */
  hasUpperCase: boolean;
  /** Sentences on what the caller may not expect. */
  notes: string[];
}

/** The longest pattern, in UTF-16 code units. */
const MAX_LENGTH = 65_536;
/** The deepest nesting of groups. */
const MAX_DEPTH = 250;
/** The largest bound of one repeat. */
const MAX_REPEAT = 65_535;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

const LINE_BREAK_NOTE =
  "a match never spans lines; use multiline (-U) for a pattern that has line breaks in it";
const FIXED_STRINGS_HINT = "to find the text as it stands, use fixed strings (fixed_strings, -F)";

/** Escapes of one control character. */
const CONTROL: Readonly<Record<string, number>> = {
  a: 0x07,
  e: 0x1b,
  f: 0x0c,
  n: NEWLINE,
  r: RETURN,
  t: 0x09,
  v: 0x0b,
};

/** What other engines know and this one does not, by the letter after the backslash. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  K: "`\\K` is not supported; write what stands before it as a lookbehind, `(?<=…)`",
  G: "`\\G` is not supported; write `^` for the start of the line",
  X: "`\\X` is not supported; write `.` for one code point",
  C: "`\\C` is not supported; write `.` for one code point",
  N: "`\\N` is not supported; write `[^\\n]`",
};

/**
 * Reads one pattern.
 *
 * @param pattern the pattern as given
 * @param options how to read it
 * @returns its tree and notes
 * @throws {PathgrepError} `invalid_pattern`, with the reason, the position and often a hint
 */
export function readPattern(pattern: string, options: ReadOptions): ReadPattern {
  checkLength(pattern);
  return new Reader(pattern, options).read();
}

/**
 * Reads a pattern as plain text.
 *
 * @param text the text to find
 * @param options how to read it
 * @returns its tree and notes
 * @throws {PathgrepError} `invalid_pattern` when it is too long
 */
export function readFixedString(text: string, options: ReadOptions): ReadPattern {
  checkLength(text);
  const { caseInsensitive: fold, multiline } = options;
  // A multiline search sees each line end as `\n`.
  const points = Array.from(
    multiline ? text.replaceAll("\r\n", "\n") : text,
    (char) => char.codePointAt(0)!,
  );
  return {
    tree: sequence(points.map((codePoint) => ({ type: "char", codePoint, fold }))),
    nextGroup: options.firstGroup,
    hasUpperCase: points.some(isUpperCase),
    notes: !multiline && text.includes("\n") ? [LINE_BREAK_NOTE] : [],
  };
}

function checkLength(pattern: string): void {
  if (pattern.length > MAX_LENGTH) {
    throw new PathgrepError(
      "invalid_pattern",
      `it is ${pattern.length} characters long, more than ${MAX_LENGTH}`,
      { hint: "search for a shorter part of the text" },
    );
  }
}

function isUpperCase(codePoint: number): boolean {
  const char = String.fromCodePoint(codePoint);
  return char.toLowerCase() !== char;
}

/** The flags in force at a place of the pattern. */
interface Flags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  /** Whether `^` and `$` are the start and end of a line, not of the text. */
  readonly lines: boolean;
}

/** A node under construction: the groups of a backreference are known at the end. */
interface Reference {
  readonly type: "backreference";
  readonly ids: number[];
  readonly fold: boolean;
}

/** One reading of one pattern, by recursive descent. */
class Reader {
  readonly #source: string;
  readonly #multiline: boolean;
  readonly #firstGroup: number;
  readonly #notes = new Set<string>();
  /** Foreign spellings met and how JavaScript spells them. */
  readonly #spellings = new Set<string>();
  readonly #groupsByName = new Map<string, number[]>();
  /** Names of groups that can take part together with what comes next. */
  #names: ReadonlySet<string> = new Set();
  readonly #references: { node: Reference; group: number | string; at: number }[] = [];
  #position = 0;
  #depth = 0;
  /** Why the last item can't be repeated: there is nothing that matches, or it is a repeat itself. */
  #unrepeatable: "" | "nothing" | "repeat" = "nothing";
  #nextGroup: number;
  #flags: Flags;
  #hasUpperCase = false;

  constructor(source: string, options: ReadOptions) {
    this.#source = source;
    this.#multiline = options.multiline;
    this.#firstGroup = options.firstGroup;
    this.#nextGroup = options.firstGroup;
    this.#flags = { fold: options.caseInsensitive, dotAll: false, lines: true };
  }

  read(): ReadPattern {
    const tree = this.#alternation();
    if (this.#position < this.#source.length) {
      this.#failAsLiteral("unmatched `)`", this.#position, "\\)");
    }
    this.#resolveReferences();
    if (this.#spellings.size > 0) {
      this.#notes.add(`read as JavaScript: ${[...this.#spellings].join(", ")}`);
    }
    return {
      tree,
      nextGroup: this.#nextGroup,
      hasUpperCase: this.#hasUpperCase,
      notes: [...this.#notes],
    };
  }

  // -- structure ------------------------------------------------------------------------------

  /** Alternatives up to an unmatched `)` or the end; flags set inside end with it. */
  #alternation(): Node {
    const flags = this.#flags;
    const before = this.#names;
    let after = before;
    const branches: Node[] = [];
    do {
      this.#names = before;
      branches.push(this.#sequence());
      after = after.union(this.#names);
    } while (this.#take("|"));
    this.#names = after;
    this.#flags = flags;
    return branches.length === 1 ? branches[0]! : { type: "alternation", branches };
  }

  /** Items up to `|`, an unmatched `)` or the end. */
  #sequence(): Node {
    const items: Node[] = [];
    this.#unrepeatable = "nothing";
    while (this.#position < this.#source.length) {
      const at = this.#position;
      const char = this.#source[at]!;
      if (char === "|" || char === ")") break;
      const bounds = this.#quantifier(items.length === 0);
      if (bounds !== undefined) {
        this.#repeatLast(items, bounds, at);
      } else if (char === "(") {
        const group = this.#group();
        if (group !== undefined) items.push(group);
      } else if (!this.#takeQuoted(items)) {
        const atom = this.#atom(char);
        items.push(atom);
        this.#unrepeatable = atom.type === "anchor" || atom.type === "look" ? "nothing" : "";
      }
    }
    return sequence(this.#checkNeighbours(items));
  }

  /** A quantifier at the position: its bounds, or nothing. */
  #quantifier(first: boolean): { min: number; max: number } | undefined {
    const at = this.#position;
    switch (this.#source[at]) {
      case "*":
        this.#position++;
        return { min: 0, max: Infinity };
      case "+":
        this.#position++;
        return { min: 1, max: Infinity };
      case "?":
        this.#position++;
        return { min: 0, max: 1 };
      case "{": {
        const found = this.#match(/\{(\d+)(,(\d*))?\}/y);
        if (found === null || first) return undefined;
        this.#position += found[0].length;
        const min = Number(found[1]);
        const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
        if (max < min) this.#fail(`the repeat \`${found[0]}\` is out of order`, at);
        if (min > MAX_REPEAT || max !== Infinity && max > MAX_REPEAT) {
          this.#fail(`the repeat \`${found[0]}\` is over ${MAX_REPEAT}`, at);
        }
        return { min, max };
      }
      default:
        return undefined;
    }
  }

  /** Applies a quantifier that starts at `at` to the last item. */
  #repeatLast(items: Node[], bounds: { min: number; max: number }, at: number): void {
    const quantifier = this.#source.slice(at, this.#position);
    if (this.#unrepeatable !== "") {
      const reason = this.#unrepeatable === "nothing"
        ? `nothing to repeat before \`${quantifier}\``
        : `a repeat follows a repeat, \`${quantifier}\``;
      this.#failAsLiteral(reason, at, `\\${quantifier}`);
    }
    const lazy = this.#take("?");
    if (!lazy && this.#source[this.#position] === "+") {
      this.#failAsLiteral(
        `the possessive quantifier \`${quantifier}+\` is not supported; write \`${quantifier}\``,
        at,
        "\\+",
      );
    }
    items.push({ type: "repeat", item: items.pop()!, ...bounds, lazy });
    this.#unrepeatable = "repeat";
  }

  /** A group, a lookaround, a comment or flags at `(`; nothing when it matches nothing by itself. */
  #group(): Node | undefined {
    const at = this.#position;
    if (this.#match(/\(\*[A-Z]/y)) {
      this.#fail("verbs such as `(*…)` are not supported; leave it out", at);
    }
    if (!this.#source.startsWith("(?", at)) {
      this.#position++;
      return this.#capture(at);
    }
    for (const [opening, behind, negated] of LOOKAROUNDS) {
      if (!this.#take(opening)) continue;
      const look: Node = { type: "look", behind, negated, item: this.#groupBody(at) };
      this.#unrepeatable = "nothing";
      return look;
    }
    if (this.#take("(?:")) return this.#groupBody(at);
    const named = this.#match(/\(\?(P?<([\w$\u0080-\uffff]+)>|'([\w$\u0080-\uffff]+)')/y);
    if (named !== null) {
      this.#position += named[0].length;
      const name = (named[2] ?? named[3])!;
      if (!named[1]!.startsWith("<")) this.#spell(named[0] + "…)", `(?<${name}>…)`);
      return this.#capture(at, name);
    }
    const reference = this.#match(/\(\?P=([\w$\u0080-\uffff]+)\)/y);
    if (reference !== null) {
      this.#position += reference[0].length;
      this.#spell(reference[0], `\\k<${reference[1]}>`);
      this.#unrepeatable = "";
      return this.#reference(reference[1]!, at);
    }
    const comment = this.#match(/\(\?#[^)]*\)/y);
    if (comment !== null) {
      this.#position += comment[0].length;
      return undefined;
    }
    this.#refuseForeignGroup(at);
    return this.#flagGroup(at);
  }

  #capture(at: number, name?: string): Node {
    const id = this.#nextGroup++;
    if (name !== undefined) {
      if (this.#names.has(name)) this.#fail(`two groups are named \`${name}\``, at);
      this.#names = this.#names.union(new Set([name]));
      this.#groupsByName.set(name, [...this.#groupsByName.get(name) ?? [], id]);
    }
    return { type: "capture", id, item: this.#groupBody(at) };
  }

  /** What stands between an opening that was just read and its `)`. */
  #groupBody(at: number): Node {
    if (++this.#depth > MAX_DEPTH) this.#fail(`groups are nested over ${MAX_DEPTH} deep`, at);
    const body = this.#alternation();
    if (!this.#take(")")) this.#failAsLiteral("unclosed `(`", at, "\\(");
    this.#depth--;
    this.#unrepeatable = "";
    return body;
  }

  /** Throws for a construct of PCRE that has no counterpart. */
  #refuseForeignGroup(at: number): void {
    const rest = this.#source.slice(at + 2, at + 4);
    const reason = rest[0] === ">"
      ? "the atomic group `(?>…)` is not supported; write `(?:…)`"
      : rest[0] === "|"
      ? "the branch reset `(?|…)` is not supported; write `(?:…)`"
      : rest[0] === "("
      ? "the conditional `(?(…)…)` is not supported; write the cases as alternatives, `(?:a|b)`"
      : /^(?:[R\d&]|[-+]\d|P>)/.test(rest)
      ? "recursion into a group is not supported; write the repeated part out"
      : undefined;
    if (reason !== undefined) this.#fail(reason, at);
  }

  /** Flags for the rest of the group, `(?i)`, or for a group of their own, `(?i:…)`. */
  #flagGroup(at: number): Node | undefined {
    const found = this.#match(/\(\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/y);
    if (found === null) this.#failAsLiteral("unknown group `(?`", at, "\\(");
    const [whole, on, off = "", end] = found;
    let flags = this.#flags;
    for (const [index, flag] of [...on! + off].entries()) {
      const value = index < on!.length;
      if (flag === "i") flags = { ...flags, fold: value };
      else if (flag === "s") flags = { ...flags, dotAll: value };
      else if (flag === "m") flags = { ...flags, lines: value };
      else if (flag !== "u" || !value) this.#refuseFlag(flag, whole, at);
    }
    if (flags.dotAll && !this.#multiline) this.#notes.add(LINE_BREAK_NOTE);
    this.#position += whole.length;
    if (end === ")") {
      this.#flags = flags;
      this.#unrepeatable = "nothing";
      return undefined;
    }
    const outer = this.#flags;
    this.#flags = flags;
    const body = this.#groupBody(at);
    this.#flags = outer;
    return body;
  }

  #refuseFlag(flag: string, group: string, at: number): never {
    const advice = flag === "x"
      ? "leave out the white space and comments of the pattern"
      : flag === "U"
      ? "write lazy quantifiers, such as `*?`"
      : "the flags are `i`, `m` and `s`";
    this.#fail(`the flag \`${flag}\` of \`${group}\` is not supported; ${advice}`, at);
  }

  // -- single items ---------------------------------------------------------------------------

  /** `\Q…\E` as characters, and a stray `\E`. True: something was taken. */
  #takeQuoted(items: Node[]): boolean {
    const found = this.#match(/\\E|\\Q([^]*?)(?:\\E|$)/y);
    if (found === null) return false;
    this.#position += found[0].length;
    if (found[1] !== undefined) {
      this.#spell("\\Q…\\E", "escaped characters");
      for (const char of found[1]) items.push(this.#char(char.codePointAt(0)!));
      if (found[1] !== "") this.#unrepeatable = "";
    }
    return true;
  }

  #atom(char: string): Node {
    switch (char) {
      case "^":
        this.#position++;
        return this.#anchor(this.#flags.lines ? "lineStart" : "textStart");
      case "$":
        this.#position++;
        return this.#anchor(this.#flags.lines ? "lineEnd" : "textEnd");
      case ".":
        this.#position++;
        return this.#any();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      default:
        return this.#char(this.#takeCodePoint());
    }
  }

  #char(codePoint: number): Node {
    if (isUpperCase(codePoint)) this.#hasUpperCase = true;
    if (codePoint === NEWLINE && !this.#multiline) this.#notes.add(LINE_BREAK_NOTE);
    return { type: "char", codePoint, fold: this.#flags.fold };
  }

  /** `.`: any character or, by default, any but `\n`. */
  #any(): Node {
    const builder = new CharSetBuilder();
    if (!this.#flags.dotAll) builder.addRange(NEWLINE, NEWLINE);
    return builder.build(true, this.#flags.fold);
  }

  #set(items: string): CharSet {
    return charSet(items, false, this.#flags.fold);
  }

  #anchor(kind: Anchor["kind"]): Node {
    // A search by lines never sees more than the line.
    if (!this.#multiline && kind === "textStart") kind = "lineStart";
    if (!this.#multiline && kind === "textEnd") kind = "lineEnd";
    return { type: "anchor", kind, fold: this.#flags.fold };
  }

  #look(item: Node, behind: boolean, negated: boolean): Node {
    return { type: "look", behind, negated, item };
  }

  /** An escape outside of a class. */
  #escape(): Node {
    const at = this.#position;
    const letter = this.#source[at + 1];
    const boundary = this.#match(/\\b\{(start|end)(-half)?\}|\\[<>]/y);
    if (boundary !== null) {
      this.#position += boundary[0].length;
      return this.#wordEdge(boundary[0]);
    }
    const reference = this.#match(
      /\\(?:([1-9]\d*)|g(-?\d+)|g\{(-?\d+)\}|[gk]\{([\w$\u0080-\uffff]+)\}|k<([\w$\u0080-\uffff]+)>|k'([\w$\u0080-\uffff]+)')/y,
    );
    if (reference !== null) {
      this.#position += reference[0].length;
      const [, plain, ...others] = reference;
      if (plain !== undefined) return this.#reference(Number(plain), at);
      const [g, braced, name, named, quoted] = others;
      const number = g ?? braced;
      if (number === undefined) {
        const given = (name ?? named ?? quoted)!;
        if (named === undefined) this.#spell(reference[0], `\\k<${given}>`);
        return this.#reference(given, at);
      }
      const count = this.#nextGroup - this.#firstGroup;
      const group = Number(number) < 0 ? count + 1 + Number(number) : Number(number);
      this.#spell(reference[0], `\\${group}`);
      return this.#reference(group, at);
    }
    switch (letter) {
      case "b":
        this.#position += 2;
        return this.#anchor("boundary");
      case "B":
        this.#position += 2;
        return this.#anchor("notBoundary");
      case "A":
        this.#position += 2;
        if (!this.#multiline) this.#spell("\\A", "^");
        return this.#anchor("textStart");
      case "z":
        this.#position += 2;
        if (!this.#multiline) this.#spell("\\z", "$");
        return this.#anchor("textEnd");
      case "Z":
        this.#position += 2;
        if (!this.#multiline) {
          this.#spell("\\Z", "$");
          return this.#anchor("textEnd");
        }
        return this.#look(
          sequence([
            { type: "repeat", item: this.#char(NEWLINE), min: 0, max: 1, lazy: false },
            this.#anchor("textEnd"),
          ]),
          false,
          false,
        );
      case "R":
        this.#position += 2;
        if (!this.#multiline) this.#notes.add(LINE_BREAK_NOTE);
        return this.#set("\\n-\\r\\x85\\u2028\\u2029");
    }
    const item = this.#setEscape();
    if (item !== undefined) return this.#set(item);
    return this.#char(this.#characterEscape());
  }

  /** `\<`, `\>`, `\b{start}` and their kin: a word boundary of one side. */
  #wordEdge(spelling: string): Node {
    const isStart = spelling === "\\<" || spelling.includes("start");
    const word = this.#set("\\w");
    if (spelling.endsWith("-half}")) {
      const ours = isStart ? "(?<!\\w)" : "(?!\\w)";
      this.#spell(spelling, ours);
      return this.#look(word, isStart, true);
    }
    this.#spell(spelling, isStart ? "\\b(?=\\w)" : "\\b(?<=\\w)");
    return this.#look(
      sequence([this.#look(word, !isStart, false), this.#look(word, isStart, true)]),
      false,
      false,
    );
  }

  /** A class escape, valid in and outside of a class, as the inside of a class; or nothing. */
  #setEscape(): string | undefined {
    const at = this.#position;
    const found = this.#match(/\\(?:[dDwWsS]|([hH])|([pP])(?:([A-Za-z])|\{(\^?)([^{}]*)\}))/y);
    if (found === null) return undefined;
    this.#position += found[0].length;
    const [whole, horizontal, property, letter, negation, name] = found;
    if (horizontal !== undefined) {
      this.#spell(whole, `[${horizontal === "H" ? "^" : ""}${HORIZONTAL_SPACE}]`);
      return `[${horizontal === "H" ? "^" : ""}${HORIZONTAL_SPACE}]`;
    }
    if (property === undefined) return whole;
    const given = (letter ?? name)!;
    const resolved = unicodeProperty(given);
    if (resolved === undefined) {
      this.#failAsLiteral(`unknown Unicode property \`${given}\``, at, `\\${whole}`);
    }
    const negated = (property === "P") !== (negation === "^");
    const ours = `\\${negated ? "P" : "p"}{${resolved}}`;
    if (ours !== whole) this.#spell(whole, ours);
    return ours;
  }

  /** An escape of one character, valid in and outside of a class. */
  #characterEscape(): number {
    const at = this.#position;
    const hex = this.#match(
      /\\(?:x([\da-fA-F]{2})|u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|[xu]\{\s*([\da-fA-F]+)\s*\})/y,
    );
    if (hex !== null) {
      this.#position += hex[0].length;
      const [whole, x, high, low, u, long, braced] = hex;
      if (high !== undefined) {
        return String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)).codePointAt(0)!;
      }
      const digits = (x ?? u ?? long ?? braced)!;
      const value = parseInt(digits, 16);
      if (value > 0x10ffff) this.#fail(`\`${whole}\` is beyond the last code point, 10FFFF`, at);
      if (long !== undefined || whole.startsWith("\\x{")) {
        this.#spell(whole, `\\u{${value.toString(16).toUpperCase()}}`);
      }
      return value;
    }
    const letter = this.#source[at + 1];
    if (letter === undefined) this.#failAsLiteral("it ends with a backslash", at, "\\\\");
    if (Object.hasOwn(UNSUPPORTED, letter)) this.#fail(UNSUPPORTED[letter]!, at);
    if (Object.hasOwn(CONTROL, letter)) {
      this.#position += 2;
      if (letter === "e" || letter === "a") this.#spell(`\\${letter}`, hexEscape(CONTROL[letter]!));
      return CONTROL[letter]!;
    }
    const control = this.#match(/\\c([A-Za-z])/y);
    if (control !== null) {
      this.#position += 3;
      return control[1]!.charCodeAt(0) % 32;
    }
    const octal = this.#match(/\\(0[0-7]{1,2}|[0-7]{2,3})/y);
    if (octal !== null) {
      const value = hexEscape(parseInt(octal[1]!, 8));
      this.#fail(`the octal escape \`${octal[0]}\` is not supported; write \`${value}\``, at);
    }
    if (letter === "0") {
      this.#position += 2;
      return 0;
    }
    if (/[A-Za-z0-9]/.test(letter)) {
      this.#failAsLiteral(
        letter === "x" || letter === "u"
          ? `\`\\${letter}\` needs hexadecimal digits, such as \`\\${
            letter === "x" ? "x41" : "u0041"
          }\``
          : `unknown escape \`\\${letter}\``,
        at,
        `\\\\${letter}`,
      );
    }
    this.#noteEscapedBar(at);
    this.#position++;
    return this.#takeCodePoint();
  }

  /** In grep's basic syntax `foo\|bar` is an alternation: say that it is not. */
  #noteEscapedBar(at: number): void {
    if (/^[\w)]\\\|[\w(]/.test(this.#source.slice(Math.max(0, at - 1), at + 3))) {
      this.#notes.add("`\\|` is the character `|`; write `|` for alternatives");
    }
  }

  #reference(group: number | string, at: number): Node {
    const node: Reference = { type: "backreference", ids: [], fold: this.#flags.fold };
    this.#references.push({ node, group, at });
    return node;
  }

  #resolveReferences(): void {
    const count = this.#nextGroup - this.#firstGroup;
    for (const { node, group, at } of this.#references) {
      if (typeof group === "string") {
        const ids = this.#groupsByName.get(group);
        if (ids === undefined) this.#fail(`there is no group named \`${group}\``, at);
        node.ids.push(...ids);
      } else {
        if (group < 1 || group > count) {
          const groups = count === 0 ? "no group" : count === 1 ? "1 group" : `${count} groups`;
          this.#failAsLiteral(
            `there is no group ${group} to refer to: the pattern has ${groups}`,
            at,
            `\\\\${group}`,
          );
        }
        node.ids.push(this.#firstGroup + group - 1);
      }
    }
  }

  // -- classes --------------------------------------------------------------------------------

  /** A class at `[`. */
  #class(): Node {
    const at = this.#position;
    const opening = this.#source[at + 1] === "^" ? "[^" : "[";
    const negated = opening === "[^";
    this.#position += opening.length;
    const builder = new CharSetBuilder();
    let breaksOnly = true;
    if (this.#source[this.#position] === "]") {
      this.#position++;
      if (!this.#bracketIsMember(negated)) {
        if (!negated) {
          this.#notes.add("`[]` matches nothing; write `\\[\\]` for the characters");
        }
        return builder.build(negated, this.#flags.fold);
      }
      breaksOnly = false;
      builder.addRange(0x5d, 0x5d);
      this.#spell(`${opening}]…]`, `${opening}\\]…]`);
    }
    const word = this.#match(/:\^?[a-z]+:\]/y);
    if (word !== null && !negated) {
      this.#notes.add(
        `\`[${word[0]}\` is a class of its letters; write \`[[${word[0]}]\` for the POSIX class`,
      );
    }
    while (!this.#take("]")) {
      if (this.#position >= this.#source.length) this.#failAsLiteral("unclosed `[`", at, "\\[");
      const low = this.#classMember(builder);
      if (low === undefined) {
        breaksOnly = false;
        continue;
      }
      if (low !== NEWLINE && low !== RETURN) breaksOnly = false;
      let high = low;
      if (this.#match(/-(?!\]|\[:\^?[a-z]+:\]|\\[dDwWsShHpPEQ]|$)/y)) {
        const from = this.#position;
        this.#position++;
        high = this.#classMember(builder)!;
        if (high < low) {
          this.#failAsLiteral(
            `the range \`${String.fromCodePoint(low)}${
              this.#source.slice(from, this.#position)
            }\` ` +
              "is out of order",
            from,
            "\\-",
          );
        }
        breaksOnly = false;
      }
      if (isUpperCase(low) || isUpperCase(high)) this.#hasUpperCase = true;
      builder.addRange(low, high);
    }
    const set = builder.build(negated, this.#flags.fold);
    if (!this.#multiline && !negated && (breaksOnly || set.ascii === (1n << 128n) - 1n)) {
      this.#notes.add(LINE_BREAK_NOTE);
    }
    return set;
  }

  /**
   * Whether the `]` right after `[` or `[^` is a member, as in POSIX, PCRE and Rust. In JavaScript it
   * ends the class: kept where nothing else closes one, and for the idiom `[^]` before a quantifier.
   */
  #bracketIsMember(negated: boolean): boolean {
    if (negated && this.#match(/[*+?{)|]|$/y)) return false;
    return this.#match(/(?:[^\]\\]|\\[^])*\]/y) !== null;
  }

  /** One member of a class: a character is returned, a set of characters goes to the builder. */
  #classMember(builder: CharSetBuilder): number | undefined {
    const at = this.#position;
    const posix = this.#match(/\[:(\^?)([a-z]+):\]/y);
    if (posix !== null) {
      const [whole, negation, name] = posix;
      if (!builder.addPosix(name!, negation === "^")) {
        this.#fail(`unknown class \`${whole}\``, at);
      }
      this.#spell(`[${whole}]`, "a class of ASCII characters");
      this.#position += whole.length;
      return undefined;
    }
    const quoted = this.#match(/\\E|\\Q([^]*?)(?:\\E|$)/y);
    if (quoted !== null) {
      this.#position += quoted[0].length;
      for (const char of quoted[1] ?? "") {
        if (isUpperCase(char.codePointAt(0)!)) this.#hasUpperCase = true;
        builder.addRange(char.codePointAt(0)!, char.codePointAt(0)!);
      }
      return undefined;
    }
    if (this.#source[at] !== "\\") return this.#takeCodePoint();
    const item = this.#setEscape();
    if (item !== undefined) {
      builder.addItem(item);
      return undefined;
    }
    if (this.#take("\\b")) return 0x08;
    const anchor = this.#match(/\\[ABzZR]/y);
    if (anchor !== null) this.#fail(`\`${anchor[0]}\` has no meaning in a class`, at);
    return this.#characterEscape();
  }

  // -- remarks and errors ---------------------------------------------------------------------

  /** Line ends in a multiline pattern are `\n` alone; and remarks on items side by side. */
  #checkNeighbours(items: Node[]): Node[] {
    return items.filter((item, index) => {
      const next = items[index + 1];
      const first = next && firstChar(next);
      if (item.type === "anchor" && item.kind === "boundary") {
        for (const letter of [first, index > 0 ? lastChar(items[index - 1]!) : undefined]) {
          if (letter === undefined || letter < 128) continue;
          const char = String.fromCodePoint(letter);
          if (!/[\p{L}\p{M}\p{N}]/u.test(char)) continue;
          this.#notes.add(
            `\`\\b\` sees ASCII letters only, so there is no word boundary beside \`${char}\`; ` +
              "use whole_word (-w) for words of any language",
          );
        }
      }
      if (item.type === "anchor" && item.kind === "lineEnd" && first !== undefined) {
        if (first !== NEWLINE) {
          this.#notes.add("`$` is the end of a line; write `\\$` for the character");
        }
      }
      const given = item.type === "repeat" && item.min === 0 ? item.item : item;
      const isReturn = given.type === "char" && given.codePoint === RETURN;
      if (isReturn && next?.type === "char" && next.codePoint === NEWLINE) {
        return !this.#multiline;
      }
      if (isReturn && given === item) {
        this.#notes.add("the `\\r` of a line end `\\r\\n` is not part of the line");
      }
      return true;
    });
  }

  #spell(theirs: string, ours: string): void {
    this.#spellings.add(`\`${theirs}\` as ${ours.includes(" ") ? ours : `\`${ours}\``}`);
  }

  #fail(reason: string, at: number, hint?: string): never {
    const character = Array.from(this.#source.slice(0, at)).length + 1;
    throw new PathgrepError("invalid_pattern", `${reason} (at character ${character})`, {
      pattern: this.#source,
      hint,
    });
  }

  /** Fails where the pattern may have been meant as text. */
  #failAsLiteral(reason: string, at: number, escaped: string): never {
    this.#fail(reason, at, `${FIXED_STRINGS_HINT}, or write \`${escaped}\` for the character`);
  }

  // -- the text of the pattern ----------------------------------------------------------------

  /** Takes the given text if it comes next. */
  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#position)) return false;
    this.#position += text.length;
    return true;
  }

  #takeCodePoint(): number {
    const codePoint = this.#source.codePointAt(this.#position)!;
    this.#position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Looks for a sticky expression at the position, without taking it. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#position;
    return expression.exec(this.#source);
  }
}

/** The openings of lookarounds: text, whether it looks behind, whether it is negated. */
const LOOKAROUNDS = [
  ["(?=", false, false],
  ["(?!", false, true],
  ["(?<=", true, false],
  ["(?<!", true, true],
] as const;

function hexEscape(codePoint: number): string {
  return `\\x${codePoint.toString(16).toUpperCase().padStart(2, "0")}`;
}
