/**
 * The walk: finds the files below a directory that a search reads.
 *
 * It lists one directory at a time, so that the caller decides on order, threads and the end. Links,
 * devices and pipes are never opened; links are followed only on request, and only to where the caller
 * may read.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";
import { Policy } from "../guard/policy.ts";
import { type CanonicalPath, canonicalPath } from "../paths/canonical.ts";
import { compareByBytes, isWithin, nestedIn, relativePath } from "../util/path.ts";
import { isLinkedWorktree } from "../exclusions/rule_file.ts";
import { EntryChecks, type WalkContext } from "./entry_checks.ts";
import { FileFilter, filtersByKey } from "./file_filter.ts";
import { Directories, type Entries } from "./directories.ts";
import {
  DirectoryReport,
  type DirectoryRules,
  isInLog,
  type Left,
  namesIn,
  noWalkSkips,
  PassTurn,
  type PendingDirectory,
  USUALLY_IGNORED,
  type WalkListing,
  type WalkOptions,
  type WalkSkips,
} from "./listing.ts";
import { type IgnoredBy, WalkRules } from "./walk_rules.ts";
import { isMissing } from "../system/files.ts";
import type { DirectoryEntries, DirEntry } from "../system/types.ts";
import { valueAt } from "../util/collections.ts";

const REASONS = Object.keys(noWalkSkips()) as (keyof WalkSkips)[];
/** Entries that are checked against all rules between two beats. */
const ENTRIES_PER_BEAT = 64;
/** Characters of a way by links, at most: no system opens a longer path. */
const MAX_WAY_CHARS = 4096;

export class Walker {
  readonly #options: WalkOptions;
  readonly #rules: WalkRules;
  /** Shared by the checks of all directories. */
  readonly #context: WalkContext;
  /** How deep directories were, by base and path: links may lead to the same place again and again. */
  readonly #visited = new Map<string, number>();
  /** Files not to be taken (again). */
  readonly #seen: Set<string>;
  /** The reported skips of each directory, in case it is listed again. */
  readonly #counted = new Map<string, WalkSkips>();

  readonly #pulse: Pulse;
  #entries = 0;
  readonly #directories: Directories;
  /** Stands for the options in what is derived from a directory. */
  #walkKey: object | undefined;

  /**
   * @param pulse beaten regularly; what it throws ends the listing @default nothing ends it
   * @throws {PathgrepError} `invalid_input` for a bad glob or type
   */
  constructor(
    options: WalkOptions,
    directories: Directories = new Directories(),
    pulse: Pulse = ENDLESS,
  ) {
    this.#options = options;
    this.#pulse = pulse;
    // What such a walk takes from a directory depends on what it has met before.
    this.#directories = options.mayRepeat ? new Directories() : directories;
    const policy = new Policy(options.policy);
    this.#rules = new WalkRules(options, policy, pulse, this.#directories);
    this.#context = {
      options,
      policy,
      rules: this.#rules,
      filters: FileFilter.forEach(options.filter, options.bases),
      filtersByKey: options.asked === undefined ? [] : filtersByKey(options.filter, options.bases),
      // The walk of another base lists those inside it.
      apart: namesByDirectory(
        options.mayRepeat && options.asked === undefined
          ? []
          : [...nestedIn(options.bases), ...options.apart ?? []],
      ),
      pulse,
      linkTarget: (path) => this.linkTarget(path),
      isReached: (path, base) => {
        const { asked = 0, bases } = options;
        return bases.slice(0, base < asked ? asked : Infinity).some((base) => isWithin(base, path));
      },
    };
    this.#seen = new Set(options.named);
  }

  get #isFurther(): boolean {
    return this.#options.asked !== undefined;
  }

  start(): PendingDirectory[] {
    if (this.#options.maxDepth === 0) return [];
    return this.#options.bases.map((path, base) => ({ path, base, depth: 0 }));
  }

  /**
   * The rule of an ignore file that excludes an entry of the walk, to be asked now and then.
   *
   * @param path canonical, below the base
   */
  ignoredBy(path: string, isDirectory: boolean, base: number): IgnoredBy | undefined {
    return this.#rules.ignoredBy(path, isDirectory, base);
  }

  /** In a further pass, what is against a file below the first base; nothing where it may not be read. */
  against(path: string): readonly Left[] | undefined {
    const [top = ""] = this.#options.bases;
    let directory: PendingDirectory = { path: top, base: 0, depth: 0 };
    for (const name of relativePath(top, path).split("/")) {
      const found = this.#directories.entriesOf(directory.path);
      const rules = this.#rules.rulesIn(directory, found, noWalkSkips());
      const checks = new EntryChecks(this.#context, directory, rules);
      const isFile = platform.join(directory.path, name) === path;
      if (checks.verdictOn({ name, isFile, isDirectory: !isFile, isSymlink: false })) {
        return undefined;
      }
      if (isFile) return checks.left;
      directory = this.#inside(checks, directory);
    }
    return undefined;
  }

  /** Whether a directory is a linked git worktree, which is excluded below a base. */
  isWorktree(directory: PendingDirectory): boolean {
    return this.#rules.mayTell(directory, ".git") &&
      isLinkedWorktree(directory.path, this.#options.allowedRoots);
  }

  /**
   * Lists one directory. One that cannot be listed is empty and counted. Throws what the pulse
   * throws.
   */
  list(directory: PendingDirectory): WalkListing {
    const listing = this.#list(directory);
    return this.#options.mayRepeat ? this.#withoutCounted(directory.path, listing) : listing;
  }

  /** What was not reported when a directory was listed before. */
  #withoutCounted(path: string, listing: WalkListing): WalkListing {
    const skips = noWalkSkips();
    const counted = valueAt(this.#counted, path, noWalkSkips);
    for (const reason of REASONS) {
      skips[reason] = Math.max(0, listing.skips[reason] - counted[reason]);
      counted[reason] += skips[reason];
    }
    return { ...listing, skips };
  }

  #list(directory: PendingDirectory): WalkListing {
    const isLinked = this.#options.follow || directory.left?.some(isLink) === true;
    const again = isLinked ? this.#metAgain(directory) : undefined;
    if (again !== undefined) return this.#without(directory, again);
    let found: Entries;
    try {
      found = this.#directories.entriesOf(directory.path);
    } catch (error) {
      return this.#without(
        directory,
        { reason: isMissing(error) ? "gone" : "unlisted" },
      );
    }
    const mayBeLeft = directory.depth > 0 && found.hasGitFile && !this.#options.worktrees;
    if (mayBeLeft && this.isWorktree(directory)) {
      const isBase = this.#options.bases.includes(directory.path);
      const left: Left = { reason: isBase ? "apart" : "worktrees" };
      if (isBase || !this.#isFurther) return this.#without(directory, left, found.entries);
      const { path, left: above = [] } = directory;
      directory = { ...directory, ...leftIn(directory, [...above, { ...left, path }]) };
    }
    const skips = noWalkSkips();
    const rules = this.#rules.rulesIn(directory, found, skips);
    const { base, depth } = directory;
    // A further pass may take a directory in more than one way, and shall not take the place of searches.
    if (this.#isFurther) return this.#take(directory, found.entries, rules);
    this.#walkKey ??= this.#directories.derived(JSON.stringify(this.#options), [], () => ({}));
    const listing = this.#directories.derived(
      found,
      [this.#walkKey, base, depth, rules],
      () => this.#take(directory, found.entries, rules),
    );
    for (const reason of REASONS) skips[reason] += listing.skips[reason];
    return { ...listing, skips };
  }

  /**
   * Why a directory is not listed to which links have led before, unless that left fewer levels below. Answers
   * have canonical paths, so a second way to it would add nothing.
   */
  #metAgain(directory: PendingDirectory): Left | undefined {
    const { base, path, depth, linkedBelow = "", left = [] } = directory;
    const place = `${base}:${left.length > 0}:${path}`;
    const before = this.#visited.get(place);
    const mayGoDeeper = this.#options.maxDepth < Infinity;
    if (before !== undefined && (before <= depth || !mayGoDeeper)) return { reason: "again" };
    if (linkedBelow.length > MAX_WAY_CHARS) return { reason: "longWay" };
    this.#visited.set(place, depth);
    return undefined;
  }

  #without(directory: PendingDirectory, left: Left, entries?: DirectoryEntries): WalkListing {
    const { path } = directory;
    const isWithheld = this.#options.isLogged === true && isInLog(left) &&
      !this.#rules.mayTell(directory, "");
    const report = new DirectoryReport(path, isWithheld, this.#options);
    report.add({ name: "", path, isDirectory: true, isNamed: true }, { ...left, isWithheld });
    return {
      files: [],
      linked: [],
      directories: [],
      ...(entries && { entries }),
      ...report.parts,
    };
  }

  #take(
    directory: PendingDirectory,
    entries: DirectoryEntries,
    rules: DirectoryRules,
  ): WalkListing {
    const files: string[] = [];
    const linked: string[] = [];
    const directories: PendingDirectory[] = [];
    const named: string[] = [];
    const left = new Map<unknown, OpenLeftFiles>();
    const checks = new EntryChecks(this.#context, directory, rules);
    const report = new DirectoryReport(directory.path, rules.isExcluded, this.#options);
    for (const entry of this.#inOrder(entries, directory.only)) {
      if (++this.#entries % ENTRIES_PER_BEAT === 0) this.#pulse.beat(ENTRIES_PER_BEAT);
      const verdict = checks.verdictOn(entry);
      if (checks.isDirectory && checks.isNamedBy(verdict)) {
        if (!this.#isRepeated(checks.path + platform.sep)) named.push(entry.name);
      }
      if (verdict !== undefined) report.add(checks, verdict);
      else if (checks.isDirectory) directories.push(this.#inside(checks, directory));
      else if (checks.left.length > 0) {
        if (!this.#seen.has(checks.target ?? checks.path)) addLeft(left, checks, directory);
      } else if (this.#isRepeated(checks.target ?? checks.path)) continue;
      else if (checks.target === undefined) files.push(entry.name);
      else linked.push(checks.target);
    }
    const ownOf = (names: string[]) => namesIn(this.#options.part, directory.path, names);
    const others = [...left.values()].map((one) => ({ ...one, files: ownOf(one.files) }));
    return {
      ...{ files: ownOf(files), linked, directories, entries },
      ...(named.length > 0 && { named: ownOf(named) }),
      ...(others.length > 0 && { left: others }),
      ...report.parts,
    };
  }

  #inOrder(entries: DirectoryEntries, only: readonly string[] | undefined): Iterable<DirEntry> {
    const names = only && new Set(only);
    const taken = names === undefined
      ? entries
      : [...entries].filter(({ name }) => names.has(name));
    // By which of several links a directory is met decides whether globs of paths match in it.
    return this.#options.follow ? [...taken].sort((a, b) => compareByBytes(a.name, b.name)) : taken;
  }

  #inside(checks: EntryChecks, directory: PendingDirectory): PendingDirectory {
    const { base, depth } = directory;
    const { below, inside, name, target } = checks;
    const path = target ?? checks.path;
    const { bases, follow } = this.#options;
    // What is in the base has only one path, whichever link led there first.
    const isLinked = (follow || this.#isFurther) && !isWithin(bases[base]!, path);
    return {
      ...(this.#isFurther ? leftIn(directory, checks.left, name) : {}),
      path,
      base,
      depth: depth + 1,
      ...(isLinked ? { linkedBelow: `${below}${name}/` } : {}),
      rules: target === undefined ? inside : this.#rules.rulesOfTarget(target, base),
    };
  }

  /** Whether a path is not to be taken because it was before; remembers it where that may happen. */
  #isRepeated(path: string): boolean {
    const { mayRepeat } = this.#options;
    if (!mayRepeat && this.#seen.size === 0) return false;
    if (this.#seen.has(path)) return true;
    if (mayRepeat) this.#seen.add(path);
    return false;
  }

  /** Where a link leads, if that may be read or, were it there, might be. */
  linkTarget(path: string): CanonicalPath | undefined {
    this.#pulse.beat(1);
    const { allowedRoots } = this.#options;
    const isBlocked = (step: string) => this.#rules.exclusions.blocks(step) !== false;
    try {
      const found = canonicalPath(path, allowedRoots, isBlocked);
      const isTaken = allowedRoots.some((root) => isWithin(root, found.path)) &&
        !isBlocked(found.path);
      return isTaken ? found : undefined;
    } catch {
      return undefined; // a loop, or a directory on the way that may not be read
    }
  }
}

function namesByDirectory(paths: readonly string[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    valueAt(names, platform.dirname(path), () => new Set()).add(platform.basename(path));
  }
  return names;
}

interface OpenLeftFiles {
  left: readonly Left[];
  files: string[];
  linked: string[];
}

/** Adds a file to those of a directory that are left out for the same reasons. */
function addLeft(
  to: Map<unknown, OpenLeftFiles>,
  { left, name, target }: EntryChecks,
  { left: above }: PendingDirectory,
): void {
  const key = left === above ? above : JSON.stringify(left); // most have no reasons of their own
  const same = valueAt(to, key, () => ({ left, files: [], linked: [] }));
  if (target === undefined) same.files.push(name);
  else same.linked.push(target);
}

function isLink({ reason }: Left): boolean {
  return reason === "symlinks";
}

/** Where the turns of a further pass begin, of what was asked for and of the rest. */
function startOf(turn: PassTurn): PassTurn {
  return turn >= PassTurn.Elsewhere ? PassTurn.Elsewhere : PassTurn.Start;
}

/** What is against everything in a directory that a further pass has met in another one, and its turn. */
function leftIn(
  { turn = PassTurn.Searched }: PendingDirectory,
  left: readonly Left[],
  name = "",
): Pick<PendingDirectory, "left" | "turn"> {
  if (left.length === 0) return {};
  const isUsual = USUALLY_IGNORED.has(name);
  if (turn === PassTurn.Start && !isUsual) return { left, turn };
  const own = isUsual ? PassTurn.UsuallyIgnored : PassTurn.LeftOut;
  const isElsewhere = left.every(({ reason }) => reason === "elsewhere");
  return { left, turn: Math.max(turn, isElsewhere ? PassTurn.Elsewhere : startOf(turn) + own) };
}
