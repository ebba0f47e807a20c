/**
 * Finds the lines of a text that open a definition or a section, and where each of them ends.
 *
 * Structure comes from brackets or from indentation, as the language has it. In languages with brackets
 * both have to agree: brackets that a preprocessor or a slip of the lexer leaves open are given up where a
 * line is indented less than their body has to be.
 *
 * @module
 */

import { CodeLexer, type CodeLine } from "./code_lexer.ts";
import {
  BracketSections,
  MarkdownSections,
  type Opening,
  type Sections,
  UNFINISHED,
} from "./heads.ts";
import type { CodeLanguage, SourceLanguage } from "./languages.ts";
import type { Pulse } from "../util/pulse.ts";

/** What a line opens, as far as it is sure. */
export interface Definition {
  /** The line that opens it, from 0. */
  readonly line: number;
  /** The columns before it; -1 where what it holds need not be indented. */
  readonly indent: number;
  readonly opening: Opening;
  /** The first line after what it holds, from 0. */
  end: number;
  /** The line that closes it, from 0, where that is sure. */
  last?: number | undefined;
}

/** Of a longer head, without what its brackets hold, nothing is known: programs write those. */
export const MAX_CHARS = 500;
/** With longer lines a file is data, or made for machines. */
const MAX_LINE_CHARS_READ = 1 << 16;
/** In more brackets nobody writes code. */
const MAX_DEPTH = 500;
/** Characters that are read at a time: of brackets alone, 50 ms. */
const CHARS_PER_STEP = 1 << 17;

/** Where a line belongs. */
interface LinePlace {
  /** The line whose indentation counts: that of its statement or of the text that it is in. */
  readonly of: number;
  /** Whether it begins in a text or comment. */
  readonly isText: boolean;
}

/** Reads the first lines of a text, step by step; not where a line of them shows that it is no code. */
export function* scanned(
  lines: readonly string[],
  end: number,
  language: SourceLanguage,
  pulse: Pulse,
): Generator<undefined, Scanner | undefined> {
  const scanner = scannerFor(language);
  let left = CHARS_PER_STEP;
  for (let line = 0; line < end; line++) {
    const text = lines[line]!;
    pulse.beat(text.length);
    if ((left -= text.length + 1) < 0) {
      yield;
      left = CHARS_PER_STEP;
    }
    if (text.length > MAX_LINE_CHARS_READ) return undefined;
    scanner.add(text);
  }
  return scanner;
}

/** Takes the lines of a text in their order. */
export interface Scanner {
  add(text: string): void;
  /** What was found, in order. To be called once. */
  finish(): Definition[];
  /** Whether a line that a definition seems to hold is surely in it. */
  holds(definition: Definition, line: number): boolean;
  /** Lines that look like heads, in texts or too long. */
  readonly doubted: number;
}

function scannerFor(language: SourceLanguage): Scanner {
  switch (language.structure) {
    case "braces":
      return new BraceScanner(language);
    case "indentation":
      return new IndentationScanner(language);
    case "sections":
      return new SectionScanner(new BracketSections(new CodeLexer(language)));
    case "markdown":
      return new SectionScanner(new MarkdownSections());
  }
}

/** What both scanners of code know of lines. */
abstract class CodeScanner implements Scanner {
  doubted = 0;
  protected readonly language: CodeLanguage;
  protected readonly definitions: Definition[] = [];
  /** The last line so far that is more than a comment. */
  protected lastLine = -1;
  /** Whether this is no code that a person has written. */
  protected isLost = false;
  readonly #lexer: CodeLexer;
  /** Of each line so far. */
  readonly #indents: number[] = [];
  readonly #places: LinePlace[] = [];
  /** The first lines of texts that hold what looks like a definition: data, or code that was misread. */
  readonly #doubtful = new Set<number>();

  constructor(language: CodeLanguage) {
    this.language = language;
    this.#lexer = new CodeLexer(language);
  }

  add(text: string): void {
    if (this.isLost) return;
    const line = this.#indents.length;
    const read = this.#lexer.next(text);
    this.#indents.push(read.indent);
    this.#distrust(read.misread);
    if (read.textFrom >= 0) {
      this.#places.push({ of: read.textFrom, isText: true });
      if (this.#looksLike(text)) {
        this.doubted++;
        this.#doubtful.add(read.textFrom);
      }
      this.addMarks(read, line);
    } else {
      this.#places.push({ of: read.code === "" ? line : this.addCode(read, line), isText: false });
    }
    if (!read.isBlank) this.lastLine = line;
  }

  finish(): Definition[] {
    this.#distrust(this.#lexer.openText);
    return this.definitions.sort((a, b) => a.line - b.line || b.end - a.end);
  }

  holds({ line: opener, indent }: Definition, line: number): boolean {
    const { of, isText } = this.#places[line]!;
    if (isText && this.#doubtful.has(of)) return false;
    const at = isText ? this.#places[of]!.of : of;
    if (at === opener) return true;
    return this.#indents[at]! > indent;
  }

  protected define(line: number, indent: number, opening: Opening): Definition {
    const definition = { line, indent, end: Infinity, opening };
    this.definitions.push(definition);
    return definition;
  }

  /** Whether a line that is not known to be code would open something. */
  protected looksLike(code: string): boolean {
    const head = HEAD.exec(code)?.[this.language.structure === "braces" ? 1 : 0];
    if (head === undefined || head.length > MAX_CHARS) return false;
    const text = head.replace(/\([^()]*\)/g, "()").trim();
    const opener = { text, owner: undefined, isOutermost: true, isApart: false, indent: 1 };
    return this.language.opens(opener) !== undefined;
  }

  #looksLike(text: string): boolean {
    return text.length <= 2 * MAX_CHARS && this.looksLike(text.replace(/\\$/, "").trim());
  }

  /** Believes nothing that was read in a text which is none, where anything may have been closed. */
  #distrust(from: number): void {
    if (from < 0) return;
    this.#doubtful.add(from);
    this.closeAll(from);
  }

  /** Takes a line that begins with code; returns the line whose indentation counts for it. */
  protected abstract addCode(read: CodeLine, line: number): number;

  /** Takes the code of a line that begins in a text. */
  protected abstract addMarks(read: CodeLine, line: number): void;

  /** Ends everything that is open, before a line. */
  protected abstract closeAll(end: number): void;
}

/** A line with what it has before the bracket of a body. */
const HEAD = /^(?:(.*?)\s*(?:\{[^{}]*\}?|=>)$|.*$)/;

/** A statement that is being read. */
interface Statement {
  readonly line: number;
  readonly indent: number;
  /** Its code so far, without what its brackets hold. */
  text: string;
  isEnded: boolean;
  /** What it opens. */
  definition?: Definition | undefined;
  /** Whether what it opens has no bracket and ends with it. */
  isArrow?: boolean;
  /** Whether it goes on after a semicolon, up to its body. */
  isOld?: boolean;
}

interface Bracket {
  readonly char: string;
  /** The columns before its line. */
  readonly indent: number;
  /** The columns before what it belongs to, or its own line if that has less. */
  readonly base: number;
  /** Whether statements are in it. */
  readonly isBlock: boolean;
  /** Whether the statement around it goes on after it. */
  readonly isPart: boolean;
  /** What statements in it begin with. */
  readonly prefix: string;
  /** The innermost bracket around it that has statements. */
  readonly block: Bracket | undefined;
  readonly definition: Definition | undefined;
  /** What statements in it stand in. */
  readonly owner: Opening | undefined;
  /** The statement in it that is being read. */
  statement: Statement | undefined;
}

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const LABEL = /^(?:case\b.*|default\s*):(?!:)/;
const ANNOTATIONS = /^(?:@(?!interface\b)[\w.]+(?:\(\))?\s+|#?\[\]\s+(?=\w))+/;
const MEMBER = /^[\w$"'[\]]+\s*:/;
const PUNCTUATION = /^[\s,;)\]}]*$/;

/** The type of a parameter, where it is written out. */
const SHAPE: Opening = { kind: "type", name: "" };

class BraceScanner extends CodeScanner {
  readonly #root: Bracket = {
    char: "",
    indent: -1,
    base: -1,
    isBlock: true,
    isPart: false,
    prefix: "",
    block: undefined,
    definition: undefined,
    owner: undefined,
    statement: undefined,
  };
  readonly #stack: Bracket[] = [this.#root];

  override finish(): Definition[] {
    if (this.#top === this.#root) this.#endStatement(Infinity);
    return this.isLost ? [] : super.finish();
  }

  protected closeAll(end: number): void {
    while (this.#top !== this.#root) this.#pop(end);
    this.#endStatement(end);
  }

  protected addCode(read: CodeLine, line: number): number {
    const first = read.code[0]!;
    const closes = first in PAIRS;
    if (!closes && this.#isAstray(read)) {
      while (!this.#top.isBlock) this.#pop(line);
    }
    if (!closes && this.#top.isBlock) this.#beginLine(read, line);
    // A brace that closes ends what it is in; any other line may go on with a statement.
    const { statement } = this.#block;
    const place = first === "}" || statement?.isEnded ? line : statement?.line ?? line;
    this.addMarks(read, line);
    if (this.#top.isBlock) this.#openArrow();
    return place;
  }

  protected addMarks({ code, indent, marks, textFrom }: CodeLine, line: number): void {
    let from = 0;
    for (const [index, { char, at }] of marks.entries()) {
      if (this.isLost) return;
      if (this.#top.isBlock) this.#append(code.slice(from, at), line, indent);
      from = at + 1;
      if (char === ";") this.#endsWith(line);
      else if (char in PAIRS) {
        this.#close(PAIRS[char]!, line, indent, textFrom < 0 && index === 0 && at === 0);
      } else this.#open(char, line, indent, code.slice(0, at));
    }
    if (this.#top.isBlock) this.#append(`${code.slice(from)} `, line, indent);
    // The value of a property.
    const { statement } = this.#top;
    if (statement?.isArrow && code.endsWith(",") && MEMBER.test(statement.text)) {
      this.#endStatement(line + 1, line);
    }
  }

  get #top(): Bracket {
    return this.#stack.at(-1)!;
  }

  /** The innermost bracket that holds statements. */
  get #block(): Bracket {
    return this.#top.isBlock ? this.#top : this.#top.block!;
  }

  /** Takes note of a line that begins outside of round and square brackets. */
  #beginLine({ code, indent }: CodeLine, line: number): void {
    if (this.#isLabel(code)) return this.#endStatement(line);
    // What it is in has to be indented less.
    while (this.#top !== this.#root && this.#top.base >= indent && !code.startsWith("{")) {
      this.#pop(line);
    }
    const { statement } = this.#block;
    if (statement === undefined || statement.isEnded) return this.#begin(line, indent);
    if (this.#isOldHead(statement, code)) return;
    if (indent > statement.indent || code.startsWith("{")) return;
    if (this.language.goesOn?.test(code)) return;
    this.#begin(line, indent);
  }

  #isLabel(code: string): boolean {
    return LABEL.test(code) || this.language.label?.test(code) === true;
  }

  /** Whether a line declares parameters that the statement before it has named. */
  #isOldHead(statement: Statement, code: string): boolean {
    const [head, declaration] = this.language.oldHead ?? [];
    if (this.#top !== this.#root || !head?.test(statement.text.trim())) return false;
    return statement.isOld = declaration!.test(code);
  }

  /** Whether a line shows that a round or square bracket before it was none. */
  #isAstray({ code, indent }: CodeLine): boolean {
    return !this.#top.isBlock && indent <= this.#top.base && this.looksLike(code);
  }

  #begin(line: number, indent: number): void {
    this.#endStatement(line);
    const { prefix: text } = this.#block;
    this.#block.statement = { line, indent, text, isEnded: false };
  }

  /** Adds code to the statement that is being read. */
  #append(code: string, line: number, indent: number): void {
    const { statement } = this.#block;
    if (statement === undefined || statement.isEnded) {
      if (PUNCTUATION.test(code) || this.#isLabel(code.trim())) return;
      this.#begin(line, indent);
    }
    const { text } = this.#block.statement!;
    if (text.length <= MAX_CHARS) this.#block.statement!.text = text + code;
  }

  #endsWith(line: number): void {
    const { isBlock, statement } = this.#top;
    if (statement?.isOld && !statement.isEnded) statement.text += ";";
    else if (isBlock) this.#endStatement(line + 1, line);
  }

  /** @param last its last line, where that is sure */
  #endStatement(end: number, last: number = this.lastLine): void {
    const { statement } = this.#block;
    if (statement === undefined || statement.isEnded) return;
    statement.isEnded = true;
    if (statement.isArrow) ended(statement.definition!, end, last);
  }

  #open(char: string, line: number, indent: number, before: string): void {
    const block = this.#block;
    if (block.statement?.isEnded !== false) this.#begin(line, indent);
    const statement = block.statement!;
    const isTop = this.#top === block;
    const text = isTop ? statement.text.trim() : "";
    const { arrow, group } = this.language;
    const isBody = char === "{" || arrow?.test(text) === true;
    const isGroup = group?.test(text) === true;
    const isPart = char === "{" && this.#isPart(text);
    const definition = isTop && isBody
      ? this.#defined(statement, block, before === "")
      : this.#inner(char, line, indent, before);
    if (definition !== undefined && (isPart || char !== "{")) statement.isArrow = true;
    this.isLost = this.#stack.length > MAX_DEPTH;
    if (isTop) statement.text += char;
    this.#stack.push({
      char,
      indent,
      base: Math.min(indent, statement.indent),
      isBlock: char === "{" || isGroup,
      isPart,
      prefix: isGroup ? `${text} ` : "",
      block,
      definition,
      owner: definition?.opening ?? this.#shape(isTop ? text : before.trimEnd(), isTop),
      statement: undefined,
    });
  }

  /** What statements in a brace stand in that begins a type, by the code before it. */
  #shape(before: string, isTop: boolean): Opening | undefined {
    const isMember = !isTop || this.#block.owner?.kind === "type";
    return before.endsWith("<") || isMember && before.endsWith(":") ? SHAPE : undefined;
  }

  /** Whether a statement goes on after a brace. */
  #isPart(text: string): boolean {
    return UNFINISHED.test(text) || this.language.part?.test(text) === true;
  }

  /** What the body of a statement belongs to. */
  #defined(statement: Statement, block: Bracket, isApart: boolean): Definition | undefined {
    const { indent, line } = statement;
    const text = statement.text.trim().replace(ANNOTATIONS, "");
    if (text.length > MAX_CHARS) return undefined;
    const { owner } = block;
    const isOutermost = block === this.#root;
    const opening = this.language.opens({ text, owner, isOutermost, isApart, indent });
    if (opening === undefined) return undefined;
    return statement.definition ??= this.define(line, indent, opening);
  }

  /** A definition that is an argument. */
  #inner(char: string, line: number, indent: number, before: string): Definition | undefined {
    if (char !== "{" || before.length > MAX_CHARS) return undefined;
    const name = this.language.inner?.exec(before)?.[1];
    return name === undefined ? undefined : this.define(line, indent, { kind: "function", name });
  }

  /** Opens a body without brackets: the rest of the statement. */
  #openArrow(): void {
    const block = this.#block;
    const { statement } = block;
    if (statement === undefined || statement.isEnded || statement.isArrow) return;
    if (this.language.arrow?.test(statement.text) !== true) return;
    const definition = this.#defined(statement, block, false);
    if (definition === undefined) return;
    statement.isArrow = true;
    // Another arrow follows what looked like a body: `(a) => (b) =>`.
    ended(definition, Infinity, undefined);
  }

  /** @param isFirst whether it is the first of its line */
  #close(char: string, line: number, indent: number, isFirst: boolean): void {
    const at = this.#closed(char, indent, isFirst);
    if (at <= 0) return;
    const end = isFirst ? line : line + 1;
    while (this.#stack.length > at + 1) this.#pop(end);
    const { isBlock, isPart } = this.#top;
    this.#pop(end, line);
    if (!this.#top.isBlock) return;
    const { statement } = this.#top;
    if (isBlock && !isPart && !statement?.isArrow) this.#endStatement(end, line);
    else if (statement?.isEnded === false) {
      statement.text += char === "(" ? ")" : char === "[" ? "]" : "}";
    }
  }

  /** The index of the bracket that is closed; -1: there is none. */
  #closed(char: string, indent: number, isFirst: boolean): number {
    const stack = this.#stack;
    if (char !== "{") {
      const at = stack.findLastIndex((bracket) => bracket.char === char || bracket.isBlock);
      return stack[at]!.char === char ? at : -1;
    }
    const natural = stack.findLastIndex((bracket) => bracket.char === char);
    if (natural < 0 || !isFirst) return natural;
    const fits = (bracket: Bracket) =>
      bracket.char === char && (bracket.indent === indent || bracket.base === indent);
    if (fits(stack[natural]!)) return natural;
    const other = stack.findLastIndex(fits);
    if (other >= 0) return other;
    // One too many, as where a preprocessor chooses between two.
    const { base, definition } = stack[natural]!;
    return definition !== undefined && base < indent ? -1 : natural;
  }

  #pop(end: number, last?: number): void {
    const { statement, definition } = this.#stack.pop()!;
    if (statement?.isArrow && !statement.isEnded) ended(statement.definition!, end, this.lastLine);
    if (definition !== undefined) ended(definition, end, last);
  }
}

function ended(definition: Definition, end: number, last: number | undefined): void {
  definition.end = end;
  definition.last = last;
}

/** A line of code that others may be indented below. */
interface Head {
  readonly line: number;
  readonly indent: number;
  readonly definition: Definition | undefined;
}

/** What closes a definition, on a line of its own. */
const CLOSES = /^(?:end|\})(?!\w)/;

class IndentationScanner extends CodeScanner {
  readonly #heads: Head[] = [];
  #brackets: string[] = [];

  override finish(): Definition[] {
    for (const { definition } of this.#heads) {
      if (definition !== undefined) definition.last = this.#lastOf(definition);
    }
    return super.finish();
  }

  protected closeAll(end: number): void {
    for (const { definition } of this.#heads.splice(0)) {
      if (definition !== undefined) definition.end = end;
    }
    this.#brackets = [];
  }

  protected addCode(read: CodeLine, line: number): number {
    const { code, indent } = read;
    const opening = this.#opening(code);
    const last = this.#heads.at(-1);
    // A definition cannot be within brackets: one of them was none.
    if (opening !== undefined && indent <= (last?.indent ?? 0)) this.#brackets = [];
    const isIn = this.#brackets.length > 0;
    this.addMarks(read);
    // What is indented less may show that a bracket was none.
    if (isIn) return last !== undefined && indent >= last.indent ? last.line : line;
    const { goesOn: parts, outdented } = this.language;
    const goesOn = code === "{" || code === "(" || parts?.test(code) === true;
    this.#leave(
      goesOn || outdented?.test(code) ? indent + 1 : indent,
      CLOSES.test(code) ? indent : -1,
      line,
    );
    const head = this.#heads.at(-1);
    if (head?.indent === indent && (goesOn || head.definition?.opening.kind === "type")) {
      return head.line;
    }
    this.#leave(indent, -1, line);
    const definition = opening && this.define(line, indent, opening);
    this.#heads.push({ line, indent, definition });
    return line;
  }

  #opening(text: string): Opening | undefined {
    if (text.length > MAX_CHARS) return undefined;
    const nowhere = { owner: undefined, isOutermost: true, isApart: false, indent: 0 };
    return this.language.opens({ text, ...nowhere });
  }

  /** The last line of a definition that nothing closes. */
  #lastOf({ line }: Definition): number | undefined {
    return this.language.closes && this.lastLine !== line ? undefined : this.lastLine;
  }

  /** Ends what is indented as far as a line or more. */
  #leave(indent: number, closed: number, line: number): void {
    while (this.#heads.length > 0 && this.#heads.at(-1)!.indent >= indent) {
      const { definition, indent } = this.#heads.pop()!;
      if (definition !== undefined) {
        ended(definition, line, indent === closed ? line : this.#lastOf(definition));
      }
    }
  }

  protected addMarks({ marks }: CodeLine): void {
    for (const { char } of marks) {
      if (char === ";") continue;
      if (!(char in PAIRS)) this.#brackets.push(char);
      else if (this.#brackets.at(-1) === PAIRS[char]) this.#brackets.pop();
    }
  }
}

class SectionScanner implements Scanner {
  readonly doubted = 0;
  readonly #sections: Sections;
  readonly #definitions: Definition[] = [];
  readonly #open: { level: number; definition: Definition }[] = [];
  #line = 0;
  /** Of each line so far, the last up to it that is not blank. */
  readonly #last: number[] = [];

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  add(text: string): void {
    const found = this.#sections.section(text);
    if (found !== undefined) {
      const line = this.#line - found.back;
      this.#close(found.level, line, this.#last[line - 1]);
      const { level, name } = found;
      const opening: Opening = { kind: "type", name };
      const definition: Definition = { line, indent: -1, end: Infinity, opening };
      this.#definitions.push(definition);
      this.#open.push({ level, definition });
    }
    this.#last.push(text.trim() === "" ? this.#last.at(-1) ?? 0 : this.#line);
    this.#line++;
  }

  finish(): Definition[] {
    this.#close(0, Infinity, this.#last.at(-1));
    return this.#definitions;
  }

  holds(): boolean {
    return true;
  }

  #close(level: number, end: number, last: number | undefined): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.level >= level) {
      ended(this.#open.pop()!.definition, end, last);
    }
  }
}
