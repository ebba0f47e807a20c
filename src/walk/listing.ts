/**
 * What a walk hands on: directories to go on with, what one of them holds, and what was left out.
 *
 * @module
 */

import type { IgnoreRules } from "./ignore.ts";

/** A directory still to be listed. */
export interface PendingDirectory {
  /** Canonical. */
  path: string;
  /** Which of the walk's bases it was reached from. */
  base: number;
  /** Levels below the base. */
  depth: number;
  /** The rules that hold in it; read again where a directory came from another thread. */
  rules?: IgnoreRules;
}

/** What one directory holds. It may be given again: what takes it leaves it as it is. */
export interface Listing {
  /** Base names of files to read. */
  readonly files: readonly string[];
  /** Canonical paths of files that links lead to. */
  readonly linked: readonly string[];
  /** Directories to go on with. */
  readonly directories: readonly PendingDirectory[];
}

/** Why entries were left out. */
export interface WalkSkips {
  ignored: number;
  blocked: number;
  symlinks: number;
  hidden: number;
  filtered: number;
  unreadable: number;
  vanished: number;
  /** Ignore files, for the length of their rules. */
  ignore_files: number;
}
