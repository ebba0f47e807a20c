/**
 * The options of the command line: those of a query, from its table, and those that only the
 * command line has.
 *
 * @module
 */
import {
  DEFINITION_FORMATS,
  type FlagNames,
  type HelpGroup,
  QUERY_KEYS,
  QUERY_OPTIONS,
  type QueryKey,
  type QueryOption,
} from "../../search/query_options.ts";
import {
  choice,
  milliseconds,
  type Option,
  type OptionGroup,
  orNothing,
  size,
  text,
  timeWithUnit,
  whole,
} from "./option.ts";
import { FORMATS, type ServeAction, type Settings } from "./settings.ts";

export const COMMON_OPTIONS: OptionGroup = {
  title: "All commands",
  options: [
    {
      name: "workspace",
      help: "a root directory: nothing outside is read; repeatable; default: the current directory",
      value: text("DIR", (settings, dir) => settings.workspace.push(dir)),
    },
    {
      name: "format",
      help:
        "how to print answers and errors; for prompt and completions: errors only; default: auto, " +
        "text at a terminal or with a text option, else json; PATHGREP_FORMAT sets that of search, " +
        "files and resolve",
      value: choice(
        "FORMAT",
        FORMATS,
        (settings, format) => settings.givenFormat = format,
      ),
    },
    {
      name: "help",
      short: "h",
      help: "print help: -h on one screen, --help in full",
      set: (settings, on) => settings.help = on,
    },
    {
      name: "version",
      short: "V",
      help: "print the version",
      set: (settings, on) => settings.version = on,
    },
  ],
};

/** In a hook's command line, the variable that names the project may be unset. */
export const HOOK_COMMON_OPTIONS: OptionGroup = {
  ...COMMON_OPTIONS,
  options: COMMON_OPTIONS.options.map((option) =>
    option.name === "workspace" && "value" in option
      ? { ...option, value: orNothing(option.value) }
      : option
  ),
};

export const PATTERN_OPTIONS: OptionGroup = queryGroup("Matching", [
  {
    name: "regexp",
    short: "e",
    aliases: ["--pattern"],
    help: "a pattern to search for; repeatable; every operand is then a PATH",
    value: {
      name: "PATTERN",
      accepts: "a pattern",
      take: ({ query }, pattern) => query.pattern.push(pattern) > 0,
    },
  },
  {
    name: "file",
    short: "f",
    help: "a file in the workspace, or `-`, with one pattern per line; repeatable",
    value: text("FILE", (settings, file) => settings.patternFiles.push(file)),
  },
  "caseInsensitive",
  "smartCase",
  {
    name: "case-sensitive",
    help: "match letter case; overrides -i and -S",
    set: ({ query }) => query.caseInsensitive = query.smartCase = false,
  },
]);

/** As many `-u` ask ripgrep for binary files. */
const BINARY_TOO = 3;

export const FILE_OPTIONS: OptionGroup = queryGroup("Files", [
  "include",
  "exclude",
  {
    name: "iglob",
    help: "like -g, ignoring letter case; repeatable",
    value: text("GLOB", (settings, glob) => settings.foldedGlobs.push(glob)),
  },
  "type",
  "typeNot",
  "hidden",
  "ignore",
  {
    name: "unrestricted",
    short: "u",
    help: "same as --no-ignore; hidden files are searched by default",
    set(settings, on) {
      settings.query.ignore = !on;
      settings.unrestricted = on ? settings.unrestricted + 1 : 0;
      if (settings.unrestricted !== BINARY_TOO) return;
      settings.notes.push("-uuu was read as --no-ignore: binary files are searched with --text");
    },
  },
  {
    name: "type-list",
    help: "list the file types and their globs, as text unless --format is given",
    set: (settings, on) => settings.typeList = on,
  },
]);

export const GUARD_OPTIONS: OptionGroup = queryGroup("Allowed paths");

export const ENTRY_OPTIONS: OptionGroup = queryGroup("Entries", [
  "outputMode",
  {
    name: "files-with-matches",
    short: "l",
    help: "only the names of files with a match; same as --output-mode file",
    set: (settings, on) => setMode(settings, on ? "file" : "content"),
  },
  {
    name: "files-without-match",
    short: "L",
    help: "only the names of files without a match",
    set: (settings, on) => setMode(settings, on ? "file" : "content", on),
  },
  {
    name: "count",
    short: "c",
    help: "only the number of matching lines per file; same as --output-mode count",
    set: (settings, on) => setMode(settings, on ? "count" : "content"),
  },
  {
    name: "count-matches",
    help: "like -c, but count every match in a line",
    set(settings, on) {
      setMode(settings, on ? "count" : "content");
      settings.query.onlyMatching = on;
    },
  },
  "onlyMatching",
  {
    name: "trim",
    help: "remove white space at the start of lines",
    set: (settings, on) => settings.trim = on,
  },
  "after",
  "before",
  "context",
  "column",
  "maxLineLength",
  "maxCount",
]);

export const ANSWER_OPTIONS: OptionGroup = queryGroup("Answer", [
  "maxResults",
  "onOverflow",
  "offset",
  "maxOutputChars",
  "sort",
  "paths",
  "stats",
  {
    name: "quiet",
    short: "q",
    aliases: ["--silent"],
    help: "print nothing, only set the exit status",
    set: (settings, on) => settings.quiet = on,
  },
]);

export const TEXT_OPTIONS: OptionGroup = {
  title: "Text (--format text; -0, -N, --heading, --vimgrep and --color always imply it)",
  options: [
    {
      name: "color",
      aliases: ["--colour"],
      help: "whether to colour text; default: auto, on a terminal",
      value: {
        ...choice(
          "WHEN",
          ["auto", "always", "ansi", "never"],
          // ripgrep's `ansi` differs from `always` only where colours are no escape sequences.
          ({ text }, when) => text.color = when === "ansi" ? "always" : when,
        ),
        optional: true,
      },
    },
    {
      name: "heading",
      help: "name each file once, above its lines",
      set: ({ text }, on) => text.heading = on,
    },
    {
      name: "hyperlinks",
      help: "whether to link file names; default: auto, on a coloured terminal",
      value: choice("WHEN", ["auto", "never"], ({ text }, when) => text.hyperlinks = when),
    },
    {
      name: "vimgrep",
      help: "one line per match, with its column",
      set: ({ query, text }, on) => query.column = text.everyMatch = on,
    },
    {
      name: "no-line-number",
      short: "N",
      help: "omit line numbers",
      set: ({ text }, on) => text.lineNumber = !on,
    },
    {
      name: "no-filename",
      short: "I",
      help: "omit file names",
      set: ({ text }, on) => text.filename = !on,
    },
    {
      name: "null",
      short: "0",
      aliases: ["-Z"],
      help: "print a NUL byte after each file name, for xargs -0",
      set: ({ text }, on) => text.nul = on,
    },
  ],
};

const PROMPT: Option = {
  name: "prompt",
  help: "whether to ask about paths outside the workspace; default: auto, on a terminal",
  value: choice("WHEN", ["auto", "never"], (settings, when) => settings.prompt = when),
};

export const RUN_OPTIONS: OptionGroup = queryGroup("Running", ["timeout", PROMPT]);

/** {@linkcode RUN_OPTIONS} of commands that a resident search can answer. */
export const SHAREABLE_RUN_OPTIONS: OptionGroup = {
  title: RUN_OPTIONS.title,
  options: [
    ...RUN_OPTIONS.options,
    {
      name: "resident",
      help: "whether to use a running `pathgrep serve`; default: auto",
      value: choice("WHEN", ["auto", "never"], (settings, when) => settings.resident = when),
    },
  ],
};

export const CACHE_OPTIONS: OptionGroup = {
  title: "Cache",
  options: [{
    name: "cache-mb",
    help: "megabytes of files and listings to cache; default: 64 (mcp), 128 (serve)",
    value: {
      name: "N",
      accepts: "an integer from 1 to 4096",
      take(settings, text) {
        const megabytes = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
        if (!(megabytes >= 1 && megabytes <= 4096)) return false;
        settings.cacheMb = megabytes;
        return true;
      },
    },
  }],
};

export const SERVE_OPTIONS: OptionGroup = {
  title: "Server",
  options: [
    serveAction("background", "start the server, print its status and return"),
    serveAction("status", "print whether a server runs; exit status 1 if not"),
    serveAction("stop", "stop the running server; exit status 1 if there is none"),
    {
      name: "idle",
      help: "minutes without a search before it stops; default: 30",
      value: {
        name: "MINUTES",
        accepts: "a number of minutes above 0, fractions and units too (30s, 2h)",
        take(settings, text) {
          const isNumber = /^\d+(?:\.\d+)?$|^\.\d+$/.test(text);
          const minutes = isNumber ? Number(text) : (timeWithUnit(text) ?? NaN) / 60_000;
          if (!(minutes > 0 && minutes < 1e6)) return false;
          settings.idle = minutes;
          return true;
        },
      },
    },
  ],
};

export const ENGINE_OPTIONS: OptionGroup = queryGroup("Engine");

export const RESOLVE_OPTIONS: OptionGroup = {
  title: "Path",
  options: [
    {
      name: "as",
      help: "what the path is for; default: search",
      value: choice(
        "USE",
        ["search", "file", "dir", "project"],
        (settings, use) => settings.as = use,
      ),
    },
    {
      name: "field",
      help: "what to call the path in messages; default: path",
      value: text("NAME", (settings, field) => settings.field = field),
    },
    PROMPT,
  ],
};

/** What definitions there are, and what they say, where `tools` and `mcp` send them. */
const DEFINITION_OPTIONS: readonly Option[] = [
  {
    name: "tools",
    help: "which tools to offer, separated by commas; repeatable; default: grep,glob,read_file",
    value: text(
      "NAMES",
      ({ tools }, names) => tools.push(...names.split(",").map((name) => name.trim())),
    ),
  },
  {
    name: "structured",
    help: "offer output schemas; answer with structured content and JSON, not plain text",
    set: (settings, on) => settings.structured = on,
  },
  {
    name: "no-meta",
    help: "omit _meta, which lets MCP clients load tools at once and accept long answers",
    set: (settings, on) => settings.meta = !on,
  },
];

/** The options of `mcp` alone. Plain text, which `--text-only` asked for, is what it answers by now. */
export const MCP_OPTIONS: readonly OptionGroup[] = [
  { title: "Messages", options: DEFINITION_OPTIONS },
  {
    title: "Accepted",
    options: [{ name: "text-only", help: "no effect", set: () => {} }],
    unlisted: true,
  },
];

/** The options of `tools`, whose `--format` differs from that of other commands. */
export const TOOLS_OPTIONS: readonly OptionGroup[] = [
  {
    title: "Definitions",
    options: [{
      name: "format",
      help: "whose format to use; default: json-schema",
      value: choice(
        "FORMAT",
        DEFINITION_FORMATS,
        (settings, format) => settings.definitions = format,
      ),
    }, ...DEFINITION_OPTIONS],
  },
  { ...COMMON_OPTIONS, options: COMMON_OPTIONS.options.filter(({ name }) => name !== "format") },
];

/** The options under one title: those given, then the others that the query's table has for it. */
function queryGroup(title: HelpGroup, first: readonly (QueryKey | Option)[] = []): OptionGroup {
  const rest = QUERY_KEYS.filter((key) => {
    const { flag }: QueryOption = QUERY_OPTIONS[key];
    return !first.includes(key) && flag?.group === title;
  });
  const options = [...first, ...rest]
    .map((option) => typeof option === "string" ? queryOption(option) : option);
  return { title, options };
}

function queryOption(key: QueryKey): Option {
  const option: QueryOption = QUERY_OPTIONS[key];
  const { alone, clears, ...flag } = option.flag!;
  const value = flag.value ?? "";
  const set = ({ query }: Settings, value: unknown) => Object.assign(query, { [key]: value });
  switch (option.kind) {
    case "strings":
      return {
        ...flag,
        value: text(value, ({ query }, text) => (query[key] as string[]).push(text)),
      };
    case "label": {
      // `auto` is ripgrep's word for its default.
      const setLabel = (settings: Settings, label: string) =>
        set(settings, label === "auto" ? undefined : label);
      return { ...flag, help: helpOf(flag, option), value: text(value, setLabel) };
    }
    case "boolean":
      return {
        ...flag,
        set(settings, on) {
          set(settings, on !== option.default);
          if (clears !== undefined) settings.query[clears] = false;
        },
      };
    case "whole":
      return {
        ...{ ...flag, help: helpOf(flag, option) },
        value: value === "MS" ? milliseconds(value, set) : whole(value, option.min, set),
      };
    case "bytes":
      return { ...flag, help: helpOf(flag, option), value: size(value, set) };
    case "choice":
      return {
        ...flag,
        help: helpOf(flag, option),
        value: { ...choice(value, option.choices, set), ...(alone && { alone }) },
      };
  }
}

/** The help text with the default, unless that is "none" or "no limit". */
function helpOf(flag: FlagNames, option: { default: number | string }): string {
  const { help, preset = option.default } = flag;
  return preset === 0 || preset === Infinity ? help : `${help}; default: ${preset}`;
}

function serveAction(name: ServeAction, help: string): Option {
  return {
    name,
    help,
    set(settings, on) {
      const others = settings.serve.filter((action) => action !== name);
      settings.serve = on ? [...others, name] : others;
    },
  };
}

function setMode(
  { query }: Settings,
  outputMode: "content" | "file" | "count",
  filesWithoutMatch = false,
): void {
  query.outputMode = outputMode;
  query.filesWithoutMatch = filesWithoutMatch;
}
