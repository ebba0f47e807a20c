/**
 * Searches the bytes of files: the buffers that they are read into, which WebAssembly can search, what the
 * bytes are (ASCII, UTF-8 or binary), and whether they hold the texts of a prefilter. This costs a tenth of
 * decoding them, and most files need no more.
 *
 * @module
 */

import {
  MAX_ALL_OF,
  MAX_ANY_OF,
  type Prefilter,
  rarest,
  rarestPair,
} from "../regex/pattern_plan.ts";
import { bytesOfBase64 } from "../util/collections.ts";

interface Functions {
  classify(at: number, end: number): number;
  lines(at: number, end: number): number;
  find(
    at: number,
    end: number,
    text: number,
    length: number,
    first: number,
    second: number,
  ): number;
  findAny(at: number, end: number, texts: number, count: number, tables: number): number;
}

const PAGE_BYTES = 65_536;
/** After the bytes come those that are read after their end, then the texts. */
const SLACK_BYTES = 32;
/** After the texts come the tables of `findAny`, and a description of each text. */
const TABLE_BYTES = 5 * 16;
const ENTRY_BYTES = 16;
/** Only this much of a longer text is searched for. */
export const MAX_TEXT_BYTES = 256;

/** Memory of a fixed size whose bytes can be searched. */
export class ByteMemory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly functions: Functions;
  /** The offset of the texts, and room for them. */
  readonly textsAt: number;
  readonly texts: Uint8Array;
  /** The offsets of the tables of `findAny` and of its descriptions of the texts. */
  readonly tablesAt: number;
  readonly entriesAt: number;
  /** The search whose texts the memory holds. */
  owner?: object;

  private constructor(size: number) {
    this.textsAt = size + SLACK_BYTES;
    this.tablesAt = this.textsAt + 2 * MAX_TEXT_BYTES * (MAX_ANY_OF + MAX_ALL_OF);
    this.entriesAt = this.tablesAt + TABLE_BYTES;
    const end = this.entriesAt + ENTRY_BYTES * MAX_ANY_OF;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
    compiled ??= new WebAssembly.Module(bytesOfBase64(COMPILED));
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    this.functions = exports as unknown as Functions;
    this.bytes = new Uint8Array(memory.buffer as ArrayBuffer, 0, size);
    this.texts = new Uint8Array(memory.buffer, this.textsAt);
  }

  /**
   * Memory of a size in bytes; nothing if the processor lacks the instructions, or the system the
   * memory.
   */
  static create(size: number): ByteMemory | undefined {
    try {
      return new ByteMemory(size);
    } catch (error) {
      if (error instanceof WebAssembly.CompileError || error instanceof RangeError) {
        return undefined;
      }
      throw error;
    }
  }
}

let compiled: WebAssembly.Module | undefined;

/** The default size limit of a walk, and one more byte, which shows that a file exceeds it. */
export const MAX_BYTES = (1 << 20) + 1;
/** Free buffers that a thread keeps. It needs a second one only between the pieces of a large file. */
const MAX_FREE = 4;
const free: ReadBuffer[] = [];

export class ReadBuffer implements Disposable {
  /** Searches the bytes in place, if the processor can. */
  readonly memory: ByteMemory | undefined = ByteMemory.create(MAX_BYTES);
  readonly #bytes: Uint8Array<ArrayBuffer> = this.memory?.bytes ?? new Uint8Array(MAX_BYTES);
  #isTaken = true;

  private constructor() {}

  static take(): ReadBuffer {
    const buffer = free.pop() ?? new ReadBuffer();
    buffer.#isTaken = true;
    return buffer;
  }

  /**
   * What was read.
   *
   * @throws {Error} once the buffer has been given back: others may have read into it
   */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (!this.#isTaken) throw new Error("a buffer was used after it had been given back");
    return this.#bytes;
  }

  [Symbol.dispose](): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    if (free.length < MAX_FREE) free.push(this);
  }
}

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

/** What `byte_search.as.ts` compiles to, in Base64: `deno task wasm` writes it, and a test compares. */
export const COMPILED =
  "AGFzbQEAAAABIQRgA39/fwF/YAJ/fwF/YAV/f39/fwF/YAZ/f39/f38BfwIPAQNlbnYGbWVtb3J5AgABAwcGAAECAwEAByUECGNs" +
  "YXNzaWZ5AAQFbGluZXMAAQRmaW5kAAMHZmluZEFueQACCrMLBjwBAX9BACEDA0AgACADai0AACADIAEgAmpqLQAAciABIANqLQAA" +
  "RwRAQQAPCyACIANBAWoiA0oNAAtBAQu/AQICewF//QwKCgoKCgoKCgoKCgoKCgoKIQP9DAAAAAAAAAAAAAAAAAAAAAAhAiAAIAFB" +
  "QGoiBEwEQANAIAIgAyAA/QAEAP0jIAMgAP0ABBD9I/1uIAMgAP0ABCD9IyADIAD9AAQw/SP9bv1u/Xz9fv2xASECIABBQGsiACAE" +
  "TA0ACwsgAv0bACAC/RsBaiAC/RsCaiAC/RsDaiEEA0AgACABSARAIAAtAABBCkYgBGohBCAAQQFqIQAMAQsLIAQLyAICB3sHfyAA" +
  "IQ8gBP0ABAAhByAE/QAEECEIIAT9AAQgIQkgBP0ABDAhCiADQQR0IAJqIRD9DA8PDw8PDw8PDw8PDw8PDw8hBSAAIAFOBEBBfw8L" +
  "A0AgByAFIAD9AAQAIgb9Tv0OIAkgBSAA/QAEASIL/U79Dv1OIAggBSAGQQT9jQH9Tv0OIAogBSALQQT9jQH9Tv0O/U79TiIG/VNF" +
  "RQRAIAQgBv0LBEAgBv0MAAAAAAAAAAAAAAAAAAAAAP0k/WQhDANAIAQgDGgiA2otAEAhESAAIANqIRIgAiEDA0ACQCADKAIAIBFx" +
  "RQ0AIAMoAgwhDiAPIBIgAygCBGsiDUoNACABIA0gDmpIDQAgDSADKAIIIA4QAARAIA0PCwsgECADQRBqIgNKDQALIAxBAWsgDHEi" +
  "DA0ACwsgASAAQRBqIgBKDQALQX8L4AICAn8EeyABIANrIQcgAiAEai0AAP0PIQggBCACIANqIgFqLQAA/Q8hCSACIAVqLQAA/Q8h" +
  "CiAFIAFqLQAA/Q8hCwNAIAAgB0wEQAJAA0AgByAAQTBqTgRAIAggCSAAIARqIgH9AAQA/VD9IyAKIAsgACAFaiIG/QAEAP1Q/SP9" +
  "TiAIIAkgAf0ABBD9UP0jIAogCyAG/QAEEP1Q/SP9Tv1QIAggCSAB/QAEIP1Q/SMgCiALIAb9AAQg/VD9I/1OIAggCSAB/QAEMP1Q" +
  "/SMgCiALIAb9AAQw/VD9I/1O/VD9UP1TRQRAIABBQGshAAwCCwsLIAAgB0oNACAIIAkgACAEav0ABAD9UP0jIAogCyAAIAVq/QAE" +
  "AP1Q/SP9Tv1kIgEEQANAIAcgAWggAGoiBkgEQEF/DwsgBiACIAMQAARAIAYPCyABQQFrIAFxIgENAAsLIABBEGohAAwCCwsLQX8L" +
  "pgICA38GeyABQRBrIQT9DAAAAAAAAAAAAAAAAAAAAAAiByEFQQAhAgNAIAAgAUgEQAJAA0AgBEEwayAATgRAIAD9AAQAIgggAP0A" +
  "BBAiCf1QIAD9AAQgIgogAP0ABDAiBv1Q/VD9ZEUEQCAFIAcgCCAJ/XcgCiAG/Xf9d/0j/VAhBSAAQUBrIQAMAgsLCwNAIAAgBEwE" +
  "QCAA/QAEACIG/WRFBEAgBSAHIAb9I/1QIQUgAEEQaiEADAILCwtBASAF/VMgACABThsNACAALQAAIgNBgAFJBEAgA0UEQEECIAJy" +
  "DwsgAEEBaiEADAMLQQEgAnIhAkEEIAJyIAIgACABIAMQBSIDRRshAiADQQEgAxsgAGohAAwCCwsLIAX9U0EAR0EBdCACcgveAQEB" +
  "f0EBIAJB9AFKIAJBwgFIGwRAQQAPCyABIAAgAkHgAU5BAmogAkHwAU5qIgNqSARAQQAPCyAALQABIgFBwAFxQYABRwRAQQAPCyAD" +
  "QQJGBEBBAg8LIAAtAAJBwAFxQYABRwRAQQAPCyABQaABSUEAIAJB4AFGGwRAQQAPCyABQaABT0EAIAJB7QFGGwRAQQAPCyADQQNG" +
  "BEBBAw8LIAAtAANBwAFxQYABRwRAQQAPCyABQZABSUEAIAJB8AFGGwRAQQAPCyABQZABT0EAIAJB9AFGGwRAQQAPC0EECw==";
