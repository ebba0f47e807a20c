/**
 * Reads the command line of another search program by that program's own rules.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import type { FilterKey } from "../explain/causes.ts";
import type { SearchQuery } from "../search/query.ts";
import type { BesideCaller } from "../search/callers.ts";
import { basename } from "../util/path.ts";
import { isGranted } from "../util/permissions.ts";
import { type Dialect, translate } from "./foreign_pattern.ts";
import { type Draft, draftOf, notRead, type Program, PROGRAMS } from "./programs.ts";

/** A search of another program, as a query of this one. */
export interface ForeignSearch {
  readonly caller: BesideCaller;
  readonly query: Omit<SearchQuery, "path">;
  /** As they are given; none is the directory in which it runs. */
  readonly paths: readonly string[];
  /** Whether it descends into directories. */
  readonly recursive: boolean;
  /** How its command line names filters. */
  readonly said: Readonly<Partial<Record<FilterKey, string>>>;
  /** Causes that do not count for a file itself, since a glob or a type admits it. */
  readonly admitted: readonly ("ignored" | "hidden")[];
  /** `git grep`: files that are not tracked are searched, too. */
  readonly untracked: boolean;
  /** Other ways in which the program can be made to read the pattern. */
  readonly readings: readonly ForeignReading[];
}

/** A pattern in this program's syntax, and what makes the other program read it so. */
export interface ForeignReading {
  readonly pattern: readonly string[];
  readonly advice: string;
}

/** Where systems have such programs. What lies elsewhere may be any program of that name. */
const PLACE = /^(?:\/usr|\/usr\/local|\/opt\/homebrew)?\/bin\/\w+$/;
/** Arguments beyond these are a list that some other program made. */
const MAX_WORDS = 2000;

/**
 * Reads a command line.
 *
 * @throws {PathgrepError} `invalid_input` or `invalid_pattern` with the part that is not read
 */
export function readCommandLine([name = "", ...args]: readonly string[]): ForeignSearch {
  const called = PLACE.test(name) ? basename(name) : name;
  const program = Object.hasOwn(PROGRAMS, called) ? PROGRAMS[called] : undefined;
  if (program === undefined) {
    throw new PathgrepError("invalid_input", `${name || "an empty command"} is not supported`, {
      hint: "it reads rg, grep, egrep, fgrep, git grep and ugrep: " +
        "`pathgrep why -- rg -n TODO src`",
    });
  }
  if (args.length > MAX_WORDS) throw notRead("a command line this long");
  if (called === "git" && args.shift() !== "grep") {
    throw notRead("a git command other than `git grep`");
  }
  if (program.caller === "rg" && !args.includes("--no-config") && hasRipgrepConfig()) {
    throw notRead("the configuration file that RIPGREP_CONFIG_PATH names");
  }
  const draft = draftOf(program);
  const isOpen = readArguments(args, program, draft);
  if (draft.patterns.length === 0) {
    const pattern = draft.operands.shift();
    if (pattern === undefined) throw notRead("a command line without a pattern");
    draft.patterns.push(pattern);
  }
  return searchOf(draft, program, isOpen);
}

function hasRipgrepConfig(): boolean {
  const variable = "RIPGREP_CONFIG_PATH";
  return isGranted({ name: "env", variable }) && (Deno.env.get(variable) ?? "") !== "";
}

/** Reads options and operands; returns whether the operands came without `--`. */
function readArguments(args: readonly string[], program: Program, draft: Draft): boolean {
  const queue = [...args];
  for (let word; (word = queue.shift()) !== undefined;) {
    if (word === "--") {
      draft.operands.push(...queue);
      return draft.operands.length > queue.length;
    }
    if (word.startsWith("--")) readLong(word.slice(2), queue, program, draft);
    else if (word.startsWith("-") && word !== "-") readShort(word.slice(1), queue, program, draft);
    else {
      draft.operands.push(word);
      // The first is the pattern, unless that is given.
      if (!program.stopsAtOperand) continue;
      const rest = queue.indexOf("--");
      const before = rest < 0 ? queue : queue.slice(0, rest);
      const option = before.find((one) => one.startsWith("-"));
      if (option !== undefined) throw notRead(`${option} after an operand`);
    }
  }
  return true;
}

function readLong(text: string, queue: string[], program: Program, draft: Draft): void {
  const [given = "", ...parts] = text.split("=");
  const value = parts.length === 0 ? undefined : parts.join("=");
  const key = longKey(given, program);
  const option = `--${given}`;
  const effect = key === undefined ? undefined : program.options.get(key);
  if (key === undefined || effect === null || effect === undefined) throw notRead(option);
  if (key.endsWith("=")) {
    const taken = value ?? queue.shift();
    if (taken === undefined) throw notRead(`${option} without a value`);
    effect(draft, taken, `--${key.slice(0, -1)}`);
  } else if (value !== undefined && !key.endsWith("?")) throw notRead(`--${text}`);
  else effect(draft, value ?? "", `--${key}`);
}

/** The key of a long option, or of the only one that begins so. */
function longKey(given: string, { options, abbreviates }: Program): string | undefined {
  const exact = [given, `${given}=`, `${given}?`].find((key) => options.has(key));
  if (exact !== undefined) return given.length > 1 ? exact : undefined;
  if (!abbreviates || given === "") return undefined;
  const longer = [...options.keys()].filter((key) =>
    /^..+[^=?]/.test(key) && key.startsWith(given)
  );
  const effects = new Set(longer.map((key) => options.get(key)));
  return longer.length === 1 || effects.size === 1 && longer.length > 0 && !effects.has(null)
    ? longer[0]
    : undefined;
}

function readShort(text: string, queue: string[], program: Program, draft: Draft): void {
  if (/^\d+$/.test(text) && program.caller !== "rg") return; // lines of context
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    const option = `-${letter}`;
    const flag = program.options.get(letter);
    if (flag != null) {
      flag(draft, "", option);
      continue;
    }
    const valued = program.options.get(`${letter}=`);
    if (valued == null) throw notRead(option);
    const rest = text.slice(at + 1);
    // Of ripgrep, `-e=x` is `-ex`.
    const given = program.caller === "rg" ? rest.replace(/^=/, "") : rest;
    const value = rest === "" ? queue.shift() : given;
    if (value === undefined) throw notRead(`${option} without a value`);
    valued(draft, value, option);
    return;
  }
}

function searchOf(draft: Draft, { caller }: Program, isOpen: boolean): ForeignSearch {
  const { filters, operands } = draft;
  const globs = pathGlobs(draft, caller, isOpen);
  const paths = operands.filter((operand) => !globs.includes(operand));
  if (paths.includes("-")) throw notRead("standard input");
  const readsInput = !draft.recursive || caller === "ugrep";
  if (readsInput && paths.length === 0) throw notRead("a search of standard input");
  const all = [
    ...filters,
    ...globs.map((glob) => ({ key: "include" as const, value: glob, said: glob })),
  ];
  checkFilters(all, paths, caller);
  if (draft.untracked && draft.ignore && paths.length > 0) {
    throw notRead("--untracked with a path");
  }
  const of = (key: FilterKey) => all.filter((one) => one.key === key);
  const keys = (["include", "exclude", "type", "typeNot"] as const).filter((key) =>
    of(key).length > 0
  );
  const lines = splitLines(draft, caller);
  const query: SearchQuery = {
    pattern: lines.map((line) => translate(line, draft.dialect)),
    caseInsensitive: draft.caseInsensitive || draft.smartCase && !lines.some(hasCapital),
    wholeWord: draft.wholeWord,
    wholeLine: draft.wholeLine,
    invert: draft.invert,
    hidden: draft.hidden,
    ignore: draft.ignore,
    text: draft.text,
    follow: draft.follow,
    maxFileSize: draft.maxFileSize,
    ...(draft.filesWithoutMatch ? { filesWithoutMatch: true } : {}),
    ...(draft.maxDepth === undefined ? {} : { maxDepth: draft.maxDepth }),
    ...Object.fromEntries(keys.map((key) => [key, of(key).map(({ value }) => value)])),
  };
  return {
    caller,
    query,
    paths,
    recursive: draft.recursive,
    said: Object.fromEntries(keys.map((key) => [key, of(key).map(({ said }) => said).join(" ")])),
    admitted: caller === "rg" ? admittedBy(of("include"), of("type")) : [],
    untracked: draft.untracked,
    readings: foreignReadings(lines, draft, caller),
  };
}

/** Of ripgrep, what its positive globs and its types admit whatever else is said of it. */
function admittedBy(
  globs: Draft["filters"],
  types: Draft["filters"],
): ("ignored" | "hidden")[] {
  if (globs.some(({ value }) => !value.startsWith("!"))) return ["ignored", "hidden"];
  return types.length > 0 ? ["hidden"] : [];
}

/** The operands of `git grep` that are globs, of which `*.ts` alone is read. */
function pathGlobs({ operands }: Draft, caller: BesideCaller, isOpen: boolean): string[] {
  if (caller !== "git grep") return [];
  const odd = operands.find((operand) =>
    operand.startsWith(":") || /[*?[\\]/.test(operand) && !/^\*\.[\w.-]+$/.test(operand)
  );
  if (odd !== undefined) throw notRead(`the pathspec ${odd}`);
  const globs = operands.filter((operand) => operand.includes("*"));
  if (globs.length > 0 && (globs.length < operands.length || isOpen && operands.length > 1)) {
    throw notRead(`the pathspec ${globs[0]} among others`);
  }
  return globs;
}

function checkFilters(
  filters: Draft["filters"],
  paths: readonly string[],
  caller: BesideCaller,
): void {
  const has = (key: FilterKey, isDirectory: boolean) =>
    filters.some((one) => one.key === key && one.value.startsWith("**/") === isDirectory);
  // The first of them decides what becomes of files that neither matches.
  if (caller !== "rg" && has("include", false) && has("exclude", false)) {
    throw notRead("--include with --exclude");
  }
  // A directory that is named is excluded, too.
  const excluded = filters.find(({ key, value }) =>
    key === "exclude" && value.startsWith("**/") && paths.some((path) => {
      const name = basename(path.replace(/\/+$/, ""));
      return name !== "." && (/[*?]/.test(value) || value === `**/${name}/**`);
    })
  );
  if (excluded !== undefined) throw notRead(`${excluded.said} with a path of that name`);
  const placed = filters.find(({ key, value }) =>
    caller === "rg" && key === "include" && /\/(?!$)/.test(value.replace(/^!?\*\*\//, ""))
  );
  if (placed !== undefined && paths.length > 0) {
    throw notRead(`the place in ${placed.said} with a path`);
  }
}

/** The patterns: of grep each line is one. */
function splitLines({ dialect, patterns }: Draft, caller: BesideCaller): string[] {
  if (caller === "GNU grep") return patterns.flatMap((pattern) => pattern.split("\n"));
  // Its escapes and classes are its own.
  const isOwn = (pattern: string) =>
    /[^ -~]/.test(pattern) ||
    dialect !== "fixed" && /\\[\w<>]|\[/.test(pattern);
  if (caller === "ugrep" && patterns.some(isOwn)) {
    throw notRead("an escape or a class in a ugrep pattern");
  }
  if (patterns.some((pattern) => pattern.includes("\n"))) {
    throw notRead("a line break in a pattern");
  }
  return [...patterns];
}

/** Whether letter case counts for a smart search; what an escape names is no letter. */
function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\[a-zA-Z]/g, ""));
}

const OTHER_READINGS: Readonly<Record<Dialect, readonly (readonly [Dialect, string])[]>> = {
  basic: [["extended", "add -E"], ["perl", "add -P"], ["fixed", "add -F"]],
  extended: [["perl", "use -P"], ["basic", "use grep without -E"], ["fixed", "use -F"]],
  fixed: [["extended", "use -E in place of -F"]],
  perl: [["fixed", "use -F"]],
  rust: [["fixed", "add -F"], ["basic", "write | + ( ) { } without a backslash"]],
};

function foreignReadings(
  patterns: readonly string[],
  { dialect }: Draft,
  caller: BesideCaller,
): ForeignReading[] {
  const read = (as: Dialect) => {
    try {
      return patterns.map((pattern) => translate(pattern, as));
    } catch {
      return undefined; // it is none in that syntax
    }
  };
  const seen = new Set([JSON.stringify(read(dialect))]);
  const readings: ForeignReading[] = [];
  for (const [as, advice] of OTHER_READINGS[dialect]) {
    if (caller === "ugrep" && as === "perl") continue;
    const said = caller === "rg" && dialect === "fixed" ? "drop -F" : advice;
    const pattern = read(caller === "rg" && dialect === "fixed" ? "rust" : as);
    if (pattern === undefined || seen.has(JSON.stringify(pattern))) continue;
    seen.add(JSON.stringify(pattern));
    readings.push({ pattern, advice: said });
  }
  return readings;
}
