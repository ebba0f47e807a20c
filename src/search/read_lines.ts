/**
 * Reads lines of one file. The file is admitted, decoded and proven as one that a search is to read, so
 * that what can be found can be read, and nothing else.
 *
 * @module
 */

import { cancelled, PathgrepError } from "../util/errors.ts";
import { dirname } from "../util/path.ts";
import { infoAt } from "../util/file_info.ts";
import { Slices } from "../util/slices.ts";
import { Guard } from "../guard/guard.ts";
import { pathError } from "../paths/canonical.ts";
import type { NamedLines } from "../paths/repairs.ts";
import type { AllowedRoots } from "../paths/verification.ts";
import { cutAround, detached } from "../scan/cut.ts";
import { FileReader } from "../scan/file_reader.ts";
import { Files, type ReadOutcome } from "../scan/files.ts";
import { Proof } from "../scan/proof.ts";
import { SearchPulse } from "../scan/search_pulse.ts";
import type { TextSink } from "../scan/text_feeder.ts";
import type { SearchQuery, SearchSettings } from "./query.ts";
import { QUERY_OPTIONS } from "./query_options.ts";
import { parseQuery } from "./query_parser.ts";
import type { InternalSearchOptions } from "./search_context.ts";
import { resolveTargets, type Targets } from "./targets.ts";

/** Which lines to read. */
export interface LinesQuery extends Pick<SearchQuery, "encoding" | "allow" | "deny" | "timeout"> {
  path: string;
  /** The first line, from 1. @default that of the path, or 1 */
  offset?: number | undefined;
  /** Lines, at most. @default those of the path, or 2000 */
  limit?: number | undefined;
  /** Characters of all lines that are worth holding. */
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
  notes: string[];
}

/** Lines of a call that says nothing else. */
const DEFAULT_LIMIT = 2000;
/** A file replaced while it was read is read again: it has not left the workspace. */
const MAX_ATTEMPTS = 2;

/**
 * Reads lines of a file. The whole file is decoded, since it may turn out not to be text, and since its
 * lines are counted; between its pieces others have their turn.
 *
 * @throws {PathgrepError} every `path_…` and `permission_…` code, `invalid_input`, `search_timed_out`,
 * `search_failed`, `cancelled`
 */
export async function readLines(
  query: LinesQuery,
  { workspace, signal, permissionRequester, tool = "read_file" }: InternalSearchOptions,
): Promise<LinesRead> {
  const { path, encoding, allow, deny, timeout } = query;
  if (path.trim() === "") {
    throw new PathgrepError("INVALID_FILE_PATH", "path is empty", {
      hint: "send the path of a file, absolute or relative to the workspace root",
    });
  }
  const settings = parseQuery({ pattern: ".", path, encoding, allow, deny, timeout });
  if (signal?.aborted) throw cancelled();
  workspace.checkRoots();
  const guard = new Guard({ workspace, allow: settings.allow, deny: settings.deny });
  const targets = await resolveTargets(settings, {
    workspace,
    guard,
    tool,
    requester: permissionRequester,
    signal,
    isAtShell: false,
    hasStdin: false,
    isListing: false,
    isReading: true,
  });
  const [file] = targets.files;
  if (file === undefined) {
    const { directoryError } = await import("./directory_error.ts");
    throw await directoryError(path, settings, { targets, guard, workspace });
  }
  const wanted = linesWanted(query, targets.lines);
  const page = new PageOfLines(wanted, query.maxChars);
  const reading: LinesReading = {
    encoding: settings.encoding === "utf-8" ? undefined : settings.encoding,
    roots: targets.allowedRoots,
    pulse: pulseOf(settings, targets, signal),
    root: workspace.roots[0]!,
  };
  const { state } = await readProven(file, page, reading).catch(withHint);
  if (state !== "read") throw (await failure(file, state, reading)).with({ path });
  const { lines, cut, total } = page;
  return {
    file,
    start: wanted.first,
    lines,
    cut,
    total,
    notes: [...targets.notes, ...pastEndNotes(wanted.first, total)],
  };
}

function withHint(thrown: unknown): never {
  const error = PathgrepError.from(thrown);
  throw error.code === "search_timed_out"
    ? error.with({ hint: "the whole file is read, since its lines are counted; raise the timeout" })
    : error;
}

function pulseOf(
  { timeout }: SearchSettings,
  { spent }: Targets,
  signal: AbortSignal | undefined,
): SearchPulse {
  const limit = timeout || Infinity;
  const deadline = Date.now() + limit - spent;
  return new SearchPulse({ deadline, timeout: limit }, () => signal?.aborted === true);
}

/** An empty page would be taken for the end of the file. */
function pastEndNotes(first: number, total: number): string[] {
  if (first <= Math.max(total, 1)) return [];
  return [`offset ${first} is past the last of ${total === 1 ? "1 line" : `${total} lines`}`];
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
function linesWanted(
  { path, offset, limit }: LinesQuery,
  named: readonly NamedLines[],
): WantedLines {
  const [lines, ...others] = named;
  if (lines === undefined) return { first: offset ?? 1, limit: limit ?? DEFAULT_LIMIT };
  const { first, last } = lines;
  const asNamed = last === undefined ? undefined : last - first + 1;
  const problem = others.length > 0
    ? "names lines twice"
    : !Number.isSafeInteger(first) || first < 1
    ? `names line ${first}, and lines are counted from 1`
    : asNamed !== undefined && !(Number.isSafeInteger(last) && asNamed > 0)
    ? `names lines ${first} to ${last}, which is none`
    : offset !== undefined && offset !== first
    ? `names line ${first} as the first, which offset gives as ${offset}`
    : asNamed !== undefined && limit !== undefined && limit !== asNamed
    ? `names ${asNamed === 1 ? "1 line" : `${asNamed} lines`}, which limit gives as ${limit}`
    : undefined;
  if (problem === undefined) return { first, limit: asNamed ?? limit ?? DEFAULT_LIMIT };
  throw new PathgrepError("invalid_input", `path ${problem}`, {
    path,
    hint: "send the path without lines, the first line as offset and their number as limit",
  });
}

interface LinesReading {
  encoding: string | undefined;
  roots: AllowedRoots;
  pulse: SearchPulse;
  /** A directory that may be read. */
  root: string;
}

/** Reads a file into a page until it is proven that what was read is what its path names. */
async function readProven(
  path: string,
  page: PageOfLines,
  { encoding, roots, pulse, root }: LinesReading,
): Promise<ReadOutcome> {
  const since = Date.now();
  const reader = new FileReader(
    {
      plan: { prefilter: undefined, multiline: false },
      encoding,
      isAnyText: false,
      maxFileSize: Infinity,
      withoutMatch: false,
    },
    new Files(),
    () => page,
  );
  const slices = new Slices(root);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    page.restart();
    using file = reader.readAlone(path, true);
    let outcome = file.next();
    while (outcome === undefined) {
      pulse.look();
      outcome = await slices.run(() => file.next());
    }
    pulse.look();
    if (outcome.state === "vanished") break;
    const proof = new Proof(roots, since, pulse);
    let isProven = false;
    proof.addFile(path, dirname(path), outcome.info ?? infoAt(path), () => isProven = true);
    proof.settle();
    if (isProven) return outcome;
  }
  // What is there instead could be anything.
  return { state: "vanished", bytes: 0 };
}

/** Why a file that is there gives no lines, and what to do about it. */
async function failure(
  path: string,
  state: Exclude<ReadOutcome["state"], "read">,
  { encoding, roots }: LinesReading,
): Promise<PathgrepError> {
  if (state === "vanished") {
    return pathError(new Deno.errors.NotFound(), path).with({
      hint: "it was replaced or removed while it was read; call again",
    });
  }
  if (state !== "binary" && state !== "not_utf8") {
    return new PathgrepError("search_failed", `the system cannot read ${path}`, {
      resolved_path: path,
    });
  }
  const { encodingHint } = await import("../explain/encoding_hints.ts");
  const label = encoding === undefined ? encodingHint(path, roots, state) : undefined;
  const send = label === undefined ? undefined : `send ${JSON.stringify({ encoding: label })}`;
  return state === "binary"
    ? new PathgrepError("path_unsupported", `Path is a binary file: ${path}`, {
      resolved_path: path,
      hint: send ?? "only text can be read; if it is UTF-16, send encoding utf-16le or utf-16be",
    })
    : new PathgrepError("path_unsupported", `Path is not UTF-8 text: ${path}`, {
      resolved_path: path,
      hint: send ?? "name its encoding with the key encoding, such as gbk",
    });
}

/** Takes the text of a file: holds some of its lines, and counts all of them. */
class PageOfLines implements TextSink {
  readonly isStopped = false;
  readonly isDone = false;
  /** The answer says something of the file, whatever is in it. */
  readonly isHit = true;
  lines: string[] = [];
  cut: number[] = [];
  /** Lines so far. */
  total = 0;
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
    this.total = 0;
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
      if (isWanted) {
        const hasReturn = newline > start && text[end - 1] === "\r";
        this.#add(text.slice(start, hasReturn ? end - 1 : end));
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
