/**
 * Notes on what was read differently than the query gave it, and on what was not searched.
 *
 * @module
 */

import { type EngineReport, STDIN } from "../searcher/job.ts";
import { isNullable } from "../regex/ast.ts";
import type { PatternPlan } from "../regex/pattern_plan.ts";
import { compareByBytes } from "../workspace/paths.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Caller, optionName } from "./callers.ts";
import { MAX_CONTEXT, type PreparedSearch } from "./prepare.ts";
import type { Total } from "./collector.ts";
import type { SearchSettings } from "./query.ts";
import type { Targets } from "./targets.ts";

/** Every entry holds its context, so that much of it would multiply into all the memory there is. */
export function contextNotes({ before, after }: SearchSettings): string[] {
  const asked = Math.max(before, after);
  if (asked <= MAX_CONTEXT) return [];
  return [`context of ${asked} lines was read as ${MAX_CONTEXT}; read the file itself for more`];
}

/** An empty page after the last entry would be taken for the absence of any. */
export function pageNotes({ offset, outputMode }: SearchSettings, total: Total): string[] {
  const entries = outputMode === "content" ? total.count : total.files;
  if (offset === 0 || entries === 0) return [];
  const said = entries === 1 ? "1 entry" : `${entries} entries`;
  return [`offset ${offset} is past the last of ${said}`];
}

/** What an empty answer of matched texts does not show. */
export function emptyMatchNotes(
  { onlyMatching, outputMode }: SearchSettings,
  { locate: { tree } }: PatternPlan,
  caller: Caller,
): string[] {
  if (!onlyMatching || outputMode !== "content" || !isNullable(tree)) return [];
  const name = optionName("onlyMatching", caller);
  return [`${name} leaves out matches of no characters, which the pattern allows`];
}

/**
 * Filters mean nothing for a file that is named, nor for standard input; in directories beside it they
 * apply, and the note says so.
 */
export function filterNotes(
  settings: SearchSettings,
  { directories, files, stdin }: Targets,
  workspace: Workspace,
): string[] {
  const filters = [
    ["include", settings.include],
    ["exclude", settings.exclude],
    ["type", [...settings.type, ...settings.typeNot]],
  ] as const;
  const [first, ...others] = [...files, ...(stdin ? [STDIN.file] : [])];
  if (first === undefined) return [];
  const isMixed = directories.length > 0;
  const named = workspace.display(first) +
    (others.length === 0 ? "" : ` and ${others.length} more`);
  return filters.filter(([, globs]) => globs.length > 0).map(([name]) =>
    `${name} filter ignored${isMixed ? ` for ${named}` : ""} because a specific file path was ` +
    `provided${isMixed ? "; in the directories it applies" : ""}`
  );
}

/** What the answer says of what was skipped; loaded where there is anything to say. */
export async function notesOfSkips(
  report: EngineReport,
  { settings, options, job: { plan, walk }, caller }: PreparedSearch,
  cutAt: string | undefined,
): Promise<string[]> {
  const { skipped } = report;
  const told = skipped.too_large + skipped.not_utf8 + skipped.unreadable + skipped.vanished +
    skipped.long_lines + skipped.worktrees + skipped.ignore_files + skipped.exclusion_files;
  if (told + report.notSearched.length === 0) return [];
  // Workers reach them in any order.
  report.notSearched.sort((a, b) => compareByBytes(a.path, b.path));
  const { skipNotes } = await import("../explain/skip_notes.ts");
  const mayDecode = skipped.not_utf8 > 0 ||
    report.notSearched.some(({ reason }) => reason === "binary");
  const encodings = mayDecode
    ? (await import("../explain/encoding_hints.ts")).encodingHints(report, walk, plan)
    : new Map<string, string>();
  return skipNotes(report, settings, options.workspace, walk, encodings, caller, cutAt);
}
