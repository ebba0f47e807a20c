/**
 * What a search is given besides its query.
 *
 * @module
 */

import type { PermissionRequester } from "../guard/requester.ts";
import type { WorkerPool } from "../threads/worker_pool.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { Caller } from "./callers.ts";
import type { SearchSettings } from "./query.ts";
import type { AnswerMeasure } from "./measure.ts";
import type { ShownFile } from "./result_builder.ts";

/** Where a search takes place, what ends it, and who is asked or informed. */
export interface SearchOptions {
  /** The directories that the search stays inside of. */
  workspace: Workspace;
  /** Ends the search with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Is asked about paths outside of the workspace. @default nobody: they are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** Called with progress. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** What the command line and the tools of this package may add. */
export interface InternalSearchOptions extends SearchOptions {
  /** The tool that asks, as a permission question names it. @default "grep" */
  tool?: string | undefined;
  /**
   * Takes the files of the answer in its order, as soon as that is known, instead of the result; the
   * result then has no entries.
   */
  onFile?: ((file: ShownFile) => void) | undefined;
  /** Called when the search waits for input, so that what it has given can be shown. */
  onIdle?: (() => void) | undefined;
  /** Lines are shown without the white space that they begin with. @default false */
  trims?: boolean | undefined;
  /** The characters that the answer takes up, for `maxOutputChars`. @default its JSON */
  measure?: AnswerMeasure | undefined;
  /** Cut lines show where they were cut. @default false */
  marksCuts?: boolean | undefined;
  /**
   * Whether an answer over its `maxOutputChars` is shortened even where more entries than `maxResults`
   * are an error. @default where they are none
   */
  shortens?: boolean | undefined;
  /** Whether a truncated answer counts what it leaves out. @default true */
  wantsTotal?: boolean | undefined;
  /** Milliseconds of the time limit that are gone already. @default 0 */
  spent?: number | undefined;
  /** Sentences that the answer's notes begin with. @default none */
  notes?: readonly string[] | undefined;
  /**
   * What the caller of a listing calls `include`; as `pattern`, that of the tool `glob`, it counts for a
   * file that is named, too. @default "include"
   */
  includeKey?: SearchSettings["includeKey"] | undefined;
  /** Who reads the answer: notes say what options are called there. @default "library" */
  caller?: Caller | undefined;
  /** Workers and what they keep. @default workers for this search alone */
  pool?: WorkerPool | undefined;
  /** Opens standard input for the path `-`; it is read piece by piece. @default `-` is a file name */
  stdin?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** The progress of a search. */
export interface SearchProgress {
  /** Files searched so far. */
  filesSearched: number;
}
