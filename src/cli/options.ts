/**
 * The option table.
 *
 * @module
 */
import { choice, type OptionGroup, size, text, whole } from "./options/option.ts";
import type { Settings } from "./settings.ts";

/** Every command takes these. */
export const COMMON_OPTIONS: OptionGroup = {
  title: "Every command",
  options: [
    {
      name: "workspace",
      help: "a root that nothing is read outside of; repeatable; default: the current directory",
      value: text("DIR", (settings, dir) => settings.workspace.push(dir)),
    },
    {
      name: "format",
      help: "how answers and errors are written (prompt and completions: errors); default: json",
      value: choice("FORMAT", ["json", "jsonl", "text"], (settings, format) => {
        settings.format = format;
      }),
    },
    {
      name: "help",
      short: "h",
      help: "show this text",
      set: (settings, on) => settings.help = on,
    },
    {
      name: "version",
      short: "V",
      help: "show the version",
      set: (settings, on) => settings.version = on,
    },
  ],
};

/** What counts as a match. */
export const PATTERN_OPTIONS: OptionGroup = {
  title: "What matches",
  options: [
    {
      name: "regexp",
      short: "e",
      aliases: ["--pattern"],
      help: "a pattern; repeatable, any of them matches; every operand is a PATH then",
      value: {
        name: "PATTERN",
        accepts: "a pattern",
        take: ({ query }, pattern) => query.pattern.push(pattern) > 0,
      },
    },
    {
      name: "ignore-case",
      short: "i",
      aliases: ["-y", "--case-insensitive"],
      help: "letters match in either case",
      set({ query }, on) {
        query.caseInsensitive = on;
        query.smartCase = false;
      },
    },
    {
      name: "smart-case",
      short: "S",
      help: "like -i, unless the pattern holds a capital letter",
      set({ query }, on) {
        query.smartCase = on;
        query.caseInsensitive = false;
      },
    },
    {
      name: "case-sensitive",
      help: "undo -i and -S",
      set({ query }) {
        query.caseInsensitive = false;
        query.smartCase = false;
      },
    },
    {
      name: "fixed-strings",
      short: "F",
      help: "the pattern is text, not a regular expression",
      set: ({ query }, on) => query.fixedStrings = on,
    },
    {
      name: "word-regexp",
      short: "w",
      aliases: ["--whole-word"],
      help: "a match must be a whole word",
      set: ({ query }, on) => query.wholeWord = on,
    },
    {
      name: "line-regexp",
      short: "x",
      aliases: ["--whole-line"],
      help: "a match must be a whole line",
      set: ({ query }, on) => query.wholeLine = on,
    },
    {
      name: "invert-match",
      short: "v",
      aliases: ["--invert"],
      help: "lines that do not match",
      set: ({ query }, on) => query.invert = on,
    },
    {
      name: "multiline",
      short: "U",
      help: "a match may span lines",
      set: ({ query }, on) => query.multiline = on,
    },
  ],
};

/** Which files are read. */
export const FILE_OPTIONS: OptionGroup = {
  title: "Which files",
  options: [
    {
      name: "include",
      short: "g",
      aliases: ["--glob"],
      help: "only files that match; `!GLOB` leaves out; repeatable",
      value: text("GLOB", ({ query }, glob) => query.include.push(glob)),
    },
    {
      name: "exclude",
      help: "leave out files and directories that match; repeatable",
      value: text("GLOB", ({ query }, glob) => query.exclude.push(glob)),
    },
    {
      name: "type",
      short: "t",
      help: "only files of this type, by ripgrep's names; repeatable",
      value: text("NAME", ({ query }, type) => query.type.push(type)),
    },
    {
      name: "type-not",
      short: "T",
      help: "no files of this type; repeatable",
      value: text("NAME", ({ query }, type) => query.typeNot.push(type)),
    },
    {
      name: "type-list",
      help: "list the types and their globs",
      set: (settings, on) => settings.typeList = on,
    },
    {
      name: "max-file-size",
      aliases: ["--max-filesize"],
      help: "skip larger files; 0: no limit; default: 1048576",
      value: size("BYTES", ({ query }, bytes) => query.maxFileSize = bytes),
    },
    {
      name: "max-depth",
      short: "d",
      aliases: ["--maxdepth"],
      help: "directory levels, at most",
      value: whole("N", 0, ({ query }, levels) => query.maxDepth = levels),
    },
    {
      name: "no-hidden",
      help: "skip names that start with a dot",
      set: ({ query }, on) => query.hidden = !on,
    },
    {
      name: "no-ignore",
      short: "u",
      aliases: ["--unrestricted"],
      help: "ignore files do not count",
      set: ({ query }, on) => query.ignore = !on,
    },
    {
      name: "follow",
      help: "follow symbolic links, inside the workspace",
      set: ({ query }, on) => query.follow = on,
    },
  ],
};

/** What may be read. */
export const GUARD_OPTIONS: OptionGroup = {
  title: "Which paths are allowed",
  options: [
    {
      name: "allow",
      help: "lift the guard for matching paths; repeatable",
      value: text("GLOB", ({ query }, glob) => query.allow.push(glob)),
    },
    {
      name: "deny",
      help: "guard matching paths too; wins over --allow; repeatable",
      value: text("GLOB", ({ query }, glob) => query.deny.push(glob)),
    },
  ],
};

/** What each entry of an answer says. */
export const ENTRY_OPTIONS: OptionGroup = {
  title: "What an entry says",
  options: [
    {
      name: "output-mode",
      help: "matching lines, files, or lines counted per file; default: content",
      value: choice("MODE", ["content", "file", "count"], ({ query }, mode) => {
        query.outputMode = mode;
      }),
    },
    {
      name: "files-with-matches",
      short: "l",
      help: "--output-mode file",
      set: ({ query }, on) => setMode(query, on ? "file" : "content", false),
    },
    {
      name: "files-without-match",
      short: "L",
      help: "the files without a match",
      set: ({ query }, on) => setMode(query, on ? "file" : "content", on),
    },
    {
      name: "count",
      short: "c",
      help: "--output-mode count",
      set: ({ query }, on) => setMode(query, on ? "count" : "content", false),
    },
    {
      name: "only-matching",
      short: "o",
      help: "one entry per match, with the matched text only",
      set: ({ query }, on) => query.onlyMatching = on,
    },
    {
      name: "after-context",
      short: "A",
      aliases: ["--after"],
      help: "lines after each match",
      value: whole("N", 0, ({ query }, lines) => query.after = lines),
    },
    {
      name: "before-context",
      short: "B",
      aliases: ["--before"],
      help: "lines before each match",
      value: whole("N", 0, ({ query }, lines) => query.before = lines),
    },
    {
      name: "context",
      short: "C",
      help: "lines before and after each match",
      value: whole("N", 0, ({ query }, lines) => query.context = lines),
    },
    {
      name: "column",
      help: "the column of each match",
      set: ({ query }, on) => query.column = on,
    },
    {
      name: "max-line-length",
      short: "M",
      aliases: ["--max-columns"],
      help: "cut longer lines around the match; 0: no limit; default: 2000",
      value: whole("CHARS", 0, ({ query }, chars) => query.maxLineLength = chars),
    },
    {
      name: "max-count",
      short: "m",
      help: "matching lines per file, at most",
      value: whole("N", 1, ({ query }, lines) => query.maxCount = lines),
    },
  ],
};

/** How much is answered, and in which order. */
export const ANSWER_OPTIONS: OptionGroup = {
  title: "The answer",
  options: [
    {
      name: "max-results",
      help: "entries, at most; default: 1000",
      value: whole("N", 1, ({ query }, entries) => query.maxResults = entries),
    },
    {
      name: "on-overflow",
      help: "what more entries mean; default: error",
      value: choice("WHAT", ["error", "truncate"], ({ query }, what) => query.onOverflow = what),
    },
    {
      name: "offset",
      help: "leave out the first entries; implies --on-overflow truncate",
      value: whole("N", 0, ({ query }, entries) => query.offset = entries),
    },
    {
      name: "max-output-chars",
      help: "characters in the whole answer, at most",
      value: whole("N", 1, ({ query }, chars) => query.maxOutputChars = chars),
    },
    {
      name: "sort",
      help: "by bytes of the path, newest first, or as found; default: path",
      value: choice("ORDER", ["path", "modified", "none"], ({ query }, order) => {
        query.sort = order;
      }),
    },
    {
      name: "paths",
      help: "default: absolute; relative in text",
      value: choice("FORM", ["absolute", "relative"], ({ query }, form) => query.paths = form),
    },
    {
      name: "heading",
      help: "name each file once in text, above its lines",
      set: (settings, on) => settings.heading = on,
    },
    {
      name: "hyperlinks",
      help: "whether file names in text are links; default: auto, on a coloured terminal",
      value: choice("WHEN", ["auto", "never"], (settings, when) => settings.hyperlinks = when),
    },
    {
      name: "stats",
      help: "say what was searched and skipped",
      set: ({ query }, on) => query.stats = on,
    },
    {
      name: "quiet",
      short: "q",
      aliases: ["--silent"],
      help: "no answer, only the exit status",
      set: (settings, on) => settings.quiet = on,
    },
  ],
};

/** How long it may take, and who is asked. */
export const RUN_OPTIONS: OptionGroup = {
  title: "How it runs",
  options: [
    {
      name: "timeout",
      help: "milliseconds until the search fails; 0: none; default: 30000",
      value: whole("MS", 0, ({ query }, milliseconds) => query.timeout = milliseconds),
    },
    {
      name: "prompt",
      help: "whether to ask about paths outside the workspace; default: auto, on a terminal",
      value: choice("WHEN", ["auto", "never"], (settings, when) => settings.prompt = when),
    },
  ],
};

/** Which program searches. */
export const ENGINE_OPTIONS: OptionGroup = {
  title: "Engine",
  options: [
    {
      name: "engine",
      help: "which program searches; the answer is the same; default: auto",
      value: choice("NAME", ["auto", "js", "rg", "git", "grep"], ({ query }, engine) => {
        query.engine = engine;
      }),
    },
  ],
};

/** What `resolve` takes. */
export const RESOLVE_OPTIONS: OptionGroup = {
  title: "How the path is read",
  options: [
    {
      name: "as",
      help: "what the path is for; default: search",
      value: choice("USE", ["search", "file", "dir", "project"], (settings, use) => {
        settings.as = use;
      }),
    },
    {
      name: "field",
      help: "what messages call the path; default: path",
      value: text("NAME", (settings, field) => settings.field = field),
    },
  ],
};

function setMode(
  query: Settings["query"],
  mode: "content" | "file" | "count",
  withoutMatch: boolean,
): void {
  query.outputMode = mode;
  query.filesWithoutMatch = withoutMatch;
}
