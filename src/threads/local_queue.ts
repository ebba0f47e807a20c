/**
 * The work of one thread, newest first, of which it shares the oldest with others.
 *
 * @module
 */

import {
  namesIn,
  type Part,
  type PassStart,
  PassTurn,
  type PendingDirectory,
} from "../scan/listing.ts";
import type { SearchJob } from "../scan/job.ts";
import type { Left } from "../scan/left.ts";
import type { SharedQueue, WorkItem } from "./shared_queue.ts";

/** A thread's own work: the names from one index up to another. */
export interface LocalWork extends WorkItem, Pick<PendingDirectory, "rules"> {
  from?: number;
  to?: number;
  /** Which attempt this is to read a file by itself. @default 1 */
  attempt?: number;
}

const MAX_GIVEN = 64;

export class LocalQueue {
  readonly #queue: SharedQueue;
  readonly #directories: LocalWork[] = [];
  readonly #files: LocalWork[] = [];
  /** In a further pass, work whose turn has not come. */
  #later: LocalWork[] = [];
  #turn: PassTurn = PassTurn.Start;
  /** The number of files to read that are known. */
  filesKnown = 0;
  /** Whether it is a part, of which no other thread has anything in its cache. */
  #isDivided = false;

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  /** Adds work, to be done next or in its turn. */
  add(item: LocalWork): void {
    this.#isDivided ||= item.part !== undefined;
    if ((item.turn ?? this.#turn) > this.#turn) {
      this.#later.push(item);
      return;
    }
    const isDirectory = item.file === undefined && item.names === undefined;
    const work = isDirectory ? this.#directories : this.#files;
    work.push(item);
    if (!isDirectory) this.filesKnown += filesIn(item);
  }

  /** Takes the next files. They come before directories, which would add more work. */
  takeFiles(): LocalWork | undefined {
    const item = this.#files.pop();
    if (item !== undefined) this.filesKnown -= filesIn(item);
    return item;
  }

  takeDirectory(): LocalWork | undefined {
    return this.#directories.pop();
  }

  /** Whether nothing is left; what comes later gets its turn once nothing else is. */
  get isEmpty(): boolean {
    if (this.#files.length > 0 || this.#directories.length > 0) return false;
    if (this.#later.length === 0) return true;
    const next = (least: PassTurn, { turn }: LocalWork) => Math.min(least, turn!);
    this.#turn = this.#later.reduce(next, Infinity);
    for (const item of this.#later.splice(0)) this.add(item);
    return false;
  }

  /**
   * Shares the oldest half of the work with idle threads: it is nearest the root and largest.
   * `inHand` items are taken and not finished; `prove` finds out where the files are.
   */
  share(inHand: number, prove: () => void): void {
    if (this.#isDivided || !this.#queue.hasIdleWorkers) return;
    const givesFiles = this.#directories.length + inHand < 2 && this.#files.length + inHand > 1;
    const work = givesFiles ? this.#files : this.#directories;
    const given = work.splice(0, Math.min(MAX_GIVEN, (work.length + inHand) >> 1));
    if (given.length === 0) return;
    if (givesFiles) prove();
    const back: LocalWork[] = this.#queue.push(given.map(asWorkItem));
    work.unshift(...back);
    if (givesFiles) this.filesKnown -= countFiles(given) - countFiles(back);
  }

  clear(): void {
    this.#files.length =
      this.#directories.length =
      this.#later.length =
      this.filesKnown =
        0;
  }
}

function filesIn({ names, from = 0, to = names?.length ?? 1 }: LocalWork): number {
  return to - from;
}

function countFiles(items: readonly LocalWork[]): number {
  return items.reduce((sum, item) => sum + filesIn(item), 0);
}

/** The item as another thread gets it. */
function asWorkItem({ rules: _, from, to, names, attempt: __, ...item }: LocalWork): WorkItem {
  return names === undefined ? item : { ...item, names: names.slice(from, to) };
}

export function fileItem(path: string): WorkItem {
  return { path, base: 0, depth: 0, file: "met" };
}

/** The files that a job names, as work. */
export function filesOf({ files }: SearchJob): WorkItem[] {
  return files.map((path) => ({ path, base: 0, depth: 0, file: "named" }));
}

/** Where a job begins besides the files that it names, as work: all of it, or one part. */
export function directoriesOf({ start, walk }: SearchJob, part?: Part): WorkItem[] {
  const items = start ?? beginningOf(walk);
  if (part === undefined) return items.slice();
  return items.map(({ names, ...item }) => ({
    ...item,
    ...(names && { names: namesIn(part, item.path, names) }),
    part,
  }));
}

/** The directories that a walk begins with. */
export function beginningOf({ asked, bases, maxDepth }: SearchJob["walk"]): PassStart[] {
  if (asked === undefined) {
    return maxDepth === 0 ? [] : bases.map((path, base) => ({ path, base, depth: 0 }));
  }
  return bases.map((path, base): PassStart => {
    const left: Left[] = maxDepth === 0 ? [{ reason: "depth", path }] : [];
    if (base >= asked) left.push({ reason: "elsewhere", path });
    const turn = base >= asked ? PassTurn.Elsewhere : PassTurn.Searched;
    return { path, base, depth: 0, turn, ...(left.length > 0 && { left }) };
  });
}
