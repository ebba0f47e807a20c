/**
 * Ignore files with git's semantics: which entries of a walk `.gitignore`, `.ignore`, `.rgignore` and
 * `.git/info/exclude` exclude, and which ones the exclusion files of agents do.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import type { Pulse } from "../util/pulse.ts";
import { type GlobRule, RuleSet, type RuleSource } from "./rule_set.ts";

/** A rule of a file, as a line of an ignore file. */
export interface RuleLine {
  /** From 1. */
  readonly line: number;
  /** Empty if the line does not count. */
  readonly pattern: string;
  /** The file in which it stands, if that is another one: its path from the first one's directory. */
  readonly file?: string;
}

/**
 * The text of a rule file, or its rules where they are not its lines; `undefined` if it does not exist, `null`
 * if it is larger than {@linkcode MAX_RULE_CHARS}.
 */
export type RuleText = string | readonly RuleLine[] | null | undefined;

/**
 * The texts of a directory's ignore files by their paths from there. A repository's `info/exclude` that is
 * elsewhere has its absolute path.
 */
export type RuleTexts = Readonly<Record<string, RuleText>>;

/** The paths that git tracks, and so does not ignore. */
export interface TrackedPaths {
  /**
   * Whether it tracks a file or, for a directory, something in it.
   *
   * @param path `/`-separated, from where the repository begins
   */
  has(path: string, isDirectory: boolean): boolean;
}

/** What a rule makes of an entry that it ignores. */
export interface IgnoreVerdict {
  readonly source: RuleSource | undefined;
  /** Whether git tracks the entry, or something in it: then it is not excluded. */
  readonly isTracked: boolean;
  /** Whether the rule is of a file that git reads. */
  readonly isGits: boolean;
}

interface FileRules {
  /** The place of the file's name in {@linkcode RuleFamily.names}. */
  kind: number;
  /** The offset in a path from the root of the walk at which the path from the file's directory starts. */
  offset: number;
  rules: RuleSet;
  chars: number;
}

interface RepositoryRules {
  /** As {@linkcode FileRules.offset}, for paths from where it begins. */
  offset: number;
  tracked: TrackedPaths | undefined;
}

/**
 * The most characters of ignore files for one directory, including those above it. A compiled rule takes up
 * to a thousand times its length in memory, which hostile files could exhaust; real ones are far smaller.
 * The rules of a file that exceeds the limit do not apply.
 */
export const MAX_RULE_CHARS: number = 1 << 17;

/** A name that only a rule for every name matches. */
const ANY_NAME = "\u{10fffe}".repeat(60);

export const GIT_IGNORE = ".gitignore";
/** Where git keeps a repository's own rules. */
export const EXCLUDE = ".git/info/exclude";

/** Files of rules that go together. */
interface RuleFamily {
  /** Their names, the strongest first. */
  readonly names: readonly string[];
  /** Whether what the files of one name exclude is excluded whatever those of another name say. */
  readonly areIndependent: boolean;
  /** Whether `?` and classes match a byte of UTF-8, as in git, or else a character. */
  readonly matchesBytes: boolean;
  /** The kind from which on git reads the files, too: their rules end where another repository begins. */
  readonly gitKind: number;
}

const IGNORE: RuleFamily = {
  names: [".rgignore", ".ignore", GIT_IGNORE, EXCLUDE],
  areIndependent: false,
  matchesBytes: true,
  gitKind: 2,
};
/** The settings of Claude Code, whose rules `Read(PATH)` count in a root. */
export const SETTINGS_FILES: readonly string[] = [
  ".claude/settings.json",
  ".claude/settings.local.json",
];

const EXCLUSION: RuleFamily = {
  names: [
    ".aiexclude",
    ".aiignore",
    ".cursorignore",
    ".geminiignore",
    ".codeiumignore",
    ".clineignore",
    ".rooignore",
    ".continueignore",
    ".agentignore",
    ".gooseignore",
    ".qwenignore",
    ".kilocodeignore",
    ".aiderignore",
    ".augmentignore",
    ...SETTINGS_FILES,
  ],
  areIndependent: true,
  matchesBytes: false,
  gitKind: Infinity,
};

/** Names of ignore files; the last is a path. */
export const IGNORE_FILES: readonly string[] = IGNORE.names;
/** Names of the files in which a team excludes paths from its agents' view. */
export const EXCLUSION_FILES: readonly string[] = EXCLUSION.names;

/**
 * The rules that apply in one directory: its own and those of every directory above it.
 *
 * Among files of one name the deepest counts, in one file the last rule that matches. Any matching rule
 * of an `.rgignore` beats those of every `.ignore`, which beat those of every `.gitignore`, and these
 * those of every `.git/info/exclude`. Exclusion files are checked separately for each name. Rules
 * are about single entries: since an ignored directory is not entered, nothing in it can be
 * included again.
 *
 * What git reads, it reads within one repository: the rules of `.gitignore` and exclude files from above
 * one do not count in it, nor do its own for a file that it tracks. A directory that they ignore is entered
 * for the tracked files in it, and for nothing else.
 */
export class IgnoreRules {
  static readonly NONE: IgnoreRules = new IgnoreRules(IGNORE, []);
  static readonly NO_EXCLUSIONS: IgnoreRules = new IgnoreRules(EXCLUSION, []);

  readonly #family: RuleFamily;
  /** In the order in which they are asked. */
  readonly #fileRules: readonly FileRules[];
  readonly #repository: RepositoryRules | undefined;
  /** The rule by which all that is not tracked is ignored, for it ignores the directory. */
  readonly #around: IgnoreVerdict | undefined;
  /** Files that exceed the limit, in the directory and those above it. */
  readonly unread: number;
  /** Lines that do not count, likewise. */
  readonly unheeded: number;

  private constructor(
    family: RuleFamily,
    fileRules: readonly FileRules[],
    unread = 0,
    unheeded = 0,
    repository?: RepositoryRules,
    around?: IgnoreVerdict,
  ) {
    this.#family = family;
    this.#fileRules = fileRules;
    this.unread = unread;
    this.unheeded = unheeded;
    this.#repository = repository;
    this.#around = around;
  }

  /**
   * The rules that apply in a directory, given those that apply in its parent (`this`).
   *
   * @param directory the directory's `/`-separated path from the root of the walk, `""` for the root
   * @param files the texts of its files of rules; those of the other family do not count
   * @param repository what is tracked, if a repository begins in the directory
   * @param place its path as rules name it, if another than `directory`
   * @returns `this` when no file holds a rule or was too large, and no repository begins
   */
  extend(
    directory: string,
    files: RuleTexts,
    repository?: { tracked: TrackedPaths | undefined },
    place: string = directory,
  ): IgnoreRules {
    const family = this.#family;
    const offset = directory === "" ? 0 : directory.length + 1;
    const begins = repository !== undefined && family.gitKind < Infinity;
    const above = begins
      ? this.#fileRules.filter(({ kind }) => kind < family.gitKind)
      : this.#fileRules;
    const added: FileRules[] = [];
    let chars = above.reduce((sum, file) => sum + file.chars, 0);
    let { unread, unheeded } = this;
    for (const { kind, text, file } of placedFiles(files, family, place)) {
      const { lines, length } = linesIn(text);
      if (chars + length > MAX_RULE_CHARS) {
        unread++;
        if (family === EXCLUSION) added.push({ kind, offset, rules: everythingIn(file), chars: 0 });
        continue;
      }
      const rules = parsedRules(lines, file, family.matchesBytes);
      unheeded += lines.length - rules.length;
      if (rules.length === 0) continue;
      chars += length;
      added.push({ kind, offset, rules: new RuleSet(rules), chars: length });
    }
    const isSame = unread === this.unread && unheeded === this.unheeded;
    if (added.length === 0 && isSame && !begins) return this;
    // The sort is stable: deeper files stay before those above them.
    const fileRules = [...added, ...above].sort((a, b) => a.kind - b.kind);
    if (!begins) return this.#with(fileRules, unread, unheeded);
    const { tracked } = repository;
    return new IgnoreRules(family, fileRules, unread, unheeded, { offset, tracked });
  }

  /** The rules in a directory that is ignored, and entered for what git tracks in it. */
  inside(verdict: IgnoreVerdict): IgnoreRules {
    return this.#with(this.#fileRules, this.unread, this.unheeded, this.#around ?? verdict);
  }

  #with(
    rules: readonly FileRules[],
    unread = this.unread,
    unheeded = this.unheeded,
    around = this.#around,
  ): IgnoreRules {
    return new IgnoreRules(this.#family, rules, unread, unheeded, this.#repository, around);
  }

  /** No rules, in the same repository. */
  none(): IgnoreRules {
    return this.#repository === undefined
      ? IgnoreRules.NONE
      : new IgnoreRules(this.#family, [], 0, 0, this.#repository);
  }

  /**
   * Whether an entry of the directory is ignored.
   *
   * @param path the entry's `/`-separated path from the root of the walk
   * @param isDirectory whether it is a directory; a symbolic link is not
   */
  ignores(path: string, name: string, isDirectory: boolean, pulse?: Pulse): boolean {
    return this.verdictOn(path, name, isDirectory, pulse)?.isTracked === false;
  }

  /**
   * Where the rule is written by which an entry of the directory is excluded; nothing if it is not.
   * In line 0: an exclusion file that was not read.
   */
  sourceOf(
    path: string,
    name: string,
    isDirectory: boolean,
    pulse?: Pulse,
  ): RuleSource | undefined {
    const verdict = this.verdictOn(path, name, isDirectory, pulse);
    return verdict?.isTracked === false ? verdict.source : undefined;
  }

  /** What a rule says that ignores an entry of the directory, tracked or not; nothing if none does. */
  verdictOn(
    path: string,
    name: string,
    isDirectory: boolean,
    pulse?: Pulse,
  ): IgnoreVerdict | undefined {
    const { rule, kind } = this.#deciding(path, name, isDirectory, pulse) ?? {};
    const isGits = kind === undefined || kind >= this.#family.gitKind;
    if (rule?.negated === false && !isGits) {
      return { source: rule.source, isTracked: false, isGits };
    }
    const around = this.#around;
    if (around === undefined && rule?.negated !== false) return undefined;
    const { offset = 0, tracked } = this.#repository ?? {};
    const isTracked = tracked?.has(offset > 0 ? path.slice(offset) : path, isDirectory) ?? false;
    return { source: around === undefined ? rule?.source : around.source, isTracked, isGits: true };
  }

  /** Whether a rule is about an entry, whatever it says of it. */
  mentions(path: string, name: string, isDirectory = true): boolean {
    return this.#around !== undefined || this.#deciding(path, name, isDirectory) !== undefined;
  }

  get isInRepository(): boolean {
    return this.#repository !== undefined;
  }

  /** The rule that decides on an entry, and the kind of its file. */
  #deciding(
    path: string,
    name: string,
    isDirectory: boolean,
    pulse?: Pulse,
  ): { rule: GlobRule; kind: number } | undefined {
    const { areIndependent, matchesBytes } = this.#family;
    const asMatched = matchesBytes && BEYOND_ASCII.test(path) ? byteString : asItIs;
    const ownName = asMatched(name);
    let settled = -1;
    for (const { kind, offset, rules } of this.#fileRules) {
      if (kind === settled) continue;
      const below = rules.usesPaths ? asMatched(offset > 0 ? path.slice(offset) : path) : "";
      const rule = rules.last(below, ownName, isDirectory, pulse);
      if (rule === undefined) continue;
      if (!rule.negated || !areIndependent) return { rule, kind };
      settled = kind;
    }
    return undefined;
  }

  /**
   * The rules without those that ignore everything in a directory, as `build/*` does with `build`: a
   * directory that is named is searched even if it is ignored. Drops them, the strongest first, until an
   * entry could be left.
   *
   * @param prefix the directory's path from the root of the walk with a slash at its end
   * @returns `this` if an entry could be left anyway
   */
  sparing(prefix: string): IgnoreRules {
    const path = prefix + ANY_NAME;
    if (!this.ignores(path, ANY_NAME, false) || !this.ignores(path, ANY_NAME, true)) return this;
    const dropped = new Set<GlobRule>();
    let hidesDirectories = false;
    for (const rule of this.#matching(path, ANY_NAME)) {
      if (rule.negated && !(rule.directoryOnly && hidesDirectories)) break;
      if (rule.directoryOnly) hidesDirectories = true;
      else dropped.add(rule);
    }
    return this.#without(dropped);
  }

  /** The rules without those by which an entry, a directory, is ignored itself. */
  keeping(path: string, name: string): IgnoreRules {
    if (!this.ignores(path, name, true)) return this;
    const matching = this.#matching(path, name);
    const kept = matching.findIndex((rule) => rule.negated);
    return this.#without(new Set(kept < 0 ? matching : matching.slice(0, kept)));
  }

  #without(dropped: ReadonlySet<GlobRule>): IgnoreRules {
    const left = this.#fileRules.map((file) => ({ ...file, rules: file.rules.without(dropped) }));
    return this.#with(left);
  }

  /** The rules that match a directory, the strongest first. */
  #matching(path: string, name: string): GlobRule[] {
    const asMatched = this.#family.matchesBytes ? byteString : asItIs;
    return this.#fileRules.flatMap(({ offset, rules }) =>
      rules.matching(asMatched(path.slice(offset)), asMatched(name))
    );
  }
}

/** The files of rules of a family, strongest first, with their paths as rules name them. */
function placedFiles(
  files: RuleTexts,
  { names }: RuleFamily,
  place: string,
): { kind: number; text: Exclude<RuleText, undefined>; file: string }[] {
  return Object.entries(files).flatMap(([name, text]) => {
    const isElsewhere = platform.isAbsolute(name);
    const kind = names.indexOf(isElsewhere ? EXCLUDE : name);
    if (text === undefined || kind < 0) return [];
    const file = place === "" || isElsewhere ? name : `${place}/${name}`;
    return [{ kind, text, file }];
  }).sort((a, b) => a.kind - b.kind);
}

/** The lines of a file of rules, and how long they are together. */
function linesIn(text: string | readonly RuleLine[] | null): {
  lines: readonly RuleLine[];
  length: number;
} {
  if (text === null) return { lines: [], length: Infinity };
  if (typeof text === "string") return { lines: ruleLines(text), length: text.length };
  return { lines: text, length: text.reduce((sum, { pattern }) => sum + pattern.length, 0) };
}

/** What cannot be read may keep anything from agents. */
function everythingIn(file: string): RuleSet {
  return new RuleSet([{
    ...RuleSet.parse("*", "gitignore"),
    source: { file, line: 0, pattern: "" },
  }]);
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** A byte beyond ASCII, U+DC00 added to it, in a line that is not UTF-8. */
const ESCAPED_BYTE = /[\udc80-\udcff]/g;

/** A line of an ignore file that is not UTF-8, as the rules take it. */
export function escapedLine(bytes: Uint8Array): string {
  const units = Array.from(bytes, (byte) => byte < 0x80 ? byte : 0xdc00 + byte);
  return units.map((unit) => String.fromCharCode(unit)).join("");
}

/** A text with a character for each byte of its UTF-8, or for each byte of an {@linkcode escapedLine}. */
function byteString(text: string): string {
  if (!text.isWellFormed()) {
    return text.replace(ESCAPED_BYTE, (half) => String.fromCharCode(half.charCodeAt(0) & 0xff));
  }
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function asItIs(text: string): string {
  return text;
}

/** The lines of a rule file that hold a rule. */
export function ruleLines(text: string): RuleLine[] {
  const lines: RuleLine[] = [];
  if (text.startsWith("\ufeff")) text = text.slice(1);
  for (const [index, whole] of text.split("\n").entries()) {
    if (whole.startsWith("#")) continue;
    let pattern = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    // Like git, which reads a line as a C string.
    const end = pattern.indexOf("\0");
    if (end >= 0) pattern = pattern.slice(0, end);
    pattern = trimTrailingSpaces(pattern);
    if (pattern !== "") lines.push({ line: index + 1, pattern });
  }
  return lines;
}

/** The rules of those lines that count. */
function parsedRules(lines: readonly RuleLine[], file: string, matchesBytes: boolean): GlobRule[] {
  const directory = file.slice(0, file.lastIndexOf("/") + 1);
  return lines.filter(({ pattern }) => pattern !== "").map(({ line, pattern, file: other }) => {
    const source = {
      file: other === undefined ? file : directory + other,
      line,
      pattern: pattern.toWellFormed(),
    };
    const read = matchesBytes && BEYOND_ASCII.test(pattern) ? byteString(pattern) : pattern;
    return { ...RuleSet.parse(read, "gitignore"), source };
  });
}

/** Removes trailing spaces that no backslash escapes. */
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
