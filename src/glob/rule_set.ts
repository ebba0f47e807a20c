/**
 * Ordered rules in gitignore's manner, for ignore files and include filters, compiled so that a few
 * lookups find the last rule that matches an entry.
 *
 * @module
 */

import type { Pulse } from "../util/pulse.ts";
import { Glob } from "./glob.ts";

/** Where a rule is written. */
export interface RuleSource {
  /** The file's `/`-separated path from the root of the walk; absolute if it is elsewhere. Or an option. */
  readonly file: string;
  /** From 1; 0 if it is not a line of the file. */
  readonly line: number;
  readonly pattern: string;
}

export interface GlobRule {
  /** Matches the name of an entry, or its path. */
  readonly glob: Glob;
  /** Whether the glob is matched against names at any depth; otherwise against paths. */
  readonly byName: boolean;
  readonly directoryOnly: boolean;
  readonly negated: boolean;
  /** If errors and logs have to say where it is written. */
  readonly source?: RuleSource;
}

/** Rules in order; the last one that matches decides. */
export class RuleSet {
  /** Whether a rule depends on paths, not only on names. */
  readonly usesPaths: boolean;

  readonly #rules: readonly GlobRule[];
  readonly #forFiles: RuleFinder;
  readonly #forDirectories: RuleFinder;

  /** @param rules the rules, the last one strongest */
  constructor(rules: readonly GlobRule[]) {
    this.#rules = rules;
    this.usesPaths = rules.some((rule) => !rule.byName);
    this.#forDirectories = ruleFinder(rules);
    this.#forFiles = rules.some((rule) => rule.directoryOnly)
      ? ruleFinder(rules.filter((rule) => !rule.directoryOnly))
      : this.#forDirectories;
  }

  /**
   * Parses one rule: an optional `!`, a glob, and a trailing slash if it is for directories only. A glob
   * with a slash elsewhere matches a path from the top, one without matches names.
   *
   * @throws {PathgrepError} `invalid_input` if the glob is malformed, in the `include` dialect only
   */
  static parse(text: string, dialect: "include" | "gitignore"): GlobRule {
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
   * Finds the last rule that matches an entry, if there is one.
   *
   * @param path the entry's path from the top, `/`-separated; not used unless `usesPaths`
   */
  last(path: string, name: string, isDirectory: boolean, pulse?: Pulse): GlobRule | undefined {
    return (isDirectory ? this.#forDirectories : this.#forFiles)(path, name, pulse);
  }

  /**
   * Finds all rules that match a directory, the last first. Tests each one separately, which is
   * slow.
   */
  matching(path: string, name: string): GlobRule[] {
    // These matchers are temporary; a glob would keep its own.
    return this.#rules.toReversed().filter(({ byName, glob }) =>
      Glob.lastOf([glob])(byName ? name : path) === 0
    );
  }

  without(rules: ReadonlySet<GlobRule>): RuleSet {
    return new RuleSet(this.#rules.filter((rule) => !rules.has(rule)));
  }
}

type RuleFinder = (path: string, name: string, pulse?: Pulse) => GlobRule | undefined;

function ruleFinder(rules: readonly GlobRule[]): RuleFinder {
  const ranks = [...rules.keys()];
  const nameRanks = ranks.filter((rank) => rules[rank]!.byName);
  const pathRanks = ranks.filter((rank) => !rules[rank]!.byName);
  const lastName = Glob.lastOf(nameRanks.map((rank) => rules[rank]!.glob));
  const lastPath = Glob.lastOf(pathRanks.map((rank) => rules[rank]!.glob));
  return (path, name, pulse) => {
    const byName = nameRanks[lastName(name, pulse)] ?? -1;
    const byPath = pathRanks[lastPath(path, pulse)] ?? -1;
    return rules[Math.max(byName, byPath)];
  };
}
