/**
 * Collects what an engine finds into an answer: order, offset, caps, and overflow; and counts where matches are, for
 * a search that found too many: the directories and file types with most matches, and those whose matches fit into
 * an answer.
 *
 * @module
 */

import {
  type ContextSize,
  entriesIn,
  isEntry,
  LinePage,
  MAX_HELD_CHARS,
} from "../read/hit_lines.ts";
import { countingEnd, type FileHit, type HitSink, type SearchPhase, STDIN } from "../run/job.ts";
import type { ValueTally } from "../read/tally.ts";
import * as platform from "../util/path.ts";
import type { OutputMode, Query } from "../query/query.ts";
import type { DirectoryCount, Total } from "../answer/result_builder.ts";

/** How an answer is collected. */
interface CollectOptions extends Pick<Query, "sort" | "offset" | "onOverflow"> {
  mode: OutputMode;
  /** What holds the values of an answer in that mode. */
  values?: ValueTally | undefined;
  context: ContextSize;
  /** How many patterns are counted apart. */
  patterns: number;
  maxResults: number;
  /** Whether entries that are too long together are truncated even where too many are an error. */
  shortens: boolean;
  /** Whether a truncated answer has totals. */
  wantsTotal: boolean;
  /** Whether a truncated answer names the directories with most matches, as an error does. */
  countsPlaces: boolean;
  /** Milliseconds since the epoch after which the search must have ended; `Infinity`: never. */
  deadline: number;
  /** Takes the hits in answer order as soon as that is known; {@linkcode Collector.finish} has none. */
  onHit?: ((hit: FileHit) => void) | undefined;
  /** What says when there is room for more: {@linkcode HitSink.ready}. */
  pace?: Pick<HitSink, "ready"> | undefined;
  /** Called when the search waits for input: {@linkcode HitSink.idle}. */
  onIdle?: (() => void) | undefined;
  onProgress?: ((progress: { filesSearched: number }) => void) | undefined;
}

/** Entries of an answer, at most, that come in an order of their own. */
export const MOST_ORDERED = 10_000;
/** Hits are thinned out when they are this many times more than the answer has room for. */
const THIN_OUT_FACTOR = 2;
/** Or when they have grown by this many characters: each time, all of them are sorted. */
const THIN_OUT_CHARS = MAX_HELD_CHARS >> 3;

/** The entries that an answer has room for: none is shorter than a character. */
export function roomFor(
  { maxResults, maxOutputChars }: Pick<Query, "maxResults" | "maxOutputChars">,
): number {
  return Math.min(maxResults, maxOutputChars);
}

/** The entries that are collected: the page, or as many as are ordered. */
export function collectedPage(
  { query, isOrdered }: { query: Query; isOrdered: boolean },
): { offset: number; maxResults: number } {
  const { offset } = query;
  const maxResults = roomFor(query);
  return isOrdered && query.onOverflow === "truncate" && offset < MOST_ORDERED
    ? { offset: 0, maxResults: Math.max(offset + maxResults, MOST_ORDERED) }
    : { offset, maxResults };
}

/**
 * `open`: every hit is held; `full`: only hits that replace others; `failed`: there will be no answer, and
 * matches are only counted.
 */
type State = "open" | "full" | "failed";

/** Takes hits in any order and returns them in the answer's. */
export class Collector implements HitSink {
  filesSearched = 0;
  /** Where the matches (in file and count mode: the files) are. */
  readonly facets: Facets = new Facets();
  /** Whether the length of entries, not their number, exceeds the room. */
  isTooLong = false;
  cutoff: string | undefined;
  readonly #options: CollectOptions;
  /** Entries up to the end of the page. */
  readonly #room: number;
  readonly #total: { count: number; files: number; patternCounts: number[] };
  #state: State = "open";
  #hits: FileHit[] = [];
  #entries = 0;
  #chars = 0;
  /** After hits were last thinned out. */
  #charsLeft = 0;
  #isCountCut = false;
  #countUntil = Infinity;
  #streamed = 0;
  #streamedPath = "";
  #skippedForOffset = 0;
  /** Of a file that is streamed in parts. */
  #streamedPage: LinePage | undefined;

  constructor(options: CollectOptions) {
    this.#options = options;
    this.#room = options.offset + options.maxResults;
    // Zeros from the start: a file without counts by pattern adds none.
    const patternCounts = new Array<number>(options.patterns).fill(0);
    this.#total = { count: 0, files: 0, patternCounts };
  }

  /** Whether there is more than the answer has room for, and that is an error. */
  get isTooBroad(): boolean {
    return this.#state === "failed" || this.#hasMoreValues && this.#options.onOverflow === "error";
  }

  get total(): Total {
    const { values } = this.#options;
    const count = values && { count: values.values.size };
    return { ...this.#total, ...count, isLeast: this.#isCountCut };
  }

  /** Whether there are more values than the answer has room for. */
  get #hasMoreValues(): boolean {
    const { values } = this.#options;
    return values !== undefined && values.values.size > this.#room;
  }

  get phase(): SearchPhase {
    if (this.#state === "open") return "keep";
    // The newest files can be the last ones: all are read to the end.
    if (this.#options.sort === "modified" && this.#state === "full") return "keep";
    if (performance.now() >= this.#countUntil) this.#isCountCut = true;
    const hasPage = this.cutoff !== undefined && this.#state === "full";
    if (this.#isCountCut) return hasPage ? "finish" : "stop";
    return hasPage ? "keep" : "count";
  }

  progress(filesSearched: number): void {
    this.filesSearched = filesSearched;
    this.#options.onProgress?.({ filesSearched });
  }

  /** Standard input comes first by path; by time it comes last. */
  get stream(): ((hit: FileHit) => void) | undefined {
    const { mode, sort, onHit } = this.#options;
    const isNext = sort !== "modified" || this.#hits.length === 0;
    return onHit !== undefined && mode === "content" && isNext ? this.#addStreamed : undefined;
  }

  idle(): void {
    this.#options.onIdle?.();
  }

  get isPaced(): boolean {
    return this.#options.pace !== undefined && this.#comesInOrder;
  }

  get ready(): Promise<void> | undefined {
    return this.#options.pace?.ready;
  }

  /** Whether the order of arrival is that of the answer. */
  get #comesInOrder(): boolean {
    return this.#options.sort === "none";
  }

  add(hits: readonly FileHit[]): void {
    for (const hit of hits) this.#addOne(hit, this.#comesInOrder);
  }

  readonly #addStreamed = (hit: FileHit): void => this.#addOne(hit, true);

  #addOne(hit: FileHit, isStreamed: boolean): void {
    this.#count(hit);
    if (this.#state === "failed") return;
    if (hit.values !== undefined) return this.#addValues(hit);
    if (this.#isTooMany) {
      // As many as there is room for come before the error.
      if (isStreamed) this.#stream(hit);
      this.#fail(false);
    } else if (isStreamed || !this.#isOutside(hit)) this.#take(hit, isStreamed);
  }

  #addValues({ values, isTruncated }: FileHit): void {
    const all = this.#options.values!;
    all.merge(values!);
    all.isFull ||= isTruncated === true;
    if (!all.isFull) return;
    this.#fail(false);
    this.#isCountCut = true; // how many there are would need room for them
  }

  #count(hit: FileHit): void {
    const { mode, onOverflow, countsPlaces } = this.#options;
    this.#total.count += mode === "file" ? 1 : hit.count;
    if (hit.isPart !== true) this.#total.files++;
    addCounts(this.#total.patternCounts, hit.patternCounts);
    if (hit.isIncomplete) this.#isCountCut = true;
    // Standard input has no location.
    if ((onOverflow === "error" || countsPlaces) && hit.path !== STDIN.file) {
      this.facets.add(hit.path, mode === "content" ? hit.count : 1);
    }
  }

  get #isTooMany(): boolean {
    const { mode, onOverflow } = this.#options;
    const entries = mode === "content" ? this.#total.count : this.#total.files;
    return onOverflow === "error" && mode !== "values" && entries > this.#room;
  }

  /** Whether a hit comes after the page that is full. */
  #isOutside({ path }: FileHit): boolean {
    if (this.#options.sort === "none") return this.#state === "full";
    return this.cutoff !== undefined && platform.compareByBytes(path, this.cutoff) > 0;
  }

  readonly #hold = (hit: FileHit): void => {
    this.#hits.push(hit);
    this.#chars += hit.chars;
  };

  /** Holds or streams a hit; without room for it, fails or drops hits. */
  #take(hit: FileHit, isStreamed: boolean): void {
    this.#entries += this.#entriesOf(hit);
    if (isStreamed) this.#stream(hit);
    else this.#hold(hit);
    const { isTruncated = false } = hit;
    const isTooLong = this.#chars > MAX_HELD_CHARS || isTruncated;
    if (this.#entries <= this.#room && !isTooLong) return;
    const { onOverflow, shortens, sort, wantsTotal } = this.#options;
    if (onOverflow === "error" && !shortens) return this.#fail(isTooLong);
    if (isTooLong) this.isTooLong = true;
    const isFirst = this.#state === "open";
    this.#end("full");
    if (onOverflow !== "error" && !wantsTotal) this.#isCountCut = true;
    const isMuch = isFirst || isTruncated || this.#chars > this.#charsLeft + THIN_OUT_CHARS ||
      this.#entries > this.#room * THIN_OUT_FACTOR;
    if (sort !== "none" && isMuch) this.#thinOut();
  }

  #fail(isTooLong: boolean): void {
    this.isTooLong = isTooLong;
    this.#hits.length = 0;
    this.#end("failed");
  }

  /** Ends collecting; counting goes on for a while. */
  #end(state: "full" | "failed"): void {
    if (this.#state === "open") this.#countUntil = countingEnd(this.#options);
    this.#state = state;
  }

  #entriesOf({ lines, passed = 0 }: FileHit): number {
    return this.#options.mode === "content" ? passed + entriesIn(lines) : 1;
  }

  /** Whether the answer has no room for all that was found. */
  get isCut(): boolean {
    return this.#state !== "open" || this.#hasMoreValues;
  }

  /**
   * The hits in answer order, without those before the offset and after the cap.
   *
   * @returns none where `onHit` takes them: then this is where lines are printed
   */
  handOut(): FileHit[] {
    const { context, maxResults, offset, onHit, sort } = this.#options;
    if (sort === "none") return this.#hits;
    if (this.isTooLong) this.#thinOut();
    this.#sort();
    let skip = offset - this.#skippedForOffset;
    let room = maxResults - this.#streamed;
    const hits: FileHit[] = [];
    const take = onHit ?? ((hit: FileHit) => hits.push(hit));
    const held = this.#hits.reverse();
    for (let hit; room > 0 && (hit = held.pop()) !== undefined;) {
      const entries = this.#entriesOf(hit);
      if (entries > skip) {
        const { lines, passed = 0 } = hit;
        const isWhole = skip === 0 && entries <= room;
        const page = new LinePage(skip, room, context);
        take(isWhole ? hit : { ...hit, lines: page.take(lines, passed) });
      }
      room -= Math.max(0, Math.min(room, entries - skip));
      skip = Math.max(0, skip - entries);
    }
    return hits;
  }

  /** Streams the part of a hit that offset and cap allow, in order of arrival. */
  #stream(hit: FileHit): void {
    const { context, offset, maxResults, onHit = this.#hold } = this.#options;
    const entries = this.#entriesOf(hit);
    const toSkip = offset - this.#skippedForOffset;
    const left = maxResults - this.#streamed;
    const skip = Math.min(toSkip, entries);
    const room = Math.min(left, entries - skip);
    const isContinued = this.#streamedPage !== undefined;
    const page = this.#streamedPage ?? new LinePage(toSkip, left, context);
    const lines = page.take(hit.lines, hit.passed);
    this.#streamedPage = hit.isPart ? page : undefined;
    this.#skippedForOffset += skip;
    this.#streamed += room;
    if (room > 0) this.#streamedPath = hit.path;
    // The last part of a file, and context of what was streamed, may hold no entry.
    if (room > 0 || isContinued) onHit({ ...hit, lines });
  }

  /** Drops hits that the answer has no room for, and sets the path at which the engine may stop. */
  #thinOut(): void {
    this.#sort();
    let entries = this.#streamed + this.#skippedForOffset;
    let chars = 0;
    let end = 0;
    while (end < this.#hits.length && entries <= this.#room && chars <= MAX_HELD_CHARS) {
      const hit = this.#hits[end++]!;
      entries += this.#entriesOf(hit);
      chars += hit.chars;
      if (hit.isTruncated === true) break;
    }
    this.#hits.length = end;
    this.#entries = entries;
    this.#chars = this.#charsLeft = chars;
    if (this.#options.sort === "path") {
      this.cutoff = this.#hits[end - 1]?.path ?? this.#streamedPath;
    }
  }

  #sort(): void {
    const { sort } = this.#options;
    if (sort === "none") return;
    this.#hits.sort((a, b) =>
      sort === "modified" && b.modified - a.modified || platform.compareByBytes(a.path, b.path)
    );
  }
}

/**
 * Totals of each pattern in an answer: matching lines or, with `onlyMatching` and `multiline`, matches; in
 * file mode, files.
 *
 * @param shown the entries that the answer has, from the first of the hits on
 * @param patterns how many patterns there are
 */
export function patternCountsOf(
  hits: readonly FileHit[],
  shown: number,
  patterns: number,
  mode: OutputMode,
): number[] {
  const counts = new Array<number>(patterns).fill(0);
  for (const hit of hits) {
    if (shown <= 0) break;
    if (mode !== "content") {
      addCounts(counts, hit.patternCounts);
      shown--;
      continue;
    }
    const entries = hit.lines.filter(isEntry);
    for (const { patterns = [] } of entries.slice(0, shown)) {
      for (const index of patterns) counts[index]!++;
    }
    shown -= entries.length;
  }
  return counts;
}

/** Adds counts by pattern to others, in place. */
export function addCounts(to: number[], counts: readonly number[] = []): void {
  for (const [index, count] of counts.entries()) to[index] = (to[index] ?? 0) + count;
}

/** The matches of a file type, which is given as the glob of its files. */
interface TypeCount {
  include: string;
  count: number;
}

/** Groups named in one answer, at most. */
const MAX_GROUPS = 5;
/** The glob of files without an extension. */
const NO_EXTENSION = "!*.*";

/** Counts matches by place and by type. */
class Facets {
  /** Without the matches in directories below. */
  readonly byDirectory: Map<string, number> = new Map();
  readonly #byType = new Map<string, number>();
  /** Of files without an extension, by directory: their glob excludes directories with a dot as well. */
  readonly #plain = new Map<string, number>();

  add(path: string, count: number): void {
    addTo(this.byDirectory, platform.dirname(path), count);
    const type = typeGlob(platform.basename(path));
    if (type === NO_EXTENSION) addTo(this.#plain, platform.dirname(path), count);
    else if (type !== undefined) addTo(this.#byType, type, count);
  }

  /** The globs of types, each with what it finds in the directories that were searched. */
  #types(searched: readonly string[]): TypeCount[] {
    const types = [...this.#byType].map(([include, count]) => ({ include, count }));
    let plain = 0;
    for (const [directory, count] of this.#plain) {
      const base = searched.find((base) => platform.isWithin(base, directory)) ?? "";
      if (!directory.slice(base.length).includes(".")) plain += count;
    }
    return plain === 0 ? types : [...types, { include: NO_EXTENSION, count: plain }];
  }

  /**
   * The directories with most matches, as paths that divide all of them; at most five.
   *
   * @param roots directories that no returned path may lie above
   */
  topDirectories(roots: readonly string[]): DirectoryCount[] {
    const segmentsOf = (path: string) => path.split(platform.sep);
    const [first, ...others] = [...this.byDirectory.keys()].map(segmentsOf);
    if (first === undefined) return [];
    let common = first.length;
    for (const segments of others) {
      const differing = first.findIndex((segment, index) => segment !== segments[index]);
      if (differing >= 0) common = Math.min(common, differing);
    }
    const counts = new Map<string, number>();
    for (const [path, count] of this.byDirectory) {
      const root = roots.find((root) => platform.isWithin(root, path)) ?? "";
      const depth = Math.max(common + 1, segmentsOf(root).length);
      addTo(counts, segmentsOf(path).slice(0, depth).join(platform.sep), count);
    }
    return largest([...counts].map(([path, count]) => ({ path, count })), "path");
  }

  /** The file types with most matches; at most five. */
  topTypes(searched: readonly string[]): TypeCount[] {
    return largest(this.#types(searched), "include");
  }

  /**
   * The directories with most matches among those whose matches fit into an answer.
   *
   * @param searched the directories that were searched: only what lies below one is narrower
   * @param room the entries of an answer
   */
  fittingDirectories(searched: readonly string[], room: number): DirectoryCount[] {
    const counts = new Map<string, number>();
    for (const [directory, count] of this.byDirectory) {
      const base = searched.find((base) => platform.isWithin(base, directory));
      if (base === undefined) continue;
      for (let path = directory; path !== base; path = platform.dirname(path)) {
        addTo(counts, path, count);
      }
    }
    const fits = (path: string) => (counts.get(path) ?? Infinity) <= room;
    return largest(
      [...counts].map(([path, count]) => ({ path, count }))
        .filter(({ path }) => fits(path) && !fits(platform.dirname(path))),
      "path",
    );
  }

  /** The file types with most matches among those whose matches fit into an answer. */
  fittingTypes(searched: readonly string[], room: number): TypeCount[] {
    return largest(this.#types(searched).filter(({ count }) => count <= room), "include");
  }
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function largest<Name extends string, Group extends Record<Name, string> & { count: number }>(
  groups: Group[],
  name: Name,
): Group[] {
  return groups.sort((a, b) => b.count - a.count || platform.compareByBytes(a[name], b[name]))
    .slice(0, MAX_GROUPS);
}

/** The glob of a base name's type, by its extension; `undefined` where that would need quoting. */
function typeGlob(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return NO_EXTENSION;
  const extension = name.slice(dot + 1);
  const isPlain = /^[\w+~-]{1,20}$/.test(extension) || /^[\p{L}\p{N}_+~-]{1,20}$/u.test(extension);
  return isPlain ? `*.${extension}` : undefined;
}
