/**
 * Describes a program that searches files to the filter engine.
 *
 * @module
 */

import type { PatternSyntax } from "./pattern_syntax.ts";
import type { PatternLimits } from "./required_factor.ts";

/** A program that names the files in which a pattern is found. */
export interface FilterProgram {
  /** The engine's name, and the program's. */
  readonly name: "rg" | "git" | "grep";
  /** How to install it, as an imperative. */
  readonly install: string;
  /** A package with the program, for when none in PATH may be run. */
  readonly fallback?: ProgramPackage;
  readonly syntax: PatternSyntax;
  /** The patterns that it finds in linear time, however long the lines. */
  readonly limits: PatternLimits;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The most bytes of file names in one call. */
  readonly callBytes: number;
  /** The most files of one directory that it takes; JavaScript reads those of a larger one. @default all */
  readonly maxSiblings?: number;
  /**
   * The arguments, up to and including the `--` before the files, that make it name the files in which a
   * line matches any of the patterns, each name followed by a NUL byte.
   */
  args(patterns: readonly string[]): string[];
  /** How a file, given by its absolute path, is written in the arguments and in the output. */
  operand(path: string): string;
}

/** A package that contains a program. */
export interface ProgramPackage {
  /** Whether Deno grants the permissions to load it; running the program needs one more. */
  isPermitted(): boolean;
  /**
   * The absolute path of the program. Fetches the package if it is not in Deno's cache.
   *
   * @throws {PathgrepError} if it cannot be loaded
   */
  locate(): Promise<string>;
}

/** The most bytes of file names in one call, where the program itself sets no limit. */
export const CALL_BYTES: number = Deno.build.os === "windows" ? 20_000 : 250_000;
