/**
 * Why an answer is empty: repeats the search without what may have hidden matches, and attributes
 * each match that it finds to its causes.
 *
 * First it repeats the search without its filters, in either letter case, in every naming convention, and
 * with other readings of the pattern. Then it searches what was excluded, and the rest of the workspace. All
 * of it ends when the time is up.
 *
 * @module
 */

import { Guard } from "../guard/guard.ts";
import { PathgrepError } from "../util/errors.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { planPattern } from "../regex/plan.ts";
import type { EngineReport, FileHit, SearchJob, SkippedPath } from "../scan/job.ts";
import type { LeftOutEntry } from "../scan/listing.ts";
import { Walker } from "../scan/walker.ts";
import { innermost } from "../paths/workspace.ts";
import { basename } from "../util/path.ts";
import { isWithin } from "../paths/paths.ts";
import type { Change } from "../search/callers.ts";
import { type Cause, MatchesByCause, NameReading, NO_FILTER, PathCauses } from "./causes.ts";
import { namedRules, rulesSaid } from "./answer_scope.ts";
import { blockedNotes, notesOn } from "./cause_notes.ts";
import { filesByEncoding } from "./encoding_hints.ts";
import { filterProblem, isInclude } from "./filter_problem.ts";
import { askedPath, holderOf, type Scope, scopeBehind, sizeLimit, withEntries } from "./scope.ts";
import { type EmptySearch, type Pass, Probe } from "./probe.ts";
import { conventionChanges, conventionGlobs } from "./naming_conventions.ts";
import { alternativeGlobs, readingCauses } from "./query_alternatives.ts";

/** The most links that are followed to see where they lead. */
const MAX_LINKS = 64;
/** Listed files that are matched against globs before others get their turn. */
const FILES_PER_TURN = 64;
/** Causes that are filters. */
const FILTERS: readonly Cause["kind"][] = ["include", "includeCase", "exclude", "type", "typeNot"];
/** Causes that are intended in a search that finds something. */
const MEANT: readonly Cause["kind"][] = [...FILTERS, "depth", "elsewhere", "convention", "reading"];
/** Parts of a pattern that may match less once letter case is ignored. */
const MAY_NARROW = /\[\^|--|\(\?<?!|\\P/;

/**
 * The reasons as notes; none if there is nothing to find.
 *
 * @throws {PathgrepError} `cancelled`
 */
export async function explain(search: EmptySearch): Promise<AbsenceNotes> {
  const probe = new Probe(search);
  try {
    return await new Explanation(search, probe).notes();
  } finally {
    probe.close();
  }
}

/** Why an answer is empty. */
interface AbsenceNotes {
  reasons: string[];
  /** What the guard blocks, if anything. */
  blocked: string[];
}

type PassResult = Pick<Pass, "hits" | "isCut">;

interface Variant {
  plan: PatternPlan;
  causes: readonly Cause[];
}

/** A reading of the pattern, as it is and, where that differs, in any letter case. */
interface PatternReading {
  exact: Variant;
  folded?: Variant;
}

class Explanation {
  readonly #search: EmptySearch;
  readonly #probe: Probe;
  readonly #walker: Walker;
  readonly #missed = new MatchesByCause();
  #asked: PatternReading;
  #readings: PatternReading[] = [];
  /** The pattern as it is and in every naming convention, in any letter case. */
  #anyConvention: PatternPlan | undefined;
  /** The pattern in other naming conventions, planned once one of them is found. */
  #conventions: PatternReading[] | undefined;
  readonly #globs: readonly string[];
  readonly #conventionGlobs: readonly string[];
  /** Whether a pattern may match less once letter case is ignored. */
  readonly #mayNarrow: boolean;

  constructor(search: EmptySearch, probe: Probe) {
    const { isListing, job, settings } = search;
    this.#search = search;
    this.#probe = probe;
    this.#walker = new Walker(job.walk);
    this.#mayNarrow = settings.patterns.some((pattern) => MAY_NARROW.test(pattern));
    this.#asked = { exact: { plan: job.plan, causes: [] } };
    const [glob = "", ...more] = settings.include;
    const globs = isListing && more.length === 0 ? alternativeGlobs(glob, settings.paths[0]) : [];
    this.#globs = globs.filter((glob) => isInclude(settings, glob));
    this.#conventionGlobs = (isListing && more.length === 0 ? conventionGlobs(glob) : [])
      .filter((glob) => isInclude(settings, glob));
  }

  /** Whether a wider pattern may find more: not where lines or files without a match are wanted. */
  get #mayWiden(): boolean {
    const { isListing, settings } = this.#search;
    return !isListing && !settings.invert && !settings.filesWithoutMatch;
  }

  /** Plans the readings of the pattern. Each takes a while where that is long. */
  async #read(): Promise<void> {
    if (!this.#mayWiden) return;
    const { fixedStrings, patterns } = this.#search.settings;
    this.#asked = await this.#readingOf(this.#asked.exact, {});
    const changes = conventionChanges(patterns, fixedStrings);
    if (changes.length > 0) {
      const others = changes.flatMap(({ pattern }) => pattern as string | readonly string[]);
      const change = { pattern: [...patterns, ...others], caseInsensitive: true };
      const any = await this.#probe.inTurn(() => this.#variant(change, []));
      this.#anyConvention = any && { ...any.plan, each: [] };
    }
    for (const cause of this.#readingCauses()) {
      const { change } = cause;
      const exact = await this.#probe.inTurn(() => this.#variant(change, [cause]));
      if (exact !== undefined) this.#readings.push(await this.#readingOf(exact, change));
    }
  }

  /** Why the pattern may find nothing; another program has its own readings of it. */
  #readingCauses(): (Cause & { change: Change })[] {
    const { beside, settings: { fixedStrings, patterns } } = this.#search;
    const causes = readingCauses(patterns, fixedStrings);
    if (beside === undefined) return causes;
    const own = beside.readings.map(({ pattern, advice }, rank) => {
      return { kind: "reading" as const, change: { pattern }, advice, rank };
    });
    return [...causes.filter(({ kind }) => kind !== "reading"), ...own];
  }

  /** The pattern in other naming conventions, of which some differ in letter case alone. */
  async #readConventions(): Promise<readonly PatternReading[]> {
    if (this.#conventions !== undefined) return this.#conventions;
    const { fixedStrings, patterns } = this.#search.settings;
    const readings: PatternReading[] = [];
    const folded = new Set<string>();
    for (const change of conventionChanges(patterns, fixedStrings)) {
      const cause: Cause = { kind: "convention", change };
      const exact = await this.#probe.inTurn(() => this.#variant(change, [cause]));
      if (exact === undefined) continue;
      const reading = await this.#readingOf(exact, change);
      const key = JSON.stringify(change).toLowerCase();
      if (!folded.has(key)) readings.push(reading);
      else if (reading.folded !== undefined) readings.push({ exact });
      folded.add(key);
    }
    return this.#conventions = readings;
  }

  /** A variant, and the same where letter case does not count. */
  async #readingOf(exact: Variant, change: Change): Promise<PatternReading> {
    const causes: Cause[] = [...exact.causes, { kind: "case" }];
    const folded = await this.#probe.inTurn(() =>
      this.#variant({ ...change, caseInsensitive: true }, causes)
    );
    return folded === undefined || isSamePattern(folded.plan, exact.plan)
      ? { exact }
      : { exact, folded };
  }

  /** A plan that differs from that of the search. */
  #variant(change: Change, causes: readonly Cause[]): Variant | undefined {
    const { job, settings } = this.#search;
    const fixedStrings = ("fixedStrings" in change ? change : settings).fixedStrings === true;
    const multiline = change.multiline === true || settings.multiline;
    const pattern = change.pattern as string | readonly string[] | undefined;
    const patterns = pattern === undefined ? settings.patterns : [pattern].flat();
    const caseInsensitive = change.caseInsensitive === true || settings.caseInsensitive;
    try {
      const options = { ...settings, fixedStrings, patterns, caseInsensitive, multiline };
      const { plan } = planPattern(options);
      return isSamePattern(plan, job.plan) ? undefined : { plan, causes };
    } catch (thrown) {
      if (!(thrown instanceof PathgrepError)) throw thrown;
      return undefined; // not a pattern
    }
  }

  async notes(): Promise<AbsenceNotes> {
    const { job, isListing } = this.#search;
    await this.#read();
    const problem = isListing ? undefined : await filterProblem(this.#search, this.#probe);
    const asked = this.#scopeOf(job.walk.bases, { files: job.files, isAsked: true });
    const report = await this.#searchIn(asked);
    const blocked = this.#blockedIn(asked, report);
    await this.#searchExcluded(asked, report);
    const elsewhere = this.#elsewhere();
    if (elsewhere !== undefined) {
      await this.#searchExcluded(elsewhere, await this.#searchIn(elsewhere));
    }
    const reasons = notesOn({
      ...this.#search,
      groups: this.#missed.reported(),
      problem,
      stoppedAfter: this.#probe.stoppedAfter,
    });
    const rules = namedRules(blocked.flatMap(({ by }) => by ?? []), this.#search);
    return { reasons, blocked: blockedNotes(blocked.length, rulesSaid(rules)) };
  }

  /** The rest of the workspace. */
  #elsewhere(): Scope | undefined {
    const { job, settings, workspace } = this.#search;
    const apart = job.walk.bases;
    const { allow, deny } = settings;
    const blocked = new Guard({ workspace, allow, deny }).blockedRoots();
    const directories = workspace.roots
      .filter((root) => !blocked.has(root) && !apart.some((base) => isWithin(base, root)));
    if (directories.length === 0) return undefined;
    return this.#scopeOf(directories, { apart, causes: [{ kind: "elsewhere" }] });
  }

  #scopeOf(directories: readonly string[], more: Partial<Scope>): Scope {
    return {
      directories,
      files: [],
      isAsked: false,
      apart: [],
      ignore: this.#search.settings.ignore,
      maxFileSize: this.#search.job.maxFileSize,
      causes: [],
      entries: new Map(),
      bases: directories,
      rules: this.#rulesBelow(directories),
      ...more,
    };
  }

  /** Finds what excludes an entry of a walk; each is looked up once. */
  #rulesBelow(bases: readonly string[]): Scope["rules"] {
    const walker = new Walker({ ...this.#search.job.walk, bases });
    const known = new Map<LeftOutEntry, ReturnType<Scope["rules"]>>();
    return (entry) =>
      known.getOrInsertComputed(entry, ({ isDirectory, link, path }) => {
        const named = link ?? path;
        const base = bases.indexOf(innermost(bases, named) ?? "");
        if (base < 0) return { rule: undefined, isWorktree: false };
        return {
          rule: walker.ignoredBy(named, isDirectory, base),
          isWorktree: isDirectory && walker.isWorktree({ path, base, depth: 1 }),
        };
      });
  }

  /** Searches what the walk of a scope excluded, and what that excludes in turn. */
  async #searchExcluded(scope: Scope, report: EngineReport | undefined): Promise<void> {
    if (report === undefined) return;
    for (const left of await this.#leftBy(scope, report)) {
      await this.#searchExcluded(left, await this.#searchIn(left));
    }
  }

  async #leftBy(scope: Scope, { leftOut, skippedPaths = [] }: EngineReport): Promise<Scope[]> {
    const { job } = this.#search;
    const scopes: Scope[] = [];
    const none = { directories: [], files: [], isAsked: false };
    const add = (cause: Cause, more: Partial<Scope>) =>
      scopes.push({ ...scope, ...none, ...more, causes: [...scope.causes, cause] });
    const ignored = leftOut.filter(({ reason }) => reason === "ignored");
    const [entry] = ignored;
    if (entry !== undefined) {
      const directories = ignored.filter(({ isDirectory }) => isDirectory).map(({ path }) => path);
      // Several links may lead to one file.
      const isOwn = ({ path, link }: LeftOutEntry) =>
        link === undefined || !directories.some((directory) => isWithin(directory, path));
      const files = ignored.filter((one) => !one.isDirectory && isOwn(one)).map(({ path }) => path);
      const entries = withEntries(scope, ignored);
      const of = { directories, files: [...new Set(files)], ignore: false, entries };
      add({ kind: "ignored", entry }, of);
    }
    const skipped = (reason: SkippedPath["reason"]) =>
      skippedPaths.filter((skipped) => skipped.reason === reason).map(({ path }) => path);
    const addFiles = (files: readonly string[], cause: Cause, more: Partial<Scope>) => {
      if (files.length > 0) add(cause, { ...more, files });
    };
    addFiles(skipped("too_large"), { kind: "size" }, { maxFileSize: Infinity });
    const [coded, binary] = [skipped("not_utf8"), skipped("binary")];
    for (const { files, ...likely } of await filesByEncoding(coded, binary, this.#probe, job)) {
      const limit = sizeLimit(scope, files);
      addFiles(files, { kind: "encoding", ...likely }, { ...limit, encoding: likely.label });
    }
    if (this.#mayWiden) {
      addFiles(binary, { kind: "binary" }, { ...sizeLimit(scope, binary), isAnyText: true });
    }
    const worktrees = skipped("worktrees")
      .map((path) => ({
        path: path.slice(0, -1),
        isDirectory: true,
        reason: "worktrees" as const,
      }));
    const [worktree] = worktrees;
    if (worktree !== undefined) {
      const directories = worktrees.map(({ path }) => path);
      const entries = withEntries(scope, worktrees);
      add({ kind: "worktree", entry: worktree }, { directories, entries });
    }
    const links = leftOut.filter(({ reason }) => reason === "symlinks");
    if (scope.link !== undefined) return scopes;
    return [...scopes, ...links.slice(0, MAX_LINKS).flatMap((entry) => this.#behind(entry, scope))];
  }

  /** What a link leads to, if that is in the workspace but not in what is searched anyway. */
  #behind(entry: LeftOutEntry, scope: Scope): Scope[] {
    const found = this.#walker.linkTarget(entry.path);
    if (found === undefined) return [];
    const isSearched = [...scope.bases, ...scope.apart].some((base) => isWithin(base, found.path));
    return isSearched ? [] : [scopeBehind(scope, entry, found)];
  }

  /** Searches a scope; what its walk excluded is in the report. */
  async #searchIn(scope: Scope): Promise<EngineReport | undefined> {
    // Many files are binary, and seldom what is meant.
    const isSeldomMeant = scope.isAnyText === true;
    const plan = isSeldomMeant ? undefined : this.#anyConvention;
    const report = plan === undefined
      ? await this.#searchWith(this.#asked, scope)
      : await this.#searchConventions(plan, scope);
    const readings = isSeldomMeant ? [] : this.#readings;
    for (const reading of readings) {
      if (this.#missed.hasReading || !this.#probe.hasTime) break;
      await this.#searchWith(reading, scope);
    }
    return report;
  }

  async #searchWith(reading: PatternReading, scope: Scope) {
    const pass = await this.#pass(scope, reading.folded ?? reading.exact);
    if (this.#search.isListing) await this.#addListed(scope, pass);
    else await this.#addHits(reading, scope, pass);
    return pass.report;
  }

  /** Searches for every naming convention at once: one pass, as without them, if nothing is there. */
  async #searchConventions(plan: PatternPlan, scope: Scope) {
    const pass = await this.#pass(scope, { plan, causes: [] });
    // Other conventions may have left no room for the pattern as it is.
    if (pass.isFull) await this.#searchWith(this.#asked, scope);
    const others = pass.hits.length === 0 ? [] : await this.#readConventions();
    const readings = pass.isFull ? others : [this.#asked, ...others];
    const variants = readings.flatMap(({ exact, folded }) => folded ? [exact, folded] : [exact]);
    const found = await this.#hitsOfEach(scope, pass, variants);
    for (const reading of readings) {
      const of = (variant: Variant) => found[variants.indexOf(variant)]!;
      await this.#addHits(reading, scope, of(reading.folded ?? reading.exact), of(reading.exact));
    }
    return pass.report;
  }

  /** Adds what a reading finds in any letter case, separated by whether letter case is the cause. */
  async #addHits(
    { exact, folded }: PatternReading,
    scope: Scope,
    pass: PassResult,
    known?: PassResult,
  ) {
    if (folded === undefined) return this.#add(scope, pass, exact.causes);
    const own = known ?? await this.#hitsIn(scope, pass.hits, exact);
    const paths = new Set(own.hits.map(({ path }) => path));
    const isOther = ({ path }: FileHit) => !paths.has(path);
    const isCut = pass.isCut || own.isCut;
    this.#add(scope, { hits: own.hits, isCut }, exact.causes);
    // In what was not looked at again, letter case may not be the cause.
    if (!own.isCut) this.#add(scope, { hits: pass.hits.filter(isOther), isCut }, folded.causes);
    if (this.#mayNarrow) {
      const { hits, isCut } = await this.#pass(scope, exact);
      this.#add(scope, { hits: hits.filter(isOther), isCut }, exact.causes);
    }
  }

  #pass(scope: Scope, { plan }: Variant): Promise<Pass> {
    const { isListing, job } = this.#search;
    const { directories, files, ignore, isAsked, maxFileSize, apart } = scope;
    const isMet = !isAsked && !isListing;
    return this.#probe.run({
      plan,
      files: isMet ? [] : files,
      maxFileSize,
      ...decodingOf(scope),
      walk: {
        ...job.walk,
        bases: directories,
        apart,
        ignore,
        hidden: true,
        maxDepth: Infinity,
        filter: { ...job.walk.filter, ...NO_FILTER },
        tellsLeftOut: true,
      },
    }, {
      isList: isListing,
      isKept: isAsked,
      met: isMet ? files : undefined,
      // Few of the listed files have a matching name.
      ...(isListing ? { max: Infinity } : {}),
    });
  }

  /** What each variant matches in the files of a pass that holds all of them. */
  async #hitsOfEach(
    scope: Scope,
    { hits: found, isCut }: PassResult,
    variants: readonly Variant[],
  ): Promise<PassResult[]> {
    const { job: { lines }, settings } = this.#search;
    if (lines.onlyMatching || settings.multiline || settings.maxCount < Infinity) {
      // Other matches of a line or a file change how many there are of one.
      const results: PassResult[] = [];
      for (const variant of variants) {
        const own = await this.#hitsIn(scope, found, variant);
        results.push({ hits: own.hits, isCut: own.isCut || isCut });
      }
      return results;
    }
    const plan = { ...this.#anyConvention!, each: variants.map(({ plan }) => plan) };
    const all = await this.#hitsIn(scope, found, { plan, causes: [] });
    return variants.map((_, index) => ({
      hits: all.hits.map((hit) => ({ ...hit, count: hit.patternCounts![index]! }))
        .filter(({ count }) => count > 0),
      isCut: all.isCut || isCut,
    }));
  }

  /** What a variant matches in files that were found. */
  async #hitsIn(scope: Scope, found: readonly FileHit[], { plan }: Variant): Promise<PassResult> {
    if (found.length === 0) return { hits: [], isCut: false };
    const walk = { ...this.#search.job.walk, bases: [] };
    const met = found.map(({ path }) => path);
    const change = { plan, walk, files: [], maxFileSize: Infinity, ...decodingOf(scope) };
    return await this.#probe.run(change, { isList: false, isKept: false, met });
  }

  #add(scope: Scope, { hits, isCut }: PassResult, causes: readonly Cause[]): void {
    const paths = new PathCauses(this.#search.settings, scope.bases, true);
    for (const { path, count } of hits) {
      const isNamed = this.#search.job.files.includes(path);
      const ofPath = isNamed ? [] : paths.of(askedPath(scope, path));
      this.#addOne(scope, path, count, [...ofPath, ...causes], isCut);
    }
  }

  #addOne(scope: Scope, path: string, count: number, causes: readonly Cause[], isCut: boolean) {
    const ofScope = scope.causes.flatMap((cause): Cause[] => {
      if (cause.kind !== "ignored" && cause.kind !== "worktree") return [cause];
      const entry = holderOf(path, scope, cause.entry);
      if (cause.kind === "worktree") return [{ ...cause, entry }];
      const { rule, isWorktree } = scope.rules(entry);
      const ignored: Cause = { kind: "ignored", entry, rule };
      return isWorktree ? [ignored, { kind: "worktree", entry }] : [ignored];
    });
    this.#missed.add(this.#besideCauses([...ofScope, ...causes], path, scope), path, count, isCut);
  }

  /** The causes by the rules of another program, where it is one that searched. */
  #besideCauses(causes: readonly Cause[], path: string, { bases }: Scope): readonly Cause[] {
    const { beside } = this.#search;
    if (beside === undefined) return causes;
    const own = beside.causesOf(causes, path, bases);
    // Of a search that finds something, its filters and its place are what was meant.
    return beside.found && own.some(({ kind }) => MEANT.includes(kind)) ? [] : own;
  }

  /** Matches listed files against the globs that may have been meant. */
  async #addListed(scope: Scope, { hits, isCut }: PassResult): Promise<void> {
    const { settings } = this.#search;
    const rest = new PathCauses({ ...settings, include: [] }, scope.bases);
    const asked = new NameReading(settings, settings.include, scope.bases, []);
    const readingOf = (glob: string, cause: Cause) =>
      new NameReading(settings, [glob], scope.bases, [cause]);
    const others = this.#globs.map((glob, rank) =>
      readingOf(glob, { kind: "reading", change: { include: glob }, rank })
    );
    const anyConvention = new NameReading(settings, this.#conventionGlobs, scope.bases, []);
    const conventions = this.#conventionGlobs.map((glob) =>
      readingOf(glob, { kind: "convention", change: { include: glob } })
    );
    for (const [index, { path }] of hits.entries()) {
      if (index % FILES_PER_TURN === 0 && await this.#probe.inTurn(() => true) !== true) return;
      const place = askedPath(scope, path);
      const ofRest = rest.of(place);
      const isNamed = conventions.length > 0 && anyConvention.of(place) !== undefined;
      for (const reading of [asked, ...isNamed ? conventions : [], ...others]) {
        const causes = reading.of(place);
        if (causes !== undefined) this.#addOne(scope, path, 1, [...ofRest, ...causes], isCut);
        if (causes?.length === 0) break;
      }
    }
  }

  /** The entries that would be searched if the guard did not block them. */
  #blockedIn(scope: Scope, report: EngineReport | undefined): LeftOutEntry[] {
    const paths = new PathCauses(this.#search.settings, scope.bases);
    return (report?.leftOut ?? []).filter(({ path, reason, isDirectory }) =>
      reason === "blocked" && basename(path) !== ".git" && paths.of(path, isDirectory).length === 0
    );
  }
}

/** What a scope changes in how files are decoded. */
function decodingOf({ encoding, isAnyText }: Scope): Partial<SearchJob> {
  return { ...(encoding && { encoding }), ...(isAnyText === undefined ? {} : { isAnyText }) };
}

function isSamePattern(
  { locate: { source: a } }: PatternPlan,
  { locate: { source: b } }: PatternPlan,
) {
  return a.source === b.source && a.flags === b.flags;
}
