/**
 * The survey of a large file: while one thread reads the file from its start, another looks at its bytes
 * from its end, and writes down which lines the reader need not read. The reader takes its word only for
 * a file that has not changed since, and waits for nothing.
 *
 * @module
 */

import { Identity } from "../../cache/fingerprint.ts";

/** Whole lines of a file, with nothing in them that a match needs: offsets in bytes. */
export interface Stretch {
  start: number;
  end: number;
  /** How many there are. */
  lines: number;
}

/** What a surveyor is told besides the path. */
export interface SurveyTask {
  /** The survey's number. */
  id: number;
  /** The {@linkcode Identity} of the file, as a text. */
  file: string;
  /** Offset in bytes from which on nothing is to be looked at. */
  end: number;
  /** Whether all lines of text may be passed over, whatever they hold. */
  isTextOnly: boolean;
}

/** A survey under way. */
export interface OpenSurvey {
  survey: Survey;
  id: number;
}

/**
 * Has another thread survey a file, if there is one.
 *
 * @param path the file
 * @param ahead bytes of it that are still to be read
 */
export type OfferSurvey = (
  path: string,
  ahead: number,
  task: Omit<SurveyTask, "id">,
) => OpenSurvey | undefined;

const enum Slot {
  State,
  Front,
  Stretches,
  Count,
}

/** Who uses the memory: the reader, the surveyor, both or neither. */
const enum State {
  Free,
  /** The reader does, and nobody has begun to survey. */
  Offered,
  /** Both do. */
  Running,
  /** The surveyor has ended. */
  Surveyed,
  /** The reader has. */
  Withdrawn,
}

/** In the slot of the state, the survey's number stands above it. */
const STATE_BITS = 3;
const MAX_ID = (1 << (30 - STATE_BITS)) - 1;
/** The place that the reader has reached is told in pieces of so many bytes. */
const FRONT_BYTES = 1 << 20;
const MAX_STRETCHES = 1 << 14;
const NUMBERS_PER_STRETCH = 3;
const HEADER_BYTES = 16;

/** One survey at a time, in memory that threads share. */
export class Survey {
  /** The memory that it takes. */
  static readonly byteLength: number = HEADER_BYTES + MAX_STRETCHES * NUMBERS_PER_STRETCH * 8;
  readonly #slots: Int32Array;
  /** Stretches, the last one in the file first. */
  readonly #stretches: Float64Array;

  /** @param offset where in the memory it lies: a multiple of 8 */
  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#slots = new Int32Array(memory, offset, Slot.Count);
    const numbers = MAX_STRETCHES * NUMBERS_PER_STRETCH;
    this.#stretches = new Float64Array(memory, offset + HEADER_BYTES, numbers);
  }

  /** Forgets everything; no thread may be using it any more. */
  clear(): void {
    this.#slots.fill(0);
  }

  /** The reader begins one. Returns its number, or nothing where another is under way. */
  open(): number | undefined {
    const free = Atomics.load(this.#slots, Slot.State);
    const id = (free >> STATE_BITS) % MAX_ID + 1;
    if ((free & ((1 << STATE_BITS) - 1)) !== State.Free) return undefined;
    const offered = (id << STATE_BITS) | State.Offered;
    if (Atomics.compareExchange(this.#slots, Slot.State, free, offered) !== free) return undefined;
    Atomics.store(this.#slots, Slot.Front, 0);
    Atomics.store(this.#slots, Slot.Stretches, 0);
    return id;
  }

  /** The reader ends it. */
  close(id: number): void {
    while (
      !this.#change(id, State.Offered, State.Free) &&
      !this.#change(id, State.Running, State.Withdrawn) &&
      !this.#change(id, State.Surveyed, State.Free)
    ) {
      // The surveyor has just begun or ended.
    }
  }

  /** The reader has reached an offset. */
  reach(offset: number): void {
    Atomics.store(this.#slots, Slot.Front, Math.floor(offset / FRONT_BYTES));
  }

  /** Whether nothing will be added any more. */
  isSurveyed(id: number): boolean {
    return this.#isIn(id, State.Surveyed);
  }

  /** The first stretch known that starts at an offset or after it. */
  stretchFrom(offset: number): Stretch | undefined {
    let found = 0;
    for (let end = Atomics.load(this.#slots, Slot.Stretches); found < end;) {
      const middle = (found + end) >> 1;
      if (this.#stretches[middle * NUMBERS_PER_STRETCH]! >= offset) found = middle + 1;
      else end = middle;
    }
    if (found === 0) return undefined;
    const at = (found - 1) * NUMBERS_PER_STRETCH;
    const [start, end, lines] = this.#stretches.subarray(at, at + NUMBERS_PER_STRETCH);
    return { start: start!, end: end!, lines: lines! };
  }

  /** The surveyor begins; `false` when it need not any more. */
  begin(id: number): boolean {
    return this.#change(id, State.Offered, State.Running);
  }

  /** Whether the reader may still make use of what lies before an offset. */
  isWanted(id: number, offset: number): boolean {
    return this.#isIn(id, State.Running) &&
      Atomics.load(this.#slots, Slot.Front) + 1 < offset / FRONT_BYTES &&
      Atomics.load(this.#slots, Slot.Stretches) < MAX_STRETCHES;
  }

  /** The surveyor adds a stretch that lies before all others; there may be no room for it. */
  add({ start, end, lines }: Stretch): void {
    const count = Atomics.load(this.#slots, Slot.Stretches);
    if (count === MAX_STRETCHES) return;
    this.#stretches.set([start, end, lines], count * NUMBERS_PER_STRETCH);
    Atomics.store(this.#slots, Slot.Stretches, count + 1);
  }

  /** The surveyor ends. */
  end(id: number): void {
    if (!this.#change(id, State.Running, State.Surveyed)) {
      this.#change(id, State.Withdrawn, State.Free);
    }
  }

  #isIn(id: number, state: State): boolean {
    return Atomics.load(this.#slots, Slot.State) === ((id << STATE_BITS) | state);
  }

  #change(id: number, from: State, to: State): boolean {
    const before = (id << STATE_BITS) | from;
    const after = (id << STATE_BITS) | to;
    return Atomics.compareExchange(this.#slots, Slot.State, before, after) === before;
  }
}

/** A survey is worth its while when so many bytes are still to be read. */
const MIN_BYTES_AHEAD = 32 << 20;
/** Lines of one piece that may match, at most: between more, too little is left to pass over. */
export const MAX_CANDIDATE_LINES = 16;
/** After so many pieces with hardly a match, one after the other, more are likely to come. */
const PIECES_BEFORE_ASKING = 2;
/** Where nobody is there to survey, the question is put again after so many. */
const PIECES_BEFORE_ASKING_AGAIN = 64;
/** Of a file that is larger still, a part is surveyed, then another. */
const MAX_BYTES_AHEAD = MAX_STRETCHES * FRONT_BYTES;

/** A large file, as its reader sees it: it has the file surveyed, and passes over what was. */
export class SurveyedFile {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #offer: OfferSurvey;
  /** Pieces with hardly a match, one after the other. */
  #passed = 0;
  #open: OpenSurvey | undefined;
  /** What the file was when the survey was asked for. */
  #identity: Identity | undefined;

  /**
   * @param file open where the reader reads
   * @param offer finds who surveys it
   */
  constructor(path: string, file: Deno.FsFile, offer: OfferSurvey) {
    this.#path = path;
    this.#file = file;
    this.#offer = offer;
  }

  /**
   * Takes note that the file was read up to an offset.
   *
   * @param loneLines how many lines in the last piece could match
   * @param isTextOnly whether nothing matters any more but that the file is text
   */
  reach(offset: number, loneLines: number, isTextOnly: boolean): void {
    if (this.#open !== undefined) {
      const { survey, id } = this.#open;
      survey.reach(offset);
      if (survey.isSurveyed(id) && survey.stretchFrom(offset) === undefined) this.close();
      return;
    }
    this.#passed = loneLines <= MAX_CANDIDATE_LINES ? this.#passed + 1 : 0;
    if (this.#passed < PIECES_BEFORE_ASKING) return;
    this.#passed = PIECES_BEFORE_ASKING - PIECES_BEFORE_ASKING_AGAIN;
    this.#ask(offset, isTextOnly);
  }

  #ask(offset: number, isTextOnly: boolean): void {
    const info = this.#file.statSync();
    const ahead = info.size - offset;
    if (!info.isFile || ahead < MIN_BYTES_AHEAD) return;
    const identity = new Identity(info);
    if (!identity.isSettled(Date.now())) return;
    this.#identity = identity;
    const end = offset + Math.min(ahead, MAX_BYTES_AHEAD);
    this.#open = this.#offer(this.#path, ahead, { file: `${identity}`, end, isTextOnly });
  }

  /** How many bytes from an offset on are to be read: up to where there is something to pass over. */
  bytesToRead(offset: number, most: number): number {
    const next = this.#open?.survey.stretchFrom(offset + 1);
    return next === undefined ? most : Math.min(most, next.start - offset);
  }

  /** What may be passed over at an offset, as long as the file is what it was. */
  stretchAt(offset: number): Stretch | undefined {
    const survey = this.#open?.survey;
    let end = offset;
    let lines = 0;
    for (;;) {
      const next = survey?.stretchFrom(end);
      if (next?.start !== end) break;
      end = next.end;
      lines += next.lines;
    }
    if (end === offset) return undefined;
    if (this.#identity!.isSame(this.#file.statSync())) return { start: offset, end, lines };
    this.close();
    return undefined;
  }

  /** Ends the survey. */
  close(): void {
    this.#open?.survey.close(this.#open.id);
    this.#open = undefined;
  }
}
