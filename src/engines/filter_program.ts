/**
 * Describes a program that searches files to the filter engine.
 *
 * @module
 */

export interface FilterProgram {
  readonly name: "rg" | "git" | "grep";
  /** How to install it, as an imperative. */
  readonly install: string;
  /** A package with the program, for when none in PATH may be run. */
  readonly fallback?: {
    /** Whether Deno grants the permissions to load it; running the program needs one more. */
    isPermitted(): boolean;
    /**
     * The absolute path of the program. Fetches the package if it is not in Deno's cache; throws if
     * it cannot be loaded.
     */
    locate(): Promise<string>;
  };
  readonly env: Readonly<Record<string, string>>;
  readonly callBytes: number;
  /** The most files of one directory that it takes; JavaScript reads those of a larger one. @default all */
  readonly maxSiblings?: number;
  /**
   * Its options: it searches bytes for regular expressions, POSIX extended or Rust's, and writes the name of
   * each file in which any is found, followed by a NUL byte.
   */
  readonly options: readonly string[];
  /** How a file, given by its absolute path, is written in the arguments and in the output. */
  operand(path: string): string;
}

/** The most bytes of file names in one call, where the program itself sets no limit. */
export const CALL_BYTES: number = Deno.build.os === "windows" ? 20_000 : 250_000;
