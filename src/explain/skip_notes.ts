/**
 * Notes on files that a search did not read. Files that a user would not expect to be read (binary, ignored,
 * blocked) are in `stats` only.
 *
 * An answer that is cut off at a path reports what was skipped up to there, which is the same on every engine
 * and every run: how far each got beyond is chance.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "../scan/text_feeder.ts";
import { MAX_RULE_CHARS } from "../glob/ignore_rules.ts";
import type { Workspace } from "../paths/workspace.ts";
import { quotedName } from "../util/escape.ts";
import { infoAt } from "../system/files.ts";
import { dirname, sep } from "../util/path.ts";
import { type AllowedRoots, isInWorkspace } from "../paths/verification.ts";
import { compareByBytes } from "../paths/paths.ts";
import {
  type EngineReport,
  MAX_SKIPPED_PATHS,
  noSkips,
  type SkipCounts,
  type SkippedPath,
} from "../scan/job.ts";
import { firstSkippedPaths, UNDECODABLE_NAME } from "../scan/skip_report.ts";
import { type Caller, canSend, type Change, changeAdvice, optionName } from "../search/callers.ts";
import type { StandingNote } from "../search/result.ts";

/** The data that notes on skipped entries are built from. */
export interface SkipContext {
  report: EngineReport;
  maxFileSize: number;
  workspace: Workspace;
  /** Nothing outside them is shown. */
  roots: AllowedRoots;
  /** Likely encodings of files that are not UTF-8, by path. */
  encodings: ReadonlyMap<string, string>;
  caller: Caller;
  /** The path at which the answer ends, if it was cut off. */
  cutAt: string | undefined;
}

export interface SkipNotes {
  /** One for each file that was named and not searched. */
  named: string[];
  /** One for each reason why entries that a walk met were not searched. */
  met: StandingNote[];
}

export function skipNotes(context: SkipContext): SkipNotes {
  const { report, workspace, cutAt } = context;
  const { met, notSearched, isPart } = cutAt === undefined || report.skippedPaths === undefined
    ? { met: { ...report.skipped }, notSearched: report.notSearched, isPart: false }
    : metUpTo(cutAt, report.skippedPaths, report.notSearched);
  for (const { reason } of notSearched) met[reason]--;
  const worktrees = report.worktrees
    .filter((path) => cutAt === undefined || compareByBytes(path + sep, cutAt) <= 0)
    .map((path) => shownIn(workspace, path));
  const sentences = [
    ...metFiles(context),
    ...metPlaces(context),
    ...metRuleFiles(worktrees.join(", ") + (met.worktrees > worktrees.length ? " and others" : "")),
  ];
  return {
    named: notSearched.map((file) => namedFileNote(file, context)),
    met: sentences.filter(({ reason }) => met[reason] > 0).map(({ reason, one, many }) => ({
      text: `${isPart ? "at least " : ""}${met[reason]} ${met[reason] === 1 ? one : many}`,
      subject: one,
    })),
  };
}

function shownIn(workspace: Workspace, path: string): string {
  return quotedName(workspace.display(path));
}

/** `one`, `many`: what follows the number of entries that were skipped. */
type SkipSentence = { reason: keyof SkipCounts; one: string; many: string };

function namedFileNote(
  { path, reason, isPart }: SkippedPath,
  { workspace, encodings, caller }: SkipContext,
): string {
  const extent = isPart ? "searched only in part" : "not searched";
  const label = encodings.get(path);
  const advice = reason === "not_utf8" || label !== undefined
    ? encodingAdvice("its", caller, label)
    : reason === "binary"
    ? adviceToChange([{ text: true }], caller)
    : "";
  return `${shownIn(workspace, path)} was ${extent}: ${WHY_NAMED[reason] ?? reason}${advice}`;
}

function metFiles(
  { report, maxFileSize, workspace, encodings, caller }: SkipContext,
): SkipSentence[] {
  const over = `over ${maxFileSize} bytes`;
  const path = workspace.display(report.firstSkipped.too_large ?? "");
  const large = quotedName(path) + adviceToChange([{ maxFileSize: 0 }, { path }], caller);
  const notUtf8 = report.firstSkipped.not_utf8 ?? "";
  const advice = (whose: "its" | "their") =>
    shownIn(workspace, notUtf8) + encodingAdvice(whose, caller, encodings.get(notUtf8));
  return [
    {
      reason: "too_large",
      one: `file ${over} was not searched: ${large}`,
      many: `files ${over} were not searched, the first is ${large}`,
    },
    {
      reason: "not_utf8",
      one: `file that is not UTF-8 was not searched: ${advice("its")}`,
      many: `files that are not UTF-8 were not searched, the first is ${advice("their")}`,
    },
  ];
}

/** Entries that could not be read, or only in part, or that vanished. */
function metPlaces(
  { report: { firstSkipped }, workspace, roots }: SkipContext,
): SkipSentence[] {
  const unreadable = unreadablePlace(firstSkipped.unreadable ?? "", workspace);
  const place = placeNow(firstSkipped.vanished, workspace, roots);
  const longLine = shownIn(workspace, firstSkipped.long_lines ?? "");
  const longest = `over ${MAX_LINE_CHARS} characters`;
  return [
    {
      reason: "unreadable",
      one: `file or directory could not be read and was not searched: ${unreadable}`,
      many: "files or directories could not be read and were not searched, the first is " +
        unreadable,
    },
    {
      reason: "vanished",
      one: `file or directory vanished during the search${place && `, in ${place}`}`,
      many: "files or directories vanished during the search" +
        (place && `, the first in ${place}`),
    },
    {
      reason: "long_lines",
      one: `file has a line ${longest}, which was searched only up to there: ${longLine}`,
      many: `files have lines ${longest}, which were searched only up to there, the first is ` +
        longLine,
    },
  ];
}

const UNHEEDED =
  "`!include` in .clineignore takes a file of the workspace that is not blocked and " +
  "includes none, and .claude/settings.json and settings.local.json have to be JSON";

/** Rule files that were not read, and worktrees. */
function metRuleFiles(worktrees: string): SkipSentence[] {
  const limit =
    `at most ${MAX_RULE_CHARS} characters of them are read for a directory and those above it`;
  const exclusion = `${limit}, and each must be readable`;
  return [
    {
      reason: "ignore_files",
      one: `ignore file was not read: ${limit}; files that it ignores may be in the answer`,
      many: `ignore files were not read: ${limit}; files that they ignore may be in the answer`,
    },
    {
      reason: "worktrees",
      one: `git worktree was not searched; pass it as path to search it: ${worktrees}`,
      many: `git worktrees were not searched; pass one as path to search it: ${worktrees}`,
    },
    {
      reason: "exclusion_files",
      one: `exclusion file was not read, so nothing beside or below it was searched: ` +
        exclusion,
      many: "exclusion files were not read, so nothing beside or below them was searched: " +
        exclusion,
    },
    {
      reason: "exclusion_lines",
      one: `line or file that keeps paths from agents does not count: ${UNHEEDED}`,
      many: `lines or files that keep paths from agents do not count: ${UNHEEDED}`,
    },
  ];
}

/**
 * The innermost directory of a path that is in the workspace: where something vanished, a path may have
 * led elsewhere, and no name from there is shown.
 */
function placeNow(path: string | undefined, workspace: Workspace, roots: AllowedRoots): string {
  for (let at = path?.slice(0, -sep.length) ?? sep; at !== dirname(at); at = dirname(at)) {
    const isSame = () => infoAt(at)?.isDirectory === true;
    if (isInWorkspace(at, roots, isSame)) return shownIn(workspace, at);
  }
  return "";
}

/** What could not be read; of a name that is not UTF-8, the directory that holds it. */
function unreadablePlace(path: string, workspace: Workspace): string {
  return path.endsWith(UNDECODABLE_NAME)
    ? `a name that is not UTF-8 in ${shownIn(workspace, path.slice(0, -UNDECODABLE_NAME.length))}`
    : shownIn(workspace, path);
}

/** How to search files that are not UTF-8: in the encoding of the first, if that is known. */
function encodingAdvice(whose: "its" | "their", caller: Caller, label: string | undefined): string {
  const name = optionName("encoding", caller);
  if (name === undefined) return "";
  if (label !== undefined) return `; ${changeAdvice({ encoding: label }, caller)}`;
  const kind = caller === "shell" ? "" : caller === "library" ? "the option " : "the key ";
  return `; name ${whose} encoding with ${kind}${name}`;
}

/** The changes that a caller can make. */
function adviceToChange(changes: readonly Change[], caller: Caller): string {
  const ways = changes.filter((change) => canSend(change, caller));
  return ways.length === 0 ? "" : `; ${ways.map((way) => changeAdvice(way, caller)).join(", or ")}`;
}

/** What was skipped up to a path; `isPart`: there may be more. */
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
  binary: "it is binary (it contains a NUL byte)",
  not_utf8: "it is not UTF-8",
  too_large: "it is too large for a match that may span lines",
  unreadable: "it could not be read",
  vanished: "it vanished during the search",
};
