/**
 * The input and output of a walk: directories still to list, the entries of one of them, and what a walk or a
 * reader leaves out of a search, and why: one value for logs, counts, scopes, and for what is looked for when
 * an answer is empty.
 *
 * @module
 */

import type { IgnoreRules } from "../glob/ignore_rules.ts";
import type { PolicyOptions } from "../guard/policy.ts";
import type { Logged } from "../notes/table.ts";
import type { ExclusionState } from "../exclusions/exclusions.ts";
import { compareByBytes } from "../util/path.ts";
import type { AllowedRoots } from "../paths/verification.ts";
import type { DirectoryEntries } from "../system/types.ts";
import type { GlobPlace, GlobsWithin } from "../glob/glob_paths.ts";

/** The options that filter files. */
export const FILTER_KEYS = ["include", "exclude", "type", "typeNot"] as const;

export type FilterKey = (typeof FILTER_KEYS)[number];

export function isFilterKey(text: string): text is FilterKey {
  return (FILTER_KEYS as readonly string[]).includes(text);
}

/** Which files of a walk are searched. */
export interface FilterOptions {
  /** Globs of files to take; `!` before one excludes. Empty: all. */
  include: readonly string[];
  /** What messages call `include`. */
  includeKey: "include" | "pattern";
  /** Globs of files and directories to exclude; they come after `include`. */
  exclude: readonly string[];
  /** Names of file types to take. Empty: all. */
  type: readonly string[];
  /** Names of file types to exclude. */
  typeNot: readonly string[];
  /** Where globs apply that begin with a directory of the workspace. @default none do */
  places?: readonly GlobPlace[];
  /**
   * For searched directories that globs given as paths lead to: the globs of what is searched below each,
   * directories with all that is in them. @default everything is
   */
  within?: GlobsWithin | undefined;
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
function mayBeTaken({ reason }: Left): boolean {
  return reason === "ignored" || reason === "hidden" || reason === "symlinks";
}

/** The reason under which something is counted, if it is. */
function countedAs({ reason }: Left): keyof WalkSkips | undefined {
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

/** The options of a walk, as plain data: they are sent to the threads that walk. */
export interface WalkOptions extends AllowedRoots {
  /** The canonical directories that are walked. */
  bases: readonly string[];
  /** Canonical files that are read without a walk, and not met in it again. */
  named: readonly string[];
  /**
   * Whether the walk may reach a file more than once, through a link or from two bases. Then one thread
   * remembers all files.
   */
  mayRepeat: boolean;
  policy: PolicyOptions;
  filter: FilterOptions;
  ignore: boolean;
  /** Whether ignore rules hold for files that git tracks, too. @default they do not */
  ignoresTracked?: boolean;
  /** How another program, whose search is explained, obeys ignore files. @default as this one does */
  habits?: IgnoreHabits;
  /** Whether names that start with a dot are included. */
  hidden: boolean;
  follow: boolean;
  /** Directory levels, at most: 1 is a base's own files, 0 nothing. */
  maxDepth: number;
  /** Whether linked git worktrees are searched. @default false */
  worktrees?: boolean;
  /**
   * In a further pass, which looks for what a search has left out: how many of the bases, the first, that
   * search had. Everything that may be read is taken, with the reasons against it.
   */
  asked?: number;
  /** In a further pass, directories and files that are left to where it begins. @default none */
  apart?: readonly string[];
  /** Whether a further pass keeps to the filters and the depth of the search. @default false */
  isNarrow?: boolean;
  /** Whether such a pass enters directories that everyone ignores. @default false */
  entersUsual?: boolean;
  /** Whether {@linkcode WalkListing.log} is filled in. @default false */
  isLogged?: boolean;
  /** Which of the files are taken. @default all */
  part?: Part | undefined;
}

/** How a program obeys ignore files. */
export interface IgnoreHabits {
  /** The names of those that it reads. */
  readonly files: readonly string[];
  /**
   * Whether it knows repositories: git's count in one alone, and not in another inside it, and rules above a
   * directory that is named hold in it.
   */
  readonly knowsRepositories: boolean;
  /**
   * Whether globs are stronger: what one selects is neither ignored nor hidden, and what a type or an ignore
   * file selects is not hidden.
   */
  readonly selects: boolean;
}

/** The rules that hold in a directory; another object where others do. */
export interface DirectoryRules extends ExclusionState {
  readonly ignore: IgnoreRules;
}

export interface PendingDirectory {
  /** Canonical. */
  path: string;
  /** Which of the walk's bases it was reached from. */
  base: number;
  /** Levels below the base. */
  depth: number;
  /** Outside of the base: the way below it by which a link led there, as a prefix for globs. */
  linkedBelow?: string;
  /** The rules that hold in it; read again where a directory came from another thread. */
  rules?: DirectoryRules;
  /** In a further pass, what is against everything in it. @default nothing */
  left?: readonly Left[];
  /** In a further pass, its turn: see {@linkcode PassTurn}. @default the first */
  turn?: PassTurn;
  /** In a further pass, the names of the entries that are taken in it. @default all */
  only?: readonly string[];
}

/** Where a further pass begins: in a directory, or with files of one. Plain data. */
export interface PassStart extends Omit<PendingDirectory, "rules"> {
  /** Base names of files to read; without them, the directory is to be listed. */
  names?: string[];
}

/**
 * The order of a further pass: what a search is known to exclude, what it has read, what else it excludes, and
 * last what takes long or few want.
 */
export const enum PassTurn {
  Start,
  Searched,
  LeftOut,
  Large,
  UsuallyIgnored,
  /** Added to the others for what was not asked for. */
  Elsewhere,
}

/** Files of a directory that a search leaves out, all for the same reasons. */
export interface LeftFiles {
  readonly left: readonly Left[];
  /** Base names. */
  readonly files: readonly string[];
  /** Canonical paths of files that links lead to. */
  readonly linked: readonly string[];
}

/** The rules that block entries, each once, with an entry that it blocks: its proof, which nothing shows. */
export type BlockedRules = ReadonlyMap<string, BlockedBy & { readonly path: string }>;

function keyOfRule({ file = "", rule }: BlockedBy): string {
  return `${file}\0${rule}`;
}

/** The listing of one directory. It may be returned again: do not change it. */
export interface WalkListing {
  /** Base names of files to read. */
  readonly files: readonly string[];
  /** Canonical paths of files that links lead to. */
  readonly linked: readonly string[];
  readonly directories: readonly PendingDirectory[];
  /** Base names of directories that a finder's globs match. */
  readonly named?: readonly string[];
  readonly skips: Readonly<WalkSkips>;
  /** All of its entries; nothing if it could not be listed. */
  readonly entries?: DirectoryEntries;
  /** In a further pass, files that the search left out. */
  readonly left?: readonly LeftFiles[];
  /** What is excluded and why, if {@linkcode WalkOptions.isLogged}. */
  readonly log?: readonly Logged[];
  /** Names of entries with a reason against them that a further pass may pass over. */
  readonly excluded: readonly string[];
  /** Of these, directories that everyone ignores, and what is in such a one. */
  readonly usual: readonly string[];
  /** Names that ignore rules exclude: the first {@linkcode MAX_IGNORED_NAMES} by bytes. */
  readonly ignored: readonly string[];
  /** Names of links that are not followed, if there are any: {@linkcode MAX_IGNORED_NAMES} at most. */
  readonly links?: readonly string[];
  /** The number of blocked entries named `.git`, which nobody misses. */
  readonly gits: number;
  /** What blocks the others. */
  readonly blockedBy?: BlockedRules;
}

/** An entry, or with an empty name the directory itself. */
export interface SkippedEntry {
  readonly name: string;
  readonly path: string;
  /** The path of its directory below the base, with a slash at the end. */
  readonly below?: string;
  readonly isDirectory: boolean;
  /** Whether its path opens it. */
  readonly isNamed: boolean;
  /** Whether it was not asked for in any case. @default it was */
  readonly isUnasked?: boolean;
}

const REPLACEMENT = "\ufffd";
/** An answer names five, and passes over those that are usually ignored. */
const MAX_IGNORED_NAMES = 100;

/**
 * Collects what a walk excludes in a directory: counts, and lines for `PATHGREP_DEBUG`. These count blocked entries and never name them: an agent may read what
 * its shell prints.
 */
export class DirectoryReport {
  readonly skips: WalkSkips = noWalkSkips();
  readonly #path: string;
  readonly #isExcluded: boolean;
  readonly #log: Logged[] | undefined;
  readonly #excluded: string[] = [];
  readonly #usual: string[] = [];
  #ignored: string[] = [];
  #links: string[] | undefined;
  #gits = 0;
  #blockedBy: Map<string, BlockedBy & { path: string }> | undefined;
  #withheld = 0;
  #undecodable = 0;

  /** @param isExcluded whether the directory is blocked, and so not named either */
  constructor(path: string, isExcluded: boolean, { isLogged }: Pick<WalkOptions, "isLogged">) {
    this.#path = path;
    this.#isExcluded = isExcluded;
    this.#log = isLogged ? [] : undefined;
  }

  add(entry: SkippedEntry, left: Left): void {
    const reason = countedAs(left);
    const isRule = reason === "ignored" || reason === "blocked";
    const counted = isRule && entry.isUnasked ? "filtered" : reason;
    if (counted !== undefined) {
      this.skips[counted]++;
      this.#remember(entry, left, counted);
    }
    if (this.#log !== undefined) this.#addToLog(this.#log, entry, left);
  }

  #remember(entry: SkippedEntry, left: Left, counted: keyof WalkSkips): void {
    if (counted === "ignored" && entry.isNamed && left.isWithheld !== true) {
      this.#addIgnored(entry.name);
    }
    if (counted === "symlinks" && entry.isNamed) (this.#links ??= []).push(entry.name);
    // What a link leads to is not known.
    if (mayBeTaken(left) && (left.reason === "symlinks" || !entry.isUnasked)) {
      this.#addExcluded(entry, left);
    }
    if (counted === "blocked" && entry.name.toLowerCase() === ".git") this.#gits++;
    else if (counted === "blocked" && left.by !== undefined) {
      const by = left.by as BlockedBy;
      (this.#blockedBy ??= new Map()).set(keyOfRule(by), { ...by, path: entry.path });
    }
  }

  #addToLog(log: Logged[], { name, path }: SkippedEntry, left: Left): void {
    if (left.isWithheld) this.#withheld++;
    else if (!isInLog(left)) return;
    else if (name.includes(REPLACEMENT)) this.#undecodable++;
    else log.push({ path, ...left });
  }

  #addExcluded({ name, isDirectory, below = "" }: SkippedEntry, { reason }: Left): void {
    // What git tracks, and rules with exceptions, lead searches into such directories.
    const isUsual = (isDirectory || reason === "symlinks") && USUALLY_IGNORED.has(name) ||
      below.split("/").some((name) => USUALLY_IGNORED.has(name));
    (isUsual ? this.#usual : this.#excluded).push(name);
  }

  #addIgnored(name: string): void {
    this.#ignored.push(name);
    if (this.#ignored.length === 2 * MAX_IGNORED_NAMES) this.#ignored = this.#firstIgnored;
  }

  get #firstIgnored(): string[] {
    return this.#ignored.sort(compareByBytes).slice(0, MAX_IGNORED_NAMES);
  }

  get parts(): Omit<WalkListing, "files" | "linked" | "directories" | "entries"> {
    const { skips } = this;
    return {
      skips,
      excluded: this.#excluded,
      usual: this.#usual,
      ignored: this.#firstIgnored,
      ...(this.#links && { links: this.#links.sort(compareByBytes).slice(0, MAX_IGNORED_NAMES) }),
      gits: this.#gits,
      ...(this.#blockedBy && { blockedBy: this.#blockedBy }),
      ...(this.#log && { log: this.#withCounts(this.#log) }),
    };
  }

  #withCounts(log: readonly Logged[]): Logged[] {
    const path = this.#isExcluded ? "in a blocked directory" : this.#path;
    const counted = (count: number, reason: Logged["reason"]) =>
      count === 0 ? [] : [{ path, reason, count }];
    return [
      ...log,
      ...counted(this.#withheld, "blocked"),
      ...counted(this.#undecodable, "unnamed"),
    ];
  }
}

/*
 * A tree is divided among threads in the same way in every search, so that each thread reads what it has read
 * before. Each lists every directory itself, at a different moment. So a file's part depends on its name
 * alone: if it depended on other entries, files would be read twice or not at all when entries change.
 */

/** One of `of` parts of all files. */
export interface Part {
  index: number;
  of: number;
}

/** Characters at the end of a name that are hashed: they differ from most other names. */
const TELLING_CHARS = 16;
/** 2 ** 32 divided by the golden ratio, which spreads numbers evenly. */
const SPREAD = 0x9e37_79b1;

/** The names of a directory's files that belong to a part. */
export function namesIn(
  part: Part | undefined,
  directory: string,
  names: readonly string[],
): readonly string[] {
  if (part === undefined) return names;
  const { index, of } = part;
  const seed = hash(directory, 0);
  return names.filter((name) => partAt(hash(name, seed), of) === index);
}

/** Whether what is skipped in a directory counts for a part. */
export function countsIn(part: Part | undefined, directory: string): boolean {
  return part === undefined || partAt(hash(directory, 0), part.of) === part.index;
}

function hash(text: string, seed: number): number {
  let hash = seed + text.length;
  for (let index = Math.max(0, text.length - TELLING_CHARS); index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function partAt(hash: number, of: number): number {
  return (Math.imul(hash, SPREAD) >>> 16) % of;
}
