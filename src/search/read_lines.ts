/**
 * Reads lines of one file. The file is admitted, decoded and proven like one that a search reads, so that every
 * file that can be found can be read, and no other.
 *
 * @module
 */

import type { Note } from "../notes/words.ts";
import { counted } from "../util/text.ts";
import { cancelled, PathgrepError, timedOut } from "../util/errors.ts";
import { infoAt, isMissing, notFound, openFileAsync } from "../system/files.ts";
import type { FileHandle, FileInfo } from "../system/types.ts";
import { Slices, untilAborted, within } from "../util/pulse.ts";
import { Guard } from "../guard/guard.ts";
import { pathError } from "../paths/canonical.ts";
import type { NamedLines } from "../workspace/repairs.ts";
import { type AllowedRoots, inPlace, isIt } from "../paths/verification.ts";
import { cutAround, detached } from "../read/hit_lines.ts";
import { fittingEncodings, utf16ByNuls } from "../read/decoder.ts";
import { FileReader, loadReader } from "../read/file_reader.ts";
import { Files, type Lack, type ReadOutcome } from "../read/files.ts";
import { SearchPulse } from "../run/search_sink.ts";
import type { Left } from "../walk/listing.ts";
import type { TextSink } from "../read/piece_feeder.ts";
import type { SearchQuery } from "../query/query.ts";
import { QUERY_OPTIONS } from "../query/query_options.ts";
import { parseQuery } from "../query/query_parser.ts";
import type { InternalSearchOptions } from "./search_context.ts";
import { resolveTargets, type Targets } from "./targets.ts";

/** Which lines to read. */
export interface LinesQuery
  extends Pick<SearchQuery, "encoding" | "everything" | "allow" | "deny" | "timeout"> {
  path: string;
  /** The first line, from 1. @default that of the path, or 1 */
  offset?: number | undefined;
  /** Lines, at most. @default those of the path, or 2000 */
  limit?: number | undefined;
  /** The last line. @default that of the path, or none */
  last?: number | undefined;
  /** The number of characters beyond which lines are not kept. */
  maxChars: number;
}

/** Lines of a file. */
export interface LinesRead {
  /** Canonical. */
  file: string;
  /** The number of the first line. */
  start: number;
  lines: string[];
  /** The numbers of those that are cut. */
  cut: number[];
  /** Of the whole file. */
  total: number;
  /** The characters of the whole file. */
  chars: number;
  /** All of its lines, unless it is long. */
  text?: readonly string[] | undefined;
  /** Whether the path names lines. */
  isNamed: boolean;
  /** The last line that is wanted; more are not. */
  last?: number | undefined;
  notes: Note[];
}

/** What is where a file was to be read: directories, which can be listed. */
export interface DirectoriesMet extends Pick<Targets, "directories" | "notes"> {}

/** Lines of a call that says nothing else. */
const DEFAULT_LIMIT = 2000;
/** A file replaced while it was read is read again: it has not left the workspace. */
const MAX_ATTEMPTS = 2;

/**
 * Reads lines of a file, if there is one. The whole file is decoded, since it may turn out not to be text, and since its
 * lines are counted; between its pieces others have their turn.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `invalid_input`, `search_timed_out`,
 * `search_failed`, `cancelled`
 */
export async function readLines(
  query: LinesQuery,
  { workspace, signal, permissionRequester }: InternalSearchOptions,
): Promise<LinesRead | DirectoriesMet> {
  const { path, encoding, allow, deny, timeout } = query;
  if (path.trim() === "") {
    throw new PathgrepError("INVALID_FILE_PATH", "path is empty", {
      hint: "send the path of a file, absolute or relative to the workspace root",
    });
  }
  const settings = parseQuery({ pattern: ".", path, encoding, allow, deny, timeout });
  if (signal?.aborted) throw cancelled(signal);
  workspace.checkRoots();
  const guard = new Guard({ workspace, allow: settings.allow, deny: settings.deny });
  const targets = await resolveTargets(settings, {
    workspace,
    guard,
    tool: "read_file",
    requester: permissionRequester,
    signal,
    ...{ hasStdin: false, isListing: false, isReading: true },
  });
  const [file] = targets.files;
  if (file === undefined) return targets;
  const wanted = linesWanted(query, targets.lines);
  const page = new PageOfLines(wanted, query.maxChars);
  const limit = settings.timeout || Infinity;
  const left = limit - targets.spent;
  const ending = { deadline: Date.now() + left, timeout: limit };
  const reading: LinesReading = {
    encoding: settings.encoding === "utf-8" ? undefined : settings.encoding,
    everything: query.everything === true,
    roots: targets.allowedRoots,
    left,
    pulse: new SearchPulse(ending, () => signal?.aborted === true),
    signal,
    root: workspace.roots[0]!,
  };
  const outcome = await readProven(file, page, reading).catch(withHint);
  if (outcome.state !== "read") throw failure(file, outcome).with({ path });
  const { lines, cut, total } = page;
  const ofFile = [...notesOnReading(outcome, total), ...pastEndNotes(wanted.first, total)];
  const notes = [...targets.notes, ...ofFile];
  const named = targets.lines[0]?.last;
  const last = query.last ?? (named && Math.min(named, total));
  const isNamed = targets.lines.length > 0;
  const { chars, text } = page;
  return { file, start: wanted.first, lines, cut, total, chars, text, isNamed, last, notes };
}

function withHint(thrown: unknown): never {
  const error = PathgrepError.from(thrown);
  throw error.code === "search_timed_out"
    ? error.with({ hint: "raise the timeout: the whole file is read to count its lines" })
    : error;
}

/** What was not plain text, with `everything`. */
function notesOnReading({ left = [], lacks, others = [] }: LinesOutcome, total: number): Note[] {
  return [
    ...left.map(({ reason, by }): Note =>
      reason === "compressed"
        ? { reason: "read_unpacked", values: {} }
        : reason === "binary"
        ? { reason: "read_binary", values: {} }
        : { reason: "read_in_encoding", values: { encoding: String(by), others } }
    ),
    ...(lacks === undefined ? [] : [
      { reason: "read_in_part", values: { lines: total, isDamaged: lacks === "damaged" } } as const,
    ]),
  ];
}

/** An empty page would be taken for the end of the file. */
function pastEndNotes(first: number, total: number): Note[] {
  if (first <= Math.max(total, 1)) return [];
  return [{ reason: "past_end", values: { offset: first, count: total, unit: "line" } }];
}

interface WantedLines {
  readonly first: number;
  readonly limit: number;
}

/**
 * The lines that a call asks for, in its keys or in its path.
 *
 * @throws {PathgrepError} `invalid_input` where both say something and differ, or the path names no lines
 * that a file may have
 */
function linesWanted(query: LinesQuery, named: readonly NamedLines[]): WantedLines {
  const { path, offset, limit, last } = query;
  const [lines, ...others] = named;
  const first = lines?.first ?? offset ?? 1;
  const end = lines?.last ?? last;
  const count = end === undefined ? undefined : Math.min(end, Number.MAX_SAFE_INTEGER) - first + 1;
  const problem = others.length > 0
    ? "path names lines twice"
    : offset !== undefined && offset !== first
    ? `path names line ${first} as the first, which offset gives as ${offset}`
    : last !== undefined && last !== end
    ? `path names line ${end} as the last, which end_line gives as ${last}`
    : rangeProblem(first, end, count, query, lines);
  if (problem === undefined) return { first, limit: count ?? limit ?? DEFAULT_LIMIT };
  throw new PathgrepError("invalid_input", problem, {
    path,
    hint: "send the path without lines, the first line as offset and their number as limit",
  });
}

/** What keeps lines from being a range of a file, or of as many as `limit` says. */
function rangeProblem(
  first: number,
  end: number | undefined,
  count: number | undefined,
  { offset, limit }: LinesQuery,
  lines: NamedLines | undefined,
): string | undefined {
  const keys = offset === undefined ? [] : ["offset"];
  const names = lines?.last !== undefined ? ["path"] : [...lines ? ["path"] : keys, "end_line"];
  const said = `${names.join(" and ")} ${names.length === 1 ? "names" : "name"}`;
  if (first < 1) return `path names line ${first}, and lines are counted from 1`;
  if (!Number.isSafeInteger(first)) return `path names line ${first}, which no file has`;
  if (count === undefined) return undefined;
  if (count < 1) return `${said} lines ${first} to ${end}, an empty range`;
  return limit === undefined || limit === count
    ? undefined
    : `${said} ${counted(count, "line")}, which limit gives as ${limit}`;
}

interface LinesReading {
  encoding: string | undefined;
  everything: boolean;
  roots: AllowedRoots;
  pulse: SearchPulse;
  /** Milliseconds of the time limit. */
  left: number;
  signal: AbortSignal | undefined;
  /** A directory that may be read. */
  root: string;
}

/** How a file was read. */
interface LinesOutcome {
  state: ReadOutcome["state"];
  /** Which file it was. */
  info?: FileInfo | undefined;
  /** Why a search leaves it out, and why there is more. */
  left?: readonly Left[] | undefined;
  lacks?: Lack | undefined;
  /** Further encodings that it may be in. */
  others?: readonly string[];
  /** The encoding that it is likely to be in, if it was not read. */
  label?: string | undefined;
  /** Why it could not be opened. */
  error?: unknown;
}

/** Reads a file into a page until it is proven that what was read is what its path names. */
async function readProven(
  path: string,
  page: PageOfLines,
  reading: LinesReading,
): Promise<LinesOutcome> {
  const since = Date.now();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    page.restart();
    const outcome = await readOnce(path, page, reading);
    reading.pulse.look();
    if (outcome.state === "vanished") continue;
    const read = outcome.info ?? infoAt(path);
    const isSame = () => read !== undefined && isIt(read, infoAt(path));
    if (inPlace([path], { walk: reading.roots, since }, isSame).length > 0) return outcome;
  }
  // Whatever replaced it could be anything.
  return { state: "vanished" };
}

async function readOnce(
  path: string,
  page: PageOfLines,
  reading: LinesReading,
): Promise<LinesOutcome> {
  const { encoding, everything, pulse, root } = reading;
  let opened: FileHandle;
  try {
    opened = await openInTime(path, reading);
  } catch (error) {
    if (error instanceof PathgrepError) throw error;
    return isMissing(error) ? { state: "vanished" } : { state: "unreadable", error };
  }
  if (!opened.statSync().isFile) {
    opened.close();
    return { state: "vanished" };
  }
  const maxFileSize = Infinity;
  let others: readonly string[] = [];
  const encodingFor = (content: Uint8Array) => {
    const [best, ...rest] = fittingEncodings(content);
    others = rest;
    return best;
  };
  const job = {
    ...{ plan: { prefilter: undefined, multiline: false }, maxFileSize, withoutMatch: false },
    ...{ encoding, isAnyText: everything },
    ...(everything && {
      further: { maxFileSize, isAnyText: false, encodings: [], unpacks: true },
      encodingFor,
    }),
  };
  await loadReader(job);
  const reader = new FileReader(job, new Files(), () => page);
  using file = reader.readAlone(path, true, opened);
  const slices = new Slices(root);
  let outcome = file.next();
  while (outcome === undefined) {
    pulse.look();
    outcome = await slices.run(() => file.next());
  }
  const { state, info } = outcome;
  if (state === "read") return { state, info, left: outcome.left, lacks: outcome.lacks, others };
  const isOther = encoding === undefined && state === "binary";
  return { state, info, label: isOther ? utf16Label(opened) : undefined };
}

/**
 * Opens a file, and waits no longer than the call may take: in its place there may be a pipe by now, and
 * whoever opens one waits for its other end.
 *
 * @throws {PathgrepError} `search_timed_out`, `cancelled`
 */
async function openInTime(
  path: string,
  { pulse, left, signal }: LinesReading,
): Promise<FileHandle> {
  const opening = openFileAsync(path);
  try {
    const file = await within(left + 1, untilAborted(opening, signal));
    if (file !== undefined) return file;
    pulse.look();
    throw timedOut(left);
  } catch (thrown) {
    opening.then((file) => file.close(), () => {});
    pulse.look();
    throw thrown;
  }
}

/** Bytes of a file that tell whether it is UTF-16. */
const TELLING_BYTES = 1 << 12;

function utf16Label(file: FileHandle): string | undefined {
  const buffer = new Uint8Array(TELLING_BYTES);
  file.seekSync(0, 0);
  return utf16ByNuls(buffer.subarray(0, file.readSync(buffer) ?? 0));
}

/** The error for a file that exists but cannot be read as text. */
function failure(path: string, { state, label, error }: LinesOutcome): PathgrepError {
  if (state === "vanished") {
    return pathError(notFound(), path).with({
      hint: "it was replaced or removed while it was read; call again",
    });
  }
  if (state !== "binary" && state !== "not_utf8") {
    const failed = pathError(error, path);
    return failed.code !== "path_not_found" ? failed : new PathgrepError(
      "search_failed",
      `the system cannot read ${path}`,
      { resolved_path: path },
      { cause: error },
    );
  }
  const send = label === undefined ? undefined : `send ${JSON.stringify({ encoding: label })}`;
  return state === "binary"
    ? new PathgrepError("path_unsupported", `Path is a binary file: ${path}`, {
      resolved_path: path,
      hint: send ?? 'send {"everything": true} to read it all the same',
    })
    : new PathgrepError("path_unsupported", `Path is not UTF-8 text: ${path}`, {
      resolved_path: path,
      hint: send ?? "name its encoding with the key encoding, such as gbk",
    });
}

/** Of a longer file, not all lines are held. */
const MAX_TEXT_CHARS = 1 << 22;

/** Takes the text of a file: holds some of its lines, and counts all of them. */
class PageOfLines implements TextSink {
  readonly isStopped = false;
  readonly isDone = false;
  /** The answer says something of the file, whatever is in it. */
  readonly isHit = true;
  lines: string[] = [];
  cut: number[] = [];
  /** Lines and their characters so far. */
  total = 0;
  chars = 0;
  /** All lines so far, unless these are too many. */
  text: string[] | undefined = [];
  readonly #wanted: WantedLines;
  readonly #maxChars: number;
  #chars = 0;

  constructor(wanted: WantedLines, maxChars: number) {
    this.#wanted = wanted;
    this.#maxChars = maxChars;
  }

  restart(): void {
    this.lines = [];
    this.cut = [];
    this.total = this.chars = 0;
    this.text = [];
    this.#chars = 0;
  }

  skip(): boolean {
    return false;
  }

  feed(text: string): boolean {
    const { first, limit } = this.#wanted;
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      this.total++;
      const isWanted = this.total >= first && this.lines.length < limit &&
        this.#chars < this.#maxChars;
      this.chars += end + 1 - start;
      if (this.chars > MAX_TEXT_CHARS) this.text = undefined;
      if (isWanted || this.text !== undefined) {
        const hasReturn = newline > start && text[end - 1] === "\r";
        const line = text.slice(start, hasReturn ? end - 1 : end);
        this.text?.push(line);
        if (isWanted) this.#add(line);
      }
      start = end + 1;
    }
    return true;
  }

  #add(line: string): void {
    const { text, truncated } = cutAround(line, 0, QUERY_OPTIONS.maxLineLength.default);
    if (truncated) this.cut.push(this.total);
    this.lines.push(detached(text));
    this.#chars += text.length + 1;
  }
}
