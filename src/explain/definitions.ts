/**
 * Finds the lines of a text that open a definition or a section, and where each of them ends.
 *
 * Structure comes from brackets or from indentation, as the language has it. In languages with brackets
 * both have to agree: brackets that a preprocessor or a slip of the lexer leaves open are given up where a
 * line is indented less than their body has to be.
 *
 * @module
 */

import { CodeLexer, type CodeLine, type Mark } from "./code_lexer.ts";
import type { CodeLanguage, Opening, Sections, SourceLanguage } from "./languages.ts";
import type { Pulse } from "../util/pulse.ts";

interface Definition {
  /** The line that opens it, from 0. */
  readonly line: number;
  /** The columns before it; -1 where what it holds need not be indented. */
  readonly indent: number;
  /** The first line after it, from 0. */
  end: number;
  readonly opening: Opening;
}

/** Longer lines open nothing: programs write them. */
const MAX_CHARS = 500;
/** The most lines shown for one match. */
const MAX_ENCLOSING = 3;
/** With longer lines a file is data, or made for machines. */
const MAX_LINE_CHARS_READ = 1 << 16;
/** In more brackets nobody writes code. */
const MAX_DEPTH = 500;
/** The lines after the last match that may show what it stands in. */
const LINES_AHEAD = 60;
/** Characters that are read at a time: of brackets alone, 50 ms. */
const CHARS_PER_STEP = 1 << 17;

/** Where a line belongs. */
interface LinePlace {
  /** The line whose indentation counts: that of its statement or of the text that it is in. */
  readonly of: number;
  /** Whether it begins in a text or comment. */
  readonly isText: boolean;
}

/**
 * Finds the lines that enclose others, step by step: outermost first, from 0.
 *
 * @param lines the lines of a text
 * @param wanted lines of it, from 0, in order
 */
export function* enclosingLines(
  lines: readonly string[],
  wanted: readonly number[],
  language: SourceLanguage,
  pulse: Pulse,
): Generator<undefined, number[][]> {
  const end = Math.min(lines.length, wanted.at(-1)! + LINES_AHEAD);
  const scanner = scannerFor(language);
  let left = CHARS_PER_STEP;
  for (let line = 0; line < end; line++) {
    const text = lines[line]!;
    pulse.beat(text.length);
    if ((left -= text.length + 1) < 0) {
      yield;
      left = CHARS_PER_STEP;
    }
    if (text.length > MAX_LINE_CHARS_READ) return wanted.map(() => []);
    scanner.add(text);
  }
  const definitions = scanner.finish();
  const open: Definition[] = [];
  let next = 0;
  return wanted.map((line) => {
    while (next < definitions.length && definitions[next]!.line < line) {
      while (open.length > 0 && open.at(-1)!.end <= definitions[next]!.line) open.pop();
      open.push(definitions[next++]!);
    }
    while (open.length > 0 && open.at(-1)!.end <= line) open.pop();
    return innermostLines(open, line, scanner);
  });
}

function innermostLines(open: readonly Definition[], line: number, scanner: Scanner): number[] {
  const found: number[] = [];
  for (let index = open.length - 1; index >= 0 && found.length < MAX_ENCLOSING; index--) {
    const definition = open[index]!;
    if (definition.end <= line || found[0] === definition.line) continue;
    if (scanner.holds(definition, line)) found.unshift(definition.line);
  }
  return found;
}

/** Takes the lines of a text in their order. */
interface Scanner {
  add(text: string): void;
  /** What was found, in order. */
  finish(): Definition[];
  /** Whether a line that a definition seems to hold is surely in it. */
  holds(definition: Definition, line: number): boolean;
}

function scannerFor(language: SourceLanguage): Scanner {
  switch (language.structure) {
    case "braces":
      return new BraceScanner(language);
    case "indentation":
      return new IndentationScanner(language);
    case "sections":
      return new SectionScanner(language.newSections());
  }
}

/** What both scanners of code know of lines. */
abstract class CodeScanner implements Scanner {
  protected readonly language: CodeLanguage;
  protected readonly definitions: Definition[] = [];
  readonly #lexer: CodeLexer;
  /** Of each line so far. */
  readonly #indents: number[] = [];
  readonly #places: LinePlace[] = [];
  /** The first lines of texts that hold what looks like a definition: data, or code that was misread. */
  readonly #doubtful = new Set<number>();

  constructor(language: CodeLanguage) {
    this.language = language;
    this.#lexer = new CodeLexer(language.lexis);
  }

  add(text: string): void {
    const line = this.#indents.length;
    const read = this.#lexer.next(text);
    this.#indents.push(read.indent);
    if (read.textFrom >= 0) {
      this.#places.push({ of: read.textFrom, isText: true });
      if (text.length <= MAX_CHARS && this.language.looksLike.test(text.trim())) {
        this.#doubtful.add(read.textFrom);
      }
      this.addMarks(read, line, text);
    } else {
      this.#places.push({
        of: read.code === "" ? line : this.addCode(read, line, text),
        isText: false,
      });
    }
  }

  finish(): Definition[] {
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

  /** Takes a line that begins with code; returns the line whose indentation counts for it. */
  protected abstract addCode(read: CodeLine, line: number, text: string): number;

  /** Takes the code of a line that begins in a text. */
  protected abstract addMarks(read: CodeLine, line: number, text: string): void;
}

/** A statement that is being read. */
interface Statement {
  readonly line: number;
  readonly indent: number;
  readonly code: string;
  readonly isLong: boolean;
  isEnded: boolean;
  /** What an arrow at the end of a line opens without a bracket. */
  arrow?: Definition | undefined;
}

interface Bracket {
  readonly char: string;
  /** The columns before its line. */
  readonly indent: number;
  /** The columns before what it belongs to, or its own line if that has less. */
  readonly base: number;
  /** Whether statements are in it. */
  readonly isBlock: boolean;
  /** The innermost bracket around it that has statements. */
  readonly block: Bracket | undefined;
  readonly definition: Definition | undefined;
  /** The statement in it that is being read. */
  statement: Statement | undefined;
}

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const LABEL = /^(?:case\b.*|default\s*):(?!:)/;
const ARROW = /=>\s*$/;

class BraceScanner extends CodeScanner {
  readonly #root: Bracket = {
    char: "",
    indent: -1,
    base: -1,
    isBlock: true,
    block: undefined,
    definition: undefined,
    statement: undefined,
  };
  readonly #stack: Bracket[] = [this.#root];
  /** Whether this is no code that a person has written. */
  #isLost = false;

  override finish(): Definition[] {
    return this.#isLost ? [] : super.finish();
  }

  protected addCode(read: CodeLine, line: number, text: string): number {
    if (this.#isLost) return line;
    const first = read.code[0]!;
    const closes = first in PAIRS;
    if (!closes && this.#isAstray(read)) {
      while (!this.#top.isBlock) this.#pop(line);
    }
    if (!closes && this.#top.isBlock) this.#beginLine(read, line, text);
    // A brace that closes ends what it is in; any other line may go on with a statement.
    const { statement } = this.#block;
    const place = first === "}" || statement?.isEnded ? line : statement?.line ?? line;
    this.addMarks(read, line, text);
    if (!closes && ARROW.test(read.code)) this.#openArrow(read.code);
    return place;
  }

  protected addMarks({ code, indent, marks }: CodeLine, line: number, text: string): void {
    for (const [index, mark] of marks.entries()) {
      if (this.#isLost) return;
      const { char, at } = mark;
      if (char === ";") {
        if (this.#top.isBlock) this.#endStatement(line + 1);
      } else if (char in PAIRS) {
        this.#close(PAIRS[char]!, line, indent, index === 0 && at === 0);
      } else this.#open(mark, line, indent, code, text);
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
  #beginLine({ code, indent }: CodeLine, line: number, text: string): void {
    if (LABEL.test(code) || this.language.label?.test(code)) return this.#endStatement(line);
    // What it is in has to be indented less.
    while (this.#top !== this.#root && this.#top.base >= indent && !code.startsWith("{")) {
      this.#pop(line);
    }
    const { statement } = this.#block;
    const isNew = statement === undefined || statement.isEnded ||
      indent <= statement.indent && !code.startsWith("{") && !this.language.goesOn.test(code);
    if (isNew) this.#begin(line, indent, code, text);
  }

  /** Whether a line shows that a round or square bracket before it was none. */
  #isAstray({ code, indent }: CodeLine): boolean {
    return !this.#top.isBlock && indent <= this.#top.base && this.language.looksLike.test(code);
  }

  #begin(line: number, indent: number, code: string, text: string): Statement {
    this.#endStatement(line);
    const isLong = text.length > MAX_CHARS;
    return this.#block.statement = { line, indent, code, isLong, isEnded: false };
  }

  #endStatement(end: number): void {
    const { statement } = this.#block;
    if (statement === undefined) return;
    statement.isEnded = true;
    if (statement.arrow !== undefined) statement.arrow.end = Math.min(statement.arrow.end, end);
  }

  #open({ char, at }: Mark, line: number, indent: number, code: string, text: string): void {
    const block = this.#block;
    const isTop = this.#top === block;
    let { statement } = block;
    if (statement === undefined || statement.isEnded) {
      statement = this.#begin(line, indent, code, text);
    }
    const before = isTop && char !== "[" && at <= MAX_CHARS
      ? code.slice(0, at).trimEnd()
      : undefined;
    const isBody = before !== undefined && (char === "{" || ARROW.test(before));
    const opening = isBody ? this.#opening(statement, before, block) : undefined;
    this.#isLost = this.#stack.length > MAX_DEPTH;
    this.#stack.push({
      char,
      indent,
      base: Math.min(indent, statement.indent),
      isBlock: char === "{",
      block,
      definition: opening && this.define(statement.line, statement.indent, opening),
      statement: undefined,
    });
  }

  #opening({ code, isLong, indent }: Statement, before: string, block: Bracket) {
    if (isLong) return undefined;
    // Annotations on the same line say nothing.
    const head = code.replace(/^(?:@(?!interface\b)[\w.]+(?:\([^()]*\))?\s+)+/, "");
    const owner = block === this.#root ? "file" : block.definition?.opening ?? "block";
    return this.language.opens({ head, before, indent, owner });
  }

  /** Opens a body without brackets: the rest of the statement. */
  #openArrow(code: string): void {
    const block = this.#block;
    const { statement } = block;
    if (this.#top !== block || statement === undefined || statement.isEnded) return;
    if (code.length > MAX_CHARS || statement.arrow !== undefined) return;
    const opening = this.#opening(statement, code, block);
    if (opening !== undefined) {
      statement.arrow = this.define(statement.line, statement.indent, opening);
    }
  }

  /** @param isFirst whether it is the first of its line */
  #close(char: string, line: number, indent: number, isFirst: boolean): void {
    const at = this.#closed(char, indent, isFirst);
    if (at <= 0) return;
    while (this.#stack.length > at) this.#pop(isFirst ? line : line + 1);
    if (char === "{" && this.#top.isBlock) this.#endStatement(isFirst ? line : line + 1);
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

  #pop(end: number): void {
    const { statement, definition } = this.#stack.pop()!;
    if (statement?.arrow !== undefined) statement.arrow.end = Math.min(statement.arrow.end, end);
    if (definition !== undefined) definition.end = end;
  }
}

/** A line of code that others may be indented below. */
interface Head {
  readonly line: number;
  readonly indent: number;
  readonly definition: Definition | undefined;
}

class IndentationScanner extends CodeScanner {
  readonly #heads: Head[] = [];
  #brackets: string[] = [];

  protected addCode(read: CodeLine, line: number, text: string): number {
    const { code, indent } = read;
    const opening = text.length > MAX_CHARS
      ? undefined
      : this.language.opens({ head: code, before: code, indent, owner: "file" });
    const last = this.#heads.at(-1);
    // A definition cannot be within brackets: one of them was none.
    if (opening !== undefined && indent <= (last?.indent ?? 0)) this.#brackets = [];
    if (this.#brackets.length > 0) {
      this.addMarks(read);
      // What is indented less may show that a bracket was none.
      return last !== undefined && indent >= last.indent ? last.line : line;
    }
    const opens = code === "{" || code === "(";
    while (this.#heads.length > 0 && this.#heads.at(-1)!.indent >= indent) {
      if (opens && this.#heads.at(-1)!.indent === indent) return line;
      const { definition } = this.#heads.pop()!;
      if (definition !== undefined) definition.end = line;
    }
    const definition = opening && this.define(line, indent, opening);
    this.#heads.push({ line, indent, definition });
    this.addMarks(read);
    return line;
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
  readonly #sections: Sections;
  readonly #definitions: Definition[] = [];
  readonly #open: { level: number; definition: Definition }[] = [];
  #line = 0;
  #before = "";

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  add(text: string): void {
    const found = this.#sections(text, this.#before);
    if (found !== undefined) {
      const line = this.#line - found.back;
      while (this.#open.length > 0 && this.#open.at(-1)!.level >= found.level) {
        this.#open.pop()!.definition.end = line;
      }
      const definition: Definition = { line, indent: -1, end: Infinity, opening: "type" };
      this.#definitions.push(definition);
      this.#open.push({ level: found.level, definition });
    }
    this.#before = text;
    this.#line++;
  }

  finish(): Definition[] {
    return this.#definitions;
  }

  holds(): boolean {
    return true;
  }
}
