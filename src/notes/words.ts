/**
 * The words of notes: what an answer says of itself is a {@linkcode Note}, plain data, until it is printed. This
 * is the one file that words it, for a person's options and for a tool's keys.
 *
 * @module
 */

import { counted, formFor, inForm, quotedName, shellWord } from "../util/text.ts";
import { shown } from "../util/errors.ts";
import { READ_FLAG, RUNTIME } from "../system/platform.ts";
import {
  type Hiding,
  LEFT_OUT,
  notSearched,
  type OptionChange,
  orInstead,
  type Row,
  type Voice,
} from "./table.ts";

/** How a path was repaired: the rows of the table of repairs. */
const REPAIRED = {
  unquoted: "without the surrounding quotes, backticks or leading @",
  file_url: "as a file URL",
  line: "without the line number at its end",
  backslashes: "with / between the segments",
  from_root: "from the workspace root",
  own_name: "without the workspace root's own name at its start",
  root_name: "from the workspace root of that name",
  link_target: "as the link's target",
  angle_brackets: "without the angle brackets",
  lines: "without the lines at its end",
  line_text: "without the text of the line",
  escaped_blanks: "without the shell's backslashes",
  percent: "with its percent-encoding decoded",
  home: "from the home directory that the workspace is in",
  second_root: "without the second root",
  diff_prefix: "without the prefix of a diff",
  only_ending: "as the only path with this ending",
  glob: "as a glob",
  lines_of_text: "from that line, without its text",
} as const;

export type RepairName = keyof typeof REPAIRED;

export function howRead(by: readonly RepairName[]): string {
  return by.map((name) => REPAIRED[name]).join(", ");
}

/** Where a path was read: `places` of which the first is used or, with `takesAll`, each. */
export interface PlacesRead {
  /** The first of them, as answers show them. */
  places: readonly string[];
  /** How many there are besides. */
  more: number;
  takesAll: boolean;
}

export function placesText({ places, more, takesAll }: PlacesRead, shownAs = quotedName): string {
  const [first = "", ...others] = [
    ...places.map((path) => shownAs(path)),
    ...more ? [`${more} more`] : [],
  ];
  if (others.length === 0) return first;
  return takesAll ? `${first}, ${others.join(", ")}` : `${first}, not ${others.join(", ")}`;
}

/** The longest glob that notes show in full. */
const MAX_QUOTED = 200;

function quoted(glob: string): string {
  return `'${glob.length > MAX_QUOTED ? `${glob.slice(0, MAX_QUOTED)}…` : glob}'`;
}

/** The value as it was read; a limit that no file reaches is none. */
function valueRead(value: unknown): string {
  if (value === Number.MAX_SAFE_INTEGER) return "no limit";
  return value === undefined ? "absent" : shown(value);
}

/** How a value is shown: `{path:name}`. */
// deno-lint-ignore no-explicit-any
const SHOWN: Readonly<Record<string, (value: any, voice: Voice) => string>> = {
  ...{ name: quotedName, json: (value) => JSON.stringify(value), glob: quoted, word: shellWord },
  ...{ value: shown, read: valueRead, by: howRead, list: (texts: string[]) => texts.join(", ") },
  more: (count: number) => count > 0 ? ` and ${count} more` : "",
  filter: (filters: Filters, voice) =>
    Object.entries(filters).map(([key, globs]) => voice.filter(key, globs)).join(" and "),
};

/** Filters as they were given. */
type Filters = Readonly<Record<string, readonly string[]>>;

/** Matches that are not shown, or files where no `count` of matches is. */
interface MissedTotals {
  readonly count?: number;
  readonly files: number;
  /** The first file. */
  readonly path: string;
  /** Whether there may be more. @default false */
  readonly isPart?: boolean;
}

/** `2 matches in 3 files, the first in a.ts`, `2 matches in a.ts`, or without matches `1 file, a.ts`. */
function found({ count, files, path, isPart = false }: MissedTotals): string {
  const least = isPart ? "at least " : "";
  const name = quotedName(path);
  if (count === undefined) {
    return `${least}${counted(files, "file")}, ${files === 1 ? "" : "the first "}${name}`;
  }
  const matches = `${least}${counted(count, "match", "matches")} in`;
  return files === 1
    ? `${matches} ${name}`
    : `${matches} ${counted(files, "file")}, the first in ${name}`;
}

/** The same, before what is said of them in the form for one or for many. */
function foundThat(those: MissedTotals, says: string): string {
  const { count, files } = those;
  return `${found(those)}${count === undefined || files > 1 ? "," : ""} ${says}`;
}

/** Why a glob matches no file, where another one does. */
const WHY_INSTEAD = {
  brackets: "[ ] matches one of the characters in it",
  from_start: "with a slash, it starts at the searched directory",
  directories: "it matches directories only",
  form: "names are in the Unicode normal form ",
  case: "letter case matters",
  convention: "names use another convention",
} as const;

export type WhyInstead = keyof typeof WHY_INSTEAD;

/**
 * The sentence for each reason: in braces are the values that it is about, and after `@` what the reader calls an
 * option. To add a reason, add a row.
 */
const WORDS = {
  // What was not searched, besides what `LEFT_OUT` has.
  not_searched: notSearched,
  place_not_searched: "{path:name} was not searched: {why}",
  root_blocked: "{root:name} was not searched: {why}",
  root_in_part: "{root:name} was searched only in part: {why}",
  workspace_blocked: "the workspace was not searched: {why}",
  workspace_in_part: "the workspace was searched only in part: {why}",

  // Why nothing was found.
  missed: (
    { causes, changes, advice = [], others = [], ...those }: MissedTotals & {
      causes: readonly HidingCause[];
      changes: readonly OptionChange[];
      /** Advice of which this program has no option. */
      advice?: readonly string[];
      /** What another change finds. */
      others?: readonly (MissedTotals & { change: OptionChange })[];
    },
    voice: Voice,
  ): string => {
    const why = causes.map((cause) => hides(cause, those, voice)).join(" and ");
    const ways = [
      ...advice,
      ...[voice.advice(...changes)].filter((way) => way !== ""),
      ...others.map(({ change, ...more }) => `${voice.advice(change)}, which finds ${found(more)}`),
    ];
    return foundThat(those, why) + orInstead(ways.join(", or "));
  },
  glob_finds: (
    { glob, changes, ...those }: MissedTotals & {
      glob: string;
      changes: readonly OptionChange[];
    },
    { advice }: Voice,
  ): string => `${glob} finds ${found(those)}${orInstead(advice(...changes))}`,
  missed_besides: (those: MissedTotals): string =>
    foundThat(those, formFor(those.count ?? those.files, "[is|are] excluded for other reasons")),
  matches_no_file: (
    { filters, isTogether, barred = [], hasBraces, instead }: {
      filters: Filters;
      isTogether: boolean;
      /** What is against the files that they match. */
      barred?: readonly string[];
      /** Whether the braces in a glob are alternatives to this program alone. */
      hasBraces: boolean;
      instead?: MissedTotals & { why?: WhyInstead; form?: string; include: string } | undefined;
    },
    voice: Voice,
  ): string => {
    const given = Object.entries(filters).map(([key, globs]) => ({
      filter: voice.filter(key, globs),
      effect: key === "include" || key === "type" ? "matches no file" : "excludes every file",
    }));
    const effects = isTogether && given.length > 1
      ? `${given.map(({ filter }) => filter).join(" and ")} together match no file`
      : given.map(({ filter, effect }) => `${filter} ${effect}`).join(" and ");
    const problem = effects + (barred.length > 0 ? ` that is not ${barred.join(" or ")}` : "");
    if (hasBraces) {
      return `${problem}: braces are literal there; use --include for each alternative`;
    }
    if (instead === undefined) return problem;
    const { why, form = "", include, ...those } = instead;
    const { count, files, path } = those;
    const reason = why === undefined ? "" : `: ${WHY_INSTEAD[why]}${form}`;
    const what = count === 0
      ? `selects ${counted(files, "file")}, but without a match: ${quotedName(path)}`
      : `finds ${found(those)}`;
    // Another program may need several globs for it.
    return `${problem}${reason}; ${voice.advice({ include }) || "omit it"}, which ${what}`;
  },
  excludes_nothing: ({ field, glob, instead, files }: {
    field: string;
    glob: string;
    instead: string;
    files: number;
  }): string =>
    `${field} '${glob}' excludes nothing; use '${instead}', which excludes ${
      counted(files, "file")
    }`,
  path_missing: (
    { path, instead, similar = [] }: {
      path: string;
      instead?: string;
      similar?: readonly string[];
    },
  ): string =>
    `${quotedName(path)} does not exist` +
    (instead === undefined ? "" : `; search ${quotedName(instead)}`) +
    (similar.length === 0
      ? ""
      : `; similar paths: ${similar.map((one) => quotedName(one)).join(", ")}`),
  type_unknown: ({ given, instead }: { given: string; instead?: string }): string =>
    `rg has no file type of that name and fails: ${given}; ` +
    (instead === undefined ? "`rg --type-list` lists them" : `use ${instead}`),
  every_line: "the pattern matches every line, so -v leaves none",
  not_expanded: "zsh matched no name with {glob} and did not run the search; quote it: {glob:glob}",
  own_grep: "the grep of Claude Code skips such files; `command grep` does not",

  dependencies: (
    { files, directories, isListing, path, changes }: {
      files: number;
      directories: number;
      isListing: boolean;
      path: string;
      changes: readonly OptionChange[];
    },
    { advice }: Voice,
  ): string => {
    const what = isListing
      ? inForm(files)`${files} file[|s] [is|are]`
      : `matches in ${counted(files, "file")} are`;
    const where = directories === 1
      ? `${quotedName(path)}, which no ignore file of the workspace names`
      : `${directories} node_modules that no ignore file of the workspace names, the first is ${
        quotedName(path)
      }`;
    return `${what} in ${where}; ${advice(...changes)} to exclude ${
      directories === 1 ? "it" : "them"
    }`;
  },

  // How paths were read.
  path_read: (
    { path, by, ...places }: { path: string; by: readonly RepairName[] } & PlacesRead,
  ): string => `path ${JSON.stringify(path)} was interpreted ${howRead(by)}: ${placesText(places)}`,
  path_in_roots: ({ path, ...places }: { path: string } & PlacesRead): string => {
    const which = places.takesAll ? "each" : "the first";
    return `path ${JSON.stringify(path)} was resolved in ${which} root that has it: ${
      placesText(places)
    }`;
  },
  path_as_glob: "path {path:json} was interpreted {by:by}",
  path_as_globs: "path {path:json} was interpreted {by:by}; nothing matches {missing:list}",
  path_absent: "path {path:json} was interpreted as absent",
  several_paths: "path {path:json} was interpreted as {count} paths",
  root_by_name:
    "{field} {path:json} was interpreted as the workspace root {root}; selecting a root by its name is deprecated, use a relative or absolute path",
  rules_above: "rule files above the workspace apply: {files:list}{more:more}",
  rules_above_unread:
    `rule files above the workspace, if there are any, do not apply: ${RUNTIME} may not read there; grant ${READ_FLAG} for the directory in which the repository begins`,

  // How filters were read.
  filter_ignored: "{filter} filter ignored because a specific file path was provided",
  filter_ignored_for:
    "{filter} filter ignored for {path:name}{more:more} because a specific file path was provided; it applies in the directories",
  glob_read: "{field} {glob:json} was interpreted {by:by}: {read:json}",
  glob_extended: "{field} {glob:glob} was interpreted as {read:glob}",
  glob_outside:
    "{field} {glob:glob} matches nothing: globs do not reach outside the searched directory; use the other directory as path",
  glob_placed: (
    { field, glob, read }: {
      field: string;
      glob: string;
      read: readonly { glob: string; path: string }[];
    },
  ): string => {
    const places = read.map(({ glob, path }) => `${quoted(glob)} in ${path}`);
    return `${field} ${quoted(glob)} was interpreted as ${places.join(" and ")}`;
  },
  glob_from_searched: "{field} {glob:glob} was interpreted as a path from the searched directory",
  braces_in_names:
    "{field} {glob:glob} excludes names with these braces, which contain no comma; use {instead:glob}",
  quotes_in_names: "{field} {glob:glob} excludes names with these quotes; use {instead:glob}",
  backslashes:
    "{field} {glob:glob} excludes names without these backslashes, which are not separators; use {instead:glob}",
  not_from_root:
    "{field} {glob:glob} excludes nothing: globs start at the searched directory; use {instead:glob}",
  type_read: "{field} '{type}' was interpreted as {read}",
  include_absent: "include {include:json} was interpreted as absent: no file has that name",

  // How patterns were read.
  never_spans_lines:
    "a match never spans lines; use {@multiline} for a pattern that has line breaks in it",
  spellings: ({ read }: { read: readonly (readonly [theirs: string, ours: string])[] }): string => {
    const spelled = (text: string) => text.includes(" ") ? text : `\`${text}\``;
    const each = read.map(([theirs, ours]) => `\`${theirs}\` as ${spelled(ours)}`);
    return `interpreted as JavaScript: ${each.join(", ")}`;
  },
  empty_class: "`{text}` matches nothing: it contains no character",
  nested_class: "`[` in `{text}` opens a nested class; write `\\[` for the character",
  empty_brackets: "`[]` matches nothing; write `\\[\\]` for the characters",
  class_of_letters: "`[{text}` is a class of its letters; write `[[{text}]` for the POSIX class",
  two_characters:
    "`{text}` is two characters here: the `[` after it has no `]`; write `\\[` for a bracket in a class",
  empty_alternative:
    "`||` in a group has an empty alternative, which matches anywhere; write `\\|\\|` for the characters",
  spaced_repeat: "`{text}` is literal text; write `{repeat}` to repeat what is before it",
  ascii_boundary:
    "`\\b` knows ASCII letters only: beside `{letter}` it acts as if no letter were there; use {@wholeWord} for words of any language",
  dollar: "`$` is the end of a line; write `\\$` for the character",
  line_end: "the `\\r` of a line end `\\r\\n` is not part of the line",
  escaped_bar: "`\\|` is the character `|`; write `|` for alternatives",
  patterns_not_told_apart: "which patterns match is not reported for more than {most} patterns",
  empty_matches: "{@onlyMatching} omits empty matches, which the pattern allows",

  // How a file that is not plain text was read.
  read_unpacked: "the file is a gzip file; the lines are those of its unpacked text",
  read_binary: "the file is binary (it contains NUL bytes) and was interpreted as text",
  read_in_encoding: (
    { encoding, others }: { encoding: string; others: readonly string[] },
  ): string =>
    `the file is not UTF-8 and was decoded as ${encoding}, which fits it best` +
    (others.length === 0
      ? ""
      : `, but it may be ${others.join(" or ")}; name that with the key encoding`),
  read_in_part: ({ lines, isDamaged }: { lines: number; isDamaged: boolean }): string =>
    `the file ${isDamaged ? "is damaged" : "unpacks to too much"}: ${
      counted(lines, "line")
    } of it could be read`,

  outline_unknown: "no outline: the definitions and sections of this kind of file are not known",
  outline_generated:
    "no outline: the file is generated or too long ({lines} lines, {chars} characters)",
  outline_doubted: ({ count }: { count: number }): string =>
    inForm(
      count,
    )`${count} line[|s] in a text or comment that look[s|] like [a head|heads] [was|were] omitted`,

  // How other options were read.
  context_limit: "context of {lines} lines was reduced to {most}; read the file itself for more",
  past_end: (
    { offset, count, unit }: { offset: number; count: number; unit: "entry" | "line" },
  ): string =>
    `offset ${offset} is past the last of ${
      counted(count, unit, unit === "entry" ? "entries" : "lines")
    }`,
  path_order: "more than {most} matches: entries are in path order, not definitions first",
  file_in_rounds:
    "{path:name} has more matches on later pages; path: {path:name} shows them together",
  unfit_inverted: "engine {engine} handed the search to js, as it is for lines that do not match",
  unfit_without_match:
    "engine {engine} handed the search to js, as it is for files without a match",
  unfit_no_literal:
    "engine {engine} handed the search to js, as the pattern has no literal text to filter files by",
  workers_lost:
    "searches run on one thread: this program was bundled without pathgrep_worker.mjs; " +
    "put that file of the npm package beside the bundle",
  not_watched: "the workspace is not watched: {problem}",

  // How a model's call was read.
  tool_read: "the tool {tool} was interpreted as {read}",
  input_json: "the input was parsed from a string of JSON",
  input_list: "the input was taken from a list of one",
  input_wrapped: "the input was taken from its key {key:value}",
  input_as_key: "the input was interpreted as {key}",
  key_absent: "{key:value} was interpreted as absent",
  key_ignored: "{key:value} was ignored: {why}",
  key_read: "{key:value} was interpreted as {read}",
  key_and_value_read: "{key:value} was interpreted as {read} {value:read}",
  key_as_lines: "{key:value} was interpreted as lines {first} to {last}",
  key_as_lines_from: "{key:value} was interpreted as lines from {first} on",
  meaning_of_key: "{key} was interpreted as {meaning}",
  value_read: "{key} {given:value} was interpreted as {read:read}",
  pattern_line_break: "pattern was interpreted without the line break at its end",

  // How a command line was read.
  format_ignored: "PATHGREP_FORMAT={format:word} was ignored: it takes auto, json, jsonl or text",
  layout_ignored: ({ options, format }: { options: readonly string[]; format: string }): string =>
    inForm(options.length)`${
      options.join(" and ")
    } [was|were] ignored: [it applies|they apply] to text, and the format is ${format}`,
  recursive: "-r was ignored: directories are always searched recursively, and nothing is replaced",
  dereference:
    "-R was ignored: directories are always searched recursively; use --follow to follow symbolic links",
  json: "--json was interpreted as --format json: the answer is pathgrep's own JSON",
  as_pattern: '"{word}" was interpreted as the pattern: {advice}',
  as_command: '"{word}" was interpreted as the command; -e {word} searches for the word',
  replacement_character:
    "U+FFFD in an argument was interpreted as that character, which also stands for bytes that are not UTF-8",
  joined_pattern:
    "{argument:word} was interpreted as {before} -e {pattern:word}; -e {argument:word} searches for that text",
  encoding_not_extended:
    "-E takes no value: it is grep's, for extended patterns; --encoding {label} names an encoding",
  empty_pattern: "an empty line of -f {file} was ignored: an empty pattern would match every line",
  empty_patterns:
    "{count} empty lines of -f {file} were ignored: an empty pattern would match every line",

  // The roots of a client.
  client_roots_unnamed: "the client did not name its roots ({problem})",
  client_roots_none:
    "the client did not name its roots ({problem}); the workspace is {root}{more:more}",
  client_roots_kept:
    "the client did not name its roots ({problem}); the workspace is still {root}{more:more}",
  all_of_workspace: "the workspace is all of --workspace",
  client_root_ignored: "a root of the client was ignored: {uri}: {why}",
  client_roots_ignored: "{count} more roots of the client were ignored",
} as const;

type Words = typeof WORDS & { [R in keyof typeof LEFT_OUT]: SaysOf<(typeof LEFT_OUT)[R]> };

type SaysOf<Row> = Row extends { says: infer Says } ? Says : never;

export type Reason = { [R in keyof Words]: Words[R] extends never ? never : R }[keyof Words];

type HidingReason = {
  [R in keyof typeof LEFT_OUT]: (typeof LEFT_OUT)[R] extends { hides: unknown } ? R : never;
}[keyof typeof LEFT_OUT];

/** A reason why matches are not shown. */
export interface HidingCause extends Hiding {
  readonly kind: HidingReason;
}

/** What is in the braces of a sentence. */
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest>
  : never;

/** Its values, as they are shown. */
type TextValues<Text> = {
  readonly [Hole in Holes<Text> as Hole extends `@${string}` ? never : HoleKey<Hole>]: HoleValue<
    Hole
  >;
};

type HoleKey<Hole> = Hole extends `${infer Key}:${string}` ? Key : Hole & string;

type HoleValue<Hole> = Hole extends `${string}:${"json" | "value" | "read"}` ? unknown
  : Hole extends `${string}:by` ? readonly RepairName[]
  : Hole extends `${string}:list` ? readonly string[]
  : Hole extends `${string}:more` ? number
  : Hole extends `${string}:filter` ? Filters
  : Hole extends `${string}:${string}` ? string
  : string | number;

export type ReasonValues<R extends Reason> = Words[R] extends
  (values: infer Values, voice: Voice) => string ? Values
  : TextValues<Words[R]>;

/** Something that an answer says of itself. */
export type NoteOn<R extends Reason> = { readonly reason: R; readonly values: ReasonValues<R> };

export type Note = { [R in Reason]: NoteOn<R> }[Reason];

/** A note, or one that a caller has worded. */
export type NoteOrText = Note | string;

/** For notes that name no options. */
export const SILENT: Voice = {
  ...{ kind: "", nameOf: () => undefined, advice: () => "", filter: String },
  ...{ canSend: () => false, sent: () => "", adds: false, paging: "" },
  ...{ lister: "the glob tool", allowing: "" },
};

/** Notes as sentences, each once; what a caller has worded stays as it is. */
export function sentences(notes: readonly NoteOrText[], voice = SILENT): string[] {
  const known = new Set<string>();
  return notes.flatMap((note) => {
    if (typeof note === "string") return note;
    const text = worded(note, voice);
    return known.has(text) ? [] : (known.add(text), text);
  });
}

/** A note that does not depend on the query. */
export interface StandingNote {
  readonly text: string;
  /** Its reason and its path; a session reports one note on each topic. */
  readonly topic: string;
}

export function standingNotes(notes: readonly NoteOrText[], voice = SILENT): StandingNote[] {
  return notes.map((note) => {
    if (typeof note === "string") return { text: note, topic: note };
    const { path = "" } = note.values as { path?: string };
    return { text: worded(note, voice), topic: `${note.reason} ${path}` };
  });
}

export function worded({ reason, values }: Note, voice: Voice): string {
  const { says = WORDS[reason as keyof typeof WORDS] }: Row = LEFT_OUT[reason as "vanished"] ?? {};
  return typeof says === "function" ? says(values, voice) : inWords(says, values, voice);
}

/** A sentence with its values. */
function inWords(text: string, values: object, voice: Voice): string {
  const given = values as Readonly<Record<string, unknown>>;
  return text.replace(
    /\{(@?)(\w+)(?::(\w+))?\}/g,
    (_, isOption, key, how) =>
      isOption
        ? voice.nameOf(key) ?? key
        : how
        ? SHOWN[how]!(given[key], voice)
        : String(given[key]),
  );
}

/** How a reason hides matches. */
function hides(
  { kind, ...values }: HidingCause,
  { count, files }: MissedTotals,
  voice: Voice,
): string {
  const { hides = "" }: Row = LEFT_OUT[kind];
  const text = typeof hides === "function" ? hides(values) : hides;
  const inForm = formFor(
    count ?? files,
    text.replace(/<(.*?)\|(.*?)>/g, files === 1 ? "$1" : "$2"),
  );
  return inWords(inForm, values, voice);
}
