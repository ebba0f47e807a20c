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
import { infoAt } from "../util/file_info.ts";
import { dirname, sep } from "../util/path.ts";
import { type AllowedRoots, isVerified } from "../workspace/verification.ts";
import { compareByBytes } from "../workspace/paths.ts";
import {
  type EngineReport,
  firstSkippedPaths,
  MAX_SKIPPED_PATHS,
  noSkips,
  type SkipCounts,
  type SkippedPath,
  UNDECODABLE_NAME,
} from "../searcher/job.ts";
import { type Caller, canSend, type Change, changeAdvice, optionName } from "../search/callers.ts";
import type { SearchSettings } from "../search/query.ts";

/**
 * One sentence per reason, and one per named file.
 *
 * @param roots what may be shown is in them
 * @param encodings likely ones of files that are not UTF-8, by path
 * @param caller who reads them
 * @param cutAt the path at which the answer ends, if it was cut off
 */
export function skipNotes(
  report: EngineReport,
  settings: Pick<SearchSettings, "maxFileSize">,
  workspace: Workspace,
  roots: AllowedRoots,
  encodings: ReadonlyMap<string, string>,
  caller: Caller,
  cutAt?: string,
): string[] {
  const { met, notSearched, isPart } = cutAt === undefined || report.skippedPaths === undefined
    ? { met: { ...report.skipped }, notSearched: report.notSearched, isPart: false }
    : metUpTo(cutAt, report.skippedPaths, report.notSearched);
  const notes = notSearched.map(({ path, reason, isPart }) => {
    const extent = isPart ? "searched only in part" : "not searched";
    const label = encodings.get(path);
    const advice = reason === "not_utf8" || label !== undefined
      ? encodingAdvice("its", caller, label)
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
  const first = (reason: keyof SkipCounts) => workspace.display(report.firstSkipped[reason] ?? "");
  const label = encodings.get(report.firstSkipped.not_utf8 ?? "");
  const over = `over ${settings.maxFileSize} bytes`;
  const large = largeFileAdvice(report, workspace, caller);
  say(
    met.too_large,
    `file ${over} was not searched: ${large}`,
    `files ${over} were not searched, the first is ${large}`,
  );
  say(
    met.not_utf8,
    `file that is not UTF-8 was not searched: ${first("not_utf8")}${
      encodingAdvice("its", caller, label)
    }`,
    `files that are not UTF-8 were not searched, the first is ${first("not_utf8")}${
      encodingAdvice("their", caller, label)
    }`,
  );
  const unreadable = unreadablePlace(report.firstSkipped.unreadable ?? "", workspace);
  say(
    met.unreadable,
    `file or directory could not be read and was not searched: ${unreadable}`,
    `files or directories could not be read and were not searched, the first is ${unreadable}`,
  );
  const place = placeNow(report.firstSkipped.vanished, workspace, roots);
  say(
    met.vanished,
    `file or directory vanished during the search${place && `, in ${place}`}`,
    `files or directories vanished during the search${place && `, the first in ${place}`}`,
  );
  const longest = `over ${MAX_LINE_CHARS} characters`;
  say(
    met.long_lines,
    `file has a line ${longest}, which was searched only up to there: ${first("long_lines")}`,
    `files have lines ${longest}, which were searched only up to there, the first is ${
      first("long_lines")
    }`,
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

/**
 * The innermost directory of a path that is in the workspace: where something vanished, a path may have
 * led elsewhere, and no name from there is shown.
 */
function placeNow(path: string | undefined, workspace: Workspace, roots: AllowedRoots): string {
  for (
    let at = path?.slice(0, -sep.length);
    at !== undefined && at !== dirname(at);
    at = dirname(at)
  ) {
    const isSame = () => infoAt(at!)?.isDirectory === true;
    if (isVerified({ path: at, directory: at, isSame }, roots)) return workspace.display(at);
  }
  return "";
}

/** What could not be read; of a name that is not UTF-8, the directory that holds it. */
function unreadablePlace(path: string, workspace: Workspace): string {
  return path.endsWith(UNDECODABLE_NAME)
    ? `a name that is not UTF-8 in ${workspace.display(path.slice(0, -UNDECODABLE_NAME.length))}`
    : workspace.display(path);
}

/** How binary files are searched. */
function binaryAdvice(caller: Caller): string {
  const way: Change = { text: true };
  return canSend(way, caller) ? `; ${changeAdvice(way, caller)}` : "";
}

/** How files that are not UTF-8 are searched: in the encoding of the first, where that is known. */
function encodingAdvice(
  whose: "its" | "their",
  caller: Caller,
  label: string | undefined,
): string {
  const name = optionName("encoding", caller);
  if (name === undefined) return "";
  if (label !== undefined) return `; ${changeAdvice({ encoding: label }, caller)}`;
  const kind = caller === "shell" ? "" : caller === "library" ? "the option " : "the key ";
  return `; name ${whose} encoding with ${kind}${name}`;
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
