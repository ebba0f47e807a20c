/**
 * Classifies a file's bytes as ASCII, UTF-8 or binary, and searches them for the texts of a prefilter.
 * This costs a tenth of decoding them, and most files need no more.
 *
 * @module
 */

import { type ByteMemory, MAX_TEXT_BYTES } from "./byte_memory.ts";
import { type Prefilter, rarest, rarestPair } from "../regex/prefilter.ts";

/** The result of classifying bytes. */
export interface ByteKind {
  isAscii: boolean;
  isUtf8: boolean;
  hasNul: boolean;
}

interface Needle {
  bytes: Uint8Array;
  at: number;
  length: number;
  /** Offsets of the two bytes that are searched for together. */
  first: number;
  second: number;
}

const enum Bit {
  Beyond = 1,
  Nul = 2,
  Invalid = 4,
}

const KINDS: readonly ByteKind[] = Array.from({ length: 8 }, (_, bits) => ({
  isAscii: (bits & Bit.Beyond) === 0,
  isUtf8: (bits & Bit.Invalid) === 0,
  hasNul: (bits & Bit.Nul) !== 0,
}));
const LINE_FEED = 10;
/** With this many texts, a search for all of them at once is faster than one after the other. */
const MIN_AT_ONCE = 4;
/** The least number of bytes of each text that are searched for. */
const MIN_TEXT_BYTES = 8;
/** The bit that lower-case ASCII letters have set. */
const CASE_BIT = 0x20;
/** A group of texts for each bit of a byte. */
const GROUPS = 8;

export class ByteSearch {
  readonly memory: ByteMemory;
  readonly #anyOf: readonly Needle[];
  readonly #allOf: readonly Needle[];
  readonly #prefilter: Prefilter | undefined;
  /** With this many texts, they are searched for at once. */
  readonly #minAtOnce: number;

  /** @param prefilter what a text with a match contains, if that is known */
  constructor(prefilter: Prefilter | undefined, memory: ByteMemory) {
    this.memory = memory;
    this.#prefilter = prefilter;
    const encoder = new TextEncoder();
    let at = memory.textsAt;
    const { allOf = [], anyOf = [] } = prefilter ?? {};
    // All of them may be compared at each byte, and nothing can interrupt that.
    const most = Math.trunc(MAX_TEXT_BYTES / (allOf.length + anyOf.length));
    const needleOf = (text: string): Needle => {
      const bytes = encoder.encode(text).slice(0, Math.max(MIN_TEXT_BYTES, most));
      const needle = { bytes, at, length: bytes.length, ...rarest(bytes) };
      at += 2 * bytes.length;
      return needle;
    };
    this.#anyOf = anyOf.map(needleOf);
    this.#allOf = allOf.map(needleOf);
    // Line by line, an absent text would be searched for again in all the rest.
    this.#minAtOnce = allOf.length > 0 ? 2 : MIN_AT_ONCE;
  }

  classify(end: number, start = 0): ByteKind {
    return KINDS[this.memory.functions.classify(start, end)]!;
  }

  countLines(start: number, end: number): number {
    return this.memory.functions.lines(start, end);
  }

  /** Whether the prefilter applies to bytes of this kind. */
  canTell({ isAscii }: ByteKind): boolean {
    return this.#prefilter !== undefined && (isAscii || !this.#prefilter.isForAscii);
  }

  /** The first offset at which the prefilter allows a match, or -1; `start` is where a line begins. */
  candidate(start: number, end: number): number {
    for (let from = start;;) {
      const candidate = this.#first(from, end);
      if (candidate < 0 || this.#allOf.length === 0) return candidate;
      const line = this.#lineAt(candidate, from, end);
      if (this.#allOf.every((needle) => this.#find(needle, line.start, line.end) >= 0)) {
        return candidate;
      }
      from = line.end;
    }
  }

  #first(start: number, end: number): number {
    if (this.memory.owner !== this) this.#writeTexts();
    if (this.#anyOf.length >= this.#minAtOnce) {
      const { functions, tablesAt, entriesAt } = this.memory;
      return functions.findAny(start, end, entriesAt, this.#anyOf.length, tablesAt);
    }
    let first = -1;
    for (const needle of this.#anyOf) {
      const found = this.#find(needle, start, end);
      if (found < 0) continue;
      first = found;
      end = Math.min(end, found + needle.length);
    }
    return first;
  }

  #find({ at, length, first, second }: Needle, start: number, end: number): number {
    return this.memory.functions.find(start, end, at, length, first, second);
  }

  #lineAt(offset: number, from: number, to: number): { start: number; end: number } {
    const { bytes } = this.memory;
    const end = bytes.subarray(offset, to).indexOf(LINE_FEED);
    return {
      start: from + bytes.subarray(from, offset).lastIndexOf(LINE_FEED) + 1,
      end: end < 0 ? to : offset + end,
    };
  }

  #writeTexts(): void {
    const { texts, textsAt } = this.memory;
    for (const { at, bytes } of [...this.#anyOf, ...this.#allOf]) {
      write(texts.subarray(at - textsAt), bytes, this.#prefilter!.eitherCase);
    }
    if (this.#anyOf.length >= this.#minAtOnce) {
      writeTables(this.memory, this.#anyOf, this.#prefilter!.eitherCase);
    }
    this.memory.owner = this;
  }
}

/** Writes a text and, after it, the bits that are set in each byte before the comparison. */
function write(to: Uint8Array, text: Uint8Array, eitherCase: boolean): void {
  to.set(text);
  for (const [index, byte] of text.entries()) {
    to[text.length + index] = eitherCase && isLowerCaseLetter(byte) ? CASE_BIT : 0;
  }
}

/** Writes what `findAny` reads: which texts may have two bytes in a row, and where each text is. */
function writeTables(memory: ByteMemory, needles: readonly Needle[], eitherCase: boolean): void {
  const { texts, textsAt, tablesAt, entriesAt } = memory;
  const tables = texts.subarray(tablesAt - textsAt, entriesAt - textsAt).fill(0);
  const entries = new DataView(texts.buffer, entriesAt);
  for (const [index, { bytes, at, length }] of needles.entries()) {
    const group = 1 << index % GROUPS;
    const pair = rarestPair(bytes);
    for (const second of [0, 1]) {
      const byte = bytes[pair + second]!;
      for (const form of eitherCase && isLowerCaseLetter(byte) ? [byte, byte ^ CASE_BIT] : [byte]) {
        tables[32 * second + (form & 0x0f)]! |= group;
        tables[32 * second + 16 + (form >> 4)]! |= group;
      }
    }
    [group, pair, at, length].forEach((value, field) => {
      entries.setUint32(16 * index + 4 * field, value, true);
    });
  }
}

function isLowerCaseLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
