/**
 * The search whose answer is to be explained, the time of a further pass, and when there is one beside matches.
 *
 * @module
 */

import type { Workspace } from "../workspace/workspace.ts";
import type { EngineReport, SearchJob } from "../run/job.ts";
import type { Voice } from "../notes/table.ts";
import type { Query } from "../query/query.ts";
import type { WorkerPool } from "../run/worker_pool.ts";
import type { Cause } from "./causes.ts";

/**
 * Milliseconds: as many as the search took, within `least` and `most`; in a process that stays, `kept`. Beside
 * matches, a search that took more than `quick` looks for others in tools alone; a hook has `hook` for both.
 * Where nothing was found, it has `hookReasons`, and ends by `hookEnd`, with some of the two seconds left for
 * start and end. Tests that are not about time give more, since they share a busy machine.
 */
export const BUDGET = {
  ...{ least: 150, most: 500, kept: 100, quick: 200 },
  ...{ hook: 150, hookReasons: 1000, hookEnd: 1600 },
};

/** How another program's search differs from one of this program. */
export interface BesideSearch {
  /** Where it runs, and paths start. */
  readonly directory: string;
  readonly isRecursive: boolean;
  /** Whether its globs have braces, which are no alternatives to it. */
  readonly hasBraces: boolean;
  /** What it reads although a rule excludes it, once that is named: all that is there, a file, or nothing. */
  readonly readsNamed: "all" | "file" | "nothing";
  /** The causes for a file by its rules; none: it shows the file, or nothing is known of that. */
  readonly causesOf: (causes: readonly Cause[], path: string) => readonly Cause[];
  /** Other ways in which it can be made to read the pattern. */
  readonly readings: readonly { readonly pattern: readonly string[]; readonly advice: string }[];
  /** Whether the search found something. */
  readonly found: boolean;
}

/** A search whose answer may lack matches. */
export interface EmptySearch {
  /** What it has excluded. @default it is looked for */
  report?: Pick<EngineReport, "excluded" | "isExcludedCut"> | undefined;
  /** Absent: it is one of this program. */
  beside?: BesideSearch;
  query: Query;
  job: SearchJob;
  workspace: Workspace;
  voice: Voice;
  pool: WorkerPool;
  /** In milliseconds. */
  elapsed: number;
  /** Ends it with `cancelled`. */
  signal: AbortSignal | undefined;
}
