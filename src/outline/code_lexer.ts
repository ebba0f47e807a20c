/**
 * Splits source text into lines of code: comments and the contents of texts taken out, brackets marked.
 *
 * It knows only what decides where code is: comments, quotes, texts of several lines. A quote that is not
 * closed on its line is none, since most that are not are apostrophes.
 *
 * @module
 */

import { valueAt } from "../util/collections.ts";
import { escapeRegExp } from "../util/text.ts";

/** A text or comment that may span lines. All forms are sources of expressions. */
export interface LongText {
  readonly open: string;
  /**
   * What closes it. `$1` stands for the first group of what opened it; `$o` for the last character of that,
   * and `$c` for the bracket that closes it.
   */
  readonly close: string;
  /** What stands for itself in it, though it may look like its end. */
  readonly skip?: string;
  /** What opens another one in it. */
  readonly nest?: string;
  /** @default false */
  readonly isComment?: boolean;
  /** `text${code}text`. @default false */
  readonly interpolates?: boolean;
  /** It begins on the next line and ends with a line that holds nothing before what closes it. @default false */
  readonly isHeredoc?: boolean;
}

/** Where code is in the files of a language. */
export interface Lexis {
  /** A comment that ends with its line, as the source of an expression. */
  readonly comment: string;
  readonly long?: readonly LongText[];
  /** The quotes of texts that end on their line, unless that ends with a backslash. */
  readonly quotes: string;
  /** Those of them whose texts may span lines. @default none */
  readonly spanning?: string;
  /** Code that looks like a quote or a comment, as the source of an expression. */
  readonly skip?: string;
  /** `'` stands around a single character, or is no quote at all. @default false */
  readonly hasCharacters?: boolean;
  /** Has expressions between slashes, with `"words"` also after a name and a space. @default false */
  readonly hasRegExps?: boolean | "words";
  /** A line that is for a preprocessor, as the source of an expression. */
  readonly directive?: string;
  /** The brackets that matter. */
  readonly brackets: string;
  /** The form that a file begins in. */
  readonly first?: LongText;
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
  /** The first line of a text that this line shows to be none, from 0; -1 if there is none. */
  readonly misread: number;
  /** The code without comments and white space around it, texts empty. */
  readonly code: string;
  readonly marks: readonly Mark[];
  /** Whether there is nothing but white space and comments. */
  readonly isBlank: boolean;
}

const TAB = 8;
/** After these a slash begins an expression, as it does where a line begins. */
const BEFORE_REGEXP =
  /(?:^|[(,=:[!&|?{};+\-*%~^>]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|yield|await|if|unless|when|and|or|not))$/;
/** A line that the next one continues. */
const CONTINUED = /(?<!\\)(?:\\\\)*\\\r?$/;
/** The beginning of lines that no compiler reads, and how they are. */
const UNUSED = /^\s*#\s*if\s+(?:0|false)\s*(?:\/[/*].*)?\r?$/;
const CONDITIONAL: LongText = {
  open: "",
  close: String.raw`^\s*#\s*(?:endif|else|elif|elseif)\b.*`,
  nest: String.raw`^\s*#\s*if`,
};
/** What may follow a text. */
const AFTER_TEXT = /^\s*(?:$|[),;\]}.|&>+:?\\-]|(?:and|do|if|in|or|then|unless)\b)/;
const QUOTED: LongText = { open: "", close: "$o", skip: String.raw`\\.` };
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const CHARACTER = /'(?:[^'\\]|\\[^\n]{1,10})'/y;
const REGEXP = /\/(?![*/>])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** How a text that was opened is closed. */
interface Closing {
  readonly isComment: boolean;
  /** Finds what closes it, and what might be taken for that. */
  readonly closer: RegExp;
  readonly isHeredoc: boolean;
  /** Whether it is between plain quotes, and ends with a line that no backslash continues. */
  readonly quoted?: "line" | "text";
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
  readonly #directives: RegExp | undefined;
  /** The first line of a directive that goes on. */
  #directive = -1;

  constructor(lexis: Lexis) {
    this.#lexis = lexis;
    const { long = [], comment, quotes, brackets, skip = "(?!)", first } = lexis;
    const opens = long.map(({ open }, index) => `(?<t${index}>${open})`);
    // A slash comes last: it may be a part of what begins a comment.
    const single = escapeRegExp(quotes + brackets + ";/'");
    this.#token = new RegExp(
      [`(?<skip>${skip})`, ...opens, `(?<comment>${comment})`, `[${single}]`].join("|"),
      "g",
    );
    this.#quotes = new Map(
      [...quotes].map((
        quote,
      ) => [quote, new RegExp(`${quote}(?:[^${quote}\\\\]|\\\\.)*${quote}`, "y")]),
    );
    this.#directives = lexis.directive === undefined ? undefined : new RegExp(lexis.directive);
    if (first !== undefined) this.#inside = { ...closingOf(first, ""), from: 0, depth: 0 };
  }

  next(text: string): CodeLine {
    this.#line++;
    const indent = indentOf(text);
    const misread = this.#misreadBefore(text);
    const textFrom = this.#around[0]?.inside.from ?? this.#inside?.from ?? this.#directive;
    const begin = { indent, textFrom, misread };
    const isText = this.#inside !== undefined && !this.#inside.isComment;
    if (this.#isDirective(text)) return { ...begin, code: "", marks: [], isBlank: true };
    const reader = new LineReader(text);
    while (reader.at < text.length) {
      if (this.#inside !== undefined) this.#readText(reader, this.#inside);
      else if (!this.#readCode(reader)) break;
    }
    if (this.#inside?.quoted === "line" && !CONTINUED.test(text)) this.#inside = undefined;
    if (this.#inside === undefined) {
      this.#inside = this.#waiting.shift();
    } else if (this.#waiting.length > 0) {
      this.#waiting = [];
    }
    const { code, marks } = reader.finish();
    return { ...begin, code, marks, isBlank: code === "" && !(isText && indent >= 0) };
  }

  /** The first line of a text that is open. */
  get openText(): number {
    return this.#inside?.from ?? -1;
  }

  /**
   * Leaves a text between plain quotes where what seems to close it opens another one: a quote before it
   * was none. The line is read as code.
   */
  #misreadBefore(text: string): number {
    const inside = this.#inside;
    if (inside?.quoted !== "text" || this.#around.length > 0) return -1;
    const { closer, from } = inside;
    closer.lastIndex = 0;
    for (let found; (found = closer.exec(text)) !== null;) {
      if (found.groups!["end"] === undefined) continue;
      if (AFTER_TEXT.test(text.slice(closer.lastIndex))) return -1;
      this.#inside = undefined;
      return from;
    }
    return -1;
  }

  #isDirective(text: string): boolean {
    if (this.#directives === undefined || this.#inside !== undefined) return false;
    if (this.#directive < 0 && !this.#directives.test(text)) return false;
    if (UNUSED.test(text)) {
      this.#inside = { ...closingOf(CONDITIONAL, ""), from: this.#line, depth: 0 };
      return true;
    }
    const from = this.#directive < 0 ? this.#line : this.#directive;
    this.#directive = CONTINUED.test(text) ? from : -1;
    return true;
  }

  /** Reads on in a text up to its end or that of the line. */
  #readText(reader: LineReader, inside: Inside): void {
    const { closer, isHeredoc } = inside;
    closer.lastIndex = reader.at;
    for (let found; (found = closer.exec(reader.text)) !== null;) {
      const { nest, end, code } = found.groups!;
      if (nest !== undefined) inside.depth++;
      else if (end !== undefined && inside.depth > 0) {
        inside.depth -= /^\s*#\s*el/.test(end) ? 0 : 1;
      } else if (end !== undefined || code !== undefined) {
        // Code may follow, as in PHP: `SQL);`.
        reader.at = reader.from = isHeredoc
          ? found.index + end!.trimEnd().length
          : closer.lastIndex;
        if (code !== undefined) this.#around.push({ inside, depth: 0 });
        this.#inside = isHeredoc ? this.#waiting.shift() : undefined;
        return;
      } else if (found[0] === "") closer.lastIndex++;
    }
    reader.at = reader.from = reader.text.length;
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
    if (groups["skip"] !== undefined) return true;
    if (groups["comment"] !== undefined) {
      reader.cut(index, token.lastIndex);
      return true;
    }
    const long = this.#lexis.long?.findIndex((_, at) => groups[`t${at}`] !== undefined) ?? -1;
    if (long >= 0) {
      this.#open(this.#lexis.long![long]!, what, reader, index);
      return true;
    }
    const end = this.#endOfShort(what, reader, index);
    if (end !== undefined) {
      reader.cut(index, end, what);
    } else if (this.#goesOn(what, text)) {
      reader.cut(index, reader.at, '"');
      const closing = valueAt(this.#closings, `${what}…`, () => closingOf(QUOTED, what));
      const quoted = this.#lexis.spanning?.includes(what) ? "text" : "line";
      this.#inside = { ...closing, quoted, from: this.#line, depth: 0 };
    } else if (this.#around.length > 0) this.#markAround(what, reader);
    else if (this.#lexis.brackets.includes(what) || what === ";") reader.mark(what, index);
    return true;
  }

  #open(form: LongText, what: string, reader: LineReader, index: number): void {
    const closing = valueAt(this.#closings, what, () => closingOf(form, what));
    const inside = { ...closing, from: this.#line, depth: 0 };
    if (inside.isHeredoc) this.#waiting.push(inside);
    else {
      reader.cut(index, index + what.length, form.isComment ? "" : '"');
      this.#inside = inside;
    }
  }

  /** Whether a quote that is not closed on its line opens a text all the same. */
  #goesOn(what: string, text: string): boolean {
    const { hasCharacters, spanning = "" } = this.#lexis;
    if (!this.#quotes.has(what) || what === "'" && hasCharacters) return false;
    return spanning.includes(what) || CONTINUED.test(text);
  }

  /** The end of a text or expression that is on one line. */
  #endOfShort(what: string, reader: LineReader, index: number): number | undefined {
    const { hasCharacters, hasRegExps } = this.#lexis;
    if (reader.failed.has(what)) return undefined;
    const isRegExp = what === "/" && hasRegExps !== undefined &&
      reader.mayBeginRegExp(index, hasRegExps === "words");
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
  const {
    open,
    close,
    skip = "(?!)",
    nest = "(?!)",
    interpolates,
    isHeredoc = false,
    isComment = false,
  } = form;
  const groups = new RegExp(`^(?:${open})`).exec(what)?.slice(1) ?? [];
  const last = what.at(-1) ?? "";
  const values: Record<string, string> = {
    1: groups.find((group) => group !== undefined) ?? "",
    o: last,
    c: CLOSING[last] ?? last,
  };
  const filled = (source: string) =>
    source.replace(/\$([1oc])/g, (_, value) => escapeRegExp(values[value]!));
  // Where both are the same, as in `%w||`, it ends.
  const ways = [
    `(?<skip>${filled(skip)})`,
    `(?<end>${filled(close)})`,
    `(?<nest>${filled(nest)})`,
    `(?<code>${interpolates ? "\\$\\{" : "(?!)"})`,
  ];
  return { isComment, isHeredoc, closer: new RegExp(ways.join("|"), "g") };
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

  /** @param afterWords whether also after a name and a space */
  mayBeginRegExp(index: number, afterWords: boolean): boolean {
    const before = this.#mark + this.text.slice(Math.max(this.from, index - 20), index);
    if (afterWords && /\w\s$/.test(before) && /[^\s=]/.test(this.text[index + 1] ?? " ")) {
      return true;
    }
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
