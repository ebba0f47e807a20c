/**
 * Patterns of other programs, in the syntax of this one. What has no exact counterpart is refused.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";

/** How a program reads a pattern: POSIX's two syntaxes with GNU's additions, PCRE, or Rust's `regex`. */
export type Dialect = "basic" | "extended" | "fixed" | "perl" | "rust";

const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alnum: "\\p{Alphabetic}\\p{Nd}",
  alpha: "\\p{Alphabetic}",
  blank: " \\t",
  digit: "0-9",
  lower: "\\p{Lowercase}",
  punct: "!-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-~",
  space: "\\s",
  upper: "\\p{Uppercase}",
  xdigit: "0-9A-Fa-f",
};
/** Characters of words, wherever a program counts those of all scripts. */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
const UNICODE_CLASSES: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  s: "\\s",
  S: "\\S",
};
const DIGITS: Readonly<Record<string, string>> = { d: "\\p{Nd}", D: "\\P{Nd}" };
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

  constructor(text: string, dialect: Exclude<Dialect, "fixed">) {
    this.#text = text;
    this.#dialect = dialect;
  }

  get #isPosix(): boolean {
    return this.#dialect === "basic" || this.#dialect === "extended";
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  read(): string {
    const flags = /^\(\?([imsu]+)\)/.exec(this.#text);
    if (flags !== null && !this.#isPosix && !/[su]/.test(flags[1]!)) {
      this.#at = flags[0].length;
      this.#out.push(`(?${flags[1]})`);
    }
    while (this.#at < this.#text.length) this.#next();
    if (this.#depth !== 0) throw untranslated("an unbalanced parenthesis");
    return withEmptyAlternatives(this.#out).join("");
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
    switch (char) {
      case "+":
      case "?":
        this.#repeat(char);
        return true;
      case "{":
        this.#interval();
        return true;
      case "(":
        this.#open();
        return true;
      case ")":
        this.#close();
        return true;
      case "|":
        this.#alternative();
        return true;
    }
    return false;
  }

  #item(text: string): void {
    this.#out.push(text);
    this.#hasItem = true;
  }

  /** In basic expressions an anchor is one only at an end of the pattern, a group or an alternative. */
  #anchor(char: string): void {
    const before = this.#text.slice(0, this.#at - 1);
    const isAtEnd = char === "^"
      ? /(?:^|\\\(|\\\|)$/.test(before)
      : /^(?:$|\\\)|\\\|)/.test(this.#rest);
    if (this.#dialect === "basic" && !isAtEnd) return this.#item(literal(char));
    this.#out.push(char);
    this.#hasItem = false;
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
      this.#out.push(text);
    } else {
      if (next === "+") throw untranslated("a possessive repetition");
      if (next === "?") this.#at++;
      if (/^[*+?{]/.test(this.#rest)) throw untranslated("a repetition of a repetition");
      this.#out.push(next === "?" ? `${text}?` : text);
    }
    this.#hasItem = false;
  }

  /** An interval, whose brace has been read. */
  #interval(): void {
    const text = `{${this.#rest}`;
    const basic = this.#dialect === "basic" ? text.replace("\\}", "}") : text;
    const found = INTERVAL.exec(basic);
    if (found === null || !this.#hasItem) {
      if (this.#dialect === "perl" && found === null) return this.#item(literal("{"));
      throw untranslated("a brace that is not a repetition");
    }
    const [whole, least = "0", comma, most, alone] = found;
    if (this.#dialect === "perl" && alone !== undefined) throw untranslated("{,N}");
    const upTo = alone ?? most;
    if (upTo !== undefined && Number(upTo) < Number(least)) throw untranslated(whole);
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
      this.#at += group.length;
      start += group;
    }
    this.#depth++;
    this.#out.push(start);
    this.#hasItem = false;
  }

  #close(): void {
    if (this.#depth === 0) throw untranslated("an unbalanced parenthesis");
    this.#depth--;
    this.#out.push(")");
    this.#hasItem = true;
  }

  #alternative(): void {
    this.#out.push("|");
    this.#hasItem = false;
  }

  #escape(): void {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) throw untranslated("a trailing backslash");
    this.#at += char.length;
    if (char === "w" || char === "W" || char === "s" || char === "S") {
      return this.#item(this.#dialect === "perl" ? `\\${char}` : UNICODE_CLASSES[char]!);
    }
    if (char === "b" || char === "B") {
      if (this.#rest.startsWith("{")) throw untranslated(`\\${char}{`);
      this.#out.push(`\\${char}`);
      this.#hasItem = false;
      return;
    }
    if (this.#isPosix) this.#posixEscape(char);
    else this.#modernEscape(char);
  }

  #posixEscape(char: string): void {
    if (this.#dialect === "basic" && this.#operator(char)) return;
    if (char === "<" || char === ">") {
      this.#out.push(`\\${char}`);
      this.#hasItem = false;
    } else if (/[1-9]/.test(char)) this.#item(`(?:\\${char})`);
    // Before other letters GNU's programs drop the backslash, with or without a warning.
    else if (char === "d") this.#item("d");
    else if (/[\w`']/.test(char)) throw untranslated(`\\${char}`);
    else this.#item(literal(char));
  }

  #modernEscape(char: string): void {
    if (char === "d" || char === "D") {
      return this.#item(this.#dialect === "rust" ? DIGITS[char]! : `\\${char}`);
    }
    if (char === "t" || char === "f" || char === "v" && this.#dialect === "rust") {
      return this.#item(`\\${char}`);
    }
    const code = /^(?:x[\da-fA-F]{2}|x\{[\da-fA-F]{1,6}\})/.exec(`${char}${this.#rest}`)?.[0];
    if (code !== undefined) {
      this.#at += code.length - 1;
      return this.#item(`\\u{${code.replace(/[x{}]/g, "")}}`);
    }
    if (this.#dialect === "perl" && /[1-9]/.test(char) && !/^\d/.test(this.#rest)) {
      return this.#item(`(?:\\${char})`);
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
      const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
      if (this.#at >= this.#text.length) throw untranslated("an unclosed class");
      if (char === "]" && !first) break;
      const next = this.#text[this.#at + 1];
      if (char === "-" && !first && next !== "]" && last !== undefined && !isRange) {
        isRange = true;
        this.#at++;
        continue;
      }
      const { text, isSet } = this.#member(char);
      if (isRange && (isSet || valueOf(last!) > valueOf(text))) {
        throw untranslated("a range in a class");
      }
      members += isRange ? `-${text}` : text;
      last = isSet || isRange ? undefined : text;
      isRange = false;
    }
    this.#at++;
    this.#item(`[${isNegated ? "^" : ""}${members}]`);
  }

  /** A member of a class; a set has no place in a range. */
  #member(char: string): { text: string; isSet: boolean } {
    const named = /^\[:(\w+):\]/.exec(this.#rest);
    if (named !== null) {
      this.#at += named[0].length;
      const text = NAMED_CLASSES[named[1]!];
      if (text === undefined) throw untranslated(named[0]);
      // Elsewhere such a class has ASCII characters alone.
      if (!this.#isPosix && text.includes("\\p")) throw untranslated(named[0]);
      return { text, isSet: true };
    }
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
    if (/[ws]/.test(escaped)) {
      const word = this.#dialect === "perl" ? "\\w" : WORD;
      return { text: escaped === "w" ? word : "\\s", isSet: true };
    }
    if (escaped === "d") {
      return { text: this.#dialect === "rust" ? DIGITS["d"]! : "\\d", isSet: true };
    }
    if (!/[!-/:-@[-`{-~ ]/.test(escaped)) throw untranslated(`\\${escaped} in a class`);
    return { text: hex(escaped), isSet: false };
  }
}

function memberText(char: string): string {
  if (char === "\n") throw untranslated("a line break");
  return /[\w ]/.test(char) || char > "\x7f" ? char : hex(char);
}

function valueOf(member: string): number {
  const code = /^\\x(..)$/.exec(member)?.[1];
  return code === undefined ? member.codePointAt(0)! : parseInt(code, 16);
}

/** Empty alternatives as groups, since this program takes a bare one for a mistake. */
function withEmptyAlternatives(parts: readonly string[]): string[] {
  const isStart = (part: string | undefined) =>
    part === undefined || part === "|" || /^\(/.test(part);
  const isEnd = (part: string | undefined) => part === undefined || part === "|" || part === ")";
  return parts.flatMap((part, index) => {
    const isFlags = /^\(\?\w+\)$/.test(part);
    const isBarred = part === "|";
    const before = isBarred && isStart(parts[index - 1]) ? ["(?:)"] : [];
    const after = isBarred && isEnd(parts[index + 1]) && parts[index + 1] !== "|" ? ["(?:)"] : [];
    return isFlags ? [part] : [...before, part, ...after];
  });
}
