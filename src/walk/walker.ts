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
import { Policy, type PolicyOptions } from "../guard/policy.ts";
import { canonicalPath } from "../workspace/canonical.ts";
import { UndecodableNames } from "../workspace/undecodable_names.ts";
import { isWithin, nestedIn } from "../workspace/paths.ts";
import type { AllowedRoots } from "../workspace/verification.ts";
import { isLinkedWorktree } from "../workspace/worktree.ts";
import { FileFilter, type FilterOptions } from "./file_filter.ts";
import { IgnoreRules } from "../glob/ignore_rules.ts";
import {
  type DirectoryEntries,
  type DirectoryRules,
  type Entries,
  isLoop,
  isMissing,
  type LeftOutEntry,
  type ListingStore,
  noWalkSkips,
  type PendingDirectory,
  type WalkListing,
  type WalkSkips,
} from "./listing.ts";
import { ruleText, WalkLog } from "./walk_log.ts";
import { readEntries } from "./rule_sources.ts";
import { type IgnoredBy, prefixBelow, WalkRules } from "./walk_rules.ts";

/** What a walk takes in, as plain data: it is sent to the threads that walk. */
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
  /** What the guard blocks. */
  policy: PolicyOptions;
  /** Globs and file types. */
  filter: FilterOptions;
  /** Whether ignore files count. */
  ignore: boolean;
  /** Whether names that start with a dot are taken in. */
  hidden: boolean;
  /** Whether symbolic links are followed. */
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

const EMPTY_LISTING: WalkListing = { files: [], linked: [], directories: [] };
const REASONS = Object.keys(noWalkSkips()) as (keyof WalkSkips)[];
const DOT = 0x2e;
/** Entries that are checked against all rules between two beats. */
const ENTRIES_PER_BEAT = 64;
/** What other ways to directories may cost, in entries met again: links can double them at each step. */
const MAX_DETOURS = 250_000;
/** Characters of a way by links that cost as much as an entry, and at most: no system opens a longer path. */
const DETOUR_CHARS = 16;
const MAX_DETOUR_CHARS = 4096;
/** What the kernel generates: some of it looks like a file and can be read for ever. */
const KERNEL_DIRECTORIES: readonly string[] = ["/proc", "/sys", "/dev"];

/** Lists directories, each on its own. */
export class Walker {
  readonly #options: WalkOptions;
  readonly #policy: Policy;
  readonly #filters: readonly FileFilter[];
  readonly #rules: WalkRules;
  /**
   * How deep directories were, by base and by the ways that count: links may lead to the same place again
   * and again.
   */
  readonly #visited = new Map<string, Map<string, number>>();
  /** What they have cost besides the first to each directory, and whether this is one of them. */
  #detours = 0;
  #isDetour = false;

  /** Bases inside other bases, which the walk of the others skips, and what is not entered. */
  readonly #nested: ReadonlySet<string>;
  /** Files not to be taken (again). */
  readonly #seen: Set<string>;
  /**
   * What was skipped in a directory and already reported, in case the directory is listed again.
   */
  readonly #counted = new Map<string, WalkSkips>();
  readonly #told = new Set<string>();

  readonly #pulse: Pulse;
  #entries = 0;
  readonly #kept: ListingStore | undefined;
  readonly #key: number;

  /**
   * @param options what is walked
   * @param kept listings of earlier walks @default every directory is read
   * @param pulse beaten regularly; what it throws ends the listing @default nothing ends it
   * @throws {PathgrepError} `invalid_input` for a bad glob or type
   */
  constructor(options: WalkOptions, kept?: ListingStore, pulse: Pulse = ENDLESS) {
    this.#options = options;
    this.#pulse = pulse;
    this.#kept = options.mayRepeat ? undefined : kept;
    this.#key = kept?.keyOf(JSON.stringify(options)) ?? 0;
    this.#policy = new Policy(options.policy);
    this.#rules = new WalkRules(options, this.#policy, this.#pulse, this.#kept);
    this.#filters = FileFilter.forEach(options.filter, options.bases);
    this.#nested = new Set([
      ...(options.mayRepeat ? [] : nestedIn(options.bases)),
      ...options.apart ?? [],
    ]);
    this.#seen = new Set(options.named);
  }

  /** The bases themselves, as directories to list. */
  start(): PendingDirectory[] {
    if (this.#options.maxDepth === 0) return [];
    return this.#options.bases.map((path, base) => ({ path, base, depth: 0 }));
  }

  /**
   * The rule that leaves out a file or directory of the walk, to be asked now and then; nothing if ignore
   * files do not.
   *
   * @param path canonical, below the base
   * @param base the index of the base
   */
  ignoredBy(path: string, isDirectory: boolean, base: number): IgnoredBy | undefined {
    return this.#rules.ignoredBy(path, isDirectory, base);
  }

  /** Whether a directory is a linked git worktree, which is left out below a base. */
  isWorktree(directory: PendingDirectory): boolean {
    return this.#rules.mayTell(directory, ".git") &&
      isLinkedWorktree(directory.path, this.#options.allowedRoots);
  }

  /**
   * Lists one directory. One that cannot be listed is empty and counted.
   *
   * @param directory the directory
   * @param skips counts what is skipped
   * @throws what the pulse throws
   */
  list(directory: PendingDirectory, skips: WalkSkips): WalkListing {
    if (!this.#options.mayRepeat) return this.#list(directory, skips);
    const found = noWalkSkips();
    const { leftOut, ...listing } = this.#list(directory, found);
    const counted = this.#counted.getOrInsertComputed(directory.path, noWalkSkips);
    for (const reason of REASONS) {
      const more = Math.max(0, found[reason] - counted[reason]);
      skips[reason] += more;
      counted[reason] += more;
    }
    if (leftOut === undefined) return listing;
    const keyOf = ({ reason, path, link }: LeftOutEntry) => `${reason} ${link ?? path}`;
    const untold = leftOut.filter((entry) => !this.#told.has(keyOf(entry)));
    for (const entry of untold) this.#told.add(keyOf(entry));
    return { ...listing, leftOut: untold };
  }

  #list(directory: PendingDirectory, skips: WalkSkips): WalkListing {
    if (this.#options.follow && !this.#isNew(directory, skips)) return EMPTY_LISTING;
    let found: Entries;
    try {
      found = this.#kept === undefined
        ? readEntries(directory.path)
        : this.#kept.entriesOf(directory.path, () => readEntries(directory.path));
    } catch (error) {
      skips[isMissing(error) ? "vanished" : "unreadable"]++;
      return isMissing(error) ? EMPTY_LISTING : this.#nothingIn(directory, "cannot be listed");
    }
    if (this.#isDetour) this.#detours += found.entries.length;
    if (directory.depth > 0 && found.hasGitFile && this.isWorktree(directory)) {
      if (!this.#options.bases.includes(directory.path)) skips.worktrees++;
      return { ...this.#nothingIn(directory, "a git worktree"), entries: found.entries };
    }
    const rules = this.#rules.rulesIn(directory, found, skips);
    if (this.#kept === undefined) return this.#take(directory, found.entries, rules, skips);
    const { base, depth } = directory;
    let { taken } = found;
    const isSame = taken?.key === this.#key && taken.rules === rules && taken.base === base &&
      taken.depth === depth;
    if (taken === undefined || !isSame) {
      const skips = noWalkSkips();
      const listing = this.#take(directory, found.entries, rules, skips);
      taken = found.taken = { key: this.#key, base, depth, rules, listing, skips };
    }
    for (const reason of REASONS) skips[reason] += taken.skips[reason];
    return taken.listing;
  }

  /**
   * Whether links have not led to a directory before, or by a longer way only, which left fewer levels
   * below. A glob of paths may match by each way.
   */
  #isNew({ base, path, depth, linkedBelow = "" }: PendingDirectory, skips: WalkSkips): boolean {
    const ways = this.#visited.getOrInsertComputed(`${base}:${path}`, () => new Map());
    const way = this.#filters[base]!.isOfPaths ? linkedBelow : "";
    const before = ways.get(way);
    const mayGoDeeper = this.#options.maxDepth < Infinity;
    if (before !== undefined && (before <= depth || !mayGoDeeper)) return false;
    this.#isDetour = before === undefined && ways.size > 0;
    if (this.#isDetour) this.#detours += 1 + way.length / DETOUR_CHARS;
    const isTooMuch = this.#isDetour && this.#detours > MAX_DETOURS;
    if (isTooMuch || way.length > MAX_DETOUR_CHARS) {
      skips.unreadable++;
      return false;
    }
    ways.set(way, depth);
    return true;
  }

  /** The listing of a directory of which nothing is taken in. */
  #nothingIn(directory: PendingDirectory, why: string): WalkListing {
    if (!this.#options.isLogged) return EMPTY_LISTING;
    const log = new WalkLog(directory.path, { isExcluded: !this.#rules.mayTell(directory, "") });
    return { ...EMPTY_LISTING, log: log.leaveOut("", why).lines };
  }

  /** What of a directory's entries is taken in. */
  #take(
    directory: PendingDirectory,
    entries: DirectoryEntries,
    rules: DirectoryRules,
    skips: WalkSkips,
  ): WalkListing {
    const files: string[] = [];
    const linked: string[] = [];
    const directories: PendingDirectory[] = [];
    const base = this.#options.bases[directory.base]!;
    const filter = this.#filters[directory.base]!;
    const prefix = directory.path.endsWith(platform.sep)
      ? directory.path
      : directory.path + platform.sep;
    const below = directory.linkedBelow ?? prefixBelow(base, directory.path);
    const ruleBelow = this.#rules.prefixOf(directory);
    const { ignore } = rules;
    const mayExclude = rules.isExcluded || rules.exclusion !== IgnoreRules.NO_EXCLUSIONS;
    const exclusionBelow = mayExclude ? this.#rules.exclusionPrefixOf(directory.path) : "";
    const deeper = directory.depth + 1 < this.#options.maxDepth;
    const { follow, hidden, mayRepeat } = this.#options;
    const isTop = prefix === "/";
    const remembers = mayRepeat || this.#seen.size > 0;
    const undecodable = new UndecodableNames();
    const leftOut: LeftOutEntry[] | undefined = this.#options.tellsLeftOut ? [] : undefined;
    const log = this.#options.isLogged ? new WalkLog(directory.path, rules) : undefined;
    const isWithheld = (name: string) =>
      this.#policy.blocksEntry(prefix, name, this.#pulse) ||
      this.#rules.excludesLink(rules, exclusionBelow + name, name, prefix + name);
    for (const entry of entries) {
      if (++this.#entries % ENTRIES_PER_BEAT === 0) this.#pulse.beat(ENTRIES_PER_BEAT);
      const name = entry.name;
      if (this.#nested.size > 0 && this.#nested.has(prefix + name)) continue;
      if (!hidden && name.charCodeAt(0) === DOT) {
        skips.hidden++;
        log?.leaveOut(name, "hidden", isWithheld(name));
        continue;
      }
      const isBlocked = this.#policy.blocksEntry(prefix, name, this.#pulse);
      if (isBlocked && !(entry.isDirectory && this.#policy.mayLiftIn(prefix, name))) {
        skips.blocked++;
        log?.withhold();
        leftOut?.push({ path: prefix + name, isDirectory: entry.isDirectory, reason: "blocked" });
        continue;
      }
      const isNamed = undecodable.opens(prefix, entry);
      let isDirectory = entry.isDirectory;
      let isFile = entry.isFile;
      let target: string | undefined;
      if (entry.isSymlink) {
        const path = prefix + name;
        // Where one that is excluded leads does not show.
        if (mayExclude && this.#rules.excludesLink(rules, exclusionBelow + name, name, path)) {
          skips.blocked++;
          log?.withhold();
          leftOut?.push({ path, isDirectory, reason: "blocked" });
          continue;
        }
        const found = isNamed && this.#options.follow ? this.linkTarget(path) : undefined;
        if (found === undefined) {
          skips[isNamed || !this.#options.follow ? "symlinks" : "unreadable"]++;
          log?.leaveOut(
            name,
            follow ? "a link that leads to nothing to search" : "a symbolic link",
            false,
          );
          if (isNamed) leftOut?.push({ path, isDirectory, reason: "symlinks" });
          continue;
        }
        isDirectory = found.info.isDirectory;
        isFile = found.info.isFile;
        target = found.path;
      }
      if (!isDirectory && !isFile) {
        log?.leaveOut(name, "neither a file nor a directory", isWithheld(name));
        continue;
      }
      let rulesBelow = isBlocked ? { ...rules, isExcluded: true } : rules;
      if (mayExclude && !isBlocked) {
        const path = prefix + name;
        const below = exclusionBelow + name;
        const isExcluded = this.#rules.excludes(rules, below, name, path, isDirectory);
        if (isExcluded && !(isDirectory && this.#policy.mayLiftBelow(path))) {
          skips.blocked++;
          log?.withhold();
          leftOut?.push({ path, isDirectory, reason: "blocked" });
          continue;
        }
        if (isExcluded !== rules.isExcluded) rulesBelow = { ...rules, isExcluded };
      }
      const verdict = ignore === IgnoreRules.NONE
        ? undefined
        : ignore.verdictOn(ruleBelow + name, name, isDirectory, this.#pulse);
      if (verdict?.isTracked) rulesBelow = { ...rulesBelow, ignore: ignore.inside(verdict) };
      else if (verdict !== undefined) {
        skips.ignored++;
        const path = prefix + name;
        log?.leaveOut(name, ruleText(verdict.source), rulesBelow.isExcluded);
        const link = target === undefined ? {} : { path: target, link: path };
        if (isNamed) leftOut?.push({ path, isDirectory, reason: "ignored", ...link });
        continue;
      }
      if (isDirectory) {
        if (!deeper) {
          log?.leaveOut(name, "deeper than --max-depth", rulesBelow.isExcluded);
          continue;
        }
        if (isTop && KERNEL_DIRECTORIES.includes(prefix + name)) {
          skips.filtered++;
          log?.leaveOut(name, "the kernel's");
          continue;
        }
        if (!filter.acceptsAll && filter.prunes(below + name, name, this.#pulse)) {
          skips.filtered++;
          log?.leaveOut(name, filter.reason(below + name, name, true), rulesBelow.isExcluded);
          continue;
        }
        if (!isNamed) {
          skips.unreadable++;
          log?.leaveOut(name, "its name is not UTF-8");
          continue;
        }
        const path = target ?? prefix + name;
        const { isOfPaths } = filter;
        if (isOfPaths && target !== undefined && isLoop(directory, target, base)) continue;
        const links = target === undefined
          ? directory.links
          : { from: directory.path, target, before: directory.links };
        // What is in the base has only one path, whichever link led there first.
        const isLinked = follow && !isWithin(base, path);
        directories.push({
          path,
          base: directory.base,
          depth: directory.depth + 1,
          ...(isLinked ? { linkedBelow: `${below}${name}/` } : {}),
          ...(isLinked && isOfPaths && links !== undefined ? { links } : {}),
          rules: target === undefined
            ? rulesBelow
            : this.#rules.rulesOfTarget(target, directory.base),
        });
        continue;
      }
      if (!filter.acceptsAll && !filter.accepts(below + name, name, this.#pulse)) {
        skips.filtered++;
        log?.leaveOut(name, filter.reason(below + name, name, false), rulesBelow.isExcluded);
        continue;
      }
      if (!isNamed) {
        skips.unreadable++;
        log?.leaveOut(name, "its name is not UTF-8");
        continue;
      }
      if (remembers && this.#isRepeated(target ?? prefix + name)) continue;
      if (target === undefined) files.push(name);
      else linked.push(target);
    }
    const told = { ...(leftOut && { leftOut }), ...(log && { log: log.lines }) };
    return { files, linked, directories, entries, ...told };
  }

  /** Whether a path is not to be taken because it was before; remembers it where that may happen. */
  #isRepeated(path: string): boolean {
    const { mayRepeat } = this.#options;
    if (!mayRepeat && this.#seen.size === 0) return false;
    if (this.#seen.has(path)) return true;
    if (mayRepeat) this.#seen.add(path);
    return false;
  }

  /** Where a link leads, if that may be read. */
  linkTarget(path: string): { path: string; info: Deno.FileInfo } | undefined {
    this.#pulse.beat(1);
    try {
      const found = canonicalPath(
        path,
        this.#options.allowedRoots,
        (step) => this.#policy.isBlocked(step) || this.#rules.excludesTarget(step),
      );
      if (!found.exists) return undefined;
      if (!this.#options.allowedRoots.some((root) => isWithin(root, found.path))) return undefined;
      if (this.#policy.isBlocked(found.path)) return undefined;
      return this.#rules.excludesTarget(found.path) ? undefined : found;
    } catch {
      return undefined; // a loop, or a directory on the way that may not be read
    }
  }
}
