/**
 * Surveys a large file for the thread that reads it.
 *
 * @module
 */

import { Identity } from "../../cache/fingerprint.ts";
import { ByteMemory, ByteSearch, type TextNeed } from "./byte_search.ts";
import { MAX_CANDIDATE_LINES, type Stretch, type Survey, type SurveyTask } from "./survey.ts";

const LINE_FEED = 10;
/** What is looked at together. */
const PIECE_BYTES = 1 << 20;
/** After so many pieces without anything to pass over, one after the other, it is given up. */
const MAX_VAIN_PIECES = 8;

/** Looks at one file, from its end towards its start, as long as that is of use. */
export class Surveyor {
  readonly #path: string;
  readonly #task: SurveyTask;
  readonly #survey: Survey;
  readonly #search: ByteSearch | undefined;
  /** Offset from which on the file has been looked at. */
  #end: number;
  #vainPieces = 0;

  /** @param need what a text with a match holds */
  constructor(path: string, task: SurveyTask, survey: Survey, need: TextNeed | undefined) {
    this.#path = path;
    this.#task = task;
    this.#end = task.end;
    this.#survey = survey;
    if (!survey.begin(task.id)) return;
    // Not the memory of the thread's reader, which may hold a piece of another file.
    const memory = ByteMemory.create(PIECE_BYTES);
    if (memory !== undefined) {
      this.#search = ByteSearch.create(task.isTextOnly ? undefined : need, memory);
    }
  }

  /**
   * Goes on until a point in time.
   *
   * @param until on the `performance.now()` clock
   * @returns whether there is more to do
   */
  run(until: number): boolean {
    if (this.#goOn(until)) return true;
    this.#survey.end(this.#task.id);
    return false;
  }

  #goOn(until: number): boolean {
    const search = this.#search;
    if (search === undefined) return false;
    let file: Deno.FsFile | undefined;
    try {
      // Before it is opened: to open what is no file might take forever.
      if (!this.#isMeant(Deno.lstatSync(this.#path))) return false;
      file = Deno.openSync(this.#path);
      if (!this.#isMeant(file.statSync())) return false;
      while (this.#survey.isWanted(this.#task.id, this.#end)) {
        if (!this.#takePiece(file, search)) return false;
        if (performance.now() >= until) return true;
      }
      return false;
    } catch {
      return false; // whatever it is, the reader meets it too, and says so
    } finally {
      file?.close();
    }
  }

  #isMeant(info: Deno.FileInfo): boolean {
    return `${new Identity(info)}` === this.#task.file;
  }

  /** Looks at the piece before those seen; `false` when that leads nowhere. */
  #takePiece(file: Deno.FsFile, search: ByteSearch): boolean {
    const { bytes } = search;
    const start = Math.max(0, this.#end - bytes.length);
    const length = this.#end - start;
    file.seekSync(start, Deno.SeekMode.Start);
    for (let filled = 0; filled < length;) {
      const read = file.readSync(bytes.subarray(filled, length));
      if (read === null || read === 0) return false;
      filled += read;
    }
    const from = bytes.indexOf(LINE_FEED) + 1;
    const to = bytes.lastIndexOf(LINE_FEED, length - 1) + 1;
    if (from === 0 || from >= length) return false; // a line longer than a piece
    this.#end = start + from;
    const found = this.#stretches(search, from, to);
    for (const stretch of found.reverse()) {
      this.#survey.add({
        start: start + stretch.start,
        end: start + stretch.end,
        lines: stretch.lines,
      });
    }
    this.#vainPieces = found.length > 0 ? 0 : this.#vainPieces + 1;
    return this.#vainPieces < MAX_VAIN_PIECES;
  }

  /** The stretches of lines in the bytes from one line's start to another's that need not be read. */
  #stretches(search: ByteSearch, from: number, to: number): Stretch[] {
    const kind = search.classify(to, from);
    if (kind.hasNul || !kind.isUtf8) return [];
    if (!this.#task.isTextOnly && !search.canTell(kind)) return [];
    const stretches: Stretch[] = [];
    const { bytes } = search;
    for (let lines = 0, start = from; start < to; lines++) {
      const candidate = this.#task.isTextOnly ? -1 : search.candidate(start, to);
      const end = candidate < 0 ? to : bytes.lastIndexOf(LINE_FEED, candidate) + 1;
      if (end > start) stretches.push({ start, end, lines: search.countLines(end, start) });
      if (candidate < 0) return stretches;
      if (lines === MAX_CANDIDATE_LINES) return [];
      start = bytes.indexOf(LINE_FEED, candidate) + 1;
    }
    return stretches;
  }
}
