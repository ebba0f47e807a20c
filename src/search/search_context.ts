/**
 * The options of a search besides its query.
 *
 * @module
 */

import type { NoteOrText, StandingNote } from "../notes/words.ts";
import type { PermissionRequester } from "../guard/requester.ts";
import type { WorkerPool } from "../run/worker_pool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { LineSearchOptions } from "../read/line_searcher.ts";
import type { Caller } from "./callers.ts";
import type { Query } from "../query/query.ts";
import type { AnswerForm, ShownFile } from "../answer/result_builder.ts";
import type { SearchSummary } from "../answer/result.ts";

/** The workspace of a search, its signal, and its callbacks. */
export interface SearchOptions {
  /** The directories that the search never leaves. */
  workspace: Workspace;
  /** Ends the search with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Asks the user about paths outside the workspace. @default such paths are errors */
  permissionRequester?: PermissionRequester | undefined;
  /** Called as the search proceeds. */
  onProgress?: ((progress: SearchProgress) => void) | undefined;
}

/** The options of {@linkcode searchEntries}. */
export interface SearchEntriesOptions extends SearchOptions {
  /** Called after the last entry with the rest of the answer: its count, totals, notes, stats. */
  onSummary?: ((summary: SearchSummary) => void) | undefined;
}

/** Who reads an answer, and what it becomes. */
export interface Audience {
  /** By whose names notes and errors call options. */
  readonly caller: Caller;
  /** The tool that asks, as a permission question names it. @default "grep" */
  readonly tool?: string;
  /** What the answer becomes, which keeps to `maxOutputChars`. @default its JSON */
  readonly form?: AnswerForm | undefined;
  /** How lines are shown. @default as they are */
  readonly lines?: Pick<LineSearchOptions, "byteColumns" | "everyColumn" | "marksCuts" | "trims">;
  /** Whether escapes stand for what is invisible, which a note says. @default false */
  readonly showsEscapes?: boolean;
  /** Whether one line says what the answer does not show. @default false */
  readonly saysNotShown?: boolean;
  /** Whether it is an agent: its answers say what was searched, and are shortened to fit. @default false */
  readonly isAgent?: boolean;
  /** Whether a truncated answer says which directories have most. @default false */
  readonly countsPlaces?: boolean;
  /** Takes notes that do not depend on the query and returns those that the answer has. @default all */
  readonly standingNotes?: (notes: readonly StandingNote[]) => readonly string[];
}

/** Further options of the command line and of this package's tools. */
export interface InternalSearchOptions extends SearchOptions {
  /** @default a program that uses the library */
  audience?: Audience;
  /** Takes the files of the answer in its order, as soon as that is known, in place of the result. */
  onFile?: ((file: ShownFile) => void) | undefined;
  /** With `onFile`: what is pending while there is no room for more files. @default there always is */
  pace?: { readonly ready: Promise<void> | undefined } | undefined;
  /** Whether the signal has to end even a slow pattern. @default with a signal */
  isAbortable?: boolean | undefined;
  /** Called when the search waits for input, so that the answer so far can be shown. */
  onIdle?: (() => void) | undefined;
  /** Whether a truncated answer has totals. @default true */
  wantsTotal?: boolean | undefined;
  /** Milliseconds of the time limit that have passed. @default 0 */
  spent?: number | undefined;
  /** The first notes of the answer. @default none */
  notes?: readonly NoteOrText[] | undefined;
  /**
   * What the caller of a listing calls `include`; as `pattern`, that of the tool `glob`, it counts for a
   * file that is named, too. @default "include"
   */
  includeKey?: Query["includeKey"] | undefined;
  /** What the answer to a listing calls its globs. @default the globs */
  patternShown?: string | undefined;
  /** @default workers for this search alone */
  pool?: WorkerPool | undefined;
  /** Whether a resident search answers. @default false */
  isResident?: boolean | undefined;
  /** Opens standard input for the path `-`; it is read piece by piece. @default `-` is a file name */
  stdin?: (() => AsyncIterable<Uint8Array>) | undefined;
}

/** The progress of a search. */
export interface SearchProgress {
  /** The number of files searched so far. */
  filesSearched: number;
}
