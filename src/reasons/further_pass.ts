/**
 * The further pass: one search over everything that the guard allows, for all forms of the pattern at once (in
 * other letter case, naming conventions and normal forms, and by other readings), in which each file carries the
 * reasons why the search left it out.
 *
 * It begins with what the search is known to have excluded, goes on with what it has read and with what filters
 * exclude, and takes the rest of the workspace last, within a time of its own. Beside matches, it is over what
 * was excluded alone.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import { JsEngine } from "../run/js.ts";
import { literalsBeyondAscii, planPattern, planUnion } from "../regex/plan.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import type { FilterOptions, PassStart } from "../walk/listing.ts";
import { beginningOf, type WorkItem } from "../run/queues.ts";
import { join } from "../util/path.ts";
import { ENCODINGS } from "../read/decoder.ts";
import type { EngineReport, FileHit, HitSink, SearchJob } from "../run/job.ts";
import { proveNames } from "../run/skip_report.ts";
import { BUDGET, type EmptySearch } from "./empty_search.ts";
import { keyOf } from "../regex/printer.ts";
import type { Change } from "../query/query.ts";
import type { Cause } from "./causes.ts";
import { conventionChanges, type OtherSpelling, spellingsOf } from "./spellings.ts";
import { readingCauses } from "./query_alternatives.ts";

/** The part of the time in which forms are planned: of long patterns, each takes a while. */
const PLANNING_PART = 0.5;
/** What a further pass found. */
export interface Pass {
  hits: FileHit[];
  /** Absent if the pass did not finish. */
  report: EngineReport | undefined;
}

export class FurtherPass {
  /** Whether it did not come to an end: there may be more. */
  isInPart = false;
  readonly #search: EmptySearch;
  readonly #started = Date.now();
  readonly #budget: number;
  readonly #end: number;
  readonly #slices: Slices;
  readonly #ender = new AbortController();
  readonly #cancel = () => this.#ender.abort(cancelled(this.#search.signal));

  /** @param time in milliseconds @default that for the reasons of an empty answer */
  constructor(search: EmptySearch, time = timeFor(search)) {
    this.#search = search;
    const { job, signal, workspace } = search;
    this.#slices = new Slices(workspace.roots[0]!);
    this.#budget = time;
    this.#end = Math.min(this.#started + this.#budget, job.deadline);
    if (signal?.aborted) this.#cancel();
    signal?.addEventListener("abort", this.#cancel, { once: true });
  }

  close(): void {
    this.#search.signal?.removeEventListener("abort", this.#cancel);
  }

  /**
   * Whether there is time left, in a part of the budget.
   *
   * @throws {PathgrepError} `cancelled`
   */
  #hasTime(part = 1): boolean {
    const { signal } = this.#ender;
    if (signal.aborted) throw PathgrepError.from(signal.reason);
    const now = Date.now();
    if (now < this.#end && now < this.#started + part * this.#budget) return true;
    this.isInPart = true;
    return false;
  }

  /** The forms that there is time to plan: half of it is left for the search. */
  forms(): Promise<FormUnion[]> {
    return formUnions(this.#search, (work) => this.inTurn(work, PLANNING_PART));
  }

  /** Whether there is time left for the next step of work on this thread. */
  async goesOn(): Promise<boolean> {
    await this.#slices.pause();
    return this.#hasTime();
  }

  /** Runs a piece of work on this thread in its turn; `undefined` once the time is up, or this part of it. */
  async inTurn<T>(work: () => T, part = 1): Promise<T | undefined> {
    return this.#hasTime(part) ? await this.#slices.run(work) : undefined;
  }

  /** Searches everything for a pattern, or lists it; `elsewhere` are further directories. */
  async over(plan: PatternPlan, elsewhere: readonly string[]): Promise<Pass> {
    const { job, query: { isListing }, report } = this.#search;
    const { lines, walk } = job;
    const { excluded = [], isExcludedCut = false } = report ?? {};
    const everything = {
      ...walk,
      bases: [...walk.bases, ...elsewhere],
      asked: walk.bases.length,
      apart: isExcludedCut ? [] : placesIn(excluded),
    };
    const pass = await this.#run({
      plan,
      lines: { ...lines, onlyMatching: lines.onlyMatching && plan.each.length === 0 },
      withoutMatch: job.withoutMatch || isListing,
      isListing,
      ...this.#reading(plan),
      walk: everything,
      start: [...excluded, ...beginningOf(everything)],
    });
    // Files that were not read as text have passed all filters.
    if (excluded.some(({ names }) => names !== undefined)) pass.report?.filteredBy.add("");
    return pass;
  }

  /** Searches what the search has read for another plan. */
  async searched(plan: PatternPlan): Promise<Pass> {
    const { lines } = this.#search.job;
    return await this.#run({ plan, lines: { ...lines, onlyMatching: false } });
  }

  /** Searches, or lists, what the search has excluded, with its filters. */
  async excluded(start: readonly PassStart[], entersUsual: boolean): Promise<Pass> {
    const { job: { lines, plan, walk }, query: { isListing } } = this.#search;
    return await this.#run({
      lines: { ...lines, onlyMatching: false },
      plan: { ...plan, each: [] },
      isListing,
      withoutMatch: isListing,
      ...this.#reading(plan),
      files: [],
      walk: { ...walk, asked: walk.bases.length, isNarrow: true, entersUsual },
      start,
    });
  }

  /** Searches files that it has found for one form alone. */
  async in(paths: readonly string[], plan: PatternPlan): Promise<FileHit[]> {
    const met = paths.map((path) => ({ path, base: 0, depth: 0, file: "met" as const }));
    const walk = { ...this.#search.job.walk, bases: [] };
    return (await this.#run({ plan, files: [], walk, ...this.#reading(plan) }, met)).hits;
  }

  /** Lists the files that the search would read with another filter; nothing where time is up. */
  async list(filter: Partial<FilterOptions>): Promise<string[] | undefined> {
    const { walk } = this.#search.job;
    const change = { walk: { ...walk, filter: { ...walk.filter, ...filter } }, files: [] };
    const listing = { ...change, isListing: true, withoutMatch: true };
    const { hits, report } = await this.#run(listing);
    return report && hits.map(({ path }) => path);
  }

  /** How files are read that are too large or no text to the search. */
  #reading({ locate }: PatternPlan): Partial<SearchJob> {
    const { job: { further, isAnyText, maxFileSize } } = this.#search;
    const isWide = mayWiden(this.#search);
    const encodings = isWide && literalsBeyondAscii(locate.tree).length > 0 ? ENCODINGS : [];
    return {
      further: { unpacks: isWide, ...further, maxFileSize, isAnyText, encodings },
      isAnyText: isAnyText || isWide,
      maxFileSize: Infinity,
    };
  }

  async #run(change: Partial<SearchJob>, work?: readonly WorkItem[]): Promise<Pass> {
    const sink = new HitList();
    if (!this.#hasTime()) return { hits: [], report: undefined };
    const { job: asked, pool, query } = this.#search;
    // With it, an empty match is not an entry, but its file is.
    const { onlyMatching: isOfMatches } = change.lines ?? asked.lines;
    const onlyMatching = isOfMatches && query.outputMode !== "file";
    const { isLogged: _, ...walk } = change.walk ?? asked.walk;
    const job: SearchJob = {
      ...asked,
      ...change,
      walk,
      lines: {
        ...asked.lines,
        mode: "count",
        before: 0,
        after: 0,
        // Of one form alone; in a union, others may come first.
        maxCount: work === undefined ? Infinity : asked.lines.maxCount,
        onlyMatching,
      },
      entryLimit: Infinity,
      onOverflow: "error",
      wantsModified: false,
      wantsStats: false,
      wantsScope: true, // what blocks files
      wantsExcluded: false,
      deadline: this.#end,
    };
    const { signal } = this.#ender;
    let report: EngineReport | undefined;
    try {
      report = await new JsEngine(pool).run(job, sink, signal, work);
      proveNames(report, job);
    } catch {
      if (signal.aborted) throw PathgrepError.from(signal.reason);
      this.isInPart = true; // out of time, or the pattern is too slow
    }
    // Links may lead to a file more than once: first comes the way that the fewest kinds of reasons bar.
    const kindsOf = ({ left = [] }: FileHit) => new Set(left.map(({ reason }) => reason)).size;
    return { hits: sink.hits.toSorted((a, b) => kindsOf(a) - kindsOf(b)), report };
  }
}

/** The paths of what a pass begins with. */
function placesIn(starts: readonly PassStart[]): string[] {
  return starts.flatMap(({ path, only, names }) =>
    (only ?? names)?.map((name) => join(path, name)) ?? [path]
  );
}

/** Whether no pass has run in this process yet: the first one loads and compiles what the others find. */
let isCold = true;

function timeFor({ elapsed, pool }: EmptySearch): number {
  const { kept, least, most } = BUDGET;
  const isFirst = isCold;
  isCold = false;
  return pool.isKept && !isFirst ? kept : Math.min(most, Math.max(least, elapsed));
}

class HitList implements HitSink {
  readonly hits: FileHit[] = [];
  readonly cutoff = undefined;
  readonly phase = "keep";

  add(hits: readonly FileHit[]): void {
    this.hits.push(...hits);
  }

  progress(): void {}
}

/** Parts of a pattern that may match less once letter case is ignored. */
const MAY_NARROW = /\[\^|--|\(\?<?!|\\P/;
/** Groups of a form are numbered from a multiple of this. */
const GROUPS_PER_FORM = 1 << 20;

/** How a text differs from what was asked for, and where the plans for it are in the union's `each`. */
export interface Form {
  /** None: it is what was asked for. */
  causes: readonly Cause[];
  exact: number;
  /** In any letter case, if that is another pattern. */
  folded?: number;
}

/** Forms that one pass looks for. */
export interface FormUnion {
  plan: PatternPlan;
  forms: readonly Form[];
}

/** Whether a wider pattern may find more: not where lines or files without a match are wanted. */
function mayWiden({ query }: EmptySearch): boolean {
  return !query.isListing && !query.invert && !query.filesWithoutMatch;
}

/**
 * The forms of a pattern, those that may span lines apart from the others.
 *
 * @param inTurn plans a form, or returns nothing where there is no time for it
 */
async function formUnions(
  search: EmptySearch,
  inTurn: <T>(work: () => T) => Promise<T | undefined>,
): Promise<FormUnion[]> {
  const { job: { plan }, query } = search;
  const alone = { plan: { ...plan, each: [] }, forms: [{ causes: [], exact: 0 }] };
  if (!mayWiden(search)) return [alone];
  const { fixedStrings, patterns } = query;
  const unions = [new Union(search), new Union(search)] as const;
  const changes: { causes: readonly Cause[]; change: Change }[] = [
    { causes: [], change: {} },
    ...conventionChanges(patterns, fixedStrings)
      .map((change) => ({ change, causes: [{ kind: "convention", change } as const] })),
    ...readings(search).map((cause) => ({ change: countedChange(cause), causes: [cause] })),
  ];
  for (const { causes, change } of changes) {
    const union = unions[change.multiline === true && !query.multiline ? 1 : 0];
    await inTurn(() => union.add(causes, change));
  }
  const planned = await Promise.all(unions.map((union) => inTurn(() => union.planned())));
  const found = planned.filter((union) => union !== undefined);
  return found.length === 0 ? [alone] : found;
}

/** Other spellings with a plan for all of them, by which each counts for what those before it do not match. */
export function spellingPlan(
  { query, job: { plan } }: EmptySearch,
  spellings: readonly OtherSpelling[],
): { plan: PatternPlan; spellings: readonly OtherSpelling[] } | undefined {
  const planned = spellings.flatMap((spelling, index) => {
    const { change, counted } = spelling;
    const multiline = change.multiline === true || query.multiline;
    const fixedStrings = "fixedStrings" in change ? false : query.fixedStrings;
    const firstGroup = (index + 1) * GROUPS_PER_FORM + 1;
    try {
      const options = { ...query, patterns: counted, fixedStrings, multiline, firstGroup };
      return [{ spelling, plan: planPattern(options).plan }];
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      return []; // too large
    }
  });
  const [first] = planned;
  if (first === undefined) return undefined;
  const asked = first.plan.multiline === plan.multiline ? [plan] : [];
  const others = planned.map((one) => one.plan);
  const plans = [...asked, ...others];
  const each = plans.map((_, index) => planUnion(plans.slice(0, index + 1), []));
  // Lines that hold no other form are not even looked at.
  return { plan: planUnion(others, each), spellings: planned.map((one) => one.spelling) };
}

/** Why the pattern may find nothing; another program has its own readings of it. */
function readings({ beside, query }: EmptySearch): (Cause & { change: Change })[] {
  const { reading: own = [], form = [] } = Object.groupBy(
    readingCauses(query.patterns, query.fixedStrings),
    ({ kind }) => kind as "reading" | "form",
  );
  const spellings = spellingsOf(query).filter(({ form }) => form === undefined)
    .map((spelling) => ({ kind: "spelling" as const, ...spelling }));
  const others = beside?.readings.map(({ pattern, advice }) => {
    return { kind: "reading" as const, change: { pattern }, advice };
  });
  return [...form, ...spellings, ...others ?? own].map((cause, rank) => ({ ...cause, rank }));
}

function countedChange(cause: Cause & { change: Change }): Change {
  return cause.kind === "spelling" ? { ...cause.change, pattern: cause.counted } : cause.change;
}

class Union {
  readonly #search: EmptySearch;
  readonly #mayNarrow: boolean;
  readonly #plans: PatternPlan[] = [];
  readonly #known = new Set<string>();
  /** Changes that are planned in any letter case. */
  readonly #folded = new Set<string>();
  readonly #forms: Form[] = [];

  constructor(search: EmptySearch) {
    this.#search = search;
    this.#mayNarrow = search.query.patterns.some((pattern) => MAY_NARROW.test(pattern));
  }

  add(causes: readonly Cause[], change: Change): void {
    const inAnyCase = JSON.stringify(change).toLowerCase();
    const isKnown = this.#folded.has(inAnyCase);
    this.#folded.add(inAnyCase);
    const exact = this.#place(change, isKnown);
    if (exact === undefined) return;
    const folded = isKnown ? undefined : this.#place({ ...change, caseInsensitive: true });
    this.#forms.push({ causes, exact, ...(folded !== undefined && { folded }) });
  }

  /**
   * The place of a plan that differs from those before.
   *
   * @param isKnown whether it differs in letter case alone
   */
  #place(change: Change, isKnown = false): number | undefined {
    const { query } = this.#search;
    const pattern = change.pattern as string | readonly string[] | undefined;
    const options = {
      ...query,
      fixedStrings: ("fixedStrings" in change ? change : query).fixedStrings === true,
      multiline: change.multiline === true || query.multiline,
      patterns: pattern === undefined ? query.patterns : [pattern].flat(),
      caseInsensitive: change.caseInsensitive === true || query.caseInsensitive,
      firstGroup: this.#plans.length * GROUPS_PER_FORM + 1,
    };
    try {
      const { plan } = planPattern(options);
      const { source, flags } = keyOf(plan.locate.tree, plan.multiline);
      const key = `${flags}/${source}`;
      if (this.#known.has(key) || isKnown && flags.includes("i")) return undefined;
      this.#known.add(key);
      return this.#plans.push(plan) - 1;
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      return undefined; // not a pattern
    }
  }

  /** The forms with their plan: of as many as are not too large together, the first in any case. */
  planned(): FormUnion | undefined {
    for (const forms of [this.#forms, this.#forms.slice(0, 1)]) {
      const places = forms.flatMap(({ exact, folded = exact }) =>
        folded === exact || this.#mayNarrow ? [exact, folded] : [folded]
      );
      if (places.length === 0) return undefined;
      try {
        const branches = [...new Set(places)].map((place) => this.#plans[place]!);
        return { plan: planUnion(branches, this.#plans), forms };
      } catch (thrown) {
        if (!(thrown instanceof PathgrepError)) throw thrown;
      }
    }
    return undefined;
  }
}
