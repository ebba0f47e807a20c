/**
 * Other spellings of a text: broken over a line, in the other normal form, with a no-break space for a blank, and
 * with HTML entities or escapes for characters beyond ASCII; and identifiers in other naming conventions: `fooBar`,
 * `FooBar`, `foo_bar`, `FOO_BAR`, `foo-bar` and `foo bar`.
 *
 * @module
 */

import type { Change } from "../query/query.ts";
import type { Query } from "../query/query.ts";
import type { NormalForm } from "../util/text.ts";
import { readingCauses } from "./query_alternatives.ts";

export interface OtherSpelling {
  /** The other normal form, if that is it. */
  form?: NormalForm;
  /** What follows `2 matches`. */
  how: string;
  /** The change that shows it. */
  change: Change;
  /** The patterns that match what is written so; the others of the change match what was asked for, too. */
  counted: readonly string[];
}

/** The part of a pattern that stands for one thing: an escape, a class, the head of a group, a character. */
const TOKENS =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|x[\da-f]{2}|u[\da-f]{4}|[^])|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?<[\p{L}_$][^>]*>|[^]/giu;
/** What these tokens do not tell apart. */
const UNCLEAR = /\[[^\]]*\[|&&|--|\\Q/u;
const WORD = /^[\p{L}\p{M}\p{N}_]$/u;
/** A character that stands for itself. */
const LITERAL = /^(?:[^\\\s.*+?^${}()|[\]]|\\[^\p{L}\p{N}])$/u;
/** Longer patterns are lists, and each form of them takes long to plan. */
const MAX_CHARS = 1_000;
/** More alternatives than this take long to plan. */
const MAX_BREAKS = 8;
/** Forms in so many places are looked for one by one: each is a text that is rare. */
const MAX_COUNTED = 32;
/** In place of a blank: no-break spaces, as they are and as they are escaped. */
const NO_BREAK = ["\\xa0", "\\u202f", "&nbsp;", "&#160;", "&#[xX][aA]0;", "\\\\u00[aA]0"];
/** The names of the characters from U+00A0 on, and of others. */
const NAMES = [
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3",
  "acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml",
  "Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde",
  "Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig",
  "ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide",
  "oslash ugrave uacute ucirc uuml yacute thorn yuml",
].join(" ").split(" ");
const OTHER_NAMES = new Map(Object.entries({
  ...{ Œ: "OElig", œ: "oelig", Š: "Scaron", š: "scaron", "–": "ndash", "—": "mdash", "‘": "lsquo" },
  ...{
    "’": "rsquo",
    "“": "ldquo",
    "”": "rdquo",
    "•": "bull",
    "…": "hellip",
    "€": "euro",
    "™": "trade",
  },
}));

type Patterns = Pick<Query, "patterns" | "fixedStrings" | "multiline">;

/** The other spellings of patterns, likely ones first. */
export function spellingsOf(query: Patterns): OtherSpelling[] {
  const { patterns, fixedStrings, multiline } = query;
  if (patterns.reduce((sum, { length }) => sum + length, 0) > MAX_CHARS) return [];
  const tokens = patterns.map((pattern) => patternTokens(pattern, query));
  const broken = multiline ? [] : tokens.map(brokenOverLines);
  return [
    ...(broken.some((one) => one !== undefined)
      ? [{
        how: "across a line break",
        change: changeTo(
          broken.map((one, index) => one?.written ?? tokens[index]!.join("")),
          query,
          { multiline: true },
        ),
        counted: broken.flatMap((one) => one?.counted ?? []),
      }]
      : []),
    ...inNormalForms(patterns, fixedStrings),
    ...inForms("as HTML entities or escapes", escapedOtherwise, query),
    ...inForms(
      "with a no-break space",
      (token) => token === " " ? NO_BREAK : [],
      query,
    ),
  ];
}

function patternTokens(pattern: string, { fixedStrings }: Patterns): readonly string[] {
  if (fixedStrings) {
    return Array.from(pattern, (char) => char.replace(/[\\^$.|?*+()[\]{}]/u, "\\$&"));
  }
  return UNCLEAR.test(pattern) ? [pattern] : pattern.match(TOKENS) ?? [];
}

function changeTo(
  written: readonly string[],
  { fixedStrings }: Patterns,
  more: Change = {},
): Change {
  const pattern = written.length === 1 ? written[0]! : written;
  return { pattern, ...(fixedStrings && { fixedStrings: false }), ...more };
}

/** The spelling in which characters have other forms, if any of them has. */
function inForms(
  how: string,
  formsOf: (token: string) => readonly string[],
  query: Patterns,
): OtherSpelling[] {
  const each = query.patterns.map((pattern) => {
    // Entities and escapes stand for composed characters; those beside them stay as they were asked for.
    const isDecomposed = pattern === pattern.normalize("NFD");
    return patternTokens(pattern.normalize("NFC"), query).map((token) => ({
      asked: isDecomposed ? token.normalize("NFD") : token,
      forms: formsOf(token),
    }));
  });
  const counted = each.flatMap(formsAlone);
  const change = changeTo(each.map((tokens) => tokens.map(inAnyForm).join("")), query);
  return counted.length > 0 ? [{ how, change, counted }] : [];
}

/** A token as it was asked for, and how it may be written otherwise. */
interface Written {
  asked: string;
  forms: readonly string[];
}

function inAnyForm({ asked, forms }: Written): string {
  return forms.length === 0 ? asked : `(?:${[asked, ...forms].join("|")})`;
}

/** The patterns for a text of which a token is in another form: the first of those, in one form. */
function formsAlone(tokens: readonly Written[]): string[] {
  const places = [...tokens.keys()].filter((at) => tokens[at]!.forms.length > 0);
  const isRepeated = places.some((at) => /^[*+?{]/.test(tokens[at + 1]?.asked ?? ""));
  const patterns = places.flatMap((place) =>
    tokens[place]!.forms.map((form) =>
      tokens.map((token, at) => at < place ? token.asked : at === place ? form : inAnyForm(token))
        .join("")
    )
  );
  const isFew = !isRepeated && patterns.length <= MAX_COUNTED;
  return isFew || places.length === 0 ? patterns : [tokens.map(inAnyForm).join("")];
}

function inNormalForms(patterns: readonly string[], fixedStrings: boolean): OtherSpelling[] {
  return readingCauses(patterns, fixedStrings).flatMap(({ form, change }) =>
    form === undefined ? [] : [{
      form,
      how: howInForm(form),
      change: { ...change, ...("fixedStrings" in change && { fixedStrings: false }) },
      counted: [change.pattern].flat() as string[],
    }]
  );
}

export function howInForm(form: NormalForm): string {
  return `in the Unicode normal form ${form}`;
}

/** A pattern whose blanks may be line breaks, and the patterns for those of which one is. */
function brokenOverLines(
  tokens: readonly string[],
): { written: string; counted: readonly string[] } | undefined {
  if (tokens.includes("|")) return undefined;
  /** In turn what stands between two blanks, and the repeat of a blank. */
  const parts: string[] = [""];
  for (let at = 0; at < tokens.length; at++) {
    let end = at;
    while (tokens[end] === " " || tokens[end] === "\\s") end++;
    const repeat = end > at && /^[+*]$/.test(tokens[end] ?? "") ? tokens[end++]! : "+";
    if (end > at && isPhrase(tokens[at - 1], tokens[end])) {
      parts.push(repeat, "");
      at = end - 1;
    } else parts[parts.length - 1] += tokens[at]!;
  }
  const breaks = parts.length >> 1;
  if (breaks === 0 || breaks > MAX_BREAKS) return undefined;
  const withBlanks = (blank: (index: number, repeat: string) => string) =>
    parts.map((part, index) => index % 2 === 0 ? part : blank(index >> 1, part)).join("");
  return {
    written: withBlanks((_, repeat) => `\\s${repeat}`),
    // The first line break is at one of the blanks.
    counted: Array.from(
      { length: breaks },
      (_, first) =>
        withBlanks((index, repeat) =>
          index < first
            ? `[^\\S\\n]${repeat}`
            : index === first
            ? "[^\\S\\n]*\\n\\s*"
            : `\\s${repeat}`
        ),
    ),
  };
}

/** Whether there is a text on both sides of a blank, and on one of them a word. */
function isPhrase(before = "", after = ""): boolean {
  return LITERAL.test(before) && LITERAL.test(after) && (WORD.test(before) || WORD.test(after));
}

/** The entities and escapes of a character beyond ASCII. */
function escapedOtherwise(token: string): string[] {
  const code = token.codePointAt(0)!;
  if (code < 0x80 || Array.from(token).length > 1) return [];
  const name = NAMES[code - 0xa0] ?? OTHER_NAMES.get(token);
  const hex = (number: number) =>
    number.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const padded = (number: number) => "0".repeat(4 - number.toString(16).length) + hex(number);
  const units = Array.from({ length: token.length }, (_, at) => token.charCodeAt(at));
  return [
    ...(name === undefined ? [] : [`&${name};`]),
    `&#${code};`,
    `&#[xX]0*${hex(code)};`,
    units.map((unit) => `\\\\u${padded(unit)}`).join(""),
    `\\\\u\\{${hex(code)}\\}`,
  ];
}

type Convention = (words: readonly string[]) => string;

/** Conventions of identifiers, and words apart, by how often code uses them. */
const CONVENTIONS: readonly Convention[] = [
  (words) => words.join("_"),
  ([first, ...rest]) => first + rest.map(capitalized).join(""),
  (words) => words.map(capitalized).join(""),
  (words) => words.join("_").toUpperCase(),
  (words) => words.join("-"),
  (words) => words.join(" "),
];

/** Of a pattern or a glob: escapes, what opens a group or a class, and runs that may be identifiers. */
const PARTS = new RegExp(
  [
    String.raw`\\(?:[\dA-Za-z]\{[^}]*\}|[kg](?:<[^>]*>|'[^']*')|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}`,
    String.raw`|c[A-Za-z]|[pP]\p{L}|\d+|[^_-])`,
    String.raw`|\(\?(?:P?<[^=!>]*>|P[=>][^)]*|[a-z^-]*[:)])?`,
    String.raw`|\[\^?\]?|\]`,
    String.raw`|(?<run>(?:[\p{L}\p{M}\p{N}_-]|\\[_-])+)`,
  ].join(""),
  "gu",
);
const RUN = /(?<run>[\p{L}\p{M}\p{N}_-]+)/gu;
/** Two to four words and nothing else, between anchors. */
const PHRASE =
  /^(?<start>(?:\\b|\^)*)(?<words>\p{L}[\p{L}\p{M}\p{N}]*(?: \p{L}[\p{L}\p{M}\p{N}]*){1,3})(?<end>(?:\\b|\$)*)$/u;
/** `HTTP` in `HTTPServer`, `URLs`, `IPv4`, `Decode` in `utf8Decode`. */
const WORDS =
  /\p{Lu}{2,}(?:s|v\p{N}+)(?![\p{Ll}\p{N}])|\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[^\p{Lu}]+/gu;

/**
 * Patterns in every naming convention that their identifiers are not in; none that differs in letter
 * case alone.
 */
export function conventionChanges(patterns: readonly string[], isFixed: boolean): Change[] {
  if (patterns.reduce((sum, { length }) => sum + length, 0) > MAX_CHARS) return [];
  const others = inOtherConventions(
    patterns,
    (pattern, convention) => inConvention(pattern, convention, isFixed ? RUN : PARTS),
  );
  return others.map((all) => ({ pattern: all.length === 1 ? all[0]! : all }));
}

/** Globs whose last name, or whose every name, is in another naming convention. */
export function conventionGlobs(glob: string): string[] {
  if (glob.length > MAX_CHARS || /(?:^|,)\s*!/u.test(glob)) return [];
  const whole = (text: string, convention: Convention) => inConvention(text, convention, PARTS);
  const last = (text: string, convention: Convention) =>
    text.replace(/[^/]+$/u, (name) => whole(name, convention));
  const globs = [last, whole].flatMap((way) => inOtherConventions([glob], way).flat());
  return [...new Set(globs)];
}

function inOtherConventions(
  texts: readonly string[],
  way: (text: string, convention: Convention) => string,
): string[][] {
  const asGiven = String(texts.map((text) => text.toLowerCase()));
  return CONVENTIONS.map((convention) => texts.map((text) => way(text, convention)))
    .filter((others) => String(others).toLowerCase() !== asGiven);
}

function inConvention(text: string, convention: Convention, parts: RegExp): string {
  let depth = 0;
  let isChanged = false;
  const other = text.replace(parts, (part: string, ...rest: unknown[]) => {
    const { run } = rest.at(-1) as { run?: string };
    if (part.startsWith("[")) depth++;
    else if (part === "]") depth = Math.max(0, depth - 1);
    if (run === undefined || depth > 0) return part;
    const identifier = run.replaceAll("\\", "");
    const [, start, body, end] = /^([_-]*)(.*?)([_-]*)$/u.exec(identifier)!;
    const words = wordsOf(body!);
    if (words === undefined) return part;
    isChanged = true;
    return start + convention(words) + end;
  });
  const phrase = isChanged ? undefined : PHRASE.exec(text)?.groups;
  if (phrase === undefined) return other;
  const words = phrase["words"]!.toLowerCase().split(" ");
  return phrase["start"] + convention(words) + phrase["end"];
}

/** The words of an identifier in lower case; nothing where it has one word or no convention. */
function wordsOf(identifier: string): string[] | undefined {
  if (identifier.includes("_") && identifier.includes("-")) return undefined;
  const words = identifier.split(/[_-]+/u).flatMap((part) =>
    /\p{Ll}/u.test(part) ? part.match(WORDS)! : [part]
  );
  // `x86_64` and `page_2` are one word with a number.
  const isNamed = (word: string) => /^\p{L}/u.test(word);
  return words.filter(isNamed).length < 2 ? undefined : words.map((word) => word.toLowerCase());
}

function capitalized(word: string): string {
  return word.replace(/^./u, (letter) => letter.toUpperCase());
}
