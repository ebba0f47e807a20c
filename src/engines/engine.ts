/**
 * The interface of an engine: it takes a search with resolved and checked paths, and reports the hits.
 *
 * `js.ts` is the engine that decides what matches. `filter_engine.ts` lets an external *program*
 * (ripgrep, git grep or grep) discard the files without the literals that every match holds, and
 * `file_lister.ts` lists files without reading them.
 *
 * @module
 */

import type { EngineReport, HitSink, SearchJob } from "../scan/job.ts";

/** The program that searches. */
export type EngineName = "js" | "rg" | "git" | "grep";

/** Executes searches. */
export interface Engine {
  /** Whether globs and types apply to named files as well. @default false */
  readonly filtersNamed?: boolean;
  /** Whether it lists files and reads none. @default false */
  readonly isListing?: boolean;
  /** Whether it ends by itself once the job's deadline has passed. @default false */
  readonly keepsTime?: boolean;
  /**
   * Executes a search.
   *
   * @throws {PathgrepError} `cancelled` once the signal is aborted, `search_timed_out`,
   * `search_failed`, `engine_unavailable`
   */
  run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport>;
}
