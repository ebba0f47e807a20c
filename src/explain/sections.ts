/**
 * The headings of Markdown, as CommonMark has them, and the sections of TOML and INI.
 *
 * @module
 */

import type { CodeLexer } from "./code_lexer.ts";

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
