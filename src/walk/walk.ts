/**
 * The walk: which files below a directory a search would read.
 *
 * One directory is listed at a time, so that whoever walks decides on the order, on the threads and
 * on when to stop. Links, devices and pipes are never opened; links are followed only on request,
 * and only to where the caller may read.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { Policy, type PolicyOptions } from "../guard/policy.ts";
import { canonicalPath } from "../workspace/canonical.ts";
import { isWithin } from "../workspace/paths.ts";
import { FileFilter, type FilterOptions } from "./file_filter.ts";
import { type IgnoreFiles, IgnoreRules, MAX_RULE_CHARS } from "./ignore.ts";
import type { Entries, KeptListings } from "../cache/listing_cache.ts";
import type { Listing, PendingDirectory, WalkSkips } from "./listing.ts";

/** What a walk takes in, as plain data: it is sent to the threads that walk. */
export interface WalkOptions {
  /** The canonical directories that are walked. */
  bases: readonly string[];
  /** Canonical files that are read without a walk, and not met in it again. */
  named: readonly string[];
  /**
   * Whether the walk may come to a file more than once, by a link or from two bases, and has to remember
   * each. Then it takes a single thread.
   */
  mayRepeat: boolean;
  /** The canonical directories that nothing read may lie outside of; the workspace's roots first. */
  confines: readonly string[];
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
}

/** No skips yet. */
export function noWalkSkips(): WalkSkips {
  return {
    ignored: 0,
    blocked: 0,
    symlinks: 0,
    hidden: 0,
    filtered: 0,
    unreadable: 0,
    vanished: 0,
    ignore_files: 0,
  };
}

/** Where a directory may have rules. */
const RULE_NAMES = [".gitignore", ".ignore", ".git"];
const IGNORE_FILES = { ".gitignore": "gitignore", ".ignore": "ignore" } as const;
const EMPTY_LISTING: Listing = { files: [], linked: [], directories: [] };
const REASONS = Object.keys(noWalkSkips()) as (keyof WalkSkips)[];
const DOT = 0x2e;
/** What the kernel makes up: some of it looks like a file and can be read for ever. */
const KERNEL_DIRECTORIES: readonly string[] = ["/proc", "/sys", "/dev"];

/** Lists directories, each on its own. */
export class Walker {
  /** What was left out so far. */
  readonly skips: WalkSkips = noWalkSkips();
  readonly #options: WalkOptions;
  readonly #policy: Policy;
  readonly #filter: FileFilter;
  /** The root that ignore rules of a base start from. */
  readonly #ruleRoots: readonly string[];
  /** The rules that hold in each base. */
  readonly #baseRules: (IgnoreRules | undefined)[] = [];
  /** The rules in directories above those that came from other threads, by base and path. */
  readonly #rulesOfLevels = new Map<string, IgnoreRules>();
  /** Directories reached through links, by base: links may lead to the same place again and again. */
  readonly #visited = new Map<string, number>();

  /** Bases inside of others, which the walk of the others leaves to them. */
  readonly #nested: ReadonlySet<string>;
  /** Files not to be taken (again). */
  readonly #seen: Set<string>;

  readonly #kept: KeptListings | undefined;
  readonly #key: number;

  /**
   * @param options what is taken in
   * @param kept listings of earlier walks @default every directory is read
   * @throws {PathgrepError} `invalid_input` for a bad glob or type
   */
  constructor(options: WalkOptions, kept?: KeptListings) {
    this.#options = options;
    this.#kept = options.mayRepeat ? undefined : kept;
    this.#key = kept?.keyOf(JSON.stringify(options)) ?? 0;
    this.#policy = new Policy(options.policy);
    this.#filter = FileFilter.compile(options.filter);
    this.#ruleRoots = options.bases.map((base) =>
      options.confines.find((root) => isWithin(root, base)) ?? base
    );
    this.#nested = new Set(options.mayRepeat ? [] : nestedIn(options.bases));
    this.#seen = new Set(options.named);
  }

  /** The bases themselves, as directories to list. */
  start(): PendingDirectory[] {
    if (this.#options.maxDepth === 0) return [];
    return this.#options.bases.map((path, base) => ({ path, base, depth: 0 }));
  }

  /**
   * Lists one directory. One that cannot be listed is empty and counted.
   *
   * @param directory the directory
   * @param skips where what is left out is counted
   */
  list(directory: PendingDirectory, skips: WalkSkips = this.skips): Listing {
    if (this.#options.follow) {
      // A link may have come here by a longer way, which leaves fewer levels below.
      const key = `${directory.base}:${directory.path}`;
      const before = this.#visited.get(key) ?? Infinity;
      if (before <= directory.depth) return EMPTY_LISTING;
      this.#visited.set(key, directory.depth);
    }
    let found: Entries;
    try {
      found = this.#kept === undefined
        ? readEntries(directory.path)
        : this.#kept.entriesOf(directory.path, () => readEntries(directory.path));
    } catch (error) {
      if (!this.#isRepeated(directory.path)) countFailure(error, directory.path, skips);
      return EMPTY_LISTING;
    }
    const rules = this.#rulesIn(directory, found, skips);
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

  /** What of a directory's entries is taken in. */
  #take(
    directory: PendingDirectory,
    entries: readonly Deno.DirEntry[],
    rules: IgnoreRules,
    skips: WalkSkips,
  ): Listing {
    const files: string[] = [];
    const linked: string[] = [];
    const directories: PendingDirectory[] = [];
    const base = this.#options.bases[directory.base]!;
    const prefix = directory.path.endsWith(platform.sep)
      ? directory.path
      : directory.path + platform.sep;
    const below = this.#below(base, directory.path);
    const ruleBelow = this.#below(this.#ruleRoots[directory.base]!, directory.path);
    const deeper = directory.depth + 1 < this.#options.maxDepth;
    const { hidden, mayRepeat } = this.#options;
    const isTop = prefix === "/";
    const remembers = mayRepeat || this.#seen.size > 0;
    for (const entry of entries) {
      const name = entry.name;
      if (this.#nested.size > 0 && this.#nested.has(prefix + name)) continue;
      if (!hidden && name.charCodeAt(0) === DOT) {
        skips.hidden++;
        continue;
      }
      if (this.#policy.blocksEntry(prefix, name)) {
        skips.blocked++;
        continue;
      }
      let isDirectory = entry.isDirectory;
      let isFile = entry.isFile;
      let target: string | undefined;
      if (entry.isSymlink) {
        const found = this.#options.follow ? this.#follow(prefix + name) : undefined;
        if (found === undefined) {
          skips.symlinks++;
          continue;
        }
        isDirectory = found.info.isDirectory;
        isFile = found.info.isFile;
        target = found.path;
      }
      if (!isDirectory && !isFile) continue;
      if (rules !== IgnoreRules.NONE && rules.ignores(ruleBelow + name, name, isDirectory)) {
        skips.ignored++;
        continue;
      }
      if (isDirectory) {
        if (!deeper) continue;
        if (isTop && KERNEL_DIRECTORIES.includes(prefix + name)) {
          skips.filtered++;
          continue;
        }
        if (!this.#filter.acceptsAll && this.#filter.prunes(below + name, name)) {
          skips.filtered++;
          continue;
        }
        directories.push({
          path: target ?? prefix + name,
          base: directory.base,
          depth: directory.depth + 1,
          rules,
        });
        continue;
      }
      if (!this.#filter.acceptsAll && !this.#filter.accepts(below + name, name)) {
        skips.filtered++;
        continue;
      }
      if (remembers && this.#isRepeated(target ?? prefix + name)) continue;
      if (target === undefined) files.push(name);
      else linked.push(target);
    }
    return { files, linked, directories };
  }

  /** Whether a path is not to be taken because it was before; remembers it where that may happen. */
  #isRepeated(path: string): boolean {
    const { mayRepeat } = this.#options;
    if (!mayRepeat && this.#seen.size === 0) return false;
    if (this.#seen.has(path)) return true;
    if (mayRepeat) this.#seen.add(path);
    return false;
  }

  /** A directory's path below another, as a prefix of its entries': `""` or `a/b/`. */
  #below(above: string, path: string): string {
    if (path === above || !isWithin(above, path)) return "";
    const relative = path.slice(above.endsWith(platform.sep) ? above.length : above.length + 1);
    return relative.replaceAll(platform.sep, "/") + "/";
  }

  /** Where a link leads, if that may be read. */
  #follow(path: string): { path: string; info: Deno.FileInfo } | undefined {
    try {
      const found = canonicalPath(path, this.#options.confines);
      if (!found.exists) return undefined;
      if (!this.#options.confines.some((root) => isWithin(root, found.path))) return undefined;
      return this.#policy.isBlocked(found.path) ? undefined : found;
    } catch {
      return undefined; // a loop, or a directory on the way that may not be read
    }
  }

  /** The rules in a directory: its parent's and those of its own ignore files. */
  #rulesIn(directory: PendingDirectory, found: Entries, skips: WalkSkips): IgnoreRules {
    if (!this.#options.ignore) return IgnoreRules.NONE;
    const inherited = directory.rules ?? this.#inheritedRules(directory);
    // What is unread above a base is counted with it.
    const counted = directory.depth === 0 ? 0 : inherited.unread;
    const rules = this.#rulesFor(directory, inherited, found);
    skips.ignore_files += rules.unread - counted;
    return rules;
  }

  #rulesFor(directory: PendingDirectory, inherited: IgnoreRules, found: Entries): IgnoreRules {
    if (found.ignoreFiles.length === 0) return inherited;
    const { ruled } = found;
    const epoch = this.#kept?.epoch ?? 0;
    const isSame = ruled?.inherited === inherited;
    if (isSame && found.isTrusted && ruled.epoch === epoch) return ruled.rules;
    const sources = this.#sourcesOf(directory.path, found.ignoreFiles);
    const texts = JSON.stringify(sources);
    const rules = isSame && ruled.texts === texts
      ? ruled.rules
      : this.#extend(inherited, directory, sources);
    // Of a change, only the name used for it is told.
    const isTold = epoch !== 0 &&
      found.ignoreFiles.every((name) => hasOneName(ruleFile(directory.path, name)));
    found.ruled = { inherited, texts, rules, epoch: isTold ? epoch : 0 };
    return rules;
  }

  #extend(rules: IgnoreRules, { base, path }: PendingDirectory, sources: IgnoreFiles): IgnoreRules {
    return rules.extend(this.#below(this.#ruleRoots[base]!, path).replace(/\/$/u, ""), sources);
  }

  /** The texts of a directory's ignore files. */
  #sourcesOf(directory: string, names: readonly string[]): IgnoreFiles {
    const sources: IgnoreFiles = {};
    for (const name of names) {
      const isGit = name === ".git";
      const text = this.#readRules(ruleFile(directory, name));
      if (text === undefined) continue;
      sources[isGit ? "exclude" : IGNORE_FILES[name as keyof typeof IGNORE_FILES]] = text;
    }
    return sources;
  }

  /**
   * An ignore file's text; `null`: it is too large. One that leads out of the confines, or is none, has
   * no rules.
   */
  #readRules(file: string): string | null | undefined {
    try {
      const info = Deno.lstatSync(file);
      if (!info.isFile) return undefined;
      if (info.size > MAX_RULE_CHARS) return null;
      const canonical = Deno.realPathSync(file);
      if (!this.#options.confines.some((root) => isWithin(root, canonical))) return undefined;
      return Deno.readTextFileSync(canonical);
    } catch {
      return undefined;
    }
  }

  /** The rules of the directories above one, from the root down. */
  #inheritedRules(directory: PendingDirectory): IgnoreRules {
    const base = this.#options.bases[directory.base]!;
    this.#baseRules[directory.base] ??= this.#rulesAboveBase(directory.base);
    const above = this.#baseRules[directory.base]!;
    return directory.path === base || !isWithin(base, directory.path)
      ? above
      : this.#rulesFrom(base, directory, above);
  }

  /** The rules above a base, which was asked for and is not hidden by them. */
  #rulesAboveBase(index: number): IgnoreRules {
    const base = this.#options.bases[index]!;
    const root = this.#ruleRoots[index]!;
    if (base === root) return IgnoreRules.NONE;
    const levels = this.#levels(root, base).map((path) => ({
      path,
      sources: this.#sourcesOf(path, RULE_NAMES),
    }));
    const build = () => {
      const rules = levels.reduce(
        (rules, { path, sources }) => this.#extend(rules, { path, base: index, depth: 0 }, sources),
        IgnoreRules.NONE,
      );
      return rules.sparing(this.#below(root, base));
    };
    return this.#kept?.rulesAbove(base, JSON.stringify(levels), build) ?? build();
  }

  /** The directories from one down to the parent of another below it. */
  #levels(from: string, to: string): string[] {
    const names = this.#below(from, to).split("/").slice(0, -2);
    const levels = [from];
    for (const name of names) levels.push(platform.join(levels.at(-1)!, name));
    return levels;
  }

  /** Adds the rules of `from` and of every directory between it and `directory`, each read once. */
  #rulesFrom(from: string, directory: PendingDirectory, rules: IgnoreRules): IgnoreRules {
    for (const path of this.#levels(from, directory.path)) {
      const key = `${directory.base}:${path}`;
      const known = this.#rulesOfLevels.get(key);
      rules = known ??
        this.#extend(rules, { ...directory, path }, this.#sourcesOf(path, RULE_NAMES));
      this.#rulesOfLevels.set(key, rules);
    }
    return rules;
  }
}

/** Which of some directories lie in another of them. */
export function nestedIn(bases: readonly string[]): string[] {
  return bases.filter((base) => bases.some((other) => other !== base && isWithin(other, base)));
}

function readEntries(path: string): Entries {
  const entries: Deno.DirEntry[] = [];
  const ignoreFiles: string[] = [];
  for (const entry of Deno.readDirSync(path)) {
    entries.push(entry);
    const isHidden = entry.name.charCodeAt(0) === DOT;
    if (isHidden && holdsRules(entry)) ignoreFiles.push(entry.name);
  }
  return { entries, ignoreFiles };
}

/** The file of rules that an entry of a directory stands for. */
function ruleFile(directory: string, name: string): string {
  return platform.join(directory, name === ".git" ? ".git/info/exclude" : name);
}

/** Whether a file, if there is one, is known by no other name. */
function hasOneName(file: string): boolean {
  try {
    return (Deno.lstatSync(file).nlink ?? 1) < 2;
  } catch {
    return true;
  }
}

function countFailure(error: unknown, path: string, skips: WalkSkips): void {
  const isMissing = error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.NotADirectory;
  skips[isMissing ? whyMissing(path) : "unreadable"]++;
}

/**
 * Why something is not found where a directory lists it: it has vanished, or its name is not UTF-8. Of
 * such a name Deno gives what it cannot say as U+FFFD, and opens nothing by it.
 */
export function whyMissing(path: string): "vanished" | "unreadable" {
  return path.includes("\ufffd") ? "unreadable" : "vanished";
}

/** Whether an entry is an ignore file, or `.git`, which may hold one. */
function holdsRules({ name, isFile, isDirectory }: Deno.DirEntry): boolean {
  return Object.hasOwn(IGNORE_FILES, name) ? isFile : name === ".git" && isDirectory;
}
