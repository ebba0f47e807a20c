/**
 * The forms of a pattern that a further pass looks for, all of them at once: as it was asked for, in other
 * letter case, naming conventions and normal forms, and by other readings.
 *
 * @module
 */

import type { PatternPlan } from "../regex/pattern_plan.ts";
import { planPattern, planUnion } from "../regex/plan.ts";
import { toSource } from "../regex/printer.ts";
import type { Change } from "../search/query.ts";
import { PathgrepError } from "../util/errors.ts";
import type { Cause } from "./causes.ts";
import type { EmptySearch } from "./empty_search.ts";
import { conventionChanges, type OtherSpelling, spellingsOf } from "./spellings.ts";
import { readingCauses } from "./query_alternatives.ts";

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
export function mayWiden({ query }: EmptySearch): boolean {
  return !query.isListing && !query.invert && !query.filesWithoutMatch;
}

/**
 * The forms of a pattern, those that may span lines apart from the others.
 *
 * @param inTurn plans a form, or returns nothing where there is no time for it
 */
export async function formUnions(
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
      const { source, flags } = toSource(plan.locate.tree, plan.multiline);
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
