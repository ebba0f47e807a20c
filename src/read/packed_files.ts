/**
 * Packed files: the text of a gzip file as the source of its bytes, unpacked while it is read (RFC 1951 and
 * 1952), in pieces like those of any large file, so that limits and the end of a search hold within it; and by
 * their first bytes the other archives, which are searched as they are and reported.
 *
 * Gzip is not unpacked by the runtime, whose ways to do so give either nothing of a damaged file, or all of a
 * text at once, or a promise, for which no thread that reads files waits.
 *
 * @module
 */

import { ReadBuffer } from "./byte_search.ts";
import type { Lack, OpenFile } from "./files.ts";

/** What a file may unpack to: this much in any case, more up to a ratio that no text reaches, and no more. */
const FREE_BYTES = 16 << 20;
const MAX_RATIO = 200;
const MAX_BYTES = 64 << 20;

/** How far back a text may refer. */
const WINDOW_BYTES = 1 << 15;
/** The end of what is unpacked in one step, and the longest copy, by which it may be exceeded. */
const STEP_END = WINDOW_BYTES + (1 << 17);
const MAX_COPY = 258;
/** Headers of files and blocks in one step, which may be followed by nothing, and steps of one reading. */
const MAX_HEADERS = 64;
const MAX_STEPS = 16;
/** More packed bytes than any header of a block, or any symbol, takes up. */
const ENOUGH_BYTES = 1 << 10;

/** What the symbols from 257 on, and those of distances, begin at, and the bits that are added to it. */
const [LENGTHS, LENGTH_BITS] = ranges(29, 4, 3);
const [DISTANCES, DISTANCE_BITS] = ranges(30, 2, 1);
LENGTHS[28] = MAX_COPY;
LENGTH_BITS[28] = 0;
/** The order in which the lengths of the codes for lengths come. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

/** In every group of symbols there is one bit more than in the group before. */
function ranges(count: number, perGroup: number, start: number): [Uint16Array, Uint8Array] {
  const [from, bits] = [new Uint16Array(count), new Uint8Array(count)];
  for (let symbol = 0, next = start; symbol < count; symbol++) {
    from[symbol] = next;
    bits[symbol] = Math.max(0, Math.floor(symbol / perGroup) - 1);
    next += 1 << bits[symbol]!;
  }
  return [from, bits];
}

/** By the next bits, a symbol and the length of its code: for literals and lengths, and for distances. */
type Codes = readonly [symbols: Uint16Array, distances: Uint16Array];

/** What comes next: the header of a file in the file, or of a block, or more of a block. */
type NextPart = "member" | "block" | "stored" | Codes;

export class GzipSource implements OpenFile {
  isAtEnd = false;
  readonly isEndless = false;
  readonly isPacked = true;
  readonly buffer: ReadBuffer = ReadBuffer.take();
  /** Why it ends before the text does, if so. */
  lacks: Lack | undefined;
  archive: string | undefined;
  readonly #packed: OpenFile;
  readonly #maxBytes: number;
  /** The next bit in the buffer of packed bytes, and where these end. */
  #bit = 0;
  #end: number;
  /** With fewer bytes left, more are read first. */
  #enough = ENOUGH_BYTES;
  #state: NextPart = "member";
  #isLastBlock = false;
  /** Bytes of a stored block that are left. */
  #stored = 0;
  /** What was unpacked last; from `#from` to `#to` it is still to be taken. */
  readonly #text = new Uint8Array(STEP_END + MAX_COPY);
  #from = 0;
  #to = 0;
  /** Of all, and of the present member. */
  #bytes = 0;
  #memberBytes = 0;
  #crc = -1;
  #isOver = false;

  /** @param packed the file, the first `filled` bytes of which are in its buffer; closed with this one */
  constructor(packed: OpenFile, filled: number) {
    this.#packed = packed;
    this.#end = filled;
    const size = packed.stat()?.size ?? 0;
    this.#maxBytes = Math.min(MAX_BYTES, Math.max(FREE_BYTES, MAX_RATIO * size));
  }

  stat(): ReturnType<OpenFile["stat"]> {
    return this.#packed.stat();
  }

  /** Reads no more than one buffer of packed bytes, however little is in them. */
  fill(held: number): number {
    const { bytes } = this.buffer;
    let filled = held;
    let isRefilled = false;
    for (let steps = 0; steps <= MAX_STEPS; steps++) {
      const taken = this.#text.subarray(this.#from, this.#to).subarray(0, bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.#from += taken.length;
      if (filled === bytes.length) break;
      this.isAtEnd = this.#isOver;
      if (this.#isOver || this.#isLow && isRefilled) break;
      if (this.#isLow) isRefilled = this.#refill();
      this.#unpack();
    }
    return filled;
  }

  rewind(): boolean {
    if (this.#packed.rewind?.() !== true) return false;
    this.#bit =
      this.#end =
      this.#from =
      this.#to =
      this.#bytes =
        0;
    this.#state = "member";
    this.#isLastBlock = this.#isOver = this.isAtEnd = false;
    this.lacks = undefined;
    this.#refill();
    return true;
  }

  [Symbol.dispose](): void {
    this.buffer[Symbol.dispose]();
    this.#packed[Symbol.dispose]();
  }

  /** The packed bytes that are in the buffer and not read. */
  get #left(): Uint8Array {
    return this.#packed.buffer.bytes.subarray((this.#bit + 7) >> 3, this.#end);
  }

  get #isLow(): boolean {
    return this.#end - (this.#bit >> 3) < this.#enough && !this.#packed.isAtEnd;
  }

  #refill(): true {
    const at = this.#bit >> 3;
    this.#packed.buffer.bytes.copyWithin(0, at, this.#end);
    this.#end = this.#packed.fill(this.#end - at);
    this.#bit &= 7;
    return true;
  }

  #stop(lacks?: Lack): void {
    this.#isOver = true;
    this.lacks ??= lacks;
  }

  /** Unpacks a step, as far as packed bytes last. All of the one before has been taken. */
  #unpack(): void {
    if (this.#to > WINDOW_BYTES) {
      this.#text.copyWithin(0, this.#to - WINDOW_BYTES, this.#to);
      this.#from = this.#to = WINDOW_BYTES;
    }
    for (let headers = 0; headers < MAX_HEADERS && this.#to < STEP_END; headers++) {
      if (this.#isOver || this.#isLow) return;
      const before = this.#to;
      const state = this.#state;
      if (state === "member") this.#beginMember();
      else if (state === "block") this.#beginBlock();
      else if (state === "stored") this.#copyStored();
      else this.#decode(state);
      this.#count(before);
    }
  }

  #count(before: number): void {
    let crc = this.#crc;
    for (let at = before; at < this.#to; at++) {
      crc = CRC_TABLE[(crc ^ this.#text[at]!) & 0xff]! ^ (crc >>> 8);
    }
    this.#crc = crc;
    this.#bytes += this.#to - before;
    this.#memberBytes += this.#to - before;
    if (this.#bytes <= this.#maxBytes) return;
    this.#to -= this.#bytes - this.#maxBytes;
    this.#stop("too_large");
  }

  /** Begins a file in the file, of which there may be several; zeros fill up what follows the last one. */
  #beginMember(): void {
    const bytes = this.#left;
    if (!isGzip(bytes)) {
      this.#stop(bytes.some((byte) => byte !== 0) ? "damaged" : undefined);
      return;
    }
    const flags = bytes[3]!;
    let at = 10;
    if (flags & 4) at += 2 + bytes[at]! + (bytes[at + 1]! << 8);
    // Its name, and a comment.
    for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || Infinity;
    if (flags & 2) at += 2;
    if (at < bytes.length) {
      this.#bit += 8 * at;
      this.#crc = -1;
      this.#memberBytes = 0;
      this.#enough = ENOUGH_BYTES;
      this.#state = "block";
    } else if (this.#enough === ENOUGH_BYTES && !this.#packed.isAtEnd) {
      this.#enough = this.#packed.buffer.bytes.length;
    } else this.#stop("damaged");
  }

  /** Ends it, with the sum of its bytes and their number. */
  #endMember(): void {
    const bytes = this.#left;
    const { buffer, byteOffset, length } = bytes;
    const view = new DataView(buffer, byteOffset, length);
    const isWhole = length >= 8 && view.getInt32(0, true) === ~this.#crc &&
      view.getInt32(4, true) === (this.#memberBytes | 0);
    if (!isWhole) this.#stop("damaged");
    this.#bit = 8 * (((this.#bit + 7) >> 3) + 8);
    this.#state = "member";
  }

  #beginBlock(): void {
    if (this.#isLastBlock) {
      this.#isLastBlock = false;
      this.#endMember();
      return;
    }
    this.#isLastBlock = this.#take(1) === 1;
    const kind = this.#take(2);
    if (kind === 0) {
      this.#bit = (this.#bit + 7) & ~7;
      this.#stored = this.#take(16);
      if (this.#take(16) !== (this.#stored ^ 0xffff)) this.#stop("damaged");
      this.#state = "stored";
      return;
    }
    const codes = kind === 1 ? FIXED : kind === 2 ? this.#takeCodes() : undefined;
    if (codes === undefined) this.#stop("damaged");
    else this.#state = codes;
  }

  #copyStored(): void {
    const copied = this.#left.subarray(0, Math.min(this.#stored, STEP_END - this.#to));
    this.#text.set(copied, this.#to);
    this.#to += copied.length;
    this.#bit += 8 * copied.length;
    this.#stored -= copied.length;
    if (this.#stored === 0) this.#state = "block";
    else if (copied.length === 0) this.#stop("damaged");
  }

  /** The next bits. */
  #take(count: number): number {
    const taken = bitsAt(this.#packed.buffer.bytes, this.#bit) & ((1 << count) - 1);
    this.#bit += count;
    if (this.#bit > 8 * this.#end) this.#stop("damaged");
    return taken;
  }

  /** The codes that a block begins with, by the lengths of which each other code is given. */
  #takeCodes(): Codes | undefined {
    const [symbols, distances, given] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    const own = new Uint8Array(ORDER.length);
    for (const symbol of ORDER.slice(0, given)) own[symbol] = this.#take(3);
    const table = tableOf(own);
    const lengths = new Uint8Array(symbols + distances);
    for (let at = 0; at < lengths.length;) {
      const entry = table?.[bitsAt(this.#packed.buffer.bytes, this.#bit) & (table.length - 1)] ?? 0;
      this.#take(entry & 15);
      const symbol = entry >> 4;
      const times = [1, 3, 3, 11][Math.max(0, symbol - 15)]! +
        this.#take([0, 2, 3, 7][Math.max(0, symbol - 15)]!);
      const length = symbol < 16 ? symbol : symbol > 16 ? 0 : lengths[at - 1];
      if (entry === 0 || length === undefined || at + times > lengths.length) return undefined;
      lengths.fill(length, at, at += times);
    }
    const ofSymbols = tableOf(lengths.subarray(0, symbols));
    const ofDistances = tableOf(lengths.subarray(symbols));
    return ofSymbols && ofDistances && [ofSymbols, ofDistances];
  }

  /** Unpacks what a block's codes stand for. Nothing else takes long. */
  #decode([symbols, distances]: Codes): void {
    const { bytes } = this.#packed.buffer;
    const text = this.#text;
    const [symbolMask, distanceMask] = [symbols.length - 1, distances.length - 1];
    const end = 8 * this.#end;
    const low = this.#packed.isAtEnd ? Infinity : end - 8 * (ENOUGH_BYTES - 1);
    let [bit, to, symbol, isValid] = [this.#bit, this.#to, 0, true];
    while (to < STEP_END && bit < low) {
      const next = bitsAt(bytes, bit);
      const entry = symbols[next & symbolMask]!;
      symbol = entry >> 4;
      bit += entry & 15;
      isValid = entry > 0 && bit <= end;
      if (!isValid || symbol === 256) break;
      if (symbol < 256) {
        text[to++] = symbol;
        continue;
      }
      // What no code stands for is not a number, which no comparison holds for.
      const more = LENGTH_BITS[symbol - 257]!;
      const length = LENGTHS[symbol - 257]! + ((next >>> (entry & 15)) & ((1 << more) - 1));
      bit += more;
      const far = distances[bitsAt(bytes, bit) & distanceMask]!;
      bit += far & 15;
      const further = DISTANCE_BITS[far >> 4]!;
      const distance = DISTANCES[far >> 4]! + (bitsAt(bytes, bit) & ((1 << further) - 1));
      bit += further;
      isValid = far > 0 && distance <= to && bit <= end;
      if (!isValid) break;
      for (const copied = to + length; to < copied; to++) text[to] = text[to - distance]!;
    }
    this.#to = to;
    this.#bit = bit;
    if (!isValid) this.#stop("damaged");
    else if (symbol === 256) this.#state = "block";
  }
}

/** The next bits, 25 at least. */
function bitsAt(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const word = bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24;
  return word >>> (bit & 7);
}

/** The symbols of a code by the bits that begin with theirs; nothing where some would have several. */
function tableOf(lengths: Uint8Array): Uint16Array | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const longest = Math.max(1, counts.findLastIndex((count) => count > 0));
  const next = new Uint16Array(16);
  let code = 0;
  for (let length = 1; length < 16; length++) {
    next[length] = code = 2 * (code + counts[length - 1]!);
    if (code + counts[length]! > 1 << length) return undefined;
  }
  const table = new Uint16Array(1 << longest);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    let start = 0;
    for (let code = next[length]!++, bit = 0; bit < length; bit++) {
      start |= (code >> bit & 1) << (length - 1 - bit);
    }
    for (let at = start; at < table.length; at += 1 << length) table[at] = symbol << 4 | length;
  }
  return table;
}

/** The codes of blocks that begin with none. */
const FIXED: Codes = [
  tableOf(
    Uint8Array.from({ length: 288 }, (_, at) => at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8),
  )!,
  tableOf(new Uint8Array(32).fill(5))!,
];

/** Whether the first bytes are those of a gzip file. */
export function isGzip([first, second, method, flags = -1]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8 && (flags & 0xe0) === 0;
}

const FIRST_BYTES: Readonly<Record<string, readonly string[]>> = {
  zip: ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"],
  "7z": ["7z\xbc\xaf\x27\x1c"],
  rar: ["Rar!\x1a\x07"],
  xz: ["\xfd7zXZ\0"],
  bzip2: Array.from({ length: 9 }, (_, size) => `BZh${size + 1}1AY&SY`),
  zstd: ["\x28\xb5\x2f\xfd"],
  lz4: ["\x04\x22\x4d\x18"],
  lzip: ["LZIP\x01"],
  compress: ["\x1f\x9d"],
  cab: ["MSCF\0\0\0\0"],
  rpm: ["\xed\xab\xee\xdb"],
  // What is in a gzip file.
  gzip: ["\x1f\x8b\x08"],
};
const LONGEST = 10;

/** The kind of archive that begins with these bytes. */
export function archiveIn(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, LONGEST));
  const isKind = ([, firsts]: [string, readonly string[]]) =>
    firsts.some((first) => start.startsWith(first));
  return Object.entries(FIRST_BYTES).find(isKind)?.[0];
}
