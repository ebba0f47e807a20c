/**
 * Says what a search did not read. What a user would not expect to be read (binary, ignored,
 * blocked) is in `stats` only.
 *
 * An answer that is cut off at a path tells of what lies up to there, which every engine has met on
 * every run: how far each got beyond is chance.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "./js/line_feeder.ts";
import { MAX_RULE_CHARS } from "../walk/ignore.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { compareByBytes } from "../workspace/paths.ts";
import {
  type EngineReport,
  firstPlaces,
  MAX_PLACES,
  noSkips,
  type SkipCounts,
  type SkipPlace,
} from "./engine.ts";
import type { SearchSettings } from "./query.ts";

/**
 * One sentence per reason, and one per named file.
 *
 * @param cutAt the path at which the answer ends, if it was cut off
 */
export function skipNotes(
  report: EngineReport,
  settings: Pick<SearchSettings, "maxFileSize">,
  workspace: Workspace,
  cutAt?: string,
): string[] {
  const { met, notSearched, isPart } = cutAt === undefined || report.places === undefined
    ? { met: { ...report.skipped }, notSearched: report.notSearched, isPart: false }
    : metUpTo(cutAt, report.places, report.notSearched);
  const notes = notSearched.map(({ path, reason }) =>
    `${workspace.display(path)} was not searched: ${WHY_NAMED[reason] ?? reason}`
  );
  for (const { reason } of notSearched) met[reason]--;
  const say = (count: number, one: string, many: string) => {
    if (count <= 0) return;
    notes.push(`${isPart ? "at least " : ""}${count} ${count === 1 ? one : many}`);
  };
  const over = `over ${settings.maxFileSize} bytes`;
  say(met.too_large, `file ${over} was not searched`, `files ${over} were not searched`);
  say(
    met.not_utf8,
    "file that is not UTF-8 was not searched",
    "files that are not UTF-8 were not searched",
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
  return notes;
}

/** What was skipped up to a path; `isPart`: and perhaps more. */
function metUpTo(
  end: string,
  places: readonly SkipPlace[],
  notSearched: readonly SkipPlace[],
): { met: SkipCounts; notSearched: SkipPlace[]; isPart: boolean } {
  const isMet = ({ path }: SkipPlace) => compareByBytes(path, end) <= 0;
  const before = firstPlaces(places).filter(isMet);
  const met = noSkips();
  for (const { reason } of before) met[reason]++;
  return { met, notSearched: notSearched.filter(isMet), isPart: before.length === MAX_PLACES };
}

const WHY_NAMED: Partial<Record<keyof SkipCounts, string>> = {
  binary: "it is binary (it holds a NUL byte)",
  not_utf8: "it is not UTF-8",
  too_large: "it is too large for a match that may span lines",
  unreadable: "it could not be read",
  vanished: "it vanished during the search",
};
