/**
 * Spellings that users of ripgrep and grep bring along: what goes without saying here, what is said
 * differently, and what is not done, each with what to use instead.
 *
 * @module
 */
import {
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
    always("--line-number -n"),
    always("--with-filename -H"),
    always("--extended-regexp -E"),
    always("--perl-regexp -P --pcre2"),
    always("--no-messages -s"),
    always("--no-config"),
    always("--no-require-git"),
    always("--no-ignore-global"),
    always("--no-ignore-messages"),
    always("--no-binary -I --no-text"),
    always("--line-buffered"),
    always("--block-buffered"),
    always("--mmap"),
    always("--crlf"),
    always("--pretty -p"),
    always("--max-columns-preview"),
    {
      name: "color",
      aliases: ["--colour"],
      help: "",
      value: { ...ignored("WHEN"), choices: ["never", "auto", "always", "ansi"], optional: true },
    },
    { name: "colors", help: "", value: ignored("SPEC") },
    { name: "threads", short: "j", help: "", value: ignored("N") },
    { name: "hidden", short: ".", help: "", set: ({ query }, on) => query.hidden = on },
    {
      name: "recursive",
      short: "r",
      help: "",
      set: ({ notes }) => notes.push("-r was ignored: directories are always searched recursively"),
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
    { name: "sort-files", help: "", set: ({ query }) => query.sort = "path" },
    {
      name: "json",
      help: "",
      set(settings) {
        settings.format = "json";
        settings.notes.push("--json was read as --format json: the answer is pathgrep's own JSON");
      },
    },
    {
      name: "exclude-dir",
      help: "",
      value: text("GLOB", ({ query }, glob) => query.exclude.push(`${glob.replace(/\/+$/, "")}/`)),
    },
    instead("--file -f", "give each pattern with -e PATTERN"),
    instead("--files", "use the command `pathgrep files`"),
    instead("--path --dir --directory", "give each PATH as an operand after the pattern"),
    instead("--ext --extension", "use -g '*.EXT' or -t TYPE"),
    instead("--limit --head-limit --max-matches", "use --max-results N"),
    instead("--replace", "files are only read; make the replacement from the answer"),
    instead("--null -0 -Z", "use --format json, where every file name is safe"),
    instead("--null-data", "lines end at a line feed"),
    instead("--search-zip -z", "compressed files are not searched; unpack them first"),
    instead("--pre --pre-glob", "no other program is run on a file; convert the files first"),
    instead(
      "--text -a --binary --binary-files",
      "binary files are not searched; convert them to text first",
    ),
    instead(
      "--basic-regexp -G",
      "patterns are JavaScript regular expressions; -F takes plain text",
    ),
    instead("--byte-offset -b", "use --column"),
    instead("--count-matches", "use -o, which gives one entry per match"),
    instead(
      "--encoding",
      "UTF-8 is read, and UTF-16 with a byte-order mark; convert other files first",
    ),
    instead(
      "--exclude-from --ignore-file",
      "give each glob with --exclude GLOB, or put the rules into an .ignore file",
    ),
    instead(
      "--context-separator --field-match-separator --field-context-separator --path-separator",
      "use --format json and lay the answer out from it",
    ),
    instead("--no-filename", "use --format json and take from each entry what you need"),
    instead("--no-line-number -N", "use --format json and take from each entry what you need"),
    instead("--iglob --glob-case-insensitive", "spell both cases in the glob: -g '*.[jJ][sS]'"),
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
    instead("--no-unicode", "\\w, \\d and \\b are ASCII already"),
    instead("--one-file-system", "leave directories out with --exclude GLOB"),
    instead("--passthru --passthrough", "use -C N for the lines around a match"),
    instead("--sortr", "use --sort path, modified or none"),
    instead("--stop-on-nonmatch", "use -m N for the first N matching lines of each file"),
    instead("--hyperlink-format", "use --hyperlinks auto or never"),
    instead("--trim", "lines are given as they are; trim them in the answer"),
    instead("--type-add --type-clear", "use -g GLOB"),
    instead("--vimgrep", "use --format text --column"),
  ],
};

/** What pathgrep does in any case. */
function always(spellings: string): Flag {
  return { ...names(spellings), help: "", set: () => {} };
}

function instead(spellings: string, instead: string): RefusedOption {
  return { ...names(spellings), instead };
}

function names(spellings: string): { name: string; aliases: string[] } {
  const [name = "", ...aliases] = spellings.split(" ");
  return { name: name.slice(2), aliases };
}

function ignored(name: string): OptionValue {
  return { name, accepts: `a ${name}`, take: () => true };
}
