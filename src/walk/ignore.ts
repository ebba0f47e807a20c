/**
 * Ignore files with git's semantics: which entries of a walk `.gitignore`, `.ignore` and
 * `.git/info/exclude` leave out.
 *
 * @module
 */

import { type Rule, RuleSet } from "../glob/rule_set.ts";

/**
 * The texts of one directory's ignore files; those it does not have are left out, and `null` is one
 * that is larger than {@linkcode MAX_RULE_CHARS}.
 */
export interface IgnoreFiles {
  /** The text of `.gitignore`. */
  gitignore?: string | null | undefined;
  /** The text of `.ignore`. */
  ignore?: string | null | undefined;
  /** The text of `.git/info/exclude`. */
  exclude?: string | null | undefined;
}

/** The rules of one file. */
interface Level {
  /** The place of the file's name in {@linkcode STRONGEST_FIRST}. */
  kind: number;
  /** Where a path below the file's directory begins, seen from the directory. */
  offset: number;
  rules: RuleSet;
}

/**
 * Characters of ignore files that count in one directory, those above it included. A compiled rule takes
 * up to a thousand times its length in memory, and the files may be made to exhaust it; real ones are smaller
 * by far. A file that does not fit any more has no rules.
 */
export const MAX_RULE_CHARS: number = 1 << 17;

/** A name no rule is written for: only a rule that matches every name matches it. */
const ANY_NAME = "\u{10fffe}";

const STRONGEST_FIRST = ["ignore", "gitignore", "exclude"] as const;

/**
 * The rules that hold in one directory: its own and those of every directory above it.
 *
 * Any matching rule of an `.ignore` beats those of every `.gitignore`, which beat those of every
 * `.git/info/exclude`; among files of one name the deepest counts, in one file the last rule that
 * matches. Rules are about single entries: since an ignored directory is not entered, nothing in
 * it can be included again.
 */
export class IgnoreRules {
  /** No rules at all. */
  static readonly NONE: IgnoreRules = new IgnoreRules([]);

  /** In the order in which they are asked. */
  readonly #levels: readonly Level[];
  /** The characters of all their files. */
  readonly #chars: number;
  /** Files that did not fit any more, in the directory and those above it. */
  readonly unread: number;

  private constructor(levels: readonly Level[], chars = 0, unread = 0) {
    this.#levels = levels;
    this.#chars = chars;
    this.unread = unread;
  }

  /**
   * The rules that hold in a directory, given those that hold in its parent (`this`).
   *
   * @param directory the directory's `/`-separated path from the root of the walk, `""` for the root
   * @param files the texts of its ignore files
   * @returns `this` when no file holds a rule or was too large
   */
  extend(directory: string, files: IgnoreFiles): IgnoreRules {
    const added: Level[] = [];
    let chars = this.#chars;
    let unread = this.unread;
    const offset = directory === "" ? 0 : directory.length + 1;
    for (const [kind, key] of STRONGEST_FIRST.entries()) {
      const text = files[key];
      if (text === undefined) continue;
      if (text === null || chars + text.length > MAX_RULE_CHARS) {
        unread++;
        continue;
      }
      const rules = parseLines(text);
      if (rules.length === 0) continue;
      chars += text.length;
      added.push({ kind, offset, rules: new RuleSet(rules) });
    }
    if (added.length === 0 && unread === this.unread) return this;
    // The sort is stable, so that deeper levels stay before those above them.
    const levels = [...added, ...this.#levels].sort((a, b) => a.kind - b.kind);
    return new IgnoreRules(levels, chars, unread);
  }

  /**
   * Whether an entry of the directory is left out.
   *
   * @param path the entry's `/`-separated path from the root of the walk
   * @param name the last segment of `path`
   * @param isDirectory whether it is a directory; a symbolic link is not
   */
  ignores(path: string, name: string, isDirectory: boolean): boolean {
    for (const { offset, rules } of this.#levels) {
      const below = offset > 0 && rules.usesPaths ? path.slice(offset) : path;
      const rule = rules.last(below, name, isDirectory);
      if (rule !== undefined) return !rule.negated;
    }
    return false;
  }

  /**
   * The rules but for those that leave out whatever a directory holds, as `build/*` does with `build`: it
   * is named, and so searched even if it is ignored. They are passed over, the strongest first, until
   * something would be left.
   *
   * @param prefix the directory's path from the root of the walk with a slash at its end
   * @returns `this` when something would be left anyway
   */
  sparing(prefix: string): IgnoreRules {
    const path = prefix + ANY_NAME;
    if (!this.ignores(path, ANY_NAME, false) || !this.ignores(path, ANY_NAME, true)) return this;
    const passedOver = new Set<Rule>();
    let hidesDirectories = false;
    for (const rule of this.#matching(path, ANY_NAME)) {
      if (rule.negated && !(rule.directoryOnly && hidesDirectories)) break;
      if (rule.directoryOnly) hidesDirectories = true;
      else passedOver.add(rule);
    }
    const levels = this.#levels.map((level) => ({
      ...level,
      rules: level.rules.without(passedOver),
    }));
    return new IgnoreRules(levels, this.#chars, this.unread);
  }

  /** The rules that match a directory, the strongest first. */
  *#matching(path: string, name: string): Generator<Rule> {
    for (const { offset, rules } of this.#levels) yield* rules.matching(path.slice(offset), name);
  }
}

function parseLines(text: string): Rule[] {
  const rules: Rule[] = [];
  if (text.startsWith("\ufeff")) text = text.slice(1);
  for (let line of text.split("\n")) {
    if (line.startsWith("#")) continue;
    if (line.endsWith("\r")) line = line.slice(0, -1);
    // Like git, which reads a line as a C string.
    const end = line.indexOf("\0");
    if (end >= 0) line = line.slice(0, end);
    line = trimTrailingSpaces(line);
    if (line !== "") rules.push(RuleSet.parse(line, "gitignore"));
  }
  return rules;
}

/** Without the spaces at the end that no backslash keeps. */
function trimTrailingSpaces(line: string): string {
  if (!line.endsWith(" ")) return line;
  let end = 0;
  for (let i = 0; i < line.length; i++) {
    const escaped = line[i] === "\\";
    if (escaped) i++;
    if (escaped || line[i] !== " ") end = i + 1;
  }
  return line.slice(0, end);
}
