/**
 * An ordered list of gitignore-like rules, compiled so that the last one that matches an entry is
 * found with a few look-ups: what ignore files and include filters have in common.
 *
 * @module
 */

import { Glob } from "../glob.ts";

/** One rule. */
export interface Rule {
  /** Matches the name of an entry, or its path. */
  readonly glob: Glob;
  /** Whether the glob is held against names at any depth; else against paths. */
  readonly byName: boolean;
  /** Whether files are left alone. */
  readonly directoryOnly: boolean;
  /** Whether the rule began with `!`. */
  readonly negated: boolean;
}

/** Rules in order; the last that matches counts. */
export class RuleSet {
  /** Whether a rule looks at paths, not only at names. */
  readonly usesPaths: boolean;

  readonly #rules: readonly Rule[];
  readonly #forFiles: Matcher;
  readonly #forDirectories: Matcher;

  /** @param rules the rules, the last one strongest */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.usesPaths = rules.some((rule) => !rule.byName);
    this.#forDirectories = matcherOf(rules);
    this.#forFiles = rules.some((rule) => rule.directoryOnly)
      ? matcherOf(rules.filter((rule) => !rule.directoryOnly))
      : this.#forDirectories;
  }

  /**
   * Reads one rule: an optional `!`, a glob, and a slash at its end if it is for directories only.
   * A glob with a slash elsewhere is a path from the top, one without matches names.
   *
   * @param text the rule
   * @param dialect how its glob is written
   * @throws {PathgrepError} `invalid_input` when the glob is malformed, in the `include` dialect only
   */
  static parse(text: string, dialect: "include" | "gitignore"): Rule {
    const negated = text.startsWith("!");
    if (negated) text = text.slice(1);
    const directoryOnly = text.endsWith("/");
    if (directoryOnly) text = text.slice(0, -1);
    let byName = !text.includes("/");
    if (text.startsWith("/")) text = text.slice(1);
    // `**/name` is `name`, which is faster.
    const name = text.replace(/^(\*\*\/)+/u, "");
    if (name !== text && !name.includes("/")) {
      text = name;
      byName = true;
    }
    return { glob: Glob.parse(text, { dialect }), byName, directoryOnly, negated };
  }

  /**
   * The last rule that matches an entry, if any does.
   *
   * @param path the entry's path from the top, `/`-separated; not used unless `usesPaths`
   * @param name the last segment of `path`
   * @param isDirectory whether the entry is a directory
   */
  last(path: string, name: string, isDirectory: boolean): Rule | undefined {
    return isDirectory ? this.#forDirectories(path, name) : this.#forFiles(path, name);
  }

  /**
   * Every rule that matches a directory, the last first. Each is looked at alone, which takes its time.
   *
   * @param path the directory's path from the top, `/`-separated
   * @param name the last segment of `path`
   */
  *matching(path: string, name: string): Generator<Rule> {
    for (const rule of this.#rules.toReversed()) {
      // A matcher of its own is not kept, as that of the glob would be.
      if (Glob.lastOf([rule.glob])(rule.byName ? name : path) === 0) yield rule;
    }
  }

  /** The other rules, in their order. */
  without(rules: ReadonlySet<Rule>): RuleSet {
    return new RuleSet(this.#rules.filter((rule) => !rules.has(rule)));
  }
}

/** From an entry to the last rule that matches it. */
type Matcher = (path: string, name: string) => Rule | undefined;

function matcherOf(rules: readonly Rule[]): Matcher {
  const ranks = [...rules.keys()];
  const nameRanks = ranks.filter((rank) => rules[rank]!.byName);
  const pathRanks = ranks.filter((rank) => !rules[rank]!.byName);
  const lastName = Glob.lastOf(nameRanks.map((rank) => rules[rank]!.glob));
  const lastPath = Glob.lastOf(pathRanks.map((rank) => rules[rank]!.glob));
  return (path, name) => {
    const byName = nameRanks[lastName(name)] ?? -1;
    const byPath = pathRanks[lastPath(path)] ?? -1;
    return rules[Math.max(byName, byPath)];
  };
}
