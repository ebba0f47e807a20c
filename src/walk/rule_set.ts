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

  readonly #forAll: RuleIndex;
  readonly #forDirectories: RuleIndex | undefined;

  /** @param rules the rules, the last one strongest */
  constructor(rules: readonly Rule[]) {
    const ranked = rules.map((rule, rank) => ({ rule, rank }));
    const forDirectories = ranked.filter(({ rule }) => rule.directoryOnly);
    this.usesPaths = rules.some((rule) => !rule.byName);
    this.#forAll = new RuleIndex(ranked.filter(({ rule }) => !rule.directoryOnly));
    if (forDirectories.length > 0) this.#forDirectories = new RuleIndex(forDirectories);
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
    const name = text.replace(/^(\*\*\/)+/, "");
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
    const found = this.#forAll.last(path, name, undefined);
    if (!isDirectory || this.#forDirectories === undefined) return found?.rule;
    return this.#forDirectories.last(path, name, found)?.rule;
  }
}

interface RankedRule {
  readonly rule: Rule;
  /** The place of the rule in its list. */
  readonly rank: number;
}

/** Rules by what they can be looked up by; within each list the last comes first. */
class RuleIndex {
  /** Plain names and paths, by their last segment. */
  readonly #literals = new Map<string, RankedRule[]>();
  /** The strongest `*.extension` rule, by the extension with its dot. */
  readonly #extensions = new Map<string, RankedRule>();
  readonly #others: RankedRule[] = [];

  constructor(rules: readonly RankedRule[]) {
    for (const ranked of rules.toReversed()) {
      const { glob, byName } = ranked.rule;
      if (glob.literal !== undefined) {
        const name = glob.literal.slice(glob.literal.lastIndexOf("/") + 1);
        const sameName = this.#literals.get(name);
        if (sameName === undefined) this.#literals.set(name, [ranked]);
        else sameName.push(ranked);
      } else if (byName && glob.suffix?.lastIndexOf(".") === 0) {
        if (!this.#extensions.has(glob.suffix)) this.#extensions.set(glob.suffix, ranked);
      } else {
        this.#others.push(ranked);
      }
    }
  }

  /** The last rule that matches and comes after `found`; else `found`. */
  last(path: string, name: string, found: RankedRule | undefined): RankedRule | undefined {
    let rank = found?.rank ?? -1;
    const take = (ranked: RankedRule) => {
      if (ranked.rank > rank) {
        found = ranked;
        rank = ranked.rank;
      }
    };
    if (this.#literals.size > 0) {
      const literal = this.#literals.get(name)
        ?.find(({ rule }) => rule.byName || rule.glob.literal === path);
      if (literal !== undefined) take(literal);
    }
    if (this.#extensions.size > 0) {
      const dot = name.lastIndexOf(".");
      const extension = dot < 0 ? undefined : this.#extensions.get(name.slice(dot));
      if (extension !== undefined) take(extension);
    }
    for (const other of this.#others) {
      if (other.rank < rank) break;
      if (other.rule.glob.matches(other.rule.byName ? name : path)) {
        take(other);
        break;
      }
    }
    return found;
  }
}
