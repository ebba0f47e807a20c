/**
 * Reads a shell command that is one plain search, without expanding anything: whatever a shell would
 * replace is not read at all.
 *
 * @module
 */

/** One command, and what its output is piped through. */
export interface PlainCommand {
  /** The operand of a `cd` before it. */
  directory: string | undefined;
  words: string[];
  /** The programs behind it, which show a part of the output, or count it. */
  filters: string[][];
}

/** Longer commands are not read. */
const MAX_CHARS = 20_000;
/** After an unquoted or double-quoted dollar sign these begin an expansion. */
const EXPANDS = /[\w@*#?$!({[-]/;
/** What a shell replaces or interprets where it is not quoted. */
const SPECIAL = /[`*?[\]{}~#()<;\n\0]/;

type Token = { word: string } | { operator: "|" | "&&" };

/** The command, if it is one plain search or listing that a shell would run as it stands. */
export function readCommand(text: string): PlainCommand | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const tokens = new TokenReader(text.trim()).read();
  if (tokens === undefined) return undefined;
  const [first, ...stages] = splitAt(tokens, "|");
  const parts = splitAt(first!, "&&");
  const lists = [...parts, ...stages].map(plainWords);
  if (lists.some((words) => words === undefined || words.length === 0)) return undefined;
  const [start, ...rest] = lists as string[][];
  const filters = rest.slice(parts.length - 1);
  if (!filters.every(isFilter)) return undefined;
  if (parts.length === 1) return { directory: undefined, words: start!, filters };
  const isCd = parts.length === 2 && start!.length === 2 && start![0] === "cd" &&
    !/^-|^$/.test(start![1]!);
  return isCd ? { directory: start![1]!, words: rest[0]!, filters } : undefined;
}

function splitAt(tokens: readonly Token[], operator: string): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if ("operator" in token && token.operator === operator) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The words; nothing where an operator is left among them. */
function plainWords(tokens: readonly Token[]): string[] | undefined {
  if (tokens.some((token) => "operator" in token)) return undefined;
  return tokens.map((token) => (token as { word: string }).word);
}

/** Whether a program shows nothing exactly where nothing comes in, or counts. */
function isFilter([program, ...args]: readonly string[]): boolean {
  const given = args.join(" ");
  switch (program) {
    case "head":
    case "tail":
      return /^(?:-(?:[nc] ?)?[1-9]\d*)?$/.test(given) ||
        /^--(?:lines|bytes)=[1-9]\d*$/.test(given);
    case "wc":
      return /^(?:-l|--lines)?$/.test(given);
    case "sort":
      return /^(?:-[bdfghinruV]+ ?)*$/.test(given);
    default:
      return false;
  }
}

class TokenReader {
  readonly #text: string;
  #at = 0;
  #word: string | undefined;
  readonly #tokens: Token[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Nothing where the text is more than words and the operators of a plain search. */
  read(): Token[] | undefined {
    while (this.#at < this.#text.length) if (!this.#next()) return undefined;
    this.#endWord();
    return this.#tokens;
  }

  #next(): boolean {
    const char = this.#text[this.#at++]!;
    switch (char) {
      case " ":
      case "\t":
        this.#endWord();
        return true;
      case "'":
        return this.#singleQuoted();
      case '"':
        return this.#doubleQuoted();
      case "\\":
        return this.#escaped();
      case "|":
        if (/[|&]/.test(this.#text[this.#at] ?? "")) return false;
        return this.#operator("|");
      case "&":
        return this.#text[this.#at++] === "&" && this.#operator("&&");
      case ">":
        return this.#redirection();
      case "$":
        if (/["']/.test(this.#text[this.#at] ?? "")) return false;
        return this.#dollar();
    }
    if (SPECIAL.test(char)) return false;
    this.#add(char);
    return true;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#tokens.push({ word: this.#word });
    this.#word = undefined;
  }

  #operator(operator: "|" | "&&"): boolean {
    this.#endWord();
    this.#tokens.push({ operator });
    return true;
  }

  #singleQuoted(): boolean {
    const end = this.#text.indexOf("'", this.#at);
    if (end < 0) return false;
    this.#add(this.#text.slice(this.#at, end));
    this.#at = end + 1;
    return !this.#word!.includes("\0");
  }

  #doubleQuoted(): boolean {
    this.#add("");
    for (let char; (char = this.#text[this.#at++]) !== '"';) {
      if (char === undefined || char === "`" || char === "\0") return false;
      if (char === "$") {
        if (!this.#dollar()) return false;
      } else if (char !== "\\") this.#add(char);
      else {
        const next = this.#text[this.#at] ?? "";
        if (next !== "" && '$`"\\'.includes(next)) this.#add(next);
        else if (next !== "\n") this.#add("\\" + next);
        this.#at++;
      }
    }
    return true;
  }

  #escaped(): boolean {
    const next = this.#text[this.#at++];
    if (next === undefined || next === "\0") return false;
    if (next !== "\n") this.#add(next);
    return true;
  }

  /** A dollar sign that stands for itself. */
  #dollar(): boolean {
    if (EXPANDS.test(this.#text[this.#at] ?? "")) return false;
    this.#add("$");
    return true;
  }

  /** `2>/dev/null` and `2>&1`, which leave the results where they are. */
  #redirection(): boolean {
    const before = this.#text.slice(0, this.#at - 1);
    if (this.#word !== "2" || !/(?:^|[ \t|&])2$/.test(before)) return false;
    this.#word = undefined;
    const target = /^(?:&1|>?[ \t]*\/dev\/null)(?=[ \t|]|$)/.exec(this.#text.slice(this.#at));
    if (target === null) return false;
    this.#at += target[0].length;
    return true;
  }
}
