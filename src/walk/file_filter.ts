/**
 * Include and exclude globs and file types: which files below a directory a search reads, and which
 * directories it need not enter.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import {
  beginsWithNegation,
  readExtendedForms,
  splitGlobs,
  withoutLoneBraces,
} from "../glob/glob_parser.ts";
import { join, relativePath } from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { innermost } from "../workspace/workspace.ts";
import {
  expandedBraces,
  type GlobPlace,
  globsBelow,
  normalizedGlobs,
  type PlacedGlob,
  placedGlob,
  withNumbers,
} from "../glob/glob_paths.ts";
import { readTypes, type TypeField } from "./file_types.ts";
import { type GlobRule, RuleSet, type RuleSource } from "../glob/rule_set.ts";
import { FILTER_KEYS, type FilterKey, type FilterOptions } from "./listing.ts";
import { lstat } from "../system/files.ts";

/**
 * Compiled include and exclude globs and file types.
 *
 * Globs are read as ripgrep reads those of `-g`: one without a slash matches names at any depth, one
 * with a slash is a path below the searched directory, and of all that match the last one counts.
 * Besides, commas outside braces and classes separate globs, and `dir/` takes all that is below.
 */
export class FileFilter {
  readonly acceptsAll: boolean;
  readonly #globs: RuleSet;
  readonly #strongestFirst: readonly GlobRule[];
  readonly #needsMatch: boolean;
  readonly #within: { set: RuleSet; rules: readonly GlobRule[] } | undefined;
  /** Of the tool `glob`: those of its globs that match directories, too. */
  readonly #directories: RuleSet | undefined;
  readonly #types: RuleSet | undefined;
  readonly #typesNot: RuleSet | undefined;

  private constructor(
    globs: readonly ReadGlob[],
    options: FilterOptions,
    base: string | undefined,
  ) {
    const rules = globs.flatMap((glob) => rulesOf(glob, base));
    this.#globs = new RuleSet(rules);
    this.#strongestFirst = rules.toReversed();
    this.#needsMatch = globs.some(({ leavesOut }) => leavesOut === undefined);
    const ofDirectories = options.includeKey === "pattern"
      ? globs.filter((glob) => glob.leavesOut !== undefined || !glob.globs.every(isOfExtension))
      : [];
    this.#directories = ofDirectories.every(({ leavesOut }) => leavesOut !== undefined)
      ? undefined
      : new RuleSet(ofDirectories.flatMap((glob) => rulesOf(glob, base)));
    this.#types = typeRules(options.type, "type");
    this.#typesNot = typeRules(options.typeNot, "type-not");
    const within = base === undefined ? undefined : options.within?.[base]?.flatMap(rulesWithin);
    this.#within = within && { set: new RuleSet(within), rules: within };
    this.acceptsAll = globs.length === 0 && this.#types === undefined &&
      this.#typesNot === undefined && within === undefined;
  }

  /**
   * Compiles globs and types for one searched directory.
   *
   * @param base its canonical path @default globs that begin with a directory match nothing
   * @throws {PathgrepError} `invalid_input` for an empty or malformed glob and for an unknown type
   */
  static compile(options: FilterOptions, base?: string): FileFilter {
    return new FileFilter(readGlobs(options), options, base);
  }

  /** {@linkcode FileFilter.compile} for each of several directories. */
  static forEach(options: FilterOptions, bases: readonly string[]): FileFilter[] {
    const globs = readGlobs(options);
    if (options.within !== undefined || globs.some(({ placed }) => placed !== undefined)) {
      return bases.map((base) => new FileFilter(globs, options, base));
    }
    const same = new FileFilter(globs, options, undefined);
    return bases.map(() => same);
  }

  /**
   * What the caller should know about how globs and types are read; `bases` are the canonical paths of the
   * searched directories.
   */
  static notes(options: FilterOptions, bases: readonly string[]): Note[] {
    return [
      ...readGlobs(options).flatMap((glob) => globNotes(glob, bases, options.places ?? [])),
      ...readTypes(options.type, "type").notes,
      ...readTypes(options.typeNot, "type-not").notes,
    ];
  }

  /**
   * Whether a file is included. Its directories are not checked: call {@linkcode FileFilter.prunes} for
   * each of them first.
   *
   * @param relativePath the file's `/`-separated path from the searched directory
   * @param name the last segment of `relativePath`
   * @param pulse beaten as matching goes on; what it throws ends the match
   */
  accepts(relativePath: string, name: string, pulse?: Pulse): boolean {
    if (this.#isOutside(relativePath, name, false, pulse)) return false;
    const rule = this.#globs.last(relativePath, name, false, pulse);
    if (rule === undefined ? this.#needsMatch : rule.negated) return false;
    if (this.#types !== undefined && this.#types.last(name, name, false) === undefined) {
      return false;
    }
    return this.#typesNot === undefined || this.#typesNot.last(name, name, false) === undefined;
  }

  /**
   * Whether a finder names a directory, by its own name or path; its globs of an extension, such as `*.ts`, are
   * about files. The parameters are as in {@linkcode FileFilter.accepts}.
   */
  names(relativePath: string, name: string, pulse?: Pulse): boolean {
    const rule = this.#directories?.last(relativePath, name, true, pulse);
    return rule?.negated === false && !this.#isOutside(relativePath, name, false, pulse);
  }

  /** Whether a finder's globs are about directories alone: each ends in a slash. */
  static isOfDirectories(options: FilterOptions): boolean {
    const globs = readGlobs(options).filter(({ leavesOut }) => leavesOut === undefined);
    return options.includeKey === "pattern" && globs.length > 0 &&
      globs.every(({ globs }) => globs.every((glob) => glob.endsWith("/")));
  }

  /** Whether a glob selects an entry. */
  selects(relativePath: string, name: string, isDirectory: boolean): boolean {
    return this.#globs.last(relativePath, name, isDirectory)?.negated === false;
  }

  /** Whether a file is of a type that is asked for. */
  hasType(name: string): boolean {
    return this.#types?.last(name, name, false) !== undefined;
  }

  /** Why {@linkcode FileFilter.accepts} or, for a directory, {@linkcode FileFilter.prunes} excludes an entry. */
  reason(relativePath: string, name: string, isDirectory: boolean): string | RuleSource {
    if (this.#isOutside(relativePath, name, isDirectory)) return "elsewhere";
    const rule = this.#globs.last(relativePath, name, isDirectory);
    if (rule?.negated) return rule.source!;
    if (isDirectory) {
      const whole = this.#strongestFirst.find(({ glob, byName, directoryOnly, negated }) =>
        negated && !byName && !directoryOnly && glob.below(relativePath) === "all"
      );
      return whole?.source ?? "below";
    }
    if (rule === undefined && this.#needsMatch) return "include";
    const isOfType = this.#types === undefined || this.#types.last(name, name, false) !== undefined;
    return isOfType ? "typeNot" : "type";
  }

  /**
   * Whether a directory is excluded, or no file below it can be included; the parameters are as in
   * {@linkcode FileFilter.accepts}.
   */
  prunes(relativePath: string, name: string, pulse?: Pulse): boolean {
    if (this.#isOutside(relativePath, name, true, pulse)) return true;
    if (this.#globs.last(relativePath, name, true, pulse)?.negated) return true;
    for (const { glob, byName, directoryOnly, negated } of this.#strongestFirst) {
      if (negated) {
        if (!byName && !directoryOnly && glob.below(relativePath, pulse) === "all") return true;
      } else if (byName || glob.below(relativePath, pulse) !== "none") return false;
    }
    return this.#needsMatch;
  }

  /** Whether an entry is not, and for a directory nothing in it is, in what globs given as paths match. */
  #isOutside(path: string, name: string, isDirectory: boolean, pulse?: Pulse): boolean {
    if (this.#within === undefined) return false;
    const { set, rules } = this.#within;
    if (!isDirectory) return set.last(path, name, false, pulse) === undefined;
    return rules.every(({ byName, glob }) => !byName && glob.below(path, pulse) === "none");
  }
}

/** A glob given as a path takes a file that it matches, and all that is in a directory that it matches. */
function rulesWithin(glob: string): GlobRule[] {
  const path = glob.replace(/\/+$/u, "");
  const below = `${path.includes("/") ? "" : "**/"}${path}/**`;
  return [...path === glob ? [glob] : [], below].map((one) => RuleSet.parse(one, "include"));
}

/** The filter of each option by itself, for each of several directories, and that of globs given as paths. */
export function filtersByKey(
  options: FilterOptions,
  bases: readonly string[],
): ReadonlyMap<FilterKey | "elsewhere", FileFilter>[] {
  const { within } = options;
  const filters = [
    ...FILTER_KEYS.filter((key) => options[key].length > 0)
      .map((key) => [key, FileFilter.forEach(filterOf(options, key), bases)] as const),
    ...within === undefined
      ? []
      : [["elsewhere", FileFilter.forEach({ ...options, ...NO_FILTER, within }, bases)] as const],
  ];
  return bases.map((_, base) => new Map(filters.map(([key, byBase]) => [key, byBase[base]!])));
}

export const NO_FILTER = {
  ...{ include: [], exclude: [], type: [], typeNot: [] },
  within: undefined,
} as const;

/** The filter that one of the options makes alone. */
export function filterOf(options: FilterOptions, key: FilterKey): FilterOptions {
  return { ...options, ...NO_FILTER, [key]: options[key] };
}

interface ReadGlob {
  readonly field: string;
  readonly written: string;
  /** Globs that match the same together, from the searched directory. */
  readonly globs: readonly string[];
  /** Globs below directories, in place of those. */
  readonly placed?: readonly PlacedGlob[];
  /** Where it is written, if it excludes files. */
  readonly leavesOut?: RuleSource;
  /** How the extended forms in it were read. */
  readonly extended?: string;
}

function readGlobs(options: FilterOptions): ReadGlob[] {
  const { include, includeKey, exclude, places = [] } = options;
  return [
    ...include.flatMap((text) => readList(text, includeKey, places)),
    ...exclude.flatMap((text) => readList(text, "exclude", places)),
  ];
}

/** Whether a glob excludes, rather than beginning with `!(…)`. */
function isNegation(glob: string): boolean {
  return glob.startsWith("!") && !beginsWithNegation(glob);
}

/** Reads one value of an option, which may hold several globs. */
function readList(
  text: string,
  field: FilterOptions["includeKey"] | "exclude",
  places: readonly GlobPlace[],
): ReadGlob[] {
  return splitGlobs(text).map((part) => {
    const written = trimGlob(part);
    const isNegated = isNegation(written);
    const body = isNegated ? written.slice(1) : written;
    const isTwice = isNegated && isNegation(body);
    if (isNegated && field === "exclude" || isTwice) {
      throw new PathgrepError(
        "invalid_input",
        `${field} '${written}' begins with ${isTwice ? "'!!'; remove one" : "a '!'; remove it"}, ` +
          "or write \\! for a literal one",
      );
    }
    const isExclude = isNegated || field === "exclude";
    const unranged = withNumbers(body);
    const plain = readExtendedForms(
      unranged,
      (anything, unwanted) =>
        isExclude
          ? `${field === "exclude" ? "include" : field} '${
            unwanted.join(",")
          }' to search those only`
          : `'${[anything, ...unwanted.map((glob) => `!${glob}`)].join(",")}'`,
    );
    if (plain === "") {
      throw new PathgrepError(
        "invalid_input",
        `${field} '${text}' contains an empty glob; write one such as '*.ts', or omit ${field}`,
      );
    }
    const globs = normalizedGlobs(plain);
    const placed = placedGlobs(globs, places);
    // What applies nowhere is checked all the same.
    if (placed !== undefined) { for (const glob of globs) RuleSet.parse(glob, "include"); }
    const file = field === "exclude" ? "--exclude" : "--include";
    return {
      ...{ field, written, globs },
      ...(placed && { placed }),
      ...(isExclude && { leavesOut: { file, line: 0, pattern: written } }),
      ...(plain !== body && { extended: isNegated ? `!${plain}` : plain }),
    };
  });
}

/** Where globs apply; nothing unless all of them begin with a place. */
function placedGlobs(
  globs: readonly string[],
  places: readonly GlobPlace[],
): PlacedGlob[] | undefined {
  if (places.length === 0) return undefined;
  const written = globs.flatMap((glob) =>
    (glob.startsWith("{") ? expandedBraces(glob) : undefined)?.map((one) => one.join("")) ?? [glob]
  );
  const placed = written.map((glob) => placedGlob(glob, places));
  return placed.some((one) => one === undefined) ? undefined : placed as PlacedGlob[];
}

function rulesOf(
  { field, globs, leavesOut, placed }: ReadGlob,
  base: string | undefined,
): GlobRule[] {
  const below = placed === undefined
    ? globs.map((glob) => glob === "/" ? "/**" : glob)
    : base === undefined
    ? []
    : placed.flatMap((one) => globsBelow(one, base));
  return below.flatMap((glob) => {
    if (leavesOut !== undefined) {
      return [{ ...RuleSet.parse(`!${glob}`, "include"), source: leavesOut }];
    }
    const rule = RuleSet.parse(glob.startsWith("!") ? `\\${glob}` : glob, "include");
    // An included directory includes all that is below it; a finder names the directory itself.
    return rule.directoryOnly && field !== "pattern"
      ? [rule, RuleSet.parse(`${rule.byName ? "**/" : ""}${glob}**`, "include")]
      : [rule];
  });
}

function globNotes(
  { extended, field, globs, leavesOut, placed, written }: ReadGlob,
  bases: readonly string[],
  places: readonly GlobPlace[],
): Note[] {
  const given = { field, glob: written };
  const notes: Note[] = extended === undefined
    ? []
    : [{ reason: "glob_extended", values: { ...given, read: extended } }];
  const mark = leavesOut !== undefined && field !== "exclude" ? "!" : "";
  if (placed !== undefined) {
    if (!bases.some((base) => placed.some((one) => globsBelow(one, base).length > 0))) {
      return [...notes, { reason: "glob_outside", values: given }];
    }
    const read = placed.map(({ path, rest }) => {
      const glob = rest.replace(/\/$/u, "").includes("/") ? rest : `/${rest}`;
      return { glob: mark + glob, path };
    });
    return [...notes, { reason: "glob_placed", values: { ...given, read } }];
  }
  if (globs.some((glob) => /(^|[/{,])\.\.($|[/},])/u.test(glob))) {
    return [...notes, { reason: "glob_outside", values: given }];
  }
  // An include that matches nothing is explained; an exclude that matches nothing would go unnoticed.
  const instead = leavesOut === undefined ? undefined : meantExclude(globs, bases, places);
  if (instead !== undefined) {
    const values = { ...given, instead: mark + instead.glob };
    return [...notes, { reason: instead.reason, values }];
  }
  // In an answer about a path, the same glob may be meant from the root of the file system.
  return globs.some((glob) => /^\/.+\//u.test(glob)) && /^!?\/.*\//u.test(written)
    ? [...notes, { reason: "glob_from_searched", values: given }]
    : notes;
}

/** Braces around one name, and not those of templates such as `{{name}}` and `${name}`. */
const ONE_IN_BRACES = /(?<![{$\\])\{[^{},]+\}(?!\})/u;

const IN_QUOTES = /^(["'`])(?<inner>[^"'`]+)\1$/u;

type Unlikely = "braces_in_names" | "quotes_in_names" | "backslashes" | "not_from_root";

/** The likely meaning of an exclude that probably excludes nothing as it is written. */
function meantExclude(
  [glob = "", ...others]: readonly string[],
  bases: readonly string[],
  places: readonly GlobPlace[],
): { glob: string; reason: Unlikely } | undefined {
  if (ONE_IN_BRACES.test(glob)) {
    return { glob: withoutLoneBraces(glob), reason: "braces_in_names" };
  }
  const inner = IN_QUOTES.exec(glob)?.groups?.["inner"];
  if (inner !== undefined) return { glob: inner, reason: "quotes_in_names" };
  // A letter or a digit needs no backslash: Windows writes paths so.
  if (/\\[\p{L}\p{N}]/u.test(glob)) {
    return { glob: glob.replace(/\\+/gu, "/"), reason: "backslashes" };
  }
  const [base, ...otherBases] = bases;
  const root = base === undefined ? undefined : innermost(places.map(({ path }) => path), base);
  if (base === undefined || root === undefined || others.length + otherBases.length > 0) {
    return undefined;
  }
  const below = relativePath(root, base);
  const isFromRoot = below !== "." && glob.startsWith(`${below}/`) &&
    glob.length > below.length + 1;
  if (!isFromRoot || existsIn(base, below.split("/")[0]!)) return undefined;
  return { glob: glob.slice(below.length + 1), reason: "not_from_root" };
}

function existsIn(directory: string, name: string): boolean {
  try {
    lstat(join(directory, name));
    return true;
  } catch {
    return false;
  }
}

/** Whether a glob is about names with an extension, as `**\/*.ts` is. */
function isOfExtension(glob: string): boolean {
  return /(?:^|\/)\{?\*\.[^/]*$/u.test(glob);
}

/** Without white space around it, a last space after a backslash excepted. */
function trimGlob(glob: string): string {
  const start = glob.trimStart();
  return start.endsWith("\\ ") ? start : start.trimEnd();
}

function typeRules(names: readonly string[], field: TypeField): RuleSet | undefined {
  if (names.length === 0) return undefined;
  const { globs } = readTypes(names, field);
  return new RuleSet(globs.map((glob) => RuleSet.parse(glob, "include")));
}
