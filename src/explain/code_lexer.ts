/**
 * Splits source text into lines of code: comments and the contents of texts taken out, brackets marked.
 *
 * It knows only what decides where code is: comments, quotes, texts of several lines. A quote that is not
 * closed on its line is none, since most that are not are apostrophes.
 *
 * @module
 */

import { valueAt } from "../util/maps.ts";
import { escapeRegExp } from "../util/escape.ts";

/** A text or comment that may span lines. */
export interface LongText {
  /** What opens it, as the source of an expression. */
  readonly open: string;
  /** What closes it; `$1` stands for the first group of what opened it. */
  readonly close: string;
  /** A backslash takes away the meaning of the next character. @default false */
  readonly escapes?: boolean;
  /** What closes it stands for itself where it is doubled. @default false */
  readonly doubles?: boolean;
  /** It may hold others of its kind. @default false */
  readonly nests?: boolean;
  /** `text${code}text`. @default false */
  readonly interpolates?: boolean;
  /** It begins on the next line and ends with a line that holds nothing before what closes it. @default false */
  readonly isHeredoc?: boolean;
}

/** Where code is in the files of a language. */
export interface Lexis {
  /** What begins a comment that ends with its line, as the source of an expression. */
  readonly comment: string;
  readonly long?: readonly LongText[];
  /** The quotes of texts that end on their line. */
  readonly quotes: string;
  /** `'` stands around a single character, or is no quote at all. @default false */
  readonly hasCharacters?: boolean;
  /** Has expressions between slashes. @default false */
  readonly hasRegExps?: boolean;
  /** Lines that begin with `#` are for a preprocessor. @default false */
  readonly hasDirectives?: boolean;
  /** The brackets that matter. */
  readonly brackets: string;
}

/** A bracket or `;` in the code of a line. */
export interface Mark {
  readonly char: string;
  /** Its offset in the code. */
  readonly at: number;
}

export interface CodeLine {
  /** Columns before the first character, tabs to multiples of 8; -1 in a blank line. */
  readonly indent: number;
  /** The line on which the text or comment opened that this one begins in, from 0; -1 in code. */
  readonly textFrom: number;
  /** The code without comments and white space around it, texts empty. */
  readonly code: string;
  readonly marks: readonly Mark[];
}

const TAB = 8;
/** After these a slash begins an expression, as it does where a line begins. */
const BEFORE_REGEXP =
  /(?:^|[(,=:[!&|?{};+\-*%~^>]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|yield|await|if|unless|when|and|or|not))$/;
const CHARACTER = /'(?:[^'\\]|\\[^\n]{1,10})'/y;
const REGEXP = /\/(?![*/>])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** How a text that was opened is closed. */
interface Closing {
  /** What closes it, but for a heredoc. */
  readonly end: string;
  /** Finds what closes it, and what might be taken for that. */
  readonly closer: RegExp;
  readonly isHeredoc: boolean;
  /** What opens another of its kind in it. */
  readonly nested: string | undefined;
}

interface Inside extends Closing {
  /** Its first line. */
  readonly from: number;
  /** How many of its kind are open in it. */
  depth: number;
}

/** Takes the lines of one text in their order. */
export class CodeLexer {
  readonly #lexis: Lexis;
  readonly #token: RegExp;
  readonly #quotes: ReadonlyMap<string, RegExp>;
  readonly #closings = new Map<string, Closing>();
  #line = -1;
  #inside: Inside | undefined;
  /** Heredocs that begin on the next line. */
  #waiting: Inside[] = [];
  /** The texts around the code that is being read, with the brackets open in it. */
  #around: { inside: Inside; depth: number }[] = [];
  /** The first line of a directive that goes on. */
  #directive = -1;

  constructor(lexis: Lexis) {
    this.#lexis = lexis;
    const { long = [], comment, quotes, brackets } = lexis;
    const opens = long.map(({ open }, index) => `(?<t${index}>${open})`);
    // A slash comes last: it may be a part of what begins a comment.
    const single = escapeRegExp(quotes + brackets + ";/'");
    this.#token = new RegExp([...opens, `(?<comment>${comment})`, `[${single}]`].join("|"), "g");
    this.#quotes = new Map(
      [...quotes].map((
        quote,
      ) => [quote, new RegExp(`${quote}(?:[^${quote}\\\\]|\\\\.)*${quote}`, "y")]),
    );
  }

  next(text: string): CodeLine {
    this.#line++;
    const indent = indentOf(text);
    const textFrom = this.#around[0]?.inside.from ?? this.#inside?.from ?? this.#directive;
    if (this.#isDirective(text)) return { indent, textFrom, code: "", marks: [] };
    const reader = new LineReader(text);
    while (reader.at < text.length) {
      if (this.#inside !== undefined) this.#readText(reader, this.#inside);
      else if (!this.#readCode(reader)) break;
    }
    if (this.#inside === undefined) {
      this.#inside = this.#waiting.shift();
    } else if (this.#waiting.length > 0) {
      this.#waiting = [];
    }
    return { indent, textFrom, ...reader.finish() };
  }

  #isDirective(text: string): boolean {
    if (!this.#lexis.hasDirectives || this.#inside !== undefined) return false;
    if (this.#directive < 0 && !/^\s*#/.test(text)) return false;
    const from = this.#directive < 0 ? this.#line : this.#directive;
    this.#directive = /\\\r?$/.test(text) ? from : -1;
    return true;
  }

  /** Reads on in a text up to its end or that of the line. */
  #readText(reader: LineReader, inside: Inside): void {
    const { closer, isHeredoc } = inside;
    if (isHeredoc) {
      if (closer.test(reader.text)) {
        this.#inside = this.#waiting.shift();
        // Code may follow, as in PHP: `SQL);`.
        reader.at = /^\s*\w+/.exec(reader.text)![0].length;
      } else reader.at = reader.text.length;
      reader.from = reader.at;
      return;
    }
    closer.lastIndex = reader.at;
    for (let found; (found = closer.exec(reader.text)) !== null;) {
      if (found[0] === inside.nested) inside.depth++;
      else if (found[0] === inside.end && inside.depth > 0) inside.depth--;
      else if (found[0] === inside.end || found[0] === "${") {
        this.#leave(reader, inside, closer.lastIndex, found[0]);
        return;
      }
    }
    reader.at = reader.from = reader.text.length;
  }

  #leave(reader: LineReader, inside: Inside, at: number, found: string): void {
    reader.at = reader.from = at;
    if (found !== inside.end) this.#around.push({ inside, depth: 0 });
    this.#inside = undefined;
  }

  /** Reads code up to the next text of several lines; `false` at the end of the line's code. */
  #readCode(reader: LineReader): boolean {
    const { text } = reader;
    const token = this.#token;
    token.lastIndex = reader.at;
    const found = token.exec(text);
    if (found === null) return false;
    const { index, 0: what, groups = {} } = found;
    reader.at = token.lastIndex;
    if (groups["comment"] !== undefined) {
      reader.cut(index, text.length);
      return false;
    }
    const long = this.#lexis.long?.findIndex((_, at) => groups[`t${at}`] !== undefined) ?? -1;
    if (long >= 0) {
      this.#open(this.#lexis.long![long]!, what, reader, index);
      return true;
    }
    const end = this.#endOfShort(what, reader, index);
    if (end !== undefined) {
      reader.cut(index, end, what);
    } else if (this.#around.length > 0) this.#markAround(what, reader);
    else if (this.#lexis.brackets.includes(what) || what === ";") reader.mark(what, index);
    return true;
  }

  #open(form: LongText, what: string, reader: LineReader, index: number): void {
    const closing = valueAt(this.#closings, what, () => closingOf(form, what));
    const inside = { ...closing, from: this.#line, depth: 0 };
    if (inside.isHeredoc) this.#waiting.push(inside);
    else {
      reader.cut(index, index + what.length, '"');
      this.#inside = inside;
    }
  }

  /** The end of a text or expression that is on one line. */
  #endOfShort(what: string, reader: LineReader, index: number): number | undefined {
    const { hasCharacters, hasRegExps } = this.#lexis;
    if (reader.failed.has(what)) return undefined;
    const isRegExp = what === "/" && hasRegExps === true && reader.mayBeginRegExp(index);
    const form = what === "'" && hasCharacters
      ? CHARACTER
      : isRegExp
      ? REGEXP
      : this.#quotes.get(what);
    if (form === undefined) return undefined;
    form.lastIndex = index;
    if (form.test(reader.text)) return form.lastIndex;
    // There is no other on the rest of the line: to look for it at each quote would take its square.
    if (form !== CHARACTER) reader.failed.add(what);
    return undefined;
  }

  /** Takes note of a bracket in code that stands in a text. */
  #markAround(what: string, reader: LineReader): void {
    const around = this.#around.at(-1)!;
    if (what === "{") around.depth++;
    else if (what === "}" && around.depth-- === 0) {
      this.#around.pop();
      this.#inside = around.inside;
      reader.from = reader.at;
    }
  }
}

function closingOf(form: LongText, what: string): Closing {
  const { open, close, escapes, doubles, nests, interpolates, isHeredoc = false } = form;
  const groups = new RegExp(`^(?:${open})`).exec(what)?.slice(1) ?? [];
  const name = groups.find((group) => group !== undefined) ?? "";
  const rest = { isHeredoc, nested: nests ? what : undefined };
  if (isHeredoc) {
    return { ...rest, end: "", closer: new RegExp(close.replace("$1", escapeRegExp(name))) };
  }
  const end = close.replace("$1", name);
  const ways = [
    ...(escapes ? ["\\\\."] : []),
    ...(doubles ? [escapeRegExp(end + end)] : []),
    ...(nests ? [escapeRegExp(what)] : []),
    ...(interpolates ? ["\\$\\{"] : []),
    escapeRegExp(end),
  ];
  return { ...rest, end, closer: new RegExp(ways.join("|"), "g") };
}

/** The code of one line, as it is put together. */
class LineReader {
  readonly text: string;
  at = 0;
  /** Where the code begins that was not taken yet. */
  from = 0;
  /** Quotes that are not closed. */
  readonly failed = new Set<string>();
  readonly #marks: Mark[] = [];
  #code = "";
  /** What stands for the text before the code that was not taken yet. */
  #mark = "";

  constructor(text: string) {
    this.text = text;
  }

  /** Takes the code up to an offset, and `mark` twice for the text up to another. */
  cut(to: number, next: number, mark = ""): void {
    this.#code += this.text.slice(this.from, to) + mark + mark;
    this.#mark = mark;
    this.at = this.from = next;
  }

  mark(char: string, index: number): void {
    this.#code += this.text.slice(this.from, index);
    this.from = index;
    this.#marks.push({ char, at: this.#code.length });
  }

  mayBeginRegExp(index: number): boolean {
    const before = this.#mark + this.text.slice(Math.max(this.from, index - 20), index);
    return BEFORE_REGEXP.test(before.trim()) && !before.endsWith("<");
  }

  finish(): Pick<CodeLine, "code" | "marks"> {
    const whole = this.#code + this.text.slice(this.from);
    const code = whole.trim();
    const cut = whole.length - whole.trimStart().length;
    return { code, marks: this.#marks.map(({ char, at }) => ({ char, at: at - cut })) };
  }
}

/** The columns before the first character; -1 in a blank line. */
function indentOf(text: string): number {
  let column = 0;
  for (const char of text) {
    if (char === " ") column++;
    else if (char === "\t") column += TAB - column % TAB;
    else return char === "\r" || char === "\f" ? -1 : column;
  }
  return -1;
}
