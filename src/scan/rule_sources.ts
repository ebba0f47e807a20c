/**
 * The sources of the rules of a directory: its rule files, and the repository that starts in it.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import {
  EXCLUDE,
  IGNORE_FILES,
  type RuleText,
  type RuleTexts,
  SETTINGS_FILES,
} from "../glob/ignore_rules.ts";
import { infoAt, readDirectory } from "../system/files.ts";
import type { DirEntry } from "../system/types.ts";
import { isExclusionFile, readExclusionFile, readRuleFile } from "../paths/rule_file.ts";
import { fileState, TrackedFiles } from "./tracked_files.ts";
import { type GitDirectories, gitDirectoriesOf } from "../paths/worktree.ts";
import type { Entries, WalkOptions } from "./listing.ts";

const DOT = 0x2e;

export interface RuleSources {
  readonly texts: RuleTexts;
  /** The repository that begins there, with the path of its index if that may be read. */
  readonly repository?: {
    readonly index: string | undefined;
    readonly tracked: TrackedFiles | undefined;
  };
}

type RuleSourceOptions = Pick<WalkOptions, "allowedRoots" | "ignore" | "ignoresTracked"> & {
  /** Canonical directories from which exclusion files count. */
  readonly exclusionRoots: readonly string[];
  /** The names of those that count. */
  readonly files: readonly string[];
};

export class RuleSourceReader {
  readonly #options: RuleSourceOptions;
  readonly #isWithheld: (path: string) => boolean;
  #unsettled = 0;

  /** @param isWithheld whether the lines of a file must not be shown as rules */
  constructor(options: RuleSourceOptions, isWithheld: (path: string) => boolean) {
    this.#options = options;
    this.#isWithheld = isWithheld;
  }

  /** @param hasGit whether it holds a `.git` @default looks */
  read(directory: string, names: readonly string[], hasGit?: boolean): RuleSources {
    const { allowedRoots, exclusionRoots, files, ignore, ignoresTracked } = this.#options;
    const gitPath = platform.join(directory, ".git");
    const git = ignore && hasGit !== false ? infoAt(gitPath) : undefined;
    const elsewhere = git?.isFile ? this.#elsewhere(directory) : undefined;
    const texts: Record<string, RuleText> = {};
    for (const name of names) {
      if (!files.includes(name)) continue;
      const file = platform.join(directory, name);
      texts[name] = isExclusionFile(name)
        ? readExclusionFile(directory, name, exclusionRoots, this.#isWithheld)
        : readRuleFile(file, allowedRoots, this.#isWithheld, directory);
      if (name !== EXCLUDE || texts[name] !== undefined || elsewhere === undefined) continue;
      const exclude = platform.join(elsewhere.common, "info", "exclude");
      texts[exclude] = readRuleFile(exclude, allowedRoots, this.#isWithheld);
    }
    if (git === undefined) return { texts };
    if (ignoresTracked) return { texts, repository: { index: undefined, tracked: undefined } };
    const gitDirectory = git.isDirectory ? gitPath : elsewhere?.own;
    const index = gitDirectory && platform.join(gitDirectory, "index");
    const tracked = index === undefined ? undefined : new TrackedFiles(index, allowedRoots);
    return { texts, repository: { index, tracked } };
  }

  /** Where a file `.git` leads. Another directory may be blocked, and its lines would show as rules. */
  #elsewhere(directory: string): GitDirectories | undefined {
    const found = gitDirectoriesOf(directory, this.#options.allowedRoots);
    return found?.home === undefined || this.#isWithheld(found.home) ? undefined : found;
  }

  /** What changes with what a repository tracks. */
  stateOf({ repository }: RuleSources): string | undefined {
    const index = repository?.index;
    return index === undefined ? undefined : fileState(index) ?? `unsettled ${++this.#unsettled}`;
  }
}

/** The entries of a directory, with its rule files listed separately. */
export function readEntries(path: string): Entries {
  const entries: DirEntry[] = [];
  const ruleFiles: string[] = [];
  let hasGit = false;
  let hasGitFile = false;
  for (const entry of readDirectory(path)) {
    entries.push(entry);
    const { name } = entry;
    if (name.charCodeAt(0) !== DOT) continue;
    const { isFile, isDirectory, isSymlink } = entry;
    // Where letter case does not count, the file is found by that name too; elsewhere there is none.
    const lower = name.toLowerCase();
    if (isFile && IGNORE_FILES.includes(lower)) ruleFiles.push(lower);
    else if ((isFile || isSymlink) && isExclusionFile(lower)) ruleFiles.push(lower);
    else if (lower === ".claude" && (isDirectory || isSymlink)) ruleFiles.push(...SETTINGS_FILES);
    else if (lower === ".git" && (isDirectory || isFile || isSymlink)) {
      hasGit = true;
      hasGitFile = isFile;
      if (!isSymlink) ruleFiles.push(EXCLUDE);
    }
  }
  return { entries, ruleFiles, hasGit, hasGitFile };
}
