/**
 * Where a walk finds out what directories hold and which rules count in them.
 *
 * @module
 */

import type { DirectoryRules, Entries } from "./listing.ts";
import { readEntries, type RuleSources } from "./rule_sources.ts";

/** Reads directories from the disk each time. A subclass may cache them. */
export class Directories {
  /**
   * What a directory holds.
   *
   * @throws what `Deno.readDirSync` throws
   */
  entriesOf(path: string): Entries {
    return readEntries(path);
  }

  /**
   * The rules in a directory that has files of rules.
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
