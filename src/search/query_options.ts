/**
 * The options of a query, one row each: what is accepted, the default, the flag of the command line
 * and the key of the tools. Checks, flags, help, completions and schemas are made from this table.
 * What a key means to callers of the library is documented in {@linkcode SearchQuery}.
 *
 * @module
 */

import type { SearchQuery } from "./query.ts";

/** An option of a query, by its key in the library. */
export type QueryKey = keyof SearchQuery;

/** Strings, any number of them; none unless given. */
export interface StringsOption extends Names {
  readonly kind: "strings";
}

/** True or false. What is on unless turned off has a flag and a tool key that begin with `no`. */
export interface BooleanOption extends Names {
  readonly kind: "boolean";
  readonly default: boolean;
}

/** A whole number; in `bytes`, the flag takes K, M and G. */
export interface NumberOption extends Names {
  readonly kind: "whole" | "bytes";
  /** The least that is accepted. */
  readonly min: number;
  /** `Infinity` is no limit. */
  readonly default: number;
  /** The option that counts when this one is not given; its row comes first. */
  readonly fallback?: "context";
}

/** One of a few words. */
export interface ChoiceOption<Word extends string = string> extends Names {
  readonly kind: "choice";
  readonly choices: readonly Word[];
  readonly default: Word;
  /** The words that `true` and `false` stand for in the library. @default neither is accepted */
  readonly booleans?: readonly [whenTrue: Word, whenFalse: Word];
}

/** A label of the Encoding Standard. */
export interface LabelOption extends Names {
  readonly kind: "label";
  readonly default: "utf-8";
  /** Those to suggest. */
  readonly labels: readonly string[];
}

export type QueryOption = StringsOption | BooleanOption | NumberOption | ChoiceOption | LabelOption;

/** How an option is given outside the library. */
interface Names {
  readonly flag?: FlagNames;
  readonly tool?: ToolKey;
}

/** A flag of the command line. */
export interface FlagNames {
  readonly group: HelpGroup;
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Further spellings, with their dashes. */
  readonly aliases?: readonly string[];
  readonly value?: string;
  /** The value that it has without one; then a value has to be attached: `--name=value`. */
  readonly alone?: string;
  /** A few words; a default worth saying is added, unless they say it. */
  readonly help: string;
  /** What holds on the command line when it is not given. @default the default of the option */
  readonly preset?: string;
  /** An option that it turns off, whether it is given or undone. */
  readonly clears?: "caseInsensitive" | "smartCase";
}

/** The titles that options of a query are listed under in the help text. */
export type HelpGroup =
  | "Matching"
  | "Files"
  | "Allowed paths"
  | "Entries"
  | "Answer"
  | "Running"
  | "Engine";

/** A key in the input of tools: the option's own in snake_case, unless it has another name there. */
export interface ToolKey {
  /** What it is called in tools. @default the option's own name */
  readonly name?: string;
  /** The tools that have it. */
  readonly of: readonly ToolName[];
  /** What it is for, to the model. */
  readonly description: string;
  /** Whether a call must have it. @default false */
  readonly required?: true;
  /** Whether the empty text is refused. @default false */
  readonly notEmpty?: true;
  /** Whether blank text counts as absent. @default false */
  readonly blankIsAbsent?: true;
  /** The least and the most that tools accept. @default the option's */
  readonly minimum?: number;
  readonly maximum?: number;
  /** What holds in tools when nothing is given. @default the option's */
  readonly default?: number | string;
  /** Items that a list in place of one string may have; absent: none is taken. */
  readonly maxItems?: number;
  /** What the key for further strings is for, where that is published. */
  readonly more?: { readonly of: readonly ToolName[]; readonly description: string };
}

/** The host that the definitions are for. */
export type DefinitionFormat = "json-schema" | "mcp" | "anthropic" | "openai" | "gemini";

export const DEFINITION_FORMATS: readonly DefinitionFormat[] = [
  "json-schema",
  "mcp",
  "anthropic",
  "openai",
  "gemini",
];

/** The tools that search. */
export type ToolName = "grep" | "glob";

/** The most patterns or paths in one call of a tool. */
export const MAX_ITEMS = 20;

/** The row that a key of the library needs, by the type of its value. */
type RowOf<Value> = readonly string[] extends Value ? StringsOption
  : string extends Value ? LabelOption
  : [Value] extends [boolean] ? BooleanOption
  : [Value] extends [number] ? NumberOption
  : ChoiceOption<Value & string>;

type Rows = { readonly [Key in QueryKey]-?: RowOf<NonNullable<SearchQuery[Key]>> };

/** The names of the Encoding Standard, and labels that are used as often. */
const ENCODING_LABELS = (
  "utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 " +
  "iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u " +
  "macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 " +
  "windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp " +
  "shift_jis euc-kr utf-16be utf-16le latin1 iso-8859-1 iso-8859-9 ascii gb2312 sjis ms_kanji ks_c_5601-1987"
).split(" ");

const OFF = { kind: "boolean", default: false } as const;
const FROM_0 = { kind: "whole", min: 0 } as const;

/** Every option of a query, in the order in which messages list them. */
export const QUERY_OPTIONS = {
  pattern: {
    kind: "strings",
    tool: {
      of: ["grep"],
      required: true,
      notEmpty: true,
      maxItems: MAX_ITEMS,
      more: { of: ["grep"], description: "More patterns; any may match." },
      description: "JavaScript regular expression, matched line by line.",
    },
  },
  path: {
    kind: "strings",
    tool: {
      of: ["grep", "glob"],
      maxItems: MAX_ITEMS,
      description:
        "The path to search within: a directory (searched recursively) or a file (only that file " +
        "is searched). Absolute or relative to the workspace. If omitted, all workspace " +
        "directories are searched.",
      more: { of: ["grep"], description: "More paths." },
    },
  },
  include: {
    kind: "strings",
    flag: {
      group: "Files",
      name: "include",
      short: "g",
      aliases: ["--glob"],
      value: "GLOB",
      help: "search only files that match; `!GLOB` excludes; repeatable",
    },
    tool: {
      of: ["grep"],
      blankIsAbsent: true,
      description: "Glob of files: *.ts or src/**/*.{ts,tsx}; commas separate several, ! excludes.",
    },
  },
  exclude: {
    kind: "strings",
    flag: {
      group: "Files",
      name: "exclude",
      value: "GLOB",
      help: "exclude files and directories that match; repeatable",
    },
    tool: { of: ["grep"], blankIsAbsent: true, description: "Glob of files to exclude." },
  },
  type: {
    kind: "strings",
    flag: {
      group: "Files",
      name: "type",
      short: "t",
      value: "NAME",
      help: "search only files of this type, as in ripgrep; repeatable",
    },
    tool: {
      of: ["grep"],
      blankIsAbsent: true,
      description: "As in ripgrep, such as ts.",
    },
  },
  typeNot: {
    kind: "strings",
    flag: {
      group: "Files",
      name: "type-not",
      short: "T",
      value: "NAME",
      help: "exclude files of this type; repeatable",
    },
  },
  outputMode: {
    kind: "choice",
    choices: ["content", "file", "count"],
    default: "content",
    flag: {
      group: "Entries",
      name: "output-mode",
      value: "MODE",
      help: "what to return: matching lines, files, or matching lines per file",
    },
    tool: {
      of: ["grep"],
      description: "Lines (default), files, or lines counted per file.",
    },
  },
  engine: {
    kind: "choice",
    choices: ["auto", "js", "rg", "git", "grep"],
    default: "auto",
    flag: {
      group: "Engine",
      name: "engine",
      value: "NAME",
      help: "which program to search with; the answer is the same",
    },
  },
  caseInsensitive: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "ignore-case",
      short: "i",
      aliases: ["-y", "--case-insensitive"],
      help: "ignore letter case",
      clears: "smartCase",
    },
    tool: { of: ["grep"], description: "Ignore letter case." },
  },
  smartCase: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "smart-case",
      short: "S",
      help: "like -i, unless the pattern has a capital letter",
      clears: "caseInsensitive",
    },
  },
  fixedStrings: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "fixed-strings",
      short: "F",
      help: "search for plain text, not a regular expression",
    },
    tool: { of: ["grep"], description: "Pattern is plain text." },
  },
  wholeWord: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "word-regexp",
      short: "w",
      aliases: ["--whole-word"],
      help: "match whole words only",
    },
    tool: { of: ["grep"], description: "Whole words only." },
  },
  wholeLine: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "line-regexp",
      short: "x",
      aliases: ["--whole-line"],
      help: "match whole lines only",
    },
  },
  invert: {
    ...OFF,
    flag: {
      group: "Matching",
      name: "invert-match",
      short: "v",
      aliases: ["--invert"],
      help: "select lines that do not match",
    },
    tool: { of: ["grep"], description: "Lines that do not match." },
  },
  multiline: {
    ...OFF,
    flag: { group: "Matching", name: "multiline", short: "U", help: "let a match span lines" },
    tool: { of: ["grep"], description: "A match may span lines." },
  },
  onlyMatching: {
    ...OFF,
    flag: {
      group: "Entries",
      name: "only-matching",
      short: "o",
      help: "only the matched text, one entry per match",
    },
    tool: { of: ["grep"], description: "Only the matched text." },
  },
  filesWithoutMatch: { ...OFF, tool: { of: ["grep"], description: "Files without a match." } },
  context: {
    ...FROM_0,
    default: 0,
    flag: {
      group: "Entries",
      name: "context",
      short: "C",
      value: "N",
      help: "show N lines before and after each match",
    },
    tool: { of: ["grep"], description: "Lines around each match." },
  },
  before: {
    ...FROM_0,
    default: 0,
    fallback: "context",
    flag: {
      group: "Entries",
      name: "before-context",
      short: "B",
      aliases: ["--before"],
      value: "N",
      help: "show N lines before each match",
    },
    tool: { of: ["grep"], description: "Lines before each match." },
  },
  after: {
    ...FROM_0,
    default: 0,
    fallback: "context",
    flag: {
      group: "Entries",
      name: "after-context",
      short: "A",
      aliases: ["--after"],
      value: "N",
      help: "show N lines after each match",
    },
    tool: { of: ["grep"], description: "Lines after each match." },
  },
  maxCount: {
    kind: "whole",
    min: 1,
    default: Infinity,
    flag: {
      group: "Entries",
      name: "max-count",
      short: "m",
      value: "N",
      help: "return at most N matching lines per file",
    },
    tool: { of: ["grep"], description: "Maximum lines per file." },
  },
  maxResults: {
    ...FROM_0,
    default: 1000,
    flag: {
      group: "Answer",
      name: "max-results",
      value: "N",
      help: "return at most N entries; 0: no limit",
    },
    tool: {
      of: ["grep", "glob"],
      minimum: 1,
      description: "Maximum entries.",
    },
  },
  onOverflow: {
    kind: "choice",
    choices: ["error", "truncate"],
    default: "error",
    flag: {
      group: "Answer",
      name: "on-overflow",
      value: "WHAT",
      preset: "error (text: truncate at a terminal, else no cap)",
      help: "what to do with more entries",
    },
  },
  offset: {
    ...FROM_0,
    default: 0,
    flag: {
      group: "Answer",
      name: "offset",
      value: "N",
      help: "skip the first N entries; implies --on-overflow truncate",
    },
    tool: { of: ["grep", "glob"], description: "Entries to skip." },
  },
  maxFileSize: {
    kind: "bytes",
    min: 0,
    default: 1_048_576,
    flag: {
      group: "Files",
      name: "max-file-size",
      aliases: ["--max-filesize"],
      value: "BYTES",
      help: "skip larger files; 0: no limit",
    },
  },
  encoding: {
    kind: "label",
    default: "utf-8",
    labels: ENCODING_LABELS,
    flag: {
      group: "Files",
      name: "encoding",
      value: "NAME",
      help: "encoding of files that are neither UTF-8 nor marked as UTF-16, such as gbk",
    },
    tool: {
      of: ["grep"],
      blankIsAbsent: true,
      description: "Encoding of non-UTF-8 files, such as gbk.",
    },
  },
  text: {
    ...OFF,
    flag: { group: "Files", name: "text", short: "a", help: "search binary files as text" },
    tool: { of: ["grep"], name: "search_binary", description: "Binary files too, as text." },
  },
  maxLineLength: {
    ...FROM_0,
    default: 2000,
    flag: {
      group: "Entries",
      name: "max-line-length",
      short: "M",
      aliases: ["--max-columns"],
      value: "CHARS",
      help: "cut longer lines around the match; 0: no limit",
    },
  },
  maxOutputChars: {
    kind: "whole",
    min: 1,
    default: Infinity,
    flag: {
      group: "Answer",
      name: "max-output-chars",
      value: "N",
      help: "return at most N characters in all",
    },
    tool: {
      of: ["grep", "glob"],
      minimum: 1000,
      maximum: 1_000_000,
      default: 40_000,
      description: "Maximum characters (default 40000).",
    },
  },
  maxDepth: {
    ...FROM_0,
    default: Infinity,
    flag: {
      group: "Files",
      name: "max-depth",
      short: "d",
      aliases: ["--maxdepth"],
      value: "N",
      help: "descend at most N directory levels",
    },
  },
  timeout: {
    ...FROM_0,
    default: 30_000,
    flag: {
      group: "Running",
      name: "timeout",
      value: "MS",
      help: "fail after so many milliseconds, or after a time such as 5s; 0: no limit",
    },
  },
  sort: {
    kind: "choice",
    choices: ["path", "modified", "none"],
    default: "path",
    flag: {
      group: "Answer",
      name: "sort",
      value: "ORDER",
      help: "how to order entries: by path (its bytes), newest first, or as found",
    },
    tool: {
      of: ["grep"],
      description: "modified: newest files first.",
    },
  },
  hidden: {
    kind: "boolean",
    default: true,
    flag: { group: "Files", name: "no-hidden", help: "skip hidden files and directories" },
  },
  ignore: {
    kind: "boolean",
    default: true,
    flag: { group: "Files", name: "no-ignore", help: "search ignored files too" },
    tool: { of: ["grep"], description: "Search ignored files too." },
  },
  follow: {
    ...OFF,
    flag: {
      group: "Files",
      name: "follow",
      help: "follow symbolic links within the workspace",
    },
    tool: { of: ["grep"], description: "Follow symbolic links." },
  },
  showFunction: {
    kind: "choice",
    choices: ["auto", "never", "always"],
    default: "never",
    flag: {
      group: "Entries",
      name: "show-function",
      value: "WHEN",
      alone: "always",
      help: "name the function, type or heading around each match; alone: always",
    },
    tool: {
      of: ["grep"],
      default: "auto",
      description: "What encloses a match, as 12=line; auto: up to 30.",
    },
  },
  column: {
    ...OFF,
    flag: { group: "Entries", name: "column", help: "add the column of each match" },
  },
  paths: {
    kind: "choice",
    choices: ["absolute", "relative"],
    default: "absolute",
    flag: {
      group: "Answer",
      name: "paths",
      value: "FORM",
      preset: "absolute, in text relative",
      help: "how to write file names",
    },
    tool: {
      of: ["grep", "glob"],
      description: "File names: absolute (default) or relative to the workspace.",
    },
  },
  explain: {
    kind: "choice",
    choices: ["auto", "never"],
    default: "never",
    booleans: ["auto", "never"],
    flag: {
      group: "Answer",
      name: "explain",
      value: "WHEN",
      preset: "auto",
      help: "whether to explain an empty answer; in text on standard error",
    },
  },
  stats: {
    ...OFF,
    flag: { group: "Answer", name: "stats", help: "report what was searched and skipped" },
  },
  allow: {
    kind: "strings",
    flag: {
      group: "Allowed paths",
      name: "allow",
      value: "GLOB",
      help: "allow matching paths that the guard refuses; repeatable",
    },
  },
  deny: {
    kind: "strings",
    flag: {
      group: "Allowed paths",
      name: "deny",
      value: "GLOB",
      help: "block matching paths; wins over --allow; repeatable",
    },
  },
} as const satisfies Rows;

/** Every key, in the order of the table. */
export const QUERY_KEYS = Object.keys(QUERY_OPTIONS) as readonly QueryKey[];

/** A key whose value is strings. */
export type StringsKey = {
  [Key in QueryKey]: (typeof QUERY_OPTIONS)[Key] extends StringsOption ? Key : never;
}[QueryKey];

export const STRINGS_KEYS = QUERY_KEYS.filter((key): key is StringsKey =>
  QUERY_OPTIONS[key].kind === "strings"
);
