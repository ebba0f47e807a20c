/**
 * The options of the search programs whose command lines are read: what each does to a search.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { EXCLUDE, GIT_IGNORE, IGNORE_FILES } from "../glob/ignore_rules.ts";
import type { FilterKey } from "../walk/listing.ts";
import type { BesideCaller } from "../search/callers.ts";
import type { Dialect } from "./foreign_pattern.ts";

/** What a command line asks for, while it is read. */
export type Draft = ReturnType<typeof draftOf>;

/** What an option does. */
type Effect = (draft: Draft, value: string, option: string) => void;

export interface Program {
  readonly caller: BesideCaller;
  readonly dialect: Dialect;
  readonly preset: Readonly<Partial<Record<DraftFlag | "isDialectGiven", boolean>>>;
  /** By spelling without dashes; `=` at the end: with a value, `?`: with one behind `=` alone. */
  readonly options: ReadonlyMap<string, Effect>;
  /** Whether options end at the first operand. */
  readonly stopsAtOperand?: true;
}

/** It changes only what is shown. */
const shows: Effect = () => {};
/** The part of a command line that is not read. */
export function notRead(part: string): PathgrepError {
  return new PathgrepError("invalid_input", `${part} is not supported`, {
    hint: "search with pathgrep itself: `pathgrep PATTERN`",
  });
}

type DraftFlag =
  | "invert"
  | "filesWithoutMatch"
  | "hidden"
  | "ignore"
  | "text"
  | "follow"
  | "recursive"
  | "untracked"
  | "caseInsensitive"
  | "smartCase"
  | "wholeWord"
  | "wholeLine";

function sets(key: DraftFlag, value = true): Effect {
  return (draft) => draft[key] = value;
}

/** A syntax, of which there may be one. */
function reads(dialect: Dialect): Effect {
  return (draft, _, option) => {
    if (draft.isDialectGiven && draft.dialect !== dialect) {
      throw notRead(`${option} with another syntax`);
    }
    Object.assign(draft, { dialect, isDialectGiven: true });
  };
}

const pattern: Effect = (draft, value) => draft.patterns.push(value);

function sized(multiples: Readonly<Record<string, number>>): Effect {
  return (draft, value, option) => {
    const [, digits, unit = ""] = /^(\d{1,12})([A-Za-z]?)$/.exec(value) ?? [];
    const multiple = unit === "" ? 1 : multiples[unit];
    if (digits === undefined || multiple === undefined) throw notRead(`${option} ${value}`);
    draft.maxFileSize = Number(digits) * multiple;
  };
}

const depth: Effect = (draft, value, option) => {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw notRead(`${option} ${value}`);
  draft.maxDepth = Number(value);
};

/** A number of lines, without which the program fails. */
const lineCount: Effect = (_, value, option) => {
  if (!/^\d+$/.test(value)) throw notRead(`${option} ${value}`);
};

/** A limit of matches, which leaves out all with 0. */
const limit: Effect = (_, value, option) => {
  if (!/^[1-9]\d*$/.test(value)) throw notRead(`${option} ${value}`);
};

function filter(key: FilterKey, read: (value: string, option: string) => string): Effect {
  return (draft, value, option) =>
    draft.filters.push({ key, value: read(value, option), said: asSaid(option, value) });
}

const excludedDirectories: Effect = (draft, value, option) => {
  const directories = value.replace(/\/+$/, "");
  const glob = `**/${nameGlob(directories, option)}/**`;
  draft.filters.push({ key: "exclude", value: glob, said: asSaid(option, value), directories });
};

function asSaid(option: string, value: string): string {
  const quoted = /^[\w.,/@%+-]+$/.test(value) ? value : `'${value}'`;
  return option.startsWith("--") ? `${option}=${quoted}` : `${option} ${quoted}`;
}

const typeName = (value: string, option: string): string => {
  if (!/^[\w+.-]+$/.test(value)) throw notRead(`${option} ${value}`);
  return value;
};

/** A glob of ripgrep, which means the same here, unless it is one of those that do not. */
const glob: Effect = (draft, value, option) => {
  const isExclude = value.startsWith("!");
  const text = isExclude ? value.slice(1) : value;
  const isOdd = /^$|^\/|\\|^!|\/\/|\/\.\/|\.\.\/|^\.\/|[@+?*!]\(|[^{,]*\{[^,{}]*\}/.test(text);
  if (isOdd || hasOddClass(text) || /,(?![^{}]*\})/.test(text) || /\{[^}]*\{/.test(text)) {
    throw notRead(`${option} ${value}`);
  }
  // One that ends with a slash is for directories alone, of which none is a file to search.
  const read = isExclude ? value : value.replace(/\/$/, "");
  draft.filters.push({ key: "include", value: read, said: asSaid(option, value) });
};

/** Whether a glob has a class that not all programs read in one way. */
function hasOddClass(glob: string): boolean {
  return /[[\]]/.test(glob.replace(/\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[\w.@#%+=~ ])+\]/g, ""));
}

/** A glob of file names as `fnmatch` reads it: braces and commas are themselves. */
function nameGlob(value: string, option: string): string {
  if (/^$|[/\\!]|[@+?*!]\(/.test(value) || hasOddClass(value)) {
    throw notRead(`${option} ${value}`);
  }
  return value.replace(/[{},]/g, "\\$&");
}

/** Such a glob is for files alone, which one for a file name extension is here, too. */
function excludeGlob(value: string, option: string): string {
  if (!/\.\w+$/.test(value)) throw notRead(`${option} ${value}`);
  return nameGlob(value, option);
}

function table(entries: Readonly<Record<string, Effect>>): Map<string, Effect> {
  return new Map(
    Object.entries(entries).flatMap(([names, effect]) =>
      names.split(" ").map((name) => [name, effect] as const)
    ),
  );
}

const unrestricted: Effect = (draft) => {
  draft.unrestricted++;
  draft.ignore = false;
  if (draft.unrestricted >= 2) draft.hidden = true;
  if (draft.unrestricted >= 3) draft.text = true;
};

const RG = table({
  "e= regexp=": pattern,
  "i ignore-case": (draft) => Object.assign(draft, { caseInsensitive: true, smartCase: false }),
  "s case-sensitive": (draft) => Object.assign(draft, { caseInsensitive: false, smartCase: false }),
  "S smart-case": (draft) => Object.assign(draft, { caseInsensitive: false, smartCase: true }),
  "F fixed-strings": reads("fixed"),
  "P pcre2": reads("ucp"),
  "w word-regexp": (draft) => Object.assign(draft, { wholeWord: true, wholeLine: false }),
  "x line-regexp": (draft) => Object.assign(draft, { wholeWord: false, wholeLine: true }),
  "v invert-match": sets("invert"),
  "files-without-match": sets("filesWithoutMatch"),
  "l files-with-matches": sets("filesWithoutMatch", false),
  "g= glob=": glob,
  "t= type=": filter("type", typeName),
  "T= type-not=": filter("typeNot", typeName),
  ". hidden": sets("hidden"),
  "no-ignore": sets("ignore", false),
  "u unrestricted": unrestricted,
  "a text binary": sets("text"),
  "L follow": sets("follow"),
  "d= max-depth= maxdepth=": depth,
  "max-filesize=": sized({ K: 1024, M: 1024 ** 2, G: 1024 ** 3 }),
  "m= max-count=": limit,
  "A= after-context= B= before-context= C= context= M= max-columns= j= threads=": lineCount,
  "r= replace= color= colors= sort= sortr=": shows,
  "n line-number N no-line-number H with-filename I no-filename heading no-heading": shows,
  "c count count-matches o only-matching json vimgrep p pretty q quiet stats 0 null": shows,
  "b byte-offset column no-column trim mmap no-mmap no-messages line-buffered": shows,
  "max-columns-preview no-config": shows,
});

/** What grep and ugrep have in common. */
const GREP_FAMILY: Readonly<Record<string, Effect>> = {
  "e= regexp=": pattern,
  "G basic-regexp": reads("basic"),
  "F fixed-strings": reads("fixed"),
  "w word-regexp": sets("wholeWord"),
  "x line-regexp": sets("wholeLine"),
  "r recursive": sets("recursive"),
  "R dereference-recursive": (draft) => Object.assign(draft, { recursive: true, follow: true }),
  "L files-without-match": sets("filesWithoutMatch"),
  "l files-with-matches": sets("filesWithoutMatch", false),
  "a text": sets("text"),
  "include=": filter("include", nameGlob),
  "exclude=": filter("exclude", excludeGlob),
  "exclude-dir=": excludedDirectories,
  "m= max-count=": limit,
  "A= after-context= B= before-context= C= context=": lineCount,
  "color? colour?": shows,
  "n line-number H with-filename h no-filename c count o only-matching q quiet silent": shows,
};

const GREP = table({
  ...GREP_FAMILY,
  "i ignore-case y": sets("caseInsensitive"),
  "E extended-regexp": reads("extended"),
  "P perl-regexp": reads("perl"),
  "v invert-match": sets("invert"),
  "I": sets("text", false),
  "binary-files=": (draft, value, option) => {
    if (!/^(?:binary|text|without-match)$/.test(value)) throw notRead(`${option}=${value}`);
    draft.text = value !== "without-match";
  },
  "s no-messages b byte-offset T initial-tab Z null line-buffered": shows,
});

const GIT_GREP = table({
  "e=": pattern,
  "i ignore-case": sets("caseInsensitive"),
  "G basic-regexp": reads("basic"),
  "E extended-regexp": reads("extended"),
  "F fixed-strings": reads("fixed"),
  "P perl-regexp": reads("perl"),
  "w word-regexp": sets("wholeWord"),
  "v invert-match": sets("invert"),
  "L files-without-match": sets("filesWithoutMatch"),
  "l files-with-matches name-only": sets("filesWithoutMatch", false),
  "a text": sets("text"),
  "I": sets("text", false),
  "untracked": sets("untracked"),
  "no-exclude-standard": sets("ignore", false),
  "exclude-standard": sets("ignore"),
  "m= max-count=": limit,
  "A= after-context= B= before-context= C= context= threads=": lineCount,
  "color?": shows,
  "n line-number h H full-name column c count o only-matching q quiet z null break": shows,
  "heading p show-function W function-context no-color r recursive ": shows,
});

const UGREP = table({
  ...GREP_FAMILY,
  "i ignore-case": sets("caseInsensitive"),
  "j smart-case": sets("smartCase"),
  "I ignore-binary": sets("text", false),
  ". hidden": sets("hidden"),
  "ignore-files?": (draft, value, option) => {
    const name = value || GIT_IGNORE;
    const isRead = IGNORE_FILES.includes(name) && name !== EXCLUDE &&
      (draft.ignoreFile ?? name) === name;
    if (!isRead) throw notRead(`${option}=${name}`);
    Object.assign(draft, { ignore: true, ignoreFile: name });
  },
  "no-ignore-files": (draft) => Object.assign(draft, { ignore: false, ignoreFile: undefined }),
  "s no-messages b byte-offset T initial-tab heading no-heading": shows,
});

const GREP_PRESET = { hidden: true, ignore: false, text: true };
const BASIC_GREP: Program = {
  caller: "GNU grep",
  dialect: "basic",
  preset: GREP_PRESET,
  options: GREP,
};

/** The programs by name; `git` stands for `git grep`. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  rg: {
    caller: "rg",
    dialect: "rust",
    preset: { recursive: true },
    options: RG,
  },
  grep: BASIC_GREP,
  egrep: { ...BASIC_GREP, dialect: "extended", preset: { ...GREP_PRESET, isDialectGiven: true } },
  fgrep: { ...BASIC_GREP, dialect: "fixed", preset: { ...GREP_PRESET, isDialectGiven: true } },
  git: {
    caller: "git grep",
    dialect: "basic",
    preset: { recursive: true, hidden: true, text: true },
    options: GIT_GREP,
    stopsAtOperand: true,
  },
  ugrep: {
    caller: "ugrep",
    dialect: "extended",
    preset: { ignore: false, text: true },
    options: UGREP,
  },
};

interface FilterOption {
  key: FilterKey;
  value: string;
  said: string;
  /** The glob of directories, where they are excluded. */
  directories?: string;
}

/** The draft of a program's command line without options. */
export function draftOf({ dialect, preset }: Pick<Program, "dialect" | "preset">) {
  return {
    patterns: [] as string[],
    dialect,
    isDialectGiven: false,
    operands: [] as string[],
    recursive: false,
    caseInsensitive: false,
    smartCase: false,
    wholeWord: false,
    wholeLine: false,
    invert: false,
    filesWithoutMatch: false,
    hidden: false,
    ignore: true,
    /** Whether matches in binary files are reported. */
    text: false,
    follow: false,
    maxDepth: undefined as number | undefined,
    maxFileSize: 0,
    /** Globs and types, and how the command line names each. */
    filters: [] as FilterOption[],
    /** `git grep`: files that are not tracked are searched, too. */
    untracked: false,
    ignoreFile: undefined as string | undefined,
    unrestricted: 0,
    ...preset,
  };
}
