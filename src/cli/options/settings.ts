/**
 * The settings that the options of one command line make.
 *
 * @module
 */
import { printable, shortened } from "../../util/text.ts";
import type { Note, NoteOrText } from "../../notes/words.ts";
import type { SearchQuery } from "../../search/query.ts";
import {
  type DefinitionFormat,
  STRINGS_KEYS,
  type StringsKey,
} from "../../search/query_options.ts";
import type { LineStyle } from "../../search/text_lines.ts";
import { standardError, standardInput } from "../../system/platform.ts";

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
 * @param isTerminal whether standard output is a terminal
 */
export function settledFormat(
  { givenFormat = "auto", text }: Settings,
  isTerminal: boolean,
): Format {
  if (givenFormat !== "auto") return givenFormat;
  return isTerminal || layoutIn(text).length > 0 ? "text" : "json";
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
