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

const NONE = {
  ignored: 0,
  blocked: 0,
  symlinks: 0,
  /** Pipes, sockets, devices, and what the kernel generates. */
  special: 0,
  hidden: 0,
  filtered: 0,
  unreadable: 0,
  vanished: 0,
  /** The directory itself: a linked git worktree that nobody named. */
  worktrees: 0,
  /** Ignore files, for the length of their rules. */
  ignore_files: 0,
  /** Exclusion files that were not read, so that all beside and below them was excluded. */
  exclusion_files: 0,
  /** Lines of exclusion files, and settings, that do not count. */
  exclusion_lines: 0,
};

/** How many entries were skipped, by reason. */
export type WalkSkips = typeof NONE;

/** Of these, notes say how many there are and where the first is; of others, which may be many, none does. */
export const NOTED = [
  ...["unreadable", "vanished", "worktrees", "ignore_files", "exclusion_files"] as const,
  "exclusion_lines",
] as const;

export function noWalkSkips(): WalkSkips {
  return { ...NONE };
}

/** Reasons that a walk counts, and as what. */
const COUNTED = {
  hidden: "hidden",
  blocked: "blocked",
  ignored: "ignored",
  filtered: "filtered",
  kernel: "special",
  special: "special",
  symlinks: "symlinks",
  deadLink: "symlinks",
  longWay: "unreadable",
  unnamed: "unreadable",
  unlisted: "unreadable",
  gone: "vanished",
  worktrees: "worktrees",
} as const;

/** Reasons that no log mentions; `apart`: another part of the search reports it, `again`: it was listed before. */
const SILENT = ["apart", "again", "longWay", "gone"] as const;

export type LeftReason =
  | keyof typeof COUNTED
  | (typeof SILENT)[number]
  | FilterKey
  | ("nowhere" | "depth" | "elsewhere" | "binary" | "not_utf8" | "compressed" | "too_large");

/** Why something is left out. */
export interface Left {
  readonly reason: LeftReason;
  /** The directory above, or the link, that the reason is about. @default the file itself */
  readonly path?: string;
  /**
   * The rule that ignores or blocks it, the target of a link, the encoding in which a file that is not UTF-8 holds
   * a match, or the option that filters it.
   */
  readonly by?: IgnoreRule | BlockedBy | string | undefined;
  /** Whether its name must not be shown. @default false */
  readonly isWithheld?: boolean;
}

/** Whether a further pass may take an entry that a walk excludes for this reason. */
export function mayBeTaken({ reason }: Left): boolean {
  return reason === "ignored" || reason === "hidden" || reason === "symlinks";
}

/** The reason under which something is counted, if it is. */
export function countedAs({ reason }: Left): keyof WalkSkips | undefined {
  return COUNTED[reason as keyof typeof COUNTED];
}

export function isInLog({ reason }: Left): boolean {
  return !SILENT.some((silent) => silent === reason);
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
/** Of these, what a build writes. */
export const BUILD_OUTPUT: ReadonlySet<string> = new Set(["build", "_build", "dist", "target"]);
