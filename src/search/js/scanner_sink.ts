/**
 * The way of a file's text into a scanner, which ends where more of it can change nothing.
 *
 * @module
 */

import { COUNTING_MS, type SearchJob } from "../engine.ts";
import type { Board } from "./board.ts";
import type { TextSink } from "./read.ts";
import type { LineEntry, Scanner } from "./scan.ts";

/** Sets a job's limits on a scanner. */
export function limitScanner(scanner: Scanner, job: SearchJob): void {
  scanner.deadline = job.deadline - performance.timeOrigin;
  scanner.timeout = job.timeout;
  scanner.entryLimit = job.entryLimit;
}

/** Feeds a scanner, as long as that makes sense. */
export class ScannerSink implements TextSink {
  readonly #job: SearchJob;
  readonly #board: Board;
  #scanner: Scanner;
  /** Whether the scanner has seen anything of the present file. */
  #isFed = false;
  #countUntil = Infinity;

  constructor(job: SearchJob, board: Board, scanner: Scanner) {
    this.#job = job;
    this.#board = board;
    this.#scanner = scanner;
  }

  /** Begins a file. */
  start(scanner: Scanner): void {
    this.#scanner = scanner;
    this.restart();
  }

  restart(): void {
    this.#isFed = false;
    this.#countUntil = Infinity;
  }

  feed(text: string, last: boolean): boolean {
    const scanner = this.#begun();
    scanner.feed(text, last);
    if (last) return false;
    // Only where too many entries are an error: another answer needs the whole count.
    const { entryLimit, scan } = this.#job;
    if (
      scan.mode === "content" && scanner.count > entryLimit && this.#countUntil === Infinity
    ) {
      this.#countUntil = performance.now() + COUNTING_MS;
    }
    return !scanner.done && this.#board.phase !== "stop" && !this.isPartial;
  }

  skip(countLines: () => number): boolean {
    return this.#begun().skip(countLines);
  }

  /** Whether the rest of the text can change nothing that was found. */
  get isDone(): boolean {
    return this.#isFed && this.#scanner.done;
  }

  get isStopped(): boolean {
    return this.#board.phase === "stop" || this.isPartial;
  }

  get isHit(): boolean {
    return (this.count > 0) !== this.#job.withoutMatch;
  }

  /** Entries found. */
  get count(): number {
    return this.#isFed ? this.#scanner.count : 0;
  }

  /** What was found, in content mode. */
  get entries(): LineEntry[] {
    return this.#isFed ? this.#scanner.entries : [];
  }

  /** Whether some of it was left out, being too long. */
  get isShort(): boolean {
    return this.#isFed && this.#scanner.isShort;
  }

  /** Whether counting was given up before the file's end. */
  get isPartial(): boolean {
    return this.#countUntil !== Infinity && performance.now() >= this.#countUntil;
  }

  #begun(): Scanner {
    if (!this.#isFed) this.#scanner.start();
    this.#isFed = true;
    return this.#scanner;
  }
}
