/**
 * Notes on matches in dependencies: a workspace without a repository may have no ignore file that excludes
 * its `node_modules`, which then floods answers.
 *
 * @module
 */

import { Policy } from "../guard/policy.ts";
import type { NoteOn } from "../notes/words.ts";
import { compareByBytes, dirname, isWithin, sep } from "../util/path.ts";
import { ENDLESS } from "../util/pulse.ts";
import { WalkRules } from "../scan/walk_rules.ts";
import { innermost } from "../paths/workspace.ts";
import type { SearchJob } from "../scan/job.ts";
import { canSend, type Change } from "../search/callers.ts";
import type { SearchSettings } from "../search/query.ts";
import type { EmptySearch } from "../reasons/empty_search.ts";
import { valueAt } from "../util/collections.ts";

const NAME = "node_modules";

/**
 * Reports matches in dependencies that no ignore file names, and how to exclude them.
 *
 * @param paths files of the answer that lie in dependencies
 */
export function dependencyNotes(
  paths: ReadonlySet<string>,
  { settings, job, workspace, caller, isListing }: Omit<EmptySearch, "pool" | "elapsed" | "signal">,
): NoteOn<"dependencies">[] {
  const { directories, files } = unmentioned(paths, settings, job);
  if (files.length === 0) return [];
  // On the command line an option is added; a key takes the place of what it held.
  const given = caller === "shell" ? [] : settings.exclude;
  const exclude: Change = { exclude: [...given, NAME].join(",") };
  const without: Change = { include: [...settings.include, `!${NAME}`].join(",") };
  const values = {
    ...{ files: files.length, directories: directories.size, isListing },
    path: workspace.display([...directories].sort(compareByBytes)[0]!),
    changes: [canSend(exclude, caller) ? exclude : without],
  };
  return [{ reason: "dependencies", values }];
}

/** How many matches excluding dependencies would save, as a part of a hint; `""` for none. */
export function dependencyHint(
  counts: ReadonlyMap<string, number>,
  settings: SearchSettings,
  job: SearchJob,
): string {
  const paths = [...counts.keys()].map((directory) => directory + sep);
  const { files } = unmentioned(paths, settings, job);
  const count = files.reduce((sum, path) => sum + counts.get(path.slice(0, -sep.length))!, 0);
  if (count === 0) return "";
  const way = settings.includeKey === "pattern" ? `add ,!${NAME} to pattern` : `exclude ${NAME}`;
  return `, or ${way} (which holds ${count} of them)`;
}

/**
 * The files, and their directories, that are in dependencies which no ignore file names; none if the query
 * asks for dependencies or for ignored files.
 */
function unmentioned(paths: Iterable<string>, settings: SearchSettings, job: SearchJob) {
  const directories = new Set<string>();
  const files: string[] = [];
  const isAsked = settings.include.some((glob) => glob.includes(NAME));
  if (!settings.ignore || isAsked) return { directories, files };
  const { walk } = job;
  const named = new Set(job.files);
  const rules = new WalkRules(walk, new Policy(walk.policy), ENDLESS);
  const known = new Map<string, boolean>();
  const isUnmentioned = (directory: string) => {
    const base = innermost(walk.bases, dirname(directory));
    if (base === undefined || walk.bases.some((base) => isWithin(directory, base))) return false;
    return !rules.isMentioned(directory, walk.bases.indexOf(base));
  };
  for (const path of paths) {
    const at = path.indexOf(`${sep}${NAME}${sep}`);
    if (at < 0 || named.has(path)) continue;
    const directory = path.slice(0, at + sep.length + NAME.length);
    if (!valueAt(known, directory, isUnmentioned)) continue;
    directories.add(directory);
    files.push(path);
  }
  return { directories, files };
}
