/**
 * The board that the threads of one search share: work that any of them may take, and word of how
 * to go on. It lies in shared memory, because a thread in the middle of a file hears no message.
 *
 * @module
 */

import type { SearchPhase } from "../engine.ts";
import type { Stripe } from "./stripes.ts";
import { Survey, type SurveyTask } from "./survey.ts";

/** Work for a thread: a directory to list, or files of one to read. */
export interface WorkItem {
  path: string;
  base: number;
  depth: number;
  /** Base names of files in `path`; without it, `path` itself is to be listed or read. */
  names?: readonly string[];
  /** `path` is a file, which the caller named, or which was met and may be large. */
  file?: "named" | "met";
  /** Of the files below `path`, which ones are meant. */
  stripe?: Stripe;
  /** The file `path` is read by another thread and to be surveyed for it. */
  survey?: SurveyTask;
}

const enum Slot {
  Lock,
  Top,
  Busy,
  Idle,
  Phase,
  Joined,
  Closed,
  CutoffVersion,
  CutoffLength,
  FilesSearched,
  Count,
}

const PHASES: readonly SearchPhase[] = ["keep", "count", "stop"];
const HEADER_BYTES = Slot.Count * 4;
const CUTOFF_BYTES = 16_384;
const STACK_BYTES = 1 << 20;
const SURVEY_AT = HEADER_BYTES + CUTOFF_BYTES + STACK_BYTES;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One thread's view of the board. */
export class Board {
  /** Send this to a worker; `new Board(memory)` there is the same board. */
  readonly memory: SharedArrayBuffer;
  /** The survey of a large file that one of the threads reads. */
  readonly survey: Survey;
  readonly #slots: Int32Array;
  readonly #cutoffBytes: Uint8Array;
  readonly #stack: Uint8Array;
  #cutoffVersion = 0;
  #cutoff: string | undefined;

  constructor(
    memory: SharedArrayBuffer = new SharedArrayBuffer(SURVEY_AT + Survey.byteLength),
  ) {
    this.memory = memory;
    this.#slots = new Int32Array(memory, 0, Slot.Count);
    this.#cutoffBytes = new Uint8Array(memory, HEADER_BYTES, CUTOFF_BYTES);
    this.#stack = new Uint8Array(memory, HEADER_BYTES + CUTOFF_BYTES, STACK_BYTES);
    this.survey = new Survey(memory, SURVEY_AT);
  }

  /** Makes it the board of another search; nobody may be using it any more. */
  clear(): void {
    new Uint8Array(this.memory, 0, HEADER_BYTES).fill(0);
    this.survey.clear();
    this.#cutoffVersion = 0;
    this.#cutoff = undefined;
  }

  get phase(): SearchPhase {
    return PHASES[Atomics.load(this.#slots, Slot.Phase)]!;
  }

  /** Tells every thread how to go on. `stop` is final: hits still under way say nothing new. */
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

  /** Files searched by all threads. */
  get filesSearched(): number {
    return Atomics.load(this.#slots, Slot.FilesSearched);
  }

  /** So many more files were searched. */
  countFiles(files: number): void {
    Atomics.add(this.#slots, Slot.FilesSearched, files);
  }

  /** Whether another thread waits and nothing lies on the board for it. */
  get isWanting(): boolean {
    return Atomics.load(this.#slots, Slot.Idle) > 0 && Atomics.load(this.#slots, Slot.Top) === 0;
  }

  /** A thread takes part, idle or with work of its own; `false` when the search is over already. */
  join(state: "idle" | "busy"): boolean {
    return this.#locked(() => {
      if (this.#slots[Slot.Closed] !== 0) return false;
      this.#slots[Slot.Joined]!++;
      this.#slots[state === "idle" ? Slot.Idle : Slot.Busy]!++;
      return true;
    });
  }

  /** Ends joining; the number of threads that did. */
  close(): number {
    return this.#locked(() => {
      this.#slots[Slot.Closed] = 1;
      return this.#slots[Slot.Joined]!;
    });
  }

  /** Lays work down for others; what has no room is given back. */
  give(items: readonly WorkItem[]): WorkItem[] {
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

  /** Takes work, which makes an idle thread busy. */
  take(): WorkItem | undefined {
    const bytes = this.#locked(() => {
      const top = this.#slots[Slot.Top]!;
      if (top === 0) return undefined;
      const view = new DataView(this.#stack.buffer, this.#stack.byteOffset);
      const length = view.getUint32(top - 4);
      this.#slots[Slot.Top] = top - 4 - length;
      this.#slots[Slot.Idle]!--;
      this.#slots[Slot.Busy]!++;
      return this.#stack.slice(top - 4 - length, top - 4);
    });
    return bytes === undefined ? undefined : JSON.parse(decoder.decode(bytes));
  }

  /** A busy thread has no work left. */
  rest(): void {
    this.#locked(() => {
      this.#slots[Slot.Busy]!--;
      this.#slots[Slot.Idle]!++;
    });
    Atomics.notify(this.#slots, Slot.Top);
  }

  /** Whether no thread has work and none lies here. */
  get isFinished(): boolean {
    return this.#locked(() => this.#slots[Slot.Busy] === 0 && this.#slots[Slot.Top] === 0);
  }

  /** Blocks the thread until there may be work, at most some milliseconds. */
  wait(milliseconds: number): void {
    Atomics.wait(this.#slots, Slot.Top, 0, milliseconds);
  }

  #locked<T>(action: () => T): T {
    while (Atomics.compareExchange(this.#slots, Slot.Lock, 0, 1) !== 0) {
      // Held for microseconds only.
    }
    try {
      return action();
    } finally {
      Atomics.store(this.#slots, Slot.Lock, 0);
    }
  }
}
