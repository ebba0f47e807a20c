/**
 * Notes on files that a search did not read. Files that a user would not expect to be read (binary, ignored,
 * blocked) are in `stats` only.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "../scan/piece_feeder.ts";
import { MAX_RULE_CHARS } from "../glob/ignore_rules.ts";
import type { Workspace } from "../paths/workspace.ts";
import { infoAt } from "../system/files.ts";
import { dirname, sep } from "../util/path.ts";
import { type AllowedRoots, isInWorkspace } from "../paths/verification.ts";
import type { EngineReport, SkipCounts } from "../scan/job.ts";
import { UNDECODABLE_NAME } from "../scan/skip_report.ts";
import { LEFT_OUT } from "../notes/table.ts";
import type { Note, NoteOn, Reason, ReasonValues } from "../notes/words.ts";

/** Reasons that have a sentence; of blocked entries, an answer says elsewhere. */
const MET = (Object.keys(LEFT_OUT) as (keyof typeof LEFT_OUT)[]).filter((reason) =>
  "says" in LEFT_OUT[reason] && reason !== "blocked"
) as (keyof SkipCounts & Reason)[];

/** The data that notes on skipped entries are built from. */
export interface SkipContext {
  report: EngineReport;
  maxFileSize: number;
  workspace: Workspace;
  /** Nothing outside them is shown. */
  roots: AllowedRoots;
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
  { report: { firstSkipped, worktrees }, maxFileSize, workspace, roots, isPart }: SkipContext,
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
  const vanishedIn = placeNow(firstSkipped.vanished?.[0], roots);
  const values: { [R in Reason]?: ReasonValues<R> } = {
    too_large: { ...first("too_large"), limit: maxFileSize },
    unreadable: { ...first("unreadable", place), isName },
    vanished: first("vanished", vanishedIn),
    long_lines: { ...first("long_lines"), limit: MAX_LINE_CHARS },
    ignore_files: { ...many("ignore_files"), limit: MAX_RULE_CHARS },
    worktrees: { ...many("worktrees"), paths },
    exclusion_files: { ...many("exclusion_files"), limit: MAX_RULE_CHARS },
    exclusion_lines: many("exclusion_lines"),
  };
  return MET.filter((reason) => met[reason] > 0)
    .map((reason) => ({ reason, values: values[reason] ?? first(reason) }) as Note);
}

/**
 * The innermost directory of a path that is in the workspace: where something vanished, a path may have
 * led elsewhere, and no name from there is shown.
 */
function placeNow(path: string | undefined, roots: AllowedRoots): string {
  for (let at = path?.slice(0, -sep.length) ?? sep; at !== dirname(at); at = dirname(at)) {
    const isSame = () => infoAt(at)?.isDirectory === true;
    if (isInWorkspace(at, roots, isSame)) return at;
  }
  return "";
}
