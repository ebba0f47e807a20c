/**
 * The options of the command line: those of a query, from its table, and those that only the
 * command line has.
 *
 * @module
 */
import {
  DEFINITION_FORMATS,
  type HelpGroup,
  QUERY_KEYS,
  QUERY_OPTIONS,
  type QueryKey,
  type QueryOption,
} from "../../search/query_options.ts";
import {
  choice,
  flag,
  milliseconds,
  type Option,
  type OptionGroup,
  type OptionValue,
  orNothing,
  read,
  size,
  text,
  timeWithUnit,
  valued,
  whole,
} from "./option.ts";
import { FORMATS, type ServeAction, type Settings } from "./settings.ts";

export const COMMON_OPTIONS: OptionGroup = {
  title: "All commands",
  options: [
    valued(
      "--workspace DIR: a root directory; nothing outside of it is read; repeatable; default: the current directory",
      text((settings, dir) => settings.workspace.push(dir)),
    ),
    valued(
      "--format FORMAT: how to print answers and errors; for prompt and completions: errors only; " +
        "default: auto, text at a terminal or with a text option, else json; PATHGREP_FORMAT sets " +
        "that of search, files and resolve",
      choice(FORMATS, (settings, format) => settings.givenFormat = format),
    ),
    flag(
      "-h --help: print help: -h on one screen, --help in full",
      (settings, on) => settings.help = on,
    ),
    flag("-V --version: print the version", (settings, on) => settings.version = on),
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
  valued(
    "-e --regexp --pattern PATTERN: a pattern to search for; repeatable; every operand is then a PATH",
    read("a pattern", (pattern) => pattern, ({ query }, pattern) => query.pattern.push(pattern)),
  ),
  valued(
    "-f --file FILE: a file in the workspace, or `-`, with one pattern per line; repeatable",
    text((settings, file) => settings.patternFiles.push(file)),
  ),
  "caseInsensitive",
  "smartCase",
  flag(
    "--case-sensitive: match letter case; overrides -i and -S",
    ({ query }) => query.caseInsensitive = query.smartCase = false,
  ),
]);

/** As many `-u` ask for everything. */
const EVERYTHING = 3;

export const FILE_OPTIONS: OptionGroup = queryGroup("Files", [
  "include",
  "exclude",
  valued(
    "--iglob GLOB: like -g, ignoring letter case; repeatable",
    text((settings, glob) => settings.foldedGlobs.push(glob)),
  ),
  "type",
  "typeNot",
  "hidden",
  "ignore",
  flag(
    "-u --unrestricted: same as --no-ignore, since hidden files are searched by default; -uuu: --everything",
    (settings, on) => {
      settings.query.ignore = !on;
      settings.unrestricted = on ? settings.unrestricted + 1 : 0;
      settings.query.everything = settings.unrestricted >= EVERYTHING;
    },
  ),
  flag(
    "--type-list: list the file types and their globs, as text unless --format is given",
    (settings, on) => settings.typeList = on,
  ),
]);

export const GUARD_OPTIONS: OptionGroup = queryGroup("Allowed paths");

export const ENTRY_OPTIONS: OptionGroup = queryGroup("Entries", [
  "outputMode",
  flag(
    "-l --files-with-matches: only the names of files with a match; same as --output-mode file",
    (settings, on) => setMode(settings, on ? "file" : "content"),
  ),
  flag(
    "-L --files-without-match: only the names of files without a match",
    (settings, on) => setMode(settings, on ? "file" : "content", on),
  ),
  flag(
    "-c --count: only the number of matching lines per file; same as --output-mode count",
    (settings, on) => setMode(settings, on ? "count" : "content"),
  ),
  flag("--count-matches: like -c, but count every match in a line", (settings, on) => {
    setMode(settings, on ? "count" : "content");
    settings.query.onlyMatching = on;
  }),
  "onlyMatching",
  flag(
    "--trim: remove white space at the start of lines",
    (settings, on) => settings.trim = on,
  ),
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
  flag(
    "-q --quiet --silent: print nothing, only set the exit status",
    (settings, on) => settings.quiet = on,
  ),
]);

const COLOR = valued(
  "--color --colour WHEN: whether to colour text; default: auto, on a terminal",
  choice(
    ["auto", "always", "ansi", "never"],
    // ripgrep's `ansi` differs from `always` only where colours are no escape sequences.
    ({ text }, when) => text.color = when === "ansi" ? "always" : when,
  ),
);

export const TEXT_OPTIONS: OptionGroup = {
  title: "Text (--format text; -0, -N, --heading, --vimgrep and --color always imply it)",
  options: [
    { ...COLOR, value: { ...COLOR.value, optional: true } },
    flag("--heading: name each file once, above its lines", ({ text }, on) => text.heading = on),
    valued(
      "--hyperlinks WHEN: whether to link file names; default: auto, on a coloured terminal",
      choice(["auto", "never"], ({ text }, when) => text.hyperlinks = when),
    ),
    flag(
      "--vimgrep: one line per match, with its column",
      ({ query, text }, on) => query.column = text.everyMatch = on,
    ),
    flag("-N --no-line-number: omit line numbers", ({ text }, on) => text.lineNumber = !on),
    flag("-I --no-filename: omit file names", ({ text }, on) => text.filename = !on),
    flag(
      "-0 --null -Z: print a NUL byte after each file name, for xargs -0",
      ({ text }, on) => text.nul = on,
    ),
  ],
};

const PROMPT = valued(
  "--prompt WHEN: whether to ask about paths outside the workspace; default: auto, on a terminal",
  choice(["auto", "never"], (settings, when) => settings.prompt = when),
);

export const RUN_OPTIONS: OptionGroup = queryGroup("Running", ["timeout", PROMPT]);

/** {@linkcode RUN_OPTIONS} of commands that a resident search can answer. */
export const SHAREABLE_RUN_OPTIONS: OptionGroup = queryGroup("Running", [
  "timeout",
  PROMPT,
  valued(
    "--resident WHEN: whether to use a running `pathgrep serve`; default: auto",
    choice(["auto", "never"], (settings, when) => settings.resident = when),
  ),
]);

export const CACHE_OPTIONS: OptionGroup = {
  title: "Cache",
  options: [valued(
    "--cache-mb N: megabytes of files and listings to cache; default: 64 (mcp), 128 (serve)",
    read(
      "an integer from 1 to 4096",
      (text) => /^\d{1,4}$/.test(text) && +text >= 1 && +text <= 4096 ? +text : undefined,
      (settings, megabytes) => settings.cacheMb = megabytes,
    ),
  )],
};

export const SERVE_OPTIONS: OptionGroup = {
  title: "Server",
  options: [
    serveAction("background", "start the server, print its status and return"),
    serveAction("status", "print whether a server runs; exit status 1 if not"),
    serveAction("stop", "stop the running server; exit status 1 if there is none"),
    valued(
      "--idle MINUTES: minutes without a search before it stops; default: 30",
      read(
        "a number of minutes above 0, fractions and units too (30s, 2h)",
        (text) => {
          const isNumber = /^\d+(?:\.\d+)?$|^\.\d+$/.test(text);
          const minutes = isNumber ? Number(text) : (timeWithUnit(text) ?? NaN) / 60_000;
          return minutes > 0 && minutes < 1e6 ? minutes : undefined;
        },
        (settings, minutes) => settings.idle = minutes,
      ),
    ),
  ],
};

export const ENGINE_OPTIONS: OptionGroup = queryGroup("Engine");

export const RESOLVE_OPTIONS: OptionGroup = {
  title: "Path",
  options: [
    valued(
      "--as USE: what the path is for; default: search",
      choice(["search", "file", "dir", "project"], (settings, use) => settings.as = use),
    ),
    valued(
      "--field NAME: what to call the path in messages; default: path",
      text((settings, field) => settings.field = field),
    ),
    PROMPT,
  ],
};

/** What definitions there are, and what they say, where `tools` and `mcp` send them. */
const DEFINITION_OPTIONS: readonly Option[] = [
  valued(
    "--tools NAMES: which tools to offer, separated by commas; repeatable; default: grep,glob,read_file",
    text(({ tools }, names) => tools.push(...names.split(",").map((name) => name.trim()))),
  ),
  flag(
    "--structured: offer output schemas; answer with structured content and JSON, not plain text",
    (settings, on) => settings.structured = on,
  ),
  flag(
    "--no-meta: omit _meta, which lets MCP clients load tools at once and accept long answers",
    (settings, on) => settings.meta = !on,
  ),
];

/** The options of `mcp` alone. Plain text, which `--text-only` asked for, is what it answers by now. */
export const MCP_OPTIONS: readonly OptionGroup[] = [
  { title: "Messages", options: DEFINITION_OPTIONS },
  { title: "Accepted", options: [flag("--text-only: no effect", () => {})], unlisted: true },
];

/** The options of `tools`, whose `--format` differs from that of other commands. */
export const TOOLS_OPTIONS: readonly OptionGroup[] = [
  {
    title: "Definitions",
    options: [
      valued(
        "--format FORMAT: whose format to use; default: json-schema",
        choice(DEFINITION_FORMATS, (settings, format) => settings.definitions = format),
      ),
      ...DEFINITION_OPTIONS,
    ],
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
  const { value: name = "", ...flag } = option.flag!;
  const set = ({ query }: Settings, value: unknown) => Object.assign(query, { [key]: value });
  if (option.kind === "boolean") {
    return {
      ...flag,
      set(settings, on) {
        set(settings, on !== option.default);
        if (option.clears !== undefined) settings.query[option.clears] = false;
      },
    };
  }
  if (option.kind === "strings") {
    return {
      ...flag,
      value: text(({ query }, text) => (query[key] as string[]).push(text))(name),
    };
  }
  return {
    ...flag,
    help: helpOf(flag.help, option.default),
    value: optionValue(option, name, set),
  };
}

function optionValue(
  option: Exclude<QueryOption, { kind: "boolean" | "strings" }>,
  name: string,
  set: (settings: Settings, value: unknown) => void,
): OptionValue {
  switch (option.kind) {
    case "label":
      // `auto` is ripgrep's word for its default.
      return text((settings, label) => set(settings, label === "auto" ? undefined : label))(name);
    case "whole":
      return (name === "MS" ? milliseconds(set) : whole(option.min, set))(name);
    case "bytes":
      return size(set)(name);
    case "choice": {
      const { alone } = option;
      return { ...choice(option.choices, set)(name), ...(alone && { alone }) };
    }
  }
}

/** The help text with the default, unless that is "none" or "no limit", or is there already. */
function helpOf(help: string, preset: number | string): string {
  const isSaid = preset === 0 || preset === Infinity || help.includes("default: ");
  return isSaid ? help : `${help}; default: ${preset}`;
}

function serveAction(name: ServeAction, help: string): Option {
  return flag(`--${name}: ${help}`, (settings, on) => {
    const others = settings.serve.filter((action) => action !== name);
    settings.serve = on ? [...others, name] : others;
  });
}

function setMode(
  { query }: Settings,
  outputMode: "content" | "file" | "count",
  filesWithoutMatch = false,
): void {
  query.outputMode = outputMode;
  query.filesWithoutMatch = filesWithoutMatch;
}
