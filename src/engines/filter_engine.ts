/**
 * The engine that has another program look through the files first.
 *
 * The program is a filter, never the judge: our walk says which files there are, the program which of
 * them may match, and the JavaScript engine reads those. So the answer is the JavaScript engine's to
 * the byte, whatever the program makes of lines, letters, encodings and file names. It is sound because
 * the program looks for a wider pattern (see `loose_pattern.ts`), or for a part of it
 * (`required_part.ts`), in files of ASCII text, and takes every file with another byte in it for a
 * candidate.
 *
 * @module
 */

import * as platform from "node:path";
import { PathgrepError } from "../util/errors.ts";
import type { PendingDirectory } from "../walk/listing.ts";
import { Walker } from "../walk/walk.ts";
import { compareByBytes } from "../workspace/paths.ts";
import {
  addPlace,
  addSkips,
  emptyReport,
  type Engine,
  type EngineReport,
  type HitSink,
  listFor,
  mergeReports,
  type SearchJob,
} from "../search/engine.ts";
import type { WorkItem } from "../search/js/board.ts";
import type { FilterProgram } from "../search/engines/filter_program.ts";
import type { JsEngine } from "../search/engines/js.ts";
import { locateProgram } from "./locate_program.ts";
import { loosen } from "../search/engines/loose_pattern.ts";
import { writePattern } from "./pattern_syntax.ts";
import { requiredPart } from "../search/engines/required_part.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";

/** Any byte that is not ASCII, and NUL: what the file holds is for the JavaScript engine to say. */
const NOT_ASCII_TEXT = "[^\x01-\x7f]";
/** A longer pattern may not fit into the arguments of a program. */
const MAX_PATTERN = 16_000;
/** In a larger file the JavaScript engine has more to say than whether it matches (long lines). */
const MAX_FILTERED_BYTES = 1 << 24;
/** The walk looks up at least this often. */
const SLICE_MS = 10;
/** Characters of a program's complaint that are passed on. */
const MAX_WORDS = 500;

const encoder = new TextEncoder();

/** A file that is searched. */
interface Candidate {
  path: string;
  /** The caller named it. */
  named: boolean;
  bytes: number;
}

/** Files for one call of the program. */
interface Batch {
  files: Candidate[];
  /** Whether the program may leave files out; else all are read. */
  filtered: boolean;
}

/** An engine that lets a program filter the files for the JavaScript engine. */
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
   * Finds the program.
   *
   * @param program the filter
   * @param js reads what the filter leaves
   * @param roots the canonical roots of the workspace: no program in them is run
   * @throws {PathgrepError} `engine_unavailable`
   */
  static async create(
    program: FilterProgram,
    js: JsEngine,
    roots: readonly string[],
  ): Promise<FilterEngine> {
    const { command } = await locateProgram(program, roots);
    return new FilterEngine(program, command, js);
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const filter = this.#filterFor(job);
    if ("unfit" in filter) {
      const report = await this.#js.run(job, sink, signal);
      report.notes.unshift(`engine ${this.#program.name} handed the search to js: ${filter.unfit}`);
      return report;
    }
    const report = emptyReport(this.#program.name, job.mayBeCut);
    const ender = new AbortController();
    const ends = AbortSignal.any([signal, ender.signal]);
    // While the program looks through one batch, the one before is read.
    let filtering: Promise<WorkItem[]> | undefined;
    try {
      for await (const batch of this.#batches(job, sink, report, signal)) {
        const filtered = filtering;
        filtering = this.#filter(batch, filter.patterns, report, ends);
        filtering.catch(() => {}); // heard of when it is awaited
        if (filtered !== undefined) await this.#read(await filtered, job, sink, report, signal);
        if (sink.phase === "stop") break;
      }
      if (filtering !== undefined && sink.phase !== "stop") {
        await this.#read(await filtering, job, sink, report, signal);
      }
    } catch (error) {
      throw signal.aborted ? PathgrepError.from(signal.reason) : error;
    } finally {
      ender.abort();
      await filtering?.catch(() => {});
    }
    return report;
  }

  /** The patterns to filter with, or why there are none. */
  #filterFor({ plan, withoutMatch }: SearchJob): { patterns: string[] } | { unfit: string } {
    if (plan.multiline) return { unfit: "a match may span lines" };
    if (plan.invert) return { unfit: "lines that do not match are wanted" };
    if (withoutMatch) return { unfit: "files without a match are wanted" };
    const loose = loosen(plan.find.tree);
    if (loose === "everything") return { unfit: "the pattern matches the empty string" };
    if (loose === "size") return { unfit: "the pattern is too large" };
    if (loose === "nothing") return { patterns: [NOT_ASCII_TEXT] };
    const { limits, syntax } = this.#program;
    const pattern = writePattern(requiredPart(loose, limits), syntax);
    if (pattern.length > MAX_PATTERN) return { unfit: "the pattern is too large" };
    return { patterns: [pattern, NOT_ASCII_TEXT] };
  }

  /** The files of a search, in the order in which the JavaScript engine takes them. */
  async *#batches(
    job: SearchJob,
    sink: HitSink,
    report: EngineReport,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    let files: Candidate[] = [];
    let direct: Candidate[] = [];
    let length = 0;
    const take = (path: string, named: boolean) => {
      if (sink.cutoff !== undefined && compareByBytes(path, sink.cutoff) > 0) return;
      let bytes: number;
      try {
        bytes = Deno.lstatSync(path).size;
      } catch {
        bytes = Infinity; // what is wrong with it is found out by reading it
      }
      if (!named && bytes > job.maxFileSize && bytes < Infinity) {
        report.skipped.too_large++;
        addPlace(report, path, "too_large");
      } else if (bytes > MAX_FILTERED_BYTES) direct.push({ path, named, bytes });
      else {
        files.push({ path, named, bytes });
        length += encoder.encode(path).length + 1;
      }
    };
    const flush = function* (): Generator<Batch> {
      if (direct.length > 0) yield { files: direct, filtered: false };
      if (files.length > 0) yield { files, filtered: true };
      files = [];
      direct = [];
      length = 0;
    };
    const isFull = () => length >= this.#program.callBytes;
    for (const path of job.files) {
      take(path, true);
      if (isFull()) yield* flush();
    }
    const walker = new Walker(job.walk);
    const pending: PendingDirectory[] = walker.start().reverse();
    let started = performance.now();
    try {
      while (pending.length > 0) {
        const directory = pending.pop()!;
        const listing = listFor(report, walker, directory);
        pending.push(...listing.directories.toReversed());
        const paths = listing.files.map((name) => platform.join(directory.path, name));
        for (const path of [...listing.linked, ...paths]) {
          take(path, false);
          if (isFull()) yield* flush();
        }
        if (performance.now() - started < SLICE_MS) continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) throw PathgrepError.from(signal.reason);
        started = performance.now();
      }
      yield* flush();
    } finally {
      addSkips(report, walker.skips);
    }
  }

  /** What is to be read of a batch. */
  async #filter(
    { files, filtered }: Batch,
    patterns: readonly string[],
    report: EngineReport,
    signal: AbortSignal,
  ): Promise<WorkItem[]> {
    if (!filtered) return workItems(files);
    const { name, args, operand, env } = this.#program;
    const operands = files.map(({ path }) => operand(path));
    let run: ProgramRun;
    try {
      run = await runProgram(this.#command, {
        args: [...args(patterns), ...operands],
        env,
        maxOutput: operands.reduce((sum, one) => sum + 3 * one.length + 1, 0),
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw this.#startFailure(error);
    }
    const found = namesIn(run);
    const asked = new Set(operands);
    if (found === undefined || found.some((one) => !asked.has(one))) {
      // A file that cannot be read is no failure of the program, nor of the search.
      if (run.signal === null && isAboutFiles(run, files)) {
        return workItems(files);
      }
      throw new PathgrepError("search_failed", `${name} ${wordsOf(run)}`, {
        hint: "use the engine js",
      });
    }
    const candidates = new Set(found);
    const read: Candidate[] = [];
    files.forEach((file, index) => {
      if (candidates.has(operands[index]!)) {
        read.push(file);
      } else {
        report.filesSearched++;
        report.bytesSearched += file.bytes;
      }
    });
    return workItems(read);
  }

  /** Has the JavaScript engine read candidates. */
  async #read(
    work: readonly WorkItem[],
    job: SearchJob,
    sink: HitSink,
    report: EngineReport,
    signal: AbortSignal,
  ): Promise<void> {
    const before = report.filesSearched;
    if (work.length === 0) return sink.progress(before);
    const part: HitSink = {
      add: (hits) => sink.add(hits),
      progress: (searched) => sink.progress(before + searched),
      get phase() {
        return sink.phase;
      },
      get cutoff() {
        return sink.cutoff;
      },
    };
    const done = await this.#js.run(job, part, signal, work);
    mergeReports(report, { ...done, threads: Math.max(0, done.threads - report.threads) });
  }

  #startFailure(error: unknown): PathgrepError {
    const { name, install } = this.#program;
    if (error instanceof Deno.errors.NotFound) {
      return new PathgrepError(
        "engine_unavailable",
        `${name} is not installed; ${install}, or use the engine js`,
      );
    }
    const words = error instanceof Error ? error.message : String(error);
    return new PathgrepError("search_failed", `${name} could not be run: ${words}`, {
      hint: "use the engine js",
    });
  }
}

/** The names in a program's answer; nothing, if it is not a whole answer to the question. */
function namesIn({ code, signal, stdout, stderr }: ProgramRun): string[] | undefined {
  if (signal !== null || stderr !== "" || code > 1) return undefined;
  const isEmpty = stdout.length === 0;
  if ((code === 1) !== isEmpty) return undefined;
  if (isEmpty) return [];
  if (stdout.at(-1) !== 0) return undefined;
  return new TextDecoder().decode(stdout.subarray(0, -1)).split("\0");
}

/** Why a program's answer is of no use, in its own words where it has any. */
function wordsOf({ code, signal, stderr }: ProgramRun): string {
  if (stderr !== "") {
    return `failed: ${stderr.length > MAX_WORDS ? `${stderr.slice(0, MAX_WORDS)}…` : stderr}`;
  }
  if (signal !== null) return `was ended by ${signal}`;
  return code > 1 ? `ended with status ${code}` : "gave an answer that is not whole";
}

/** Whether a program complained of nothing but files, or there is one that cannot be read. */
function isAboutFiles({ stderr }: ProgramRun, files: readonly Candidate[]): boolean {
  const complaints = stderr.split("\n");
  if (complaints.length > 1) complaints.pop(); // it may have been cut short
  // The file that was complained of may be there again by now.
  const places = new Set(files.map(({ path }) => platform.dirname(path).slice(1)));
  const isNamed = (complaint: string) => [...places].some((place) => complaint.includes(place));
  return (stderr !== "" && complaints.every(isNamed)) ||
    files.some(({ path }) => !isReadable(path));
}

function isReadable(path: string): boolean {
  try {
    Deno.openSync(path).close();
    return true;
  } catch {
    return false;
  }
}

/** Files as work for the JavaScript engine: named ones alone, others by directory. */
function workItems(files: readonly Candidate[]): WorkItem[] {
  const items: (WorkItem & { names?: string[] })[] = [];
  for (const { path, named } of files) {
    if (named) {
      items.push({ path, base: 0, depth: 0, file: "named" });
      continue;
    }
    const directory = platform.dirname(path);
    const last = items.at(-1);
    if (last?.names !== undefined && last.path === directory) {
      last.names.push(platform.basename(path));
    } else {
      items.push({ path: directory, base: 0, depth: 0, names: [platform.basename(path)] });
    }
  }
  return items;
}
