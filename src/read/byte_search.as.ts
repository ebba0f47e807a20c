// @ts-nocheck AssemblyScript, which has types for machine integers and vectors.
/**
 * Searches bytes 16 at a time with WebAssembly's vector instructions. `deno task wasm` compiles this
 * AssemblyScript to `byte_search.ts`. All offsets are in the imported memory.
 *
 * The hot loops test their condition at the end (`do`), or are as short as they can be: V8 runs
 * other forms up to 30 % slower.
 *
 * @module
 */

const BEYOND = 1;
const NUL = 2;
const INVALID = 4;

/**
 * Classifies the bytes from `at` up to `end`, or up to a NUL: what comes after it in a picture, byte by byte,
 * would take a tenth of a search.
 *
 * @returns the sum of 1 if some are not ASCII, 2 if there is a NUL, and 4 if they are not UTF-8
 */
export function classify(at: i32, end: i32): i32 {
  const last = end - 16;
  const zero = i8x16.splat(0);
  let nul = zero;
  let found = 0;
  while (at < end) {
    while (at <= last - 48) {
      const one = v128.load(at);
      const two = v128.load(at, 16);
      const three = v128.load(at, 32);
      const four = v128.load(at, 48);
      if (i8x16.bitmask(v128.or(v128.or(one, two), v128.or(three, four)))) break;
      const least = i8x16.min_u(i8x16.min_u(one, two), i8x16.min_u(three, four));
      nul = v128.or(nul, i8x16.eq(zero, least));
      at += 64;
    }
    while (at <= last) {
      const block = v128.load(at);
      if (i8x16.bitmask(block)) break;
      nul = v128.or(nul, i8x16.eq(zero, block));
      at += 16;
    }
    if (at >= end || v128.any_true(nul)) break;
    const byte = <i32> load<u8>(at);
    if (byte < 0x80) {
      if (byte == 0) return found | NUL;
      at++;
      continue;
    }
    found |= BEYOND;
    const length = characterLength(at, end, byte);
    if (length == 0) found |= INVALID;
    at += length || 1;
  }
  return found | (<i32> v128.any_true(nul) << 1);
}

/** The length of the character beyond ASCII at `at` in bytes, or 0 if it is not UTF-8. */
function characterLength(at: i32, end: i32, byte: i32): i32 {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  const length = 2 + <i32> (byte >= 0xe0) + <i32> (byte >= 0xf0);
  if (at + length > end) return 0;
  const second = <i32> load<u8>(at, 1);
  if ((second & 0xc0) != 0x80) return 0;
  if (length == 2) return 2;
  if ((load<u8>(at, 2) & 0xc0) != 0x80) return 0;
  // Longer than it must be, or a surrogate, or beyond the last code point.
  if (byte == 0xe0 && second < 0xa0) return 0;
  if (byte == 0xed && second >= 0xa0) return 0;
  if (length == 3) return 3;
  if ((load<u8>(at, 3) & 0xc0) != 0x80) return 0;
  if (byte == 0xf0 && second < 0x90) return 0;
  if (byte == 0xf4 && second >= 0x90) return 0;
  return 4;
}

/** Counts the line ends in the bytes from `at` up to `end`. */
export function lines(at: i32, end: i32): i32 {
  const newline = i8x16.splat(0x0a);
  const last = end - 64;
  let sums = i32x4.splat(0);
  if (at <= last) {
    do {
      // A byte that is equal counts as -1.
      const equal = i8x16.add(
        i8x16.add(
          i8x16.eq(newline, v128.load(at)),
          i8x16.eq(newline, v128.load(at, 16)),
        ),
        i8x16.add(
          i8x16.eq(newline, v128.load(at, 32)),
          i8x16.eq(newline, v128.load(at, 48)),
        ),
      );
      sums = i32x4.sub(
        sums,
        i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_s(equal)),
      );
      at += 64;
    } while (at <= last);
  }
  let count = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  for (; at < end; at++) count += <i32> (load<u8>(at) == 0x0a);
  return count;
}

/**
 * The offset of the first occurrence of a text in the bytes from `at` up to `end`, or -1. It reads up
 * to 16 bytes after `end`, which make no difference.
 *
 * @param text the offset of the text's `length` bytes; after them comes a mask for each, the bits that
 * are set in a byte before it is compared: 0x20 where a letter may be in either case
 * @param first where in the text one of two bytes is that are searched for together
 * @param second where the other one is
 */
export function find(
  at: i32,
  end: i32,
  text: i32,
  length: i32,
  first: i32,
  second: i32,
): i32 {
  const last = end - length;
  const masks = text + length;
  const one = i8x16.splat(load<u8>(text + first));
  const oneMask = i8x16.splat(load<u8>(masks + first));
  const two = i8x16.splat(load<u8>(text + second));
  const twoMask = i8x16.splat(load<u8>(masks + second));
  while (at <= last) {
    while (at + 48 <= last) {
      const atFirst = at + first;
      const atSecond = at + second;
      const a = v128.and(
        i8x16.eq(one, v128.or(oneMask, v128.load(atFirst))),
        i8x16.eq(two, v128.or(twoMask, v128.load(atSecond))),
      );
      const b = v128.and(
        i8x16.eq(one, v128.or(oneMask, v128.load(atFirst, 16))),
        i8x16.eq(two, v128.or(twoMask, v128.load(atSecond, 16))),
      );
      const c = v128.and(
        i8x16.eq(one, v128.or(oneMask, v128.load(atFirst, 32))),
        i8x16.eq(two, v128.or(twoMask, v128.load(atSecond, 32))),
      );
      const d = v128.and(
        i8x16.eq(one, v128.or(oneMask, v128.load(atFirst, 48))),
        i8x16.eq(two, v128.or(twoMask, v128.load(atSecond, 48))),
      );
      if (v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) break;
      at += 64;
    }
    if (at > last) break;
    let hits = i8x16.bitmask(
      v128.and(
        i8x16.eq(one, v128.or(oneMask, v128.load(at + first))),
        i8x16.eq(two, v128.or(twoMask, v128.load(at + second))),
      ),
    );
    if (hits) {
      do {
        const place = at + ctz(hits);
        if (place > last) return -1;
        if (isAt(place, text, length)) return place;
        hits &= hits - 1;
      } while (hits);
    }
    at += 16;
  }
  return -1;
}

/** Whether a text, which its masks follow, is at `place`. */
function isAt(place: i32, text: i32, length: i32): bool {
  let index = 0;
  do {
    const byte = load<u8>(place + index) | load<u8>(text + length + index);
    if (load<u8>(text + index) != byte) return false;
  } while (++index < length);
  return true;
}

/**
 * The offset of one of several texts in the bytes from `at` up to `end`, or -1; no line before its own
 * has any. It reads up to 17 bytes after `end`, which make no difference.
 *
 * It searches for two bytes in a row of each text. Each text belongs to one of eight groups, and each
 * group is a bit: a table says which groups may have a byte with that half in that place.
 *
 * @param texts the offset of the descriptions of the texts, four numbers each: the bit of its group,
 * where in the text its two bytes are, its offset, and its length; its masks follow it, as in `find`
 * @param count how many texts
 * @param tables the offset of four tables of 16 bytes, for the low and the high half of the first
 * byte, then of the second; 16 bytes of room for this function follow
 */
export function findAny(at: i32, end: i32, texts: i32, count: i32, tables: i32): i32 {
  const start = at;
  const firstLow = v128.load(tables);
  const firstHigh = v128.load(tables, 16);
  const secondLow = v128.load(tables, 32);
  const secondHigh = v128.load(tables, 48);
  const textsEnd = texts + 16 * count;
  const half = i8x16.splat(0x0f);
  if (at >= end) return -1;
  do {
    const one = v128.load(at);
    const two = v128.load(at, 1);
    const groups = v128.and(
      v128.and(
        i8x16.swizzle(firstLow, v128.and(half, one)),
        i8x16.swizzle(secondLow, v128.and(half, two)),
      ),
      v128.and(
        i8x16.swizzle(firstHigh, v128.and(half, i16x8.shr_u(one, 4))),
        i8x16.swizzle(secondHigh, v128.and(half, i16x8.shr_u(two, 4))),
      ),
    );
    if (!v128.any_true(groups)) continue;
    v128.store(tables, groups, 64);
    let hits = i8x16.bitmask(i8x16.ne(groups, i8x16.splat(0)));
    do {
      const index = ctz(hits);
      const bits = <i32> load<u8>(tables + index, 64);
      const pair = at + index;
      let entry = texts;
      do {
        if ((bits & load<i32>(entry)) == 0) continue;
        const place = pair - load<i32>(entry, 4);
        const length = load<i32>(entry, 12);
        if (place < start) continue;
        if (place + length > end) continue;
        if (isAt(place, load<i32>(entry, 8), length)) return place;
      } while ((entry += 16) < textsEnd);
      hits &= hits - 1;
    } while (hits);
  } while ((at += 16) < end);
  return -1;
}
