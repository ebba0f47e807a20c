/**
 * Notes on files that a search did not read, and on matches in dependencies. Files that a user would not expect
 * to be read (binary, ignored, blocked) are in `stats` only; a workspace without a repository may have no ignore
 * file that excludes its `node_modules`, which then floods answers.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "../read/piece_feeder.ts";
import { MAX_RULE_CHARS } from "../glob/ignore_rules.ts";
import { innermost, type Workspace } from "../workspace/workspace.ts";
import { compareByBytes, dirname, isWithin, sep } from "../util/path.ts";
import type { EngineReport, SearchJob, SkipCounts } from "../run/job.ts";
import { UNDECODABLE_NAME } from "../run/skip_report.ts";
import { LEFT_OUT } from "../notes/table.ts";
import type { Note, NoteOn, Reason, ReasonValues } from "../notes/words.ts";
import { Policy } from "../guard/policy.ts";
import { ENDLESS } from "../util/pulse.ts";
import { WalkRules } from "../walk/walk_rules.ts";
import type { Change, Query } from "../query/query.ts";
import type { EmptySearch } from "./empty_search.ts";
import { valueAt } from "../util/collections.ts";

/** Reasons that have a sentence; of blocked entries, an answer says elsewhere. */
const MET = (Object.keys(LEFT_OUT) as (keyof typeof LEFT_OUT)[]).filter((reason) =>
  "says" in LEFT_OUT[reason] && reason !== "blocked"
) as (keyof SkipCounts & Reason)[];

/** The data that notes on skipped entries are built from. */
export interface SkipContext {
  report: EngineReport;
  maxFileSize: number;
  workspace: Workspace;
  /** Whether the search ended before everything was met, as that of an answer that is cut off may. */
  isPart: boolean;
}

export interface SkipNotes {
  /** One for each file that was named and not searched. */
  named: NoteOn<"not_searched">[];
  /** One for each reason why entries that a walk met were not searched. */
  met: Note[];
}

export function skipNotes(context: SkipContext): SkipNotes {
  const { report: { notSearched, skipped }, workspace } = context;
  const met = { ...skipped };
  for (const { reason } of notSearched) met[reason]--;
  const named = notSearched.map(({ path, reason: why, isPart = false }) => ({
    reason: "not_searched" as const,
    values: { path: workspace.display(path), why, isPart },
  }));
  return { named, met: metNotes(context, met) };
}

function metNotes(
  { report: { firstSkipped, worktrees }, maxFileSize, workspace, isPart }: SkipContext,
  met: SkipCounts,
): Note[] {
  const many = (reason: keyof SkipCounts) => ({ count: met[reason], isPart });
  const first = (reason: keyof SkipCounts, path = firstSkipped[reason]?.[0] ?? "") => ({
    ...many(reason),
    path: path && workspace.display(path),
  });
  const [unreadable = ""] = firstSkipped.unreadable ?? [];
  const isName = unreadable.endsWith(UNDECODABLE_NAME);
  const place = isName ? unreadable.slice(0, -UNDECODABLE_NAME.length) : unreadable;
  const paths = worktrees.map((path) => workspace.display(path));
  const values: { [R in Reason]?: ReasonValues<R> } = {
    too_large: { ...first("too_large"), limit: maxFileSize },
    unreadable: { ...first("unreadable", place), isName },
    long_lines: { ...first("long_lines"), limit: MAX_LINE_CHARS },
    ignore_files: { ...many("ignore_files"), limit: MAX_RULE_CHARS },
    worktrees: { ...many("worktrees"), paths },
    exclusion_files: { ...many("exclusion_files"), limit: MAX_RULE_CHARS },
    exclusion_lines: many("exclusion_lines"),
  };
  return MET.filter((reason) => met[reason] > 0)
    .map((reason) => ({ reason, values: values[reason] ?? first(reason) }) as Note);
}

const NAME = "node_modules";

/**
 * Reports matches in dependencies that no ignore file names, and how to exclude them.
 *
 * @param paths files of the answer that lie in dependencies
 */
export function dependencyNotes(
  paths: ReadonlySet<string>,
  { query, job, workspace, voice }: EmptySearch,
): NoteOn<"dependencies">[] {
  const { directories, files } = unmentioned(paths, query, job);
  if (files.length === 0) return [];
  const given = voice.adds ? [] : query.exclude;
  const exclude: Change = { exclude: [...given, NAME].join(",") };
  const without: Change = { include: [...query.include, `!${NAME}`].join(",") };
  const values = {
    ...{ files: files.length, directories: directories.size, isListing: query.isListing },
    path: workspace.display([...directories].sort(compareByBytes)[0]!),
    changes: [voice.canSend(exclude) ? exclude : without],
  };
  return [{ reason: "dependencies", values }];
}

/** How many matches excluding dependencies would save, as a part of a hint; `""` for none. */
export function dependencyHint(
  counts: ReadonlyMap<string, number>,
  query: Query,
  job: SearchJob,
): string {
  const paths = [...counts.keys()].map((directory) => directory + sep);
  const { files } = unmentioned(paths, query, job);
  const count = files.reduce((sum, path) => sum + counts.get(path.slice(0, -sep.length))!, 0);
  if (count === 0) return "";
  const way = query.includeKey === "pattern" ? `add ,!${NAME} to pattern` : `exclude ${NAME}`;
  return `, or ${way} (which holds ${count} of them)`;
}

/**
 * The files, and their directories, that are in dependencies which no ignore file names; none if the query
 * asks for dependencies or for ignored files.
 */
function unmentioned(paths: Iterable<string>, query: Query, job: SearchJob) {
  const directories = new Set<string>();
  const files: string[] = [];
  const isAsked = query.include.some((glob) => glob.includes(NAME));
  if (!query.ignore || isAsked) return { directories, files };
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
