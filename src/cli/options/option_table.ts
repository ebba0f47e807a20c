/**
 * The options of the command line, and those that users of ripgrep and grep bring along: those that are the default
 * here, those that have another spelling, and those that are not supported, each with what to use instead.
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
  spelled,
} from "../../query/query_options.ts";
import {
  choice,
  flag,
  FORMATS,
  milliseconds,
  type Option,
  type OptionGroup,
  type OptionValue,
  orNothing,
  read,
  type RefusedOption,
  type ServeAction,
  type Settings,
  size,
  text,
  timeWithUnit,
  valued,
  whole,
} from "./settings.ts";

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

/** Accepted by a search, or refused with advice; none of these is listed in help. */
export const FOREIGN_OPTIONS: OptionGroup = {
  title: "Habits",
  unlisted: true,
  options: [
    flag("--line-number -n", ({ text }, on) => text.lineNumber = on),
    flag("--with-filename -H", ({ text }, on) => text.filename = on),
    // What pathgrep does in any case.
    flag(
      "--extended-regexp -E --perl-regexp -P --pcre2 --no-messages -s --no-config " +
        "--no-require-git --no-ignore-global --no-ignore-messages --no-binary --line-buffered " +
        "--block-buffered --mmap --crlf --max-columns-preview --auto-hybrid-regex",
      () => {},
    ),
    flag("--pretty -p", ({ text }, on) => {
      text.color = on ? "always" : "auto";
      text.heading = text.lineNumber = on;
    }),
    valued("--dfa-size-limit --regex-size-limit SIZE", ignored()),
    valued("--colors SPEC", ignored()),
    valued("--threads -j N", ignored("a whole number")),
    flag("--hidden --dot -.", ({ query }, on) => query.hidden = on),
    flag("--recursive -r", ({ notes }) => notes.push({ reason: "recursive", values: {} })),
    flag(
      "--dereference-recursive -R",
      ({ notes }) => notes.push({ reason: "dereference", values: {} }),
    ),
    flag("--files", (settings, on) => settings.listFiles = on),
    valued("--sortr ORDER", (name) => ({
      ...choice(["modified"], ({ query }, order) => query.sort = order)(name),
      accepts: "modified, the newest first; sorting by path backwards is not supported",
    })),
    instead("--glob-case-insensitive", "use --iglob GLOB"),
    flag("--sort-files", ({ query }) => query.sort = "path"),
    flag("--json", (settings, on) => {
      settings.givenFormat = on ? "json" : "auto";
      if (!on) return;
      settings.notes.push({ reason: "json", values: {} });
    }),
    valued(
      "--exclude-dir GLOB",
      text(({ query }, glob) => query.exclude.push(`${glob.replace(/(?<!\/)\/+$/, "")}/`)),
    ),
    guess("--path --dir --directory", "write each PATH after the pattern"),
    guess("--ext --extension", "use -g '*.EXT' or -t TYPE"),
    guess("--limit --head-limit --max-matches", "use --max-results N"),
    instead(
      "--replace",
      "files are never changed; replace the text yourself, guided by the answer",
    ),
    instead(
      "--null-data",
      "lines end at a line feed; search a pipe: tr '\\0' '\\n' < FILE | pathgrep PATTERN -",
    ),
    instead(
      "--search-zip -z",
      "use --everything, which searches gzip files, too; of others search a pipe: " +
        "xz -dc FILE | pathgrep PATTERN -",
    ),
    instead(
      "--pre --pre-glob",
      "no other program is run on a file; convert the files, or search a pipe: " +
        "pdftotext FILE - | pathgrep PATTERN -",
    ),
    flag("--no-encoding", ({ query }) => delete query.encoding),
    instead("--binary", "use --text, which searches binary files as text"),
    valued(
      "--binary-files TYPE",
      choice(["text", "without-match"], ({ query }, type) => query.text = type === "text"),
    ),
    instead(
      "--basic-regexp -G",
      "patterns are JavaScript regular expressions; -F takes plain text",
    ),
    instead("--byte-offset -b", "use --column"),
    instead(
      "--exclude-from --ignore-file",
      "use --exclude GLOB for each glob, or put the rules into an .ignore file",
    ),
    instead(
      "--context-separator --no-context-separator --field-match-separator " +
        "--field-context-separator --path-separator --group-separator --no-group-separator --initial-tab",
      "use --format json and lay out the answer yourself",
    ),
    instead(
      "--ignore-file-case-insensitive",
      "ignore rules are case-sensitive, as in git; " +
        "use --iglob '!GLOB' to exclude files in either case",
    ),
    instead("--include-zero", "use -L for the files without a match"),
    instead("--label", "standard input is always named (stdin)"),
    instead("--multiline-dotall", "begin the pattern with (?s)"),
    instead(
      "--no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-files",
      "use --no-ignore, which turns off every ignore file",
    ),
    instead(
      "--no-ignore-parent",
      "use --no-ignore, or --workspace for the directory itself: ignore files above a workspace root are never read",
    ),
    instead("--no-unicode --no-pcre2-unicode", "\\w, \\d and \\b are ASCII already"),
    instead("--unicode --pcre2-unicode", "begin the pattern with (?u)"),
    instead(
      "--pcre2-version",
      "use `pathgrep doctor`, which reports the engines and their versions",
    ),
    instead(
      "--debug --trace",
      "set PATHGREP_DEBUG=1 in the environment for what was left out and why, on standard error; " +
        "--stats counts it",
    ),
    instead("--generate", "use `pathgrep completions SHELL`"),
    instead("--devices -D", "devices and pipes are never read; PATH `-` is standard input"),
    instead(
      "--directories",
      "directories are searched recursively; use --max-depth N for fewer levels",
    ),
    instead("--one-file-system", "use --exclude GLOB to exclude directories"),
    instead("--passthru --passthrough", "use -C N for the lines around a match"),
    instead("--stop-on-nonmatch", "use -m N for the first N matching lines of each file"),
    instead("--hyperlink-format --hostname-bin", "use --hyperlinks auto or never"),
    instead("--type-add --type-clear", "use -g GLOB"),
  ],
};

function instead(spellings: string, instead: string): RefusedOption {
  return { ...spelled(spellings), instead };
}

/** An option that models guess and no program has. */
function guess(spellings: string, advice: string): RefusedOption {
  return { ...instead(spellings, advice), isGuess: true };
}

/** A value that changes nothing. */
function ignored(accepts = "a NAME"): (name: string) => OptionValue {
  return read(accepts, (text) => text, () => {});
}
