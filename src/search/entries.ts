/**
 * The entries of an answer one by one, as a search finds them.
 *
 * @module
 */

import { cancelled } from "../util/errors.ts";
import type { SearchResult, SearchSummary } from "./result.ts";
import { type AnswerEntry, EntryBuilder } from "./result_builder.ts";
import type { InternalSearchOptions, SearchEntriesOptions } from "./search_context.ts";

/** The search pauses while this many entries wait. */
const MAX_WAITING = 256;

/**
 * Runs a search while its entries are taken.
 *
 * @param run runs it with these options besides those given
 * @param ender ends it quietly
 */
export async function* entriesAsFound(
  run: (options: Partial<InternalSearchOptions>) => Promise<SearchResult>,
  { onSummary, signal }: SearchEntriesOptions,
  ender: AbortController,
): AsyncGenerator<AnswerEntry, undefined> {
  const builder = new EntryBuilder();
  let waiting: AnswerEntry[] = [];
  let [news, room] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isOver = false;
  const search = run({
    signal: signal == null ? ender.signal : AbortSignal.any([ender.signal, signal]),
    isAbortable: signal != null,
    wantsTotal: onSummary !== undefined,
    onFile(file) {
      for (const entry of builder.next(file)) waiting.push(entry);
      news.resolve();
    },
    pace: {
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
      for (const entry of taken) {
        // Nobody who has ended it expects what was found before.
        if (signal?.aborted) throw cancelled(signal);
        yield entry;
      }
    }
    const { matches: _, files: __, counts: ___, values: ____, ...summary } = await search as
      & SearchSummary
      & { matches?: unknown; files?: unknown; counts?: unknown; values?: unknown };
    onSummary?.(summary);
  } catch (error) {
    if (!ender.signal.aborted) throw error;
  } finally {
    ender.abort();
    await search.catch(() => {});
  }
  return undefined;
}
