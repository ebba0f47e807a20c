/**
 * Where a walk finds directories, on the disk or in a cache, which it knows only by this interface.
 *
 * @module
 */

import { EXCLUDE, IGNORE_FILES, SETTINGS_FILES } from "../glob/ignore_rules.ts";
import { isExclusionFile } from "../exclusions/rule_file.ts";
import { readDirectory } from "../system/files.ts";
import type { DirectoryEntries, DirEntry } from "../system/types.ts";
import type { DirectoryRules } from "./listing.ts";
import type { RuleSources } from "./rule_sources.ts";

export interface Entries {
  readonly entries: DirectoryEntries;
  /** Where rule files are or, in `.git`, may be: paths from the directory. */
  readonly ruleFiles: readonly string[];
  /** Whether it holds a `.git`: a repository begins here. */
  readonly hasGit: boolean;
  /** Whether that is a file, as submodules and linked worktrees do. */
  readonly hasGitFile: boolean;
}

/** Reads directories from the disk each time. A subclass may cache them. */
export class Directories {
  /**
   * Returns the entries of a directory.
   *
   * @throws what `readDirectory` throws
   */
  entriesOf(path: string): Entries {
    return readEntries(path);
  }

  /**
   * Returns the rules in a directory that has rule files.
   *
   * @param _found what the directory holds
   * @param _inherited the rules of its parent
   * @param read reads its files of rules
   * @param extend adds to the inherited rules what they say
   */
  rulesOf(
    _found: Entries,
    _inherited: DirectoryRules,
    read: () => RuleSources,
    extend: (sources: RuleSources) => DirectoryRules,
  ): DirectoryRules {
    return extend(read());
  }

  /**
   * The result of a computation. It may be that of an earlier search with identical inputs, so do not
   * change it.
   *
   * @param _about what a directory holds, or a name
   * @param _inputs everything else that it depends on
   */
  derived<T>(_about: string | Entries, _inputs: readonly unknown[], compute: () => T): T {
    return compute();
  }
}

const DOT = 0x2e;

/** The entries of a directory, with its rule files listed separately. */
function readEntries(path: string): Entries {
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
