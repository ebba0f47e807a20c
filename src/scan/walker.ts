/**
 * The walk: finds the files below a directory that a search reads.
 *
 * It lists one directory at a time, so that the caller decides on order, threads and the end. Links,
 * devices and pipes are never opened; links are followed only on request, and only to where the caller
 * may read.
 *
 * @module
 */

import { ENDLESS, type Pulse } from "../util/pulse.ts";
import { Policy } from "../guard/policy.ts";
import { canonicalPath } from "../paths/canonical.ts";
import { compareByBytes, isWithin, nestedIn } from "../paths/paths.ts";
import { isLinkedWorktree } from "../paths/worktree.ts";
import { EntryChecks, type WalkContext } from "./entry_checks.ts";
import { FileFilter } from "./file_filter.ts";
import { Directories } from "./files.ts";
import {
  type DirectoryEntries,
  DirectoryReport,
  type DirectoryRules,
  type Entries,
  type LeftOutEntry,
  noWalkSkips,
  type PendingDirectory,
  type Skip,
  type WalkListing,
  type WalkOptions,
  type WalkSkips,
} from "./listing.ts";
import { namesIn } from "./parts.ts";
import { type IgnoredBy, WalkRules } from "./walk_rules.ts";
import { isMissing } from "../system/files.ts";
import type { FileInfo } from "../system/types.ts";

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
  readonly #reported = new Set<string>();

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
      // The walk of another base lists those inside it.
      apart: new Set([
        ...(options.mayRepeat ? [] : nestedIn(options.bases)),
        ...options.apart ?? [],
      ]),
      pulse,
      linkTarget: (path) => this.linkTarget(path),
    };
    this.#seen = new Set(options.named);
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
  #withoutCounted(path: string, { leftOut, ...listing }: WalkListing): WalkListing {
    const skips = noWalkSkips();
    const counted = this.#counted.getOrInsertComputed(path, noWalkSkips);
    for (const reason of REASONS) {
      skips[reason] = Math.max(0, listing.skips[reason] - counted[reason]);
      counted[reason] += skips[reason];
    }
    if (leftOut === undefined) return { ...listing, skips };
    const keyOf = ({ reason, path, link }: LeftOutEntry) => `${reason} ${link ?? path}`;
    const unreported = leftOut.filter((entry) => !this.#reported.has(keyOf(entry)));
    for (const entry of unreported) this.#reported.add(keyOf(entry));
    return { ...listing, skips, leftOut: unreported };
  }

  #list(directory: PendingDirectory): WalkListing {
    const again = this.#options.follow ? this.#metAgain(directory) : undefined;
    if (again !== undefined) return this.#without(directory, again);
    let found: Entries;
    try {
      found = this.#directories.entriesOf(directory.path);
    } catch (error) {
      return this.#without(
        directory,
        isMissing(error)
          ? { reason: "vanished" }
          : { reason: "unreadable", detail: "cannot be listed" },
      );
    }
    if (directory.depth > 0 && found.hasGitFile && this.isWorktree(directory)) {
      const isBase = this.#options.bases.includes(directory.path);
      const reason = isBase ? undefined : "worktrees";
      return this.#without(directory, { reason, detail: "a git worktree" }, found.entries);
    }
    const skips = noWalkSkips();
    const rules = this.#rules.rulesIn(directory, found, skips);
    const { base, depth, part } = directory;
    this.#walkKey ??= this.#directories.derived(JSON.stringify(this.#options), [], () => ({}));
    const listing = this.#directories.derived(
      found,
      [this.#walkKey, base, depth, rules, part?.index, part?.of],
      () => this.#take(directory, found.entries, rules),
    );
    for (const reason of REASONS) skips[reason] += listing.skips[reason];
    return { ...listing, skips };
  }

  /**
   * Why a directory is not listed to which links have led before, unless that left fewer levels below. Answers
   * have canonical paths, so a second way to it would add nothing.
   */
  #metAgain({ base, path, depth, linkedBelow = "" }: PendingDirectory): Skip | undefined {
    const place = `${base}:${path}`;
    const before = this.#visited.get(place);
    const mayGoDeeper = this.#options.maxDepth < Infinity;
    if (before !== undefined && (before <= depth || !mayGoDeeper)) return {};
    if (linkedBelow.length > MAX_WAY_CHARS) return { reason: "unreadable" };
    this.#visited.set(place, depth);
    return undefined;
  }

  #without(directory: PendingDirectory, skip: Skip, entries?: DirectoryEntries): WalkListing {
    const { path } = directory;
    const isWithheld = skip.detail !== undefined && this.#options.isLogged === true &&
      !this.#rules.mayTell(directory, "");
    const report = new DirectoryReport(path, isWithheld, this.#options);
    report.add({ name: "", path, isDirectory: true, isNamed: true }, { ...skip, isWithheld });
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
    const checks = new EntryChecks(this.#context, directory, rules);
    const report = new DirectoryReport(directory.path, rules.isExcluded, this.#options);
    const remembers = this.#options.mayRepeat || this.#seen.size > 0;
    // By which of several links a directory is met decides whether globs of paths match in it.
    const ordered = this.#options.follow
      ? [...entries].sort((a, b) => compareByBytes(a.name, b.name))
      : entries;
    for (const entry of ordered) {
      if (++this.#entries % ENTRIES_PER_BEAT === 0) this.#pulse.beat(ENTRIES_PER_BEAT);
      const skip = checks.verdictOn(entry);
      if (skip !== undefined) report.add(checks, skip);
      else if (checks.isDirectory) directories.push(this.#inside(checks, directory));
      else if (remembers && this.#isRepeated(checks.target ?? checks.path)) continue;
      else if (checks.target === undefined) files.push(entry.name);
      else linked.push(checks.target);
    }
    const { part, path } = directory;
    const own = part === undefined ? files : namesIn(part, path, files);
    return { files: own, linked, directories, entries, ...report.parts };
  }

  #inside(checks: EntryChecks, directory: PendingDirectory): PendingDirectory {
    const { base, depth, part } = directory;
    const { below, inside, name, target } = checks;
    const path = target ?? checks.path;
    // What is in the base has only one path, whichever link led there first.
    const isLinked = this.#options.follow && !isWithin(this.#options.bases[base]!, path);
    return {
      path,
      base,
      depth: depth + 1,
      ...(isLinked ? { linkedBelow: `${below}${name}/` } : {}),
      ...(part && { part }),
      rules: target === undefined ? inside : this.#rules.rulesOfTarget(target, base),
    };
  }

  /** Whether a path is not to be taken because it was before; remembers it where that may happen. */
  #isRepeated(path: string): boolean {
    if (this.#seen.has(path)) return true;
    if (this.#options.mayRepeat) this.#seen.add(path);
    return false;
  }

  /** Where a link leads, if that may be read. */
  linkTarget(path: string): { path: string; info: FileInfo } | undefined {
    this.#pulse.beat(1);
    const { allowedRoots } = this.#options;
    const isBlocked = (step: string) => this.#rules.exclusions.blocks(step) !== false;
    try {
      const found = canonicalPath(path, allowedRoots, isBlocked);
      const isTaken = found.exists && allowedRoots.some((root) => isWithin(root, found.path)) &&
        !isBlocked(found.path);
      return isTaken ? found : undefined;
    } catch {
      return undefined; // a loop, or a directory on the way that may not be read
    }
  }
}
