/**
 * The headings of texts: whether a statement opens a definition, by its text up to the bracket of its body; the headings
 * of Markdown, as CommonMark has them, and the sections of TOML and INI.
 *
 * What is missing costs a line of an answer, what is wrong misleads its reader: forms are narrow.
 *
 * @module
 */

import type { CodeLexer } from "./code_lexer.ts";

/** What a statement opens. */
export interface Opening {
  readonly kind: "type" | "function";
  /** Empty where it has none, as in `impl` and `export default`. */
  readonly name: string;
}

/** The beginning of a statement that may open something. */
export interface Opener {
  /** The statement up to the bracket, with what brackets and quotes hold taken out: `f()` for `f(a, b)`. */
  readonly text: string;
  /** What it stands in; `undefined` in a block that is no definition, or the file. */
  readonly owner: Opening | undefined;
  /** Whether it stands in nothing at all. */
  readonly isOutermost: boolean;
  /** Whether the bracket is the first character of its line. */
  readonly isApart: boolean;
  /** The columns before it. */
  readonly indent: number;
}

export type Opens = (opener: Opener) => Opening | undefined;

/** HeadWords and forms that open a definition; the first group of a form is the name. */
export interface HeadWords {
  /** What may stand before the forms, as sources of expressions, parted by spaces. */
  readonly modifiers?: string;
  readonly types?: readonly string[];
  readonly functions?: readonly string[];
}

const r = String.raw;

type HeadForm = readonly [kind: Opening["kind"], form: RegExp];

function headForms({ modifiers = "(?!)", types = [], functions = [] }: HeadWords): HeadForm[] {
  const words = `^(?:(?:${modifiers.split(" ").join("|")})\\s+)*`;
  const form = (kind: Opening["kind"]) => (source: string): HeadForm => [
    kind,
    new RegExp(`${words}(?:${source})`),
  ];
  return [...functions.map(form("function")), ...types.map(form("type"))];
}

function opened(forms: readonly HeadForm[], text: string): Opening | undefined {
  for (const [kind, form] of forms) {
    const found = form.exec(text);
    if (found !== null) return { kind, name: /\w/.test(found[1] ?? "") ? found[1]! : "" };
  }
  return undefined;
}

/** Languages whose definitions begin with a word of their own. */
export function byWords(words: HeadWords): Opens {
  const forms = headForms(words);
  return ({ text }) => opened(forms, text);
}

/** The end of a text after which an expression or a type goes on: a bracket does not open a body. */
export const UNFINISHED = /[=:<|&,(?+]$|\b(?:extends|implements|is|as|keyof)$/;
const ALIAS = /^(?:(?:export|declare)\s+)*type\s/;

/** JavaScript and what is like it: methods have no word, functions may be values. */
export function byScript(words: HeadWords, properties: HeadWords, control: string): Opens {
  const forms = headForms(words);
  const inObjects = [...forms, ...headForms(properties)];
  const functions = [
    r`\*?\s*(#?[\w$]+|\[\]|""|'')\??\s*(?:<.*>)?\s*\(\)\s*(?::(?!.*=>$).*)?$`,
  ];
  const method = headForms({ ...words, types: [], functions });
  const excluded = new Set(control.split(" "));
  return ({ text, owner, isApart }) => {
    const isUnfinished = UNFINISHED.test(text);
    if (isUnfinished && !ALIAS.test(text)) return undefined;
    // In a type, `a: () => {` is the type of a member.
    const found = opened(owner?.kind === "type" ? forms : inObjects, text);
    // Without a semicolon, a block may follow a call.
    if (found !== undefined || isUnfinished || isApart && owner?.kind !== "type") return found;
    const named = opened(method, text);
    if (named === undefined || owner?.kind === "type") return named;
    return excluded.has(named.name) ? undefined : named;
  };
}

export interface TypedWords extends HeadWords {
  /** What may follow parameters, as the source of an expression. */
  readonly tail: string;
  /** Words that a head holds only where it is none. */
  readonly control: string;
  /** Modifiers that words before the name may be although they are in `control`. */
  readonly allowed?: string;
  /** Whether a function may begin with its name outside of types. @default false */
  readonly hasBareNames?: boolean;
  /** Whether a function may hold others. @default false */
  readonly hasLocal?: boolean;
  /** A head of a member without parameters, as the source of an expression. */
  readonly property?: string;
}

/** Longer heads without parameters are none. */
const MAX_PROPERTY = 200;
const PREFIX = /^[\w\s:<>,&*~.[\]?@$()"]*$/;
const PARAMETERS = r`^(.*?(?:[\w$>\]]|\boperator\b.*?)\s*)\(\)`;
const OPERATOR = /\boperator\s*(?:\(\)|""\s*\w*|[^\w\s(]+)\s*$/;

/** Languages in which a function begins with its type and name, without a word. */
export function byTypes(words: TypedWords): Opens {
  const forms = headForms(words);
  const property = new RegExp(words.property ?? "(?!)");
  const parameters = new RegExp(`${PARAMETERS}(?:${words.tail})$`);
  return (opener) => {
    const text = withoutTemplate(opener.text);
    const found = opened(forms, text);
    if (found !== undefined) return found;
    const mayBeProperty = opener.owner?.kind === "type" && text.length <= MAX_PROPERTY;
    const [, member] = mayBeProperty ? property.exec(text) ?? [] : [];
    const [, head = ""] = member === undefined ? parameters.exec(text) ?? [] : [];
    const name = member ?? nameOf(head, opener, words);
    return name === undefined ? undefined : { kind: "function", name };
  };
}

/** The name of the function that a statement opens, by what stands before its parameters. */
function nameOf(
  head: string,
  { owner, isOutermost, indent }: Opener,
  { control, allowed = "", hasLocal = false, hasBareNames = false }: TypedWords,
): string | undefined {
  const before = head.replace(OPERATOR, "operator");
  if (before === "" || !PREFIX.test(before)) return undefined;
  const isMember = owner?.kind === "type";
  const isLocal = !isMember && !isOutermost;
  if (isLocal && !hasLocal) return undefined;
  const found = before.replace(/<[^()]*>\s*$/, "").match(/~?[\w$]+/g) ?? [];
  const excluded = control.split(" ").filter((word) =>
    isLocal || !allowed.split(" ").includes(word)
  );
  if (found.some((word) => excluded.includes(word))) return undefined;
  const name = found.at(-1) ?? "";
  if (found.length > 1) return name;
  // A constructor, or a function of old whose type is `int` or on the line before.
  const isOwn = isMember && owner.name.split("::").at(-1) === name.replace("~", "");
  return isOwn || hasBareNames && indent === 0 && !isLocal ? name : undefined;
}

/** A head without the parameters of its template. */
function withoutTemplate(head: string): string {
  if (!/^template\s*</.test(head)) return head;
  let depth = 0;
  for (let at = head.indexOf("<"); at < head.length; at++) {
    if (head[at] === "<") depth++;
    else if (head[at] === ">" && --depth === 0) return head.slice(at + 1).trimStart();
  }
  return head;
}

/** What begins a section. */
export interface Section {
  /** From 0. */
  readonly level: number;
  readonly name: string;
  /** How many lines back its first line is. */
  readonly back: number;
}

export interface Sections {
  /** What a line begins. */
  section(text: string): Section | undefined;
}

/** `[section]` lines, which do not nest. */
export class BracketSections implements Sections {
  readonly #lexer: CodeLexer;
  #depth = 0;

  constructor(lexer: CodeLexer) {
    this.#lexer = lexer;
  }

  section(text: string): Section | undefined {
    const { marks, textFrom } = this.#lexer.next(text);
    const isIn = textFrom >= 0 || this.#depth > 0;
    for (const { char } of marks) this.#depth += ")]}".includes(char) ? -1 : char === ";" ? 0 : 1;
    this.#depth = Math.max(this.#depth, 0);
    const found = isIn ? null : SECTION.exec(text);
    if (found === null) return undefined;
    return { level: 0, name: (found[1] ?? found[2]!).trim(), back: 0 };
  }
}

const SECTION = /^\s*(?:\[\[(.*)\]\]|\[(.*)\])\s*(?:[#;].*)?$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(\s+|$)/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const MATTER: Readonly<Record<string, RegExp>> = {
  "---": /^(?:---|\.\.\.)\s*$/,
  "+++": /^\+\+\+\s*$/,
};
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
/** Blocks of HTML that hold anything, blank lines too, up to their end. */
const RAW: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/^<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
];
/** What a paragraph does not begin with. */
const NO_PARAGRAPH = /^(?:#{1,6}(?:\s|$)|>|<[a-z!/?]|\||(?:[-*_]\s*){3,}$)/i;
const RULE = /^\s*(?:[-*_]\s*){3,}$/;

/** Headings by `#`, and those that are underlined. */
export class MarkdownSections implements Sections {
  #isFirst = true;
  /** What ends the front matter, the code or the HTML that a line is in. */
  #end: RegExp | undefined;
  /** The column of the text of the list item that a line may be in. */
  #item = 0;
  /** The lines of the paragraph before a line; -1 where they are in something else. */
  #paragraph = 0;
  /** The first of them. */
  #title = "";

  section(text: string): Section | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.#end !== undefined) {
      if (this.#end.test(text)) this.#end = undefined;
      return undefined;
    }
    const matter = isFirst ? MATTER[text.trimEnd()] : undefined;
    if (matter !== undefined) {
      this.#end = matter;
      return undefined;
    }
    return this.#heading(text) ?? this.#take(text);
  }

  #heading(text: string): Section | undefined {
    const [, hashes, name = ""] = HEADING.exec(text) ?? [];
    // In a list, it belongs to an item.
    const isIn = this.#item > 0 && text.search(/\S/) > 1;
    if (hashes !== undefined && !isIn) {
      this.#paragraph = this.#item = 0;
      return { level: hashes.length - 1, name, back: 0 };
    }
    const [, underline] = UNDERLINE.exec(text) ?? [];
    if (underline === undefined || this.#paragraph <= 0) return undefined;
    const back = this.#paragraph;
    this.#paragraph = 0;
    return { level: underline.startsWith("=") ? 0 : 1, name: this.#title, back };
  }

  /** Takes a line that is no heading. */
  #take(text: string): undefined {
    const { block, isPlain } = this.#blockOf(text);
    const [, fence] = FENCE.exec(block) ?? [];
    const raw = RAW.find(([open]) => open.test(block));
    if (fence !== undefined) this.#end = new RegExp(`^[\\s>]*${fence}[\`~]*\\s*$`);
    else if (raw !== undefined && !raw[1].test(block.slice(2))) this.#end = raw[1];
    if (text.trim() === "") this.#paragraph = 0;
    else if (!isPlain || fence !== undefined || NO_PARAGRAPH.test(block)) this.#paragraph = -1;
    else if (this.#paragraph > 0) this.#paragraph++;
    else if (this.#paragraph === 0) {
      this.#paragraph = block === "" ? -1 : 1;
      this.#title = block;
    }
  }

  /** The text of a line without what stands before it in quotes and lists; none of indented code. */
  #blockOf(text: string): { block: string; isPlain: boolean } {
    let rest = text.replace(/^(?:\s*>\s?)+/, "");
    const indent = rest.search(/\S/);
    if (indent >= 0 && this.#paragraph === 0) {
      this.#item = indent < 2 ? 0 : Math.min(this.#item, indent);
    }
    let isPlain = rest === text && this.#item === 0;
    for (let found; (found = ITEM.exec(rest)) !== null && !RULE.test(rest);) {
      const [whole, before, marker, space] = found;
      if (before!.length > this.#item + 3) break;
      this.#item = before!.length + marker!.length + (space!.length > 4 ? 1 : space!.length || 1);
      rest = " ".repeat(whole.length) + rest.slice(whole.length);
      isPlain = false;
    }
    return { block: rest.search(/\S/) < this.#item + 4 ? rest.trim() : "", isPlain };
  }
}
