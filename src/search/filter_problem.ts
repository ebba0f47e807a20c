/**
 * Filters that match no file at all, and the glob that may have been meant.
 *
 * @module
 */

import type { FileHit } from "../searcher/job.ts";
import { FileFilter, type FilterOptions } from "../walk/file_filter.ts";
import { FILTER_KEYS, type FilterKey, filterOptions, PathCauses } from "./causes.ts";
import { inOtherForms } from "./other_form.ts";
import type { EmptySearch, Probe } from "./probe.ts";
import { alternativeGlobs } from "./query_alternatives.ts";
import { compareByBytes } from "../workspace/paths.ts";

/** Filters that match no file. */
export interface FilterProblem {
  /** Each of them alone or, if none does so alone, all of them together. */
  keys: readonly FilterKey[];
  isTogether: boolean;
  /** A glob that matches some files, and where among them there are matches. */
  instead?: { include: string; files: number; count: number; first: string } | undefined;
}

/**
 * What is wrong with the filters of a search that reached no file; nothing if they are not the
 * reason.
 */
export async function filterProblem(
  search: EmptySearch,
  probe: Probe,
): Promise<FilterProblem | undefined> {
  const { job, settings } = search;
  const given = FILTER_KEYS.filter((key) => settings[key].length > 0);
  if (given.length === 0 || job.walk.bases.length === 0) return undefined;
  const list = async (filter: Partial<FilterOptions>, max: number): Promise<FileHit[]> => {
    const { places } = settings;
    const walk = { ...job.walk, filter: { ...NO_FILTER, places, ...filter } };
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
  const [include = "", ...others] = settings.include;
  if (!keys.includes("include") || others.length > 0) {
    return { keys: keys.length > 0 ? keys : given, isTogether: keys.length === 0 };
  }
  const forms = inOtherForms([include]).flatMap(({ texts }) => texts);
  const globs = [...forms, ...alternativeGlobs(include, settings.paths[0])].filter(isGlob);
  const rest = { exclude: settings.exclude, type: settings.type, typeNot: settings.typeNot };
  const files = globs.length === 0 ? [] : await list({ ...rest, include: globs }, Infinity);
  let instead: FilterProblem["instead"];
  for (const glob of globs) {
    const paths = new PathCauses({ ...settings, include: [glob] }, job.walk.bases);
    const met = files.map(({ path }) => path).filter((path) => paths.of(path).length === 0);
    if (met.length === 0) continue;
    const walk = { ...job.walk, bases: [] };
    const { hits } = await probe.run({ walk, files: [] }, { isList: false, isKept: true, met });
    const shown = hits.length > 0 ? hits.map(({ path }) => path) : met;
    const first = shown.toSorted(compareByBytes)[0]!;
    const count = hits.reduce((sum, hit) => sum + hit.count, 0);
    // A filter that finds nothing is reported only where it shows what was meant.
    if (count > 0 || glob === escapedBrackets(include) || forms.includes(glob)) {
      instead = { include: glob, files: count > 0 ? hits.length : met.length, count, first };
    }
    if (count > 0) break;
  }
  return { keys, isTogether: false, instead };

  function isGlob(glob: string): boolean {
    try {
      FileFilter.compile(filterOptions({ ...settings, include: [glob] }, ["include"]));
      return true;
    } catch {
      return false;
    }
  }
}

/** A glob with literal brackets, as in the name `[id].ts`. */
export function escapedBrackets(glob: string): string {
  return glob.trim().replace(/[[\]]/gu, "\\$&");
}

const NO_FILTER: FilterOptions = {
  include: [],
  includeKey: "include",
  exclude: [],
  type: [],
  typeNot: [],
};
