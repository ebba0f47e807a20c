/**
 * Options that users of ripgrep and grep bring along: those that are the default here, those that
 * have another spelling, and those that are not supported, each with what to use instead.
 *
 * @module
 */
import {
  choice,
  type Flag,
  type OptionGroup,
  type OptionValue,
  type RefusedOption,
  text,
} from "./option.ts";

/** Accepted by a search, or refused with advice; none of these is listed in help. */
export const FOREIGN_OPTIONS: OptionGroup = {
  title: "Habits",
  unlisted: true,
  options: [
    {
      name: "line-number",
      short: "n",
      help: "",
      set: ({ text }, on) => text.lineNumber = on,
    },
    {
      name: "with-filename",
      short: "H",
      help: "",
      set: ({ text }, on) => text.filename = on,
    },
    always("--extended-regexp -E"),
    always("--perl-regexp -P --pcre2"),
    always("--no-messages -s"),
    always("--no-config"),
    always("--no-require-git"),
    always("--no-ignore-global"),
    always("--no-ignore-messages"),
    always("--no-binary"),
    always("--line-buffered"),
    always("--block-buffered"),
    always("--mmap"),
    always("--crlf"),
    {
      name: "pretty",
      short: "p",
      help: "",
      set({ text }, on) {
        text.color = on ? "always" : "auto";
        text.heading = text.lineNumber = on;
      },
    },
    always("--max-columns-preview"),
    always("--auto-hybrid-regex"),
    { name: "dfa-size-limit", aliases: ["--regex-size-limit"], help: "", value: ignored("SIZE") },
    { name: "colors", help: "", value: ignored("SPEC") },
    { name: "threads", short: "j", help: "", value: ignored("N", "a whole number") },
    { name: "hidden", short: ".", help: "", set: ({ query }, on) => query.hidden = on },
    {
      name: "recursive",
      short: "r",
      help: "",
      set: ({ notes }) =>
        notes.push(
          "-r was ignored: directories are always searched recursively, and nothing is replaced",
        ),
    },
    {
      name: "dereference-recursive",
      short: "R",
      help: "",
      set: ({ notes }) =>
        notes.push(
          "-R was ignored: directories are always searched recursively; " +
            "use --follow to follow symbolic links",
        ),
    },
    {
      name: "files",
      help: "",
      set: (settings, on) => settings.listFiles = on,
    },
    {
      name: "sortr",
      help: "",
      value: {
        name: "ORDER",
        accepts: "modified, the newest first; sorting by path backwards is not supported",
        choices: ["modified"],
        take: ({ query }, order) => order === "modified" && (query.sort = order) !== undefined,
      },
    },
    instead("--glob-case-insensitive", "use --iglob GLOB"),
    { name: "sort-files", help: "", set: ({ query }) => query.sort = "path" },
    {
      name: "json",
      help: "",
      set(settings, on) {
        settings.givenFormat = on ? "json" : "auto";
        if (!on) return;
        settings.notes.push("--json was read as --format json: the answer is pathgrep's own JSON");
      },
    },
    {
      name: "exclude-dir",
      help: "",
      value: text(
        "GLOB",
        ({ query }, glob) => query.exclude.push(`${glob.replace(/(?<!\/)\/+$/, "")}/`),
      ),
    },
    guess("--path --dir --directory", "give each PATH as an operand after the pattern"),
    guess("--ext --extension", "use -g '*.EXT' or -t TYPE"),
    guess("--limit --head-limit --max-matches", "use --max-results N"),
    instead("--replace", "files are only read; make the replacement from the answer"),
    instead(
      "--null-data",
      "lines end at a line feed; search a pipe: tr '\\0' '\\n' < FILE | pathgrep PATTERN -",
    ),
    instead(
      "--search-zip -z",
      "compressed files are not searched; unpack them, or search a pipe: " +
        "gzip -dc FILE | pathgrep PATTERN -",
    ),
    instead(
      "--pre --pre-glob",
      "no other program is run on a file; convert the files, or search a pipe: " +
        "pdftotext FILE - | pathgrep PATTERN -",
    ),
    {
      name: "no-encoding",
      help: "",
      set: ({ query }) => {
        delete query.encoding;
      },
    },
    instead("--binary", "use --text, which searches binary files as text"),
    {
      name: "binary-files",
      help: "",
      value: choice("TYPE", ["text", "without-match"], ({ query }, type) => {
        query.text = type === "text";
      }),
    },
    instead(
      "--basic-regexp -G",
      "patterns are JavaScript regular expressions; -F takes plain text",
    ),
    instead("--byte-offset -b", "use --column"),
    instead(
      "--exclude-from --ignore-file",
      "give each glob with --exclude GLOB, or put the rules into an .ignore file",
    ),
    instead(
      "--context-separator --no-context-separator --field-match-separator " +
        "--field-context-separator --path-separator --group-separator --no-group-separator --initial-tab",
      "use --format json and lay the answer out from it",
    ),
    instead(
      "--ignore-file-case-insensitive",
      "the rules of ignore files heed letter case, as in git; " +
        "leave files out in either case with --iglob '!GLOB'",
    ),
    instead("--include-zero", "use -L for the files without a match"),
    instead("--label", "standard input is called (stdin)"),
    instead("--multiline-dotall", "begin the pattern with (?s)"),
    instead(
      "--no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-files",
      "use --no-ignore, which turns off every ignore file",
    ),
    instead(
      "--no-ignore-parent",
      "use --no-ignore, or --workspace for the directory itself: files above a workspace root never count",
    ),
    instead("--no-unicode --no-pcre2-unicode", "\\w, \\d and \\b are ASCII already"),
    instead(
      "--unicode --pcre2-unicode",
      "begin the pattern with (?u)",
    ),
    instead(
      "--pcre2-version",
      "use `pathgrep doctor`, which says what searches and in which version",
    ),
    instead("--debug --trace", "use --stats for what was searched and skipped"),
    instead("--generate", "use `pathgrep completions` for those of a shell"),
    instead("--devices -D", "devices and pipes are never read; PATH `-` is standard input"),
    instead(
      "--directories",
      "directories are searched recursively; use --max-depth N for fewer levels",
    ),
    instead("--one-file-system", "leave directories out with --exclude GLOB"),
    instead("--passthru --passthrough", "use -C N for the lines around a match"),
    instead("--stop-on-nonmatch", "use -m N for the first N matching lines of each file"),
    instead("--hyperlink-format --hostname-bin", "use --hyperlinks auto or never"),
    instead("--type-add --type-clear", "use -g GLOB"),
  ],
};

/** What pathgrep does in any case. */
function always(spellings: string): Flag {
  return { ...names(spellings), help: "", set: () => {} };
}

function instead(spellings: string, instead: string): RefusedOption {
  return { ...names(spellings), instead };
}

/** What models take for an option, and no program has. */
function guess(spellings: string, advice: string): RefusedOption {
  return { ...instead(spellings, advice), isGuess: true };
}

function names(spellings: string): { name: string; aliases: string[] } {
  const [name = "", ...aliases] = spellings.split(" ");
  return { name: name.slice(2), aliases };
}

function ignored(name: string, accepts = `a ${name}`): OptionValue {
  return { name, accepts, take: () => true };
}
