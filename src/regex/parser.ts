/**
 * Parses a pattern as agents write it, in JavaScript's syntax with spellings from PCRE, RE2, Rust,
 * Python and grep, into one tree.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import {
  type Anchor,
  firstChar,
  letterBeyondAscii,
  type PatternNode,
  sequence,
  textNode,
} from "./ast.ts";
import { AtomParser, type Flags, GroupTable } from "./atom_parser.ts";
import {
  CharReader,
  isUpperCase,
  LINE_BREAK,
  NEWLINE,
  noteQuoted,
  type OptionNaming,
  PatternText,
  QUOTED,
  RETURN,
} from "./pattern_text.ts";

export interface ParseOptions {
  /** Letters match in either case unless a flag in the pattern says otherwise. */
  caseInsensitive: boolean;
  multiline: boolean;
  /** The id of the pattern's first group, so that several patterns share no group. */
  firstGroup: number;
  nameOf: OptionNaming;
}

export interface ParsedPattern {
  tree: PatternNode;
  /** The first group id that is free for the next pattern. */
  nextGroup: number;
  /** Whether the pattern holds a literal upper-case letter, which turns smart case off. */
  hasUpperCase: boolean;
  notes: Note[];
}

/** The longest pattern, in UTF-16 code units. */
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 250;
const MAX_REPEAT = 65_535;

/** @throws {PathgrepError} `invalid_pattern`, with the reason, the position and often a hint */
export function parsePattern(pattern: string, options: ParseOptions): ParsedPattern {
  checkLength(pattern);
  return new Parser(pattern, options).parse();
}

/**
 * Parses a pattern as plain text.
 *
 * @throws {PathgrepError} `invalid_pattern` when it is too long
 */
export function parseFixedString(text: string, options: ParseOptions): ParsedPattern {
  checkLength(text);
  const { caseInsensitive: fold, multiline } = options;
  // A multiline search sees each line end as `\n`.
  const found = multiline ? text.replaceAll("\r\n", "\n") : text;
  return {
    tree: textNode(found, fold),
    nextGroup: options.firstGroup,
    hasUpperCase: Array.from(found).some((char) => isUpperCase(char.codePointAt(0)!)),
    notes: !multiline && text.includes("\n") ? [LINE_BREAK] : [],
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

/** Parses by recursive descent. */
class Parser {
  readonly #text: PatternText;
  readonly #chars: CharReader;
  readonly #groups: GroupTable;
  readonly #atoms: AtomParser;
  #depth = 0;
  /** Whether the last sequence has no item. */
  #isBlank = false;
  /** Why the last item cannot be repeated: it matches no character, or it is a repeat itself. */
  #unrepeatable: "" | "nothing" | "repeat" = "nothing";

  constructor(source: string, options: ParseOptions) {
    this.#text = new PatternText(source, options);
    this.#chars = new CharReader(this.#text);
    this.#groups = new GroupTable(this.#text, options.firstGroup);
    this.#atoms = new AtomParser(this.#text, this.#chars, this.#groups, options.caseInsensitive);
  }

  parse(): ParsedPattern {
    const tree = this.#alternation();
    if (!this.#text.isAtEnd) {
      this.#text.failAsLiteral("unmatched `)`", this.#text.position, "\\)");
    }
    this.#groups.resolveReferences();
    return {
      tree,
      nextGroup: this.#groups.nextId,
      hasUpperCase: this.#chars.hasUpperCase,
      notes: this.#text.allNotes,
    };
  }

  /** Parses alternatives up to an unmatched `)` or the end. Flags set inside end there. */
  #alternation(): PatternNode {
    const flags = this.#atoms.flags;
    const before = this.#groups.names;
    let after = before;
    const branches: PatternNode[] = [];
    let empty: { bar: number; isBefore: boolean } | undefined;
    do {
      this.#groups.names = before;
      const at = this.#text.position;
      branches.push(this.#sequence());
      if (this.#isBlank) {
        // Flags and comments may stand in it.
        const { source, position: end } = this.#text;
        const isBefore = source[end] === "|";
        empty ??= { bar: isBefore && source[end - 1] !== "|" ? end : at - 1, isBefore };
      }
      after = after.union(this.#groups.names);
    } while (this.#text.take("|"));
    if (empty !== undefined && branches.length > 1) this.#checkEmptyBranch(empty);
    this.#groups.names = after;
    this.#atoms.flags = flags;
    return branches.length === 1 ? branches[0]! : { type: "alternation", branches };
  }

  /** Rejects an empty alternative of the whole pattern, and notes one in a group that reads as code. */
  #checkEmptyBranch({ bar, isBefore }: { bar: number; isBefore: boolean }): void {
    const isDouble = this.#text.source.startsWith("||", bar);
    const characters = isDouble ? "\\|\\|" : "\\|";
    if (this.#depth === 0) {
      this.#text.failAsLiteral(
        `the alternative ${isBefore ? "before" : "after"} \`|\` is empty and matches every line; ` +
          "remove it",
        bar,
        characters,
      );
    }
    if (isDouble) {
      this.#text.notes.push({ reason: "empty_alternative", values: {} });
    }
  }

  /** Parses items up to `|`, an unmatched `)` or the end. */
  #sequence(): PatternNode {
    const items: PatternNode[] = [];
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
        const atom = this.#atoms.parse();
        items.push(atom);
        this.#unrepeatable = atom.type === "anchor" || atom.type === "look" ? "nothing" : "";
      }
    }
    this.#isBlank = items.length === 0;
    return sequence(this.#checkNeighbours(items));
  }

  /** Parses a quantifier at the position: its bounds, or nothing if there is none. */
  #quantifier(first: boolean): { min: number; max: number } | undefined {
    const at = this.#text.position;
    if (this.#text.take("*")) return { min: 0, max: Infinity };
    if (this.#text.take("+")) return { min: 1, max: Infinity };
    if (this.#text.take("?")) return { min: 0, max: 1 };
    if (first || this.#text.source[at] !== "{") return undefined;
    const found = this.#text.takeMatch(/\{(\d+|(?=,\d))(,(\d*))?\}/y);
    if (found === null) {
      this.#noteSpacedRepeat();
      return undefined;
    }
    const [whole, low, comma, high] = found;
    if (low === "") this.#text.noteSpelling(whole, `{0,${high}}`);
    const min = Number(low);
    const max = comma === undefined ? min : high === "" ? Infinity : Number(high);
    if (max < min) this.#text.fail(`the repeat \`${whole}\` is out of order`, at);
    if (min > MAX_REPEAT || max !== Infinity && max > MAX_REPEAT) {
      this.#text.fail(`the repeat \`${whole}\` is more than ${MAX_REPEAT}`, at);
    }
    return { min, max };
  }

  /** Notes that braces with blanks in them are text, although some engines repeat by them. */
  #noteSpacedRepeat(): void {
    const found = this.#text.match(/\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}/y);
    if (found === null || !/\d/.test(found[0])) return;
    const [whole, min = "", comma = "", max = ""] = found;
    const repeat = `{${min || "0"}${comma}${max}}`;
    this.#text.notes.push({ reason: "spaced_repeat", values: { text: whole, repeat } });
  }

  /** Applies a quantifier that starts at `at` to the last item. */
  #repeatLast(items: PatternNode[], bounds: { min: number; max: number }, at: number): void {
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

  /** Parses a group, lookaround, comment or flags at `(`; comments and flags give no node. */
  #group(): PatternNode | undefined {
    const at = this.#text.position;
    if (this.#text.match(/\(\*[A-Z]/y)) {
      this.#text.fail("verbs such as `(*…)` are not supported; remove them", at);
    }
    if (!this.#text.source.startsWith("(?", at)) {
      this.#text.position++;
      return this.#capture(at);
    }
    const look = this.#text.takeMatch(/\(\?(<?)([=!])/y);
    if (look !== null) {
      const item = this.#groupBody(at);
      this.#unrepeatable = "nothing";
      return { type: "look", behind: look[1] !== "", negated: look[2] === "!", item };
    }
    if (this.#text.take("(?:")) return this.#groupBody(at);
    const named = this.#text.takeMatch(/\(\?(P?<([\w$\u0080-\uffff]+)>|'([\w$\u0080-\uffff]+)')/y);
    if (named !== null) {
      const name = (named[2] ?? named[3])!;
      if (!named[1]!.startsWith("<")) this.#text.noteSpelling(named[0] + "…)", `(?<${name}>…)`);
      return this.#capture(at, name);
    }
    const reference = this.#text.takeMatch(/\(\?P=([\w$\u0080-\uffff]+)\)/y);
    if (reference !== null) {
      this.#text.noteSpelling(reference[0], `\\k<${reference[1]}>`);
      this.#unrepeatable = "";
      return this.#groups.refer(reference[1]!, at, this.#atoms.flags.fold);
    }
    if (this.#text.takeMatch(/\(\?#[^)]*\)/y) !== null) {
      this.#text.noteSpelling("(?#…)", "a comment");
      return undefined;
    }
    this.#rejectUnsupportedGroup(at);
    return this.#flagGroup(at);
  }

  #capture(at: number, name?: string): PatternNode {
    const id = this.#groups.open(at, name);
    return { type: "capture", id, item: this.#groupBody(at) };
  }

  /** Parses from behind an opening parenthesis through its `)`. */
  #groupBody(at: number): PatternNode {
    if (++this.#depth > MAX_DEPTH) {
      this.#text.fail(`groups are nested more than ${MAX_DEPTH} deep`, at);
    }
    const body = this.#alternation();
    if (!this.#text.take(")")) this.#text.failAsLiteral("unclosed `(`", at, "\\(");
    this.#depth--;
    this.#unrepeatable = "";
    return body;
  }

  /** Throws for a PCRE construct without a JavaScript counterpart. */
  #rejectUnsupportedGroup(at: number): void {
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

  /** Parses flags for the rest of the enclosing group, `(?i)`, or for their own, `(?i:…)`. */
  #flagGroup(at: number): PatternNode | undefined {
    const found = this.#text.match(/\(\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/y);
    if (found === null) this.#text.failAsLiteral("unknown group `(?`", at, "\\(");
    const [whole, on, off = "", end] = found;
    let flags = this.#atoms.flags;
    for (const [index, flag] of [...on! + off].entries()) {
      const name = FLAGS[flag] ?? this.#rejectFlag(flag, whole, at);
      flags = { ...flags, [name]: index < on!.length };
    }
    if (flags.dotAll) this.#text.noteLineBreak();
    this.#text.position += whole.length;
    if (end === ")") {
      this.#atoms.flags = flags;
      this.#unrepeatable = "nothing";
      return undefined;
    }
    const outer = this.#atoms.flags;
    this.#atoms.flags = flags;
    const body = this.#groupBody(at);
    this.#atoms.flags = outer;
    return body;
  }

  #rejectFlag(flag: string, group: string, at: number): never {
    const advice = flag === "x"
      ? "remove the white space and comments from the pattern"
      : flag === "U"
      ? "write lazy quantifiers, such as `*?`"
      : "the flags are `i`, `m`, `s` and `u`";
    this.#text.fail(`the flag \`${flag}\` of \`${group}\` is not supported; ${advice}`, at);
  }

  /** Parses `\Q…\E` as characters and skips a stray `\E`; `false` if neither comes next. */
  #takeQuoted(items: PatternNode[]): boolean {
    const found = this.#text.takeMatch(QUOTED);
    if (found === null) return false;
    noteQuoted(this.#text, found);
    const [, quoted = ""] = found;
    for (const char of quoted) items.push(this.#atoms.char(char.codePointAt(0)!));
    if (quoted !== "") this.#unrepeatable = "";
    return true;
  }

  /** Reduces `\r\n` to `\n` where a match may span lines, and notes unlikely neighbours. */
  #checkNeighbours(items: PatternNode[]): PatternNode[] {
    return items.filter((item, index) => {
      const next = items[index + 1];
      if (item.type === "anchor") this.#checkAnchor(item.kind, items[index - 1], next);
      const given = item.type === "repeat" && item.min === 0 ? item.item : item;
      if (given.type !== "char" || given.codePoint !== RETURN) return true;
      if (next?.type === "char" && next.codePoint === NEWLINE) return !this.#text.multiline;
      if (given === item) this.#text.notes.push({ reason: "line_end", values: {} });
      return true;
    });
  }

  /** Notes a `\b` beside a letter that it does not know, and a `$` before a character. */
  #checkAnchor(kind: Anchor["kind"], before?: PatternNode, next?: PatternNode): void {
    if (kind === "boundary") {
      for (const letter of [letterBeyondAscii(next, 0), letterBeyondAscii(before, -1)]) {
        if (letter === undefined) continue;
        this.#text.notes.push({ reason: "ascii_boundary", values: { letter } });
      }
    } else if (kind === "lineEnd") {
      const first = next && firstChar(next);
      if (first === undefined || first === NEWLINE) return;
      this.#text.notes.push({ reason: "dollar", values: {} });
    }
  }
}

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: "fold",
  s: "dotAll",
  m: "lines",
  u: "unicode",
};
