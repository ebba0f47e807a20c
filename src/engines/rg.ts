/**
 * ripgrep as a filter.
 *
 * @module
 */

import { importPackage } from "../util/npm_package.ts";
import { isGranted } from "../util/permissions.ts";
import { CALL_BYTES, type FilterProgram } from "./filter_program.ts";

export const rg: FilterProgram = {
  name: "rg",
  install: "install ripgrep, for example with `apt install ripgrep` or `brew install ripgrep`",
  fallback: {
    // The package reads its environment and looks for its files; a compiled program fetches none.
    isPermitted: () => !Deno.build.standalone && isGranted({ name: "env" }, { name: "read" }),
    locate: async () => (await importPackage<{ rgPath: string }>("@vscode/ripgrep")).rgPath,
  },
  env: { LC_ALL: "C" },
  callBytes: CALL_BYTES,
  options: [
    "--no-config",
    "--color=never",
    "--files-with-matches",
    "--null",
    // Bytes as they are: do not stop at a NUL, do not decode UTF-16.
    "--text",
    "--encoding=none",
    "--no-unicode",
    // A file that is truncated while it is mapped ends the process.
    "--no-mmap",
    // What has become a directory since the walk is not entered, nor are rules read on the way to it.
    "--max-depth=0",
    "--no-ignore",
  ],
  operand: (path) => path,
};
