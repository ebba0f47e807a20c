/**
 * Where a walk finds out what directories hold and which rules count in them.
 *
 * @module
 */

import type { DirectoryRules, Entries } from "./listing.ts";
import { readEntries, type RuleSources } from "./rule_sources.ts";

/** Reads directories: from the disk each time, or by way of something that remembers them. */
export interface Directories {
  /**
   * What a directory holds.
   *
   * @throws what `Deno.readDirSync` throws
   */
  entriesOf(path: string): Entries;
  /**
   * The rules in a directory that has files of rules.
   *
   * @param found what the directory holds
   * @param inherited the rules of its parent
   * @param read reads its files of rules
   * @param extend adds to the inherited rules what they say
   */
  rulesOf(
    found: Entries,
    inherited: DirectoryRules,
    read: () => RuleSources,
    extend: (sources: RuleSources) => DirectoryRules,
  ): DirectoryRules;
  /**
   * The result of a computation. It may be that of an earlier search with identical inputs, so do not
   * change it.
   *
   * @param about what a directory holds, or a name
   * @param inputs everything else that it depends on
   */
  derived<T>(about: string | Entries, inputs: readonly unknown[], compute: () => T): T;
}

/** The disk: remembers nothing. */
export class DiskDirectories implements Directories {
  entriesOf(path: string): Entries {
    return readEntries(path);
  }

  rulesOf(...[, , read, extend]: Parameters<Directories["rulesOf"]>): DirectoryRules {
    return extend(read());
  }

  derived<T>(_about: string | Entries, _inputs: readonly unknown[], compute: () => T): T {
    return compute();
  }
}
