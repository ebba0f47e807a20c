/**
 * ripgrep as a filter.
 *
 * @module
 */

import { CALL_BYTES, type FilterProgram } from "./filter_program.ts";
import { RUST_SYNTAX } from "../../engines/pattern_syntax.ts";

/** The npm package of the scope `@vscode` that brings a ripgrep binary along. */
const NPM_PACKAGE = "ripgrep@1.18.0";

/** ripgrep. */
export const rg: FilterProgram = {
  name: "rg",
  install: "install ripgrep, for example with `apt install ripgrep` or `brew install ripgrep`",
  async fallback() {
    // The package reads its environment and looks for its own files.
    const isGranted = (name: "env" | "read") =>
      Deno.permissions.querySync({ name }).state === "granted";
    if (!isGranted("env") || !isGranted("read")) return undefined;
    try {
      // With its whole name in the literal it would be fetched at every start.
      const { rgPath } = await import(`npm:@vscode/${NPM_PACKAGE}`) as { rgPath: string };
      return rgPath;
    } catch {
      return undefined; // there is no network, or no binary for this machine
    }
  },
  syntax: RUST_SYNTAX,
  limits: { weight: Infinity, endless: true },
  env: { LC_ALL: "C" },
  callBytes: CALL_BYTES,
  args: (patterns) => [
    "--no-config",
    "--color=never",
    "--files-with-matches",
    "--null",
    // Bytes as they are: no search that ends at a NUL, no decoding of UTF-16.
    "--text",
    "--encoding=none",
    // A file cut short while it is mapped ends the process.
    "--no-mmap",
    ...patterns.flatMap((pattern) => ["-e", `(?-u)${pattern}`]),
    "--",
  ],
  operand: (path) => path,
};
