/**
 * Other readings of a pattern and of globs: what a call that found nothing may have meant.
 *
 * @module
 */

import { splitGlobs, withoutLoneBraces } from "../glob/glob_parser.ts";
import type { Change } from "../query/query.ts";
import type { Cause } from "./causes.ts";
import { isAscii, type NormalForm, withEscapedParts } from "../util/text.ts";
import { valueAt } from "../util/collections.ts";

/** More readings than this are a guess. */
const MAX_READINGS = 12;
/** Characters of the readings of a glob, at most: to match longer ones takes long. */
const MAX_CHARS = 10_000;

/** Escapes of single characters. */
const ESCAPED = /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})|\\[^]/giu;
/** A class, an escape, or a character, with a repeat behind it. */
const ITEM = /(\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\\[^]|[^])([*+?{]?)/gu;

/** Why patterns may find nothing: each cause with the change that overcomes it, likely ones first. */
export function readingCauses(
  patterns: readonly string[],
  isFixed: boolean,
): (Cause & { change: Change })[] {
  const forms = (["NFC", "NFD"] as const).flatMap((form) => {
    const change = changeToForm(patterns, isFixed, form);
    return change === undefined ? [] : [{ kind: "form" as const, form, change }];
  });
  const readings = alternativePatterns(patterns, isFixed)
    .map((change) => ({ kind: "reading" as const, change }));
  return [...forms, ...readings].map((cause, rank) => ({ ...cause, rank }));
}

/** The patterns in a normal form, if they are not. */
function changeToForm(
  patterns: readonly string[],
  isFixed: boolean,
  form: NormalForm,
): Change | undefined {
  const inForm = isFixed ? fixedStringInForm : patternInForm;
  const others = patterns.map((pattern) => inForm(pattern, form));
  if (others.every((other) => other === undefined)) return undefined;
  // With an escape in one of them, fixed strings are none any more.
  const isEscaped = isFixed && form === "NFD";
  if (isEscaped && others.includes(undefined)) return undefined;
  const all = others.map((other, index) => other ?? patterns[index]!);
  const pattern = all.length === 1 ? all[0]! : all;
  return isEscaped ? { pattern, fixedStrings: undefined } : { pattern };
}

/** Texts in each normal form that they are not all in. */
export function inOtherForms(
  texts: readonly string[],
): { form: NormalForm; texts: readonly string[] }[] {
  return (["NFC", "NFD"] as const)
    .map((form) => ({ form, texts: texts.map((text) => text.normalize(form)) }))
    .filter(({ texts: other }) => other.some((text, index) => text !== texts[index]));
}

/**
 * A pattern in a normal form, if that is another pattern and can be written. Combining characters are
 * escaped, since nobody sees them.
 */
function patternInForm(pattern: string, form: NormalForm): string | undefined {
  if (isAscii(pattern) && !pattern.includes("\\")) return undefined;
  const literal = pattern.replace(ESCAPED, (escape, ...digits: (string | undefined)[]) => {
    const hex = digits.slice(0, 3).find((one) => one !== undefined);
    const codePoint = hex === undefined ? 0 : parseInt(hex, 16);
    return codePoint < 0x80 || codePoint > 0x10ffff ? escape : String.fromCodePoint(codePoint);
  });
  if (form === "NFC") {
    const composed = literal.normalize("NFC");
    return composed === literal ? undefined : composed;
  }
  if (literal.normalize("NFD") === literal) return undefined;
  let isWritable = true;
  const decomposed = literal.replace(ITEM, (whole, item: string, repeat: string) => {
    const parts = item.normalize("NFD");
    if (parts === item) return whole;
    if (!item.startsWith("[")) return repeat === "" ? parts : `(?:${parts})${repeat}`;
    const members = Array.from(item.slice(1, -1));
    const isList = !/[-[&\\]/u.test(item.slice(1)) && item[1] !== "^";
    isWritable &&= isList;
    const isPlain = (char: string) => char.normalize("NFD") === char;
    const rest = members.filter(isPlain).join("");
    const others = members.filter((char) => !isPlain(char)).map((char) => char.normalize("NFD"));
    return `(?:${[...(rest === "" ? [] : [`[${rest}]`]), ...others].join("|")})${repeat}`;
  });
  return isWritable ? withEscapedParts(decomposed) : undefined;
}

/** A fixed string in a normal form, as a pattern, if that is another one. */
function fixedStringInForm(text: string, form: NormalForm): string | undefined {
  const other = text.normalize(form);
  if (other === text) return undefined;
  return form === "NFC" ? other : withEscapedParts(other.replace(/[\\^$.|?*+()[\]{}]/gu, "\\$&"));
}

/** Other readings of patterns, one of them at a time, likely ones of each first. */
function alternativePatterns(patterns: readonly string[], isFixed: boolean): Change[] {
  const changes = new Map<string, Change>();
  for (const [index, pattern] of patterns.entries()) {
    for (const change of otherPatterns(pattern, isFixed)) {
      // That they are fixed strings, or are not, is one reading of all.
      const ofAll = patterns.length === 1 || change.pattern === undefined;
      const key = JSON.stringify(ofAll ? change : { index, ...change });
      valueAt(changes, key, () => {
        return ofAll ? change : { ...change, pattern: patterns.with(index, change.pattern!) };
      });
      if (changes.size === MAX_READINGS) return [...changes.values()];
    }
  }
  return [...changes.values()];
}

/** Other readings of a glob, or of a list of them, likely ones first. */
export function alternativeGlobs(glob: string, path = ""): string[] {
  const globs = new Set<string>();
  let chars = 0;
  for (const other of otherGlobs(glob, path)) {
    chars += other.length;
    if (chars > MAX_CHARS || globs.size === MAX_READINGS) break;
    globs.add(other);
  }
  return [...globs];
}

/** Characters that stand for something else in a regular expression. */
const SPECIAL = /[[(){}*+?^$|\\]/u;
/** What asks for a match over several lines. */
const LINE_BREAK = /\n|\\n|\\s\\S|\(\?s/u;

type PatternChange = Change & { pattern?: string };

function* otherPatterns(pattern: string, isFixed: boolean): Generator<PatternChange> {
  const text = pattern.trim();
  if (text !== pattern && text !== "") yield { pattern: text };
  const quoted = /^r?(["'`])(?<inner>.+)\1$/su.exec(text)?.groups?.["inner"];
  if (quoted !== undefined) yield { pattern: quoted };
  if (isFixed) {
    if (text.includes("\n")) yield { multiline: true };
    if (SPECIAL.test(text)) yield { fixedStrings: undefined };
    return;
  }
  const literal = /^\/(?<inner>.+)\/(?<flags>[a-z]*)$/su.exec(text)?.groups;
  if (literal !== undefined) yield flagged(literal["inner"]!, literal["flags"]!);
  const command = /^(?:(?:rg|grep)\s+)?-(?<flags>[a-zA-Z]+)\s+(?<rest>.+)$/su.exec(text)?.groups;
  if (command !== undefined) {
    const rest = /^(["'])(?<inner>.+?)\1/su.exec(command["rest"]!)?.groups?.["inner"];
    yield flagged(rest ?? command["rest"]!, command["flags"]!);
  }
  // Backslashes that were escaped once too often, or not at all: in JSON, "\b" is a backspace.
  if (text.includes("\\\\")) yield { pattern: text.replaceAll("\\\\", "\\") };
  if (text.includes("\b")) yield { pattern: text.replaceAll("\b", "\\b") };
  if (text.includes("\\|")) yield { pattern: text.replaceAll("\\|", "|") }; // as grep has it
  if (SPECIAL.test(text)) yield { fixedStrings: true };
  if (LINE_BREAK.test(text)) yield { multiline: true };
}

function flagged(pattern: string, flags: string): PatternChange {
  return flags.includes("i") ? { pattern, caseInsensitive: true } : { pattern };
}

function* otherGlobs(glob: string, path: string): Generator<string> {
  const text = glob.trim();
  if (text.startsWith("!")) return; // another reading would include what it excludes
  const list = /^\[\s*(?<items>["'].*["'])\s*\]$/su.exec(text)?.groups?.["items"];
  if (list !== undefined) yield list.replace(/["']\s*,\s*["']/gu, ",").slice(1, -1);
  const quoted = /^(["'`])(?<inner>[^"'`]+)\1$/su.exec(text)?.groups?.["inner"];
  if (quoted !== undefined) yield quoted;
  if (text.includes("\\")) yield text.replace(/\\+/gu, "/");
  if (/[\s|;]/u.test(text)) yield text.split(/[\s|;,]+/u).join(",");
  const extension = /^(?:\.\*)?\\?\.?(?<name>\w{1,8})\$?$/u.exec(text)?.groups?.["name"];
  if (extension !== undefined) yield `*.${extension}`;
  const searched = slashSegments(path.trim()).join("/");
  if (searched !== "" && text.startsWith(`${searched}/`)) yield text.slice(searched.length + 1);
  yield* anywhereGlobs(text);
  yield* otherBraces(text);
  if (text.includes("[") && text.includes("]")) yield withPlainBrackets(text);
  if (/[*?[{]/u.test(text)) yield* directoryGlobs(text);
  // An absolute one from another checkout.
  if (text.startsWith("/")) {
    const segments = slashSegments(text);
    for (let start = 1; start < segments.length; start++) {
      const rest = segments.slice(start).join("/");
      if (!/[^*/]/u.test(rest)) break; // `*` alone would find anything
      yield rest;
    }
  }
  if (!/[*?[{,]/u.test(text)) {
    yield* directoryGlobs(text);
    yield `*${text}*`;
  }
}

/** A glob with literal brackets, as in the name `[id].ts`. */
export function withPlainBrackets(glob: string): string {
  return glob.replace(/[[\]]/gu, "\\$&");
}

/** The globs of a list that begin with a directory, with that at any depth. */
export function anywhereGlobs(list: string): string[] {
  const globs = splitOrWhole(list).map((glob) => glob.trim());
  const isOfPath = (glob: string) => /^[^/!].*\/[^/]/u.test(glob) && !/^\*\*\/|\.\.\//u.test(glob);
  if (!globs.some(isOfPath)) return [];
  return [globs.map((glob) => isOfPath(glob) ? `**/${glob}` : glob).join(",")];
}

/** Globs for what is in the directories that the globs of a list match, likely ones first. */
export function directoryGlobs(list: string): string[] {
  const below = (prefix: string) => (glob: string) => {
    const path = glob.trim();
    if (path.startsWith("!") || /\/$|\*\*$|\.\.$/u.test(path)) return path;
    return path.includes("/") ? `${path}/**` : `${prefix}${path}/**`;
  };
  const globs = splitOrWhole(list);
  const isPlain = globs.every((glob) => !/[*?[{]/u.test(glob));
  const readings = (isPlain ? ["", "**/"] : ["**/"]).map((prefix) =>
    globs.map(below(prefix)).join(",")
  );
  return [...new Set(readings)].filter((reading) => reading !== globs.join(","));
}

/** The globs of a list; one that is not a list of globs is whole. */
function splitOrWhole(list: string): string[] {
  try {
    return splitGlobs(list);
  } catch {
    return [list];
  }
}

/** Braces around one alternative as in ripgrep, and those of names such as `{a,b}.txt`. */
function* otherBraces(glob: string): Generator<string> {
  if (!glob.includes("{") || !glob.includes("}")) return;
  try {
    const bare = withoutLoneBraces(glob);
    if (bare !== glob) yield bare;
  } catch {
    return; // another reading of a class that is not closed
  }
  if (glob.includes(",")) yield glob.replace(/[{},]/gu, "\\$&");
}

function slashSegments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
