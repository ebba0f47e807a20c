/**
 * `pathgrep files`: list what a search would read.
 *
 * @module
 */
import { runListing } from "../../search/search.ts";
import { printAnswer } from "../print_answer.ts";
import type { RunCommand } from "./command.ts";

/** Lists the files below the operands, or below every root; 1 when there are none, as `rg --files`. */
export const run: RunCommand = async (settings, operands, _, host) => {
  settings.query.path = [...operands];
  const count = await printAnswer(
    settings,
    ({ pattern: _, ...query }, options) => runListing(query, { ...options, tool: "files" }),
    host,
  );
  return count > 0 ? 0 : 1;
};
