/**
 * Filters that match no file at all, and the glob that may have been meant.
 *
 * @module
 */

import { anyCase } from "../glob/any_case.ts";
import type { FileHit } from "../scan/job.ts";
import { Guard } from "../guard/guard.ts";
import { SENSITIVE_NAMES } from "../paths/sensitive.ts";
import { FileFilter, type FilterOptions } from "../scan/file_filter.ts";
import { conventionGlobs } from "./naming_conventions.ts";
import { FILTER_KEYS, type FilterKey, filterOf, NO_FILTER, PathCauses } from "./causes.ts";
import type { EmptySearch, Probe } from "./probe.ts";
import {
  alternativeGlobs,
  anywhereGlobs,
  directoryGlobs,
  inOtherForms,
  withPlainBrackets,
} from "./query_alternatives.ts";
import type { SearchSettings } from "../search/query.ts";
import { compareByBytes } from "../paths/paths.ts";
import { join } from "../util/path.ts";

export interface FilterProblem {
  /** Each alone or, if none does so alone, all of them together match no file. */
  keys: readonly FilterKey[];
  isTogether: boolean;
  /** A glob that matches some files, why the given one does not, and where among them there are matches. */
  instead?: {
    include: string;
    why: string | undefined;
    files: number;
    count: number;
    first: string;
  } | undefined;
}

interface MeantGlob {
  include: string;
  why?: string;
  /** Whether it is certainly meant if it matches a file. */
  isKnown?: boolean;
}

/** The globs that may have been meant, likely ones first. */
function meantGlobs({ include, paths }: SearchSettings): MeantGlob[] {
  const list = include.join(",");
  const escaped = withPlainBrackets(list.trim());
  const directories = directoryGlobs(list);
  const anywhere = anywhereGlobs(list);
  const cases = [list.toLowerCase(), anyCase(list)].filter((glob) => glob !== list);
  const reasonFor = (glob: string): Omit<MeantGlob, "include"> => {
    if (glob === escaped) {
      return { why: "[ ] matches one of the characters in it", isKnown: true };
    }
    if (anywhere.includes(glob)) {
      return { why: "with a slash, it starts at the searched directory", isKnown: true };
    }
    if (!directories.includes(glob)) return {};
    // A word alone may be a name that is not there.
    return { why: "it matches directories only", isKnown: /[*?[{/]/u.test(list) };
  };
  const others = include.length > 1
    ? [...anywhere, ...directories]
    : alternativeGlobs(list, paths[0]);
  const forms = inOtherForms([list]).flatMap(({ form, texts }) =>
    texts.map((glob) => ({ include: glob, why: `names are in the Unicode normal form ${form}` }))
  );
  return [
    ...forms.map((glob) => ({ ...glob, isKnown: true })),
    ...cases.map((glob) => ({ include: glob, why: "letter case matters", isKnown: true })),
    ...conventionGlobs(list).map((glob) => ({
      include: glob,
      why: "names use another convention",
      isKnown: true,
    })),
    ...others.map((glob) => ({ include: glob, ...reasonFor(glob) })),
  ];
}

/** The problem with the filters of a search that reached no file, if they are the reason. */
export async function filterProblem(
  search: EmptySearch,
  probe: Probe,
): Promise<FilterProblem | undefined> {
  const { job, settings } = search;
  const { within } = settings;
  const given = FILTER_KEYS.filter((key) => settings[key].length > 0);
  if (given.length === 0 || job.walk.bases.length === 0) return undefined;
  // Another program searches that, too.
  if (search.beside !== undefined && mayPassBlocked(search)) return undefined;
  const list = async (filter: Partial<FilterOptions>, max: number): Promise<FileHit[]> => {
    const walk = { ...job.walk, filter: { ...job.walk.filter, ...NO_FILTER, within, ...filter } };
    return (await probe.run({ walk, files: [] }, { isList: true, max })).hits;
  };
  const hasAny = async (filter: Partial<FilterOptions>) => (await list(filter, 1)).length > 0;
  // What is listed is verified; how many files were searched is not.
  if (await hasAny(job.walk.filter) || !await hasAny({})) return undefined;
  const keys: FilterKey[] = [];
  for (const key of given) {
    if (given.length === 1 || !await hasAny({ [key]: settings[key] })) keys.push(key);
  }
  if (probe.isCut) return undefined;
  if (!keys.includes("include")) {
    return { keys: keys.length > 0 ? keys : given, isTogether: keys.length === 0 };
  }
  const meant = meantGlobs(settings).filter(({ include }) => isInclude(settings, include));
  const { exclude, type, typeNot } = settings;
  const globs = meant.map(({ include }) => include);
  const wanted = { include: globs, exclude, type, typeNot };
  const files = globs.length === 0 ? [] : await list(wanted, Infinity);
  let instead: FilterProblem["instead"];
  for (const { include, why, isKnown } of meant) {
    const paths = new PathCauses({ ...settings, include: [include] }, job.walk.bases);
    const met = files.map(({ path }) => path).filter((path) => paths.of(path).length === 0);
    if (met.length === 0) continue;
    const walk = { ...job.walk, bases: [] };
    const { hits } = await probe.run({ walk, files: [] }, { isList: false, isKept: true, met });
    const shown = hits.length > 0 ? hits.map(({ path }) => path) : met;
    const first = shown.toSorted(compareByBytes)[0]!;
    const count = hits.reduce((sum, hit) => sum + hit.count, 0);
    // A filter that finds nothing is reported only where it shows what was meant.
    if (count > 0 || isKnown && instead === undefined) {
      instead = { include, why, files: count > 0 ? hits.length : met.length, count, first };
    }
    if (count > 0) break;
  }
  return { keys, isTogether: false, instead };
}

/** A name for each row of the table. */
const BLOCKED_NAMES = Object.values(SENSITIVE_NAMES).flat()
  .map((name) => name.replaceAll("*", "x").replace(/\/$/, "/x"));

/** Whether filters may pass something that is blocked: by names alone, since nothing shows whether it exists. */
function mayPassBlocked({ job, settings, workspace }: EmptySearch): boolean {
  const { allow, deny, include } = settings;
  const isBlocked = new Guard({ workspace, allow, deny }).blocker();
  const paths = new PathCauses({ ...settings, hidden: true }, job.walk.bases);
  const likely = [...include, ...deny].flatMap((glob) =>
    ["", "x"].map((text) => glob.replace(/[*?]+/g, text))
  );
  return [...BLOCKED_NAMES, ...likely].map((name) => join(job.walk.bases[0]!, name))
    .some((path) => paths.of(path).length === 0 && isBlocked(path) !== false);
}

/** Whether a reading of an include is one, or a list of them: some split in the middle of braces. */
export function isInclude(settings: SearchSettings, glob: string): boolean {
  try {
    FileFilter.compile(filterOf({ ...settings, include: [glob] }, "include"));
    return true;
  } catch {
    return false;
  }
}
