/**
 * Identifiers in other naming conventions: `fooBar`, `FooBar`, `foo_bar`, `FOO_BAR`, `foo-bar` and
 * `foo bar`.
 *
 * @module
 */

import type { Change } from "../search/callers.ts";

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

/** Longer patterns are lists; to plan each in every convention takes long. */
const MAX_CHARS = 1_000;

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
