/**
 * The programs that can search files for literals, a row each: ripgrep, `git grep` and grep. One is located that may be
 * run and is not planted in the workspace, and run safely: without a shell, without input, with the given
 * environment only, and until it ends or is killed.
 *
 * @module
 */

import { isNotPermitted, realPath, stat } from "../system/files.ts";
import {
  IS_COMPILED,
  IS_DENO,
  isGranted,
  kill,
  OS,
  readVariable,
  startProgram,
} from "../system/platform.ts";
import { PathgrepError } from "../util/errors.ts";
import { importPackage } from "../util/npm_package.ts";
import * as platform from "../util/path.ts";

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
    operand: (path) => path.slice(platform.parse(path).root.length).replaceAll(platform.sep, "/"),
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

/**
 * The command that runs a program.
 *
 * Searches PATH if Deno may read it, and skips programs in the workspace and in relative directories.
 * If PATH may not be read, Deno itself resolved the names after `--allow-run` when it started. Never
 * asks for a permission.
 *
 * @param roots the canonical roots of the workspace
 * @returns an absolute path, or the bare name for Deno to resolve
 * @throws {PathgrepError} `engine_unavailable`, with how to install the program
 */
export async function locateProgram(
  program: Pick<FilterProgram, "name" | "install" | "fallback">,
  roots: readonly string[],
): Promise<string> {
  const inPath = findInPath(program.name, roots);
  if (inPath.command !== undefined && mayRun(inPath.command)) return inPath.command;
  const inPackage = await findInPackage(program, roots);
  if (inPackage.command !== undefined && mayRun(inPackage.command)) return inPackage.command;
  throw refusal(program, inPath, inPackage);
}

/** The program of a package; in a workspace that has Deno's cache in it, so is the package. */
async function findInPackage(
  { fallback }: Pick<FilterProgram, "fallback">,
  roots: readonly string[],
): Promise<ProgramFound> {
  if (!fallback?.isPermitted()) return { isPlanted: false };
  try {
    const command = await fallback.locate();
    return isInside(command, roots) ? { isPlanted: true } : { command, isPlanted: false };
  } catch (thrown) {
    return { isPlanted: false, failure: PathgrepError.from(thrown) };
  }
}

/** Why none of what was found is run, and what helps. */
function refusal(
  { name, install }: Pick<FilterProgram, "name" | "install">,
  inPath: ProgramFound,
  inPackage: ProgramFound,
): PathgrepError {
  const isPlanted = inPath.isPlanted || inPackage.isPlanted;
  // Deno takes a bare name for the first program in PATH, planted or not.
  const wanted = inPath.command === undefined
    ? inPackage.command ?? name
    : inPath.isPlanted
    ? inPath.command
    : name;
  const allow = IS_DENO
    ? `start Deno with --allow-run=${wanted}${mayReadPath() ? "" : " --allow-env=PATH"}`
    : "start Node.js with --allow-child-process";
  if (inPath.command !== undefined || inPackage.command !== undefined) {
    const isBare = inPath.command === name && inPackage.command === undefined;
    return unavailable(
      name,
      isBare ? "is not permitted or not installed" : "is not permitted",
      isBare ? `${allow}; if it is not installed, ${install}` : allow,
    );
  }
  if (isPlanted) {
    return unavailable(
      name,
      "was found in the workspace or through a relative entry of PATH, and is not run",
      IS_DENO
        ? `start Deno with --allow-run=/path/to/${name} --allow-read=/path/to/${name}, with the path of a copy elsewhere; if there is none, ${install}`
        : `put the directory of a copy elsewhere in PATH; if there is none, ${install}`,
    );
  }
  const advice = IS_DENO ? `${install}, and ${allow}` : install;
  return unavailable(name, "is not installed", advice, inPackage.failure);
}

function unavailable(
  name: string,
  why: string,
  advice: string,
  failure?: PathgrepError,
): PathgrepError {
  const message = `${name} ${why}; ${advice}, or use the js engine`;
  const hint = failure && `${failure.message}; ${failure.details.hint}`;
  return new PathgrepError("engine_unavailable", message, { hint });
}

/** Whether a program is in a root, by its path or by what the path leads to. */
function isInside(path: string, roots: readonly string[]): boolean {
  const canonical = realPath(path);
  return roots.some((root) => platform.isWithin(root, path) || platform.isWithin(root, canonical));
}

/** Whether Deno grants running a command; does not ask. */
function mayRun(command: string): boolean {
  return isGranted({ name: "run", command });
}

/** Whether programs in the workspace can be distinguished from others. */
function mayReadPath(): boolean {
  return isGranted({ name: "env", variable: "PATH" });
}

interface ProgramFound {
  command?: string;
  /** Whether an unsafe program was skipped, or may exist where it would have been skipped. */
  isPlanted: boolean;
  /** Why none could be looked for. */
  failure?: PathgrepError;
}

function findInPath(name: string, roots: readonly string[]): ProgramFound {
  if (!mayReadPath()) return { command: name, isPlanted: false };
  const file = OS === "windows" ? `${name}.exe` : name;
  let isPlanted = false;
  let isBlind = false;
  for (const directory of (readVariable("PATH") ?? "").split(OS === "windows" ? ";" : ":")) {
    const path = platform.join(directory, file);
    const canonical = executableAt(path);
    if (canonical === "none") continue;
    const isSafe = platform.isAbsolute(directory) &&
      !roots.some((root) =>
        platform.isWithin(root, path) ||
        canonical !== "unknown" && platform.isWithin(root, canonical)
      );
    if (!isSafe) isPlanted = true;
    else if (canonical === "unknown") isBlind = true;
    else return { command: path, isPlanted };
  }
  // Deno may find one where we may not look, as long as it cannot find a planted one.
  return isBlind && !isPlanted ? { command: name, isPlanted } : { isPlanted };
}

/** The canonical path of an executable file; `unknown` where Deno may not look. */
function executableAt(path: string): string {
  try {
    const { isFile, mode } = stat(path);
    if (!isFile || mode !== null && (mode & 0o111) === 0) return "none";
    return realPath(path);
  } catch (error) {
    return isNotPermitted(error) ? "unknown" : "none";
  }
}

export interface RunOptions {
  args: readonly string[];
  /** Where it runs: it has to find no configuration there. @default the root of the file system */
  cwd?: string;
  env: Readonly<Record<string, string>>;
  /** The most bytes of standard output; a program that writes more is killed. */
  maxOutput: number;
  signal: AbortSignal;
}

export interface ProgramRun {
  code: number;
  signal: string | null;
  stdout: Uint8Array;
  /** The start of its error output. */
  stderr: string;
}

const MAX_STDERR = 4096;
/** Characters of a program's error output that an error quotes. */
const MAX_QUOTED = 500;

/**
 * Runs a program to its end.
 *
 * Kills the program together with its children if Deno may, which takes an unrestricted
 * `--allow-run`; otherwise kills only the program.
 *
 * @throws the signal's reason once it is aborted; Deno's errors if the program cannot be started
 */
export async function runProgram(command: string, options: RunOptions): Promise<ProgramRun> {
  options.signal.throwIfAborted();
  const group = !IS_WINDOWS && isGranted({ name: "run" });
  const child = startProgram(command, {
    args: [...options.args],
    cwd: options.cwd ?? (IS_WINDOWS ? "C:\\" : "/"),
    clearEnv: true,
    // Without SystemRoot, programs cannot load parts of Windows.
    env: { ...(IS_WINDOWS ? { SystemRoot: "C:\\Windows" } : {}), ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: group,
  });
  // Stops reading as well: another process may hold the pipe's other end open.
  const controller = new AbortController();
  const end = (reason: unknown) => {
    controller.abort(reason);
    try {
      if (group) kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const onAbort = () => end(options.signal.reason);
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const [stdout, stderr] = await Promise.all([
      readToEnd(child.stdout, options.maxOutput, true, controller.signal),
      readToEnd(child.stderr, MAX_STDERR, false, controller.signal),
    ]);
    const { code, signal } = await child.status;
    options.signal.throwIfAborted();
    return { code, signal, stdout, stderr: new TextDecoder().decode(stderr).trim() };
  } catch (error) {
    end(error);
    throw error;
  } finally {
    options.signal.removeEventListener("abort", onAbort);
    await child.status;
  }
}

/** How a program failed, with its own error output if there is any. */
export function failureOf({ code, signal, stderr }: ProgramRun): string {
  if (stderr !== "") {
    return `failed: ${stderr.length > MAX_QUOTED ? `${stderr.slice(0, MAX_QUOTED)}…` : stderr}`;
  }
  if (signal !== null) return `was terminated by ${signal}`;
  return code > 1 ? `exited with status ${code}` : "gave an incomplete answer";
}

/** Reads a stream to its end; what exceeds the limit is an error if `strict`, and otherwise dropped. */
async function readToEnd(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  strict: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let room = limit;
  await stream.pipeTo(
    new WritableStream({
      write(chunk) {
        if (strict && chunk.length > room) throw new Error("it wrote more than requested");
        chunks.push(chunk.subarray(0, room));
        room -= Math.min(room, chunk.length);
      },
    }),
    { signal },
  );
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
