/**
 * Postings: for each trigram, hashed to a bucket, the documents that contain it. They show which
 * files need not be read, and take a sixth of the files' bytes.
 *
 * Documents are numbered as they come, and never change: a file that has changed is a new document.
 * The latest ones are candidates for every search until they are sorted into a segment.
 *
 * @module
 */

import type { Prefilter } from "../regex/pattern_plan.ts";

/** Three bytes in a row; letters of either case are the same. */
const GRAM_BYTES = 3;
const GRAM_MASK = 0xff_ff_ff;
const LETTER_CASE = 0x20;
/** Spreads numbers over 32 bits: 2 ** 32 divided by the golden ratio (Knuth's multiplicative hash). */
const SPREAD = 0x9e37_79b1;
const MAX_BITS = 16;
const MIN_BITS = 8;
/** A bucket, whose offset takes four bytes, for this many postings. */
const POSTINGS_PER_BUCKET = 32;
/** Postings that are sorted into one segment, which takes a twentieth of a second. */
const MAX_UNSORTED = 1 << 21;
/** The only posting of a bucket that this share of the documents hold, or more. No distance is 0. */
const MOST = 0;
const MOST_SHARE = 7 / 8;
const SEVEN_BITS = 0x7f;
const MORE = 0x80;
/** Reading a file takes as long as decoding this many postings. */
const POSTINGS_PER_FILE = 2000;

/** Finds which of many documents may contain some texts. */
export class TrigramIndex {
  /**
   * The segments, one after the other. Separate arrays would leave gaps when they are dropped; of
   * this one, the system allocates only what is written to.
   */
  readonly #arena: Uint8Array<ArrayBuffer>;
  #bytes = 0;
  #segments: Segment[] = [];
  /** The documents since the last segment, and the ends of their buckets. */
  readonly #buckets = new Uint16Array(MAX_UNSORTED + (1 << MAX_BITS));
  #unsorted = new Unsorted(0, this.#buckets);
  readonly #seen = new Uint8Array(1 << (MAX_BITS - 3));

  constructor(maxBytes: number) {
    this.#arena = new Uint8Array(maxBytes);
  }

  get documents(): number {
    return this.#unsorted.first + this.#unsorted.ends.length;
  }

  get bytes(): number {
    return this.#bytes + this.#unsorted.length * this.#buckets.BYTES_PER_ELEMENT;
  }

  /** Adds a document; returns its number, or -1 without room for it. */
  add(bytes: Uint8Array): number {
    const { isFull, length } = this.#unsorted;
    if (isFull || this.#bytes + 2 * length + bytes.length > this.#arena.length) return -1;
    const seen = this.#seen;
    const buckets = this.#buckets;
    const start = length;
    let end = start;
    let trigram = 0;
    for (let index = 0; index < bytes.length; index++) {
      trigram = (trigram << 8 | bytes[index]! | LETTER_CASE) & GRAM_MASK;
      if (index < GRAM_BYTES - 1) continue;
      const bucket = Math.imul(trigram, SPREAD) >>> (32 - MAX_BITS);
      const bit = 1 << (bucket & 7);
      if ((seen[bucket >>> 3]! & bit) !== 0) continue;
      seen[bucket >>> 3]! |= bit;
      buckets[end++] = bucket;
    }
    for (let index = start; index < end; index++) seen[buckets[index]! >>> 3] = 0;
    this.#unsorted.ends.push(end);
    return this.documents - 1;
  }

  /** Whether there are enough new documents for a segment: none may be added before they are sorted. */
  get isFull(): boolean {
    return this.#unsorted.isFull;
  }

  /** How many documents are candidates of every search. */
  get unsorted(): number {
    return this.#unsorted.ends.length;
  }

  /** Sorts the last documents into a segment, with pauses. */
  *sort(): Generator<void, void> {
    const unsorted = this.#unsorted;
    if (unsorted.ends.length === 0) return;
    const segment = yield* sorted(unsorted, this.#arena.subarray(this.#bytes));
    if (unsorted !== this.#unsorted) return; // cleared since
    this.#segments.push(segment);
    this.#bytes += segment.byteLength;
    this.#unsorted = new Unsorted(this.documents, this.#buckets);
  }

  /**
   * A byte for each document, 0 for those that lack what a prefilter requires; nothing if the index
   * cannot tell.
   */
  candidates({ anyOf, allOf }: Prefilter): Uint8Array | undefined {
    const others = allOf.flatMap(bucketsOf);
    const alternatives = anyOf.map((text) => [...new Set([...bucketsOf(text), ...others])]);
    if (alternatives.some((buckets) => buckets.length === 0)) return undefined;
    const candidates = new Uint8Array(this.documents);
    for (const segment of this.#segments) {
      for (const buckets of alternatives) segment.mark(buckets, candidates);
    }
    return candidates.fill(1, this.#unsorted.first);
  }

  clear(): void {
    this.#segments = [];
    this.#unsorted = new Unsorted(0, this.#buckets);
    this.#bytes = 0;
  }
}

/** Documents as they came, each with its buckets. */
class Unsorted {
  readonly first: number;
  readonly buckets: Uint16Array;
  readonly ends: number[] = [];

  constructor(first: number, buckets: Uint16Array) {
    this.first = first;
    this.buckets = buckets;
  }

  get length(): number {
    return this.ends.at(-1) ?? 0;
  }

  get isFull(): boolean {
    return this.length >= MAX_UNSORTED;
  }
}

/**
 * Documents that came one after the other: for each bucket the distances between those that hold it. Of a
 * bucket that most hold there is only {@linkcode MOST}: all are taken to hold it.
 */
class Segment {
  readonly #first: number;
  readonly #documents: number;
  readonly #shift: number;
  /** Where the postings of each bucket begin, and where the last ones end. */
  readonly #offsets: Uint32Array;
  readonly postings: Uint8Array;

  /** @param room where it goes, if that is large enough */
  constructor(
    first: number,
    documents: number,
    shift: number,
    offsets: Uint32Array,
    room: Uint8Array<ArrayBuffer>,
  ) {
    this.#first = first;
    this.#documents = documents;
    this.#shift = shift;
    const bytes = offsets.byteLength + offsets.at(-1)!;
    const { buffer, byteOffset } = bytes <= room.length ? room : new Uint8Array(bytes);
    this.#offsets = new Uint32Array(buffer, byteOffset, offsets.length);
    this.#offsets.set(offsets);
    this.postings = new Uint8Array(buffer, byteOffset + offsets.byteLength, offsets.at(-1)!);
  }

  get byteLength(): number {
    const { BYTES_PER_ELEMENT, byteLength } = this.#offsets;
    return byteLength + Math.ceil(this.postings.length / BYTES_PER_ELEMENT) * BYTES_PER_ELEMENT;
  }

  /** Marks the documents that hold all of some buckets. */
  mark(buckets: readonly number[], marks: Uint8Array): void {
    const offsets = this.#offsets;
    const sizeOf = (bucket: number) => offsets[bucket + 1]! - offsets[bucket]!;
    const rarest = buckets.map((bucket) => bucket >>> this.#shift)
      .filter((bucket) => !this.#isInMost(bucket))
      .sort((a, b) => sizeOf(a) - sizeOf(b));
    if (rarest.length === 0) {
      marks.fill(1, this.#first, this.#first + this.#documents);
      return;
    }
    const found = new Uint32Array(sizeOf(rarest[0]!));
    let count = this.#decode(rarest[0]!, found);
    for (const bucket of rarest.slice(1)) {
      if (sizeOf(bucket) > count * POSTINGS_PER_FILE) break;
      count = this.#intersect(bucket, found, count);
    }
    for (let index = 0; index < count; index++) marks[this.#first + found[index]! - 1] = 1;
  }

  #isInMost(bucket: number): boolean {
    const at = this.#offsets[bucket]!;
    return at < this.#offsets[bucket + 1]! && this.postings[at] === MOST;
  }

  #decode(bucket: number, into: Uint32Array): number {
    const postings = this.postings;
    const end = this.#offsets[bucket + 1]!;
    let count = 0;
    let document = 0;
    for (let at = this.#offsets[bucket]!; at < end;) {
      let byte = postings[at++]!;
      let distance = byte & SEVEN_BITS;
      for (let shift = 7; byte >= MORE; shift += 7) {
        byte = postings[at++]!;
        distance |= (byte & SEVEN_BITS) << shift;
      }
      document += distance;
      into[count++] = document;
    }
    return count;
  }

  /** Keeps those of the found documents that are also in a bucket; returns their number. */
  #intersect(bucket: number, found: Uint32Array, count: number): number {
    const postings = this.postings;
    const end = this.#offsets[bucket + 1]!;
    let kept = 0;
    let next = 0;
    let document = 0;
    for (let at = this.#offsets[bucket]!; at < end && next < count;) {
      let byte = postings[at++]!;
      let distance = byte & SEVEN_BITS;
      for (let shift = 7; byte >= MORE; shift += 7) {
        byte = postings[at++]!;
        distance |= (byte & SEVEN_BITS) << shift;
      }
      document += distance;
      while (next < count && found[next]! < document) next++;
      if (found[next] === document) found[kept++] = found[next++]!;
    }
    return kept;
  }
}

/** Sorts documents by bucket, with a pause after each; into `room`, if it is large enough. */
function* sorted(
  { first, buckets, ends, length }: Unsorted,
  room: Uint8Array<ArrayBuffer>,
): Generator<void, Segment> {
  const wanted = 32 - Math.clz32(length / POSTINGS_PER_BUCKET);
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, wanted));
  const shift = MAX_BITS - bits;
  const offsets = new Uint32Array((1 << bits) + 1);
  const last = new Uint32Array(1 << bits);
  const holders = new Uint32Array(1 << bits);
  for (let document = 1, index = 0; document <= ends.length; document++) {
    for (const end = ends[document - 1]!; index < end; index++) {
      const bucket = buckets[index]! >>> shift;
      const distance = document - last[bucket]!;
      if (distance === 0) continue;
      last[bucket] = document;
      holders[bucket]!++;
      offsets[bucket + 1]! += distance < 1 << 7 ? 1 : distance < 1 << 14 ? 2 : 3;
    }
    yield;
  }
  const isInMost = (bucket: number) => holders[bucket]! > MOST_SHARE * ends.length;
  for (let bucket = 0; bucket < 1 << bits; bucket++) {
    if (isInMost(bucket)) offsets[bucket + 1] = 1;
    offsets[bucket + 1]! += offsets[bucket]!;
  }
  const segment = new Segment(first, ends.length, shift, offsets, room);
  const { postings } = segment;
  const next = offsets.slice();
  for (let bucket = 0; bucket < 1 << bits; bucket++) {
    if (isInMost(bucket)) postings[offsets[bucket]!] = MOST;
    last[bucket] = isInMost(bucket) ? ends.length : 0;
  }
  for (let document = 1, index = 0; document <= ends.length; document++) {
    for (const end = ends[document - 1]!; index < end; index++) {
      const bucket = buckets[index]! >>> shift;
      let distance = document - last[bucket]!;
      if (distance <= 0) continue;
      last[bucket] = document;
      let at = next[bucket]!;
      for (; distance >= MORE; distance >>>= 7) postings[at++] = distance & SEVEN_BITS | MORE;
      postings[at++] = distance;
      next[bucket] = at;
    }
    yield;
  }
  return segment;
}

function bucketsOf(text: string): number[] {
  const buckets: number[] = [];
  let trigram = 0;
  for (const [index, byte] of new TextEncoder().encode(text).entries()) {
    trigram = (trigram << 8 | byte | LETTER_CASE) & GRAM_MASK;
    if (index >= GRAM_BYTES - 1) {
      buckets.push(Math.imul(trigram, SPREAD) >>> (32 - MAX_BITS));
    }
  }
  return buckets;
}
