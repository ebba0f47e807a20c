/**
 * grep as a filter, with options that GNU grep and BSD grep share.
 *
 * @module
 */

import { CALL_BYTES, type FilterProgram } from "./filter_program.ts";
import { POSIX_SYNTAX } from "./pattern_syntax.ts";

/** grep. */
export const grep: FilterProgram = {
  name: "grep",
  install: "install GNU grep, for example with `apt install grep` or `brew install grep`",
  syntax: POSIX_SYNTAX,
  // GNU grep builds a DFA, which has too many states for a wide pattern.
  limits: { weight: 32, endless: true },
  env: { LC_ALL: "C" },
  callBytes: CALL_BYTES,
  args: (patterns) => [
    "-E",
    "-l",
    "--null", // `-Z` of BSD grep decompresses
    "-a",
    // Skips what has become a directory or a device since the walk.
    "-d",
    "skip",
    "-D",
    "skip",
    ...patterns.flatMap((pattern) => ["-e", pattern]),
    "--",
  ],
  operand: (path) => path,
};
