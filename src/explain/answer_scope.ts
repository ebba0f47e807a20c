/**
 * The scope of an answer: what was searched, and what was excluded.
 *
 * @module
 */

import { escapeControls } from "../util/escape.ts";
import { infoAt } from "../util/file_info.ts";
import { basename, dirname } from "../util/path.ts";
import { verify } from "../paths/verification.ts";
import type { Workspace } from "../paths/workspace.ts";
import { USUALLY_IGNORED } from "../scan/skip_report.ts";
import type { EngineReport, SearchJob } from "../scan/job.ts";
import { type Caller, optionName } from "../search/callers.ts";
import type { AnswerScope, LeftOut } from "../search/result.ts";

/** What follows the number of files that were excluded for a reason. */
const COUNTED: readonly [Exclude<keyof LeftOut, "ignored" | "ignored_more">, string, string][] = [
  ["blocked", "blocked as sensitive", "blocked as sensitive"],
  ["binary", "binary", "binary"],
  ["too_large", "too large", "too large"],
  ["not_utf8", "not UTF-8", "not UTF-8"],
  ["unreadable", "unreadable", "unreadable"],
  ["worktrees", "git worktree", "git worktrees"],
];

/** The scope of an answer to a search that was finished. */
export function scopeOf(
  { filesSearched, skipped, ignored, gits }: EngineReport,
  matched: number,
  { workspace, job }: { workspace: Workspace; job: SearchJob },
): AnswerScope {
  const named = ignored.filter(({ isUsual }) => isUsual === ignored[0]!.isUsual);
  const names = inPlace(named.map(({ path }) => path), job).map((path) => workspace.display(path));
  const { binary, too_large, not_utf8, unreadable, worktrees } = skipped;
  const counts = {
    ignored_more: skipped.ignored - names.length,
    blocked: skipped.blocked - gits,
    binary,
    too_large,
    not_utf8,
    unreadable,
    worktrees,
  };
  const leftOut: LeftOut = {
    ...(names.length > 0 && { ignored: names }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  };
  return {
    searched: filesSearched,
    matched,
    ...(Object.keys(leftOut).length > 0 && { left_out: leftOut }),
  };
}

/** The paths that still exist in the workspace: a cache may have older ones. */
function inPlace(paths: readonly string[], { walk, since }: SearchJob): string[] {
  const items = paths.map((path) => ({
    path: dirname(path),
    directory: dirname(path),
    isSame: () => infoAt(path) !== undefined,
    name: path,
  }));
  const proven = new Set(verify(items, since, walk).proven.map(({ name }) => name));
  return paths.filter((path) => proven.has(path) && infoAt(path) !== undefined);
}

/**
 * An answer's scope in one line: `searched 340 files; excluded: ignored tmp, out and 3 more (no_ignore
 * searches them), 2 binary`.
 *
 * @param caller the tool that answers: its line names only keys that it has
 */
export function scopeLine(scope: AnswerScope, caller: Caller = "grep"): string {
  const { searched, left_out: leftOut = {} } = scope;
  const files = searched === 1 ? "1 file" : `${searched} files`;
  const done = `${caller === "glob" ? "listed" : "searched"} ${files}`;
  const parts = COUNTED.flatMap(([key, one, many]) => {
    const count = leftOut[key] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const ignored = ignoredPart(leftOut, caller);
  if (ignored !== "") parts.unshift(ignored);
  return parts.length === 0 ? done : `${done}; excluded: ${parts.join(", ")}`;
}

function ignoredPart({ ignored = [], ignored_more: more = 0 }: LeftOut, caller: Caller): string {
  if (ignored.length + more === 0) return "";
  if (ignored.length === 0) return `${more} ignored`;
  const names = ignored.map(escapeControls).join(", ");
  const key = optionName("ignore", caller);
  const isNews = ignored.some((path) => !USUALLY_IGNORED.has(basename(path)));
  return `ignored ${names}${more === 0 ? "" : ` and ${more} more`}` +
    (isNews && key !== undefined ? ` (${key} searches them)` : "");
}
