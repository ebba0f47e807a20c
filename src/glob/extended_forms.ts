/**
 * Reads what the globs of shells and of JavaScript have and ours have not: alternatives in parentheses,
 * `(a|b)` and `@(a|b)`, mean what braces do. The other extended forms are errors that say what to
 * write.
 *
 * @module
 */

import { globTokens, malformed } from "./glob_parser.ts";

/** Parentheses with a form's character before them, or with a bar in them. */
interface ExtendedGroup {
  /** The character before the parenthesis; empty for alternatives in parentheses alone. */
  form: string;
  /** The indices of the closing parenthesis and of the bars. */
  end: number;
  bars: readonly number[];
}

const FORMS = "@!?*+";

/** The deepest groups, and the most negations for which a replacement is suggested. */
const MAX_DEPTH = 100;
const MAX_NEGATIONS = 8;
/** The longest suggestion, in UTF-16 units. */
const MAX_SENT = 500;

/**
 * The extended groups of a glob, by the index of the parenthesis that opens each.
 *
 * @throws {PathgrepError} `invalid_input` if they nest too deep
 */
function extendedGroups(tokens: readonly string[]): ReadonlyMap<number, ExtendedGroup> {
  const groups = new Map<number, ExtendedGroup>();
  const open: { start: number; bars: number[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "(") open.push({ start: index, bars: [] });
    else if (token === "|") open.at(-1)?.bars.push(index);
    else if (token === ")") {
      const group = open.pop();
      if (group === undefined) continue;
      const before = tokens[group.start - 1] ?? "";
      const form = before !== "" && FORMS.includes(before) ? before : "";
      // Parentheses around a name, as in `(group)/page.tsx`, are a part of it.
      const isGroup = form !== "" || group.bars.length > 0;
      if (isGroup && open.length >= MAX_DEPTH) {
        const problem = `nests groups more than ${MAX_DEPTH} deep`;
        throw malformed(tokens.join(""), problem, "use several globs");
      }
      if (isGroup) groups.set(group.start, { form, end: index, bars: group.bars });
    }
  }
  return groups;
}

/** Whether a glob begins with `!(…)`, where a `!` alone would negate it. */
export function beginsWithNegation(glob: string): boolean {
  return glob.startsWith("!(") && extendedGroups(globTokens(glob)).has(1);
}

/**
 * Splits a list of globs at its commas, except in braces, in classes, in extended groups and after a
 * backslash.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function splitGlobs(list: string): string[] {
  if (!list.includes(",")) return [list];
  const tokens = globTokens(list);
  const groups = extendedGroups(tokens);
  const globs: string[] = [];
  let start = 0;
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (token === "," && depth === 0) {
      globs.push(tokens.slice(start, i).join(""));
      start = i + 1;
    } else i = groups.get(i)?.end ?? i;
  }
  globs.push(tokens.slice(start).join(""));
  return globs;
}

/** What stands for a group. */
type Substitute = (alternatives: readonly string[], form: string, start: number) => string;

/**
 * Reads a glob with extended forms as one without.
 *
 * @param source a glob without the `!` that negates it
 * @param sendFor the suggestion for a glob with `!(…)`, given the glob with anything in its place and
 * those for what must not be there @default there is none
 * @throws {PathgrepError} `invalid_input` for a form that braces cannot express, and an unclosed class
 */
export function readExtendedForms(
  source: string,
  sendFor?: (anything: string, unwanted: readonly string[]) => string,
): string {
  if (!source.includes("(")) return source;
  const tokens = globTokens(source);
  const groups = extendedGroups(tokens);
  if (groups.size === 0) return source;
  const write = (substitute: Substitute, only?: number) =>
    withGroups(tokens, groups, substitute, only);
  const unread = groups.values().find(({ form }) => form !== "" && form !== "@");
  if (unread === undefined) return write(inBraces);
  const negations = groups.entries().filter(([, { form }]) => form === "!").toArray();
  const send = negations.length === 0
    ? `'${write(oncePresent)}'`
    : negations.length > MAX_NEGATIONS || negations.some(holdsAnother)
    ? undefined
    : sendFor?.(
      write((alternatives, form) => form === "!" ? "*" : oncePresent(alternatives, form)),
      negations.map(([negation]) =>
        write(
          (alternatives, form, start) =>
            form === "!" && start !== negation ? "*" : oncePresent(alternatives, form),
          negation,
        )
      ),
    );
  const isRepeated = groups.values().some(({ form }) => form === "+" || form === "*");
  const remedy = send !== undefined && send.length <= MAX_SENT
    ? `use ${send}${isRepeated ? ", which matches the repeated part once" : ""}`
    : "write each alternative as a glob of its own";
  throw malformed(
    source,
    `has the extended form ${unread.form}(…), which is not supported`,
    `${remedy}, or write \\( for a literal (`,
  );

  function holdsAnother([start, { end }]: [number, ExtendedGroup]): boolean {
    return negations.some(([other]) => other > start && other < end);
  }
}

function inBraces(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? alternatives[0]! : `{${alternatives.join(",")}}`;
}

/** What comes nearest to a form: its alternatives once, where they may be repeated. */
function oncePresent(alternatives: readonly string[], form: string): string {
  return inBraces(form === "?" || form === "*" ? [...alternatives, ""] : alternatives);
}

/**
 * A glob with something else in place of its groups.
 *
 * @param only the index of a group: of those around it, only the alternatives that hold it are written
 */
function withGroups(
  tokens: readonly string[],
  groups: ReadonlyMap<number, ExtendedGroup>,
  substitute: Substitute,
  only?: number,
): string {
  const isForm = (index: number) => (groups.get(index + 1)?.form ?? "") !== "";
  const between = (from: number, to: number, isInGroup: boolean): string => {
    let text = "";
    let depth = 0;
    for (let i = from; i < to; i++) {
      const token = tokens[i]!;
      const group = groups.get(i);
      if (group !== undefined) {
        const cuts = [i, ...group.bars, group.end];
        const parts = cuts.slice(1).map((to, index) => ({ from: cuts[index]! + 1, to }));
        const around = only === undefined
          ? []
          : parts.filter(({ from, to }) => only >= from && only < to);
        const alternatives = (around.length > 0 ? around : parts)
          .map(({ from, to }) => between(from, to, true));
        text += substitute(alternatives, group.form, i);
        i = group.end;
      } else if (!isForm(i)) {
        if (token === "{") depth++;
        if (token === "}") depth--;
        // A comma is a character of an alternative, and would separate two of them.
        text += token === "," && depth === 0 && isInGroup ? "\\," : token;
      }
    }
    return text;
  };
  return between(0, tokens.length, false);
}
