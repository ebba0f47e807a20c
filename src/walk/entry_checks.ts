/**
 * Decides which entries of a directory a walk takes.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { IgnoreRules } from "../glob/ignore_rules.ts";
import type { RuleSource } from "../glob/rule_set.ts";
import type { Policy } from "../guard/policy.ts";
import { UndecodableNames } from "../system/files.ts";
import type { FileFilter } from "./file_filter.ts";
import {
  type BlockedBy,
  type DirectoryRules,
  type FilterKey,
  type Left,
  type LeftReason,
  type PendingDirectory,
  USUALLY_IGNORED,
  type WalkOptions,
} from "./listing.ts";
import { prefixBelow, type WalkRules } from "./walk_rules.ts";
import type { CanonicalPath } from "../paths/canonical.ts";
import type { DirEntry } from "../system/types.ts";

export interface WalkContext {
  readonly options: WalkOptions;
  readonly policy: Policy;
  readonly rules: WalkRules;
  readonly filters: readonly FileFilter[];
  /** In a further pass, the filter of each option by itself, by base. */
  readonly filtersByKey: readonly ReadonlyMap<FilterKey | "elsewhere", FileFilter>[];
  /** The names that the walk leaves to others, by directory. */
  readonly apart: ReadonlyMap<string, ReadonlySet<string>>;
  readonly pulse: Pulse;
  linkTarget(path: string): CanonicalPath | undefined;
  /** In a further pass, whether a place that a link of a base leads to is reached without the link. */
  isReached(path: string, base: number): boolean;
}

const NOTHING: readonly Left[] = [];
const DOT = 0x2e;
/** Directories that the kernel generates: some entries look like files and can be read forever. */
const KERNEL_DIRECTORIES: readonly string[] = ["/proc", "/sys", "/dev"];
/** Not counted: it is reported elsewhere. */
const APART: Left = { reason: "apart" };
/** Reports that something is blocked, and by which rule, but not what. */
const blocked = (by: BlockedBy | undefined): Left => ({
  reason: "blocked",
  isWithheld: true,
  ...(by && { by }),
});

/**
 * The checks that the entries of one directory have to pass, and their results for the last one.
 *
 * The first check that fails decides; its order is part of the security of a walk:
 *
 * - `#apart` comes first: another part of the search reports such a directory, and nothing counts twice.
 * - `#hidden` needs only the name. It may come before the guard since it shows nothing: whether the name is
 *   blocked is checked before a log names it.
 * - `#blocked`, the guard's names, comes before everything that looks at the entry itself, so that the answer
 *   is the same whatever it is. A blocked directory is entered only for what `--allow` names in it.
 * - `#unfollowed` has to know whether an exclusion file is about a link before it follows it: where an excluded
 *   link leads must not show. What it leads to has to pass the guard, too, at each step of the way. From
 *   there on the entry is what the link leads to, under the link's name.
 * - `#special` comes before the rules for files and directories, as it is neither.
 * - `#excluded`, the rules of exclusion files, comes before ignore files and filters, whose reasons name the
 *   entry; those of what was let in by `--allow` alone stay unnamed.
 * - `#ignored` comes before the depth and the filters: an answer that lacks something because of a rule should
 *   say so rather than advise to drop a filter. What git tracks passes. Counts are different: a file that
 *   filters exclude anyway is filtered there ({@linkcode EntryChecks.isUnasked}).
 * - `#deep`, `#ofKernel` and `#filtered` exclude what was not asked for.
 * - `#undecodable` is last, so that only names that would have been searched are reported as not readable.
 *
 * In a further pass ({@linkcode WalkOptions.asked}), what may be read is taken in any case, with every reason
 * against it and against the directories on the way to it ({@linkcode EntryChecks.left}).
 *
 * A path that the caller names has to pass the guard alone ({@linkcode Exclusions.blocks}, which `#blocked`,
 * `#unfollowed` and `#excluded` apply here one level at a time): whoever names something wants it although it
 * is hidden, ignored or filtered. A directory itself is checked for being a worktree when it is listed.
 */
export class EntryChecks {
  name = "";
  /** Whether it is, or leads to, a directory. */
  isDirectory = false;
  /** Where the entry leads, if it is a link that is followed. */
  target: string | undefined;
  /** Whether its path opens it: not if Deno cannot spell its name. */
  isNamed = true;
  /** The rules in the directory that it is, those of its own files apart. */
  inside: DirectoryRules;

  readonly #walk: WalkContext;
  readonly #directory: PendingDirectory;
  readonly #rules: DirectoryRules;
  readonly #filter: FileFilter;
  readonly #prefix: string;
  /** The directory's path as a prefix of its entries', as filters, ignore files and exclusion files have it. */
  readonly below: string;
  readonly #belowIgnore: string;
  readonly #belowExclusion: string;
  readonly #mayExclude: boolean;
  readonly #isBehindLink: boolean;
  readonly #apartHere: ReadonlySet<string> | undefined;
  readonly #undecodableNames = new UndecodableNames();
  readonly #isLogged: boolean;
  #isFile = false;
  #left: Left[] = [];

  constructor(walk: WalkContext, directory: PendingDirectory, rules: DirectoryRules) {
    const { path, base, linkedBelow, only } = directory;
    this.#walk = walk;
    this.#directory = directory;
    this.#rules = this.inside = rules;
    this.#filter = walk.filters[base]!;
    this.#isLogged = walk.options.isLogged === true;
    this.#prefix = path.endsWith(platform.sep) ? path : path + platform.sep;
    this.below = linkedBelow ?? prefixBelow(walk.options.bases[base]!, path);
    this.#belowIgnore = walk.rules.prefixOf(directory);
    this.#mayExclude = rules.isExcluded || rules.exclusion !== IgnoreRules.NO_EXCLUSIONS;
    this.#belowExclusion = this.#mayExclude ? walk.rules.exclusionPrefixOf(path) : "";
    this.#isBehindLink = this.#isAbove("symlinks");
    // Where a pass begins is apart for the rest of it.
    this.#apartHere = only === undefined ? walk.apart.get(path) : undefined;
  }

  get path(): string {
    return this.#prefix + this.name;
  }

  /** Whether filters exclude the last entry in any case, so that it was not requested. */
  get isUnasked(): boolean {
    return !this.isDirectory && this.#filtered() !== undefined;
  }

  /** Why an entry is excluded; nothing if it is taken, in a further pass with what is {@linkcode left} against it. */
  verdictOn(entry: DirEntry): Left | undefined {
    this.#begin(entry);
    if (this.#walk.options.asked !== undefined) return this.#barTo(entry);
    return this.#apart() ?? this.#hidden() ?? this.#blocked() ??
      this.#unfollowed(entry) ?? this.#special() ?? this.#excluded() ?? this.#ignored() ??
      (this.isDirectory ? this.#deep() ?? this.#ofKernel() : undefined) ?? this.#filtered() ??
      this.#undecodable();
  }

  /** Whether a finder names the last entry, a directory: one that it need not enter, too. */
  isNamedBy(verdict: Left | undefined): boolean {
    const mayBe = verdict === undefined || ["filtered", "apart"].includes(verdict.reason);
    return mayBe && this.target === undefined && this.isNamed && !this.inside.isExcluded &&
      this.#filter.names(this.below + this.name, this.name, this.#walk.pulse);
  }

  /** Why an entry may not be read at all; blocked ones count where nothing else is against them. */
  #barTo(entry: DirEntry): Left | undefined {
    const bar = this.#apart() ?? this.#blocked() ?? this.#unfollowed(entry) ?? this.#special() ??
      this.#excluded() ?? this.#ofKernel() ?? this.#undecodable() ?? this.#unasked();
    if (bar !== undefined && bar.reason !== "blocked") return bar;
    this.#add(this.#hidden());
    if (bar === undefined) this.#add(this.#ignored());
    if (this.isDirectory) this.#add(this.#deep());
    for (const [key, filter] of this.#walk.filtersByKey[this.#directory.base]!) {
      if (!this.#isTakenBy(filter)) this.#add({ reason: key });
    }
    return bar && this.left.length > 0 ? APART : bar;
  }

  /** What is against the last entry, and against the directories on the way to it. */
  get left(): readonly Left[] {
    const above = this.#directory.left ?? NOTHING;
    return this.#left.length === 0 ? above : [...above, ...this.#left];
  }

  /** Adds what is not against a directory above already. */
  #add(left: Left | undefined): void {
    if (left === undefined || this.#isAbove(left.reason)) return;
    const isOfFile = left.path === undefined && !this.isDirectory;
    this.#left.push(isOfFile ? left : { ...left, path: left.path ?? this.target ?? this.path });
  }

  #isAbove(reason: LeftReason): boolean {
    return this.#directory.left?.some((left) => left.reason === reason) === true;
  }

  #begin(entry: DirEntry): void {
    this.name = entry.name;
    this.isDirectory = entry.isDirectory;
    this.#isFile = entry.isFile;
    this.target = undefined;
    this.isNamed = true;
    this.inside = this.#rules;
    this.#left = [];
  }

  #apart(): Left | undefined {
    // A link of a base may lead to a directory above it.
    const { isReached } = this.#walk;
    if (this.#isBehindLink && isReached(this.path, this.#directory.base)) return APART;
    return this.#apartHere?.has(this.name) ? APART : undefined;
  }

  /** In a narrow pass, what nobody asked for, or everyone ignores. */
  #unasked(): Left | undefined {
    const { entersUsual, isNarrow } = this.#walk.options;
    if (!isNarrow) return undefined;
    if (!entersUsual && this.isDirectory && USUALLY_IGNORED.has(this.name)) return APART;
    return (this.isDirectory ? this.#deep() : undefined) ?? this.#filtered();
  }

  #hidden(): Left | undefined {
    if (this.#walk.options.hidden || this.name.charCodeAt(0) !== DOT) return undefined;
    if (this.#walk.options.habits?.selects && this.#isWanted()) return undefined;
    return { reason: "hidden", isWithheld: this.#isWithheld() };
  }

  /** Whether a glob is stronger than ignore rules, and selects the entry. */
  #isSelected(): boolean {
    const { name, isDirectory } = this;
    return this.#walk.options.habits?.selects === true &&
      this.#filter.selects(this.below + name, name, isDirectory);
  }

  /** Whether a glob, a type or an ignore file selects the entry although it is hidden. */
  #isWanted(): boolean {
    const { name, isDirectory } = this;
    const { ignore } = this.#rules;
    const path = this.#belowIgnore + name;
    return this.#isSelected() || !isDirectory && this.#filter.hasType(name) ||
      ignore.mentions(path, name, isDirectory) && !ignore.ignores(path, name, isDirectory);
  }

  #blocked(): Left | undefined {
    const { policy, pulse } = this.#walk;
    if (!policy.blocksEntry(this.#prefix, this.name, pulse)) return undefined;
    if (!this.isDirectory || !policy.mayLiftIn(this.#prefix, this.name)) {
      const rule = policy.ruleOn(this.#prefix, this.name);
      return blocked(rule === undefined ? undefined : { rule });
    }
    this.inside = { ...this.#rules, isExcluded: true };
    return undefined;
  }

  #unfollowed(entry: DirEntry): Left | undefined {
    // Not before this check: blocked entries are not inspected.
    this.isNamed = this.#undecodableNames.opens(this.#prefix, entry);
    if (!entry.isSymlink) return undefined;
    const by = this.#mayExclude && this.#excludesLink();
    if (by) return blocked(this.#ruleIn(by));
    const { options: { asked, follow }, isReached, linkTarget } = this.#walk;
    const follows = follow || asked !== undefined;
    const found = follows && this.isNamed ? linkTarget(this.path) : undefined;
    if (found === undefined) {
      return { reason: !follow ? "symlinks" : this.isNamed ? "deadLink" : "unnamed" };
    }
    if (!found.exists) return { reason: follow ? "nowhere" : "symlinks" };
    if (!follow && isReached(found.path, this.#directory.base)) return APART;
    this.target = found.path;
    this.isDirectory = found.info.isDirectory;
    this.#isFile = found.info.isFile;
    if (!follow) this.#add({ reason: "symlinks", path: this.path, by: found.path });
    return undefined;
  }

  #special(): Left | undefined {
    if (this.isDirectory || this.#isFile) return undefined;
    return { reason: "special", isWithheld: this.#isWithheld() };
  }

  #excluded(): Left | undefined {
    // The guard has excluded what is in a directory that is blocked by its name.
    if (!this.#mayExclude || this.inside !== this.#rules) return undefined;
    const by = this.#excludes(this.isDirectory);
    const isExcluded = by !== false;
    if (isExcluded && !(this.isDirectory && this.#walk.policy.mayLiftBelow(this.path))) {
      return blocked(this.#ruleIn(by));
    }
    if (isExcluded !== this.#rules.isExcluded) this.inside = { ...this.#rules, isExcluded };
    return undefined;
  }

  #ignored(): Left | undefined {
    const { ignore } = this.#rules;
    if (ignore === IgnoreRules.NONE || this.#isSelected()) return undefined;
    const { name, isDirectory } = this;
    const verdict = ignore.verdictOn(this.#belowIgnore + name, name, isDirectory, this.#walk.pulse);
    if (verdict === undefined) return undefined;
    if (!verdict.isTracked) {
      const { source } = verdict;
      if (source === undefined || this.#walk.options.asked === undefined) {
        return this.#leave("ignored", this.#isLogged ? source : undefined);
      }
      return { reason: "ignored", by: this.#walk.rules.ruleAt(source, this.#directory) };
    }
    this.inside = { ...this.inside, ignore: ignore.inside(verdict) };
    return undefined;
  }

  #deep(): Left | undefined {
    if (this.#directory.depth + 1 < this.#walk.options.maxDepth) return undefined;
    return this.#leave("depth");
  }

  #ofKernel(): Left | undefined {
    if (this.#prefix !== "/" || !KERNEL_DIRECTORIES.includes(this.path)) return undefined;
    return this.#leave("kernel");
  }

  #filtered(): Left | undefined {
    const filter = this.#filter;
    if (filter.acceptsAll) return undefined;
    if (this.#isTakenBy(filter)) return undefined;
    const { name, isDirectory } = this;
    const by = this.#isLogged ? filter.reason(this.below + name, name, isDirectory) : undefined;
    return this.#leave("filtered", by);
  }

  #isTakenBy(filter: FileFilter): boolean {
    const { name } = this;
    const path = this.below + name;
    return this.isDirectory
      ? !filter.prunes(path, name, this.#walk.pulse)
      : filter.accepts(path, name, this.#walk.pulse);
  }

  #undecodable(): Left | undefined {
    if (this.isNamed) return undefined;
    const { isExcluded: isWithheld } = this.#rules;
    return { reason: "unnamed", isWithheld };
  }

  #leave(reason: LeftReason, by?: Left["by"]): Left {
    return { reason, ...(by !== undefined && { by }), isWithheld: this.inside.isExcluded };
  }

  /** Whether a log may not name the entry, whatever it is. */
  #isWithheld(): boolean {
    const { policy, pulse } = this.#walk;
    return this.#isLogged &&
      (policy.blocksEntry(this.#prefix, this.name, pulse) || this.#excludesLink() !== false);
  }

  /** Whether exclusion files exclude a link, whatever it leads to. */
  #excludesLink(): boolean | RuleSource {
    return this.#excludes(false) || this.#excludes(true);
  }

  /** Where a rule of an exclusion file is written, which says nothing of the entry. */
  #ruleIn(source: boolean | RuleSource): BlockedBy | undefined {
    if (typeof source === "boolean") return undefined;
    const file = this.#walk.rules.exclusionFileOf(source, this.#directory.path);
    return { file, rule: source.line > 0 ? `:${source.line}` : "" };
  }

  #excludes(isDirectory: boolean): boolean | RuleSource {
    const { name, path } = this;
    const below = this.#belowExclusion + name;
    return this.#walk.rules.exclusions.excludes(this.#rules, below, name, path, isDirectory);
  }
}
