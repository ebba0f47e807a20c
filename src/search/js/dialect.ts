/**
 * Reading a pattern as agents write it: JavaScript's syntax, and what they bring from PCRE, RE2,
 * Rust, Python and grep, into one parse tree.
 *
 * @module
 */

import { PathgrepError } from "../../util/errors.ts";
import { CharReader, isUpperCase, NEWLINE, QUOTED, RETURN } from "../../regex/char_reader.ts";
import { charSet, CharSetBuilder } from "../../regex/char_set.ts";
import { LINE_BREAK_NOTE, PatternText } from "../../regex/pattern_text.ts";
import {
  type Anchor,
  type CharSet,
  firstChar,
  lastChar,
  type Node,
  sequence,
} from "../../regex/ast.ts";

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
  readonly #text: PatternText;
  readonly #chars: CharReader;
  readonly #multiline: boolean;
  readonly #firstGroup: number;
  readonly #groupsByName = new Map<string, number[]>();
  /** Names of groups that can take part together with what comes next. */
  #names: ReadonlySet<string> = new Set();
  readonly #references: { node: Reference; group: number | string; at: number }[] = [];
  #depth = 0;
  /** Why the last item can't be repeated: there is nothing that matches, or it is a repeat itself. */
  #unrepeatable: "" | "nothing" | "repeat" = "nothing";
  #nextGroup: number;
  #flags: Flags;

  constructor(source: string, options: ReadOptions) {
    this.#text = new PatternText(source);
    this.#chars = new CharReader(this.#text, options.multiline);
    this.#multiline = options.multiline;
    this.#firstGroup = options.firstGroup;
    this.#nextGroup = options.firstGroup;
    this.#flags = { fold: options.caseInsensitive, dotAll: false, lines: true };
  }

  read(): ReadPattern {
    const tree = this.#alternation();
    if (!this.#text.isAtEnd) {
      this.#text.failAsLiteral("unmatched `)`", this.#text.position, "\\)");
    }
    this.#resolveReferences();
    return {
      tree,
      nextGroup: this.#nextGroup,
      hasUpperCase: this.#chars.hasUpperCase,
      notes: this.#text.remarks,
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
    } while (this.#text.take("|"));
    this.#names = after;
    this.#flags = flags;
    return branches.length === 1 ? branches[0]! : { type: "alternation", branches };
  }

  /** Items up to `|`, an unmatched `)` or the end. */
  #sequence(): Node {
    const items: Node[] = [];
    this.#unrepeatable = "nothing";
    while (!this.#text.isAtEnd) {
      const at = this.#text.position;
      const char = this.#text.source[at]!;
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
    const at = this.#text.position;
    switch (this.#text.source[at]) {
      case "*":
        this.#text.position++;
        return { min: 0, max: Infinity };
      case "+":
        this.#text.position++;
        return { min: 1, max: Infinity };
      case "?":
        this.#text.position++;
        return { min: 0, max: 1 };
      case "{": {
        const found = this.#text.match(/\{(\d+)(,(\d*))?\}/y);
        if (found === null || first) return undefined;
        this.#text.position += found[0].length;
        const min = Number(found[1]);
        const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
        if (max < min) this.#text.fail(`the repeat \`${found[0]}\` is out of order`, at);
        if (min > MAX_REPEAT || max !== Infinity && max > MAX_REPEAT) {
          this.#text.fail(`the repeat \`${found[0]}\` is over ${MAX_REPEAT}`, at);
        }
        return { min, max };
      }
      default:
        return undefined;
    }
  }

  /** Applies a quantifier that starts at `at` to the last item. */
  #repeatLast(items: Node[], bounds: { min: number; max: number }, at: number): void {
    const quantifier = this.#text.source.slice(at, this.#text.position);
    if (this.#unrepeatable !== "") {
      const reason = this.#unrepeatable === "nothing"
        ? `nothing to repeat before \`${quantifier}\``
        : `a repeat follows a repeat, \`${quantifier}\``;
      this.#text.failAsLiteral(reason, at, `\\${quantifier}`);
    }
    const lazy = this.#text.take("?");
    if (!lazy && this.#text.source[this.#text.position] === "+") {
      this.#text.failAsLiteral(
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
    const at = this.#text.position;
    if (this.#text.match(/\(\*[A-Z]/y)) {
      this.#text.fail("verbs such as `(*…)` are not supported; leave it out", at);
    }
    if (!this.#text.source.startsWith("(?", at)) {
      this.#text.position++;
      return this.#capture(at);
    }
    for (const [opening, behind, negated] of LOOKAROUNDS) {
      if (!this.#text.take(opening)) continue;
      const look: Node = { type: "look", behind, negated, item: this.#groupBody(at) };
      this.#unrepeatable = "nothing";
      return look;
    }
    if (this.#text.take("(?:")) return this.#groupBody(at);
    const named = this.#text.takeMatch(/\(\?(P?<([\w$\u0080-\uffff]+)>|'([\w$\u0080-\uffff]+)')/y);
    if (named !== null) {
      const name = (named[2] ?? named[3])!;
      if (!named[1]!.startsWith("<")) this.#text.spell(named[0] + "…)", `(?<${name}>…)`);
      return this.#capture(at, name);
    }
    const reference = this.#text.takeMatch(/\(\?P=([\w$\u0080-\uffff]+)\)/y);
    if (reference !== null) {
      this.#text.spell(reference[0], `\\k<${reference[1]}>`);
      this.#unrepeatable = "";
      return this.#reference(reference[1]!, at);
    }
    const isComment = this.#text.takeMatch(/\(\?#[^)]*\)/y) !== null;
    if (isComment) return undefined;
    this.#refuseForeignGroup(at);
    return this.#flagGroup(at);
  }

  #capture(at: number, name?: string): Node {
    const id = this.#nextGroup++;
    if (name !== undefined) {
      if (this.#names.has(name)) this.#text.fail(`two groups are named \`${name}\``, at);
      this.#names = this.#names.union(new Set([name]));
      this.#groupsByName.set(name, [...this.#groupsByName.get(name) ?? [], id]);
    }
    return { type: "capture", id, item: this.#groupBody(at) };
  }

  /** What stands between an opening that was just read and its `)`. */
  #groupBody(at: number): Node {
    if (++this.#depth > MAX_DEPTH) this.#text.fail(`groups are nested over ${MAX_DEPTH} deep`, at);
    const body = this.#alternation();
    if (!this.#text.take(")")) this.#text.failAsLiteral("unclosed `(`", at, "\\(");
    this.#depth--;
    this.#unrepeatable = "";
    return body;
  }

  /** Throws for a construct of PCRE that has no counterpart. */
  #refuseForeignGroup(at: number): void {
    const rest = this.#text.source.slice(at + 2, at + 4);
    const reason = rest[0] === ">"
      ? "the atomic group `(?>…)` is not supported; write `(?:…)`"
      : rest[0] === "|"
      ? "the branch reset `(?|…)` is not supported; write `(?:…)`"
      : rest[0] === "("
      ? "the conditional `(?(…)…)` is not supported; write the cases as alternatives, `(?:a|b)`"
      : /^(?:[R\d&]|[-+]\d|P>)/.test(rest)
      ? "recursion into a group is not supported; write the repeated part out"
      : undefined;
    if (reason !== undefined) this.#text.fail(reason, at);
  }

  /** Flags for the rest of the group, `(?i)`, or for a group of their own, `(?i:…)`. */
  #flagGroup(at: number): Node | undefined {
    const found = this.#text.match(/\(\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/y);
    if (found === null) this.#text.failAsLiteral("unknown group `(?`", at, "\\(");
    const [whole, on, off = "", end] = found;
    let flags = this.#flags;
    for (const [index, flag] of [...on! + off].entries()) {
      const value = index < on!.length;
      if (flag === "i") flags = { ...flags, fold: value };
      else if (flag === "s") flags = { ...flags, dotAll: value };
      else if (flag === "m") flags = { ...flags, lines: value };
      else if (flag !== "u" || !value) this.#refuseFlag(flag, whole, at);
    }
    if (flags.dotAll && !this.#multiline) this.#text.notes.add(LINE_BREAK_NOTE);
    this.#text.position += whole.length;
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
    this.#text.fail(`the flag \`${flag}\` of \`${group}\` is not supported; ${advice}`, at);
  }

  // -- single items ---------------------------------------------------------------------------

  /** `\Q…\E` as characters, and a stray `\E`. True: something was taken. */
  #takeQuoted(items: Node[]): boolean {
    const found = this.#text.takeMatch(QUOTED);
    if (found === null) return false;
    if (found[1] !== undefined) {
      this.#text.spell("\\Q…\\E", "escaped characters");
      for (const char of found[1]) items.push(this.#char(char.codePointAt(0)!));
      if (found[1] !== "") this.#unrepeatable = "";
    }
    return true;
  }

  #atom(char: string): Node {
    switch (char) {
      case "^":
        this.#text.position++;
        return this.#anchor(this.#flags.lines ? "lineStart" : "textStart");
      case "$":
        this.#text.position++;
        return this.#anchor(this.#flags.lines ? "lineEnd" : "textEnd");
      case ".":
        this.#text.position++;
        return this.#any();
      case "[":
        return this.#chars.class(this.#flags.fold);
      case "\\":
        return this.#escape();
      default:
        return this.#char(this.#text.takeCodePoint());
    }
  }

  #char(codePoint: number): Node {
    this.#chars.see(codePoint);
    if (codePoint === NEWLINE && !this.#multiline) this.#text.notes.add(LINE_BREAK_NOTE);
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
    const at = this.#text.position;
    const letter = this.#text.source[at + 1];
    const boundary = this.#text.takeMatch(/\\b\{(start|end)(-half)?\}|\\[<>]/y);
    if (boundary !== null) {
      return this.#wordEdge(boundary[0]);
    }
    const reference = this.#text.takeMatch(
      /\\(?:([1-9]\d*)|g(-?\d+)|g\{(-?\d+)\}|[gk]\{([\w$\u0080-\uffff]+)\}|k<([\w$\u0080-\uffff]+)>|k'([\w$\u0080-\uffff]+)')/y,
    );
    if (reference !== null) {
      const [, plain, ...others] = reference;
      if (plain !== undefined) return this.#reference(Number(plain), at);
      const [g, braced, name, named, quoted] = others;
      const number = g ?? braced;
      if (number === undefined) {
        const given = (name ?? named ?? quoted)!;
        if (named === undefined) this.#text.spell(reference[0], `\\k<${given}>`);
        return this.#reference(given, at);
      }
      const count = this.#nextGroup - this.#firstGroup;
      const group = Number(number) < 0 ? count + 1 + Number(number) : Number(number);
      this.#text.spell(reference[0], `\\${group}`);
      return this.#reference(group, at);
    }
    switch (letter) {
      case "b":
        this.#text.position += 2;
        return this.#anchor("boundary");
      case "B":
        this.#text.position += 2;
        return this.#anchor("notBoundary");
      case "A":
        this.#text.position += 2;
        if (!this.#multiline) this.#text.spell("\\A", "^");
        return this.#anchor("textStart");
      case "z":
        this.#text.position += 2;
        if (!this.#multiline) this.#text.spell("\\z", "$");
        return this.#anchor("textEnd");
      case "Z":
        this.#text.position += 2;
        if (!this.#multiline) {
          this.#text.spell("\\Z", "$");
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
        this.#text.position += 2;
        if (!this.#multiline) this.#text.notes.add(LINE_BREAK_NOTE);
        return this.#set("\\n-\\r\\x85\\u2028\\u2029");
    }
    const item = this.#chars.setEscape();
    if (item !== undefined) return this.#set(item);
    return this.#char(this.#chars.characterEscape());
  }

  /** `\<`, `\>`, `\b{start}` and their kin: a word boundary of one side. */
  #wordEdge(spelling: string): Node {
    const isStart = spelling === "\\<" || spelling.includes("start");
    const word = this.#set("\\w");
    if (spelling.endsWith("-half}")) {
      const ours = isStart ? "(?<!\\w)" : "(?!\\w)";
      this.#text.spell(spelling, ours);
      return this.#look(word, isStart, true);
    }
    this.#text.spell(spelling, isStart ? "\\b(?=\\w)" : "\\b(?<=\\w)");
    return this.#look(
      sequence([this.#look(word, !isStart, false), this.#look(word, isStart, true)]),
      false,
      false,
    );
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
        if (ids === undefined) this.#text.fail(`there is no group named \`${group}\``, at);
        node.ids.push(...ids);
      } else {
        if (group < 1 || group > count) {
          const groups = count === 0 ? "no group" : count === 1 ? "1 group" : `${count} groups`;
          this.#text.failAsLiteral(
            `there is no group ${group} to refer to: the pattern has ${groups}`,
            at,
            `\\\\${group}`,
          );
        }
        node.ids.push(this.#firstGroup + group - 1);
      }
    }
  }

  // -- items side by side ---------------------------------------------------------------------

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
          this.#text.notes.add(
            `\`\\b\` sees ASCII letters only, so there is no word boundary beside \`${char}\`; ` +
              "use whole_word (-w) for words of any language",
          );
        }
      }
      if (item.type === "anchor" && item.kind === "lineEnd" && first !== undefined) {
        if (first !== NEWLINE) {
          this.#text.notes.add("`$` is the end of a line; write `\\$` for the character");
        }
      }
      const given = item.type === "repeat" && item.min === 0 ? item.item : item;
      const isReturn = given.type === "char" && given.codePoint === RETURN;
      if (isReturn && next?.type === "char" && next.codePoint === NEWLINE) {
        return !this.#multiline;
      }
      if (isReturn && given === item) {
        this.#text.notes.add("the `\\r` of a line end `\\r\\n` is not part of the line");
      }
      return true;
    });
  }
}

/** The openings of lookarounds: text, whether it looks behind, whether it is negated. */
const LOOKAROUNDS = [
  ["(?=", false, false],
  ["(?!", false, true],
  ["(?<=", true, false],
  ["(?<!", true, true],
] as const;
