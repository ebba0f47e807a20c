/**
 * The programs that can search files for literals, a row each: ripgrep, `git grep` and grep.
 *
 * @module
 */

import { importPackage } from "../util/npm_package.ts";
import { IS_COMPILED, IS_DENO, isGranted, OS } from "../system/platform.ts";
import { parse, sep } from "../util/path.ts";

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
  /** The most bytes of file names in one call. */
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

const IS_WINDOWS = OS === "windows";
const NOWHERE = IS_WINDOWS ? "NUL" : "/dev/null";
/** Where the program itself sets no limit. */
const CALL_BYTES = IS_WINDOWS ? 20_000 : 250_000;

export const PROGRAMS: Readonly<Record<FilterProgram["name"], FilterProgram>> = {
  rg: {
    name: "rg",
    install: "install ripgrep, for example with `apt install ripgrep` or `brew install ripgrep`",
    fallback: {
      // The package reads its environment and looks for its files; a compiled program fetches none.
      isPermitted: () => IS_DENO && !IS_COMPILED && isGranted({ name: "env" }, { name: "read" }),
      locate: async () => (await importPackage<{ rgPath: string }>("@vscode/ripgrep")).rgPath,
    },
    env: { LC_ALL: "C" },
    callBytes: CALL_BYTES,
    options: [
      ...["--no-config", "--color=never", "--files-with-matches", "--null"],
      // Bytes as they are: do not stop at a NUL, do not decode UTF-16.
      ...["--text", "--encoding=none", "--no-unicode"],
      // A file that is truncated while it is mapped ends the process.
      "--no-mmap",
      // What has become a directory since the walk is not entered, nor are rules read on the way to it.
      ...["--max-depth=0", "--no-ignore"],
    ],
    operand: (path) => path,
  },
  // Without GIT_DIR git would look for a repository and read its configuration, which can name programs to
  // run. Arguments after `--` are pathspecs unless they are declared literal. git lists the directories of the
  // files and compares each entry with each file given, which is quadratic; hence the short calls, and no
  // large directories. (20,000 files: 4 s in calls of 64 kB, 8 s of 256 kB, 18 s of 1 MB.)
  git: {
    name: "git",
    install: "install git, for example with `apt install git` or `brew install git`",
    env: {
      LC_ALL: "C",
      GIT_DIR: NOWHERE,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: NOWHERE,
      GIT_LITERAL_PATHSPECS: "1",
    },
    callBytes: Math.min(CALL_BYTES, 64_000),
    maxSiblings: 5_000,
    options: ["--no-pager", "grep", "--no-index", "--color=never", "-E", "-l", "-z", "-a"],
    // Without a repository git accepts only paths below the working directory, which is their root.
    operand: (path) => path.slice(parse(path).root.length).replaceAll(sep, "/"),
  },
  // Options that GNU grep and BSD grep share: `-Z` of BSD grep decompresses. The last four skip what has become
  // a directory or a device since the walk.
  grep: {
    name: "grep",
    install: "install GNU grep, for example with `apt install grep` or `brew install grep`",
    env: { LC_ALL: "C" },
    callBytes: CALL_BYTES,
    options: ["-E", "-l", "--null", "-a", "-d", "skip", "-D", "skip"],
    operand: (path) => path,
  },
};
