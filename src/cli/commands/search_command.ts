/**
 * `pathgrep search`: search files for a pattern; `pathgrep files`: list what a search would read.
 *
 * @module
 */
import { PathgrepError } from "../../util/errors.ts";
import { runListing, runSearch } from "../../search/search.ts";
import { printAnswer } from "../print_answer.ts";
import type { RunCommand } from "./command.ts";

/** Searches; the first operand is the pattern, unless `-e` gave it. */
export const run: RunCommand = async (settings, operands, commands, host) => {
  if (settings.listFiles) return await runFiles(settings, operands, commands, host);
  const { query } = settings;
  query.path = [...operands];
  if (settings.patternFiles.length > 0) {
    const { addPatternsOfFiles } = await import("../pattern_files.ts");
    await addPatternsOfFiles(settings, await host.openWorkspace(settings), host);
  }
  if (query.pattern.length === 0) query.pattern = query.path.splice(0, 1);
  if (query.pattern.length === 0) {
    throw new PathgrepError("invalid_input", "pattern is missing", {
      hint:
        "usage: pathgrep [OPTIONS] PATTERN [PATH…], -e PATTERN for one that begins with a dash; " +
        "`pathgrep --help` lists the options",
    });
  }
  const count = await printAnswer(settings, runSearch, host);
  return count > 0 ? 0 : 1;
};

/** Lists the files below the operands, or below every root; 1 when there are none, as `rg --files`. */
export const runFiles: RunCommand = async (settings, operands, _, host) => {
  settings.query.path = [...operands];
  const count = await printAnswer(
    settings,
    ({ pattern: _, ...query }, options) => runListing(query, { ...options, tool: "files" }),
    host,
  );
  return count > 0 ? 0 : 1;
};
