/**
 * The matches that an answer does not show, by the first reason that hides them, each with the smallest change
 * that shows them.
 *
 * @module
 */

import { inPlace } from "../paths/verification.ts";
import { type Hidden, LEFT_OUT, type Row, type Voice } from "../notes/table.ts";
import { compareByBytes, dirname, isWithin } from "../util/path.ts";
import type { FileHit } from "../run/job.ts";
import { PassTurn, USUALLY_IGNORED } from "../walk/listing.ts";
import { Walker } from "../walk/walker.ts";
import type { Change } from "../query/query.ts";
import { MAX_ITEMS } from "../query/query_options.ts";
import type { NotShown } from "../answer/result.ts";
import { quotedName } from "../util/text.ts";
import { valueAt } from "../util/collections.ts";
import { type Cause, causeOf, type MissedMatches, PathFilter } from "./causes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EmptySearch } from "./empty_search.ts";
import { FurtherPass, spellingPlan } from "./further_pass.ts";
import { howInForm, type OtherSpelling, spellingsOf } from "./spellings.ts";

/** What an answer says of matches that it does not show. */
export interface MissingMatches {
  rows: readonly MissingRow[];
  /** Whether there was no time for all of them. */
  isInPart: boolean;
}

interface MissingRow {
  said: NotShown;
  change: Change;
  /** What shows what each reason hides. */
  changes: readonly Change[];
  /** Where they are, in words: `in ignored build/gen`; of another spelling, how. */
  where: string;
  /** The files that hold them. */
  files: ReadonlySet<string>;
}

/** Matches beyond these are not counted. */
export const MAX_MATCHES = 1000;

/** In the order of likelihood: a file counts for the first that applies. */
export const KINDS = new Map(
  Object.entries(LEFT_OUT)
    .flatMap(([kind, row]) =>
      "notShown" in row ? [[kind as Cause["kind"], row.notShown] as const] : []
    )
    .sort(([, [a]], [, [b]]) => a - b),
);
const ORDER = [...KINDS.keys()];

/** What an option shows below a directory that is named. */
const IN_NAMED: ReadonlySet<Cause["kind"]> = new Set(["binary", "not_utf8"]);

/** Files of one row. */
interface Group {
  matches: number;
  files: Set<string>;
  /** Every reason against any of them. */
  causes: Map<string, Cause>;
  /** What names where they are, and what else is said of it. */
  places: Map<string, string>;
}

/** Collects matches by the first reason that hides them. */
export class MissingByCause {
  readonly #search: EmptySearch;
  readonly #filter: PathFilter;
  readonly #known = new Set<string>();
  readonly #groups = new Map<Cause["kind"], Group>();
  /** By how it is written. */
  readonly #spellings = new Map<string, Group & { change: Change }>();

  constructor(search: EmptySearch) {
    const { bases, filter } = search.job.walk;
    this.#search = search;
    this.#filter = new PathFilter(filter, bases);
  }

  /**
   * Adds the matches of a file that was excluded, or of another spelling in one that was not; nothing where
   * other reasons hide them, such as a filter.
   */
  add(hit: FileHit, of: readonly Cause[] = []): void {
    const [cause] = of;
    if (cause === undefined) this.#addExcluded(hit);
    else if (of.length === 1 && hit.left === undefined && cause.change !== undefined) {
      const how = howOf(cause);
      if (how !== undefined) this.addSpelling({ how, change: cause.change }, hit);
    }
  }

  addSpelling(
    { how, change }: Pick<OtherSpelling, "how" | "change">,
    { path, count }: Pick<FileHit, "path" | "count">,
  ): void {
    const group = valueAt(this.#spellings, how, () => ({ ...newGroup(), change }));
    if (group.files.has(path)) return; // what was replaced meanwhile may be read again
    group.matches += count;
    group.files.add(path);
  }

  #addExcluded({ path, count, left = [] }: FileHit): void {
    const causes = left.map((one) => causeOf(one, path));
    const kinds = causes.map(({ kind }) => kind);
    const kind = ORDER.find((kind) => kinds.includes(kind));
    if (kind === undefined || !kinds.every((kind) => ORDER.includes(kind))) return;
    if (this.#known.has(path)) return; // links may lead to it more than once
    // To a finder, a link that is named is the file that it leads to, by that name.
    const isFileLink = left.some(({ reason, by }) => reason === "symlinks" && by === path);
    if (isFileLink && this.#search.query.isListing && !this.#filter.takes(path)) return;
    this.#known.add(path);
    const group = valueAt(this.#groups, kind, newGroup);
    group.matches += count;
    group.files.add(path);
    for (const cause of causes) group.causes.set(JSON.stringify(cause), cause);
    const cause = causes.find((cause) => cause.kind === kind)!;
    const detail = kind === "not_utf8"
      ? cause.label ?? "not UTF-8"
      : kind === "symlinks"
      ? left.find(({ reason }) => reason === kind)!.by as string
      : "";
    group.places.set(cause.path ?? path, detail);
  }

  rows(): MissingRow[] {
    const { workspace } = this.#search;
    const excluded = ORDER.flatMap((kind) => {
      const group = this.#groups.get(kind);
      if (group === undefined) return [];
      const changes = [...group.causes.values()]
        .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
        .map((cause) => changeOf(cause, workspace));
      const change = this.#changeFor(group, changes);
      const [, cause] = KINDS.get(kind)!;
      return { ...this.#rowOf(cause, this.#whereIs(kind, group), group, change), changes };
    });
    const spellings = [...this.#spellings].map(([how, group]) => ({
      ...this.#rowOf("form", how, group, group.change),
      changes: [],
    }));
    return [...excluded, ...spellings];
  }

  #rowOf(cause: NotShown["cause"], where: string, group: Group, change: Change) {
    const { query, workspace, voice } = this.#search;
    const first = firstFile(group);
    return {
      said: {
        cause,
        matches: Math.min(group.matches, MAX_MATCHES),
        ...(group.matches > MAX_MATCHES && { more: true as const }),
        files: group.files.size,
        first: query.relativePaths ? workspace.display(first) : first,
        send: voice.sent(change),
      },
      change,
      where,
      files: group.files,
    };
  }

  #whereIs(kind: Cause["kind"], group: Group): string {
    const [, cause, one, many] = KINDS.get(kind)!;
    const { files, places } = group;
    const { job, workspace } = this.#search;
    const named = (path: string) => quotedName(workspace.display(path));
    const [[place, detail]] = places as unknown as [[string, string]];
    // The directory above a file is proven with it; the link that leads to it is not.
    const isShown = cause !== "link" || inPlace([place], job).length > 0;
    if (places.size === 1 && isShown) {
      const values = { place: named(place), detail: cause === "link" ? named(detail) : detail };
      return `in ${one.replace(/\{(\w+)\}/g, (_, key: "place") => values[key])}`;
    }
    const what = files.size === 1 ? "a file that is not searched" : `${files.size} ${many}`;
    return `in ${what} (${files.size === 1 ? "" : "the first is "}${named(firstFile(group))})`;
  }

  /** The smallest change that shows all of them. */
  #changeFor({ causes, files, places }: Group, changes: readonly Change[]): Change {
    const { voice, workspace } = this.#search;
    const everything = everythingFor(changes, this.#search);
    const isPacked = changes.some((change) => change.everything);
    const change = isPacked ? everything : merged(changes);
    const all = [...causes.values()];
    // The path of a worktree excludes what lies elsewhere.
    const isElsewhere = change?.path !== undefined &&
      all.some((cause) =>
        cause.kind === "worktrees" && [...files].some((file) => !isWithin(cause.path!, file))
      );
    if (change !== undefined && !isElsewhere && voice.canSend(change)) return change;
    // What is named is searched although it is hidden, ignored or large; what is in it, for one of these.
    // Read in one encoding, what is in another or binary is not found.
    const read = merged(
      changes.map(({ text, encoding }) => ({
        ...(text && { text }),
        ...(encoding && { encoding }),
      })),
    );
    const kinds = new Set(all.map(({ kind }) => kind));
    const inPlaces = kinds.difference(IN_NAMED).size === 1 &&
      [...places.keys()].every((place) => !files.has(place)) &&
      !(kinds.has("ignored") && files.size <= MAX_ITEMS && this.#areRulesIn(places, files));
    const named = [...inPlaces ? places.keys() : files].sort(compareByBytes);
    if ((read === undefined || named.length > MAX_ITEMS) && everything) return everything;
    const paths = named.slice(0, MAX_ITEMS).map((path) => workspace.display(path));
    return { path: paths.length === 1 ? paths[0]! : paths, ...read };
  }

  /** Whether ignore files below the places, to name which is enough for those above, exclude some of the files. */
  #areRulesIn(places: Group["places"], files: Group["files"]): boolean {
    const { walk } = this.#search.job;
    return places.keys().some((place) => {
      const walker = new Walker({ ...walk, bases: [place], asked: 1 });
      return files.values().some((file) =>
        isWithin(place, file) && walker.against(file)?.length !== 0
      );
    });
  }
}

function howOf({ how, form }: Cause): string | undefined {
  return how ?? (form && howInForm(form));
}

function newGroup(): Group {
  return { matches: 0, files: new Set(), causes: new Map(), places: new Map() };
}

function firstFile({ files }: Group): string {
  return [...files].reduce((a, b) => compareByBytes(b, a) < 0 ? b : a);
}

/** How a search finds what one reason hides. */
function changeOf({ kind, path = "", label }: Cause, workspace: Workspace): Change {
  const { change, changes }: Row = LEFT_OUT[kind];
  const hidden = { path: workspace.display(path), label } as Hidden; // the best takes no more
  const best = changes?.(hidden)[0] ?? change!;
  // Sent, an option is not omitted.
  return "hidden" in best ? { hidden: true } : best;
}

/** The search for everything that finds what other changes show; nothing where the caller has none. */
function everythingFor(
  changes: readonly Change[],
  { voice, query: { lifted } }: Pick<EmptySearch, "voice" | "query">,
): Change | undefined {
  // Without a mark, UTF-16 is binary.
  const keys = new Set(
    changes.flatMap((change) => [...Object.keys(change), ...change.encoding ? ["text"] : []]),
  );
  const isNeeded = ([key]: [string, unknown]) => keys.has(key);
  const change = {
    everything: true,
    ...Object.fromEntries(Object.entries(lifted).filter(isNeeded)),
  };
  return voice.canSend(change) ? change : undefined;
}

/** One change for several; nothing where they differ in an option, or one excludes what another finds. */
function merged(changes: readonly Change[]): Change | undefined {
  const all: Record<string, unknown> = {};
  for (const change of changes) {
    for (const [key, value] of Object.entries(change)) {
      if (key in all && all[key] !== value) return undefined;
      all[key] = value;
    }
  }
  const isMixed = "encoding" in all && changes.some(({ text }) => text);
  return isMixed ? undefined : all as Change;
}

/** Whether a search was asked for in a directory that everyone ignores. */
function isUsualPlace({ job: { files, walk }, workspace }: EmptySearch): boolean {
  return [...walk.bases, ...files.map(dirname)].some((path) =>
    workspace.display(path).split(/[\\/]/u).some((name) => USUALLY_IGNORED.has(name))
  );
}

/**
 * Looks for the matches that an answer with matches does not show.
 *
 * @throws {PathgrepError} `cancelled`
 */
export async function missingIn(search: EmptySearch): Promise<MissingMatches> {
  const { excluded = [], isExcludedCut = false } = search.report ?? {};
  const missing = new MissingByCause(search);
  const entersUsual = isUsualPlace(search);
  const starts = excluded.filter(({ turn }) => entersUsual || turn !== PassTurn.UsuallyIgnored);
  const pass = new FurtherPass(search);
  try {
    if (starts.length > 0) {
      for (const hit of (await pass.excluded(starts, entersUsual)).hits) missing.add(hit);
    }
    await addSpellings(search, pass, missing);
    return { rows: missing.rows(), isInPart: pass.isInPart || isExcludedCut };
  } finally {
    pass.close();
  }
}

/** Adds what is written otherwise in the files that were searched. */
async function addSpellings(
  search: EmptySearch,
  pass: FurtherPass,
  missing: MissingByCause,
): Promise<void> {
  const all = search.query.isListing ? [] : spellingsOf(search.query);
  const [broken = [], others = []] = [true, false].map((spansLines) =>
    all.filter(({ change }) => (change.multiline === true) === spansLines)
  );
  for (const some of [broken, others]) {
    const planned = some.length === 0
      ? undefined
      : await pass.inTurn(() => spellingPlan(search, some));
    if (planned === undefined) continue;
    const { plan, spellings } = planned;
    const before = plan.each.length - spellings.length;
    for (const { path, patternCounts = [] } of (await pass.searched(plan)).hits) {
      for (const [index, spelling] of spellings.entries()) {
        const count = patternCounts[before + index]! - (patternCounts[before + index - 1] ?? 0);
        if (count > 0) missing.addSpelling(spelling, { path, count });
      }
    }
  }
}

/** A change in words: `no_ignore: true, path "a.ts"`. */
function sentInWords(sent: ReturnType<Voice["sent"]>): string {
  if (typeof sent === "string") return sent;
  return Object.entries(sent).map(([key, value]) =>
    typeof value === "string" ? `${key} "${value}"` : `${key}: ${JSON.stringify(value)}`
  ).join(", ");
}

/** The line that says what is not shown; nothing where there is nothing to say. */
export function notShownLine(
  { rows, isInPart }: MissingMatches,
  search: Pick<EmptySearch, "query" | "voice">,
): string | undefined {
  if (rows.length === 0) return undefined;
  const { query: { isListing }, voice } = search;
  const [one, many] = isListing ? ["file", "files"] : ["match", "matches"];
  const partOf = (row: MissingRow) => {
    const { said: { matches, more }, where } = row;
    const unit = row !== rows[0] ? "" : ` ${matches === 1 ? one : many}`;
    return `${matches}${more ? "+" : ""}${unit} ${where}`;
  };
  const withChange = (row: MissingRow) => `${partOf(row)}: ${sentInWords(voice.sent(row.change))}`;
  const isSpelling = ({ said }: MissingRow) => said.cause === "form";
  const excluded = rows.filter((row) => !isSpelling(row));
  const change = excluded.length === 1 ? excluded[0]!.change : changeForAll(excluded, search);
  const pronoun = excluded.length === 1 && excluded[0]!.said.matches === 1 ? "it" : "them";
  const text = [
    ...excluded.length > 0 && change !== undefined
      ? [`${excluded.map(partOf).join(", ")}; ${sentInWords(voice.sent(change))} shows ${pronoun}`]
      : excluded.map(withChange),
    ...rows.filter(isSpelling).map(withChange),
  ];
  return `not shown: ${text.join("; ")}${isInPart ? " (in part)" : ""}`;
}

/** Rows with a file that no group of what is noted holds for the same cause. */
export function notNoted(
  rows: readonly MissingRow[],
  groups: readonly MissedMatches[],
): readonly MissingRow[] {
  const noted = groups.flatMap((one) => [one, ...one.others ?? []]);
  return rows.filter(({ said: { cause }, where, files }) => {
    const isOfRow = ({ causes }: MissedMatches) =>
      cause === "form"
        ? causes.length === 1 && howOf(causes[0]!) === where
        : causes.every(({ change }) => change === undefined);
    const paths = noted.filter(isOfRow).map(({ paths }) => paths);
    return [...files].some((file) => !paths.some((of) => of.has(file)));
  });
}

/** One change that shows all rows, if there is one. */
function changeForAll(
  rows: readonly MissingRow[],
  search: Pick<EmptySearch, "query" | "voice">,
): Change | undefined {
  const everything = everythingFor(rows.flatMap(({ changes }) => changes), search);
  const change = everything ?? merged(rows.map(({ change }) => change));
  return change?.path === undefined ? change : undefined;
}
