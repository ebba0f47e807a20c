/**
 * The table of reasons why an answer does not show something. A row has all that is said of a reason: its words
 * in the scope of an answer, the sentence on what was met or was named, how it hides matches, and the change that
 * helps. A new reason is a row here; where it is found it has a name (`walk/listing.ts`, `read/files.ts`), which
 * answers and scope count (`query/query.ts`, `run/job.ts`, `reasons/answer_scope.ts`).
 *
 * @module
 */

import { counted, escapeControls, inForm, quotedName, type Tag } from "../util/text.ts";

/** Who reads a note: how its options are called, and changed. */
export interface Voice {
  /** What comes before the name of an option: `the key `. */
  readonly kind: string;
  /** What the reader calls an option; nothing where it has none. */
  nameOf(key: string): string | undefined;
  /** A filter as it was given: `--include '*.ts'`, `include "*.ts"`. */
  filter(key: string, globs: readonly string[]): string;
  /** Tells how to make one of some changes, of those that the reader can make; empty if there is none. */
  advice(...changes: readonly OptionChange[]): string;
  /** Whether the reader has each option of a change, and its values are read literally. */
  canSend(change: OptionChange): boolean;
  /** A change as data: keys and values or, at the shell, its options. */
  sent(change: OptionChange): Readonly<Record<string, unknown>> | string;
  /** Whether an option adds to what it has been given, where a key takes its place. */
  readonly adds: boolean;
  /** What gives an answer page by page: `max_results and offset`. */
  readonly paging: string;
  /** What lists files. */
  readonly lister: string;
  /** How a user allows a path: ` with --allow`. */
  readonly allowing: string;
}

/** Changes to the options of a call; an option that is `undefined` is to be omitted. */
export type OptionChange = Readonly<Record<string, unknown>>;

type Changes = readonly OptionChange[];

/** Matches that a search does not show, for what changes that; paths are absolute. */
export interface Hidden {
  /** What the reason is about: a directory above, a link. */
  path: string;
  first: string;
  directory: string;
  label: string | undefined;
  /** Another form of the pattern or the glob. */
  change: OptionChange;
  isListing: boolean;
  causes: readonly { kind: string }[];
  /** Whether to name `path` is enough. */
  isEnough: boolean;
  /** A path beyond those that were searched; none: the whole workspace. */
  beyond(): string | undefined;
  /** The glob that was meant. */
  meant(): string;
}

/** How much was met in a walk; `isPart`: there may be more. */
interface Met {
  count: number;
  isPart: boolean;
}

/** The same, and its first path by bytes. */
interface MetAt extends Met {
  path: string;
}

/** What a reason that hides matches is about: each row takes some of it. */
export interface Hiding {
  /** Filters as they were given. */
  readonly given?: Readonly<Record<string, readonly string[]>>;
  /** Where an ignore rule is written. */
  readonly file?: string;
  readonly pattern?: string;
  /** Whether git tracks what the rule ignores. */
  readonly isTracked?: boolean;
  readonly form?: string | undefined;
  /** How a text is written otherwise. */
  readonly how?: string | undefined;
  readonly label?: string | undefined;
  readonly path?: string;
  /** Whether all of the matches are in `path`. */
  readonly isOnly?: boolean;
  readonly most?: number;
  readonly limit?: number;
  /** What another reading is of. */
  readonly of?: "pattern" | "glob";
}

export interface Row {
  /** What a log says of an entry; with a rule as where it is written. */
  // deno-lint-ignore no-explicit-any
  log?: ((by: any) => string) | string;
  /** What follows the number of files in the scope of an answer. */
  scope?: readonly [one: string, many: string];
  /** Why a file that was named was not searched. */
  named?: string;
  /** Why one was searched only in part. @default `named` */
  part?: string;
  /** How to search it all the same. */
  change?: OptionChange;
  /** Ways to show matches that it hides, the best first. @default `change` */
  changes?: (hidden: Hidden) => Changes;
  /**
   * How it hides matches: what follows `2 matches in a.ts`, with the forms for one match or many in brackets, and
   * those for one file or many in angle brackets.
   */
  hides?: ((hiding: Hiding) => string) | string;
  /**
   * What an answer says of matches that it hides: where one place is, and several. Of several reasons for a file,
   * the first by rank counts.
   */
  notShown?: readonly [rank: number, cause: string, place: string, places: string];
  /** The sentence on those that a walk met. */
  // deno-lint-ignore no-explicit-any
  says?: ((values: any, voice: Voice) => string) | string;
}

/** A sentence on what was met, in the form for one or for many. */
function met({ count, isPart }: Met): Tag {
  return (strings, ...values) =>
    `${isPart ? "at least " : ""}${count} ${inForm(count)(strings, ...values)}`;
}

/** A way out at the end of a sentence. */
export function orInstead(advice: string): string {
  return advice && `; ${advice}`;
}

/** How to search files that are not UTF-8. */
function inEncoding(whose: "its" | "their", voice: Voice): string {
  const name = voice.nameOf("encoding");
  return name === undefined ? "" : `; name ${whose} encoding with ${voice.kind}${name}`;
}

const FILTERED = "[is|are] excluded by {given:filter}";
const otherForm = ({ isListing, change, meant }: Hidden): Changes => [
  isListing ? { include: meant() } : change,
];

/** What the scope of an answer names, where it is few files. */
export const NAMED_KINDS = [
  ...["binary", "archives", "too_large", "not_utf8", "unreadable", "links"] as const,
];

/** In the order in which an answer's scope, and its notes, have them. */
export const LEFT_OUT = {
  include: { log: "does not match --include", hides: FILTERED, change: { include: undefined } },
  includeCase: {
    hides: "[differs|differ] in letter case from {given:filter}",
    changes: ({ meant }: Hidden): Changes => [{ include: meant() }],
  },
  exclude: { hides: FILTERED, change: { exclude: undefined } },
  type: { log: "its type is not that of --type", hides: FILTERED, change: { type: undefined } },
  typeNot: {
    log: "its type is excluded by --type-not",
    hides: FILTERED,
    change: { typeNot: undefined },
  },
  case: {
    hides: "[differs|differ] in letter case",
    changes: (hidden: Hidden): Changes =>
      otherForm({ ...hidden, change: { caseInsensitive: true } }),
  },
  form: { hides: "[is|are] in the Unicode normal form {form}", changes: otherForm },
  spelling: { hides: "[is|are] written {how}", changes: otherForm },
  convention: { hides: "[uses|use] another naming convention", changes: otherForm },
  blocked: {
    log: "blocked",
    scope: ["blocked", "blocked"],
    says: (
      { count, rules, more }: { count: number; rules: readonly string[]; more: number },
    ): string =>
      inForm(count)`${count} [file or directory is|files or directories are] blocked by the guard${
        rulesText(rules, more)
      } and [was|were] not searched`,
  },
  binary: {
    log: "binary: it contains a NUL byte",
    scope: ["binary", "binary"],
    named: "it is binary (it contains a NUL byte)",
    change: { text: true },
    hides: "[is|are] in <a binary file|binary files> (with a NUL byte)",
    notShown: [3, "binary", "{place} (binary)", "binary files"],
  },
  ignored: {
    log: ruleText,
    hides: ({ file, pattern, isTracked }: Hiding): string =>
      "[is|are] excluded by " +
      (file === undefined
        ? "an ignore rule"
        : pattern === undefined
        ? "a rule in {file:name}"
        : "the ignore rule {pattern:json} in {file:name}") +
      (isTracked ? ", though git tracks <it|them>" : ""),
    changes: (
      { isEnough, path }: Hidden,
    ): Changes => [{ ignore: false }, ...isEnough ? [{ path }] : []],
    notShown: [1, "ignored", "ignored {place}", "ignored files"],
  },
  untracked: {
    hides: "[is|are] in <an untracked file|untracked files>",
    changes: (): Changes => [],
  },
  filtered: { log: ruleText },
  hidden: {
    log: "hidden",
    scope: ["hidden", "hidden"],
    hides: "[is|are] in hidden files or directories",
    change: { hidden: undefined },
    notShown: [2, "hidden", "hidden {place}", "hidden files"],
  },
  archives: {
    log: "searched as it is: an archive",
    scope: ["archive", "archives"],
    part: "it is an archive; unpack it to search what it holds",
  },
  damaged: {
    log: "searched only in part: damaged",
    part: "it is damaged",
    says: ({ path, ...many }: MetAt): string =>
      met(
        many,
      )`gzip file[ is|s are] damaged and [was|were] searched only up to the damage[:|, the first is] ${
        quotedName(path)
      }`,
  },
  too_large: {
    log: "larger than --max-file-size",
    scope: ["too large", "too large"],
    named: "it is too large for a match that may span lines",
    part: "it unpacks to too much",
    hides: "[is|are] in <a file|files> over {limit} bytes",
    changes: ({ first }: Hidden): Changes => [{ maxFileSize: 0 }, { path: first }],
    notShown: [4, "too_large", "{place} (too large)", "large files"],
    says: ({ path, limit, ...many }: MetAt & { limit: number }, { advice }: Voice): string =>
      limit === Infinity
        ? met(
          many,
        )`gzip file[ unpacks|s unpack] to too much and [was|were] searched only in part[:|, the first is] ${
          quotedName(path)
        }`
        : met(many)`file[|s] over ${limit} bytes [was|were] not searched[:|, the first is] ${
          quotedName(path) + orInstead(advice({ maxFileSize: 0 }, { path }))
        }`,
  },
  compressed: {
    hides: "[is|are] in <a gzip file|gzip files>",
    change: { everything: true },
    notShown: [5, "compressed", "{place} (gzip)", "gzip files"],
  },
  depth: {
    log: "deeper than --max-depth",
    hides: ({ most = 0 }: Hiding): string => `[is|are] deeper than ${counted(most, "level")}`,
    change: { maxDepth: undefined },
  },
  symlinks: {
    log: "a symbolic link",
    hides: "[is|are] behind the symbolic link {path:name}",
    changes: ({ directory }: Hidden): Changes => [{ follow: true }, { path: directory }],
    notShown: [7, "link", "{place} (a link to {detail})", "files behind links"],
  },
  not_utf8: {
    log: "not UTF-8",
    scope: ["not UTF-8", "not UTF-8"],
    named: "it is not UTF-8",
    hides: ({ label }: Hiding): string =>
      label === undefined
        ? "[is|are] in <a file that is|files that are> not UTF-8"
        : "[is|are] encoded in {label}, not UTF-8",
    changes: (
      { label }: Hidden,
    ): Changes => [label === undefined ? { text: true } : { encoding: label }],
    notShown: [6, "encoding", "{place} ({detail})", "files that are not UTF-8"],
    says: ({ path, ...many }: MetAt, voice: Voice): string =>
      met(many)`file[|s] that [is|are] not UTF-8 [was|were] not searched[:|, the first is] ${
        quotedName(path) + inEncoding(many.count === 1 ? "its" : "their", voice)
      }`,
  },
  unreadable: {
    log: "cannot be read",
    scope: ["unreadable", "unreadable"],
    named: "it could not be read",
    says: ({ path, isName, ...many }: MetAt & { isName: boolean }): string =>
      met(
        many,
      )`[file or directory|files or directories] could not be read and [was|were] not searched[:|, the first is] ${
        (isName ? "a name that is not UTF-8 in " : "") + quotedName(path)
      }`,
  },
  vanished: {
    scope: ["vanished", "vanished"],
    named: "it vanished during the search",
    says: ({ path, ...many }: MetAt): string =>
      met(many)`[file or directory|files or directories] vanished during the search` +
      (path && (many.count === 1 ? ", in " : ", the first in ") + quotedName(path)),
  },
  long_lines: {
    log: "searched only in part: a line is too long",
    says: ({ path, limit, ...many }: MetAt & { limit: number }): string =>
      met(
        many,
      )`file[ has a|s have] line[|s] over ${limit} characters, which [was|were] searched only to that length[:|, the first is] ${
        quotedName(path)
      }`,
  },
  ignore_files: {
    says: ({ limit, ...many }: Met & { limit: number }): string =>
      met(many)`ignore file[|s] [was|were] not read: ${
        ruleLimit(limit)
      }; files that [it ignores|they ignore] may be in the answer`,
  },
  links: { scope: ["link", "links"] },
  worktrees: {
    log: "a git worktree",
    scope: ["git worktree", "git worktrees"],
    hides: ({ isOnly }: Hiding): string =>
      isOnly
        ? "[is|are] in the git worktree {path:name}"
        : "[is|are] in git worktrees, the first in {path:name}",
    changes: ({ path }: Hidden): Changes => [{ path }],
    notShown: [8, "worktree", "the git worktree {place}", "files of git worktrees"],
    says: ({ paths, ...many }: Met & { paths: readonly string[] }): string =>
      met(many)`git worktree[|s] [was|were] not searched; pass [it|one] as path to search it: ${
        paths.map(quotedName).join(", ") + (many.count > paths.length ? " and others" : "")
      }`,
  },
  exclusion_files: {
    says: ({ limit, ...many }: Met & { limit: number }): string =>
      met(
        many,
      )`exclusion file[|s] [was|were] not read, so nothing beside or below [it|them] was searched: ${
        ruleLimit(limit)
      }, and each must be readable`,
  },
  exclusion_lines: {
    says: (many: Met): string =>
      met(
        many,
      )`line[|s] or file[|s] that keep[s|] paths from agents [was|were] ignored: ${UNHEEDED}`,
  },
  elsewhere: {
    log: "is not in the given path",
    hides: "[is|are] outside the searched path",
    changes: ({ beyond }: Hidden): Changes => [{ path: beyond() }],
  },
  reading: {
    hides: ({ given }: Hiding): string =>
      given === undefined
        ? "[is|are] found by another reading of the {of}"
        : "[is|are] in directories that {given:filter} matches",
    // The glob that was meant is that of another cause.
    changes: ({ isListing, causes, change }: Hidden): Changes => [
      isListing && causes.some(({ kind }) => kind === "case" || kind === "form") ? {} : change,
    ],
  },
  below: { log: "nothing below it matches --include" },
  kernel: { log: "the kernel's" },
  deadLink: { log: "a link that leads to nothing to search" },
  nowhere: { log: "a link that leads nowhere" },
  special: { log: "neither a file nor a directory" },
  unnamed: { log: "whose name is not UTF-8" },
  unlisted: { log: "cannot be listed" },
} as const satisfies Record<string, Row>;

/** What is left out, for a log: an entry, or how many of a directory. */
export interface Logged {
  readonly path: string;
  readonly reason: string;
  /** The rule or the option that excludes it. */
  readonly by?: unknown;
  readonly count?: number;
}

export function logLines(log: readonly Logged[]): string[] {
  return log.map(({ path, reason, by, count }) => {
    const key = reason === "filtered" && typeof by === "string" ? by : reason;
    const { log = "" }: Row = LEFT_OUT[key as keyof typeof LEFT_OUT];
    const number = count === undefined ? "" : `${counted(count, "entry", "entries")} `;
    return `${path}: ${number}${typeof log === "function" ? log(by) : log}`;
  });
}

interface RuleShown {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}

/** A rule as it is found where it is written: `src/.gitignore:3: *.log`, `--exclude: *.log`. */
function ruleText(rule: RuleShown | undefined): string {
  if (rule === undefined) return "a rule";
  const { file, line, pattern } = rule;
  return `${file}${line > 0 ? `:${line}` : ""}: ${pattern}`;
}

const UNHEEDED =
  "`!include` in .clineignore must name a file of the workspace that is not blocked and " +
  "includes none, and .claude/settings.json and settings.local.json must be JSON";

function ruleLimit(chars: number): string {
  return `at most ${chars} characters of such files are read for a directory and those above it`;
}

/** ` (.env, *.pem and 2 more)` */
export function rulesText(rules: readonly string[], more: number): string {
  const others = more === 0 ? "" : ` and ${more} more`;
  return rules.length === 0
    ? ""
    : ` (${rules.map((rule) => escapeControls(quotedName(rule))).join(", ")}${others})`;
}

type LeftOutReason = keyof typeof LEFT_OUT;

/** Why a file that the caller named was not searched. */
export function notSearched(
  { path, why, isPart }: {
    path: string;
    why: LeftOutReason;
    /** Whether the answer has entries of what comes before. */
    isPart: boolean;
  },
  voice: Voice,
): string {
  const { named: whole = why, part = whole, change }: Row = LEFT_OUT[why];
  const named = isPart ? part : whole;
  const advice = why === "not_utf8"
    ? inEncoding("its", voice)
    : change && orInstead(voice.advice(change));
  return `${quotedName(path)} was ${isPart ? "searched only in part" : "not searched"}: ${named}` +
    (advice ?? "");
}
