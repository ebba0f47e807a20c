/**
 * Plans a search pattern: parses it once, before any file is opened, and makes its prefilter of its literals.
 *
 * The words of this folder: the *parser* turns a pattern into a *tree* (`ast.ts`), the *printer* turns
 * a tree into the *source* of a JavaScript regular expression. *Literals* are texts that every match
 * holds; the *prefilter* tests bytes for them before anything is decoded. The *estimate* of
 * `backtracking.ts` decides which engine of the *matcher* runs: V8's, the *linear matcher* (an *NFA*,
 * run as a *lazy DFA* to find a line and by a *Pike VM* to locate the match), or V8's again in slices
 * of time (*timed RegExp*).
 *
 * @module
 */

import { PathgrepError, shown } from "../util/errors.ts";
import { UNICODE_WORD } from "./pattern_text.ts";
import { charSet } from "./char_set.ts";
import { REGEXPS_GIVE_UP, RUNTIME } from "../system/platform.ts";
import { costOf, mayGiveUp } from "./backtracking.ts";
import { type ParsedPattern, parseFixedString, type ParseOptions, parsePattern } from "./parser.ts";
import {
  isPlainText,
  MAX_ALL_OF,
  MAX_ANY_OF,
  type PatternForm,
  type PatternOptions,
  type PatternPlan,
  planLiteral,
  type PlannedPattern,
  planPlainText,
  type Prefilter,
  rarity,
} from "./pattern_plan.ts";
import { isLinear } from "./nfa.ts";
import { canSetFlags, foldedSize, isFlaggedTooDeep, toSource } from "./printer.ts";
import {
  type Char,
  childrenOf,
  expandedSize,
  onlyGroup,
  type PatternNode,
  sequence,
  simplify,
  some,
} from "./ast.ts";

/** The largest pattern, each class of which counts once; see {@linkcode expandedSize}. */
const MAX_SIZE = 100_000;
/** The largest that V8 compiles, and the largest class: nothing can interrupt it, and some of this size took it 0.4 s. */
const MAX_BACKTRACKING_SIZE = 2_500;
/** V8 compiles larger patterns only if nothing else can match them. */
const SMALL_SIZE = 1_000;
/** With more patterns, which of them match is not reported: each would be tried on every matching line. */
const MAX_TOLD_APART = 1_000;

/** @throws {PathgrepError} `invalid_pattern`, with the reason, the position and often a hint */
export function planPattern(options: PatternOptions): PlannedPattern {
  return planPlainText(options) ?? planParsed(options);
}

function planParsed(options: PatternOptions): PlannedPattern {
  let fold = options.caseInsensitive;
  let parsed = parseAll(options, fold);
  if (options.smartCase && !fold && !parsed.some((one) => one.hasUpperCase)) {
    fold = true;
    parsed = parseAll(options, fold);
  }
  const branches = parsed.map((one) => delimited(one.tree, options, fold));
  const tree: PatternNode = branches.length === 1
    ? branches[0]!
    : { type: "alternation", branches };
  const plan = planTree(tree, options);
  if (options.keepsGroups === true) checkGroup(plan, options);
  if (!options.invert) plan.prefilter = prefilterOf(tree, !options.multiline);
  const notes = parsed.flatMap((one) => one.notes);
  if (branches.length > MAX_TOLD_APART) {
    notes.push({ reason: "patterns_not_told_apart", values: { most: MAX_TOLD_APART } });
  } else if (branches.length > 1) {
    plan.each = branches.map((branch) => planTree(branch, options));
  }
  return { plan, notes };
}

/**
 * The plan of what any of some plans matches.
 *
 * @param each the plans that are told apart
 * @throws {PathgrepError} `invalid_pattern` where they are too large together
 */
export function planUnion(
  plans: readonly PatternPlan[],
  each: readonly PatternPlan[],
): PatternPlan {
  const [{ invert, multiline, ...first }] = plans as [PatternPlan, ...PatternPlan[]];
  const branches = plans.map(({ locate }) => locate.tree);
  const tree: PatternNode = branches.length === 1
    ? first.locate.tree
    : { type: "alternation", branches };
  const plan = planTree(tree, { invert, multiline, patterns: [] });
  plan.prefilter = prefilterOf(tree, !multiline);
  plan.each = each.map((plan) => ({ ...plan, each: [] }));
  return plan;
}

/** The options that a tree is planned with. */
type TreeOptions = Pick<
  PatternOptions,
  "invert" | "multiline" | "patterns" | "nameOf" | "keepsGroups"
>;

function planTree(tree: PatternNode, options: TreeOptions): PatternPlan {
  const hasGroup = options.keepsGroups === true && onlyGroup(tree) !== undefined;
  const literal = hasGroup ? undefined : literalText(tree);
  if (literal !== undefined) return planLiteral(literal, options);
  const { invert, multiline } = options;
  if (!isMatchable(tree, multiline)) throw tooLarge(options);
  if (isFlaggedTooDeep(tree)) {
    throw new PathgrepError(
      "invalid_pattern",
      (canSetFlags() ? "it is too long for" : "this runtime cannot match") +
        " a backreference that ignores letter case where other parts do not",
      {
        pattern: options.patterns.join("\n"),
        hint: (canSetFlags() ? "shorten the rest of the pattern, or " : "") +
          "ignore letter case throughout with " +
          (options.nameOf ?? String)("caseInsensitive"),
      },
    );
  }
  const locate = formOf(tree, multiline);
  if (REGEXPS_GIVE_UP && locate.cost === "unbounded" && !isLinear(tree)) throw gaveUp(options);
  const short = multiline ? tree : simplify(tree);
  return {
    invert,
    multiline,
    find: short === tree ? locate : formOf(short, false),
    locate,
    literal,
    required: requiredLiterals(tree),
    prefilter: undefined,
    isLinear: isLinear(tree),
    each: [],
  };
}

/** V8 alone captures, and nothing can interrupt it. */
function checkGroup({ locate }: PatternPlan, { patterns }: TreeOptions): void {
  if (locate.cost !== "unbounded" || onlyGroup(locate.tree) === undefined) return;
  throw new PathgrepError("invalid_pattern", "what its group captures may take forever to find", {
    pattern: patterns.join("\n"),
    hint: "write (?:…) for the group to count whole matches, or a pattern without nested repeats",
  });
}

function formOf(tree: PatternNode, multiline: boolean): PatternForm {
  const { cost, factor } = costOf(tree, multiline);
  const isForLinear = REGEXPS_GIVE_UP && mayGiveUp(tree) ||
    isLinear(tree) && expandedSize(tree) + foldedSize(tree) > SMALL_SIZE;
  return { cost: isForLinear ? "unbounded" : cost, factor, tree };
}

function isMatchable(tree: PatternNode, multiline: boolean): boolean {
  if (isLinear(tree)) {
    return expandedSize(tree, new Set()) <= MAX_SIZE && !some(tree, isTooLargeClass);
  }
  const size = expandedSize(tree) + foldedSize(tree);
  if (size <= SMALL_SIZE || size > MAX_BACKTRACKING_SIZE) return size <= SMALL_SIZE;
  try {
    const { source, flags } = toSource(tree, multiline, true);
    // V8 compiles on first use, for each width of character; the NUL ends that use at once.
    const expression = new RegExp(`\\0(?:${source})`, flags);
    for (const text of ["a", "\u03a3"]) expression.test(text);
    return true;
  } catch {
    return false;
  }
}

function isTooLargeClass(node: PatternNode): boolean {
  return node.type === "set" && expandedSize(node) > MAX_BACKTRACKING_SIZE;
}

function gaveUp({ patterns }: TreeOptions): PathgrepError {
  return new PathgrepError(
    "invalid_pattern",
    `${RUNTIME} may miss matches of its backreference, or of its lookaround beside a repeated group`,
    {
      pattern: patterns.join("\n"),
      hint: "write it without them, or start pathgrep with Node.js or Deno",
    },
  );
}

function tooLarge({ patterns }: TreeOptions): PathgrepError {
  return new PathgrepError("invalid_pattern", "it is too large with its repeats expanded", {
    pattern: patterns.join("\n"),
    hint: "search for a smaller part of the text",
  });
}

function parseAll(options: PatternOptions, caseInsensitive: boolean): ParsedPattern[] {
  // Patterns that are too many or too large together are not all parsed.
  let size = 0;
  const classes = new Set<string>();
  let { firstGroup = 1 } = options;
  return options.patterns.map((pattern, index) => {
    const { multiline, nameOf = String } = options;
    const parseOptions = { caseInsensitive, multiline, firstGroup, nameOf };
    const parsed = parseOne(pattern, index, options, parseOptions);
    firstGroup = parsed.nextGroup;
    if (options.patterns.length > 1 && (size += expandedSize(parsed.tree, classes)) > MAX_SIZE) {
      throw tooLarge(options);
    }
    return parsed;
  });
}

/** Parses one of the patterns; an error says which. */
function parseOne(
  pattern: string,
  index: number,
  { patterns: { length }, fixedStrings }: PatternOptions,
  parseOptions: ParseOptions,
): ParsedPattern {
  try {
    return fixedStrings || isPlainText(pattern)
      ? parseFixedString(pattern, parseOptions)
      : parsePattern(pattern, parseOptions);
  } catch (error) {
    const thrown = withUnescaped(error, pattern, parseOptions);
    if (length === 1 || !(thrown instanceof PathgrepError)) throw thrown;
    const { code, message, details } = thrown;
    const place = `pattern ${index + 1} of ${length}, ${shown(pattern)}`;
    throw new PathgrepError(code, `${place}: ${message}`, details, thrown);
  }
}

/** The longest pattern that a hint repeats, in UTF-16 code units. */
const MAX_SHOWN = 500;

/** The error for a pattern that is valid with half its backslashes: its caller has escaped them twice. */
function withUnescaped(error: unknown, pattern: string, options: ParseOptions): unknown {
  if (!(error instanceof PathgrepError)) return error;
  for (let text = pattern; text.includes("\\\\");) {
    text = text.replaceAll("\\\\", "\\");
    try {
      parsePattern(text, options);
    } catch {
      continue;
    }
    const sent = text.length > MAX_SHOWN ? "half of them" : `\`${text}\``;
    const hint = `its backslashes are escaped twice: use ${sent}`;
    return new PathgrepError(error.code, error.message, { ...error.details, hint }, error);
  }
  return error;
}

/** The tree with the boundaries of whole words or lines around it, if they are asked for. */
function delimited(tree: PatternNode, options: PatternOptions, fold: boolean): PatternNode {
  if (options.wholeLine) {
    return sequence([
      { type: "anchor", kind: "lineStart", fold: false },
      tree,
      { type: "anchor", kind: "lineEnd", fold: false },
    ]);
  }
  if (options.wholeWord) {
    const word = charSet(UNICODE_WORD, fold); // the same either way
    return sequence([
      { type: "look", behind: true, negated: true, item: word },
      tree,
      { type: "look", behind: false, negated: true, item: word },
    ]);
  }
  return tree;
}

/** More alternatives than this are not worth a search. */
const MAX_ALTERNATIVES = 32;

/** The text of a character, or nothing if more than one text matches it. */
type TextOf = (char: Char) => string | undefined;

/**
 * The most selective literals of which each match holds at least one; behind a lookahead, the text after
 * the match may. None: nothing is known.
 */
function requiredLiterals(tree: PatternNode): string[] {
  return required(tree, plainText) ?? [];
}

/**
 * Sets of literals: each match holds at least one literal of each set.
 *
 * @param fold whether letters may be in either case. The literals are then lower-case ASCII, and a
 * match may hold a character beyond ASCII in place of a letter that it folds to
 */
function requiredSets(tree: PatternNode, fold: boolean): string[][] {
  const textOf = fold ? foldedText : plainText;
  if (tree.type === "sequence") return setsOf(tree.items, textOf);
  const texts = required(tree, textOf);
  return texts === undefined ? [] : [texts];
}

/** Texts with characters beyond ASCII that a match may hold, as they stand in a pattern. */
export function literalsBeyondAscii(tree: PatternNode): string[] {
  const texts: string[] = [];
  const visit = (node: PatternNode): void => {
    let run = "";
    for (const item of node.type === "sequence" ? node.items.flatMap(flattened) : [node]) {
      if (item.type === "char" && item.codePoint !== 0x0a) {
        run += String.fromCodePoint(item.codePoint);
        continue;
      }
      texts.push(run);
      run = "";
      childrenOf(item).forEach(visit);
    }
    texts.push(run);
  };
  visit(tree);
  return [...new Set(texts)].filter((text) => /[^\0-\x7f]/u.test(text)).slice(0, MAX_ALTERNATIVES);
}

/** The text that a tree matches, if it is a single text in one letter case and of one line. */
function literalText(tree: PatternNode): string | undefined {
  const items = tree.type === "sequence" ? tree.items : [tree];
  let text = "";
  for (const item of items) {
    const char = item.type === "char" ? plainText(item) : undefined;
    if (char === undefined) return undefined;
    text += char;
  }
  return text;
}

function plainText({ codePoint, fold }: Char): string | undefined {
  const text = String.fromCodePoint(codePoint);
  if (codePoint === 0x0a || fold && (codePoint >= 128 || /[A-Za-z]/.test(text))) return undefined;
  return text;
}

function foldedText({ codePoint }: Char): string | undefined {
  const isOneOf = codePoint < 128 && codePoint !== 0x0a;
  return isOneOf ? String.fromCharCode(codePoint).toLowerCase() : undefined;
}

function required(node: PatternNode, textOf: TextOf): string[] | undefined {
  switch (node.type) {
    case "char": {
      const text = textOf(node);
      return text === undefined ? undefined : [text];
    }
    case "sequence":
      return mostSelective(setsOf(node.items, textOf));
    case "alternation": {
      const all: string[] = [];
      for (const branch of node.branches) {
        const texts = required(branch, textOf);
        if (texts === undefined) return undefined;
        all.push(...texts);
      }
      return all.length > MAX_ALTERNATIVES ? undefined : [...new Set(all)];
    }
    case "repeat":
      return node.min > 0 ? required(node.item, textOf) : undefined;
    case "capture":
      return required(node.item, textOf);
    case "look":
      // A lookbehind may match text before the offset where the search starts.
      return node.negated || node.behind ? undefined : required(node.item, textOf);
    default:
      return undefined;
  }
}

/** The literals that a sequence requires: runs of characters, and those of single items. */
function setsOf(items: readonly PatternNode[], textOf: TextOf): string[][] {
  const sets: string[][] = [];
  let run = "";
  const offer = (texts: string[] | undefined) => {
    if (texts !== undefined && !texts.includes("")) sets.push(texts);
  };
  for (const item of items.flatMap(flattened)) {
    const text = item.type === "char" ? textOf(item) : undefined;
    if (text !== undefined) {
      run += text;
    } else if (item.type === "anchor" || item.type === "look") {
      // Zero-width: the characters around it are adjacent.
      offer(required(item, textOf));
    } else {
      const repeated = item.type === "repeat" && item.min > 0 ? item.item : undefined;
      const char = repeated?.type === "char" ? textOf(repeated) ?? "" : "";
      offer([run + char]);
      if (char === "") offer(required(item, textOf));
      run = char;
    }
  }
  offer([run]);
  return sets;
}

/** The items of a node, with groups replaced by their items. */
function flattened(node: PatternNode): readonly PatternNode[] {
  if (node.type !== "capture" && node.type !== "sequence") return [node];
  return childrenOf(node).flatMap(flattened);
}

function mostSelective(sets: readonly string[][]): string[] | undefined {
  return sets.toSorted((a, b) => worth(b) - worth(a))[0];
}

/** Long literals are more selective, few are found faster. */
function worth(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length)) - texts.length / (MAX_ALTERNATIVES + 1);
}

/**
 * The prefilter of a pattern, or nothing if it has no literals that are rare enough to help.
 *
 * @param isByLine whether every match lies within one line
 */
function prefilterOf(tree: PatternNode, isByLine: boolean): Prefilter | undefined {
  for (const eitherCase of [false, true]) {
    const [anyOf, ...others] = requiredSets(tree, eitherCase).filter(areSelective).sort(byRarity);
    if (anyOf === undefined) continue;
    const allOf = isByLine ? singlesOf(others) : [];
    // Two characters beyond ASCII fold to letters of it: the Kelvin sign to k, the long s to s.
    const isForAscii = eitherCase && [...anyOf, ...allOf].some((text) => /[ks]/.test(text));
    return { anyOf, allOf, eitherCase, isForAscii };
  }
  return undefined;
}

/** Orders sets by how rare their literals are, smaller sets first. */
function byRarity(a: readonly string[], b: readonly string[]): number {
  const worth = (texts: readonly string[]) => Math.min(...texts.map(rarity)) / texts.length;
  return worth(b) - worth(a);
}

/** The literals of sets of one, all of which a line must hold. */
function singlesOf(sets: readonly string[][]): string[] {
  const singles = sets.filter((texts) => texts.length === 1).map(([text]) => text!);
  return [...new Set(singles)].slice(0, MAX_ALL_OF);
}

function areSelective(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.length <= MAX_ANY_OF &&
    texts.every((text) => text.length > 1);
}
