/**
 * Blocks paths by name: the table of sensitive names, as changed by `--allow` and `--deny`.
 *
 * It depends only on names, so that the answer does not reveal whether anything exists.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { readExtendedForms, withoutLoneBraces } from "../glob/glob_parser.ts";
import { Glob } from "../glob/glob.ts";
import {
  isGitInternal,
  isSensitive,
  isSensitiveName,
  mayBeSensitive,
  sensitiveRule,
} from "../exclusions/sensitive.ts";
import type { Lifts, RulesAbove } from "../exclusions/exclusions.ts";
import { PathgrepError, shown } from "../util/errors.ts";
import type { Pulse } from "../util/pulse.ts";
import { OS } from "../system/platform.ts";

/** A policy as plain data, for workers. */
export interface PolicyOptions {
  /** Canonical roots; the table does not apply to names above them. */
  roots: readonly string[];
  /** The rule files above the roots, for walks. @default none */
  above?: readonly RulesAbove[];
  /** Globs that unblock names in the roots and, if absolute, grant paths outside. */
  allow: readonly string[];
  /** Globs that block more names than the table; they override `allow`. */
  deny: readonly string[];
}

/** Where names that differ only in letter case are different names, `--allow` applies to one of them. */
const ALLOWS_EITHER_CASE = OS !== "linux";

/** A path as globs have it: below its root or, outside of all roots, below the file system's. */
interface PolicyPath {
  /** The root, without a slash at its end. */
  readonly base: string;
  readonly relative: string;
  readonly isInRoot: boolean;
}

/** Decides which paths are blocked by name, and what `--allow` grants outside and allows inside. */
export class Policy implements Lifts {
  /** The outermost first: what one root blocks stays blocked where another root is inside it. */
  readonly #roots: readonly string[];
  readonly #allow: readonly PolicyRule[];
  readonly #deny: readonly PolicyRule[];

  /** @throws {PathgrepError} `invalid_input` for a malformed glob */
  constructor(options: PolicyOptions) {
    this.#roots = options.roots.toSorted((a, b) => a.length - b.length);
    this.#allow = options.allow.map((glob) => new PolicyRule(glob, ALLOWS_EITHER_CASE));
    // Somebody who writes braces without a comma for one alternative must not end up with nothing blocked.
    const denied = options.deny.flatMap((glob) => [...new Set([glob, withoutLoneBraces(glob)])]);
    this.#deny = denied.map((glob) => {
      const rule = new PolicyRule(glob, true);
      const root = this.#roots.find((root) => rule.names(root) && this.#rootOf(root) === root);
      checkDenied(glob, root);
      return rule;
    });
  }

  /** Whether a path, or a directory between its root and it, is blocked. */
  isBlocked(absolute: string): boolean {
    const path = this.#pathOf(absolute);
    if (path.relative === ".") return false;
    const segments = path.relative.split("/").filter((segment) => segment !== "");
    const { base, isInRoot } = path;
    if (this.#deny.some((rule) => rule.matchesOnTheWay(base, segments))) return true;
    let below = "";
    let isWithheld = false;
    for (const segment of segments) {
      below = below === "" ? segment : `${below}/${segment}`;
      if (isGitInternal(segment)) return true;
      // An entry of a blocked directory is allowed only by its own path.
      isWithheld = isWithheld
        ? !isInRoot || !this.#liftsPath({ ...path, relative: below })
        : this.#isWithheld({ ...path, relative: below });
    }
    return isWithheld;
  }

  /**
   * {@linkcode isBlocked} for an entry of a directory that is not blocked.
   *
   * @param prefix the directory's path with a separator at its end
   * @param pulse beaten as matching goes on; what it throws ends the match
   */
  blocksEntry(prefix: string, name: string, pulse?: Pulse): boolean {
    if (this.#deny.length === 0 && !mayBeSensitive(name)) return false;
    const path = this.#pathOf(prefix + name);
    return this.#isDenied(path, pulse) || this.#isWithheld(path);
  }

  /** What blocks such an entry: a glob of `--deny` or, of the table, an entry. */
  ruleOn(prefix: string, name: string): string | undefined {
    const { base, relative } = this.#pathOf(prefix + name);
    const denied = this.#deny.find((rule) => rule.matches(relative, `${base}/${relative}`));
    return denied?.written ?? sensitiveRule(relative);
  }

  /** Whether `--allow` may allow an entry, by its path, in a directory of the table. */
  mayLiftIn(prefix: string, name: string): boolean {
    if (this.#allow.length === 0 || isGitInternal(name)) return false;
    const path = this.#pathOf(prefix + name);
    return path.isInRoot && !this.#isDenied(path) && this.mayLiftBelow(prefix + name);
  }

  #isDenied({ base, relative }: PolicyPath, pulse?: Pulse): boolean {
    return this.#deny.some((rule) => rule.matches(relative, `${base}/${relative}`, pulse));
  }

  /** Whether `--allow` grants a path outside the roots. */
  grantsOutside(absolute: string): boolean {
    return this.#allow.some((rule) => rule.covers(absolute));
  }

  /** Whether `--allow` allows a path that an exclusion file excludes, or a directory above it. */
  lifts(absolute: string): boolean {
    if (this.#allow.length === 0) return false;
    const { base, relative } = this.#pathOf(absolute);
    return this.#allow.some((rule) => rule.matchesOnTheWay(base, relative.split("/")));
  }

  /** Whether `--allow` allows exactly that path, by its path and not just by its name. */
  liftsPath(absolute: string): boolean {
    if (this.#allow.length === 0) return false;
    return this.#liftsPath(this.#pathOf(absolute));
  }

  #liftsPath({ base, relative }: PolicyPath): boolean {
    return this.#allow.some((rule) => rule.matchesPath(relative, `${base}/${relative}`));
  }

  /** Whether `--allow` may allow something below an excluded directory, by its path. */
  mayLiftBelow(absolute: string): boolean {
    const { relative } = this.#pathOf(absolute);
    return this.#allow.some((rule) => rule.mayMatchBelow(relative, asInGlobs(absolute)));
  }

  /** Whether the table blocks the last segment of a path, and `--allow` does not allow it. */
  #isWithheld({ base, relative, isInRoot }: PolicyPath): boolean {
    const segments = relative.split("/");
    const name = segments.at(-1)!;
    // The table is about what a backslash separates, too.
    if (!isSensitiveName(segments) && !(name.includes("\\") && isSensitive(name))) return false;
    if (!isInRoot || isGitInternal(name)) return true;
    return !this.#allow.some((rule) => rule.matches(relative, `${base}/${relative}`));
  }

  #rootOf(absolute: string): string | undefined {
    return this.#roots.find((root) => platform.isWithin(root, absolute));
  }

  #pathOf(absolute: string): PolicyPath {
    const root = this.#rootOf(absolute);
    const base = asInGlobs(root ?? platform.parse(absolute).root).replace(/\/$/u, "");
    const relative = root === undefined
      ? asInGlobs(absolute).slice(base.length + 1)
      : platform.relativePath(root, absolute);
    return { base, relative, isInRoot: root !== undefined };
  }
}

/** An absolute path as globs have it: with slashes, of which one begins a share of Windows. */
function asInGlobs(absolute: string): string {
  return absolute.replaceAll(platform.sep, "/").replace(/^\/+/u, "/");
}

class PolicyRule {
  readonly written: string;
  readonly #glob: Glob;
  /** The directory that an absolute glob covers as a whole: `/data` for `/data/*` and `/data/**`. */
  readonly #whole: Glob | undefined;
  readonly #isAbsolute: boolean;
  readonly #hasSlash: boolean;

  constructor(written: string, caseInsensitive: boolean) {
    this.written = written;
    const source = readExtendedForms(written);
    const glob = canonicalGlob(source);
    this.#isAbsolute = platform.isAbsolute(glob);
    this.#hasSlash = source.replace(/(?<=[^/])\/+$/u, "").includes("/");
    this.#glob = Glob.parse(glob, { caseInsensitive });
    const whole = glob.replace(/(?<!\/\*\*?)(?:\/\*\*?)+$/u, "");
    this.#whole = this.#isAbsolute && whole !== glob
      ? Glob.parse(whole || "/", { caseInsensitive })
      : undefined;
  }

  /** Matches the base name, the path below the root if the glob has a slash, or the absolute path. */
  matches(relative: string, absolute: string, pulse?: Pulse): boolean {
    if (this.#isAbsolute) return this.#glob.matches(absolute, pulse);
    if (this.#hasSlash) return this.#glob.matches(relative, pulse);
    return this.#glob.matches(relative.slice(relative.lastIndexOf("/") + 1), pulse);
  }

  /** {@linkcode matches} for a path below a base, or a directory between them. */
  matchesOnTheWay(base: string, segments: readonly string[]): boolean {
    if (this.#isAbsolute) return this.#glob.matchesOnTheWay(`${base}/`, segments);
    if (this.#hasSlash) return this.#glob.matchesOnTheWay("", segments);
    return segments.some((segment) => this.#glob.matches(segment));
  }

  /** {@linkcode matches} for a rule that has a slash; `false` for one that is a base name. */
  matchesPath(relative: string, absolute: string): boolean {
    return this.#hasSlash && this.matches(relative, absolute);
  }

  /** Whether a rule that names a path may match one below a directory. */
  mayMatchBelow(relative: string, absolute: string): boolean {
    if (!this.#hasSlash) return false;
    return this.#glob.below(this.#isAbsolute ? absolute : relative) !== "none";
  }

  /** Whether an absolute rule matches a path, a directory above it, or all that is in it. */
  covers(absolute: string): boolean {
    return this.names(absolute) || this.#whole?.matches(asInGlobs(absolute)) === true;
  }

  /** Whether an absolute rule matches a path or a directory above it. */
  names(absolute: string): boolean {
    if (!this.#isAbsolute) return false;
    const path = asInGlobs(absolute);
    const root = path.slice(0, path.indexOf("/") + 1);
    return this.#glob.matches(root) ||
      this.#glob.matchesOnTheWay(root, path.slice(root.length).split("/"));
  }
}

/** A glob, spelled as the paths are that it is matched against. */
function canonicalGlob(source: string): string {
  return source.replace(/\/(?:\.?\/)+/gu, "/").replace(/^\.\//u, "").replace(/(?<=.)\/\.?$/u, "");
}

const PARTIAL = /[{,]\.{0,2}\/|\/\.{0,2}[,}]|[{,]\.{1,2}[,}]/u;

/** Refuses a glob that would block nothing, or everything: a root. */
function checkDenied(glob: string, root: string | undefined): void {
  const refuse = (problem: string, remedy: string) => {
    throw new PathgrepError("invalid_input", `deny can't ${problem} in ${shown(glob)}; ${remedy}`);
  };
  if (root !== undefined || ["", "."].includes(canonicalGlob(glob))) {
    refuse("name a workspace root", "name what is in it");
  }
  if (glob.includes("{") && PARTIAL.test(glob)) {
    refuse("have '/', '.' or '..' at an end of an alternative", "write each as a glob of its own");
  }
  // Where an absolute one leads is known.
  if (!platform.isAbsolute(glob) && glob.split("/").includes("..")) {
    refuse("have '..'", "write the path from the workspace root, or an absolute one");
  }
}
