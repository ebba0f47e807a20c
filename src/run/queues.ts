/**
 * The queues of a search. Threads share one, of work for any of them and the phase of the search: in shared memory,
 * because a thread that searches receives no messages. Each has one of its own, newest first, of which it shares
 * the oldest with others.
 *
 * @module
 */

import type { SearchJob, SearchPhase } from "./job.ts";
import {
  type Left,
  type Part,
  type PassStart,
  PassTurn,
  type PendingDirectory,
} from "../walk/listing.ts";

/** Work for a thread: a directory to list, or some of its files to read. */
export interface WorkItem extends Omit<PassStart, "names"> {
  /** Base names of files in `path`; without it, `path` itself is to be listed or read. */
  names?: readonly string[];
  /** `path` is a file: one that the caller named, or one from the walk, which may be large. */
  file?: "named" | "met";
}

const enum Slot {
  Lock,
  Top,
  Busy,
  Idle,
  Phase,
  Joined,
  Closed,
  /** The number of parts, and as bits those that no thread has taken. */
  PartCount,
  Parts,
  CutoffVersion,
  CutoffLength,
  FilesSearched,
  /** Messages with large hits that the main thread has not taken yet. */
  LargeHits,
  Count,
}

const PHASES: readonly SearchPhase[] = ["keep", "count", "finish", "stop"];
const HEADER_BYTES = Slot.Count * 4;
const CUTOFF_BYTES = 16_384;
const STACK_BYTES = 1 << 20;
const MEMORY_BYTES = HEADER_BYTES + CUTOFF_BYTES + STACK_BYTES;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One thread's view of the queue. */
export class SharedQueue {
  /** Send this to a worker; `new SharedQueue(memory)` there is the same queue. */
  readonly memory: SharedArrayBuffer;
  readonly #slots: Int32Array;
  readonly #cutoffBytes: Uint8Array;
  readonly #stack: Uint8Array;
  #cutoffVersion = 0;
  #cutoff: string | undefined;
  /** Whether this thread has taken work, so that the search waits for its report. */
  #isMember = false;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory;
    this.#slots = new Int32Array(memory, 0, Slot.Count);
    this.#cutoffBytes = new Uint8Array(memory, HEADER_BYTES, CUTOFF_BYTES);
    this.#stack = new Uint8Array(memory, HEADER_BYTES + CUTOFF_BYTES, STACK_BYTES);
  }

  /** Resets it for another search; no thread may be using it. */
  clear(): void {
    new Uint8Array(this.memory, 0, HEADER_BYTES).fill(0);
    this.#cutoffVersion = 0;
    this.#cutoff = undefined;
    this.#isMember = false;
  }

  get phase(): SearchPhase {
    return PHASES[Atomics.load(this.#slots, Slot.Phase)]!;
  }

  /** Sets the phase for all threads. `stop` is final. */
  set phase(phase: SearchPhase) {
    if (this.phase === "stop") return;
    Atomics.store(this.#slots, Slot.Phase, PHASES.indexOf(phase));
    Atomics.notify(this.#slots, Slot.Top);
  }

  /** Files after this path have no room in the answer. */
  get cutoff(): string | undefined {
    const version = Atomics.load(this.#slots, Slot.CutoffVersion);
    if (version !== this.#cutoffVersion) {
      this.#locked(() => {
        const length = this.#slots[Slot.CutoffLength]!;
        this.#cutoff = decoder.decode(this.#cutoffBytes.slice(0, length));
        this.#cutoffVersion = version;
      });
    }
    return this.#cutoff;
  }

  set cutoff(path: string | undefined) {
    if (path === undefined) return;
    const bytes = encoder.encode(path);
    if (bytes.length > CUTOFF_BYTES) return; // it only saves work
    this.#locked(() => {
      this.#cutoffBytes.set(bytes);
      this.#slots[Slot.CutoffLength] = bytes.length;
      Atomics.add(this.#slots, Slot.CutoffVersion, 1);
    });
  }

  get filesSearched(): number {
    return Atomics.load(this.#slots, Slot.FilesSearched);
  }

  countFiles(files: number): void {
    Atomics.add(this.#slots, Slot.FilesSearched, files);
  }

  /** Whether another thread is idle and the queue is empty. */
  get hasIdleWorkers(): boolean {
    return Atomics.load(this.#slots, Slot.Idle) > 0 && Atomics.load(this.#slots, Slot.Top) === 0;
  }

  get isBegun(): boolean {
    return Atomics.load(this.#slots, Slot.Idle) > 0 || Atomics.load(this.#slots, Slot.Joined) > 0;
  }

  /** Makes this thread busy with work of its own. */
  join(): void {
    this.#locked(() => this.#begin());
  }

  /** Lets this thread take work; `false` if the search is over or, of one thread alone, begun. */
  enter(isAlone = false): boolean {
    return this.#locked(() => {
      if (this.#slots[Slot.Closed] !== 0 || isAlone && this.isBegun) return false;
      this.#slots[Slot.Idle]!++;
      return true;
    });
  }

  /** Keeps the search from being finished, until {@linkcode SharedQueue.release}, before there is work. */
  hold(): void {
    this.#locked(() => this.#slots[Slot.Busy]!++);
  }

  release(): void {
    this.#locked(() => this.#slots[Slot.Busy]!--);
  }

  /** Closes the queue to further threads; returns how many took part. */
  close(): number {
    return this.#locked(() => {
      this.#slots[Slot.Closed] = 1;
      return this.#slots[Slot.Joined]!;
    });
  }

  /** Adds work for others; returns what there is no room for. */
  push(items: readonly WorkItem[]): WorkItem[] {
    const back: WorkItem[] = [];
    this.#locked(() => {
      for (const item of items) {
        const bytes = encoder.encode(JSON.stringify(item));
        const top = this.#slots[Slot.Top]!;
        if (top + bytes.length + 4 > this.#stack.length) {
          back.push(item);
          continue;
        }
        this.#stack.set(bytes, top);
        new DataView(this.#stack.buffer, this.#stack.byteOffset).setUint32(
          top + bytes.length,
          bytes.length,
        );
        this.#slots[Slot.Top] = top + bytes.length + 4;
      }
    });
    Atomics.notify(this.#slots, Slot.Top);
    return back;
  }

  offerParts(count: number): void {
    this.#locked(() => {
      this.#slots[Slot.PartCount] = count;
      this.#slots[Slot.Parts] = (1 << count) - 1;
    });
  }

  /** Takes its own part, or with `others` any that is left, and makes this idle thread busy. */
  takePart(own: number | undefined, others: boolean): Part | undefined {
    if (Atomics.load(this.#slots, Slot.Parts) === 0) return undefined;
    return this.#locked(() => {
      const left = this.#slots[Slot.Parts]!;
      const isLeft = own !== undefined && (left & (1 << own)) !== 0;
      if (this.#slots[Slot.Closed] !== 0 || left === 0 || !isLeft && !others) return undefined;
      const index = isLeft ? own : 31 - Math.clz32(left);
      this.#slots[Slot.Parts] = left & ~(1 << index);
      this.#slots[Slot.Idle]!--;
      this.#begin();
      return { index, of: this.#slots[Slot.PartCount]! };
    });
  }

  #begin(): void {
    this.#slots[Slot.Busy]!++;
    if (!this.#isMember) this.#slots[Slot.Joined]!++;
    this.#isMember = true;
  }

  pop(): WorkItem | undefined {
    const bytes = this.#locked(() => {
      const top = this.#slots[Slot.Top]!;
      if (top === 0 || this.#slots[Slot.Closed] !== 0) return undefined;
      const view = new DataView(this.#stack.buffer, this.#stack.byteOffset);
      const length = view.getUint32(top - 4);
      this.#slots[Slot.Top] = top - 4 - length;
      this.#slots[Slot.Idle]!--;
      this.#begin();
      return this.#stack.slice(top - 4 - length, top - 4);
    });
    return bytes === undefined ? undefined : JSON.parse(decoder.decode(bytes));
  }

  /** Makes this busy thread idle. */
  idle(): void {
    this.#locked(() => {
      this.#slots[Slot.Busy]!--;
      this.#slots[Slot.Idle]!++;
    });
    Atomics.notify(this.#slots, Slot.Top);
  }

  /** Whether no thread is busy and the queue is empty. */
  get isFinished(): boolean {
    return this.#locked(() =>
      this.#slots[Slot.Busy] === 0 && this.#slots[Slot.Top] === 0 && this.#slots[Slot.Parts] === 0
    );
  }

  /** Counts a message with large hits to the main thread. */
  sendLargeHits(): void {
    Atomics.add(this.#slots, Slot.LargeHits, 1);
  }

  /** The main thread has received all hits. */
  takeHits(): void {
    Atomics.store(this.#slots, Slot.LargeHits, 0);
    Atomics.notify(this.#slots, Slot.LargeHits);
  }

  /** Blocks a worker until the main thread has received large hits: more of them would fill the memory. */
  waitForLargeHits(milliseconds: number): void {
    for (let sent; (sent = Atomics.load(this.#slots, Slot.LargeHits)) > 0;) {
      if (this.phase === "stop") return;
      Atomics.wait(this.#slots, Slot.LargeHits, sent, milliseconds);
    }
  }

  /** Blocks a worker until there is work, at most this number of milliseconds. */
  wait(milliseconds: number): void {
    Atomics.wait(this.#slots, Slot.Top, 0, milliseconds);
  }

  /** Lets the main thread wait for work, at most this number of milliseconds. */
  async workComes(milliseconds: number): Promise<void> {
    await Atomics.waitAsync(this.#slots, Slot.Top, 0, milliseconds).value;
  }

  #locked<T>(action: () => T): T {
    while (Atomics.compareExchange(this.#slots, Slot.Lock, 0, 1) !== 0) {
      // It is held for microseconds only.
    }
    try {
      return action();
    } finally {
      Atomics.store(this.#slots, Slot.Lock, 0);
    }
  }
}

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
  /** Whether idle threads get some of it. */
  isShared = true;

  constructor(queue: SharedQueue) {
    this.#queue = queue;
  }

  /** Adds work, to be done next or in its turn. */
  add(item: LocalWork): void {
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
   * `inHand` items are taken and not finished.
   */
  share(inHand: number): void {
    if (!this.isShared || !this.#queue.hasIdleWorkers) return;
    const givesFiles = this.#directories.length + inHand < 2 && this.#files.length + inHand > 1;
    const work = givesFiles ? this.#files : this.#directories;
    const given = work.splice(0, Math.min(MAX_GIVEN, (work.length + inHand) >> 1));
    if (given.length === 0) return;
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

/** Where a job begins besides the files that it names, as work. */
export function directoriesOf({ start, walk }: SearchJob): readonly WorkItem[] {
  return start ?? beginningOf(walk);
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
