/**
 * A first look at a file's bytes: whether they are ASCII, UTF-8 or binary, and whether they hold a text
 * without which nothing in them can match. It costs a tenth of making a string of them, and most files
 * need no more.
 *
 * @module
 */

/**
 * The assembled `byte_search.wat`, 16 bytes at a time with WebAssembly's vector instructions. A test
 * assembles the source anew and compares.
 */
export const ASSEMBLED =
  "AGFzbQEAAAABEQJgAn9/AX9gBn9/f39/fwF/AhABBGhvc3QGbWVtb3J5AgABAwQDAAABBxsDCGNsYXNzaWZ5AAAFbGluZXMA" +
  "AQRmaW5kAAIKnAgDyQMEAX8CewR/BHsgAUEQayECAkADQCAAIAFODQECQCAAIAJBMGtKDQAgAP0ABAAhCSAA/QAEECEKIAD9" +
  "AAQgIQsgAP0ABDAhDCAJIAr9UCALIAz9UP1Q/WQNACAE/QwAAAAAAAAAAAAAAAAAAAAAIAkgCv13IAsgDP13/Xf9I/1QIQQg" +
  "AEHAAGohAAwBCwJAIAAgAkoNACAA/QAEACEDIAP9ZA0AIAQgA/0MAAAAAAAAAAAAAAAAAAAAAP0j/VAhBCAAQRBqIQAMAQsg" +
  "AC0AACEGIAZBgAFJBEAgBkUEQCAFQQJyIQULIABBAWohAAwBCyAFQQFyIQUCQCAGQcIBSQ0AIAZB9AFLDQBBAiAGQeABTyAG" +
  "QfABT2pqIQcgACAHaiABSg0AIAAtAAEhCCAIQcABcUGAAUcNAAJAIAdBAkYNACAALQACQcABcUGAAUcNASAGQeABRiAIQaAB" +
  "SXENASAGQe0BRiAIQaABT3ENASAHQQNGDQAgAC0AA0HAAXFBgAFHDQEgBkHwAUYgCEGQAUlxDQEgBkH0AUYgCEGQAU9xDQEL" +
  "IAAgB2ohAAwBCyAFQQRyIQUgAEEBaiEADAALCyAFIAT9U0EBdHILrAECAn8Ce0EK/Q8hBCABQcAAayECAkAgACACSg0AA0Ag" +
  "BSAEIAD9AAQA/SMgBCAA/QAEEP0j/W4gBCAA/QAEIP0jIAQgAP0ABDD9I/1u/W79fP1+/bEBIQUgAEHAAGohACAAIAJMDQAL" +
  "CyAF/RsAIAX9GwFqIAX9GwIgBf0bA2pqIQMCQCAAIAFODQADQCADIAAtAABBCkZqIQMgAEEBaiEAIAAgAUgNAAsLIAMLoAMC" +
  "BX8EeyABIANrIQYgAiADaiEHIAIgBGotAAD9DyELIAcgBGotAAD9DyEMIAIgBWotAAD9DyENIAcgBWotAAD9DyEOAkAgACAG" +
  "Sg0AA0ACQCAAQTBqIAZKDQAgCyAMIAAgBGr9AAQA/VD9IyANIA4gACAFav0ABAD9UP0j/U4gCyAMIAAgBGr9AAQQ/VD9IyAN" +
  "IA4gACAFav0ABBD9UP0j/U79UCALIAwgACAEav0ABCD9UP0jIA0gDiAAIAVq/QAEIP1Q/SP9TiALIAwgACAEav0ABDD9UP0j" +
  "IA0gDiAAIAVq/QAEMP1Q/SP9Tv1Q/VD9Uw0AIABBwABqIQAMAQsgACAGSg0BIAsgDCAAIARq/QAEAP1Q/SMgDSAOIAAgBWr9" +
  "AAQA/VD9I/1O/WQhCAJAIAhFDQADQCAAIAhoaiEJIAkgBkoNA0EAIQoCQANAIAIgCmotAAAgByAKai0AACAJIApqLQAAckcN" +
  "ASAKQQFqIQogCiADSQ0ACyAJDwsgCCAIQQFrcSEIIAgNAAsLIABBEGohACAAIAZMDQALC0F/Cw==";

/** What the module exports. */
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
}

/** A text to look for, in the module's memory. */
interface Needle {
  bytes: Uint8Array;
  at: number;
  length: number;
  /** Offsets of the two bytes that are looked for together. */
  first: number;
  second: number;
}

/** What every text with a match holds. */
export interface TextNeed {
  /** It holds at least one of these, which have two characters or more. */
  texts: readonly string[];
  /** A line that holds the match holds all of these as well. */
  besides: readonly string[];
  /** Whether ASCII letters of the texts, which are lower case then, stand for both cases. */
  eitherCase: boolean;
  /** Whether it need not hold for a text that has characters beyond ASCII. */
  isForAscii: boolean;
}

/** What bytes are. */
export interface ByteKind {
  isAscii: boolean;
  isUtf8: boolean;
  hasNul: boolean;
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
/** The bytes that can be looked at, at most. */
export const MAX_BYTES = (1 << 20) + 1;
const PAGE_BYTES = 65_536;
/** After the bytes come those that `find` reads after their end, then the texts. */
const SLACK_BYTES = 16;
/** Of a longer text, this much is looked for. */
const MAX_TEXT_BYTES = 256;
/** Texts that are looked for, at most: more take longer than what they spare. */
export const MAX_TEXTS = 6;
/** Texts that a line is asked for besides, at most. */
export const MAX_BESIDES = 2;
const LINE_FEED = 10;
/** The bytes of source code, the most frequent ones first; all others are rarer. */
const FREQUENT = " etrnoaisldcpu\nmf.(),*/;hg=bxy_-:'\"k0v1w{}2jTESAqzCR[]INOP>LDM3<4&8FBU+675";

/** Memory of a fixed size whose bytes can be looked at. */
export class ByteMemory {
  /** The bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly functions: Functions;
  /** Where the texts go, and room for them. */
  readonly textsAt: number;
  readonly texts: Uint8Array;
  /** Whose texts the memory holds. */
  owner?: ByteSearch;

  private constructor(size: number) {
    this.textsAt = size + SLACK_BYTES;
    const end = this.textsAt + 2 * MAX_TEXT_BYTES * (MAX_TEXTS + MAX_BESIDES);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
    module ??= new WebAssembly.Module(Uint8Array.fromBase64(ASSEMBLED));
    const { exports } = new WebAssembly.Instance(module, { host: { memory } });
    this.functions = exports as unknown as Functions;
    this.bytes = new Uint8Array(memory.buffer as ArrayBuffer, 0, size);
    this.texts = new Uint8Array(memory.buffer, this.textsAt);
  }

  /**
   * Memory of so many bytes.
   *
   * @returns nothing where the processor lacks the instructions, or the system so much memory
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

let module: WebAssembly.Module | undefined;
/** A thread needs one only, since it reads one file at a time. */
let shared: ByteMemory | undefined;

/** Looks at the bytes of one file after the other. */
export class ByteSearch {
  readonly #memory: ByteMemory;
  readonly #needles: readonly Needle[];
  readonly #besides: readonly Needle[];
  readonly #need: TextNeed | undefined;

  private constructor(memory: ByteMemory, need: TextNeed | undefined) {
    this.#memory = memory;
    this.#need = need;
    const encoder = new TextEncoder();
    let at = memory.textsAt;
    const needleOf = (text: string): Needle => {
      const bytes = encoder.encode(text).slice(0, MAX_TEXT_BYTES);
      const needle = { bytes, at, length: bytes.length, ...rarest(bytes) };
      at += 2 * bytes.length;
      return needle;
    };
    this.#needles = (need?.texts ?? []).map(needleOf);
    this.#besides = (need?.besides ?? []).map(needleOf);
  }

  /**
   * Prepares to look for what texts must hold.
   *
   * @param need what a text with a match holds, if that is known; at most {@linkcode MAX_TEXTS}
   * @param memory where the bytes lie @default {@linkcode MAX_BYTES} that the thread's searches share
   * @returns nothing where there is no such memory
   */
  static create(
    need: TextNeed | undefined,
    memory: ByteMemory | undefined = shared ??= ByteMemory.create(MAX_BYTES),
  ): ByteSearch | undefined {
    return memory === undefined ? undefined : new ByteSearch(memory, need);
  }

  /** Where bytes are put before anything is asked about them. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.bytes;
  }

  /** What the bytes from `start` up to `end` are. */
  classify(end: number, start = 0): ByteKind {
    return KINDS[this.#memory.functions.classify(start, end)]!;
  }

  /** How many line ends the bytes from `start` up to `end` hold. */
  countLines(end: number, start = 0): number {
    return this.#memory.functions.lines(start, end);
  }

  /** Whether the `length` bytes from `start` on, of this kind and UTF-8, may have a match. */
  mayMatch(length: number, kind: ByteKind, start = 0): boolean {
    return !this.canTell(kind) || this.candidate(start, start + length) >= 0;
  }

  /** Whether the first so many bytes are text that surely holds no match. */
  lacks(bytes: number): boolean {
    const kind = this.classify(bytes);
    return !kind.hasNul && kind.isUtf8 && this.canTell(kind) && this.#first(0, bytes) < 0;
  }

  /** Whether there is something that bytes of this kind have to hold for a match. */
  canTell({ isAscii }: ByteKind): boolean {
    return this.#need !== undefined && (isAscii || !this.#need.isForAscii);
  }

  /**
   * Where the bytes from `start` up to `end` first hold what a match needs, or -1.
   *
   * @param start where a line begins
   */
  candidate(start: number, end: number): number {
    for (let from = start;;) {
      const candidate = this.#first(from, end);
      if (candidate < 0 || this.#besides.length === 0) return candidate;
      const line = this.#lineAt(candidate, from, end);
      if (this.#besides.every((needle) => this.#find(needle, line.start, line.end) >= 0)) {
        return candidate;
      }
      from = line.end;
    }
  }

  /** Where one of the texts is first. */
  #first(start: number, end: number): number {
    if (this.#memory.owner !== this) this.#writeTexts();
    let first = -1;
    for (const needle of this.#needles) {
      const found = this.#find(needle, start, end);
      if (found < 0) continue;
      first = found;
      end = Math.min(end, found + needle.length);
    }
    return first;
  }

  #find({ at, length, first, second }: Needle, start: number, end: number): number {
    return this.#memory.functions.find(start, end, at, length, first, second);
  }

  /** The line around an offset, within bounds. */
  #lineAt(offset: number, from: number, to: number): { start: number; end: number } {
    const { bytes } = this.#memory;
    const end = bytes.subarray(offset, to).indexOf(LINE_FEED);
    return {
      start: from + bytes.subarray(from, offset).lastIndexOf(LINE_FEED) + 1,
      end: end < 0 ? to : offset + end,
    };
  }

  #writeTexts(): void {
    const { texts, textsAt } = this.#memory;
    for (const { at, bytes } of [...this.#needles, ...this.#besides]) {
      write(texts.subarray(at - textsAt), bytes, this.#need!.eitherCase);
    }
    this.#memory.owner = this;
  }
}

/** How seldom a text is likely to be found, on no particular scale. */
export function rarity(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const { first, second } = rarest(bytes);
  return rankOf(bytes[first]!) + rankOf(bytes[second]!) + bytes.length;
}

/** Writes a text and, after it, what is set in a byte before it is compared with the text's. */
function write(to: Uint8Array, text: Uint8Array, eitherCase: boolean): void {
  to.set(text);
  for (const [index, byte] of text.entries()) {
    to[text.length + index] = eitherCase && byte >= 0x61 && byte <= 0x7a ? 0x20 : 0;
  }
}

/** The offsets of the two bytes that are likely to be found least often. */
function rarest(text: Uint8Array): { first: number; second: number } {
  const offsets = Array.from(text, (byte, offset) => ({ offset, rank: rankOf(byte) }));
  const [first, second] = offsets.sort((a, b) => b.rank - a.rank);
  return { first: first!.offset, second: (second ?? first)!.offset };
}

/** How seldom a byte is, among those of source code. */
function rankOf(byte: number): number {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte));
  return rank < 0 ? FREQUENT.length : rank;
}
