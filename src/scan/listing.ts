/**
 * The input and output of a walk: directories still to list, the entries of one of them, and what was
 * skipped.
 *
 * @module
 */

import type { IgnoreRules } from "../glob/ignore_rules.ts";
import type { PolicyOptions } from "../guard/policy.ts";
import type { ExclusionState } from "../paths/exclusions.ts";
import { compareByBytes } from "../paths/paths.ts";
import type { AllowedRoots } from "../paths/verification.ts";
import type { FilterOptions } from "./file_filter.ts";
import type { Part } from "./parts.ts";
import type { DirEntry } from "../system/types.ts";

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
  /** Whether names that start with a dot are included. */
  hidden: boolean;
  follow: boolean;
  /** Directory levels, at most: 1 is a base's own files, 0 nothing. */
  maxDepth: number;
  /** Canonical directories that are not entered. @default none */
  apart?: readonly string[];
  /** Whether {@linkcode WalkListing.leftOut} is filled in. @default false */
  tellsLeftOut?: boolean;
  /** Whether {@linkcode WalkListing.log} is filled in. @default false */
  isLogged?: boolean;
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
  /** The part of the files that is taken in it, and in those below. @default all */
  part?: Part;
  /** The rules that hold in it; read again where a directory came from another thread. */
  rules?: DirectoryRules;
}

/** Something that a walk excludes, as {@linkcode WalkListing.leftOut} reports it. */
export interface LeftOutEntry {
  /** Its canonical path; of a link that is not followed, the path of the link itself. */
  path: string;
  /** The path of the link that led there, which the rule applies to. */
  link?: string;
  isDirectory: boolean;
  reason: "ignored" | "blocked" | "symlinks" | "worktrees";
  /** The rule that blocks it. */
  by?: BlockedBy;
}

/** The rule that blocks entries: a name of the table, a glob of `--deny`, or a line of an exclusion file. */
export interface BlockedBy {
  /** The exclusion file's absolute path. */
  readonly file?: string;
  /** The name or glob; of an exclusion file, a colon and the line, or nothing if it was not read. */
  readonly rule: string;
}

/** The rules that block entries, each once. */
export type BlockedRules = ReadonlyMap<string, BlockedBy>;

export function keyOfRule({ file = "", rule }: BlockedBy): string {
  return `${file}\0${rule}`;
}

/** The listing of one directory. It may be returned again: do not change it. */
export interface WalkListing {
  /** Base names of files to read. */
  readonly files: readonly string[];
  /** Canonical paths of files that links lead to. */
  readonly linked: readonly string[];
  readonly directories: readonly PendingDirectory[];
  readonly skips: Readonly<WalkSkips>;
  /** All of its entries; nothing if it could not be listed. */
  readonly entries?: DirectoryEntries;
  /** What a rule or the guard excludes, and links that are not followed, if {@linkcode WalkOptions.tellsLeftOut}. */
  readonly leftOut?: readonly LeftOutEntry[];
  /** What is excluded and why, if {@linkcode WalkOptions.isLogged}. */
  readonly log?: readonly string[];
  /** Names that ignore rules exclude: the first {@linkcode MAX_IGNORED_NAMES} by bytes. */
  readonly ignored: readonly string[];
  /** The number of blocked entries named `.git`, which nobody misses. */
  readonly gits: number;
  /** What blocks the others. */
  readonly blockedBy?: BlockedRules;
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

/** Why an entry is excluded. */
export interface Skip {
  /** The reason under which it is counted. @default it is not counted */
  readonly reason?: keyof WalkSkips | undefined;
  /** The reason in a log. @default it is not mentioned */
  readonly detail?: string | undefined;
  /** Whether its name must not be shown. @default false */
  readonly isWithheld?: boolean;
  /** The rule that blocks it, if one is known. */
  readonly by?: BlockedBy | undefined;
}

/** An entry, or with an empty name the directory itself. */
export interface SkippedEntry {
  readonly name: string;
  readonly path: string;
  readonly isDirectory: boolean;
  /** Where it leads, if it is a link that was followed. */
  readonly target?: string | undefined;
  /** Whether its path opens it. */
  readonly isNamed: boolean;
  /** Whether it was not asked for in any case. @default it was */
  readonly isUnasked?: boolean;
}

const REPLACEMENT = "\ufffd";
/** An answer names five, and passes over those that are usually ignored. */
const MAX_IGNORED_NAMES = 100;

/**
 * Collects what a walk excludes in a directory: counts, the entries that an explanation of an empty answer
 * needs, and lines for `PATHGREP_DEBUG`. These count blocked entries and never name them: an agent may read what
 * its shell prints.
 */
export class DirectoryReport {
  readonly skips: WalkSkips = noWalkSkips();
  readonly #path: string;
  readonly #isExcluded: boolean;
  readonly #leftOut: LeftOutEntry[] | undefined;
  readonly #log: string[] | undefined;
  #ignored: string[] = [];
  #gits = 0;
  #blockedBy: Map<string, BlockedBy> | undefined;
  #withheld = 0;
  #undecodable = 0;

  /** @param isExcluded whether the directory is blocked, and so not named either */
  constructor(
    path: string,
    isExcluded: boolean,
    { tellsLeftOut, isLogged }: Pick<WalkOptions, "tellsLeftOut" | "isLogged">,
  ) {
    this.#path = path;
    this.#isExcluded = isExcluded;
    this.#leftOut = tellsLeftOut ? [] : undefined;
    this.#log = isLogged ? [] : undefined;
  }

  add(entry: SkippedEntry, { reason, detail, isWithheld = false, by }: Skip): void {
    const isRule = reason === "ignored" || reason === "blocked";
    const counted = isRule && entry.isUnasked ? "filtered" : reason;
    if (counted !== undefined) this.skips[counted]++;
    if (counted === "ignored" && entry.isNamed && !isWithheld) this.#addIgnored(entry.name);
    if (counted === "blocked" && entry.name.toLowerCase() === ".git") this.#gits++;
    else if (counted === "blocked" && by !== undefined) {
      (this.#blockedBy ??= new Map()).set(keyOfRule(by), by);
    }
    if (this.#leftOut !== undefined) this.#addLeftOut(entry, reason, by);
    if (this.#log === undefined) return;
    if (isWithheld) this.#withheld++;
    else if (detail === undefined) return;
    else if (entry.name.includes(REPLACEMENT)) this.#undecodable++;
    else this.#log.push(`${entry.path}: ${detail}`);
  }

  #addIgnored(name: string): void {
    this.#ignored.push(name);
    if (this.#ignored.length === 2 * MAX_IGNORED_NAMES) this.#ignored = this.#firstIgnored;
  }

  get #firstIgnored(): string[] {
    return this.#ignored.sort(compareByBytes).slice(0, MAX_IGNORED_NAMES);
  }

  #addLeftOut(
    { isDirectory, isNamed, path, target }: SkippedEntry,
    reason: Skip["reason"],
    by: BlockedBy | undefined,
  ): void {
    const isTold = reason === "blocked" ||
      isNamed && (reason === "ignored" || reason === "symlinks");
    if (!isTold) return;
    const place = target === undefined ? { path } : { path: target, link: path };
    this.#leftOut!.push({ ...place, isDirectory, reason, ...(by && { by }) });
  }

  get parts(): Omit<WalkListing, "files" | "linked" | "directories" | "entries"> {
    const { skips } = this;
    return {
      skips,
      ignored: this.#firstIgnored,
      gits: this.#gits,
      ...(this.#blockedBy && { blockedBy: this.#blockedBy }),
      ...(this.#leftOut && { leftOut: this.#leftOut }),
      ...(this.#log && { log: this.#lines(this.#log) }),
    };
  }

  #lines(named: readonly string[]): string[] {
    const where = this.#isExcluded ? "in a blocked directory" : this.#path;
    const counted = (count: number, what: string) =>
      count === 0 ? [] : [`${where}: ${count} ${count === 1 ? "entry" : "entries"} ${what}`];
    return [
      ...named,
      ...counted(this.#withheld, "blocked"),
      ...counted(this.#undecodable, "whose name is not UTF-8"),
    ];
  }
}

export interface DirectoryEntries extends Iterable<DirEntry> {
  readonly length: number;
}

export interface Entries {
  readonly entries: DirectoryEntries;
  /** Where rule files are or, in `.git`, may be: paths from the directory. */
  readonly ruleFiles: readonly string[];
  /** Whether it holds a `.git`: a repository begins here. */
  readonly hasGit: boolean;
  /** Whether that is a file, as submodules and linked worktrees do. */
  readonly hasGitFile: boolean;
}
