/**
 * What maps and bytes lack in some runtimes.
 *
 * @module
 */

/** The value of a key, which is made and kept where there is none. */
export function valueAt<Key, Value>(
  map: {
    get(key: Key): Value | undefined;
    has(key: Key): boolean;
    set(key: Key, value: Value): unknown;
  },
  key: Key,
  make: (key: Key) => Value,
): Value {
  if (map.has(key)) return map.get(key)!;
  const value = make(key);
  map.set(key, value);
  return value;
}

/** The pieces as one array; a single piece is not copied. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  // Deno takes a millisecond to load `atob`, which Node.js needs.
  const native: Partial<typeof Uint8Array> = Uint8Array;
  if (native["fromBase64"] !== undefined) return native["fromBase64"](text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
