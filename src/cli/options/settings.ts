/**
 * The settings that a command line gives, and what an option is that gives one: its names, its value and what it
 * sets. Parsing, help, completions and error messages are all made from this description.
 *
 * @module
 */

import type { Note, NoteOrText } from "../../notes/words.ts";
import type { SearchQuery } from "../../query/query.ts";
import {
  type DefinitionFormat,
  type Spelled,
  spelled,
  STRINGS_KEYS,
  type StringsKey,
} from "../../query/query_options.ts";
import type { LineStyle } from "../../answer/text_lines.ts";
import { standardError, standardInput } from "../../system/platform.ts";
import { printable, shortened } from "../../util/text.ts";

/** How an answer is written. */
export type Format = "json" | "jsonl" | "text";

/** What `--format` takes. */
export const FORMATS = ["auto", "json", "jsonl", "text"] as const;

/** A query under construction: everything that may be given several times is a list. */
export type CliQuery = Omit<SearchQuery, StringsKey> & Record<StringsKey, string[]>;

/** How text is laid out. */
export interface TextStyle
  extends Required<Pick<LineStyle, "heading" | "filename" | "lineNumber" | "nul" | "everyMatch">> {
  color: "auto" | "always" | "never";
  hyperlinks: "auto" | "never";
}

/** What `serve` can do besides running in the foreground. */
export type ServeAction = "background" | "status" | "stop";

export interface Settings {
  query: CliQuery;
  /** Workspace roots as given; none is the current directory. */
  workspace: string[];
  givenFormat?: Format | "auto";
  /** The format of the answer, as `settledFormat` has it. */
  format: Format;
  text: TextStyle;
  /** Lines are given without the white space that they begin with. */
  trim: boolean;
  listFiles: boolean;
  patternFiles: string[];
  /** How often `-u` was given. */
  unrestricted: number;
  /** Globs of files to search, whose letters match in either case. */
  foldedGlobs: string[];
  /** Whether a person may be asked for a permission. */
  prompt: "auto" | "never";
  /** Whether a resident search answers where one runs. */
  resident: "auto" | "never";
  /** `serve`: the actions given; none runs it in the foreground. */
  serve: ServeAction[];
  /** `serve`: minutes without a search after which it ends. */
  idle: number;
  /** `mcp` and `serve`: megabytes of the cache, at most. @default their own */
  cacheMb?: number;
  /** Only the exit status counts. */
  quiet: boolean;
  help: boolean;
  version: boolean;
  typeList: boolean;
  /** `resolve`: what the path is for. */
  as: "search" | "file" | "dir" | "project";
  field: string;
  definitions: DefinitionFormat;
  /** `tools` and `mcp`: the names of the tools; none is the default ones. */
  tools: string[];
  /** `tools` and `mcp`: answers have structure and a schema. */
  structured: boolean;
  /** `tools` and `mcp`: definitions have keys of clients. */
  meta: boolean;
  /** Milliseconds of the time limit that are gone before the search begins. */
  spent: number;
  /** What was read differently than given, for the caller. */
  notes: NoteOrText[];
}

export function defaultSettings(): Settings {
  const lists = STRINGS_KEYS.map((key) => [key, [] as string[]]);
  return {
    query: Object.fromEntries(lists) as Record<StringsKey, string[]>,
    workspace: [],
    format: "json",
    text: {
      heading: false,
      filename: true,
      lineNumber: true,
      nul: false,
      everyMatch: false,
      color: "auto",
      hyperlinks: "auto",
    },
    trim: false,
    listFiles: false,
    patternFiles: [],
    unrestricted: 0,
    foldedGlobs: [],
    prompt: "auto",
    resident: "auto",
    serve: [],
    idle: 30,
    quiet: false,
    help: false,
    version: false,
    typeList: false,
    as: "search",
    field: "path",
    definitions: "json-schema",
    tools: [],
    structured: false,
    meta: true,
    spent: 0,
    notes: [],
  };
}

/** Takes what the environment wants unless an option decides: `--format`, or one that lays out text. */
export function preferFormat(settings: Settings, preferred = ""): void {
  const { givenFormat, notes, text } = settings;
  if (preferred === "" || givenFormat !== undefined || layoutIn(text).length > 0) return;
  const format = FORMATS.find((each) => each === preferred);
  if (format !== undefined) settings.givenFormat = format;
  else {notes.push({
      reason: "format_ignored",
      values: { format: printable(shortened(preferred, 50)) },
    });}
}

/**
 * The format that was asked for; else text, if an option lays out text or a person reads, and JSON for
 * programs.
 *
 * @param isForPerson whether standard output is a terminal, or the host wants text
 */
export function settledFormat(
  { givenFormat = "auto", text }: Settings,
  isForPerson: boolean,
): Format {
  if (givenFormat !== "auto") return givenFormat;
  return isForPerson || layoutIn(text).length > 0 ? "text" : "json";
}

/** The note on options that lay out text where a format without a layout was asked for. */
export function layoutNotes({ givenFormat = "auto", text }: Settings): Note[] {
  const layout = givenFormat === "auto" || givenFormat === "text" ? [] : layoutIn(text);
  if (layout.length === 0) return [];
  return [{ reason: "layout_ignored", values: { options: layout, format: givenFormat } }];
}

/**
 * The options in use that only text has. `--color never` is what a pipe has anyway, and `-I` is also
 * grep's for excluding binary files, as a search does: neither asks for text.
 */
function layoutIn(text: TextStyle): string[] {
  const options: [isUsed: boolean, option: string][] = [
    [text.nul, "--null"],
    [text.heading, "--heading"],
    [text.everyMatch, "--vimgrep"],
    [!text.lineNumber, "--no-line-number"],
    [text.color === "always", "--color always"],
  ];
  return options.filter(([isUsed]) => isUsed).map(([, option]) => option);
}

/** Whether there is someone to ask: the question itself is loaded when it comes. */
export function canAsk({ prompt }: Settings): boolean {
  return prompt === "auto" && standardError.isTerminal() && standardInput.isTerminal();
}

export interface OptionValue {
  /** What the value is called in help, such as `GLOB`. */
  readonly name: string;
  /** What is accepted, for error messages. */
  readonly accepts: string;
  /** The accepted values, where they can be listed. */
  readonly choices?: readonly string[];
  /** The value may be omitted: as a separate argument, only one of the choices counts as one. */
  readonly optional?: true;
  /** What stands for an omitted value; then only an attached one counts: `--name=value`. */
  readonly alone?: string;
  /** Checks the text and sets what it stands for; `false` when it is not accepted. */
  take(settings: Settings, text: string): boolean;
}

type OptionNames = Pick<Spelled, "name" | "short" | "aliases">;

/** An option without a value; `--no-NAME` undoes it. */
export interface Flag extends OptionNames {
  readonly help: string;
  set(settings: Settings, on: boolean): void;
}

export interface ValueOption extends OptionNames {
  readonly help: string;
  readonly value: OptionValue;
}

/** A spelling from ripgrep or grep that means something pathgrep does not do. */
export interface RefusedOption extends OptionNames {
  /** What to use instead, in a sentence. */
  readonly instead: string;
  /** Whether no program has it: then the opposite is refused, too. */
  readonly isGuess?: true;
}

export type Option = Flag | ValueOption | RefusedOption;

/** Options that belong together, under one title in the help text. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
  /** Accepted, but absent from help and completions. */
  readonly unlisted?: true;
}

/** Options by each of their spellings, with its dashes. */
export function optionsBySpelling(groups: readonly OptionGroup[]): Map<string, Option> {
  const table = new Map<string, Option>();
  for (const { options } of groups) {
    for (const option of options) {
      table.set(`--${option.name}`, option);
      if (option.short !== undefined) table.set(`-${option.short}`, option);
      for (const alias of option.aliases) table.set(alias, option);
    }
  }
  return table;
}

/** An option without a value, from how it is spelled: `-q --quiet --silent: print nothing`. */
export function flag(row: string, set: Flag["set"]): Flag {
  return { ...spelled(row), set };
}

/** An option with a value: `-g --include GLOB: search only files that match`. */
export function valued(row: string, valueOf: (name: string) => OptionValue): ValueOption {
  const { value = "", ...names } = spelled(row);
  return { ...names, value: valueOf(value) };
}

type Set<Value> = (settings: Settings, value: Value) => void;

/** A value that is taken if it can be read: what is `undefined` is not accepted. */
export function read<Value>(
  accepts: string,
  parse: (text: string) => Value | undefined,
  set: Set<Value>,
): (name: string) => OptionValue {
  return (name) => ({
    name,
    accepts: accepts.replace("NAME", name),
    take(settings, text) {
      const value = parse(text);
      if (value !== undefined) set(settings, value);
      return value !== undefined;
    },
  });
}

/** Any text but the empty one. */
export function text(set: Set<string>): (name: string) => OptionValue {
  return read("a non-empty NAME", (text) => text.trim() === "" ? undefined : text, set);
}

/** A value that counts as not given where it is blank. */
export function orNothing(value: OptionValue): OptionValue {
  const take: OptionValue["take"] = (settings, text) =>
    text.trim() === "" || value.take(settings, text);
  return { ...value, take };
}

export function whole(
  least: number,
  set: Set<number>,
  parse: (text: string) => number = digitsIn,
): (name: string) => OptionValue {
  const fitting = (number: number) =>
    number >= least && Number.isSafeInteger(number) ? number : undefined;
  return read(`a whole number from ${least}`, (text) => fitting(parse(text)), set);
}

/** The number that a text of digits is. */
function digitsIn(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

/** Names of units of time, each with its milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, msec: 1, millisecond: 1, milliseconds: 1 },
  ...{ s: 1000, sec: 1000, secs: 1000, second: 1000, seconds: 1000 },
  ...{ min: 60_000, mins: 60_000, minute: 60_000, minutes: 60_000, m: 60_000 },
  ...{ h: 3_600_000, hour: 3_600_000, hours: 3_600_000 },
};

/** The milliseconds of a time with its unit, as in `5s`, `500ms` and `1.5min`; nothing without a unit. */
export function timeWithUnit(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?|\.\d+)\s?([a-z]+)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  return factor === undefined ? undefined : Math.round(Number(number) * factor * 1000) / 1000;
}

/** A time in milliseconds, or with another unit. */
export function milliseconds(set: Set<number>): (name: string) => OptionValue {
  return whole(0, set, (text) => timeWithUnit(text) ?? digitsIn(text));
}

export function size(set: Set<number>): (name: string) => OptionValue {
  const units: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
  const parse = (text: string) => {
    const [, digits = "", unit = ""] = /^(\d+)([KMG]?)(?:iB)?$/i.exec(text) ?? [];
    const number = digits === "" ? NaN : Number(digits) * units[unit.toUpperCase()]!;
    return Number.isSafeInteger(number) ? number : undefined;
  };
  return read("a whole number of bytes, also with K, M or G", parse, set);
}

export function choice<Word extends string>(
  choices: readonly Word[],
  set: Set<Word>,
): (name: string) => OptionValue {
  const accepts = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  const value = read(accepts, (text) => choices.find((word) => word === text), set);
  return (name) => ({ ...value(name), choices });
}
