/**
 * grep as a filter: with options that GNU's and BSD's have in common.
 *
 * @module
 */

import { CALL_BYTES, type FilterProgram } from "../search/engines/filter_program.ts";
import { POSIX_SYNTAX } from "./pattern_syntax.ts";

/** grep. */
export const grep: FilterProgram = {
  name: "grep",
  install: "install GNU grep, for example with `apt install grep` or `brew install grep`",
  syntax: POSIX_SYNTAX,
  // GNU's has an automaton, whose states are too many for a wide pattern.
  limits: { weight: 32, endless: true },
  env: { LC_ALL: "C" },
  callBytes: CALL_BYTES,
  args: (patterns) => [
    "-E",
    "-l",
    "--null", // BSD's `-Z` decompresses
    "-a",
    // What has become a directory or a device since the walk is not waited for.
    "-d",
    "skip",
    "-D",
    "skip",
    ...patterns.flatMap((pattern) => ["-e", pattern]),
    "--",
  ],
  operand: (path) => path,
};
