/**
 * The entries of an answer one by one, as a search finds them.
 *
 * @module
 */

import { cancelled } from "../util/errors.ts";
import type { SearchResult, SearchSummary } from "../answer/result.ts";
import { type AnswerEntry, EntryBuilder } from "../answer/result_builder.ts";
import type { InternalSearchOptions, SearchEntriesOptions } from "./search_context.ts";

/** The search pauses while this many entries wait. */
const MAX_WAITING = 256;

/** Entries that wait until they are taken. */
class WaitingEntries {
  #entries: AnswerEntry[] = [];
  #news = Promise.withResolvers<void>();
  #room = Promise.withResolvers<void>();
  #isOver = false;

  /** What is pending while there is no room for more. */
  get ready(): Promise<void> | undefined {
    return this.#entries.length < MAX_WAITING ? undefined : this.#room.promise;
  }

  add(entries: Iterable<AnswerEntry>): void {
    for (const entry of entries) this.#entries.push(entry);
    this.#news.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#news.resolve();
  }

  /** Those that wait, once there are some, until the end. */
  async *taken(): AsyncGenerator<AnswerEntry[]> {
    while (!this.#isOver || this.#entries.length > 0) {
      await this.#news.promise;
      this.#news = Promise.withResolvers();
      const taken = this.#entries;
      this.#entries = [];
      this.#room.resolve();
      this.#room = Promise.withResolvers();
      yield taken;
    }
  }
}

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
  const waiting = new WaitingEntries();
  const search = run({
    signal: signal == null ? ender.signal : AbortSignal.any([ender.signal, signal]),
    isAbortable: signal != null,
    wantsTotal: onSummary !== undefined,
    onFile: (file) => waiting.add(builder.next(file)),
    pace: waiting,
  }).finally(() => waiting.end());
  search.catch(() => {}); // thrown below, after the entries
  try {
    for await (const entries of waiting.taken()) {
      for (const entry of entries) {
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
