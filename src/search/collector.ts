/**
 * Collects what an engine finds into an answer: order, offset, caps, and what overflow means.
 *
 * @module
 */

import { compareByBytes } from "../workspace/paths.ts";
import { Facets } from "./facets.ts";
import { addCounts } from "./pattern_counts.ts";
import { charsOf, MAX_HELD_CHARS } from "../searcher/line_searcher.ts";
import {
  countingEnd,
  type FileHit,
  type HitSink,
  type SearchPhase,
  STDIN,
} from "../searcher/job.ts";
import type { OutputMode, SearchSettings, SortOrder } from "./query.ts";

/** How an answer is collected. */
export interface CollectOptions {
  mode: OutputMode;
  /** How many patterns are counted apart. */
  patterns: number;
  sort: SortOrder;
  /** Entries in the answer, at most. */
  maxResults: number;
  /** Entries left out at the start. */
  offset: number;
  onOverflow: "error" | "truncate";
  /** Whether entries that are too long together are truncated even where too many are an error. */
  shortens: boolean;
  /** Whether a truncated answer says how much there is in all. */
  wantsTotal: boolean;
  /** Milliseconds since the epoch after which the search must have ended; `Infinity`: never. */
  deadline: number;
  /** Takes the entries in answer order as soon as that is known, instead of the answer. */
  onHit?: ((hit: FileHit) => void) | undefined;
  /** Called when the search waits for input: {@linkcode HitSink.idle}. */
  onIdle?: ((heldLine: number) => void) | undefined;
  /** Called with how far the search is. */
  onProgress?: ((progress: { filesSearched: number }) => void) | undefined;
}

/** What was found, whatever the answer has room for. */
export interface Total {
  /** The `count` that the answer would have if it were not truncated. */
  count: number;
  /** The files of its entries. */
  files: number;
  /** Of several patterns, how much of `count` each matches. */
  patternCounts: number[];
  /** Whether there may be more: counting ended before the search did. */
  isLeast: boolean;
}

/** Hits are thinned out when they are this many times more than the answer has room for. */
const THIN_OUT_FACTOR = 2;
/** Or when they have grown by this many characters: each time, all of them are sorted. */
const THIN_OUT_CHARS = MAX_HELD_CHARS >> 3;

/** The entries that an answer has room for: none is shorter than a character. */
export function roomFor(
  { maxResults, maxOutputChars }: Pick<SearchSettings, "maxResults" | "maxOutputChars">,
): number {
  return Math.min(maxResults, maxOutputChars);
}

/** Takes hits in any order and returns them in the answer's. */
export class Collector implements HitSink {
  /** Files searched so far. */
  filesSearched = 0;
  /** Where the matches (in file and count mode: the files) are. */
  readonly facets: Facets = new Facets();
  readonly #options: CollectOptions;
  readonly #total: { count: number; files: number; patternCounts: number[] };
  #hits: FileHit[] = [];
  #entries = 0;
  #chars = 0;
  /** Those that were left when hits were last thinned out. */
  #charsLeft = 0;
  #cutoff: string | undefined;
  /** Whether there is more than the answer has room for. */
  #isOver = false;
  #isTooBroad = false;
  #isCountCut = false;
  #isTooLong = false;
  #countUntil = Infinity;
  #streamed = 0;
  #streamedPath = "";
  #skippedForOffset = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
    // Zeros from the start: a file that was not looked into, as without a match, has no counts to
    // add.
    const patternCounts = new Array<number>(options.patterns).fill(0);
    this.#total = { count: 0, files: 0, patternCounts };
  }

  /** The cap was exceeded, and that is an error. */
  get isTooBroad(): boolean {
    return this.#isTooBroad;
  }

  /** There are entries without room because of their length, not of their number. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** How much there is. */
  get total(): Total {
    return { ...this.#total, isLeast: this.#isCountCut };
  }

  get phase(): SearchPhase {
    // The newest files can be the last ones: all are read to the end.
    const isSorted = this.#options.sort === "modified" && !this.#isTooBroad;
    if (!this.#isOver || isSorted) return "keep";
    if (performance.now() >= this.#countUntil) this.#isCountCut = true;
    const hasPage = this.#cutoff !== undefined && !this.#isTooBroad;
    if (this.#isCountCut) return hasPage ? "finish" : "stop";
    return hasPage ? "keep" : "count";
  }

  get cutoff(): string | undefined {
    return this.#cutoff;
  }

  progress(filesSearched: number): void {
    this.filesSearched = filesSearched;
    this.#options.onProgress?.({ filesSearched });
  }

  /** Standard input comes first by path; by time it comes last. */
  get takesParts(): boolean {
    const { mode, sort, onHit } = this.#options;
    const isNext = sort !== "modified" || this.#hits.length === 0;
    return onHit !== undefined && mode === "content" && isNext;
  }

  idle(heldLine: number): void {
    this.#options.onIdle?.(heldLine);
  }

  add(hits: readonly FileHit[]): void {
    for (const hit of hits) this.#add(hit);
  }

  #add(hit: FileHit): void {
    const { mode, sort } = this.#options;
    const isError = this.#options.onOverflow === "error";
    this.#total.count += mode === "file" ? 1 : hit.count;
    if (hit.isContinued !== true) this.#total.files++;
    addCounts(this.#total.patternCounts, hit.patternCounts);
    if (hit.isIncomplete) this.#isCountCut = true;
    // Standard input has no location.
    if (isError && hit.path !== STDIN.file) {
      this.facets.add(hit.path, mode === "content" ? hit.count : 1);
    }
    if (this.#isTooBroad) return;
    // However the parts are cut, the same entries are streamed before an error.
    const isPart = hit.isContinued !== undefined;
    if (isPart) this.#stream(hit);
    const room = this.#options.offset + this.#options.maxResults;
    const isTooMany = (mode === "content" ? this.#total.count : this.#total.files) > room;
    if (isError && isTooMany) return this.#fail(false);
    if (this.#isOver && sort === "none") return;
    if (this.#cutoff !== undefined && compareByBytes(hit.path, this.#cutoff) > 0) return;
    this.#entries += this.#entriesOf(hit);
    if (!isPart && sort === "none" && this.#options.onHit !== undefined) this.#stream(hit);
    else if (!isPart) {
      this.#hits.push(hit);
      this.#chars += hitChars(hit);
    }
    const isTooLong = this.#chars > MAX_HELD_CHARS || hit.isTruncated === true;
    if (this.#entries <= room && !isTooLong) return;
    if (isError && !this.#options.shortens) return this.#fail(true);
    if (isTooLong) this.#isTooLong = true;
    const isFirst = !this.#isOver;
    this.#overflow();
    if (!isError && !this.#options.wantsTotal) this.#isCountCut = true;
    const isMuch = isFirst || hit.isTruncated === true ||
      this.#chars > this.#charsLeft + THIN_OUT_CHARS || this.#entries > room * THIN_OUT_FACTOR;
    if (sort !== "none" && isMuch) this.#thinOut(room);
  }

  /** There will be no answer; from now on, what is found is only counted. */
  #fail(isTooLong: boolean): void {
    this.#isTooBroad = true;
    this.#isTooLong = isTooLong;
    this.#hits.length = 0;
    this.#overflow();
  }

  #overflow(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#countUntil = countingEnd(this.#options);
  }

  /**
   * The hits in answer order, without those before the offset and after the cap, and the path at which
   * the answer ends if it was cut off; `""`, if it has no entry.
   */
  finish(): { hits: FileHit[]; cutAt: string | undefined } {
    let cutAt = this.#isOver ? this.#streamedPath : undefined;
    const { maxResults, offset, onHit, sort } = this.#options;
    if (this.#isTooLong && sort !== "none") this.#thinOut(offset + maxResults);
    const hits: FileHit[] = [];
    const take = onHit ?? ((hit: FileHit) => hits.push(hit));
    // What was streamed is gone.
    for (const hit of this.#inOrder()) {
      take(hit);
      if (cutAt !== undefined) cutAt = hit.path;
    }
    return { hits, cutAt };
  }

  /** Yields the hits, each cut to what the answer has room for, and releases them. */
  *#inOrder(): Generator<FileHit> {
    const { offset, maxResults } = this.#options;
    this.#sort();
    let skip = offset - this.#skippedForOffset;
    let room = maxResults - this.#streamed;
    const hits = this.#hits.reverse();
    for (let hit; room > 0 && (hit = hits.pop()) !== undefined;) {
      const entries = this.#entriesOf(hit);
      const isWhole = skip === 0 && entries <= room;
      if (entries > skip) {
        yield isWhole ? hit : { ...hit, entries: hit.entries.slice(skip, skip + room) };
      }
      room -= Math.max(0, Math.min(room, entries - skip));
      skip = Math.max(0, skip - entries);
    }
  }

  /** Streams what the cap and the offset leave of a hit, in order of arrival. */
  #stream(hit: FileHit): void {
    const { offset, maxResults, onHit } = this.#options;
    const entries = this.#entriesOf(hit);
    const skip = Math.min(offset - this.#skippedForOffset, entries);
    this.#skippedForOffset += skip;
    const room = Math.min(maxResults - this.#streamed, entries - skip);
    if (room <= 0) return;
    this.#streamed += room;
    this.#streamedPath = hit.path;
    onHit!({ ...hit, entries: hit.entries.slice(skip, skip + room) });
  }

  /** Drops what the answer has no room for, and tells the engine where it may stop. */
  #thinOut(room: number): void {
    this.#sort();
    let entries = this.#streamed + this.#skippedForOffset;
    let chars = 0;
    let end = 0;
    while (end < this.#hits.length && entries <= room && chars <= MAX_HELD_CHARS) {
      const hit = this.#hits[end++]!;
      entries += this.#entriesOf(hit);
      chars += hitChars(hit);
      if (hit.isTruncated === true) break;
    }
    this.#hits.length = end;
    this.#entries = entries;
    this.#chars = this.#charsLeft = chars;
    if (this.#options.sort === "path") {
      this.#cutoff = this.#hits[end - 1]?.path ?? this.#streamedPath;
    }
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
