/**
 * Filters that match no file at all, excludes that exclude nothing, and the glob that may have been meant. An
 * include that matches nothing shows in an empty answer; an exclude would go unnoticed.
 *
 * @module
 */

import { anyCase } from "../glob/glob_paths.ts";
import type { Note, WhyInstead } from "../notes/words.ts";
import type { NormalForm } from "../util/text.ts";
import type { EngineReport, FileHit } from "../run/job.ts";
import { Guard } from "../guard/guard.ts";
import { SENSITIVE_NAMES } from "../exclusions/sensitive.ts";
import { FileFilter, filterOf, NO_FILTER } from "../walk/file_filter.ts";
import { FILTER_KEYS, type FilterKey } from "../walk/listing.ts";
import { conventionGlobs } from "./spellings.ts";
import { NameReading, PathFilter } from "./causes.ts";
import type { EmptySearch } from "./empty_search.ts";
import { FurtherPass } from "./further_pass.ts";
import {
  alternativeGlobs,
  anywhereGlobs,
  directoryGlobs,
  inOtherForms,
  withPlainBrackets,
} from "./query_alternatives.ts";
import type { Query } from "../query/query.ts";
import { basename, compareByBytes, join } from "../util/path.ts";
import { splitGlobs } from "../glob/glob_parser.ts";

export interface FilterProblem {
  /** Each alone or, if none does so alone, all of them together match no file. */
  keys: readonly FilterKey[];
  isTogether: boolean;
  /** What is against the files that they match. */
  barred: readonly ("ignored" | "hidden")[];
  /** A glob that matches some files, why the given one does not, and where among them there are matches. */
  instead?: {
    include: string;
    why: WhyMeant | undefined;
    files: number;
    count: number;
    first: string;
  } | undefined;
}

/** Why the given glob does not match; `form`: the normal form of names. */
interface WhyMeant {
  why: WhyInstead;
  form?: NormalForm;
}

interface MeantGlob {
  include: string;
  why?: WhyMeant;
  /** Whether it is certainly meant if it matches a file. */
  isKnown?: boolean;
}

/** The globs that may have been meant, likely ones first. */
function meantGlobs({ include, paths }: Query): MeantGlob[] {
  const list = include.join(",");
  const escaped = withPlainBrackets(list.trim());
  const directories = directoryGlobs(list);
  const anywhere = anywhereGlobs(list);
  const cases = [list.toLowerCase(), anyCase(list)].filter((glob) => glob !== list);
  const reasonFor = (glob: string): Omit<MeantGlob, "include"> => {
    if (glob === escaped) {
      return { why: { why: "brackets" }, isKnown: true };
    }
    if (anywhere.includes(glob)) {
      return { why: { why: "from_start" }, isKnown: true };
    }
    if (!directories.includes(glob)) return {};
    // A word alone may be a name that is not there.
    return { why: { why: "directories" }, isKnown: /[*?[{/]/u.test(list) };
  };
  const others = include.length > 1
    ? [...anywhere, ...directories]
    : alternativeGlobs(list, paths[0]);
  const known = (globs: readonly string[], why: WhyMeant) =>
    globs.map((include) => ({ include, why, isKnown: true }));
  return [
    ...inOtherForms([list]).flatMap(({ form, texts }) => known(texts, { why: "form", form })),
    ...known(cases, { why: "case" }),
    ...known(conventionGlobs(list), { why: "convention" }),
    ...others.map((glob) => ({ include: glob, ...reasonFor(glob) })),
  ];
}

/**
 * The problem with the filters of a search that reached no file, if they are the reason.
 *
 * @param found what a pass to its end has found: the files that match as asked, with the reasons against them
 */
export async function filterProblem(
  search: EmptySearch,
  pass: FurtherPass,
  { asked, report }: { asked: readonly FileHit[]; report: EngineReport },
): Promise<FilterProblem | undefined> {
  const { job, query } = search;
  const given = FILTER_KEYS.filter((key) => query[key].length > 0);
  if (query.isListing || given.length === 0 || job.walk.bases.length === 0) return undefined;
  // Another program searches that, too.
  if (search.beside !== undefined && mayPassBlocked(search)) return undefined;
  const all = [...report.filteredBy];
  const sets = all.filter((keys) => !keys.startsWith("!")).map((keys) => keys.split(","));
  const barred = (["ignored", "hidden"] as const)
    .filter((reason) => all.some((keys) => keys.startsWith("!") && keys.includes(reason)));
  if (sets.length === 0 || report.filteredBy.has("")) return undefined;
  const keys = given.filter((key) => sets.every((set) => set.includes(key)));
  if (!keys.includes("include")) {
    return { keys: keys.length > 0 ? keys : given, isTogether: keys.length === 0, barred };
  }
  const instead = await meantInstead(search, pass, asked);
  return { keys, isTogether: false, instead, barred };
}

/** The glob that was meant: one that selects files with matches, or else is certainly meant. */
async function meantInstead(
  search: EmptySearch,
  pass: FurtherPass,
  asked: readonly FileHit[],
): Promise<FilterProblem["instead"]> {
  const { job: { walk: { bases } }, query } = search;
  const meant = meantGlobs(query).filter(({ include }) => isInclude(query, include))
    .map((glob) => ({ ...glob, reading: new NameReading(query, [glob.include], bases, []) }));
  const isOf = (reading: NameReading) => (path: string) => reading.of(path)?.length === 0;
  const named = asked.filter(({ left }) => left?.every(({ reason }) => reason === "include"));
  for (const { include, why, reading } of meant) {
    const hits = named.filter(({ path }) => isOf(reading)(path));
    if (hits.length === 0) continue;
    const count = hits.reduce((sum, hit) => sum + hit.count, 0);
    const first = hits.map(({ path }) => path).sort(compareByBytes)[0]!;
    return { include, why, files: hits.length, count, first };
  }
  // A filter that finds nothing is reported only where it shows what was meant.
  const known = meant.filter(({ isKnown }) => isKnown);
  const include = known.map(({ include }) => include);
  const paths = include.length === 0 ? [] : await pass.list({ include }) ?? [];
  for (const { include, why, reading } of known) {
    const files = paths.filter(isOf(reading)).sort(compareByBytes);
    if (files.length > 0) return { include, why, files: files.length, count: 0, first: files[0]! };
  }
  return undefined;
}

/** A name for each row of the table. */
const BLOCKED_NAMES = Object.values(SENSITIVE_NAMES).flat()
  .map((name) => name.replaceAll("*", "x").replace(/\/$/, "/x"));

/** Whether filters may pass something that is blocked: by names alone, since nothing shows whether it exists. */
function mayPassBlocked({ job, query, workspace }: EmptySearch): boolean {
  const { allow, deny, include } = query;
  const isBlocked = new Guard({ workspace, allow, deny }).blocker();
  const filters = FileFilter.forEach(job.walk.filter, job.walk.bases);
  const likely = [...include, ...deny].flatMap((glob) =>
    ["", "x"].map((text) => glob.replace(/[*?]+/g, text))
  );
  return [...BLOCKED_NAMES, ...likely].some((name) =>
    filters[0]!.accepts(name, basename(name)) &&
    isBlocked(join(job.walk.bases[0]!, name)) !== false
  );
}

/** Whether a reading of an include is one, or a list of them: some split in the middle of braces. */
export function isInclude(query: Query, glob: string): boolean {
  try {
    FileFilter.compile(filterOf({ ...query, include: [glob] }, "include"));
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds to look for files that excludes match. */
const MAX_MS = 50;

/**
 * A note for each exclude that matches nothing, though another reading of it would; none if time is up.
 *
 * @param known notes on the query, which may name such an exclude already
 * @throws {PathgrepError} `cancelled`
 */
export async function excludeNotes(
  search: EmptySearch,
  known: readonly string[],
): Promise<Note[]> {
  const { job, query } = search;
  const { exclude, include, includeKey, within } = query;
  const parts = (lists: readonly string[]) => lists.flatMap(splitGlobs).map((glob) => glob.trim());
  const asked = [
    ...parts(exclude).map((glob) => ({ glob, mark: "", key: "exclude" })),
    ...parts(include).filter((glob) => /^!(?!\()/u.test(glob))
      .map((glob) => ({ glob: glob.slice(1), mark: "!", key: includeKey })),
  ].filter(({ glob, mark }) => !known.some((note) => note.includes(`'${mark}${glob}'`)));
  if (asked.length === 0) return [];
  const pass = new FurtherPass(search, MAX_MS);
  try {
    const listed = await pass.list({ ...NO_FILTER, within });
    if (listed === undefined) return [];
    const { bases, filter } = job.walk;
    const filters = new PathFilter(filter, bases);
    const excluded = async (glob: string, isOther: boolean): Promise<number | undefined> => {
      if (!isInclude(query, glob)) return 0;
      const paths = new PathFilter({ ...filter, ...NO_FILTER, exclude: [glob] }, bases);
      let count = 0;
      for (const path of listed) {
        if (!await pass.goesOn()) return undefined;
        // Another reading counts for what it would exclude besides.
        if (isOther && !filters.takes(path)) continue;
        if (!paths.takes(path)) count++;
      }
      return count;
    };
    const notes: Note[] = [];
    for (const { glob, mark, key } of asked) {
      if (await excluded(glob, false) !== 0) continue;
      for (const other of otherExcludes(glob)) {
        const files = await excluded(other, true);
        if (files === undefined) return notes;
        if (files === 0) continue;
        const values = { field: key, glob: mark + glob, instead: mark + other, files };
        notes.push({ reason: "excludes_nothing", values });
        break;
      }
    }
    return notes;
  } finally {
    pass.close();
  }
}

/** Other readings of an exclude, likely ones first; none that names only resemble. */
function otherExcludes(glob: string): string[] {
  const readings = [
    ...anywhereGlobs(glob),
    ...inOtherForms([glob]).flatMap(({ texts }) => texts),
    ...[glob.toLowerCase(), anyCase(glob)],
    ...conventionGlobs(glob),
    // Of backslashes and braces, the notes on how globs are read say what they do.
    ...(/[\\{]/u.test(glob) ? [] : alternativeGlobs(glob)).filter((other) =>
      other !== `*${glob}*` && other !== `${glob}/**`
    ),
  ];
  return [...new Set(readings)].filter((other) => other !== glob);
}
