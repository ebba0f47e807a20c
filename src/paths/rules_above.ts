/**
 * The rule files above a workspace root: those of the directories from the root's parent up to where its
 * repository begins.
 *
 * Whoever can write there decides what a search leaves out. So a directory, its `.git` and a file count only
 * if they belong to the user or to root; no link is followed, and Deno never has to ask.
 *
 * @module
 */

import {
  EXCLUDE,
  EXCLUSION_FILES,
  IGNORE_FILES,
  MAX_RULE_CHARS,
  type RuleTexts,
} from "../glob/ignore_rules.ts";
import { infoAt, readLink } from "../system/files.ts";
import { isGranted, mayRead, userId } from "../system/platform.ts";
import type { FileInfo } from "../system/types.ts";
import * as platform from "../util/path.ts";
import { isWithin } from "../util/path.ts";
import { isExclusionFile, readRuleFile } from "./rule_file.ts";

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
    return this.#roots.find((root) => isWithin(root, path));
  }

  /** Where the rules for a path start, which is in a root or above one; nothing elsewhere. */
  startOf(path: string): string | undefined {
    const root = this.rootOf(path);
    if (root !== undefined) return this.#starts.get(root) ?? root;
    if (!this.#texts.has(path)) return undefined;
    return this.#starts.values().find((start) => isWithin(start, path));
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
