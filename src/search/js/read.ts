/**
 * Reads one file piece by piece into the scanner, and verifies what is about to be returned.
 *
 * @module
 */

import { isWithin } from "../../workspace/paths.ts";
import { decodeText, isBinary, type NotText, TextStream } from "./text.ts";

/** Bytes read at once: one more than the usual size limit, so that a file over it is seen to be. */
const PIECE_BYTES = (1 << 20) + 1;
/** Characters of one line that are held; beyond, memory would grow with the file. */
const MAX_LINE_CHARS = 1 << 24;
/** Characters held for a match that may span lines. */
const MAX_MULTILINE_CHARS = 1 << 27;

/** Takes the text of a file. */
export interface TextSink {
  /** Whole lines, but for the last piece. Answers whether more is wanted. */
  feed(text: string, last: boolean): boolean;
  /** Whether the file, as far as it was fed, is part of the answer. */
  readonly isHit: boolean;
}

/** How reading a file ended. */
export type ReadOutcome =
  | { state: "read"; bytes: number; longLines: boolean }
  | { state: NotText | "too_large" | "unreadable" | "vanished"; bytes: number };

/** Reads files, one after the other, into one buffer. */
export class FileReader {
  readonly #buffer: Uint8Array;
  readonly #maxFileSize: number;
  readonly #isMultiline: boolean;
  readonly #tellsBinaries: boolean;

  /**
   * @param maxFileSize bytes a file may have, `Infinity` for no limit
   * @param isMultiline whether the sink wants the whole text at once
   * @param tellsBinaries whether a binary file is told even if it would not be part of the answer
   */
  constructor(maxFileSize: number, isMultiline: boolean, tellsBinaries: boolean) {
    this.#tellsBinaries = tellsBinaries;
    this.#maxFileSize = maxFileSize;
    this.#isMultiline = isMultiline;
    this.#buffer = new Uint8Array(Math.min(PIECE_BYTES, maxFileSize + 1));
  }

  /**
   * Reads a file into the sink.
   *
   * @param named whether the caller named it: then it may have any size
   * @param whenHit called with the open file before it is closed, if it is part of the answer
   */
  read(
    path: string,
    named: boolean,
    sink: TextSink,
    whenHit: (file: Deno.FsFile) => void,
  ): ReadOutcome {
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(path);
    } catch (error) {
      return { state: failureState(error), bytes: 0 };
    }
    try {
      const outcome = this.#readOpen(file, named, sink);
      if (outcome.state === "read" && sink.isHit) whenHit(file);
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { state: failureState(error), bytes: 0 };
    } finally {
      file.close();
    }
  }

  #readOpen(file: Deno.FsFile, named: boolean, sink: TextSink): ReadOutcome {
    const bytes = this.#fill(file, 0);
    if (bytes < this.#buffer.length) {
      const content = this.#buffer.subarray(0, bytes);
      const decoded = decodeText(content);
      if ("skip" in decoded) return { state: decoded.skip, bytes };
      sink.feed(decoded.text, true);
      const matters = sink.isHit || named || this.#tellsBinaries;
      if (matters && isBinary(content)) return { state: "binary", bytes };
      return { state: "read", bytes, longLines: false };
    }
    if (!named && file.statSync().size > this.#maxFileSize) return { state: "too_large", bytes };
    return this.#stream(file, bytes, sink);
  }

  /** Reads until the buffer is full or the file ends. */
  #fill(file: Deno.FsFile, start: number): number {
    let filled = start;
    while (filled < this.#buffer.length) {
      const read = file.readSync(this.#buffer.subarray(filled));
      if (read === null || read === 0) break;
      filled += read;
    }
    return filled;
  }

  /** Goes on after the first full buffer, with memory bounded by the longest line. */
  #stream(file: Deno.FsFile, first: number, sink: TextSink): ReadOutcome {
    const stream = new TextStream();
    let bytes = first;
    let filled = first;
    let held = "";
    let dropping = false;
    let longLines = false;
    for (;;) {
      const last = filled < this.#buffer.length;
      const decoded = stream.decode(this.#buffer.subarray(0, filled), last);
      if ("skip" in decoded) return { state: decoded.skip, bytes };
      let text = decoded.text;
      if (dropping) {
        const end = text.indexOf("\n");
        text = end < 0 ? "" : text.slice(end);
        dropping = end < 0;
      }
      held += text;
      if (this.#isMultiline) {
        if (held.length > MAX_MULTILINE_CHARS) return { state: "too_large", bytes };
        if (last) sink.feed(held, true);
      } else {
        const end = last ? held.length : held.lastIndexOf("\n") + 1;
        if ((end > 0 || last) && !sink.feed(held.slice(0, end), last)) break;
        held = held.slice(end);
        if (held.length > MAX_LINE_CHARS) {
          held = held.slice(0, MAX_LINE_CHARS);
          dropping = longLines = true;
        }
      }
      if (last) break;
      filled = this.#fill(file, 0);
      bytes += filled;
    }
    return { state: "read", bytes, longLines };
  }
}

/**
 * Deno has no call that asks where an open file lies, only where a path leads and which file it names
 * at that moment. A directory on the way that is swapped for a link and back could pass both questions
 * once, each at its own moment; asked in turn so many times, it would have to be swapped in step with
 * every one of them.
 */
const VERIFICATION_ROUNDS = 4;

/**
 * Whether an open file is what its path names, and lies within the confines: whatever was renamed or
 * linked between the walk and now, nothing from elsewhere is returned.
 */
export function isVerified(file: Deno.FsFile, path: string, confines: readonly string[]): boolean {
  if (!confines.some((root) => isWithin(root, path))) return false;
  try {
    const opened = file.statSync();
    for (let round = 0; round < VERIFICATION_ROUNDS; round++) {
      if (Deno.realPathSync(path) !== path) return false;
      const named = Deno.lstatSync(path);
      if (opened.dev !== named.dev || opened.ino !== named.ino) return false;
    }
    return Deno.realPathSync(path) === path;
  } catch {
    return false;
  }
}

function failureState(error: unknown): "vanished" | "unreadable" {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory
    ? "vanished"
    : "unreadable";
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && error.name in Deno.errors ||
    error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}
