/**
 * Finds the rules of ignore files and exclusion files that apply in each directory of a walk, and the one
 * that excludes an entry.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import type { Policy } from "../guard/policy.ts";
import {
  EXCLUSION_FILES,
  GIT_IGNORE,
  IGNORE_FILES,
  IgnoreRules,
  type IgnoreVerdict,
} from "../glob/ignore_rules.ts";
import type { RuleSource } from "../glob/rule_set.ts";
import { Exclusions, RuleStarts } from "../exclusions/exclusions.ts";
import { Directories, type Entries } from "./directories.ts";
import type {
  DirectoryRules,
  IgnoreRule,
  PendingDirectory,
  WalkOptions,
  WalkSkips,
} from "./listing.ts";
import { RuleSourceReader, type RuleSources } from "./rule_sources.ts";

type RuleOptions = Pick<
  WalkOptions,
  "bases" | "allowedRoots" | "policy" | "ignore" | "ignoresTracked" | "habits"
>;

/** The rule that excludes an entry of a walk. */
export interface IgnoredBy extends IgnoreRule {
  /** The entry that the rule is about: the path that was asked for, or a directory above it. */
  readonly path: string;
}

/** Steps of a pulse: the rule files of a directory take about as long. */
const READING = 1 << 14;

const NO_RULES: DirectoryRules = {
  ignore: IgnoreRules.NONE,
  exclusion: IgnoreRules.NO_EXCLUSIONS,
  isExcluded: false,
};

export class WalkRules {
  readonly #options: RuleOptions;
  readonly #policy: Policy;
  readonly exclusions: Exclusions;
  readonly #pulse: Pulse;
  readonly #directories: Directories;
  /** The root that ignore rules of a base start from. */
  readonly #roots: readonly string[];
  /** From where ignore rules start, and exclusion rules. */
  readonly #ignoreStarts: RuleStarts;
  readonly #exclusionStarts: RuleStarts;
  readonly #files: readonly string[];
  readonly #sources: RuleSourceReader;
  /** No rules yet, for each base; another object in walks in which rules would mean something else. */
  readonly #none: DirectoryRules[] = [];
  readonly #ofBases: (DirectoryRules | undefined)[] = [];
  /** The rules in directories above those that came from other threads, by base and path. */
  readonly #ofLevels = new Map<string, DirectoryRules>();

  /** @param policy admits excluded entries */
  constructor(
    options: RuleOptions,
    policy: Policy,
    pulse: Pulse,
    directories: Directories = new Directories(),
  ) {
    this.#options = options;
    this.#policy = policy;
    this.#pulse = pulse;
    this.#directories = directories;
    this.#roots = options.bases.map((base) =>
      options.allowedRoots.find((root) => platform.isWithin(root, base)) ?? base
    );
    const { above, roots } = options.policy;
    const exclusionRoots = [
      ...roots.toSorted((a, b) => a.length - b.length),
      ...options.allowedRoots,
    ];
    this.#ignoreStarts = new RuleStarts(options.allowedRoots, above);
    this.#exclusionStarts = new RuleStarts(exclusionRoots, above);
    this.exclusions = new Exclusions({ roots: exclusionRoots, above: above ?? [] }, policy, pulse);
    const ignoreFiles = options.ignore ? options.habits?.files ?? IGNORE_FILES : [];
    this.#files = [...ignoreFiles, ...EXCLUSION_FILES];
    this.#sources = new RuleSourceReader(
      { ...options, exclusionRoots, files: this.#files },
      (path) => this.exclusions.withholds(path),
    );
  }

  /** A directory's path from where its ignore rules start, as a prefix of its entries': `""` or `a/b/`. */
  prefixOf({ base, path }: PendingDirectory): string {
    return prefixBelow(this.#ignoreStartOf(base, path) ?? path, path);
  }

  /** A link may lead to another root than the base's; elsewhere no ignore file counts. */
  #ignoreStartOf(base: number, path: string): string | undefined {
    const start = this.#ignoreStarts.startOf(path);
    return start ?? (platform.isWithin(this.#roots[base]!, path) ? this.#roots[base] : undefined);
  }

  /** A rule that is about an entry of a directory. */
  ruleAt({ file, line, pattern }: RuleSource, { base, path }: PendingDirectory): IgnoreRule {
    const root = this.#ignoreStarts.rootOf(path) ?? this.#roots[base]!;
    return { file: platform.resolve(root, file), line, pattern };
  }

  /** A directory's path from where its exclusion rules start, likewise. */
  exclusionPrefixOf(path: string): string {
    return prefixBelow(this.#exclusionStartOf(path), path);
  }

  /** The absolute path of an exclusion file with a rule on an entry of a directory. */
  exclusionFileOf({ file }: RuleSource, directory: string): string {
    return platform.resolve(this.#exclusionStartOf(directory), file);
  }

  #exclusionStartOf(path: string): string {
    return this.#exclusionStarts.startOf(path) ?? path;
  }

  rulesIn(directory: PendingDirectory, found: Entries, skips: WalkSkips): DirectoryRules {
    const inherited = directory.rules ?? this.#inherited(directory);
    const rules = this.#rulesFor(directory, inherited, found);
    // Files that are unread above a base are counted with the base.
    const counted = directory.depth === 0 ? NO_RULES : inherited;
    skips.ignore_files += rules.ignore.unread - counted.ignore.unread;
    skips.exclusion_files += rules.exclusion.unread - counted.exclusion.unread;
    skips.exclusion_lines += rules.exclusion.unheeded - counted.exclusion.unheeded;
    return rules;
  }

  /** Whether a file in a directory may decide what is searched: not if it is blocked. */
  mayTell(directory: PendingDirectory, name: string): boolean {
    return this.#counts(directory.rules ?? this.#inherited(directory), directory.path, name);
  }

  #counts({ isExcluded }: DirectoryRules, directory: string, name: string): boolean {
    return !isExcluded || this.#policy.liftsPath(platform.resolve(directory, name));
  }

  /** The rules of the real location of a directory that a link leads to, except its own. */
  rulesOfTarget(path: string, base: number): DirectoryRules {
    return this.#inherited({ path, base, depth: 0 });
  }

  /**
   * The rule of an ignore file that excludes an entry of the walk, whose path is canonical and below
   * the base.
   */
  ignoredBy(path: string, isDirectory: boolean, base: number): IgnoredBy | undefined {
    if (!this.#options.ignore) return undefined;
    const top = this.#options.bases[base]!;
    if (path === top) return undefined;
    const root = this.#roots[base]!;
    const start = this.#ignoreStartOf(base, top)!;
    for (const { entry, rules } of this.#onTheWay(top, { path, base }, this.#above(base))) {
      const below = prefixBelow(start, entry).slice(0, -1);
      const name = platform.basename(entry);
      const source = rules.ignore.sourceOf(below, name, entry !== path || isDirectory);
      if (source === undefined) continue;
      const { line, pattern } = source;
      return { path: entry, file: platform.resolve(root, source.file), line, pattern };
    }
    return undefined;
  }

  /** Whether a rule of an ignore file is about a directory of the walk, if only to keep it. */
  isMentioned(path: string, base: number): boolean {
    const top = this.#options.bases[base]!;
    const way = this.#onTheWay(top, { path, base }, this.#above(base));
    const below = prefixBelow(this.#ignoreStartOf(base, top)!, path).slice(0, -1);
    return way.at(-1)!.rules.ignore.mentions(below, platform.basename(path));
  }

  /** What rules depend on besides their texts: only walks of the same context share rules. */
  #context(base: number): string {
    const { allowedRoots, policy, ignore, ignoresTracked, habits } = this.#options;
    const root = this.#roots[base];
    return JSON.stringify([allowedRoots, policy, ignore, ignoresTracked === true, habits, root]);
  }

  /** The rules that all others of a base extend. They are another object in each context. */
  #noneIn(base: number): DirectoryRules {
    return this.#none[base] ??= this.#directories.derived(
      this.#context(base),
      [],
      () => ({ ...NO_RULES }),
    );
  }

  #rulesFor(
    { path, base }: PendingDirectory,
    inherited: DirectoryRules,
    found: Entries,
  ): DirectoryRules {
    if (found.ruleFiles.length === 0 && !found.hasGit) return inherited;
    return this.#directories.rulesOf(
      found,
      inherited,
      () => this.#sources.read(path, found.ruleFiles, found.hasGit),
      (sources) => this.#extend(inherited, base, path, sources),
    );
  }

  #extend(
    rules: DirectoryRules,
    base: number,
    path: string,
    { texts, repository }: RuleSources,
  ): DirectoryRules {
    const below = (root: string) => prefixBelow(root, path).slice(0, -1);
    const start = this.#options.ignore ? this.#ignoreStartOf(base, path) : undefined;
    const root = this.#roots[base]!;
    const place = platform.isWithin(path, root) && path !== root
      ? platform.relativePath(root, path)
      : below(this.#ignoreStarts.rootOf(path) ?? root);
    // The ignore files of a blocked directory are blocked, too.
    const isOutside = this.#options.habits?.knowsRepositories === true &&
      repository === undefined && !this.#isInRepository(rules, path);
    const counted = !rules.isExcluded && !isOutside ? texts : Object.fromEntries(
      Object.entries(texts).filter(([name]) =>
        this.#counts(rules, path, name) && !(isOutside && name === GIT_IGNORE)
      ),
    );
    const begins = this.#options.habits?.knowsRepositories === false ? undefined : repository;
    const ignore = start === undefined
      ? rules.ignore
      : rules.ignore.extend(below(start), counted, begins, place);
    const exclusion = rules.exclusion.extend(below(this.#exclusionStartOf(path)), texts);
    const isSame = ignore === rules.ignore && exclusion === rules.exclusion;
    return isSame ? rules : { ...rules, ignore, exclusion };
  }

  /** Whether a repository begins above a directory, or above its root. */
  #isInRepository({ ignore }: DirectoryRules, path: string): boolean {
    const { above = [] } = this.#options.policy;
    return ignore.isInRepository ||
      above.some(({ root, levels }) =>
        levels.some(({ directory }) => platform.isWithin(directory, path)) ||
        platform.isWithin(root, path)
      );
  }

  /** The rules of the directories above one, from the root down. */
  #inherited(directory: PendingDirectory): DirectoryRules {
    const { path } = directory;
    const base = this.#options.bases[directory.base]!;
    if (!platform.isWithin(base, path)) {
      const start = this.#exclusionStartOf(path);
      return this.#from(start, directory, this.#noneIn(directory.base));
    }
    return this.#from(base, directory, this.#above(directory.base));
  }

  #above(base: number): DirectoryRules {
    return this.#ofBases[base] ??= this.#aboveBase(base);
  }

  /** The rules above a base, which was named: one that they ignore is not under those of ignore files. */
  #aboveBase(base: number): DirectoryRules {
    const top = this.#options.bases[base]!;
    const start = this.#exclusionStartOf(top);
    if (top === start) return this.#noneIn(base);
    const above = levels(start, top).map((path) => {
      this.#pulse.beat(READING);
      const sources = this.#sourcesIn(path);
      return { path, sources, state: this.#sources.stateOf(sources) };
    });
    const build = () => {
      let rules = this.#noneIn(base);
      let verdict: IgnoreVerdict | undefined;
      for (const [level, { path, sources }] of above.entries()) {
        if (sources.repository !== undefined && verdict?.isGits) verdict = undefined;
        const next = above[level + 1]?.path ?? top;
        rules = this.#keeping(this.#extend(rules, base, path, sources), base, next);
        verdict ??= this.#verdictOn(rules, base, next);
        rules = this.#entering(rules, base, next);
      }
      // A root is searched as git would search it; a directory in one was named.
      const isRoot = this.#ignoreStarts.isRootOrAbove(top);
      const { habits } = this.#options;
      const ignore = habits?.knowsRepositories
        ? rules.ignore
        : verdict !== undefined || habits !== undefined
        ? rules.ignore.none()
        : isRoot
        ? rules.ignore
        : rules.ignore.sparing(prefixBelow(this.#ignoreStartOf(base, top)!, top));
      return { ...rules, ignore };
    };
    const inputs = [this.#context(base), JSON.stringify(above)];
    return this.#directories.derived(top, inputs, build);
  }

  /** Adds the rules of `from` and of every directory between it and `directory`. */
  #from(from: string, directory: PendingDirectory, rules: DirectoryRules): DirectoryRules {
    if (directory.path === from) return rules;
    return this.#onTheWay(from, directory, rules).at(-1)!.rules;
  }

  /** The entries on the way down from a directory, and the rules that each is under. Files are read once. */
  #onTheWay(
    from: string,
    { path, base }: Pick<PendingDirectory, "path" | "base">,
    rules: DirectoryRules,
  ): { entry: string; rules: DirectoryRules }[] {
    const above = levels(from, path);
    return above.map((directory, level) => {
      const key = `${base}:${directory}`;
      let inside = this.#ofLevels.get(key);
      if (inside === undefined) {
        inside = this.#extend(rules, base, directory, this.#sourcesIn(directory));
        this.#ofLevels.set(key, inside);
      }
      const entry = above[level + 1] ?? path;
      rules = this.#entering(this.#keeping(inside, base, entry), base, entry);
      return { entry, rules };
    });
  }

  /** The sources of a directory above a walk: in the roots, or above them what has been read there. */
  #sourcesIn(directory: string): RuleSources {
    const isInside = this.#exclusionStarts.rootOf(directory) !== undefined;
    const own = isInside ? this.#sources.read(directory, this.#files) : { texts: {} };
    const above = this.#ignoreStarts.textsIn(directory) ??
      this.#exclusionStarts.textsIn(directory) ?? {};
    const found = Object.entries(own.texts).filter(([, text]) => text !== undefined);
    return { ...own, texts: { ...above, ...Object.fromEntries(found) } };
  }

  /** The rules on the way to a root without those that ignore it: it is what the user wants searched. */
  #keeping(rules: DirectoryRules, base: number, path: string): DirectoryRules {
    if (!this.#ignoreStarts.isRootOrAbove(path)) return rules;
    const below = prefixBelow(this.#ignoreStartOf(base, path)!, path).slice(0, -1);
    return { ...rules, ignore: rules.ignore.keeping(below, platform.basename(path)) };
  }

  /** The verdict of ignore files on a directory, given the rules at its location. */
  #verdictOn({ ignore }: DirectoryRules, base: number, path: string): IgnoreVerdict | undefined {
    const start = ignore === IgnoreRules.NONE ? undefined : this.#ignoreStartOf(base, path);
    if (start === undefined) return undefined;
    const below = prefixBelow(start, path).slice(0, -1);
    return ignore.verdictOn(below, platform.basename(path), true, this.#pulse);
  }

  /** What a directory inherits of the rules at its location: they decide whether it is excluded. */
  #entering(rules: DirectoryRules, base: number, path: string): DirectoryRules {
    const verdict = this.#verdictOn(rules, base, path);
    if (verdict?.isTracked) rules = { ...rules, ignore: rules.ignore.inside(verdict) };
    const name = platform.basename(path);
    const prefix = path.slice(0, path.length - name.length);
    // The walk enters it only because `--allow` allows something in it.
    const isBlocked = !this.#exclusionStarts.isRootOrAbove(path) &&
      this.#policy.blocksEntry(prefix, name, this.#pulse);
    const hasNone = !rules.isExcluded && rules.exclusion === IgnoreRules.NO_EXCLUSIONS;
    if (hasNone && !isBlocked) return rules;
    const below = prefixBelow(this.#exclusionStartOf(path), path).slice(0, -1);
    const isExcluded = isBlocked ||
      this.exclusions.excludes(rules, below, name, path, true) !== false;
    return isExcluded === rules.isExcluded ? rules : { ...rules, isExcluded };
  }
}

/** A directory's path below another, as a prefix of its entries': `""` or `a/b/`. */
export function prefixBelow(above: string, path: string): string {
  if (path === above || !platform.isWithin(above, path)) return "";
  const relative = path.slice(above.endsWith(platform.sep) ? above.length : above.length + 1);
  return relative.replaceAll(platform.sep, "/") + "/";
}

/** The directories from one down to the parent of another below it. */
function levels(from: string, to: string): string[] {
  const names = prefixBelow(from, to).split("/").slice(0, -2);
  const paths = [from];
  for (const name of names) paths.push(platform.join(paths.at(-1)!, name));
  return paths;
}
