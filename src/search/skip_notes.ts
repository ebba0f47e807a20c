/**
 * Says what a search did not read. What a user would not expect to be read (binary, ignored,
 * blocked) is in `stats` only.
 *
 * @module
 */

import { MAX_LINE_CHARS } from "./js/line_feeder.ts";
import { MAX_RULE_CHARS } from "../walk/ignore.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EngineReport, SkipCounts } from "./engine.ts";
import type { SearchSettings } from "./query.ts";

/** One sentence per reason, and one per named file. */
export function skipNotes(
  report: EngineReport,
  settings: Pick<SearchSettings, "maxFileSize">,
  workspace: Workspace,
): string[] {
  const notes = report.notSearched.map(({ path, reason }) =>
    `${workspace.display(path)} was not searched: ${WHY_NAMED[reason] ?? reason}`
  );
  const met = { ...report.skipped };
  for (const { reason } of report.notSearched) met[reason]--;
  const say = (count: number, one: string, many: string) => {
    if (count > 0) notes.push(count === 1 ? `1 ${one}` : `${count} ${many}`);
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

const WHY_NAMED: Partial<Record<keyof SkipCounts, string>> = {
  binary: "it is binary (it holds a NUL byte)",
  not_utf8: "it is not UTF-8",
  too_large: "it is too large for a match that may span lines",
  unreadable: "it could not be read",
  vanished: "it vanished during the search",
};
