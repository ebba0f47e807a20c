/**
 * Builds the answer: its entries, notes and totals, within its budget.
 *
 * @module
 */

import { compareByBytes, dirname } from "../util/path.ts";
import { cancelled } from "../util/errors.ts";
import { Slices } from "../util/pulse.ts";
import { ESCAPES_NOTE, isEscaped } from "../util/text.ts";
import { entriesIn, type HitLine } from "../read/hit_lines.ts";
import { type EngineReport, type FileHit, STDIN } from "../run/job.ts";
import { FILTER_KEYS, type FilterOptions, NOTED } from "../walk/listing.ts";
import type { AnswerBudget } from "../answer/budget.ts";
import type { SkipNotes } from "../reasons/skip_notes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  collectedPage,
  type Collector,
  MOST_ORDERED,
  patternCountsOf,
  roomFor,
} from "./collector.ts";
import type { Audience } from "./search_context.ts";
import type { Note, NoteOrText, StandingNote } from "../notes/words.ts";
import type { Query } from "../query/query.ts";
import type { Targets } from "./targets.ts";
import type { EmptySearch } from "../reasons/empty_search.ts";
import { MAX_CONTEXT, type PreparedSearch, voiceFor } from "./prepare.ts";
import {
  type AnswerFrame,
  buildResult,
  countOfFiles,
  type DirectoryCount,
  entriesOf,
  entriesOfFiles,
  keyOfEntries,
  type ShownFile,
  shownFile,
  statsOf,
  type Total,
} from "../answer/result_builder.ts";
import type { SearchResult } from "../answer/result.ts";
import { encloserFor, type Findings, isInDependencies } from "./scan.ts";
import { WorkerPool } from "../run/worker_pool.ts";
import type { Missing } from "./missing.ts";
import type { ValuePage } from "./answer_order.ts";

/** @throws {PathgrepError} `search_too_broad`; `search_timed_out` with what was found until then */
export async function answer(search: PreparedSearch, found: Findings): Promise<SearchResult> {
  const { query, audience: { form }, mayShorten } = search;
  const { collector, timeout } = found;
  // Too many matches are the error even if time ran out while they were counted.
  const broad = collector.isTooBroad ? await tooBroad(search, found) : undefined;
  const failure = broad ?? timeout;
  // Of values, there are the most frequent of those found so far.
  if (failure !== undefined && (broad === undefined || found.values?.isFull)) {
    const { withPartial } = await import("../answer/budget.ts");
    const partial = form?.partial ?? form;
    throw await withPartial(failure, query, partial, (budget) => build(search, found, budget));
  }
  if (broad !== undefined) throw broad;
  return await build(search, found, { chars: query.maxOutputChars, mayShorten, form });
}

/** What the pages of an answer have in common. */
type FrameOfPages = Omit<AnswerFrame, "truncated" | "patternCounts"> & {
  patternCounts: ((shown: number, hits: readonly FileHit[]) => number[]) | undefined;
};

/** The entries of a page. */
interface Layout {
  readonly hits: FileHit[];
  readonly truncated: boolean;
  readonly notes: readonly string[];
}

/** The page, and the one that takes its place where that does not fit. */
async function* layoutsOf(
  search: PreparedSearch,
  { collector, report }: Findings,
  hits: FileHit[],
): AsyncGenerator<Layout> {
  const { isOrdered, audience, job } = search;
  const { isCut, total } = collector;
  const offset = offsetAmongHits(search);
  if (!isOrdered) return yield { hits, truncated: isCut, notes: [] };
  const room = roomFor(search.query);
  const all = entriesOfHits(hits);
  const isWhole = !isCut && !total.isLeast && report !== undefined;
  if (isWhole && search.query.offset === 0 && all <= room) {
    yield { hits, truncated: false, notes: [] };
  }
  const { inRounds, pageOf } = await import("./answer_order.ts");
  const ordered = isWhole && total.count <= MOST_ORDERED
    ? inRounds(hits, await definitionsAmong(search, hits), job.lines)
    : hits;
  const page = pageOf(ordered, offset, room, job.lines);
  const truncated = isCut || all > offset + room;
  const notes = ordered === hits
    ? total.count > MOST_ORDERED
      ? [{ reason: "path_order" as const, values: { most: MOST_ORDERED } }]
      : []
    : page.filter(({ more }) => more).slice(0, 1).map(({ path }) => ({
      reason: "file_in_rounds" as const,
      values: { path: search.options.workspace.display(path) },
    }));
  yield { hits: page, truncated, notes: await sentencesFor(audience, notes) };
}

/** The entries of the hits that come before the page: none, unless the hits are yet to be ordered. */
function offsetAmongHits(search: PreparedSearch): number {
  return search.query.offset - collectedPage(search).offset;
}

async function build(
  search: PreparedSearch,
  found: Findings,
  budget: AnswerBudget,
): Promise<SearchResult> {
  const { query, options, job } = search;
  const { collector, streamed, report } = found;
  const hits = collector.handOut();
  const values = await valuesOf(search, found);
  const base = await frameOfPages(search, found, hits, values);
  let page: { files: readonly ShownFile[]; frame: AnswerFrame } | undefined;
  for await (const layout of layoutsOf(search, found, hits)) {
    const enclosed = await enclosedHits(search, layout.hits);
    const files = values?.shown ??
      enclosed.map((hit) => shownFile(hit, query, job.lines, options.workspace));
    const { truncated, notes } = layout;
    const patternCounts = base.patternCounts &&
      ((shown: number) => base.patternCounts!(shown, layout.hits));
    const frame = { ...base, truncated, notes: [...base.notes, ...notes], patternCounts };
    const isNoted = search.audience.showsEscapes === true && hasEscape(files, frame);
    page = { files, frame: isNoted ? withEscapesNote(frame) : frame };
    if (budget.chars !== Infinity) {
      page = (await import("../answer/budget.ts")).fitAnswer(
        page,
        query,
        budget,
        await voiceFor(search.audience),
      );
    }
    if (!page.frame.truncated) break;
  }
  const { files, frame } = page!;
  if (options.onFile === undefined) {
    // JSON has the list of entries; a tool may say what stands for them.
    const result = buildResult(files, frame, query, budget.form?.entries?.(files));
    if (budget.form?.entries !== undefined) return result;
    return { ...result, [keyOfEntries(result)]: [...entriesOf(files)] };
  }
  files.forEach(options.onFile);
  const shown = streamed?.entries ?? entriesOfFiles(files);
  const count = streamed?.count ?? countOfFiles(files);
  // An error has no list of the entries that were streamed.
  const entries = report === undefined || collector.isTooBroad ? {} : undefined;
  return { ...buildResult([], { ...frame, shown }, query, entries), count };
}

/** An answer without its entries, the same on every page but for what these say. */
async function frameOfPages(
  search: PreparedSearch,
  found: Findings,
  hits: readonly FileHit[],
  values: ValuePage | undefined,
): Promise<FrameOfPages> {
  const { query, options, audience, targets, countedPatterns } = search;
  const { collector, streamed, report } = found;
  const directories = await directoriesBeside(search, report);
  const isPageEmpty = hits.length === 0 ||
    search.isOrdered && entriesOfHits(hits) <= offsetAmongHits(search);
  const isEmpty = isPageEmpty && !values?.shown.length && !streamed?.entries &&
    directories === undefined;
  // With an empty page, the caller would never advance.
  if (collector.isTooLong && isEmpty) throw await tooBroad(search, found);
  const missing = await whatIsMissing(search, found, isEmpty && !collector.isCut);
  return {
    basePaths: targets.basePaths,
    directories,
    listsDirectories: hits[0]?.isDirectory,
    total: report === undefined ? { ...collector.total, isLeast: true } : collector.total,
    patternCounts: countedPatterns === 0
      ? undefined
      : (shown, hits) =>
        streamed?.patternCounts ?? values?.patternCounts(shown, countedPatterns) ??
          patternCountsOf(hits, shown, countedPatterns, query.outputMode),
    topDirectories: topDirectories(search, collector),
    scope: audience.isAgent ? await scopeOfAnswer(search, found) : undefined,
    notes: await notesOnSearch(search, found, hits, missing.notes),
    notShown: missing.notShown,
    engineNotes: await sentencesFor(audience, report?.notes ?? []),
    stats: query.stats && report !== undefined
      ? statsOf(
        report,
        filesMatched(search, found),
        performance.now() - search.started,
        options.isResident,
      )
      : undefined,
  };
}

/** @param missing the last of the notes */
async function notesOnSearch(
  search: PreparedSearch,
  { collector, streamed, report }: Findings,
  hits: readonly FileHit[],
  missing: readonly NoteOrText[],
): Promise<string[]> {
  const { audience } = search;
  const inDependencies = streamed?.dependencies ??
    new Set(hits.map(({ path }) => path).filter(isInDependencies));
  const { standingNotes: standing = textsOfNotes } = audience;
  const isPart = collector.isCut && collector.total.isLeast;
  const { named, met } = await notesOfSkips(report, search, isPart);
  const onQuery = await sentencesFor(audience, await notesOnQuery(search));
  const onSkips = audience.isAgent ? met.filter(isNotInScope) : met;
  return await sentencesFor(audience, [
    ...onQuery,
    ...(report === undefined ? [] : await notesOnExcludes(search, onQuery)),
    ...standing(await standingNotesFor(audience, await dependencyNotesOn(search, inDependencies))),
    ...named,
    ...standing(await standingNotesFor(audience, onSkips)),
    ...missing,
  ]);
}

async function valuesOf({ query }: PreparedSearch, { values }: Findings) {
  if (values === undefined) return undefined;
  return (await import("./answer_order.ts")).valuePage(values, query);
}

async function scopeOfAnswer(search: PreparedSearch, found: Findings) {
  const { query: { isListing }, options: { workspace }, job, targets } = search;
  const { collector, report } = found;
  if (report === undefined) return undefined;
  const { scopeOf } = await import("../reasons/answer_scope.ts");
  const isWhole = !collector.total.isLeast &&
    !targets.notes.some(({ reason }) => NOT_OPENED.test(reason));
  const context = { workspace, job, isListing, isWhole };
  return scopeOf(report, filesMatched(search, found), context);
}

/** The reasons why a place that was to be searched was not. */
const NOT_OPENED = /^(?:root|workspace)_(?:blocked|in_part)$|^place_not_searched$/;

/** What a search for everything says that found nothing: the first note, unless the scope says it. */
async function notesOnEverything(search: PreparedSearch, found: Findings): Promise<string[]> {
  const { query: { isListing }, job, audience } = search;
  const isSaid = audience.isAgent && audience.saysNotShown || isListing ||
    found.collector.total.files > 0;
  if (!job.further?.isAsked || isSaid) return [];
  const { scopeLine } = await import("../reasons/answer_scope.ts");
  const scope = await scopeOfAnswer(search, found);
  const leftOut = { ...scope!.left_out, blocked_rules: [], names: {} };
  return [scopeLine({ ...scope!, left_out: leftOut }, false, await voiceFor(search.audience))];
}

/** The directories that a finder names beside files, on the first page. */
async function directoriesBeside(
  { query, options }: PreparedSearch,
  report?: EngineReport,
) {
  if (report === undefined || report.directories.length === 0 || query.offset > 0) return;
  const { namedDirectories } = await import("../reasons/answer_scope.ts");
  const display = (path: string) => query.relativePaths ? options.workspace.display(path) : path;
  return namedDirectories(report, display);
}

/** Whether the text of an answer has an escape. */
function hasEscape(
  files: readonly ShownFile[],
  { directories, notes, scope }: AnswerFrame,
): boolean {
  const inLine = ({ text, enclosing = [] }: HitLine): boolean =>
    text.split("\n").some(isEscaped) || enclosing.some((line) => isEscaped(line.text));
  return files.some(({ file, value, lines = [] }) =>
    isEscaped(value?.text ?? file) || lines.some(inLine)
  ) ||
    [
      ...[...directories?.names ?? [], ...notes, ...scope?.left_out?.ignored ?? []],
      ...Object.values(scope?.left_out?.names ?? {}).flat(),
    ].some(isEscaped);
}

function withEscapesNote(frame: AnswerFrame): AnswerFrame {
  return { ...frame, notes: [...frame.notes, ESCAPES_NOTE] };
}

/** Entries of an answer that names, with `auto`, what encloses them. */
const MAX_ENCLOSED = 30;

/** Hits with what encloses their entries, where that is asked for. */
async function enclosedHits(search: PreparedSearch, hits: FileHit[]): Promise<FileHit[]> {
  const { query: { showFunction } } = search;
  const encloser = hits.length === 0 ? undefined : await encloserFor(search);
  if (encloser === undefined) return hits;
  const entries = entriesOfHits(hits);
  if (showFunction === "auto" && entries > MAX_ENCLOSED) return hits;
  return await inSlices(encloser.steps(hits), search.options);
}

/** Definitions that come before other entries, at most. */
const MOST_DEFINITIONS = 20;

/** The entries that open a definition of what is searched for, and those whose name is longer. */
async function definitionsAmong(search: PreparedSearch, hits: FileHit[]): Promise<Set<HitLine>[]> {
  const { job, options } = search;
  if (job.plan.invert) return [];
  const { Encloser, loadFinder } = await import("../outline/enclosing.ts");
  const finder = await loadFinder(job, options.signal);
  const encloser = new Encloser(job, options.signal, true);
  return await inSlices(encloser.definitions(hits, finder, MOST_DEFINITIONS), options);
}

/** Takes steps, and lets others have their turn. */
async function inSlices<T>(
  steps: Generator<undefined, T>,
  { workspace, signal }: PreparedSearch["options"],
): Promise<T> {
  const slices = new Slices(workspace.roots[0]!);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await slices.pause();
  if (signal?.aborted) throw cancelled(signal);
  return step.value;
}

/** Files with a match, whether or not those are the files that were asked for. */
function filesMatched({ query }: PreparedSearch, { collector, report }: Findings): number {
  const { files } = collector.total;
  return query.filesWithoutMatch ? Math.max(0, report!.filesSearched - files) : files;
}

/** Notes on what was read differently than given. */
async function notesOnQuery(search: PreparedSearch): Promise<NoteOrText[]> {
  const { query, options, targets, patternNotes, engine, job: { files, walk } } = search;
  const { filtersNamed = false } = engine;
  const filteredFrom = filtersNamed ? [...walk.bases, ...files.map(dirname)] : walk.bases;
  return [
    ...options.notes ?? [],
    ...(WorkerPool.tellsOfLoss() ? [{ reason: "workers_lost" as const, values: {} }] : []),
    ...contextNotes(query),
    ...targets.notes,
    ...(filtersNamed ? [] : filterNotes(query, targets, options.workspace)),
    ...await notesOnFilter(walk.filter, filteredFrom),
    ...patternNotes,
  ];
}

async function notesOnExcludes(search: PreparedSearch, known: readonly string[]) {
  const { query, targets: { directories } } = search;
  const isExcluding = query.exclude.length > 0 ||
    query.include.some((list) => list.includes("!"));
  if (!query.explain || !isExcluding || query.offset > 0 || directories.length === 0) {
    return [];
  }
  const { excludeNotes } = await import("../reasons/filter_problem.ts");
  return await excludeNotes(await toExplain(search), known);
}

/** Every entry has its own context: without a limit, the copies would fill all memory. */
function contextNotes({ before, after }: Query): Note[] {
  const asked = Math.max(before, after);
  if (asked <= MAX_CONTEXT) return [];
  return [{ reason: "context_limit", values: { lines: asked, most: MAX_CONTEXT } }];
}

async function notesOnFilter(filter: FilterOptions, bases: readonly string[]): Promise<Note[]> {
  if (FILTER_KEYS.every((key) => filter[key].length === 0)) return [];
  const { FileFilter } = await import("../walk/file_filter.ts");
  return FileFilter.notes(filter, bases);
}

/** Filters apply in directories, but not to a file that is named, nor to standard input. */
function filterNotes(
  query: Query,
  { directories, files, stdin }: Targets,
  workspace: Workspace,
): Note[] {
  const filters = [
    ["include", query.include],
    ["exclude", query.exclude],
    ["type", [...query.type, ...query.typeNot]],
  ] as const;
  const [first, ...others] = [...files, ...(stdin ? [STDIN.file] : [])];
  if (first === undefined) return [];
  const reason = directories.length > 0 ? "filter_ignored_for" : "filter_ignored";
  const values = { path: workspace.display(first), more: others.length };
  return filters.filter(([, globs]) => globs.length > 0)
    .map(([filter]) => ({ reason, values: { filter, ...values } }));
}

/** An empty page after the last entry would be mistaken for no matches. */
function pageNotes({ offset, outputMode }: Query, total: Total): Note[] {
  const entries = outputMode === "content" ? total.count : total.files;
  if (offset === 0 || entries === 0) return [];
  return [{ reason: "past_end", values: { offset, count: entries, unit: "entry" } }];
}

/** What a pattern has in it that may be written otherwise in what was searched. */
const MAY_HAVE_FORMS = /[^\0-\x7f]|\S[ ]\S|\\[sux]/u;

/** What the answer does not show and, if it is empty, the notes on why. */
async function whatIsMissing(
  search: PreparedSearch,
  found: Findings,
  isEmpty: boolean,
): Promise<Missing> {
  const { query, targets, job } = search;
  const { report, collector: { total } } = found;
  if (report === undefined) return { notes: [] };
  const notes: NoteOrText[] = isEmpty
    ? [...await notesOnEverything(search, found), ...pageNotes(query, total)]
    : [];
  if (isEmpty && query.onlyMatching && ["content", "values"].includes(query.outputMode)) {
    const { isNullable } = await import("../regex/ast.ts");
    if (isNullable(job.plan.locate.tree)) notes.push({ reason: "empty_matches", values: {} });
  }
  const isAbsent = isEmpty && total.files === 0;
  if (!query.explain || targets.stdin) return { notes };
  if (!isAbsent && !await mayLack(search, report, total)) return { notes };
  const { missingFrom } = await import("./missing.ts");
  const missing = await missingFrom(search, await toExplain(search, report), total, isAbsent);
  return { ...missing, notes: [...notes, ...missing.notes] };
}

function entriesOfHits(hits: readonly FileHit[]): number {
  return hits.reduce((sum, { lines }) => sum + entriesIn(lines), 0);
}

/** Whether an answer with matches may lack others. */
async function mayLack(
  { query, audience: { isAgent }, job, started }: PreparedSearch,
  { excluded, isExcludedCut }: EngineReport,
  { isLeast }: Total,
): Promise<boolean> {
  const { filesWithoutMatch, invert, isListing, offset, outputMode, patterns, includeKey } = query;
  if (
    invert || filesWithoutMatch || outputMode === "values" || offset > 0 ||
    isListing && includeKey !== "pattern"
  ) {
    return false;
  }
  const mayHaveForms = !isListing && patterns.some((pattern) => MAY_HAVE_FORMS.test(pattern));
  if (excluded.length === 0 && !isExcludedCut && !isLeast && !mayHaveForms) return false;
  const elapsed = performance.now() - started;
  const { BUDGET } = await import("../reasons/empty_search.ts");
  if (!isAgent && elapsed >= BUDGET.quick) return false;
  const { isNullable } = await import("../regex/ast.ts");
  return isListing || !isNullable(job.plan.locate.tree);
}

/** Returns the directories with most matches, unless counting ended early: then they are chance. */
function topDirectories(
  { options: { workspace }, audience: { countsPlaces }, job }: PreparedSearch,
  { facets, total }: Collector,
): (() => readonly DirectoryCount[]) | undefined {
  if (!countsPlaces || total.isLeast) return undefined;
  let top: DirectoryCount[] | undefined;
  return () =>
    top ??= facets.topDirectories([...workspace.roots, ...job.walk.bases])
      .map(({ path, count }) => ({ path: workspace.display(path), count }));
}

async function notesOfSkips(
  report: EngineReport | undefined,
  { query: { maxFileSize }, options: { workspace } }: PreparedSearch,
  isPart: boolean,
): Promise<SkipNotes> {
  const none = { named: [], met: [] };
  if (report === undefined) return none;
  const noted = [...NOTED, "too_large", "damaged", "not_utf8", "long_lines"] as const;
  if (report.notSearched.length === 0 && !noted.some((one) => report.skipped[one] > 0)) return none;
  // Workers reach them in any order.
  report.notSearched.sort((a, b) => compareByBytes(a.path, b.path));
  const { skipNotes } = await import("../reasons/skip_notes.ts");
  return skipNotes({ report, maxFileSize, workspace, isPart });
}

/** Whether the scope of an answer to a tool does not say the same. */
function isNotInScope({ reason }: Note): boolean {
  return !["too_large", "not_utf8", "unreadable", "vanished"].includes(reason);
}

/** Notes as a caller reads them: their words are loaded when there is a note. */
async function sentencesFor(audience: Audience, notes: readonly NoteOrText[]): Promise<string[]> {
  if (notes.length === 0) return [];
  const { sentences } = await import("../notes/words.ts");
  return sentences(notes, await voiceFor(audience));
}

async function standingNotesFor(
  audience: Audience,
  notes: readonly Note[],
): Promise<StandingNote[]> {
  if (notes.length === 0) return [];
  const { standingNotes } = await import("../notes/words.ts");
  return standingNotes(notes, await voiceFor(audience));
}

function textsOfNotes(notes: readonly StandingNote[]): string[] {
  return notes.map(({ text }) => text);
}

async function dependencyNotesOn(search: PreparedSearch, paths: ReadonlySet<string>) {
  if (paths.size === 0) return [];
  const { dependencyNotes } = await import("../reasons/skip_notes.ts");
  return dependencyNotes(paths, await toExplain(search));
}

/** A search whose answer is to be explained. */
async function toExplain(search: PreparedSearch, report?: EngineReport): Promise<EmptySearch> {
  const { audience, options: { workspace, signal }, started } = search;
  const elapsed = performance.now() - started;
  return { ...search, report, workspace, elapsed, signal, voice: await voiceFor(audience) };
}

async function tooBroad(search: PreparedSearch, { collector }: Findings) {
  return (await import("./too_broad.ts")).tooBroadError(
    search,
    collector,
    await voiceFor(search.audience),
  );
}
