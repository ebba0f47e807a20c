/**
 * Collects what an engine finds into an answer: order, offset, caps, and what overflow means.
 *
 * @module
 */

import { compareByBytes } from "../workspace/paths.ts";
import { MatchCensus } from "./facets.ts";
import { charsOf, MAX_HELD_CHARS } from "./js/scan.ts";
import { COUNTING_MS, type FileHit, type HitSink, type SearchPhase } from "./engine.ts";
import type { OutputMode, SearchSettings, SortOrder } from "./query.ts";

/** How an answer is made. */
export interface CollectOptions {
  mode: OutputMode;
  sort: SortOrder;
  /** Entries in the answer, at most. */
  maxResults: number;
  /** Entries left out at the start. */
  offset: number;
  onOverflow: "error" | "truncate";
  /** Takes the entries in answer order as soon as that is known, instead of the answer. */
  onHit?: ((hit: FileHit) => void) | undefined;
  /** Takes word of how far the search is. */
  onProgress?: ((progress: { filesSearched: number }) => void) | undefined;
}

/** Hits are thinned out when they are so many times more than the answer has room for. */
const THIN_OUT_FACTOR = 2;

/** The entries that an answer has room for: none is shorter than a character. */
export function roomFor(
  { maxResults, maxOutputChars }: Pick<SearchSettings, "maxResults" | "maxOutputChars">,
): number {
  return Math.min(maxResults, maxOutputChars);
}

/** Takes hits in any order and gives them in the answer's. */
export class Collector implements HitSink {
  /** Files searched so far. */
  filesSearched = 0;
  /** Where the matches (in file and count mode: the files) are. */
  readonly census: MatchCensus = new MatchCensus();
  readonly #options: CollectOptions;
  #hits: FileHit[] = [];
  #entries = 0;
  #chars = 0;
  #cutoff: string | undefined;
  #isOver = false;
  #isThinned = false;
  #isCut = false;
  #isTooLong = false;
  #countUntil = Infinity;
  #streamed = 0;
  #skippedForOffset = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
  }

  /** The cap was exceeded, and that is an error. */
  get isTooBroad(): boolean {
    return this.#isOver && this.#options.onOverflow === "error";
  }

  /** There are entries without room because of their length, not of their number. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Whether counting went on to the end. */
  get isCounted(): boolean {
    return !this.#isCut;
  }

  get phase(): SearchPhase {
    if (!this.#isOver) return "keep";
    if (this.#options.onOverflow === "truncate") {
      return this.#options.sort === "none" ? "stop" : "keep";
    }
    if (performance.now() < this.#countUntil) return "count";
    this.#isCut = true;
    return "stop";
  }

  get cutoff(): string | undefined {
    return this.#cutoff;
  }

  progress(filesSearched: number): void {
    this.filesSearched = filesSearched;
    this.#options.onProgress?.({ filesSearched });
  }

  add(hits: readonly FileHit[]): void {
    for (const hit of hits) this.#add(hit);
  }

  #add(hit: FileHit): void {
    const { mode, onOverflow, sort } = this.#options;
    if (onOverflow === "error") {
      if (hit.isPartial) this.#isCut = true;
      this.census.add(hit.path, mode === "content" ? hit.count : 1);
    }
    if (this.#isOver && (onOverflow === "error" || sort === "none")) return;
    this.#entries += this.#entriesOf(hit);
    if (sort === "none" && this.#options.onHit !== undefined) this.#stream(hit);
    else {
      this.#hits.push(hit);
      this.#chars += hitChars(hit);
    }
    const room = this.#options.offset + this.#options.maxResults;
    const isTooLong = this.#chars > MAX_HELD_CHARS || hit.isShort === true;
    if (this.#entries <= room && !isTooLong) return;
    if (isTooLong) this.#isTooLong = true;
    if (!this.#isOver) {
      this.#isOver = true;
      this.#countUntil = performance.now() + COUNTING_MS;
    }
    if (onOverflow === "error") this.#hits.length = 0;
    else if (sort !== "none" && (isTooLong || this.#entries > room * THIN_OUT_FACTOR)) {
      this.#thinOut(room);
    }
  }

  /**
   * The hits in answer order, without those before the offset and after the cap, and the path at which
   * the answer ends if it was cut off; `""`, if it has no entry.
   */
  finish(): { hits: FileHit[]; cutAt: string | undefined } {
    let cutAt = this.#isOver || this.#isThinned ? "" : undefined;
    const { onHit } = this.#options;
    const hits: FileHit[] = [];
    const take = onHit ?? ((hit: FileHit) => hits.push(hit));
    // What was streamed is gone.
    for (const hit of this.#inOrder()) {
      take(hit);
      if (cutAt !== undefined) cutAt = hit.path;
    }
    return { hits, cutAt };
  }

  /** Gives the hits away, each cut to what the answer has room for. */
  *#inOrder(): Generator<FileHit> {
    const { offset, maxResults } = this.#options;
    this.#sort();
    let skip = offset;
    let room = maxResults;
    const hits = this.#hits.reverse();
    for (let hit; room > 0 && (hit = hits.pop()) !== undefined;) {
      const entries = this.#entriesOf(hit);
      const isWhole = skip === 0 && entries <= room;
      if (entries > skip) {
        yield isWhole ? hit : { ...hit, entries: hit.entries.slice(skip, skip + room) };
      }
      room -= Math.max(0, Math.min(room, entries - skip));
      skip = Math.max(0, skip - entries);
      // What comes next is not in order: entries of this file are missing.
      if (hit.isShort === true) break;
    }
  }

  /** Hands on what the cap and the offset leave of a hit, in order of arrival. */
  #stream(hit: FileHit): void {
    const { offset, maxResults, onHit } = this.#options;
    const entries = this.#entriesOf(hit);
    const skip = Math.min(offset - this.#skippedForOffset, entries);
    this.#skippedForOffset += skip;
    const room = Math.min(maxResults - this.#streamed, entries - skip);
    if (room <= 0) return;
    this.#streamed += room;
    onHit!({ ...hit, entries: hit.entries.slice(skip, skip + room) });
  }

  /** Drops what the answer has no room for, and tells the engine where it may stop. */
  #thinOut(room: number): void {
    this.#sort();
    let entries = 0;
    let chars = 0;
    let end = 0;
    while (end < this.#hits.length && entries <= room && chars <= MAX_HELD_CHARS) {
      const hit = this.#hits[end++]!;
      entries += this.#entriesOf(hit);
      chars += hitChars(hit);
      if (hit.isShort === true) break;
    }
    this.#hits.length = end;
    this.#entries = entries;
    this.#chars = chars;
    this.#isThinned = true;
    if (this.#options.sort === "path") this.#cutoff = this.#hits[end - 1]!.path;
  }

  #sort(): void {
    if (this.#options.sort === "path") {
      this.#hits.sort((a, b) => compareByBytes(a.path, b.path));
    } else if (this.#options.sort === "modified") {
      this.#hits.sort((a, b) => b.modified - a.modified || compareByBytes(a.path, b.path));
    }
  }

  #entriesOf(hit: FileHit): number {
    return this.#options.mode === "content" ? hit.entries.length : 1;
  }
}

function hitChars({ entries }: FileHit): number {
  return entries.reduce((chars, entry) => chars + charsOf(entry), 0);
}
