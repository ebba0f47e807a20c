/**
 * What a team keeps from its agents: whether an exclusion file, such as `.aiignore`, has a rule for a path.
 *
 * The files are read with the semantics of ignore files, from a root of the workspace down, and
 * block as strictly as the table of sensitive names. A walk checks its entries against the same
 * rules itself.
 *
 * @module
 */

import { EXCLUSION_FILES, IgnoreRules } from "../glob/ignore_rules.ts";
import type { RuleSource } from "../glob/rule_set.ts";
import * as platform from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { isWithin, relativePath } from "./paths.ts";
import { readRuleFile } from "./rule_file.ts";

/** The rule that keeps a path from agents. */
export interface ExcludedBy {
  /** The exclusion file's absolute path; nothing if matching all the rules takes too long. */
  readonly file?: string;
  /** The line of the rule, from 1; 0 where the file was not read. */
  readonly line: number;
}

/** Which paths are allowed although a rule excludes them, and which are blocked in any case. */
export interface Lifts {
  /** Whether a path, or a directory above it, is allowed. */
  lifts(absolute: string): boolean;
  /** Whether exactly that path is allowed, by its path and not just by its name. */
  liftsPath(absolute: string): boolean;
  /** Whether a path is blocked by its name. */
  isBlocked(absolute: string): boolean;
}

/** A step on the way to a path. */
interface PathStep {
  /** Whether to look for its own rules and those of directories in it. */
  readonly isDirectory: boolean;
  /**
   * The rules for its contents; none beyond a link, since the rules for the link's target apply
   * there.
   */
  readonly rules: IgnoreRules | undefined;
}

/**
 * Of matching: a few hundred milliseconds in all. Rules that take longer for a few paths were written to
 * be slow.
 */
const MAX_STEPS = 5 << 20;

/** The exclusion files of some roots, each read once: make a new one for each question of a caller. */
export class Exclusions {
  /** The outermost first. */
  readonly #roots: readonly string[];
  readonly #lifted: Lifts | undefined;
  /** By path. */
  readonly #steps = new Map<string, PathStep>();
  /** What keeps directories from agents, by path: a deep one is looked up again and again. */
  readonly #ofDirectories = new Map<string, ExcludedBy | undefined>();
  /** The names of the exclusion files in directories that were listed. */
  readonly #listed = new Map<string, readonly string[]>();
  readonly #pulse: Pulse;
  readonly #countsLinks: boolean;
  #plain: Exclusions | undefined;

  /**
   * @param roots canonical directories
   * @param lifted what is allowed all the same @default nothing
   * @param pulse beaten while matching; what it throws ends the question @default after a while,
   * everything that rules may cover counts as excluded
   * @param countsLinks whether exclusion files that are links count
   */
  constructor(
    roots: readonly string[],
    lifted?: Lifts,
    pulse?: Pulse,
    countsLinks: boolean = true,
  ) {
    this.#countsLinks = countsLinks;
    this.#roots = roots.toSorted((a, b) => a.length - b.length);
    this.#lifted = lifted;
    this.#pulse = pulse ?? new MatchLimit();
  }

  /**
   * The rule that keeps a path, or a directory above it, from agents.
   *
   * A path that does not exist is checked against rules for files and for directories.
   *
   * @param absolute normalised; no rule applies to one outside the roots
   * @param siblings what the path's directory contains, if it was listed
   */
  ruleFor(absolute: string, siblings?: readonly Deno.DirEntry[]): ExcludedBy | undefined {
    const root = this.#roots.find((root) => isWithin(root, absolute));
    if (root === undefined || root === absolute) return undefined;
    const directory = platform.dirname(absolute);
    if (siblings !== undefined && !this.#steps.has(directory)) {
      const names = EXCLUSION_FILES.filter((file) =>
        siblings.some(({ name }) => name.toLowerCase() === file)
      );
      this.#listed.set(directory, names);
    }
    const segments = relativePath(root, absolute).split("/");
    const name = segments.pop()!;
    let found: ExcludedBy | undefined;
    let step = this.#stepAt(root, "", IgnoreRules.NO_EXCLUSIONS);
    let below = "";
    for (const segment of segments) {
      const path = below + segment;
      const key = `${root}\0${path}`;
      const isKnown = this.#ofDirectories.has(key);
      found = isKnown
        ? this.#ofDirectories.get(key)
        : this.#decide(root, path, segment, step.rules, found, true);
      if (!isKnown) this.#ofDirectories.set(key, found);
      if (step.isDirectory) step = this.#stepAt(root, path, step.rules!);
      below = `${path}/`;
    }
    return this.#decide(root, below + name, name, step.rules, found, false);
  }

  /**
   * Whether exclusion files that are not links keep a path from agents, so that no link turns it
   * into rules.
   */
  excludesPlainly(absolute: string): boolean {
    this.#plain ??= new Exclusions(this.#roots, this.#lifted, this.#pulse, false);
    return this.#plain.ruleFor(absolute) !== undefined;
  }

  /**
   * The rules that apply in a canonical directory because of what is above it; see
   * {@linkcode IgnoreRules}.
   */
  rulesAbove(directory: string): IgnoreRules {
    const root = this.#roots.find((root) => isWithin(root, directory));
    let rules = IgnoreRules.NO_EXCLUSIONS;
    if (root === undefined || root === directory) return rules;
    const segments = relativePath(root, directory).split("/");
    for (let depth = 0; depth < segments.length; depth++) {
      rules = this.#stepAt(root, segments.slice(0, depth).join("/"), rules).rules ?? rules;
    }
    return rules;
  }

  /** @param found what keeps the directory from agents */
  #decide(
    root: string,
    path: string,
    name: string,
    rules: IgnoreRules | undefined,
    found: ExcludedBy | undefined,
    isDirectory: boolean,
  ): ExcludedBy | undefined {
    if (found !== undefined) {
      return this.#lifted?.liftsPath(platform.join(root, path)) ? undefined : found;
    }
    if (rules === undefined || rules === IgnoreRules.NO_EXCLUSIONS) return undefined;
    const absolute = platform.join(root, path);
    let source: RuleSource | undefined;
    try {
      source = rules.sourceOf(path, name, true, this.#pulse);
      if (!isDirectory) {
        const ofFile = rules.sourceOf(path, name, false, this.#pulse);
        if (ofFile !== undefined || kindOf(absolute) === "file") source = ofFile;
      }
    } catch (error) {
      if (!(error instanceof TooSlow)) throw error;
      return { line: 0 };
    }
    if (source === undefined || this.#lifted?.lifts(absolute)) return undefined;
    return { file: platform.join(root, source.file), line: source.line };
  }

  #stepAt(root: string, directory: string, above: IgnoreRules): PathStep {
    const absolute = platform.join(root, directory);
    const known = this.#steps.get(absolute);
    if (known !== undefined) return known;
    const kind = directory === "" ? "directory" : kindOf(absolute);
    const isDirectory = kind === "directory";
    const names = isDirectory ? this.#listed.get(absolute) ?? EXCLUSION_FILES : [];
    const prefix = absolute.endsWith(platform.sep) ? absolute : absolute + platform.sep;
    const isBlocked = (path: string) =>
      (this.#lifted?.isBlocked(path) ?? false) || this.#countsLinks && this.excludesPlainly(path);
    const texts = names
      .filter((name) => this.#countsLinks || kindOf(prefix + name) !== "link")
      .map((name) =>
        [name, readRuleFile(prefix + name, this.#roots, isBlocked, absolute)] as const
      );
    const rules = kind === "link" ? undefined : above.extend(directory, Object.fromEntries(texts));
    const step = { isDirectory, rules };
    this.#steps.set(absolute, step);
    return step;
  }
}

/** Ends a match. */
class TooSlow extends Error {}

/** Ends what takes too many steps. */
class MatchLimit implements Pulse {
  #steps = 0;

  beat(steps: number): void {
    if ((this.#steps += steps) > MAX_STEPS) throw new TooSlow();
  }
}

function kindOf(path: string): "file" | "directory" | "link" | "none" {
  try {
    const { isFile, isSymlink } = Deno.lstatSync(path);
    return isFile ? "file" : isSymlink ? "link" : "directory";
  } catch {
    return "none";
  }
}
