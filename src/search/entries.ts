/**
 * The entries of an answer one by one, as a search finds them.
 *
 * @module
 */

import type { OutputMode, SearchQueryOf } from "./query.ts";
import type { SearchEntryOf, SearchSummary } from "./result.ts";
import { type AnswerEntry, EntryBuilder } from "./result_builder.ts";
import { runSearch } from "./search.ts";
import type { SearchOptions } from "./search_context.ts";

/** Where {@linkcode searchEntries} searches, what ends it, and who is told what besides. */
export interface SearchEntriesOptions extends SearchOptions {
  /** Called after the last entry with what the answer says besides: its count, totals, notes, stats. */
  onSummary?: ((summary: SearchSummary) => void) | undefined;
}

/** The search pauses while this many entries wait. */
const MAX_WAITING = 256;

/**
 * Searches as {@linkcode search} does, and gives the entries of the answer one by one, in its order, while
 * the search goes on: matches, the names of files, or counts, by the query's `outputMode`.
 *
 * The search begins when the first entry is asked for. It reads the files in the order of their paths, on
 * the thread of the caller, and pauses while a few hundred entries wait; such time does not count as
 * `timeout`. Leaving the loop ends it at once. All entries come at the end, as `search` holds them, with
 * `sort: "modified"`, `follow`, `maxOutputChars` or an engine other than `auto` and `js`, and where a signal
 * is given and the pattern may take long. `sort: "none"` is `path`.
 *
 * Needs `--allow-read` for the workspace and nothing else.
 *
 * @param query what to search for; `maxResults: 0` for all entries
 * @param options the workspace, a signal that ends the search, and who gets the summary
 * @returns an iterator over the entries. After the entries that were found before, it throws what `search`
 * throws, such as `search_too_broad` after 1000 entries
 *
 * @example
 * ```ts
 * import { searchEntries, Workspace } from "@x/pathgrep";
 * import assert from "node:assert/strict";
 *
 * const root = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${root}/a.ts`, "// TODO: more\n// TODO: less\n");
 * const workspace = await Workspace.open(root);
 * for await (const { line_number, line } of searchEntries({ pattern: "TODO" }, { workspace })) {
 *   assert.deepEqual([line_number, line], [1, "// TODO: more"]);
 *   break; // ends the search
 * }
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function searchEntries<
  Mode extends OutputMode | undefined = undefined,
  WithoutMatch extends boolean | undefined = undefined,
>(
  query: SearchQueryOf<Mode, WithoutMatch>,
  options: SearchEntriesOptions,
): AsyncIterableIterator<SearchEntryOf<Mode, WithoutMatch>, undefined, undefined> {
  type Entry = SearchEntryOf<Mode, WithoutMatch>;
  const ender = new AbortController();
  const entries = entriesOfSearch(query, options, ender) as AsyncGenerator<Entry, undefined>;
  return {
    next: () => entries.next(),
    return() {
      ender.abort(); // a generator would wait for the next entry first
      return entries.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* entriesOfSearch(
  query: SearchQueryOf<OutputMode | undefined, boolean | undefined>,
  { onSummary, ...options }: SearchEntriesOptions,
  ender: AbortController,
): AsyncGenerator<AnswerEntry, undefined> {
  const { signal } = options;
  const builder = new EntryBuilder();
  let waiting: AnswerEntry[] = [];
  let [news, room] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isOver = false;
  const search = runSearch(query, {
    ...options,
    signal: signal == null ? ender.signal : AbortSignal.any([ender.signal, signal]),
    isAbortable: signal != null,
    wantsTotal: onSummary !== undefined,
    onFile(file) {
      for (const entry of builder.next(file)) waiting.push(entry);
      news.resolve();
    },
    inOrder: {
      get ready() {
        return waiting.length < MAX_WAITING ? undefined : room.promise;
      },
    },
  }).finally(() => {
    isOver = true;
    news.resolve();
  });
  search.catch(() => {}); // thrown below, after the entries
  try {
    while (!isOver || waiting.length > 0) {
      await news.promise;
      news = Promise.withResolvers();
      const taken = waiting;
      waiting = [];
      room.resolve();
      room = Promise.withResolvers();
      yield* taken;
    }
    const { matches: _, files: __, counts: ___, ...summary } = await search as
      & SearchSummary
      & { matches?: unknown; files?: unknown; counts?: unknown };
    onSummary?.(summary);
  } catch (error) {
    if (!ender.signal.aborted) throw error;
  } finally {
    ender.abort();
    await search.catch(() => {});
  }
  return undefined;
}
