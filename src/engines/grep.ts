/**
 * grep as a filter, with options that GNU grep and BSD grep share.
 *
 * @module
 */

import { CALL_BYTES, type FilterProgram } from "./filter_program.ts";

export const grep: FilterProgram = {
  name: "grep",
  install: "install GNU grep, for example with `apt install grep` or `brew install grep`",
  env: { LC_ALL: "C" },
  callBytes: CALL_BYTES,
  options: [
    "-E",
    "-l",
    "--null", // `-Z` of BSD grep decompresses
    "-a",
    // Skips what has become a directory or a device since the walk.
    "-d",
    "skip",
    "-D",
    "skip",
  ],
  operand: (path) => path,
};
