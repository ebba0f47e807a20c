/**
 * Reads the command line of another search program by that program's own rules.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { fileTypes } from "../walk/file_types.ts";
import type { FilterKey } from "../walk/listing.ts";
import type { SearchQuery } from "../query/query.ts";
import type { BesideCaller } from "../search/callers.ts";
import { basename } from "../util/path.ts";
import { readVariable } from "../system/platform.ts";
import { type Dialect, translate } from "./foreign_pattern.ts";
import { shellGlob } from "./shell_words.ts";
import { type Draft, draftOf, notRead, type Program, PROGRAMS } from "./programs.ts";

/** A search of another program, as a query of this one. */
export interface ForeignSearch {
  readonly caller: BesideCaller;
  readonly query: Omit<SearchQuery, "path">;
  /** File types that it does not have, so that it fails: how the command line names each. */
  readonly unknownTypes: readonly { readonly value: string; readonly said: string }[];
  /** As they are given; none is the directory in which it runs. */
  readonly paths: readonly string[];
  /** How many of them come before `--`: of `git grep`, each may be a revision. */
  readonly open: number;
  /** Whether it descends into directories. */
  readonly recursive: boolean;
  /** How its command line names filters. */
  readonly said: Readonly<Partial<Record<FilterKey, string>>>;
  /** `git grep`: files that are not tracked are searched, too. */
  readonly untracked: boolean;
  /** The name of the ignore files that it reads, where that is an option. */
  readonly ignoreFile: string | undefined;
  /** Whether matches are the same in each encoding that extends ASCII; nothing: that is not known. */
  readonly isAscii: boolean | undefined;
  /** Whether a mark at the start of a file may keep its first line from matching. */
  readonly startsLines: boolean;
  /** Whether a carriage return at the end of a line keeps it from matching: as it is read, and otherwise. */
  readonly endsLines: { readonly own: boolean; readonly read: boolean };
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
const LITERAL = /^[^.[\]\\^$*+?{}()|]*$/;

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
  if (called === "git") {
    while (args[0] === "--no-pager" || args[0] === "-P") args.shift();
    if (args.shift() !== "grep") throw notRead("a git command other than `git grep`");
  }
  if (program.caller === "rg" && !args.includes("--no-config") && hasRipgrepConfig()) {
    throw notRead("the configuration file that RIPGREP_CONFIG_PATH names");
  }
  const draft = draftOf(program);
  let open = readArguments(args, program, draft);
  if (draft.patterns.length === 0) {
    const pattern = draft.operands.shift();
    if (pattern === undefined) throw notRead("a command line without a pattern");
    draft.patterns.push(pattern);
    // To git, `--` before the pattern closes nothing.
    open = open === 0 ? draft.operands.length : open - 1;
  }
  return searchOf(draft, program, open);
}

function hasRipgrepConfig(): boolean {
  const variable = "RIPGREP_CONFIG_PATH";
  return (readVariable(variable) ?? "") !== "";
}

/** Reads options and operands; returns how many operands came before `--`. */
function readArguments(args: readonly string[], program: Program, draft: Draft): number {
  const queue = [...args];
  for (let word; (word = queue.shift()) !== undefined;) {
    if (word === "--") {
      const open = draft.operands.length;
      draft.operands.push(...queue);
      return open;
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
  return draft.operands.length;
}

function readLong(text: string, queue: string[], program: Program, draft: Draft): void {
  const [given = "", ...parts] = text.split("=");
  const value = parts.length === 0 ? undefined : parts.join("=");
  const option = `--${given}`;
  const key = [given, `${given}=`, `${given}?`].find((key) => program.options.has(key));
  if (key === undefined || given.length < 2) throw notRead(option);
  const effect = program.options.get(key)!;
  if (key.endsWith("=")) {
    const taken = value ?? queue.shift();
    if (taken === undefined) throw notRead(`${option} without a value`);
    effect(draft, taken, option);
  } else if (value !== undefined && !key.endsWith("?")) throw notRead(`--${text}`);
  else effect(draft, value ?? "", option);
}

function readShort(text: string, queue: string[], program: Program, draft: Draft): void {
  if (/^\d+$/.test(text) && program.caller !== "rg") return; // lines of context
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    const option = `-${letter}`;
    const flag = program.options.get(letter);
    if (flag !== undefined) {
      flag(draft, "", option);
      continue;
    }
    const valued = program.options.get(`${letter}=`);
    if (valued === undefined) throw notRead(option);
    const rest = text.slice(at + 1);
    // Of ripgrep, `-e=x` is `-ex`.
    const given = program.caller === "rg" ? rest.replace(/^=/, "") : rest;
    const value = rest === "" ? queue.shift() : given;
    if (value === undefined) throw notRead(`${option} without a value`);
    valued(draft, value, option);
    return;
  }
}

function searchOf(draft: Draft, { caller }: Program, open: number): ForeignSearch {
  const { filters, operands } = draft;
  const globs = pathGlobs(draft, caller, open);
  const paths = operands.filter((operand) => !globs.includes(operand));
  checkInput(paths, !draft.recursive || caller === "ugrep");
  const all = [
    ...filters,
    ...globs.map((glob) => ({ key: "include" as const, value: glob, said: glob })),
  ];
  checkFilters(all, paths, caller);
  checkTogether(draft, caller, paths);
  const of = (key: FilterKey) => all.filter((one) => one.key === key);
  const keys = (["include", "exclude", "type", "typeNot"] as const).filter((key) =>
    of(key).length > 0
  );
  const lines = splitLines(draft, caller);
  const known = fileTypes();
  const unknownTypes = caller === "rg"
    ? [...of("type"), ...of("typeNot")].filter(({ value }) => value !== "all" && !known.has(value))
    : [];
  const query: SearchQuery = {
    ...unfilteredQuery(lines, draft, caller),
    ...Object.fromEntries(keys.map((key) => [key, of(key).map(({ value }) => value)])),
  };
  return {
    caller,
    query,
    unknownTypes,
    paths,
    open,
    recursive: draft.recursive,
    said: Object.fromEntries(keys.map((key) => [key, of(key).map(({ said }) => said).join(" ")])),
    untracked: draft.untracked,
    ignoreFile: draft.ignoreFile,
    isAscii: areAscii(lines, draft.dialect),
    startsLines: draft.wholeLine || lines.some((line) => line.includes("^")),
    endsLines: {
      own: draft.wholeLine ||
        draft.dialect !== "fixed" && lines.some((line) => line.includes("$")),
      read: lines.some((line) => line.includes("$")),
    },
    readings: foreignReadings(lines, draft, caller),
  };
}

function checkInput(paths: readonly string[], isByDefault: boolean): void {
  if (paths.includes("-")) throw notRead("standard input");
  if (isByDefault && paths.length === 0) throw notRead("a search of standard input");
}

/** Rejects options that mean something else together. */
function checkTogether(draft: Draft, caller: BesideCaller, paths: readonly string[]): void {
  // To ugrep they are one list, in which a rule with ! brings back what an option excludes.
  const excluded = caller === "ugrep" && draft.ignore &&
    draft.filters.find(({ key }) => key === "exclude");
  if (excluded) throw notRead(`${excluded.said} with --ignore-files`);
  if (caller === "ugrep" && draft.caseInsensitive && draft.smartCase) throw notRead("-i with -j");
  if (draft.untracked && draft.ignore && paths.length > 0) {
    throw notRead("--untracked with a path");
  }
}

/** A query without its filters. */
function unfilteredQuery(
  lines: readonly string[],
  draft: Draft,
  caller: BesideCaller,
): SearchQuery {
  return {
    pattern: lines.map((line) => patternOf(line, draft, caller)),
    caseInsensitive: draft.caseInsensitive ||
      draft.smartCase && !lines.some((line) => hasCapital(line, draft.dialect)),
    wholeWord: draft.wholeWord && !hasAsciiWords(draft, caller),
    wholeLine: draft.wholeLine,
    invert: draft.invert,
    hidden: draft.hidden,
    ignore: draft.ignore,
    text: draft.text,
    follow: draft.follow,
    maxFileSize: draft.maxFileSize,
    ...(draft.filesWithoutMatch ? { filesWithoutMatch: true } : {}),
    ...(draft.maxDepth === undefined ? {} : { maxDepth: draft.maxDepth }),
  };
}

/** Whether all of the patterns are texts in ASCII; nothing where that cannot be said of all or none. */
function areAscii(lines: readonly string[], dialect: Dialect): boolean | undefined {
  if (dialect !== "fixed" && !lines.every((line) => LITERAL.test(line))) return undefined;
  const others = lines.filter((line) => /[^\0-\x7f]/.test(line)).length;
  return others === 0 || (others === lines.length ? false : undefined);
}

function hasAsciiWords({ dialect }: Draft, caller: BesideCaller): boolean {
  return caller === "git grep" || caller === "ugrep" || dialect === "perl";
}

/** A pattern in the syntax of this program. */
function patternOf(line: string, draft: Draft, caller: BesideCaller): string {
  const { caseInsensitive, dialect, wholeWord } = draft;
  const pattern = translate(line, dialect);
  // With -i, git finds nothing by it.
  if (caller === "git grep" && caseInsensitive && pattern.includes("(?-i:d)")) {
    throw notRead("\\d with -i");
  }
  return wholeWord && hasAsciiWords(draft, caller) ? `(?<!\\w)(?:${pattern})(?!\\w)` : pattern;
}

/** The operands of `git grep` that are globs, of which `*.ts` alone is read. */
function pathGlobs({ operands }: Draft, caller: BesideCaller, open: number): string[] {
  if (caller !== "git grep") return [];
  const odd = operands.find((operand) =>
    operand.startsWith(":") || /[*?[\\]/.test(operand) && !/^\*\.[\w.-]+$/.test(operand)
  );
  if (odd !== undefined) throw notRead(`the pathspec ${odd}`);
  const globs = operands.filter((operand) => operand.includes("*"));
  if (globs.length > 0 && (globs.length < operands.length || open > 0 && operands.length > 1)) {
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
    filters.some((one) => one.key === key && (one.directories !== undefined) === isDirectory);
  const isTyped = filters.some(({ key }) => key === "type" || key === "typeNot");
  if (isTyped && filters.some(({ key, value }) => key === "include" && !value.startsWith("!"))) {
    throw notRead("a type with a glob");
  }
  // The first of them decides what becomes of files that neither matches.
  if (caller !== "rg" && has("include", false) && has("exclude", false)) {
    throw notRead("--include with --exclude");
  }
  // A directory that is named is excluded, too.
  const excluded = filters.find(({ directories }) =>
    directories !== undefined &&
    paths.some((path) =>
      [path, ...path.split("/")].some((part) => shellGlob(directories).test(part))
    )
  );
  if (excluded !== undefined) throw notRead(`${excluded.said} with a path of that name`);
  const placed = filters.find(({ key, value }) =>
    caller === "rg" && key === "include" && /\/(?!$)/.test(value.replace(/^!?\*\*\//, ""))
  );
  if (placed !== undefined && paths.some((path) => !/^\.\/*$/.test(path))) {
    throw notRead(`the place in ${placed.said} with a path`);
  }
}

/** The patterns: of grep each line is one. */
function splitLines(
  { dialect, patterns, wholeWord, wholeLine }: Draft,
  caller: BesideCaller,
): string[] {
  const isWhole = wholeWord || wholeLine;
  if (caller === "GNU grep") {
    const lines = patterns.flatMap((pattern) => pattern.split("\n"));
    if (dialect === "perl" && lines.length > 1) throw notRead("more than one pattern with -P");
    return lines;
  }
  if (caller === "ugrep" && patterns.some((pattern) => isOfUgrep(pattern, dialect, isWhole))) {
    throw notRead("an escape or a class in a ugrep pattern");
  }
  if (patterns.some((pattern) => pattern.includes("\n"))) {
    throw notRead("a line break in a pattern");
  }
  return [...patterns];
}

/** Whether a pattern is one that ugrep reads in its own way, as it does escapes and classes. */
function isOfUgrep(pattern: string, dialect: Dialect, isWhole: boolean): boolean {
  return /[^ -~]/.test(pattern) ||
    dialect !== "fixed" &&
      (isWhole || dialect === "basic" ? /[\\[{^$]/ : /\\[\w<>]|\[|\{,/).test(pattern);
}

/** Whether letter case counts for a smart search; what an escape or a group names is no letter. */
function hasCapital(pattern: string, dialect: Dialect): boolean {
  const letters = dialect === "fixed" ? pattern : pattern.replace(/\\[a-zA-Z]|\(\?P?<\w+>/g, "");
  return /\p{Lu}/u.test(letters);
}

const OTHER_READINGS: Readonly<Record<Dialect, readonly (readonly [Dialect, string])[]>> = {
  basic: [["extended", "add -E"], ["perl", "add -P"], ["fixed", "add -F"]],
  extended: [["perl", "use -P"], ["basic", "use grep without -E"], ["fixed", "use -F"]],
  fixed: [["extended", "use -E in place of -F"]],
  perl: [["fixed", "use -F"]],
  rust: [["fixed", "add -F"], ["basic", "write | + ( ) { } without a backslash"]],
  ucp: [["fixed", "use -F"]],
};
const UGREP_READINGS = [["fixed", "use -F"]] as const;

function foreignReadings(
  patterns: readonly string[],
  draft: Draft,
  caller: BesideCaller,
): ForeignReading[] {
  const { dialect, wholeWord, wholeLine } = draft;
  const isWhole = wholeWord || wholeLine;
  const read = (as: Dialect) => {
    const isOdd = caller === "ugrep" && patterns.some((one) => isOfUgrep(one, as, isWhole)) ||
      // Words are other ones then.
      caller === "GNU grep" && wholeWord && (as === "perl") !== (dialect === "perl");
    if (isOdd) return undefined;
    try {
      return patterns.map((pattern) => patternOf(pattern, { ...draft, dialect: as }, caller));
    } catch {
      return undefined; // it is none in that syntax
    }
  };
  const seen = new Set([JSON.stringify(read(dialect))]);
  const readings: ForeignReading[] = [];
  for (const [as, advice] of caller === "ugrep" ? UGREP_READINGS : OTHER_READINGS[dialect]) {
    if (as === "perl" && caller === "GNU grep" && patterns.length > 1) continue;
    const said = caller === "rg" && dialect === "fixed" ? "omit -F" : advice;
    const pattern = read(caller === "rg" && dialect === "fixed" ? "rust" : as);
    if (pattern === undefined || seen.has(JSON.stringify(pattern))) continue;
    seen.add(JSON.stringify(pattern));
    readings.push({ pattern, advice: said });
  }
  return readings;
}
