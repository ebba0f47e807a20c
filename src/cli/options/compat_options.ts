/**
 * Options that users of ripgrep and grep bring along: those that are the default here, those that
 * have another spelling, and those that are not supported, each with what to use instead.
 *
 * @module
 */
import {
  choice,
  flag,
  type OptionGroup,
  type OptionValue,
  read,
  type RefusedOption,
  text,
  valued,
} from "./option.ts";
import { spelled } from "../../search/query_options.ts";

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
