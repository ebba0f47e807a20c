/**
 * Rewrites globs: slashes and dots as in paths, so that `src//a`, `src/./a` and `lib/../src/a` are `src/a`;
 * braces; absolute ones, and those that begin with the label of a root, to where they apply; letters to either
 * case, for `--iglob`, as ripgrep has it, and for suggestions.
 *
 * @module
 */

import { isAbsolute, isWithin, relativePath } from "../util/path.ts";
import { Glob } from "./glob.ts";
import { globTokens } from "./glob_parser.ts";

/** The most globs, and their parts, that one is written out as. */
const MAX_ALTERNATIVES = 64;
const MAX_PARTS = 10_000;

/** Matches what is written otherwise in paths. */
const DOTS_OR_SLASHES = /\/\/|(?:^|[/{,])\.{1,2}(?:$|[/},])|[{,]\/|\/[,}]|[{,][,}]/u;
/** Matches what in braces meets the slashes around them. */
const AT_AN_END = /[{,]\.{0,2}\/|\/\.{0,2}[,}]|[{,]\.{0,2}[,}]/u;

/**
 * A glob whose segments are those of the paths that it matches, or several that match the same together.
 * One that begins with a slash is a path from the top, as is one that had a slash in it.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function normalizedGlobs(glob: string): string[] {
  if (!DOTS_OR_SLASHES.test(glob)) return [glob];
  const isPath = glob.replace(/\/+$/u, "").includes("/");
  const written = glob.includes("/") && AT_AN_END.test(glob) ? expandedBraces(glob) : undefined;
  const globs = (written ?? [globTokens(glob)]).map((tokens) => withoutDots(tokens, isPath));
  return [...new Set(globs)];
}

/**
 * The segments of a glob: what is between its slashes, those in braces and in classes excepted.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
function globSegments(glob: string): string[] {
  return segmentsOf(globTokens(glob)).map((tokens) => tokens.join(""));
}

function segmentsOf(tokens: readonly string[]): string[][] {
  const segments: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === "{") depth++;
    if (token === "}") depth--;
    if (token === "/" && depth === 0) segments.push([]);
    else segments.at(-1)!.push(token);
  }
  return segments;
}

function withoutDots(tokens: readonly string[], isPath: boolean): string {
  const segments = segmentsOf(tokens).map((segment) => segment.join(""));
  const last = segments.at(-1)!;
  const left: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== ".." || left.length === 0 || left.at(-1) === "..") left.push(segment);
    // What is above any directory below is any directory, too.
    else if (left.at(-1) !== "**") left.pop();
  }
  // These name a directory.
  const isDirectory = ["", ".", ".."].includes(last) && left.at(-1) !== "..";
  const path = left.join("/");
  if (path === "") return "/";
  const isAnchored = tokens[0] === "/" || isPath && left.length === 1;
  return `${isAnchored ? "/" : ""}${path}${isDirectory ? "/" : ""}`;
}

/**
 * A glob for each alternative of its braces; nothing where they are too many.
 *
 * @throws {PathgrepError} `invalid_input` if a class is not closed
 */
export function expandedBraces(glob: string): string[][] | undefined {
  const tokens = globTokens(glob);
  const root: Branches = [[[]]];
  const open = [root];
  for (const token of tokens) {
    const branches = open.at(-1)!;
    if (token === "{") open.push([[[]]]);
    else if (token === "," && open.length > 1) branches.push([[]]);
    else if (token === "}" && open.length > 1) {
      open.pop();
      const alternatives = branches.length > 1
        ? branches.flat()
        : branches[0]!.map((inner) => ["\\{", ...inner, "\\}"]);
      const bounded = alternatives.map((one) => [BOUND, ...one, BOUND]);
      if (!append(open.at(-1)!, bounded)) return undefined;
    } else append(branches, [[token]]);
  }
  return open.length === 1 ? root[0]!.map(joined) : undefined;
}

/** A range of numbers in braces, and the most numbers of one. */
const MAX_RANGE = 1000;
const RANGE = /\{(-?\d{1,9})\.\.(-?\d{1,9})\}/gu;

/** A glob with its ranges of numbers written out, as in shells: `{1..3}` is `{1,2,3}`, `{01..10}` has zeros. */
export function withNumbers(glob: string): string {
  if (!glob.includes("..")) return glob;
  return glob.replace(RANGE, (range, first: string, last: string, at: number) => {
    const [from, to] = [Number(first), Number(last)];
    const length = Math.abs(to - from) + 1;
    if (length > MAX_RANGE || glob[at - 1] === "\\" || glob[at - 1] === "$") return range;
    const isPadded = [first, last].some((text) => /^-?0\d/u.test(text));
    const width = isPadded ? Math.max(first.length, last.length) : 0;
    const numbers = Array.from({ length }, (_, index) => {
      const number = from + (to < from ? -index : index);
      const sign = number < 0 ? "-" : "";
      return sign + String(Math.abs(number)).padStart(width - sign.length, "0");
    });
    return length === 1 ? numbers[0]! : `{${numbers.join(",")}}`;
  });
}

/** Stands where a brace was. */
const BOUND = "";

/** The parts of a text where braces were; stars that met there stay one star each, which is one star. */
function joined(tokens: readonly string[]): string[] {
  const parts: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] !== BOUND) {
      parts.push(tokens[i]!);
      continue;
    }
    let next = i;
    while (tokens[next] === BOUND) next++;
    if (parts.at(-1) !== "*" || tokens[next] !== "*") continue;
    while (parts.at(-1) === "*") parts.pop();
    while (tokens[next] === BOUND || tokens[next] === "*") next++;
    parts.push("*");
    i = next - 1;
  }
  return parts;
}

/** For each branch of braces that are being read, the texts that it stands for so far. */
type Branches = string[][][];

/** Continues the last branch with each of some texts; `false` if that is too much. */
function append(branches: Branches, texts: readonly (readonly string[])[]): boolean {
  const branch = branches.at(-1)!;
  if (texts.length === 1) {
    for (const text of branch) for (const token of texts[0]!) text.push(token);
    return true;
  }
  const next = branch.flatMap((before) => texts.map((text) => [...before, ...text]));
  const parts = next.reduce((sum, text) => sum + text.length, 0);
  if (next.length > MAX_ALTERNATIVES || parts > MAX_PARTS) return false;
  branches[branches.length - 1] = next;
  return true;
}

/** A directory, and what globs of paths below it begin with. */
export interface GlobPlace {
  /** An absolute path, or the label of a root. */
  readonly prefix: string;
  readonly path: string;
}

/** Globs by the directory in which they apply. */
export type GlobsWithin = Readonly<Record<string, readonly string[]>>;

/** A glob below a directory. */
export interface PlacedGlob {
  readonly path: string;
  /** The glob from there; empty for the directory itself. */
  readonly rest: string;
}

/** The same letter in both cases, as globs have it that ignore letter case. */
const EITHER_CASE = /^\[(.)(.)\]$/u;

/** The place that a glob begins with, and the rest of it; nothing for a glob that begins with none. */
export function placedGlob(glob: string, places: readonly GlobPlace[]): PlacedGlob | undefined {
  if (places.length === 0) return undefined;
  const tokens = globTokens(glob);
  let found: PlacedGlob | undefined;
  let longest = -1;
  for (const { prefix, path } of places) {
    const rest = restAfter(prefix, glob, tokens);
    // A label alone is the name of a directory.
    const isName = rest === "" && !isAbsolute(prefix);
    if (rest === undefined || isName || prefix.length <= longest) continue;
    longest = prefix.length;
    found = { path, rest: rest.slice(1) };
  }
  return found;
}

/** What follows a prefix, from its slash on; nothing if a glob does not begin with it. */
function restAfter(prefix: string, glob: string, tokens: readonly string[]): string | undefined {
  // What is special in a glob may be pasted from a path.
  if (glob.startsWith(prefix)) {
    const rest = glob.slice(prefix.length);
    if (rest === "" || rest.startsWith("/")) return rest;
  }
  const characters = Array.from(prefix);
  if (tokens.length < characters.length || !beginsWith(tokens, characters)) return undefined;
  const rest = tokens.slice(characters.length);
  return (rest[0] ?? "/") === "/" ? rest.join("") : undefined;
}

function beginsWith(tokens: readonly string[], characters: readonly string[]): boolean {
  return characters.every((character, index) => {
    const token = tokens[index]!;
    if (token === character || token === `\\${character}`) return true;
    const [, one, other] = EITHER_CASE.exec(token) ?? [];
    return one !== undefined && [one, other].includes(character) &&
      one.toLowerCase() === other!.toLowerCase();
  });
}

/**
 * The globs that match below a searched directory what a placed one matches: each begins with a slash,
 * and `/**` is the whole directory. None: nothing below it can match.
 *
 * @param base the canonical path of the directory
 */
export function globsBelow({ path, rest }: PlacedGlob, base: string): string[] {
  if (isWithin(base, path)) {
    const below = relativePath(base, path);
    const above = below === "." ? "" : `/${escapedGlob(below)}`;
    return [rest === "" ? `${above}/**` : `${above}/${rest}`];
  }
  if (!isWithin(path, base)) return [];
  if (rest === "") return ["/**"];
  const names = relativePath(path, base).split("/");
  const isDirectory = rest.endsWith("/");
  const globs =
    (rest.includes("{") ? expandedBraces(rest) : undefined)?.map((one) => one.join("")) ??
      [rest];
  const left = globs.flatMap((glob) => remainders(globSegments(glob.replace(/\/$/u, "")), names));
  return [...new Set(left)].map((glob) =>
    glob === "" ? "/**" : `/${glob}${isDirectory ? "/" : ""}`
  );
}

/** What is left of a glob's segments once they have matched names from the start, in every way. */
function remainders(segments: readonly string[], names: readonly string[]): string[] {
  let starts = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const start of starts) {
      for (let at = start;; at++) {
        const segment = segments[at];
        if (segment === undefined) {
          next.add(at); // it names a directory above, and so all that is in it
          break;
        }
        if (segment === "**") {
          next.add(at);
          continue; // it may also match nothing
        }
        if (Glob.parse(segment).matches(name)) next.add(at + 1);
        break;
      }
    }
    starts = next;
  }
  return [...starts].map((start) => segments.slice(start).join("/"));
}

/** A path as a glob that matches it alone. */
export function escapedGlob(path: string): string {
  return path.replace(/[*?[\]{}!,\\]/gu, "\\$&");
}

/** A class, an escaped character or any other character. */
const PART = /\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]|\\.|./gsu;
const CHARACTER = /\\.|./gsu;
/** A range of characters, a class like `[:alpha:]`, or one character, in a class. */
const CLASS_ITEM = /\[:[a-z]+:\]|(?<from>\\.|.)-(?<to>\\.|[^\]])|\\.|./gsu;

/** A glob that matches what another does, in either case of its letters, whichever that one has. */
export function anyCase(glob: string): string {
  // Behind the last bracket no class is closed; to look for one there from each that opens takes long.
  const end = glob.lastIndexOf("]") + 1;
  return glob.slice(0, end).replace(PART, partOf) + glob.slice(end).replace(CHARACTER, partOf);
}

function partOf(part: string): string {
  if (part.startsWith("[") && part.length > 1) return classOf(part);
  const character = part.startsWith("\\") ? part.slice(1) : part;
  const other = otherCase(character);
  return other === undefined ? part : `[${[character, other].sort().join("")}]`;
}

function classOf(part: string): string {
  const start = /^\[[!^]?\]?/u.exec(part)![0];
  const inner = part.slice(start.length, -1).replace(
    CLASS_ITEM,
    (item, from?: string, to?: string) => {
      if (from === undefined || to === undefined) return item + (otherCase(item) ?? "");
      const [otherFrom, otherTo] = [otherCase(from), otherCase(to)];
      return otherFrom === undefined || otherTo === undefined
        ? item
        : `${item}${otherFrom}-${otherTo}`;
    },
  );
  return `${start}${inner}]`;
}

/** A letter in its other case; nothing for what has none of one character. */
function otherCase(character: string): string | undefined {
  const lower = character.toLowerCase();
  const other = lower === character ? character.toUpperCase() : lower;
  return other !== character && [...other].length === 1 ? other : undefined;
}
