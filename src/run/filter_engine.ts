/**
 * The engine that lets an external program discard files first. `auto` never takes it: a program saves
 * JavaScript the reading, but costs a `stat` and an argument per file, and a process per call, which made
 * whole commands up to a quarter faster on small trees and slower by as much or more on others.
 *
 * The program filters and never decides: our walker finds the files, the program names those that
 * may match, and the JavaScript engine reads those. So the answer is the JavaScript engine's, byte
 * for byte, however the program treats lines, letter case, encodings and file names. This is sound
 * because the program searches ASCII text for the literals of the prefilter, of which every match
 * holds one, and reports every file with any other byte.
 *
 * @module
 */

import type { Reason } from "../notes/words.ts";
import { PathgrepError } from "../util/errors.ts";
import { Walker } from "../walk/walker.ts";
import type { Engine, JsEngine } from "./js.ts";
import { emptyReport, type EngineReport, type HitSink, type SearchJob } from "./job.ts";
import type { WorkItem } from "./queues.ts";
import { mergeReports, SkipReport } from "./skip_report.ts";
import { SearchPulse } from "./search_sink.ts";
import { Slices } from "../util/pulse.ts";
import { infoAt, isNotFound, openFile } from "../system/files.ts";
import { basename, dirname, join, parse } from "../util/path.ts";
import {
  failureOf,
  type FilterProgram,
  locateProgram,
  type ProgramRun,
  PROGRAMS,
  runProgram,
} from "./programs.ts";

/**
 * NUL and bytes beyond ASCII: files that hold one are left to the JavaScript engine, which decodes and
 * classifies them. The same run of the program searches for this class and for the literals, so these
 * are escaped instead of passed with `-F`; a second run would read every file again.
 */
const NOT_ASCII_TEXT = "[^\x01-\x7f]";
/** Only the start of a longer literal is searched for: the arguments of a program are limited. */
const MAX_LITERAL = 200;
/** Larger files go to the JavaScript engine directly: it also reports lines that are too long. */
const MAX_FILTERED_BYTES = 1 << 24;
/** Milliseconds between two checks whether counting has taken too long. */
const COUNT_LOOK_MS = 50;
/** The most files of a directory in one work item for the JavaScript engine. */
const NAMES_PER_ITEM = 64;

const encoder = new TextEncoder();

interface Candidate {
  path: string;
  named: boolean;
  bytes: number;
  /** Whether the program may rule it out. */
  isFiltered: boolean;
}

export class FilterEngine implements Engine {
  readonly #program: FilterProgram;
  readonly #command: string;
  readonly #js: JsEngine;

  private constructor(program: FilterProgram, command: string, js: JsEngine) {
    this.#program = program;
    this.#command = command;
    this.#js = js;
  }

  /**
   * @param js reads the files that pass the filter
   * @param roots the canonical roots of the workspace; programs in them are not run
   * @throws {PathgrepError} `engine_unavailable`
   */
  static async of(
    name: FilterProgram["name"],
    js: JsEngine,
    roots: readonly string[],
  ): Promise<FilterEngine> {
    const program = PROGRAMS[name];
    return new FilterEngine(program, await locateProgram(program, roots), js);
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const { name } = this.#program;
    const filter = this.#filterFor(job);
    if ("unfit" in filter) {
      const report = await this.#js.run(job, sink, signal);
      report.notes.unshift({ reason: filter.unfit, values: { engine: name } });
      return report;
    }
    const report = emptyReport(name);
    try {
      const files = await this.#candidates(job, report, signal);
      let work: readonly Candidate[] = files.filter(({ isFiltered }) => !isFiltered);
      for (const call of [...this.#calls(files), undefined]) {
        const done = await this.#js.run(job, sink, signal, workItems(work));
        mergeReports(report, { ...done, threads: Math.max(0, done.threads - report.threads) });
        if (call === undefined || sink.phase === "stop") break;
        work = await whileWanted(
          sink,
          (ends) => this.#passing(call, filter.args, report, AbortSignal.any([signal, ends])),
        );
      }
    } catch (error) {
      throw signal.aborted ? PathgrepError.from(signal.reason) : error;
    }
    return report;
  }

  /** The program's arguments before the files, or why it cannot filter. */
  #filterFor(
    { plan, withoutMatch }: SearchJob,
  ): { args: string[] } | { unfit: Extract<Reason, `unfit_${string}`> } {
    if (plan.invert) return { unfit: "unfit_inverted" };
    if (withoutMatch) return { unfit: "unfit_without_match" };
    if (plan.prefilter === undefined) {
      return { unfit: "unfit_no_literal" };
    }
    const { anyOf, eitherCase } = plan.prefilter;
    // The class finds the files that may hold the other literals.
    const isOther = new RegExp(NOT_ASCII_TEXT);
    const literals = anyOf.filter((text) => !isOther.test(text))
      .map((text) => text.slice(0, MAX_LITERAL).replaceAll(/[\\^$.|()*+?{[]/g, "\\$&"));
    const expressions = [...literals, NOT_ASCII_TEXT].flatMap((pattern) => ["-e", pattern]);
    return {
      args: [...this.#program.options, ...(eitherCase ? ["-i"] : []), ...expressions, "--"],
    };
  }

  /** The files of a search, those that the walk excludes in the report. */
  async #candidates(
    job: SearchJob,
    report: EngineReport,
    signal: AbortSignal,
  ): Promise<Candidate[]> {
    const pulse = new SearchPulse(job, () => signal.aborted);
    const skipReport = new SkipReport(job, report);
    const walker = new Walker(job.walk, undefined, pulse);
    const slices = new Slices(job.walk.allowedRoots[0]!);
    const files = job.files.map((path) => candidate(path, true, true, job));
    const pending = walker.start().reverse();
    for (let directory; (directory = pending.pop()) !== undefined;) {
      const listing = walker.list(directory);
      skipReport.addListing(directory, listing);
      pending.push(...listing.directories.toReversed());
      const mayFilter = listing.files.length <= (this.#program.maxSiblings ?? Infinity);
      const paths = [...listing.linked, ...listing.files.map((name) => join(directory.path, name))];
      for (const path of paths) files.push(candidate(path, false, mayFilter, job));
      if (!slices.isOver) continue;
      await slices.run(() => pulse.look());
    }
    return files;
  }

  /** What one run of the program takes: names of limited length, in the root of one drive. */
  *#calls(files: readonly Candidate[]): Generator<Candidate[]> {
    const filtered = files.filter(({ isFiltered }) => isFiltered);
    for (const ofDrive of Map.groupBy(filtered, ({ path }) => parse(path).root).values()) {
      let call: Candidate[] = [];
      let length = 0;
      for (const file of ofDrive) {
        call.push(file);
        length += encoder.encode(file.path).length + 1;
        if (length < this.#program.callBytes) continue;
        yield call;
        [call, length] = [[], 0];
      }
      if (call.length > 0) yield call;
    }
  }

  /** The files that the program does not rule out; those that it does are counted as searched. */
  async #passing(
    files: readonly Candidate[],
    args: readonly string[],
    report: EngineReport,
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const { name, operand, env } = this.#program;
    const operands = files.map(({ path }) => operand(path));
    let run: ProgramRun;
    try {
      run = await runProgram(this.#command, {
        args: [...args, ...operands],
        cwd: parse(files[0]!.path).root,
        env,
        maxOutput: operands.reduce((sum, one) => sum + 3 * one.length + 1, 0),
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw this.#startFailure(error);
    }
    const found = namesInOutput(run);
    const asked = new Set(operands);
    if (found === undefined || found.some((one) => !asked.has(one))) {
      // A file that cannot be read fails neither the program nor the search.
      if (run.signal === null && isAboutFiles(run, files)) return files;
      throw new PathgrepError("search_failed", `${name} ${failureOf(run)}`, {
        hint: "use the js engine",
      });
    }
    const candidates = new Set(found);
    const isCandidate = (_: Candidate, index: number) => candidates.has(operands[index]!);
    const ruledOut = files.filter((file, index) => !isCandidate(file, index));
    report.filesSearched += ruledOut.length;
    for (const { bytes } of ruledOut) report.bytesSearched += bytes;
    return files.filter(isCandidate);
  }

  #startFailure(error: unknown): PathgrepError {
    const { name, install } = this.#program;
    if (isNotFound(error)) {
      const message = `${name} is not installed; ${install}, or use the js engine`;
      return new PathgrepError("engine_unavailable", message, {}, { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    return new PathgrepError("search_failed", `${name} could not be run: ${reason}`, {
      hint: "use the js engine",
    }, { cause: error });
  }
}

/** What a program passes; nothing, and it is ended, once hits are only counted and that takes too long. */
async function whileWanted(
  sink: HitSink,
  run: (ends: AbortSignal) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const ender = new AbortController();
  const timer = setInterval(() => sink.phase === "stop" && ender.abort(), COUNT_LOOK_MS);
  try {
    return await run(ender.signal);
  } catch (error) {
    if (!ender.signal.aborted) throw error;
    return [];
  } finally {
    clearInterval(timer);
  }
}

function candidate(
  path: string,
  named: boolean,
  mayFilter: boolean,
  { maxFileSize }: SearchJob,
): Candidate {
  // Reading a file that is too large or not found gives the reason why it is not searched.
  const bytes = infoAt(path)?.size ?? Infinity;
  const isTooLarge = bytes > MAX_FILTERED_BYTES || !named && bytes > maxFileSize;
  return { path, named, bytes, isFiltered: mayFilter && !isTooLarge };
}

/** The names in a program's output; nothing if it failed or its output is incomplete. */
function namesInOutput({ code, signal, stdout, stderr }: ProgramRun): string[] | undefined {
  if (signal !== null || stderr !== "" || code > 1) return undefined;
  const isEmpty = stdout.length === 0;
  if ((code === 1) !== isEmpty) return undefined;
  if (isEmpty) return [];
  if (stdout.at(-1) !== 0) return undefined;
  return new TextDecoder().decode(stdout.subarray(0, -1)).split("\0");
}

/** Whether a program reported errors about files only, or one of the files cannot be read. */
function isAboutFiles({ stderr }: ProgramRun, files: readonly Candidate[]): boolean {
  const messages = stderr.split("\n");
  if (messages.length > 1) messages.pop(); // it may be cut short
  // The file that a message names may exist again by now.
  const directories = new Set(files.map(({ path }) => dirname(path).slice(1)));
  const isNamed = (message: string) => [...directories].some((path) => message.includes(path));
  return (stderr !== "" && messages.every(isNamed)) ||
    files.some(({ path }) => !isReadable(path));
}

function isReadable(path: string): boolean {
  try {
    openFile(path).close();
    return true;
  } catch {
    return false;
  }
}

/** Work items for the JavaScript engine: one for each named file, the others by directory. */
function workItems(files: readonly Candidate[]): WorkItem[] {
  const items: (WorkItem & { names?: string[] })[] = [];
  for (const { path, named } of files) {
    if (named) {
      items.push({ path, base: 0, depth: 0, file: "named" });
      continue;
    }
    const directory = dirname(path);
    const last = items.at(-1);
    if (last?.path === directory && (last.names?.length ?? NAMES_PER_ITEM) < NAMES_PER_ITEM) {
      last.names!.push(basename(path));
    } else {
      items.push({ path: directory, base: 0, depth: 0, names: [basename(path)] });
    }
  }
  return items;
}
