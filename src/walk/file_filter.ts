/**
 * Include and exclude globs and file types: which files below a directory a search reads, and which
 * directories it need not enter.
 *
 * @module
 */

import { PathgrepError } from "../util/errors.ts";
import { beginsWithNegation, readExtendedForms, splitGlobs } from "../glob/extended_forms.ts";
import { typeGlobs } from "./file_types.ts";
import { type GlobRule, RuleSet } from "../glob/rule_set.ts";
import { ruleText } from "./walk_log.ts";

/** What to filter by. */
export interface FilterOptions {
  /** Globs of files to take; `!` before one leaves out. Empty: all. */
  include: readonly string[];
  /** What messages call `include`. */
  includeKey: "include" | "pattern";
  /** Globs of files and directories to leave out; they come after `include`. */
  exclude: readonly string[];
  /** Names of file types to take. Empty: all. */
  type: readonly string[];
  /** Names of file types to leave out. */
  typeNot: readonly string[];
}

/**
 * Compiled include and exclude globs and file types.
 *
 * Globs are read as ripgrep reads those of `-g`: one without a slash matches names at any depth, one
 * with a slash is a path below the searched directory, and of all that match the last one counts.
 * Besides, commas outside braces and classes separate globs, and `dir/` takes all that is below.
 */
export class FileFilter {
  /** Whether there is nothing to filter by. */
  readonly acceptsAll: boolean;
  /** Whether a glob is about a path, not just about a name. */
  readonly isOfPaths: boolean;
  /** What the caller should know about the globs, in sentences. */
  readonly notes: readonly string[];

  readonly #globs: RuleSet;
  readonly #strongestFirst: readonly GlobRule[];
  readonly #needsMatch: boolean;
  readonly #types: RuleSet | undefined;
  readonly #typesNot: RuleSet | undefined;

  private constructor(
    rules: readonly GlobRule[],
    options: FilterOptions,
    notes: readonly string[],
  ) {
    this.#globs = new RuleSet(rules);
    this.#strongestFirst = rules.toReversed();
    this.#needsMatch = rules.some((rule) => !rule.negated);
    this.#types = typeRules(options.type);
    this.#typesNot = typeRules(options.typeNot);
    this.acceptsAll = rules.length === 0 && this.#types === undefined &&
      this.#typesNot === undefined;
    this.isOfPaths = rules.some(({ byName }) => !byName);
    this.notes = notes;
  }

  /**
   * Compiles globs and types.
   *
   * @throws {PathgrepError} `invalid_input` for an empty or malformed glob and for an unknown type
   */
  static compile(options: FilterOptions): FileFilter {
    const rules: GlobRule[] = [];
    const notes: string[] = [];
    for (const text of options.include) addRules(text, options.includeKey, rules, notes);
    for (const text of options.exclude) addRules(text, "exclude", rules, notes);
    return new FileFilter(rules, options, notes);
  }

  /**
   * Whether a file is included. Its directories are not checked: call {@linkcode FileFilter.prunes} for
   * each of them first.
   *
   * @param relativePath the file's `/`-separated path from the searched directory
   * @param name the last segment of `relativePath`
   * @param look called regularly if matching takes long; an error that it throws ends it
   */
  accepts(relativePath: string, name: string, look?: () => void): boolean {
    const rule = this.#globs.last(relativePath, name, false, look);
    if (rule === undefined ? this.#needsMatch : rule.negated) return false;
    if (this.#types !== undefined && this.#types.last(name, name, false) === undefined) {
      return false;
    }
    return this.#typesNot === undefined || this.#typesNot.last(name, name, false) === undefined;
  }

  /** Why {@linkcode FileFilter.accepts} or, for a directory, {@linkcode FileFilter.prunes} leaves an entry out. */
  reason(relativePath: string, name: string, isDirectory: boolean): string {
    const rule = this.#globs.last(relativePath, name, isDirectory);
    if (rule?.negated) return ruleText(rule.source);
    if (isDirectory) {
      const whole = this.#strongestFirst.find(({ glob, byName, directoryOnly, negated }) =>
        negated && !byName && !directoryOnly && glob.below(relativePath) === "all"
      );
      return whole === undefined ? "nothing below it matches --include" : ruleText(whole.source);
    }
    if (rule === undefined && this.#needsMatch) return "does not match --include";
    const isOfType = this.#types === undefined || this.#types.last(name, name, false) !== undefined;
    return isOfType ? "its type is excluded by --type-not" : "its type is not that of --type";
  }

  /**
   * Whether a directory is excluded, or no file below it can be included.
   *
   * @param relativePath the directory's `/`-separated path from the searched directory
   * @param name the last segment of `relativePath`
   * @param look called regularly if matching takes long; an error that it throws ends it
   */
  prunes(relativePath: string, name: string, look?: () => void): boolean {
    if (this.#globs.last(relativePath, name, true, look)?.negated) return true;
    for (const { glob, byName, directoryOnly, negated } of this.#strongestFirst) {
      if (negated) {
        if (!byName && !directoryOnly && glob.below(relativePath, look) === "all") return true;
      } else if (byName || glob.below(relativePath, look) !== "none") return false;
    }
    return this.#needsMatch;
  }
}

/** Adds the rules of one value of a field, which may hold several globs. */
function addRules(
  text: string,
  field: FilterOptions["includeKey"] | "exclude",
  rules: GlobRule[],
  notes: string[],
): void {
  for (const part of splitGlobs(text)) {
    const written = trimGlob(part);
    const negated = written.startsWith("!") && !beginsWithNegation(written);
    const body = negated ? written.slice(1) : written;
    const takes = !negated && field !== "exclude";
    const read = readExtendedForms(body, (anything, unwanted) => {
      const globs = unwanted.join(",");
      return takes
        ? `'${[anything, ...unwanted.map((glob) => `!${glob}`)].join(",")}'`
        : `${field === "exclude" ? "include" : field} '${globs}' to search those only`;
    });
    if (negated && field === "exclude") {
      throw new PathgrepError(
        "invalid_input",
        `exclude '${written}' begins with a '!'; leave it out, or write \\! for a literal one`,
      );
    }
    if (read !== body) {
      notes.push(`${field} ${quoted(written)} was read as ${quoted(negated ? `!${read}` : read)}`);
    }
    const glob = fromSearchedDirectory(read);
    if (glob === "") {
      throw new PathgrepError(
        "invalid_input",
        `${field} '${text}' holds an empty glob; write one such as '*.ts', or leave ${field} out`,
      );
    }
    if (/(^|[/{,])\.\.($|[/},])/u.test(glob)) {
      notes.push(
        `${field} ${
          quoted(written)
        } matches nothing: globs do not reach outside the searched directory; ` +
          "give the other directory as path",
      );
    } else if (/^\/.*\//u.test(written)) {
      notes.push(`${field} ${quoted(written)} was read as a path from the searched directory`);
    }
    if (negated || field === "exclude") {
      const source = {
        file: field === "exclude" ? "--exclude" : "--include",
        line: 0,
        pattern: written,
      };
      rules.push({ ...RuleSet.parse(`!${glob}`, "include"), source });
      continue;
    }
    const rule = RuleSet.parse(glob.startsWith("!") ? `\\${glob}` : glob, "include");
    rules.push(rule);
    if (rule.directoryOnly) {
      // An included directory includes all that is below it.
      rules.push(RuleSet.parse(`${rule.byName ? "**/" : ""}${glob}**`, "include"));
    }
  }
}

/** The longest glob that notes show in full. */
const MAX_QUOTED = 200;

function quoted(glob: string): string {
  return `'${glob.length > MAX_QUOTED ? `${glob.slice(0, MAX_QUOTED)}…` : glob}'`;
}

/** Without white space around it, a last space after a backslash excepted. */
function trimGlob(glob: string): string {
  const start = glob.trimStart();
  return start.endsWith("\\ ") ? start : start.trimEnd();
}

/**
 * Reads a glob that begins with `./` as one that begins with `/`; either on its own is the whole
 * directory.
 */
function fromSearchedDirectory(glob: string): string {
  const anchored = glob.replace(/^(\.\/+)+/u, "/");
  return anchored === "/" ? "/**" : anchored;
}

function typeRules(names: readonly string[]): RuleSet | undefined {
  if (names.length === 0) return undefined;
  const types = new Set(names.flatMap((list) => list.split(",")).map((name) => name.trim()));
  const globs = new Set([...types].flatMap(typeGlobs));
  return new RuleSet([...globs].map((glob) => RuleSet.parse(glob, "include")));
}
