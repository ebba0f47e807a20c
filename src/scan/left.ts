/**
 * What a walk or a reader leaves out of a search, and why: one value for logs, counts, scopes, and for
 * what is looked for when an answer is empty.
 *
 * @module
 */

/** The options that filter files. */
export const FILTER_KEYS = ["include", "exclude", "type", "typeNot"] as const;

export type FilterKey = (typeof FILTER_KEYS)[number];

export function isFilterKey(text: string): text is FilterKey {
  return (FILTER_KEYS as readonly string[]).includes(text);
}

/** A rule of an ignore file. */
export interface IgnoreRule {
  /** The absolute path of its file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly pattern: string;
}

/** The rule that blocks entries: a name of the table, a glob of `--deny`, or a line of an exclusion file. */
export interface BlockedBy {
  /** The exclusion file's absolute path. */
  readonly file?: string;
  /** The name or glob; of an exclusion file, a colon and the line, or nothing if it was not read. */
  readonly rule: string;
}

/** How many entries were skipped, by reason. */
export interface WalkSkips {
  ignored: number;
  blocked: number;
  symlinks: number;
  hidden: number;
  filtered: number;
  unreadable: number;
  vanished: number;
  /** The directory itself: a linked git worktree that nobody named. */
  worktrees: number;
  /** Ignore files, for the length of their rules. */
  ignore_files: number;
  /** Exclusion files that were not read, so that all beside and below them was excluded. */
  exclusion_files: number;
  /** Lines of exclusion files, and settings, that do not count. */
  exclusion_lines: number;
}

export function noWalkSkips(): WalkSkips {
  return {
    ignored: 0,
    blocked: 0,
    symlinks: 0,
    hidden: 0,
    filtered: 0,
    unreadable: 0,
    vanished: 0,
    worktrees: 0,
    ignore_files: 0,
    exclusion_files: 0,
    exclusion_lines: 0,
  };
}

/** What is counted for a reason (default: nothing), and how a log words it (default: it is not mentioned). */
interface ReasonRow {
  readonly counts?: keyof WalkSkips;
  readonly log?: string;
}

/** The reasons; those of filters and rules are worded by the filter or the rule itself. */
const REASONS = {
  /** Another part of the search reports it. */
  apart: {},
  /** It was listed before. */
  again: {},
  hidden: { counts: "hidden", log: "hidden" },
  blocked: { counts: "blocked" },
  ignored: { counts: "ignored" },
  filtered: { counts: "filtered" },
  include: {},
  exclude: {},
  type: {},
  typeNot: {},
  depth: { log: "deeper than --max-depth" },
  elsewhere: {},
  kernel: { counts: "filtered", log: "the kernel's" },
  symlink: { counts: "symlinks", log: "a symbolic link" },
  deadLink: { counts: "symlinks", log: "a link that leads to nothing to search" },
  longWay: { counts: "unreadable" },
  special: { log: "neither a file nor a directory" },
  unnamed: { counts: "unreadable", log: "its name is not UTF-8" },
  unlisted: { counts: "unreadable", log: "cannot be listed" },
  gone: { counts: "vanished" },
  worktree: { counts: "worktrees", log: "a git worktree" },
  binary: { log: "binary: it contains a NUL byte" },
  not_utf8: { log: "not UTF-8" },
  compressed: {},
  too_large: { log: "larger than --max-file-size" },
  unreadable: { log: "cannot be read" },
  long_lines: { log: "searched only in part: a line is too long" },
} satisfies Record<string, ReasonRow>;

export type LeftReason = keyof typeof REASONS;

/** Why something is left out. */
export interface Left {
  readonly reason: LeftReason;
  /** The directory above, or the link, that the reason is about. @default the file itself */
  readonly path?: string;
  /**
   * The rule that ignores or blocks it, the target of a link, or the encoding in which a file that is not
   * UTF-8 holds a match.
   */
  readonly by?: IgnoreRule | BlockedBy | string;
  /** What a log says instead of the table. */
  readonly detail?: string;
  /** Whether its name must not be shown. @default false */
  readonly isWithheld?: boolean;
}

/** Whether a further pass may take an entry that a walk excludes for this reason. */
export function mayBeTaken({ reason }: Left): boolean {
  return reason === "ignored" || reason === "hidden" || reason === "symlink";
}

/** The reason under which something is counted, if it is. */
export function countedAs({ reason }: Left): keyof WalkSkips | undefined {
  const { counts }: ReasonRow = REASONS[reason];
  return counts;
}

/** The words of a log; nothing where it does not mention it. */
export function loggedAs({ reason, detail }: Left): string | undefined {
  const { log }: ReasonRow = Object.hasOwn(REASONS, reason) ? REASONS[reason] : {};
  return detail ?? log;
}

/**
 * Names that ignore rules exclude in most repositories: dependencies, caches, and build output. That they
 * were not searched is no news.
 */
export const USUALLY_IGNORED: ReadonlySet<string> = new Set(
  [
    "node_modules bower_components jspm_packages elm-stuff vendor deps Pods .bundle .pnp .yarn",
    "venv .venv virtualenv site-packages __pycache__ .eggs .tox .nox .ipynb_checkpoints .stack-work",
    ".cache .mypy_cache .pytest_cache .ruff_cache .parcel-cache .sass-cache .turbo .gradle .terraform",
    "build _build .build dist dist-newstyle target obj DerivedData .dart_tool .next .nuxt .output",
    ".svelte-kit .vercel coverage htmlcov .nyc_output .idea .DS_Store",
  ].join(" ").split(" "),
);
