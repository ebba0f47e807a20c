/**
 * Parses the atoms of a pattern outside classes: characters, `.`, anchors, escapes and backreferences; numbers and
 * names its groups, and resolves backreferences to them.
 *
 * @module
 */

import { valueAt } from "../util/collections.ts";
import { type Anchor, type CharSet, type PatternNode, sequence } from "./ast.ts";
import { type CharReader, NEWLINE, type PatternText, UNICODE_WORD } from "./pattern_text.ts";
import { charSet, CharSetBuilder } from "./char_set.ts";
import { ClassParser } from "./class_parser.ts";

/** A backreference whose groups are filled in once the whole pattern is parsed. */
interface Backreference {
  readonly type: "backreference";
  readonly ids: number[];
  readonly fold: boolean;
}

export class GroupTable {
  /** Names of groups that can take part in the same match as what comes next. */
  names: ReadonlySet<string> = new Set();
  /** The id of the next group. */
  nextId: number;
  readonly #text: PatternText;
  readonly #firstId: number;
  readonly #idsByName = new Map<string, number[]>();
  readonly #references: { node: Backreference; group: number | string; at: number }[] = [];

  constructor(text: PatternText, firstId: number) {
    this.#text = text;
    this.#firstId = firstId;
    this.nextId = firstId;
  }

  get count(): number {
    return this.nextId - this.#firstId;
  }

  /**
   * Opens a group and returns its id.
   *
   * @throws {PathgrepError} `invalid_pattern` where a group of the same name can take part too
   */
  open(at: number, name?: string): number {
    const id = this.nextId++;
    if (name !== undefined) {
      if (this.names.has(name)) this.#text.fail(`two groups are named \`${name}\``, at);
      this.names = this.names.union(new Set([name]));
      valueAt(this.#idsByName, name, () => []).push(id);
    }
    return id;
  }

  /** A backreference to a group by number or name; the group may open later. */
  refer(group: number | string, at: number, fold: boolean): PatternNode {
    const node: Backreference = { type: "backreference", ids: [], fold };
    this.#references.push({ node, group, at });
    return node;
  }

  /**
   * Resolves all backreferences, once all groups are known.
   *
   * @throws {PathgrepError} `invalid_pattern` for a group that does not exist
   */
  resolveReferences(): void {
    const { count } = this;
    for (const { node, group, at } of this.#references) {
      if (typeof group === "string") {
        const ids = this.#idsByName.get(group);
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
        node.ids.push(this.#firstId + group - 1);
      }
    }
  }
}

/** The flags in force at a position of the pattern. */
export interface Flags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  /** Whether `^` and `$` match at line boundaries, not only at the ends of the text. */
  readonly lines: boolean;
  /** Whether `\w`, `\d` and `\b` know the letters and digits of every language. */
  readonly unicode: boolean;
}

export class AtomParser {
  flags: Flags;
  readonly #text: PatternText;
  readonly #chars: CharReader;
  readonly #classes: ClassParser;
  readonly #groups: GroupTable;

  /** @param fold whether letters match in either case at the start of the pattern */
  constructor(text: PatternText, chars: CharReader, groups: GroupTable, fold: boolean) {
    this.#text = text;
    this.#chars = chars;
    this.#classes = new ClassParser(text, chars);
    this.#groups = groups;
    this.flags = { fold, dotAll: false, lines: true, unicode: false };
  }

  parse(): PatternNode {
    const text = this.#text;
    if (text.take("^")) return this.#anchor(this.flags.lines ? "lineStart" : "textStart");
    if (text.take("$")) return this.#anchor(this.flags.lines ? "lineEnd" : "textEnd");
    if (text.take(".")) return this.#any();
    const char = text.source[text.position];
    if (char === "[") return this.#bracketed();
    return char === "\\" ? this.#escape() : this.char(text.takeCodePoint());
  }

  char(codePoint: number): PatternNode {
    this.#chars.noteLiteral(codePoint);
    if (codePoint === NEWLINE) this.#text.noteLineBreak();
    return { type: "char", codePoint, fold: this.flags.fold };
  }

  /** A class, or in brackets a one-sided word boundary of BSD and ICU. */
  #bracketed(): PatternNode {
    const edge = this.#text.takeMatch(/\[\[:[<>]:\]\]/y);
    return edge === null ? this.#classes.parse(this.flags) : this.#wordEdge(edge[0]);
  }

  /** `.`: any character, without the flag `s` any but `\n`. */
  #any(): PatternNode {
    const builder = new CharSetBuilder();
    if (!this.flags.dotAll) builder.addRange(NEWLINE, NEWLINE);
    return builder.build(true, this.flags.fold);
  }

  #set(items: string): CharSet {
    return charSet(items, this.flags.fold);
  }

  #anchor(kind: Anchor["kind"]): PatternNode {
    // A search by lines sees one line at a time.
    if (!this.#text.multiline && kind === "textStart") kind = "lineStart";
    if (!this.#text.multiline && kind === "textEnd") kind = "lineEnd";
    return { type: "anchor", kind, fold: this.flags.fold };
  }

  #word(): CharSet {
    return this.#set(this.flags.unicode ? UNICODE_WORD : "\\w");
  }

  #boundary(isNegated: boolean): PatternNode {
    if (!this.flags.unicode) return this.#anchor(isNegated ? "notBoundary" : "boundary");
    const word = this.#word();
    return {
      type: "alternation",
      branches: [true, false].map((isBehind) =>
        sequence([
          this.#look(word, true, !isBehind),
          this.#look(word, false, isBehind !== isNegated),
        ])
      ),
    };
  }

  #look(item: PatternNode, behind: boolean, negated: boolean): PatternNode {
    return { type: "look", behind, negated, item };
  }

  #escape(): PatternNode {
    const at = this.#text.position;
    const edge = this.#text.takeMatch(/\\b\{(start|end)(-half)?\}|\\[<>]/y);
    if (edge !== null) return this.#wordEdge(edge[0]);
    const reference = this.#text.takeMatch(
      /\\(?:([1-9]\d*)|g(-?\d+)|g\{(-?\d+)\}|[gk]\{([\w$\u0080-\uffff]+)\}|k<([\w$\u0080-\uffff]+)>|k'([\w$\u0080-\uffff]+)')/y,
    );
    if (reference !== null) {
      const [, plain, ...others] = reference;
      if (plain !== undefined) return this.#refer(Number(plain), at);
      const [g, braced, name, named, quoted] = others;
      const number = g ?? braced;
      if (number === undefined) {
        const given = (name ?? named ?? quoted)!;
        if (named === undefined) this.#text.noteSpelling(reference[0], `\\k<${given}>`);
        return this.#refer(given, at);
      }
      const group = Number(number) < 0 ? this.#groups.count + 1 + Number(number) : Number(number);
      this.#text.noteSpelling(reference[0], `\\${group}`);
      return this.#refer(group, at);
    }
    if (this.#text.take("\\b")) return this.#boundary(false);
    if (this.#text.take("\\B")) return this.#boundary(true);
    const end = this.#text.takeMatch(/\\[AzZ]/y)?.[0];
    if (end !== undefined) return this.#textEdge(end);
    if (this.#text.take("\\R")) {
      this.#text.noteLineBreak();
      return this.#set("\\n-\\r\\x85\\u2028\\u2029");
    }
    const item = this.#chars.setEscape(this.flags.unicode);
    if (item !== undefined) return this.#set(item);
    return this.char(this.#chars.characterEscape());
  }

  #textEdge(spelling: string): PatternNode {
    const kind = spelling === "\\A" ? "textStart" : "textEnd";
    const { multiline } = this.#text;
    if (!multiline) this.#text.noteSpelling(spelling, kind === "textStart" ? "^" : "$");
    if (!multiline || spelling !== "\\Z") return this.#anchor(kind);
    const lineBreak = this.char(NEWLINE);
    return this.#look(
      sequence([
        { type: "repeat", item: lineBreak, min: 0, max: 1, lazy: false },
        this.#anchor(kind),
      ]),
      false,
      false,
    );
  }

  /** A one-sided word boundary: `\<`, `\>`, `\b{start}`, `\b{end}` and their `-half` forms. */
  #wordEdge(spelling: string): PatternNode {
    const isStart = spelling.includes("<") || spelling.includes("start");
    const word = this.#word();
    if (spelling.endsWith("-half}")) {
      this.#text.noteSpelling(spelling, isStart ? "(?<!\\w)" : "(?!\\w)");
      return this.#look(word, isStart, true);
    }
    this.#text.noteSpelling(spelling, isStart ? "\\b(?=\\w)" : "\\b(?<=\\w)");
    return this.#look(
      sequence([this.#look(word, !isStart, false), this.#look(word, isStart, true)]),
      false,
      false,
    );
  }

  #refer(group: number | string, at: number): PatternNode {
    return this.#groups.refer(group, at, this.flags.fold);
  }
}
