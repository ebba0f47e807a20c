/**
 * The work of one thread, the newest first, and what of it is given to others.
 *
 * @module
 */

import type { PendingDirectory } from "../../walk/listing.ts";
import type { Board, WorkItem } from "./board.ts";

/** Work of a thread's own: of the names, those from one index up to another are meant. */
export interface LocalWork extends WorkItem, Pick<PendingDirectory, "rules"> {
  from?: number;
  to?: number;
}

/** Pieces of work that are given away at once, at most. */
const MAX_GIVEN = 64;

/** Directories to list and files to read. */
export class WorkList {
  readonly #board: Board;
  readonly #directories: LocalWork[] = [];
  readonly #files: LocalWork[] = [];
  #filesKnown = 0;

  /** @param board where others take work from */
  constructor(board: Board) {
    this.#board = board;
  }

  /** Adds work to what is done next. */
  add(item: LocalWork): void {
    if (item.file === undefined && item.names === undefined) {
      this.#directories.push(item);
      return;
    }
    this.#files.push(item);
    this.#filesKnown += filesIn(item);
  }

  /** Adds work for others; what they leave is done here. */
  addForOthers(items: readonly WorkItem[]): void {
    for (const item of this.#board.give(items)) this.add(item);
  }

  /** Takes the files that are read next. They come before directories, of which much is known then. */
  takeFiles(): LocalWork | undefined {
    const item = this.#files.pop();
    if (item !== undefined) this.#filesKnown -= filesIn(item);
    return item;
  }

  /** Takes the directory that is listed next. */
  takeDirectory(): LocalWork | undefined {
    return this.#directories.pop();
  }

  /** Whether there is no work left. */
  get isEmpty(): boolean {
    return this.#files.length === 0 && this.#directories.length === 0;
  }

  /** Files that are known of and still to be read. */
  get filesKnown(): number {
    return this.#filesKnown;
  }

  /** Gives the oldest half of the work to whoever waits: it lies nearest the root and is largest. */
  share(): void {
    if (!this.#board.isWanting) return;
    const givesFiles = this.#directories.length < 2 && this.#files.length > 1;
    const work = givesFiles ? this.#files : this.#directories;
    const given = work.splice(0, Math.min(MAX_GIVEN, work.length >> 1));
    if (given.length === 0) return;
    const back: LocalWork[] = this.#board.give(given.map(asWorkItem));
    work.unshift(...back);
    if (givesFiles) this.#filesKnown -= sum(given) - sum(back);
  }

  /** Lets go of all work. */
  clear(): void {
    this.#files.length = this.#directories.length = this.#filesKnown = 0;
  }
}

/** How many files an item of files is. */
function filesIn({ names, from = 0, to = names?.length ?? 1 }: LocalWork): number {
  return to - from;
}

function sum(items: readonly LocalWork[]): number {
  return items.reduce((sum, item) => sum + filesIn(item), 0);
}

/** The same for another thread. */
function asWorkItem({ rules: _, from, to, names, ...item }: LocalWork): WorkItem {
  return names === undefined ? item : { ...item, names: names.slice(from, to) };
}
