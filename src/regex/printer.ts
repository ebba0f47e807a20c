/**
 * Prints a parse tree as the source of a strict JavaScript regular expression; case-insensitive classes without the
 * flag `i`.
 *
 * A pattern such as `(?i:todo)|\p{L}Key` has it for some of its parts only. V8 has modifiers for that, but in
 * texts of two bytes a character it takes letters behind a class of many ranges in the wrong case (15.0).
 *
 * @module
 */

import { childrenOf, type PatternNode, PROPERTY_SIZE, some } from "./ast.ts";
import { escapeChar, rangeSource } from "./char_set.ts";
import { valueAt } from "../util/collections.ts";

/** Whatever matches another character where letter case does not count. */
const CASED = /\p{CWCM}/v;
/** Blocks of code points up to the last that has a case, and which of them is surrogates. */
const [BLOCKS, BLOCK_SIZE, SURROGATES] = [64, 0x800, 27];

/** All characters that have a case. */
let cased: string | undefined;

/** Folded classes by their sources. */
const known = new Map<string, string>();
const MAX_KNOWN = 4_096;

/** The class of the characters that a class, or one character, matches under the flag `i`. */
function foldedClass(source: string): string {
  if (known.size >= MAX_KNOWN) known.clear();
  return valueAt(known, source, () => {
    const [exact, folded] = [casedMembers(source, "gv"), casedMembers(source, "giv")];
    const added = rangesOf(folded.difference(exact));
    return `[[${source}${added}]--[${rangesOf(exact.difference(folded))}]]`;
  });
}

/** The members of a class that have a case, in order. One look at all is far quicker than one at each. */
function casedMembers(source: string, flags: string): Set<string> {
  cased ??= allCased();
  return new Set(cased.match(new RegExp(source, flags)));
}

function allCased(): string {
  let all = "";
  for (let block = 0; block < BLOCKS; block++) {
    if (block === SURROGATES) continue;
    const codePoints = Array.from({ length: BLOCK_SIZE }, (_, index) => BLOCK_SIZE * block + index);
    all += String.fromCodePoint(...codePoints);
  }
  return all.match(new RegExp(CASED, "gv"))!.join("");
}

/** Characters in order, as the inside of a class. */
function rangesOf(chars: ReadonlySet<string>): string {
  const codePoints = Array.from(chars, (char) => char.codePointAt(0)!);
  let ranges = "";
  for (let index = 0; index < codePoints.length; index++) {
    const first = codePoints[index]!;
    while (codePoints[index + 1] === codePoints[index]! + 1) index++;
    ranges += rangeSource(first, codePoints[index]!);
  }
  return ranges;
}

/** A regular expression as text, for `new RegExp(source, flags)`. */
export interface Source {
  readonly source: string;
  /** Always with `v`; `i` when all letters match in either case; never `m` or `s`. */
  readonly flags: string;
}

const NEWLINE_BIT = 1n << 10n;
const LETTER_BITS = ((1n << 26n) - 1n) * (1n << 65n | 1n << 97n);
/**
 * Matches the empty string, but makes V8 backtrack once. V8 can be stopped only where it
 * backtracks, and a loop in which lookarounds read the text again and again, and succeed, has no
 * other such place.
 */
const BACKTRACK = "(?:(?!)|)";

/**
 * An empty group, and a reference to it. V8 works out what the first characters of a match can be, and
 * takes eight times as long for each further class of many characters in a row. It does not look past a
 * reference to a group.
 */
const [EMPTY_GROUP, NO_LOOK_AHEAD] = ["()", "(?:\\1)"];
/** With fewer such classes, looking ahead takes a few milliseconds. */
const MANY_CLASSES = 5;
/** The deepest steps in a pattern whose references set flags; V8 postpones what is deeper. */
const MAX_FLAGGED_DEPTH = 100;
/** The most rounds of a repeat that V8 writes out, of those that are required and of the others. */
const MAX_WRITTEN_OUT = 3;

/**
 * The regular expression of a tree. It captures only groups that are referred to, and its `^` and `$`
 * depend on `\n` only. Without `multiline` nothing in it matches `\n`, so that in a text of many
 * lines it finds just what it would find in each line alone.
 *
 * @param multiline whether it is matched against whole texts, not lines
 * @param isStoppable whether V8 can be stopped while it matches it, for which each lookaround takes longer
 * @param wanted a group that is captured under the name `wanted`
 * @param folded writes a class without the flag `i`
 */
export function toSource(
  tree: PatternNode,
  multiline: boolean,
  isStoppable = false,
  wanted?: number,
  folded = foldedClass,
): Source {
  const isShort = classesBeyondAscii(tree) < MANY_CLASSES;
  const kind = foldOf(tree);
  const source = new Writer({
    multiline,
    isStoppable,
    groups: numberGroups(tree, isShort ? 1 : 2, wanted),
    wanted,
    isMixed: kind === "mixed",
    folded,
    setsFlags: kind === "mixed" && hasFoldedReference(tree),
    noLookAhead: isShort ? "" : NO_LOOK_AHEAD,
  }).write(tree);
  return {
    source: isShort ? source : `${EMPTY_GROUP}${NO_LOOK_AHEAD}(?:${source})`,
    flags: kind === "fold" ? "vi" : "v",
  };
}

/** A text for each meaning of a tree: its source, without the letters of its classes, which take long to find. */
export function keyOf(tree: PatternNode, multiline: boolean): Source {
  return toSource(tree, multiline, false, undefined, (source) => `(?i:${source})`);
}

/** What finding the letters of classes adds to the size of a tree whose source is printed: a property for each. */
export function foldedSize(tree: PatternNode): number {
  if (foldOf(tree) !== "mixed") return 0;
  const classes = new Set<string>();
  some(tree, (node) => {
    if (node.type === "set" && node.fold && node.beyond) {
      classes.add(`${node.negated} ${node.items}`);
    }
    return false;
  });
  return classes.size * PROPERTY_SIZE;
}

/** How many classes V8 may see in a row: it writes out short repeats. */
function classesBeyondAscii(node: PatternNode): number {
  if (node.type === "set") return node.beyond ? 1 : 0;
  const inside = childrenOf(node).reduce((sum, child) => sum + classesBeyondAscii(child), 0);
  return node.type === "repeat" ? inside * writtenOut(node.min, node.max) : inside;
}

function writtenOut(min: number, max: number): number {
  const [first, rest] = min <= MAX_WRITTEN_OUT ? [min, max - min] : [0, max];
  return first + (rest <= MAX_WRITTEN_OUT ? rest : 1);
}

/** Whether the letters of a node match exactly, in either case, or some one way and some the other. */
function foldOf(node: PatternNode): "exact" | "fold" | "mixed" | undefined {
  if (node.type === "anchor" && ANCHORS[node.kind] === FOLDED_ANCHORS[node.kind]) return undefined;
  if ("fold" in node) return node.fold ? "fold" : "exact";
  let found: ReturnType<typeof foldOf>;
  for (const child of childrenOf(node)) {
    const fold = foldOf(child);
    if (fold === undefined || fold === found) continue;
    if (found !== undefined) return "mixed";
    found = fold;
  }
  return found;
}

/**
 * Whether letter case counts in some parts of a tree and not in a reference, and V8 would mistake the one
 * for the other: it postpones code that is nested deeper than a hundred steps, and by then the flags in
 * force are those of whatever it wrote in between.
 */
export function isFlaggedTooDeep(tree: PatternNode): boolean {
  return foldOf(tree) === "mixed" && hasFoldedReference(tree) &&
    (!canSetFlags() || depthOf(tree) > MAX_FLAGGED_DEPTH);
}

/** Flags for a part of a pattern. */
const PART_FLAGS = "(?i:)";

/** Whether a part of a pattern can have flags of its own: V8 12.4, which Node.js 22 has, cannot. */
export function canSetFlags(): boolean {
  try {
    return new RegExp(PART_FLAGS) !== undefined;
  } catch {
    return false;
  }
}

/** How deep V8 nests the steps of a tree, at most: the least that was seen to go wrong is 118. */
function depthOf(node: PatternNode): number {
  const inside = childrenOf(node).reduce((sum, child) => sum + depthOf(child), 0);
  if (node.type === "sequence") return inside;
  if (node.type === "char") return 1;
  if (node.type === "repeat") return 2 + inside * writtenOut(node.min, node.max);
  // As printed, some anchors are lookarounds, too.
  if (node.type === "look" || node.type === "anchor") return 8 + inside;
  return 5 + inside;
}

/** Whether a reference has letters match in either case: what many repeat is a quote, which has none. */
function hasFoldedReference(tree: PatternNode): boolean {
  const isCasedGroup = (id: number) =>
    some(tree, (node) => node.type === "capture" && node.id === id && some(node.item, mayBeCased));
  return some(
    tree,
    (node) => node.type === "backreference" && node.fold && node.ids.some(isCasedGroup),
  );
}

function mayBeCased(node: PatternNode): boolean {
  if (node.type === "char") return isCased(node.codePoint);
  if (node.type === "set") return node.beyond || (node.ascii & LETTER_BITS) !== 0n;
  return node.type === "backreference";
}

function isCased(codePoint: number): boolean {
  return CASED.test(String.fromCodePoint(codePoint));
}

/** Numbers the groups that are wanted or that backreferences refer to, from the first on, in the order in which they open. */
function numberGroups(tree: PatternNode, first: number, wanted?: number): Map<number, number> {
  const used = new Set(wanted === undefined ? [] : [wanted]);
  const groups: number[] = [];
  const visit = (node: PatternNode) => {
    if (node.type === "backreference") node.ids.forEach((id) => used.add(id));
    if (node.type === "capture") groups.push(node.id);
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return new Map(groups.filter((id) => used.has(id)).map((id, index) => [id, index + first]));
}

interface Style {
  multiline: boolean;
  isStoppable: boolean;
  groups: ReadonlyMap<number, number>;
  wanted: number | undefined;
  /** Whether letters match in either case without the flag `i`, where they do. */
  isMixed: boolean;
  folded(source: string): string;
  /**
   * Whether a reference has letters match in either case where other parts do not. V8 (15.0) has one
   * variable for the flags in force, and after such a reference it may apply the wrong ones to whatever
   * asks for them: references, which therefore set their own, and letters outside a class.
   */
  setsFlags: boolean;
  /** What ends V8's looking ahead, behind a boundary. */
  noLookAhead: string;
}

class Writer {
  readonly #style: Style;

  constructor(style: Style) {
    this.#style = style;
  }

  write(node: PatternNode): string {
    const { multiline, isStoppable, groups, isMixed, setsFlags, noLookAhead } = this.#style;
    switch (node.type) {
      case "char":
        if (node.codePoint === 10 && !multiline) return "[]";
        return this.#char(node);
      case "set": {
        const inner = this.#letters(`[${node.negated ? "^" : ""}${node.items}]`, node.fold);
        const mayBeNewline = (node.ascii & NEWLINE_BIT) !== 0n;
        return multiline || !mayBeNewline ? inner : `[${inner}--\\n]`;
      }
      case "anchor": {
        const anchor = isMixed && node.fold ? FOLDED_ANCHORS[node.kind] : ANCHORS[node.kind];
        return anchor.startsWith("\\") ? anchor + noLookAhead : anchor;
      }
      case "sequence":
        return node.items.map((item) =>
          item.type === "alternation" ? `(?:${this.write(item)})` : this.write(item)
        ).join("");
      case "alternation":
        return node.branches.map((branch) => this.write(branch)).join("|");
      case "repeat":
        return this.#repeated(node.item) + quantifier(node.min, node.max) + (node.lazy ? "?" : "");
      case "capture":
        return `${this.#opening(node.id)}${this.write(node.item)})`;
      case "look": {
        const sign = (node.behind ? "<" : "") + (node.negated ? "!" : "=");
        const source = this.write(node.item);
        return `(?${sign}${isStoppable ? `${BACKTRACK}(?:${source})` : source})`;
      }
      case "backreference": {
        // At most one group of a name takes part; references to the others match the empty string.
        const source = node.ids.map((id) => `\\${groups.get(id)}`).join("");
        if (!setsFlags) return `(?:${source})`;
        return `(?:${node.fold ? `(?i:${source})` : `(?i:(?-i:${source}))`}(?-i:))`;
      }
    }
  }

  #opening(group: number): string {
    const { groups, wanted } = this.#style;
    if (group === wanted) return "(?<wanted>";
    return groups.has(group) ? "(" : "(?:";
  }

  #char({ codePoint, fold }: PatternNode & { type: "char" }): string {
    const source = escapeChar(codePoint);
    if (!this.#style.isMixed || !isCased(codePoint)) return source;
    return this.#letters(this.#style.setsFlags ? `[${source}]` : source, fold);
  }

  #letters(source: string, fold: boolean): string {
    return this.#style.isMixed && fold ? this.#style.folded(source) : source;
  }

  #repeated(item: PatternNode): string {
    const source = this.write(item);
    const isSingle = item.type === "char" || item.type === "set" || item.type === "capture";
    return isSingle ? source : `(?:${source})`;
  }
}

const ANCHORS = {
  lineStart: "(?<=^|\\n)",
  lineEnd: "(?=$|\\n)",
  textStart: "^",
  textEnd: "$",
  boundary: "\\b",
  notBoundary: "\\B",
} as const;

/** Word characters where letter case does not count: two beyond ASCII fold to letters of it. */
const WORD = "[\\w\\u{17f}\\u{212a}]";
const FOLDED_ANCHORS = {
  ...ANCHORS,
  boundary: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  notBoundary: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
} as const;

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
