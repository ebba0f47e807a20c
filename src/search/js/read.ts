/**
 * Reads one file, whole or piece by piece, into the scanner.
 *
 * @module
 */

import { ByteSearch, MAX_BYTES } from "./byte_search.ts";
import type { TextNeed } from "./need.ts";
import { decodeText, decodeUtf8, isBinary, type NotText, TextStream, utf16Of } from "./text.ts";

/** File systems that give less than was asked for, in the middle of a file, give whole blocks. */
const BLOCK_BYTES = 512;
/** Characters of one line that are held; beyond, memory would grow with the file. */
export const MAX_LINE_CHARS: number = 1 << 24;
/** Characters held for a match that may span lines. */
const MAX_MULTILINE_CHARS = 1 << 27;

/** Takes the text of a file. */
export interface TextSink {
  /** Whole lines, but for the last piece. Answers whether more is wanted. */
  feed(text: string, last: boolean): boolean;
  /** Whether the search is over, and with it this file. */
  readonly isStopped: boolean;
  /** Whether the file, as far as it was fed, is part of the answer. */
  readonly isHit: boolean;
}

/** How reading a file ended. */
export type ReadOutcome =
  /** `info` tells which file it was, if it is part of the answer. */
  | { state: "read"; bytes: number; longLines: boolean; info?: Deno.FileInfo }
  | { state: NotText | "too_large" | "unreadable" | "vanished"; bytes: number };

/** How files are read. */
export interface ReadOptions {
  /** Bytes a file met in a walk may have, `Infinity` for no limit. */
  maxFileSize: number;
  /** Whether the sink wants the whole text at once. */
  isMultiline: boolean;
  /** Whether a binary file is told even if it would not be part of the answer. */
  tellsBinaries: boolean;
  /** What a text with a match holds. */
  need: TextNeed | undefined;
}

/** Reads files, one after the other, into one buffer. */
export class FileReader {
  readonly #options: ReadOptions;
  readonly #buffer: Uint8Array<ArrayBuffer>;
  readonly #search: ByteSearch | undefined;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#search = ByteSearch.create(options.need);
    this.#buffer = this.#search?.bytes ?? new Uint8Array(MAX_BYTES);
  }

  /**
   * Reads a file into the sink.
   *
   * @param named whether the caller named it: then it may have any size
   */
  read(path: string, named: boolean, sink: TextSink): ReadOutcome {
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(path);
    } catch (error) {
      return { state: failureState(error), bytes: 0 };
    }
    try {
      const outcome = this.#readOpen(file, named, sink);
      if (outcome.state === "read" && sink.isHit) outcome.info = file.statSync();
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { state: failureState(error), bytes: 0 };
    } finally {
      file.close();
    }
  }

  #readOpen(file: Deno.FsFile, named: boolean, sink: TextSink): ReadOutcome {
    const bytes = this.#fill(file, named);
    const limit = named ? Infinity : this.#options.maxFileSize;
    if (bytes > limit) return { state: "too_large", bytes };
    if (bytes < this.#buffer.length) return this.#take(bytes, named, sink);
    if (file.statSync().size > limit) return { state: "too_large", bytes };
    return this.#stream(file, bytes, sink);
  }

  /** Takes the whole of a file from the buffer. */
  #take(bytes: number, named: boolean, sink: TextSink): ReadOutcome {
    const content = this.#buffer.subarray(0, bytes);
    const search = this.#search;
    if (search === undefined || utf16Of(content) !== undefined) {
      return this.#takeUnseen(content, named, sink);
    }
    const kind = search.classify(bytes);
    if (kind.hasNul) return { state: "binary", bytes };
    if (!kind.isUtf8) return { state: "not_utf8", bytes };
    if (search.mayMatch(bytes, kind)) sink.feed(decodeUtf8(content), true);
    return { state: "read", bytes, longLines: false };
  }

  /** Takes the whole of a file that was not looked at before. */
  #takeUnseen(content: Uint8Array, named: boolean, sink: TextSink): ReadOutcome {
    const bytes = content.length;
    const decoded = decodeText(content);
    if ("skip" in decoded) return { state: decoded.skip, bytes };
    sink.feed(decoded.text, true);
    const matters = sink.isHit || named || this.#options.tellsBinaries;
    if (matters && isBinary(content)) return { state: "binary", bytes };
    return { state: "read", bytes, longLines: false };
  }

  /**
   * Reads until the buffer is full or the file ends.
   *
   * @param isWary whether only a read of nothing counts as the end, as in special files
   */
  #fill(file: Deno.FsFile, isWary: boolean): number {
    let filled = file.readSync(this.#buffer) ?? 0;
    while (filled < this.#buffer.length && (isWary || filled % BLOCK_BYTES === 0)) {
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
    let isFed = false;
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
      if (this.#options.isMultiline) {
        held += text;
        if (held.length > MAX_MULTILINE_CHARS) return { state: "too_large", bytes };
        if (last) sink.feed(held, true);
      } else if (!isFed) {
        const newline = last ? text.length - 1 : text.lastIndexOf("\n");
        if (newline >= 0 || last) {
          const more = sink.feed(held + text.slice(0, newline + 1), last);
          held = text.slice(newline + 1);
          // What is not searched any more is still looked at: a binary file is none in every mode.
          isFed = !more;
          if (sink.isStopped) break;
        } else {
          held += text;
        }
        if (held.length > MAX_LINE_CHARS) {
          held = held.slice(0, MAX_LINE_CHARS);
          dropping = longLines = true;
        }
      } else if (sink.isStopped) {
        break;
      }
      if (last) break;
      filled = this.#fill(file, true);
      bytes += filled;
    }
    return { state: "read", bytes, longLines };
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
