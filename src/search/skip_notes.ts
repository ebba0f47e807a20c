/**
 * Says what a search did not read. What a user would not expect to be read (binary, ignored,
 * blocked) is in `stats` only.
 *
 * An answer that is cut off at a path reports what was skipped up to there, which every engine has met on
 * every run: how far each got beyond is chance.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "../searcher/text_feeder.ts";
import { MAX_RULE_CHARS } from "../glob/ignore_rules.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { sep } from "../util/path.ts";
import { compareByBytes } from "../workspace/paths.ts";
import {
  type EngineReport,
  firstSkippedPaths,
  MAX_SKIPPED_PATHS,
  noSkips,
  type SkipCounts,
  type SkippedPath,
} from "../searcher/job.ts";
import { type Caller, canSend, type Change, changeAdvice, optionName } from "./callers.ts";
import type { SearchSettings } from "./query.ts";

/**
 * One sentence per reason, and one per named file.
 *
 * @param encodings likely ones of files that are not UTF-8, by path
 * @param caller who reads them
 * @param cutAt the path at which the answer ends, if it was cut off
 */
export function skipNotes(
  report: EngineReport,
  settings: Pick<SearchSettings, "maxFileSize">,
  workspace: Workspace,
  encodings: ReadonlyMap<string, string>,
  caller: Caller,
  cutAt?: string,
): string[] {
  const { met, notSearched, isPart } = cutAt === undefined || report.skippedPaths === undefined
    ? { met: { ...report.skipped }, notSearched: report.notSearched, isPart: false }
    : metUpTo(cutAt, report.skippedPaths, report.notSearched);
  const notes = notSearched.map(({ path, reason, isPart }) => {
    const extent = isPart ? "searched only in part" : "not searched";
    const advice = reason === "not_utf8"
      ? encodingAdvice("its", caller, encodings.get(path))
      : reason === "binary"
      ? binaryAdvice(caller)
      : "";
    return `${workspace.display(path)} was ${extent}: ${WHY_NAMED[reason] ?? reason}${advice}`;
  });
  for (const { reason } of notSearched) met[reason]--;
  const say = (count: number, one: string, many: string) => {
    if (count <= 0) return;
    notes.push(`${isPart ? "at least " : ""}${count} ${count === 1 ? one : many}`);
  };
  const { not_utf8 } = report.firstSkipped;
  const first = workspace.display(not_utf8 ?? "");
  const label = encodings.get(not_utf8 ?? "");
  const over = `over ${settings.maxFileSize} bytes`;
  const large = largeFileAdvice(report, workspace, caller);
  say(
    met.too_large,
    `file ${over} was not searched: ${large}`,
    `files ${over} were not searched, the first is ${large}`,
  );
  say(
    met.not_utf8,
    `file that is not UTF-8 was not searched${encodingAdvice("its", caller, label, first)}`,
    `files that are not UTF-8 were not searched${encodingAdvice("their", caller, label, first)}`,
  );
  say(
    met.unreadable,
    "file or directory could not be read and was not searched",
    "files or directories could not be read and were not searched",
  );
  say(
    met.vanished,
    "file or directory vanished during the search",
    "files or directories vanished during the search",
  );
  say(
    met.long_lines,
    `file has a line over ${MAX_LINE_CHARS} characters, which was searched only up to there`,
    `files have lines over ${MAX_LINE_CHARS} characters, which were searched only up to there`,
  );
  const limit = `only ${MAX_RULE_CHARS} characters of them count in a directory and those above it`;
  say(
    met.ignore_files,
    `ignore file was not read: ${limit}; files that it ignores may be in the answer`,
    `ignore files were not read: ${limit}; files that they ignore may be in the answer`,
  );
  const worktrees = report.worktrees
    .filter((path) => cutAt === undefined || compareByBytes(path + sep, cutAt) <= 0)
    .map((path) => workspace.display(path));
  const named = met.worktrees > worktrees.length
    ? `${worktrees.join(", ")} and others`
    : worktrees.join(", ");
  say(
    met.worktrees,
    `git worktree was not searched; name it as path to search it: ${named}`,
    `git worktrees were not searched; name one as path to search it: ${named}`,
  );
  say(
    met.exclusion_files,
    "exclusion file was not read, so that nothing beside or below it was searched: " +
      EXCLUSION_LIMIT,
    "exclusion files were not read, so that nothing beside or below them was searched: " +
      EXCLUSION_LIMIT,
  );
  return notes;
}

/** How binary files are searched. */
function binaryAdvice(caller: Caller): string {
  const way: Change = { text: true };
  return canSend(way, caller) ? `; ${changeAdvice(way, caller)}` : "";
}

/** How files that are not UTF-8 are searched; `file` is the one that the label is likely for. */
function encodingAdvice(
  whose: string,
  caller: Caller,
  label: string | undefined,
  file?: string,
): string {
  const option = optionName("encoding", caller);
  const name = caller === "library" ? `the option ${option}` : option;
  const likely = label === undefined
    ? []
    : file === undefined
    ? [`probably ${label}`]
    : name === undefined
    ? [`${file} is probably ${label}`]
    : [`for ${file} probably ${label}`];
  const said = name === undefined ? likely : [`name ${whose} encoding with ${name}`, ...likely];
  return said.length === 0 ? "" : `; ${said.join(", ")}`;
}

const EXCLUSION_LIMIT =
  `only ${MAX_RULE_CHARS} characters of them count in a directory and those ` +
  "above it, and each must be readable";

/** The first file that is too large, and how it is searched. */
function largeFileAdvice(report: EngineReport, workspace: Workspace, caller: Caller): string {
  const path = workspace.display(report.firstSkipped.too_large ?? "");
  const ways: Change[] = [{ maxFileSize: 0 }, { path }];
  const said = ways.filter((way) => canSend(way, caller)).map((way) => changeAdvice(way, caller));
  return `${path}; ${said.join(", or ")}`;
}

/** What was skipped up to a path; `isPart`: and perhaps more. */
function metUpTo(
  end: string,
  places: readonly SkippedPath[],
  notSearched: readonly SkippedPath[],
): { met: SkipCounts; notSearched: SkippedPath[]; isPart: boolean } {
  const isMet = ({ path }: SkippedPath) => compareByBytes(path, end) <= 0;
  const before = firstSkippedPaths(places).filter(isMet);
  const met = noSkips();
  for (const { reason } of before) met[reason]++;
  return {
    met,
    notSearched: notSearched.filter(isMet),
    isPart: before.length === MAX_SKIPPED_PATHS,
  };
}

const WHY_NAMED: Partial<Record<keyof SkipCounts, string>> = {
  binary: "it is binary (it holds a NUL byte)",
  not_utf8: "it is not UTF-8",
  too_large: "it is too large for a match that may span lines",
  unreadable: "it could not be read",
  vanished: "it vanished during the search",
};
