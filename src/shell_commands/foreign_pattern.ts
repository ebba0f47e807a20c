/**
 * Patterns of other programs, in the syntax of this one. What has no exact counterpart is refused.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";

/**
 * How a program reads a pattern: POSIX's two syntaxes with GNU's additions, PCRE, where classes are of
 * ASCII or (`ucp`) of all scripts, or Rust's `regex`.
 */
export type Dialect = "basic" | "extended" | "fixed" | "perl" | "ucp" | "rust";

/** Characters of words, wherever a program counts those of all scripts. */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
const ASCII_SPACE = "\\t-\\r ";
/** The C library counts no spaces that do not break. */
const POSIX_SPACE =
  `${ASCII_SPACE}\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000`;
const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-~",
  space: ASCII_SPACE,
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};
const POSIX_CLASSES: typeof NAMED_CLASSES = {
  ...NAMED_CLASSES,
  alnum: "\\p{Alphabetic}\\p{Nd}",
  alpha: "\\p{Alphabetic}",
  lower: "\\p{Lowercase}",
  space: POSIX_SPACE,
  upper: "\\p{Uppercase}",
};
/** The members of `\d`, `\s` and `\w`. */
const UNICODE_SETS: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: WORD,
};
const SETS: Readonly<Record<Exclude<Dialect, "fixed">, typeof UNICODE_SETS>> = {
  basic: { w: WORD, s: POSIX_SPACE },
  extended: { w: WORD, s: POSIX_SPACE },
  perl: { d: "0-9", s: ASCII_SPACE, w: "\\w" },
  ucp: UNICODE_SETS,
  rust: UNICODE_SETS,
};
const INTERVAL = /^\{(?:(\d{1,3})(?:(,)(\d{1,3})?)?|,(\d{1,3}))\}/;

/**
 * A pattern in the syntax of this program.
 *
 * @throws {PathgrepError} `invalid_pattern` for what is not read, with the part
 */
export function translate(pattern: string, dialect: Dialect): string {
  if (dialect === "fixed") return [...pattern].map(literal).join("");
  return new Translator(pattern, dialect).read();
}

function literal(char: string): string {
  if (char === "\n") throw untranslated("a line break");
  return /[\w ]/.test(char) || char > "\x7f" ? char : hex(char);
}

function hex(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

function untranslated(part: string): PathgrepError {
  return new PathgrepError("invalid_pattern", `${part} in the pattern is not supported`, {
    hint: "search with pathgrep itself: `pathgrep PATTERN`",
  });
}

class Translator {
  readonly #text: string;
  readonly #dialect: Exclude<Dialect, "fixed">;
  #at = 0;
  #out: string[] = [];
  /** Whether an item can be repeated: what is before. */
  #hasItem = false;
  #depth = 0;
  #groups = 0;

  constructor(text: string, dialect: Exclude<Dialect, "fixed">) {
    this.#text = text;
    this.#dialect = dialect;
  }

  get #isPosix(): boolean {
    return this.#dialect === "basic" || this.#dialect === "extended";
  }

  get #isPerl(): boolean {
    return this.#dialect === "perl" || this.#dialect === "ucp";
  }

  get #sets(): typeof UNICODE_SETS {
    return SETS[this.#dialect];
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  read(): string {
    if (!this.#isPosix && this.#text.startsWith("(?i)")) this.#out.push(this.#take(4));
    while (this.#at < this.#text.length) this.#next();
    if (this.#depth !== 0) throw untranslated("an unbalanced parenthesis");
    this.#endBranch();
    return this.#out.join("");
  }

  #take(length: number): string {
    return this.#text.slice(this.#at, this.#at += length);
  }

  #endBranch(): void {
    const last = this.#out.at(-1) ?? "|";
    if (last === "|" || /^\((?:.*[^)])?$/.test(last)) throw untranslated("an empty alternative");
  }

  #next(): void {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    this.#at += char.length;
    if (char === "\\") return this.#escape();
    if (char === "[") return this.#class();
    if (char === ".") return this.#item(".");
    if (char === "^" || char === "$") return this.#anchor(char);
    if (this.#dialect === "basic") {
      return char === "*" ? this.#repeat("*") : this.#item(literal(char));
    }
    if (char === "*") this.#repeat(char);
    else if (!this.#operator(char)) this.#item(literal(char));
  }

  /** Reads an operator, which basic expressions have behind a backslash; returns false if it is none. */
  #operator(char: string): boolean {
    if (char === "+" || char === "?") this.#repeat(char);
    else if (char === "{") this.#interval();
    else if (char === "(") this.#open();
    else if (char === ")") this.#close();
    else if (char === "|") {
      this.#endBranch();
      this.#place("|");
    } else return false;
    return true;
  }

  #item(text: string): void {
    this.#out.push(text);
    this.#hasItem = true;
  }

  /** Adds what cannot be repeated. */
  #place(text: string): void {
    this.#out.push(text);
    this.#hasItem = false;
  }

  /** In basic expressions an anchor is one only at an end of the pattern, a group or an alternative. */
  #anchor(char: string): void {
    const before = this.#text.slice(0, this.#at - 1);
    const isAtEnd = char === "^"
      ? /(?:^|\\\(|\\\|)$/.test(before)
      : /^(?:$|\\\)|\\\|)/.test(this.#rest);
    if (this.#dialect === "basic" && !isAtEnd) return this.#item(literal(char));
    this.#place(char);
  }

  #repeat(text: string): void {
    if (!this.#hasItem) {
      if (this.#dialect === "basic" && text === "*") return this.#item(literal(text));
      throw untranslated(`${text} with nothing to repeat`);
    }
    const next = this.#rest[0] ?? "";
    if (this.#isPosix) {
      if (this.#dialect === "basic" ? /^(?:\*|\\[+?{])/.test(this.#rest) : /[*+?{]/.test(next)) {
        throw untranslated("a repetition of a repetition");
      }
      return this.#place(text);
    }
    if (next === "?") this.#at++;
    if (/^[*+?{]/.test(this.#rest)) throw untranslated("a repetition of a repetition");
    this.#place(next === "?" ? `${text}?` : text);
  }

  /** An interval, whose brace has been read. */
  #interval(): void {
    const text = `{${this.#rest}`;
    const basic = this.#dialect === "basic" ? text.replace("\\}", "}") : text;
    const found = INTERVAL.exec(basic);
    if (found === null || !this.#hasItem) {
      if (this.#isPerl && found === null) return this.#item(literal("{"));
      throw untranslated("a brace that is not a repetition");
    }
    const [whole, least = "0", comma, most, alone] = found;
    if (!this.#isPosix && alone !== undefined) throw untranslated("{,N}");
    const upTo = alone ?? most;
    this.#at += whole.length - 1 + (this.#dialect === "basic" ? 1 : 0);
    const ends = comma === undefined && alone === undefined ? least : `${least},${upTo ?? ""}`;
    this.#repeat(`{${ends}}`);
  }

  #open(): void {
    let start = "(";
    if (!this.#isPosix && /^[?*]/.test(this.#rest)) {
      const known = this.#dialect === "rust"
        ? /^\?(?::|i:|P?<[A-Za-z_]\w*>)/
        : /^\?(?::|i:|=|!|<=|<!|P?<[A-Za-z_]\w*>)/;
      const group = known.exec(this.#rest)?.[0];
      if (group === undefined) throw untranslated(`(${this.#rest.slice(0, 2)}`);
      start += this.#take(group.length);
    }
    this.#depth++;
    if (/^\((?:\?P?<\w|$)/.test(start)) this.#groups++;
    this.#place(start);
  }

  #close(): void {
    if (this.#depth === 0) throw untranslated("an unbalanced parenthesis");
    this.#endBranch();
    this.#depth--;
    this.#item(")");
  }

  #escape(): void {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) throw untranslated("a trailing backslash");
    this.#at += char.length;
    const set = /[dsw]/i.test(char) ? this.#sets[char.toLowerCase()] : undefined;
    if (set !== undefined) {
      // PCRE up to 10.42 finds nothing beyond ASCII for these.
      const others = this.#dialect === "perl" ? "\\u{80}-\\u{10ffff}" : "";
      return this.#item(/[DSW]/.test(char) ? `[^${set}${others}]` : `[${set}]`);
    }
    if (char === "b" || char === "B") return this.#boundary(char);
    if (this.#isPosix) this.#posixEscape(char);
    else this.#modernEscape(char);
  }

  /** A place between characters of which one is of a word, none or both are. */
  #boundary(kind: "b" | "B" | "<" | ">"): void {
    const word = `[${this.#sets["w"]!}]`;
    const [isAfter, isBefore] = [`(?<=${word})`, `(?=${word})`];
    const [isNotAfter, isNotBefore] = [`(?<!${word})`, `(?!${word})`];
    const start = isNotAfter + isBefore;
    const end = isAfter + isNotBefore;
    const places = {
      b: `(?:${start}|${end})`,
      B: `(?:${isAfter}${isBefore}|${isNotAfter}${isNotBefore})`,
      "<": start,
      ">": end,
    };
    this.#place(places[kind]);
  }

  #backreference(number: string): void {
    if (Number(number) > this.#groups) throw untranslated(`\\${number} without its group`);
    this.#item(`(?:\\${number})`);
  }

  #posixEscape(char: string): void {
    if (this.#dialect === "basic" && this.#operator(char)) return;
    if (char === "<" || char === ">") this.#boundary(char);
    else if (/[1-9]/.test(char)) this.#backreference(char);
    // Before other letters GNU's programs drop the backslash, with or without a warning.
    else if (char === "d") this.#item("(?-i:d)");
    else if (/[\w`']/.test(char)) throw untranslated(`\\${char}`);
    else this.#item(literal(char));
  }

  #modernEscape(char: string): void {
    if (char === "t" || char === "f" || char === "v" && this.#dialect === "rust") {
      return this.#item(`\\${char}`);
    }
    const code = /^(?:x[\da-fA-F]{2}|x\{[\da-fA-F]{1,6}\})/.exec(`${char}${this.#rest}`)?.[0];
    if (code !== undefined) {
      this.#at += code.length - 1;
      return this.#item(`\\u{${code.replace(/[x{}]/g, "")}}`);
    }
    if (this.#isPerl && /[1-9]/.test(char) && !/^\d/.test(this.#rest)) {
      return this.#backreference(char);
    }
    if (/[\w]/.test(char) || char > "\x7f") throw untranslated(`\\${char}`);
    if (this.#dialect === "rust" && /[<>]/.test(char)) throw untranslated(`\\${char}`);
    this.#item(literal(char));
  }

  #class(): void {
    const isNegated = this.#rest.startsWith("^");
    if (isNegated) this.#at++;
    let members = "";
    let isRange = false;
    let last: string | undefined;
    for (let first = true;; first = false) {
      if (this.#at >= this.#text.length) throw untranslated("an unclosed class");
      const char = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
      if (char === "]" && !first) break;
      const next = this.#text[this.#at + 1];
      if (char === "-" && !first && next !== "]" && last !== undefined && !isRange) {
        isRange = true;
        this.#at++;
        continue;
      }
      const { text, isSet } = this.#member(char);
      if (isRange) checkRange(last!, text, isSet);
      members += isRange ? `-${text}` : text;
      last = isSet || isRange ? undefined : text;
      isRange = false;
    }
    this.#at++;
    this.#item(`[${isNegated ? "^" : ""}${members}]`);
  }

  #namedClass([whole, name]: RegExpExecArray): string {
    this.#at += whole.length;
    const text = (this.#isPosix ? POSIX_CLASSES : NAMED_CLASSES)[name!];
    if (text === undefined || this.#dialect === "ucp") throw untranslated(whole);
    return text;
  }

  /** A member of a class; a set has no place in a range. */
  #member(char: string): { text: string; isSet: boolean } {
    const named = /^\[:(\w+):\]/.exec(this.#rest);
    if (named !== null) return { text: this.#namedClass(named), isSet: true };
    this.#at += char.length;
    if (this.#isPosix) {
      if (char === "[" && /^[.=]/.test(this.#rest)) throw untranslated(`[${this.#rest[0]}`);
      return { text: memberText(char), isSet: false };
    }
    if (char === "[" && this.#dialect === "rust") throw untranslated("a nested class");
    if (/^(?:&&|--|~~)/.test(char + this.#rest) && this.#dialect === "rust") {
      throw untranslated(char + char);
    }
    if (char !== "\\") return { text: memberText(char), isSet: false };
    const escaped = this.#text[this.#at++] ?? "";
    if (escaped === "t") return { text: "\\t", isSet: false };
    if (/[dsw]/.test(escaped)) return { text: this.#sets[escaped]!, isSet: true };
    if (!/[!-/:-@[-`{-~ ]/.test(escaped)) throw untranslated(`\\${escaped} in a class`);
    return { text: hex(escaped), isSet: false };
  }
}

function checkRange(from: string, to: string, isSet: boolean): void {
  if (isSet || valueOf(from) > valueOf(to)) throw untranslated("a range in a class");
}

function memberText(char: string): string {
  if (char === "\n") throw untranslated("a line break");
  return /[\w ]/.test(char) || char > "\x7f" ? char : hex(char);
}

function valueOf(member: string): number {
  const code = /^\\x(..)$/.exec(member)?.[1];
  return code === undefined ? member.codePointAt(0)! : parseInt(code, 16);
}
