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
  /** An option that the flag turns off, whether it is given or undone. */
  readonly clears?: "caseInsensitive" | "smartCase";
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
  /** The value of a flag without one; then a value has to be attached: `--name=value`. */
  readonly alone?: Word;
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
  readonly flag?: QueryFlag;
  readonly tool?: ToolKey;
}

/** An option as its row spells it: `-C --context N: show N lines around each match`. */
export interface Spelled {
  /** The long name, without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Further spellings, with their dashes. */
  readonly aliases: readonly string[];
  /** What its value is called, if it takes one. */
  readonly value?: string;
  /** A few words; a default worth saying is added, unless they say it. */
  readonly help: string;
}

/** A flag of the command line. */
interface QueryFlag extends Spelled {
  readonly group: HelpGroup;
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
interface ToolKey {
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

export const DEFINITION_FORMATS = ["json-schema", "mcp", "anthropic", "openai", "gemini"] as const;

/** The host that the definitions are for. */
export type DefinitionFormat = "json-schema" | "mcp" | "anthropic" | "openai" | "gemini";

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

const STRINGS = { kind: "strings" } as const;
const OFF = { kind: "boolean", default: false } as const;
const ON = { kind: "boolean", default: true } as const;
const whole = (min: number, preset: number) => ({ kind: "whole", min, default: preset }) as const;
const choice = <const Words extends readonly string[]>(
  choices: Words,
  preset: Words[number] = choices[0]!,
) => ({ kind: "choice", choices, default: preset }) as const;

/** What makes a key of these tools, from its description and what else there is to say of it. */
const keyOf =
  <const Of extends readonly ToolName[]>(of: Of) =>
  <const More extends Partial<ToolKey> = object>(description: string, more?: More) =>
    ({ of, description, ...more }) as { of: Of; description: string } & More;
const grep = keyOf(["grep"]);
const both = keyOf(["grep", "glob"]);

/**
 * A row of the table.
 *
 * @param kind what is accepted, and what holds when nothing is given
 * @param flag its group in help, how it is spelled, and its help; empty: it has no flag
 */
function row<const Kind extends QueryOption, const Tool extends ToolKey = never>(
  kind: Kind,
  flag: `${HelpGroup} -${string}: ${string}` | "" = "",
  tool?: Tool,
): Kind & { readonly flag?: QueryFlag } & ([Tool] extends [never] ? object : { tool: Tool }) {
  const at = flag.indexOf(" -");
  const group = flag.slice(0, at) as HelpGroup;
  return {
    ...kind,
    ...(flag === "" ? {} : { flag: { group, ...spelled(flag.slice(at + 1)) } }),
    ...(tool === undefined ? {} : { tool }),
  } as ReturnType<typeof row<Kind, Tool>>;
}

/** Reads how an option is spelled: its letter, its name, further spellings, its value, and its help. */
export function spelled(text: string): Spelled {
  const end = `${text}: `.indexOf(": ");
  const words = text.slice(0, end).split(" ");
  const short = words[0]!.length === 2 ? words.shift()!.slice(1) : undefined;
  const value = words.at(-1)!.startsWith("-") ? undefined : words.pop()!;
  const [name = "", ...aliases] = words;
  return {
    name: name.slice(2),
    ...(short !== undefined && { short }),
    aliases,
    ...(value !== undefined && { value }),
    help: text.slice(end + 2),
  };
}

/** Every option of a query, in the order in which messages list them. */
export const QUERY_OPTIONS = {
  pattern: row(
    STRINGS,
    "",
    grep("JavaScript regular expression, matched line by line.", {
      required: true,
      notEmpty: true,
      maxItems: MAX_ITEMS,
      more: grep("More patterns; any may match."),
    }),
  ),
  path: row(
    STRINGS,
    "",
    both(
      "The path to search within: a directory (searched recursively) or a file (only that file " +
        "is searched). Absolute or relative to the workspace. If omitted, all workspace " +
        "directories are searched.",
      { maxItems: MAX_ITEMS, more: grep("More paths.") },
    ),
  ),
  include: row(
    STRINGS,
    "Files -g --include --glob GLOB: search only files that match; `!GLOB` excludes; repeatable",
    grep("Glob of files: *.ts or src/**/*.{ts,tsx}; commas separate several, ! excludes.", {
      blankIsAbsent: true,
    }),
  ),
  exclude: row(
    STRINGS,
    "Files --exclude GLOB: exclude files and directories that match; repeatable",
    grep("Glob of files to exclude.", { blankIsAbsent: true }),
  ),
  type: row(
    STRINGS,
    "Files -t --type NAME: search only files of this type, as in ripgrep; repeatable",
    grep("As in ripgrep, such as ts.", { blankIsAbsent: true }),
  ),
  typeNot: row(STRINGS, "Files -T --type-not NAME: exclude files of this type; repeatable"),
  outputMode: row(
    choice(["content", "file", "count", "values"]),
    "Entries --output-mode MODE: what to return: lines, files, lines per file, or each different match",
    grep("Lines (default), files, lines per file, or distinct matches with counts."),
  ),
  engine: row(
    choice(["auto", "js", "rg", "git", "grep"]),
    "Engine --engine NAME: which program to search with; the answer is the same",
  ),
  caseInsensitive: row(
    { ...OFF, clears: "smartCase" },
    "Matching -i --ignore-case -y --case-insensitive: ignore letter case",
    grep("Ignore letter case."),
  ),
  smartCase: row(
    { ...OFF, clears: "caseInsensitive" },
    "Matching -S --smart-case: like -i, unless the pattern has a capital letter",
  ),
  fixedStrings: row(
    OFF,
    "Matching -F --fixed-strings: search for plain text, not a regular expression",
    grep("Pattern is plain text."),
  ),
  wholeWord: row(
    OFF,
    "Matching -w --word-regexp --whole-word: match whole words only",
    grep("Whole words only."),
  ),
  wholeLine: row(OFF, "Matching -x --line-regexp --whole-line: match whole lines only"),
  invert: row(
    OFF,
    "Matching -v --invert-match --invert: select lines that do not match",
    grep("Lines that do not match."),
  ),
  multiline: row(
    OFF,
    "Matching -U --multiline: let a match span lines",
    grep("A match may span lines."),
  ),
  onlyMatching: row(
    OFF,
    "Entries -o --only-matching: only the matched text, one entry per match",
    grep("Only the matched text."),
  ),
  filesWithoutMatch: row(OFF, "", grep("Files without a match.")),
  context: row(
    whole(0, 0),
    "Entries -C --context N: show N lines before and after each match",
    grep("Lines around each match."),
  ),
  before: row(
    { ...whole(0, 0), fallback: "context" },
    "Entries -B --before-context --before N: show N lines before each match",
    grep("Lines before each match."),
  ),
  after: row(
    { ...whole(0, 0), fallback: "context" },
    "Entries -A --after-context --after N: show N lines after each match",
    grep("Lines after each match."),
  ),
  maxCount: row(
    whole(1, Infinity),
    "Entries -m --max-count N: return at most N matching lines per file",
    grep("Maximum lines per file."),
  ),
  maxResults: row(
    whole(0, 1000),
    "Answer --max-results N: return at most N entries; 0: no limit",
    both("Maximum entries.", { minimum: 1 }),
  ),
  onOverflow: row(
    choice(["error", "truncate"]),
    "Answer --on-overflow WHAT: what to do with more entries; default: error (text: truncate at a terminal, else no cap)",
  ),
  offset: row(
    whole(0, 0),
    "Answer --offset N: skip the first N entries; implies --on-overflow truncate",
    both("Entries to skip."),
  ),
  maxFileSize: row(
    { ...whole(0, 1_048_576), kind: "bytes" },
    "Files --max-file-size --max-filesize BYTES: skip larger files; 0: no limit",
  ),
  encoding: row(
    { kind: "label", default: "utf-8", labels: ENCODING_LABELS },
    "Files --encoding NAME: encoding of files that are neither UTF-8 nor marked as UTF-16, such as gbk",
    grep("Such as gbk, for what is not UTF-8.", { blankIsAbsent: true }),
  ),
  text: row(
    OFF,
    "Files -a --text: search binary files as text",
    grep("Binary files too, as text.", { name: "search_binary" }),
  ),
  maxLineLength: row(
    whole(0, 2000),
    "Entries -M --max-line-length --max-columns CHARS: cut longer lines around the match; 0: no limit",
  ),
  maxOutputChars: row(
    whole(1, Infinity),
    "Answer --max-output-chars N: return at most N characters in all",
    both("Maximum characters (default 40000).", {
      minimum: 1000,
      maximum: 1_000_000,
      default: 40_000,
    }),
  ),
  maxDepth: row(
    whole(0, Infinity),
    "Files -d --max-depth --maxdepth N: descend at most N directory levels",
  ),
  timeout: row(
    whole(0, 30_000),
    "Running --timeout MS: end after MS milliseconds, or a time such as 5s; 0: no limit",
  ),
  sort: row(
    choice(["path", "modified", "none"]),
    "Answer --sort ORDER: how to order entries: by path (its bytes), newest first, or as found",
    grep("modified: newest files first."),
  ),
  hidden: row(ON, "Files --no-hidden: skip hidden files and directories"),
  ignore: row(ON, "Files --no-ignore: search ignored files too", grep("Search ignored files too.")),
  follow: row(
    OFF,
    "Files --follow: follow symbolic links within the workspace",
    grep("Follow symbolic links."),
  ),
  everything: row(
    OFF,
    "Files --everything: search all that is allowed: ignored, binary and gzip files, any size and encoding, links, git worktrees; -uuu",
    grep("Ignored, binary, gzip, any size or encoding, links."),
  ),
  showFunction: row(
    { ...choice(["auto", "never", "always"], "never"), alone: "always" },
    "Entries --show-function WHEN: name the function, type or heading around each match; alone: always",
    grep("What encloses a match, as 12=line; auto: up to 30.", { default: "auto" }),
  ),
  column: row(OFF, "Entries --column: add the column of each match"),
  paths: row(
    choice(["absolute", "relative"]),
    "Answer --paths FORM: how to write file names; default: absolute, in text relative",
    both("File names: absolute (default) or relative to the workspace."),
  ),
  explain: row(
    { ...choice(["auto", "never"], "never"), booleans: ["auto", "never"] },
    "Answer --explain WHEN: whether to explain an empty answer; in text on standard error; default: auto",
  ),
  stats: row(OFF, "Answer --stats: report what was searched and skipped"),
  allow: row(
    STRINGS,
    "Allowed paths --allow GLOB: allow matching paths that are blocked or outside; repeatable",
  ),
  deny: row(
    STRINGS,
    "Allowed paths --deny GLOB: block matching paths; wins over --allow; repeatable",
  ),
} satisfies Rows;

/** Every key, in the order of the table. */
export const QUERY_KEYS = Object.keys(QUERY_OPTIONS) as readonly QueryKey[];

/** A key whose value is strings. */
export type StringsKey = {
  [Key in QueryKey]: (typeof QUERY_OPTIONS)[Key] extends StringsOption ? Key : never;
}[QueryKey];

export const STRINGS_KEYS = QUERY_KEYS.filter((key): key is StringsKey =>
  QUERY_OPTIONS[key].kind === "strings"
);
