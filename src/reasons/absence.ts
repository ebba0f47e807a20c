/**
 * Why an answer is empty: one further pass finds the matches that the search left out, each with its causes.
 *
 * @module
 */

import { Guard } from "../guard/guard.ts";
import { isWithin } from "../util/path.ts";
import type { EngineReport, FileHit } from "../run/job.ts";
import type { BlockedBy } from "../walk/listing.ts";
import {
  askedPath,
  type Cause,
  causeOf,
  MatchesByCause,
  type MissedMatches,
  NameReading,
} from "./causes.ts";
import type { EmptySearch } from "./empty_search.ts";
import { type FilterProblem, filterProblem, isInclude } from "./filter_problem.ts";
import { type FormUnion, FurtherPass } from "./further_pass.ts";
import { MissingByCause, type MissingMatches } from "./not_shown.ts";
import { conventionGlobs } from "./spellings.ts";
import { alternativeGlobs } from "./query_alternatives.ts";

/** Causes that are intended in a search that finds something. */
const MEANT: readonly Cause["kind"][] = [
  ...["include", "includeCase", "exclude", "type", "typeNot"] as const,
  ...["depth", "elsewhere", "convention", "reading"] as const,
];

/** What a search has left out. */
export interface Absence {
  problem: FilterProblem | undefined;
  groups: readonly MissedMatches[];
  /** What was excluded and matches as it is written. */
  missing: MissingMatches;
  /** How many entries would have been searched if the guard did not block them, and what blocks them. */
  blocked: number;
  blockedBy: readonly BlockedBy[];
}

/**
 * Looks for what a search has left out.
 *
 * @throws {PathgrepError} `cancelled`
 */
export async function absenceIn(search: EmptySearch): Promise<Absence> {
  const pass = new FurtherPass(search);
  try {
    return await new Explanation(search, pass).absence();
  } finally {
    pass.close();
  }
}

/** A file in which a form of the pattern matches; `lineCount`: if matches are counted, the lines that hold some. */
type FormHit = FileHit & { lineCount?: number };

class Explanation {
  readonly #search: EmptySearch;
  readonly #pass: FurtherPass;
  readonly #missed = new MatchesByCause();
  readonly #missing: MissingByCause;
  /** The rest of the workspace. */
  readonly #elsewhere: readonly string[];
  readonly #bases: readonly string[];
  readonly #anyCase: NameReading | undefined;

  constructor(search: EmptySearch, pass: FurtherPass) {
    const { job: { files, walk }, query, workspace } = search;
    const { allow, deny, include } = query;
    this.#search = search;
    this.#pass = pass;
    this.#missing = new MissingByCause(search);
    // Who names files alone means these.
    const areFiles = walk.bases.length === 0 && files.length > 0;
    const blocked = new Guard({ workspace, allow, deny }).blockedRoots();
    this.#elsewhere = areFiles
      ? []
      : workspace.roots.filter((root) =>
        !blocked.has(root) && !walk.bases.some((base) => isWithin(base, root))
      );
    this.#bases = [...walk.bases, ...this.#elsewhere];
    this.#anyCase = query.isListing || include.length === 0
      ? undefined
      : new NameReading(query, include, this.#bases, []);
  }

  async absence(): Promise<Absence> {
    const pass = this.#pass;
    let report: EngineReport | undefined;
    let asked: FileHit[] = [];
    for (const [index, union] of (await pass.forms()).entries()) {
      const found = await pass.over(union.plan, this.#elsewhere);
      const hits = await this.#hitsByForm(union, found.hits);
      if (this.#search.query.isListing) await this.#addListed(found.hits);
      else this.#addMatches(union, hits);
      if (index > 0) continue;
      report = found.report;
      asked = hits[0] ?? [];
    }
    return {
      problem: report && await filterProblem(this.#search, pass, { asked, report }),
      groups: this.#missed.reported(),
      blocked: report === undefined ? 0 : report.skipped.blocked - report.gits,
      blockedBy: [...report?.blockedBy.values() ?? []],
      missing: { rows: this.#missing.rows(), isInPart: pass.isInPart },
    };
  }

  /** By the place of each plan, the files that it matches. */
  async #hitsByForm({ plan }: FormUnion, hits: readonly FileHit[]): Promise<FormHit[][]> {
    const { job, query } = this.#search;
    if (query.isListing || plan.each.length === 0) return [[...hits]];
    const linesOf = ({ patternCounts }: FileHit, place: number) =>
      Math.min(query.maxCount, patternCounts![place]!);
    if (job.lines.onlyMatching || plan.multiline) {
      // Other matches of a line or a file change how many there are of one.
      return await Promise.all(plan.each.map(async (one, place) => {
        const own = hits.filter(({ patternCounts }) => patternCounts![place]! > 0);
        const paths = [...new Set(own.map(({ path }) => path))];
        const found = paths.length === 0 ? [] : await this.#pass.in(paths, one);
        const counts = new Map(found.map(({ path, count }) => [path, count]));
        return withCounts(own, ({ path }) => counts.get(path) ?? 0)
          .map((hit) => plan.multiline ? hit : { ...hit, lineCount: linesOf(hit, place) });
      }));
    }
    return plan.each.map((_, place) => withCounts(hits, (hit) => linesOf(hit, place)));
  }

  /** Adds what each form matches, separated by whether letter case is a cause, too. */
  #addMatches({ forms }: FormUnion, hits: readonly FormHit[][]): void {
    // A file that the pattern itself finds has no need of another form.
    const asked = new Set(hits[0]?.map(({ path }) => path));
    for (const { causes, exact, folded } of forms) {
      const own = (hits[exact] ?? []).filter(({ path }) => exact === 0 || !asked.has(path));
      for (const hit of own) {
        this.#add(hit, causes);
        this.#missing.add({ ...hit, count: hit.lineCount ?? hit.count }, causes);
      }
      const paths = new Set(own.map(({ path }) => path));
      for (const hit of folded === undefined ? [] : hits[folded]!) {
        if (!paths.has(hit.path) && !asked.has(hit.path)) {
          this.#add(hit, [...causes, { kind: "case" }]);
        }
      }
    }
  }

  #add({ path, count, left = [], isIncomplete }: FileHit, causes: readonly Cause[]): void {
    const ofFile = left.flatMap((one): Cause[] => {
      if (one.reason !== "include") return [causeOf(one, path)];
      if (this.#search.query.isListing) return [];
      const differs = this.#anyCase?.of(askedPath({ path, left }))?.length === 1;
      return [{ kind: differs ? "includeCase" : "include" }];
    });
    const all = this.#besideCauses([...ofFile, ...causes], path);
    this.#missed.add(all, path, count, this.#pass.isInPart || isIncomplete === true);
  }

  /** The causes by the rules of another program, where it is one that searched. */
  #besideCauses(causes: readonly Cause[], path: string): readonly Cause[] {
    const { beside } = this.#search;
    if (beside === undefined) return causes;
    const own = beside.causesOf(causes, path);
    // Of a search that finds something, its filters and its place are what was meant.
    return beside.found && own.some(({ kind }) => MEANT.includes(kind)) ? [] : own;
  }

  /** Matches listed files against the globs that may have been meant. */
  async #addListed(hits: readonly FileHit[]): Promise<void> {
    const { query } = this.#search;
    const [glob = "", ...more] = query.include;
    const only = (globs: string[]) =>
      more.length > 0 ? [] : globs.filter((glob) => isInclude(query, glob));
    const readingOf = (globs: readonly string[], ...causes: Cause[]) =>
      new NameReading(query, globs, this.#bases, causes);
    const asked = readingOf(query.include);
    const others = only(alternativeGlobs(glob, query.paths[0])).map((glob, rank) =>
      readingOf([glob], { kind: "reading", change: { include: glob }, rank })
    );
    const globs = only(conventionGlobs(glob));
    const anyConvention = readingOf(globs);
    const conventions = globs.map((glob) =>
      readingOf([glob], { kind: "convention", change: { include: glob } })
    );
    for (const hit of hits) {
      if (!await this.#pass.goesOn()) return;
      const place = askedPath(hit);
      const isNamed = conventions.length > 0 && anyConvention.of(place) !== undefined;
      for (const reading of [asked, ...isNamed ? conventions : [], ...others]) {
        const causes = reading.of(place);
        if (causes !== undefined) this.#add(hit, causes);
        if (causes?.length === 0) this.#missing.add(hit);
        if (causes?.length === 0) break;
      }
    }
  }
}

function withCounts(hits: readonly FileHit[], countOf: (hit: FileHit) => number): FileHit[] {
  return hits.map((hit) => ({ ...hit, count: countOf(hit) })).filter(({ count }) => count > 0);
}
