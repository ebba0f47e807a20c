/**
 * The engine that lets an external program discard files first.
 *
 * The program filters and never decides: our walker finds the files, the program names those that
 * may match, and the JavaScript engine reads those. So the answer is the JavaScript engine's, byte
 * for byte, however the program treats lines, letter case, encodings and file names. This is sound
 * because the program searches ASCII text for the literals of the prefilter, of which every match
 * holds one, and reports every file with any other byte.
 *
 * @module
 */

import * as platform from "node:path";
import { PathgrepError } from "../util/errors.ts";
import type { PendingDirectory } from "../scan/listing.ts";
import { Walker } from "../scan/walker.ts";
import type { Engine } from "./engine.ts";
import {
  emptyReport,
  type EngineReport,
  type HitSink,
  isCutOff,
  type SearchJob,
} from "../scan/job.ts";
import type { WorkItem } from "../threads/shared_queue.ts";
import { mergeReports, SkipReport } from "../scan/skip_report.ts";
import { Proof } from "../scan/proof.ts";
import { SearchPulse } from "../scan/search_pulse.ts";
import { Slices } from "../util/slices.ts";
import { infoAt } from "../util/file_info.ts";
import { parse } from "../util/path.ts";
import type { FilterProgram } from "./filter_program.ts";
import type { JsEngine } from "./js.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";

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
/** Milliseconds of walking before the event loop gets its turn. */
const SLICE_MS = 10;
/** The most files of a directory in one work item for the JavaScript engine. */
const NAMES_PER_ITEM = 64;
/** Milliseconds between two checks whether counting has taken too long. */
const COUNT_LOOK_MS = 50;
/** Characters of a program's error output that an error quotes. */
const MAX_QUOTED = 500;

const encoder = new TextEncoder();

interface Candidate {
  path: string;
  named: boolean;
  bytes: number;
}

interface Batch {
  files: Candidate[];
  /** Whether the program may rule files out; otherwise all are read. */
  filtered: boolean;
}

export class FilterEngine implements Engine {
  readonly #program: FilterProgram;
  readonly #command: string;
  readonly #js: JsEngine;

  /** @param js reads the files that pass the filter */
  constructor(program: FilterProgram, command: string, js: JsEngine) {
    this.#program = program;
    this.#command = command;
    this.#js = js;
  }

  async run(job: SearchJob, sink: HitSink, signal: AbortSignal): Promise<EngineReport> {
    const filter = this.#filterFor(job);
    if ("unfit" in filter) {
      const report = await this.#js.run(job, sink, signal);
      report.notes.unshift(`engine ${this.#program.name} handed the search to js: ${filter.unfit}`);
      return report;
    }
    const report = emptyReport(this.#program.name, job.mayBeCut);
    const controller = new AbortController();
    const ends = AbortSignal.any([signal, controller.signal]);
    // While the program filters one batch, the JavaScript engine reads the one before.
    let filtering: Promise<WorkItem[]> | undefined;
    try {
      for await (const batch of this.#batches(job, sink, report, signal)) {
        const filtered = filtering;
        filtering = this.#filter(batch, filter.args, report, ends);
        filtering.catch(() => {}); // reported when it is awaited
        if (filtered !== undefined) {
          await this.#read(await whileWanted(filtered, sink), job, sink, report, signal);
        }
        if (sink.phase === "stop") break;
      }
      if (filtering !== undefined && sink.phase !== "stop") {
        await this.#read(await whileWanted(filtering, sink), job, sink, report, signal);
      }
    } catch (error) {
      throw signal.aborted ? PathgrepError.from(signal.reason) : error;
    } finally {
      controller.abort();
      await filtering?.catch(() => {});
    }
    return report;
  }

  /** The program's arguments before the files, or why it cannot filter. */
  #filterFor({ plan, withoutMatch }: SearchJob): { args: string[] } | { unfit: string } {
    if (plan.invert) return { unfit: "it asks for lines that do not match" };
    if (withoutMatch) return { unfit: "it asks for files without a match" };
    if (plan.prefilter === undefined) {
      return { unfit: "the pattern has no literal text to filter files by" };
    }
    const { anyOf, eitherCase } = plan.prefilter;
    // The class finds the files that may hold the other literals.
    const isOther = new RegExp(NOT_ASCII_TEXT);
    const literals = anyOf.filter((text) => !isOther.test(text));
    const patterns = literals.map((text) => escapedLiteral(text.slice(0, MAX_LITERAL)));
    const expressions = [...patterns, NOT_ASCII_TEXT].flatMap((pattern) => ["-e", pattern]);
    return {
      args: [...this.#program.options, ...(eitherCase ? ["-i"] : []), ...expressions, "--"],
    };
  }

  /** The files of a search, in the order in which the JavaScript engine reads them. */
  async *#batches(
    job: SearchJob,
    sink: HitSink,
    report: EngineReport,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    const pulse = new SearchPulse(job, () => signal.aborted);
    const proof = new Proof(job.walk, job.since, pulse);
    const skipReport = new SkipReport(job, report);
    const { callBytes, maxSiblings = Infinity } = this.#program;
    const gathered = new GatheredFiles(job, sink, callBytes);
    for (const path of job.files) {
      gathered.add(path, true, true);
      if (gathered.areFull) yield* gathered.take();
    }
    const walker = new Walker(job.walk, undefined, pulse);
    const pending: PendingDirectory[] = walker.start().reverse();
    const slices = new Slices(job.walk.allowedRoots[0]!);
    let started = performance.now();
    const isTurn = () => performance.now() - started >= SLICE_MS;
    const giveWay = async () => {
      proof.settle();
      await slices.run(() => pulse.look());
      started = performance.now();
    };
    try {
      while (pending.length > 0) {
        const directory = pending.pop()!;
        const listing = walker.list(directory);
        const { path } = directory;
        skipReport.addListing(directory, listing, proof);
        pending.push(...listing.directories.toReversed());
        const paths = listing.files.map((name) => platform.join(path, name));
        const isFiltered = paths.length <= maxSiblings;
        for (const file of [...listing.linked, ...paths]) {
          gathered.add(file, false, isFiltered);
          if (gathered.areFull) {
            proof.settle();
            yield* gathered.take();
          }
          if (isTurn()) await giveWay();
        }
        if (isTurn()) await giveWay();
      }
      proof.settle();
      yield* gathered.take();
    } finally {
      try {
        proof.settle();
      } catch {
        // Time has run out: whatever ended the search reports it, or needs no more.
      }
    }
  }

  async #filter(
    { files, filtered }: Batch,
    args: readonly string[],
    report: EngineReport,
    signal: AbortSignal,
  ): Promise<WorkItem[]> {
    if (!filtered) return workItems(files);
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
      if (run.signal === null && isAboutFiles(run, files)) {
        return workItems(files);
      }
      throw new PathgrepError("search_failed", `${name} ${failureOf(run)}`, {
        hint: "use the js engine",
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
        `${name} is not installed; ${install}, or use the js engine`,
        {},
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    return new PathgrepError("search_failed", `${name} could not be run: ${reason}`, {
      hint: "use the js engine",
    }, { cause: error });
  }
}

/** A literal as Rust's regular expressions and POSIX extended ones write it. */
function escapedLiteral(literal: string): string {
  return literal.replaceAll(/[\\^$.|()*+?{[]/g, "\\$&");
}

class GatheredFiles {
  readonly #job: SearchJob;
  readonly #sink: HitSink;
  readonly #callBytes: number;
  #filtered: Candidate[] = [];
  #direct: Candidate[] = [];
  /** Bytes of the names of those that are filtered. */
  #length = 0;

  constructor(job: SearchJob, sink: HitSink, callBytes: number) {
    this.#job = job;
    this.#sink = sink;
    this.#callBytes = callBytes;
  }

  get areFull(): boolean {
    return this.#length >= this.#callBytes;
  }

  /** Adds a file, which the program filters unless `mayFilter` is `false` or it is too large. */
  add(path: string, named: boolean, mayFilter: boolean): void {
    if (isCutOff(this.#sink, path)) return;
    // Reading a file that is too large or not found gives the reason why it is not searched.
    const bytes = infoAt(path)?.size ?? Infinity;
    const isTooLarge = bytes > MAX_FILTERED_BYTES || !named && bytes > this.#job.maxFileSize;
    // One run of the program is in the root of one drive.
    const [first = { path }] = this.#filtered;
    const isElsewhere = parse(path).root !== parse(first.path).root;
    if (isTooLarge || !mayFilter || isElsewhere) {
      this.#direct.push({ path, named, bytes });
    } else {
      this.#filtered.push({ path, named, bytes });
      this.#length += encoder.encode(path).length + 1;
    }
  }

  take(): Batch[] {
    const batches = [
      { files: this.#direct, filtered: false },
      { files: this.#filtered, filtered: true },
    ];
    [this.#direct, this.#filtered, this.#length] = [[], [], 0];
    return batches.filter(({ files }) => files.length > 0);
  }
}

/** The files left to read; nothing once hits are only counted and that takes too long. */
async function whileWanted(filtering: Promise<WorkItem[]>, sink: HitSink): Promise<WorkItem[]> {
  if (sink.phase !== "count") return await filtering;
  const { promise: givenUp, resolve } = Promise.withResolvers<WorkItem[]>();
  const timer = setInterval(() => sink.phase === "stop" && resolve([]), COUNT_LOOK_MS);
  return await Promise.race([filtering, givenUp]).finally(() => clearInterval(timer));
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

/** How a program failed, with its own error output if there is any. */
function failureOf({ code, signal, stderr }: ProgramRun): string {
  if (stderr !== "") {
    return `failed: ${stderr.length > MAX_QUOTED ? `${stderr.slice(0, MAX_QUOTED)}…` : stderr}`;
  }
  if (signal !== null) return `was terminated by ${signal}`;
  return code > 1 ? `exited with status ${code}` : "gave an incomplete answer";
}

/** Whether a program reported errors about files only, or one of the files cannot be read. */
function isAboutFiles({ stderr }: ProgramRun, files: readonly Candidate[]): boolean {
  const messages = stderr.split("\n");
  if (messages.length > 1) messages.pop(); // it may be cut short
  // The file that a message names may exist again by now.
  const directories = new Set(files.map(({ path }) => platform.dirname(path).slice(1)));
  const isNamed = (message: string) => [...directories].some((path) => message.includes(path));
  return (stderr !== "" && messages.every(isNamed)) ||
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

/** Work items for the JavaScript engine: one for each named file, the others by directory. */
function workItems(files: readonly Candidate[]): WorkItem[] {
  const items: (WorkItem & { names?: string[] })[] = [];
  for (const { path, named } of files) {
    if (named) {
      items.push({ path, base: 0, depth: 0, file: "named" });
      continue;
    }
    const directory = platform.dirname(path);
    const last = items.at(-1);
    if (last?.path === directory && (last.names?.length ?? NAMES_PER_ITEM) < NAMES_PER_ITEM) {
      last.names!.push(platform.basename(path));
    } else {
      items.push({ path: directory, base: 0, depth: 0, names: [platform.basename(path)] });
    }
  }
  return items;
}
