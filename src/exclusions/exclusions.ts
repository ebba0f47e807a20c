/**
 * The paths that agents may not read: by name, and by the rules of exclusion files such as `.aiignore`; and the rule
 * files above a workspace root, those of the directories from the root's parent up to where its repository begins.
 *
 * Exclusion files are read with the semantics of ignore files, from a root of the workspace down and above it up to
 * where its repository begins, and block as strictly as the table of sensitive names.
 *
 * Whoever can write above a root decides what a search leaves out. So a directory, its `.git` and a file count only
 * if they belong to the user or to root; no link is followed, and Deno never has to ask.
 *
 * @module
 */

import {
  EXCLUDE,
  EXCLUSION_FILES,
  IGNORE_FILES,
  IgnoreRules,
  MAX_RULE_CHARS,
  type RuleTexts,
} from "../glob/ignore_rules.ts";
import type { RuleSource } from "../glob/rule_set.ts";
import { infoAt, lstat, readLink } from "../system/files.ts";
import { isGranted, mayRead, userId } from "../system/platform.ts";
import type { DirEntry, FileInfo } from "../system/types.ts";
import { valueAt } from "../util/collections.ts";
import * as platform from "../util/path.ts";
import { ENDLESS, type Pulse } from "../util/pulse.ts";
import { quotedName } from "../util/text.ts";
import { isExclusionFile, readExclusionFile, readRuleFile } from "./rule_file.ts";

/** The rule files of a directory above a root. */
export interface LevelAbove {
  readonly directory: string;
  readonly texts: RuleTexts;
}

/** The directories above a root whose rules count, the outermost first; plain data. */
export interface RulesAbove {
  readonly root: string;
  readonly levels: readonly LevelAbove[];
}

/** Reads the rule files above canonical roots; there is no entry for a root without. */
export function rulesAbove(roots: readonly string[]): RulesAbove[] {
  const reader = new AboveReader();
  return [...new Set(roots)].flatMap((root) => {
    const levels = reader.levelsAbove(root);
    return levels === undefined ? [] : [{ root, levels }];
  });
}

/** Whether Deno would have to ask before it is known which rule files above some roots count. */
export function isBarredAbove(roots: readonly string[]): boolean {
  const reader = new AboveReader();
  for (const root of roots) reader.levelsAbove(root);
  return reader.isBarred;
}

const RULE_FILES = [...EXCLUSION_FILES, ...IGNORE_FILES].filter((name) => !name.includes("/"));

/** Looks up a path that may count; nothing for what belongs to somebody else. */
type Counts = (path: string) => FileInfo | undefined;

/** Reads each directory once. */
class AboveReader {
  /** Whether something was passed over, for Deno would have asked. */
  isBarred = false;
  readonly #known = new Map<string, readonly LevelAbove[] | undefined>();
  readonly #mayReadAll = isGranted({ name: "read" });
  readonly #uid = isGranted({ name: "sys", kind: "uid" }) ? userId() : undefined;

  levelsAbove(root: string): readonly LevelAbove[] | undefined {
    if (this.#infoAt(platform.join(root, ".git")) !== undefined) return undefined;
    // Where Deno does not tell who the user is, it is taken to be the owner of the root.
    const user = this.#uid ?? this.#infoAt(root)?.uid ?? null;
    return this.#levelsTo(platform.dirname(root), root, user);
  }

  /** A directory and those above it, up to where a repository begins; nothing if none does. */
  #levelsTo(
    directory: string,
    below: string,
    user: number | null,
  ): readonly LevelAbove[] | undefined {
    if (directory === below) return undefined;
    const key = `${user}:${directory}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const counts: Counts = (path) => {
      const info = this.#infoAt(path);
      const uid = info?.uid ?? null;
      return uid !== null && (uid === 0 || uid === user) ? info : undefined;
    };
    const isOwn = counts(directory)?.isDirectory === true;
    const hasGit = isOwn && counts(platform.join(directory, ".git")) !== undefined;
    const above = hasGit ? [] : this.#levelsTo(platform.dirname(directory), directory, user);
    const texts = above !== undefined && isOwn ? ruleTextsIn(directory, hasGit, above, counts) : {};
    const levels = above && [...above, { directory, texts }];
    this.#known.set(key, levels);
    return levels;
  }

  #infoAt(path: string): FileInfo | undefined {
    if (this.#mayReadAll || mayRead(path)) return infoAt(path);
    this.isBarred = true;
    return undefined;
  }
}

/** The rule files of a directory, as far as those above it leave room. */
function ruleTextsIn(
  directory: string,
  hasGit: boolean,
  above: readonly LevelAbove[],
  counts: Counts,
): RuleTexts {
  const texts: Record<string, string | null> = {};
  const isOfKind = (name: string, other: string) =>
    isExclusionFile(name) === isExclusionFile(other);
  const read = (name: string, isLinked = false): string | null | undefined => {
    const path = platform.join(directory, name);
    const info = counts(path);
    if (info?.isSymlink && isExclusionFile(name) && !isLinked) {
      // Several agents' files may be one file; no other link is followed.
      const target = linkAt(path) ?? "";
      return RULE_FILES.includes(target) ? read(target, true) : undefined;
    }
    if (!info?.isFile) return undefined;
    const used = [...above.map((level) => level.texts), texts].flatMap(Object.entries)
      .reduce((sum, [other, text]) => sum + (isOfKind(name, other) ? text?.length ?? 0 : 0), 0);
    const isTooLarge = info.size > MAX_RULE_CHARS - used;
    return isTooLarge ? null : readRuleFile(path, [directory], undefined, directory);
  };
  for (const name of RULE_FILES) {
    const text = read(name);
    if (text !== undefined) texts[name] = text;
  }
  const isOwn = (name: string) => counts(platform.join(directory, name))?.isDirectory === true;
  const exclude = hasGit && isOwn(".git") && isOwn(".git/info") ? read(EXCLUDE) : undefined;
  if (exclude !== undefined) texts[EXCLUDE] = exclude;
  return texts;
}

function linkAt(path: string): string | undefined {
  try {
    return readLink(path);
  } catch {
    return undefined;
  }
}

/** From where the rules for paths in some roots start, and what those above the roots say. */
export class RuleStarts {
  /** The outermost first. */
  readonly #roots: readonly string[];
  /** Of the roots below rules, the directory in which these start. */
  readonly #starts = new Map<string, string>();
  readonly #texts = new Map<string, RuleTexts>();

  /** @param roots canonical directories, the outermost first */
  constructor(roots: readonly string[], above: readonly RulesAbove[] = []) {
    this.#roots = roots;
    for (const { root, levels } of above) {
      if (this.rootOf(root) !== root) continue; // its rules start in another root
      this.#starts.set(root, levels[0]!.directory);
      for (const { directory, texts } of levels) this.#texts.set(directory, texts);
    }
  }

  /** The outermost root that holds a path. */
  rootOf(path: string): string | undefined {
    return this.#roots.find((root) => platform.isWithin(root, path));
  }

  /** Where the rules for a path start, which is in a root or above one; nothing elsewhere. */
  startOf(path: string): string | undefined {
    const root = this.rootOf(path);
    if (root !== undefined) return this.#starts.get(root) ?? root;
    if (!this.#texts.has(path)) return undefined;
    return this.#starts.values().find((start) => platform.isWithin(start, path));
  }

  /** The rule files of a directory above the roots. */
  textsIn(directory: string): RuleTexts | undefined {
    return this.#texts.get(directory);
  }

  /** Whether a directory is a root below rules, or lies above one, with rules or below some. */
  isRootOrAbove(directory: string): boolean {
    return this.#starts.has(directory) || this.#texts.has(directory);
  }
}

/** The rule that excludes a path. */
export interface ExcludedBy {
  /** The exclusion file's absolute path; nothing if matching all the rules takes too long. */
  readonly file?: string;
  /** The line of the rule, from 1; 0 where the file was not read. */
  readonly line: number;
}

/** What an error says of a path that a rule excludes, after "is". */
export function exclusionReason(
  { file, line }: ExcludedBy,
  display: (file: string) => string,
): string {
  if (file === undefined) {
    return "excluded, because the rules of exclusion files take too long to match";
  }
  return line > 0
    ? `excluded by ${quotedName(`${display(file)}:${line}`)}`
    : `excluded, because ${
      quotedName(display(file))
    } is too large, is not UTF-8 or UTF-16, or cannot be read`;
}

/** The paths that are allowed although a rule excludes them, and those that are blocked in any case. */
export interface Lifts {
  /** Whether a path, or a directory above it, is allowed. */
  lifts(absolute: string): boolean;
  /** Whether exactly that path is allowed, by its path and not just by its name. */
  liftsPath(absolute: string): boolean;
  /** Whether a path is blocked by its name. */
  isBlocked(absolute: string): boolean;
}

/** The roots that exclusion rules are about, which are canonical, and the rules above these. */
export interface ExclusionRoots {
  readonly roots: readonly string[];
  /** @default none */
  readonly above?: readonly RulesAbove[];
}

/** The exclusion rules that apply in a directory. */
export interface ExclusionState {
  /** Their rules for its entries. */
  readonly exclusion: IgnoreRules;
  /** Whether the directory itself is excluded, except for what `--allow` names. */
  readonly isExcluded: boolean;
}

interface PathStep {
  /** Whether to look for its own rules and those of directories in it. */
  readonly isDirectory: boolean;
  /** Those for its contents; none beyond a link, since the rules for the link's target apply there. */
  readonly rules: IgnoreRules | undefined;
}

/** A few hundred milliseconds of matching: rules that take longer for a few paths are hostile. */
const MAX_STEPS = 5 << 20;

/** The exclusion files of some roots, each read once: create a new object for each call. */
export class Exclusions {
  /** The outermost first. */
  readonly #roots: readonly string[];
  readonly #above: readonly RulesAbove[];
  readonly #starts: RuleStarts;
  readonly #lifted: Lifts | undefined;
  readonly #steps = new Map<string, PathStep>();
  /** The rules that exclude directories, by path: a deep one is looked up many times. */
  readonly #ofDirectories = new Map<string, ExcludedBy | undefined>();
  /** The names of the exclusion files in directories that were listed. */
  readonly #listed = new Map<string, readonly string[]>();
  readonly #pulse: Pulse;
  readonly #countsLinks: boolean;
  #plain: Exclusions | undefined;

  /**
   * @param lifted what is allowed nevertheless @default nothing
   * @param pulse beaten while matching; what it throws ends the question @default after a while,
   * everything that rules may cover counts as excluded
   * @param countsLinks whether links count as exclusion files
   */
  constructor(
    { roots, above = [] }: ExclusionRoots,
    lifted?: Lifts,
    pulse?: Pulse,
    countsLinks = true,
  ) {
    this.#countsLinks = countsLinks;
    this.#roots = roots.toSorted((a, b) => a.length - b.length);
    this.#above = above;
    this.#starts = new RuleStarts(this.#roots, above);
    this.#lifted = lifted;
    this.#pulse = pulse ?? boundedPulse();
  }

  /**
   * Whether a path must not be read; the rule, if an exclusion file says so.
   *
   * @param siblings what the path's directory contains, if it was listed
   */
  blocks(absolute: string, siblings?: readonly DirEntry[]): boolean | ExcludedBy {
    return this.#lifted?.isBlocked(absolute) || (this.ruleFor(absolute, siblings) ?? false);
  }

  /**
   * {@linkcode Exclusions.blocks} by exclusion files for an entry of a directory whose own state is known;
   * the rule, unless the directory is excluded.
   *
   * @param below its path from where the rules start
   */
  excludes(
    { exclusion, isExcluded }: ExclusionState,
    below: string,
    name: string,
    absolute: string,
    isDirectory: boolean,
  ): boolean | RuleSource {
    if (isExcluded) return this.#staysExcluded(absolute);
    return this.#ruleOn(exclusion, below, name, absolute, isDirectory) ?? false;
  }

  /** Whether the lines of a rule file must not be shown, as they would be if a link to it counted. */
  withholds(absolute: string): boolean {
    if (this.#lifted?.isBlocked(absolute)) return true;
    if (!this.#countsLinks) return false;
    // Only by exclusion files that are not links, so that no link turns the lines into rules.
    const places = { roots: this.#roots, above: this.#above };
    this.#plain ??= new Exclusions(places, this.#lifted, this.#pulse, false);
    return this.#plain.ruleFor(absolute) !== undefined;
  }

  /**
   * The rule that excludes a path, or a directory above it. A path that does not exist is checked against
   * rules for files and for directories.
   *
   * @param absolute normalized; no rule applies to one outside the roots
   * @param siblings as for {@linkcode Exclusions.blocks}
   */
  ruleFor(absolute: string, siblings?: readonly DirEntry[]): ExcludedBy | undefined {
    const isInside = this.#starts.rootOf(absolute) !== undefined;
    const root = isInside ? this.#starts.startOf(absolute) : undefined;
    if (root === undefined || root === absolute) return undefined;
    const directory = platform.dirname(absolute);
    if (siblings !== undefined && !this.#steps.has(directory)) {
      const names = EXCLUSION_FILES.filter((file) =>
        siblings.some(({ name }) => name.toLowerCase() === file.replace(/\/.*/u, ""))
      );
      this.#listed.set(directory, names);
    }
    const segments = platform.relativePath(root, absolute).split("/");
    const name = segments.pop()!;
    let found: ExcludedBy | undefined;
    let step = this.#stepAt(root, "", IgnoreRules.NO_EXCLUSIONS);
    let below = "";
    for (const segment of segments) {
      const path = below + segment;
      const key = `${root}\0${path}`;
      found = valueAt(
        this.#ofDirectories,
        key,
        () => this.#decide(root, path, segment, step.rules, found, true),
      );
      if (step.isDirectory) step = this.#stepAt(root, path, step.rules!);
      below = `${path}/`;
    }
    return this.#decide(root, below + name, name, step.rules, found, false);
  }

  /** @param found what excludes the directory */
  #decide(
    root: string,
    path: string,
    name: string,
    rules: IgnoreRules | undefined,
    found: ExcludedBy | undefined,
    isDirectory: boolean,
  ): ExcludedBy | undefined {
    const absolute = platform.join(root, path);
    if (found !== undefined) return this.#staysExcluded(absolute) ? found : undefined;
    if (rules === undefined || rules === IgnoreRules.NO_EXCLUSIONS) return undefined;
    try {
      let source = this.#ruleOn(rules, path, name, absolute, true);
      if (!isDirectory) {
        const ofFile = this.#ruleOn(rules, path, name, absolute, false);
        if (ofFile !== undefined || kindOf(absolute) === "file") source = ofFile;
      }
      return source && { file: platform.join(root, source.file), line: source.line };
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
      return { line: 0 };
    }
  }

  /** Whether an entry of an excluded directory is excluded, too. */
  #staysExcluded(absolute: string): boolean {
    return !this.#lifted?.liftsPath(absolute);
  }

  /** The rule that excludes an entry, unless it is allowed. */
  #ruleOn(
    rules: IgnoreRules,
    below: string,
    name: string,
    absolute: string,
    isDirectory: boolean,
  ): RuleSource | undefined {
    if (rules === IgnoreRules.NO_EXCLUSIONS) return undefined;
    const source = rules.sourceOf(below, name, isDirectory, this.#pulse);
    return source === undefined || this.#lifted?.lifts(absolute) ? undefined : source;
  }

  #stepAt(root: string, directory: string, above: IgnoreRules): PathStep {
    const absolute = platform.join(root, directory);
    const known = this.#steps.get(absolute);
    if (known !== undefined) return known;
    this.#pulse.beat(1);
    const outside = this.#starts.textsIn(absolute);
    if (outside !== undefined) {
      return this.#remembered(absolute, true, above.extend(directory, outside));
    }
    const kind = directory === "" ? "directory" : kindOf(absolute);
    const isDirectory = kind === "directory";
    const names = isDirectory ? this.#listed.get(absolute) ?? EXCLUSION_FILES : [];
    const isLinked = (name: string) => {
      const path = platform.join(absolute, name);
      return [path, platform.dirname(path)].some((path) => kindOf(path) === "link");
    };
    const textOf = (name: string) =>
      readExclusionFile(
        absolute,
        name,
        this.#roots,
        (path) => this.withholds(path),
        this.#countsLinks,
      );
    const texts = names
      .filter((name) => this.#countsLinks || !isLinked(name))
      .map((name) => [name, textOf(name)] as const);
    const rules = kind === "link" ? undefined : above.extend(directory, Object.fromEntries(texts));
    return this.#remembered(absolute, isDirectory, rules);
  }

  #remembered(path: string, isDirectory: boolean, rules: IgnoreRules | undefined): PathStep {
    const step = { isDirectory, rules };
    this.#steps.set(path, step);
    return step;
  }
}

class TooSlow extends Error {}

/**
 * A pulse after which everything that rules may cover counts as excluded.
 *
 * @param limit beaten as well
 */
export function boundedPulse(limit: Pulse = ENDLESS): Pulse {
  let steps = 0;
  return {
    beat(more) {
      limit.beat(more);
      if ((steps += more) > MAX_STEPS) throw new TooSlow();
    },
  };
}

function kindOf(path: string): "file" | "directory" | "link" | "none" {
  try {
    const { isFile, isSymlink } = lstat(path);
    return isFile ? "file" : isSymlink ? "link" : "directory";
  } catch {
    return "none";
  }
}
