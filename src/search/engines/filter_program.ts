/**
 * What the filter engine has to know of a program that searches files.
 *
 * @module
 */

import type { PatternSyntax } from "../../engines/pattern_syntax.ts";
import type { PatternLimits } from "./required_part.ts";

/** A program that tells which of some files hold a pattern. */
export interface FilterProgram {
  /** The engine's name, and the program's. */
  readonly name: "rg" | "git" | "grep";
  /** How to get it, as an imperative. */
  readonly install: string;
  /**
   * Where else the program may be, when there is none in PATH. Needs `--allow-env` and `--allow-read`
   * for everything.
   */
  readonly fallback?: () => Promise<string | undefined>;
  readonly syntax: PatternSyntax;
  /** What of a pattern it finds in a time proportional to the text, however long the lines. */
  readonly limits: PatternLimits;
  /** What the program needs in its environment; it gets nothing else. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of file names that one call may get. */
  readonly callBytes: number;
  /**
   * The arguments, up to and with the `--` before the files, that make it name the files in which any
   * of the patterns is found in some line, each name with a NUL byte after it.
   */
  args(patterns: readonly string[]): string[];
  /** What stands for a file, given by its absolute path: in the arguments, and in the answer. */
  operand(path: string): string;
}

/** The bytes of file names that a call may get, where the program itself sets no bound. */
export const CALL_BYTES: number = Deno.build.os === "windows" ? 20_000 : 250_000;
