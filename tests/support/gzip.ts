/**
 * Gzip files for tests.
 *
 * @module
 */

import { deflateRawSync, gzipSync } from "node:zlib";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A gzip file as the system's own library makes it; level 0 stores, 9 packs. */
export function gzipOf(text: string | Uint8Array, level = 6): Uint8Array {
  return new Uint8Array(gzipSync(typeof text === "string" ? bytesOf(text) : text, { level }));
}

/** The header of a gzip file with these flags, and what they announce. */
export function gzipHeader(flags: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return joined(Uint8Array.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3), ...parts);
}

/** A gzip file with a header of its own. */
export function gzipWith(header: Uint8Array, text: string): Uint8Array {
  const packed = gzipOf(text);
  return joined(header, new Uint8Array(deflateRawSync(bytesOf(text))), packed.subarray(-8));
}

/** A gzip file of some megabytes of zeros and lines, which is a thousandth of that. */
export function bombOf(megabytes: number, end = ""): Uint8Array {
  const text = new Uint8Array(megabytes << 20).fill(0x20);
  for (let at = 4095; at < text.length; at += 4096) text[at] = 10;
  return gzipOf(joined(text, bytesOf(end)), 9);
}
