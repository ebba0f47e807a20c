/**
 * From bytes to text: what is binary, what is UTF-8, what is UTF-16.
 *
 * @module
 */

/** Why bytes are not text. */
export type NotText = "binary" | "not_utf8";

/** Nearly every binary file has a NUL this early. */
const TELLING_BYTES = 1024;

const lenient = new TextDecoder("utf-8");
const continued = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true });

/** UTF-16, told by its byte-order mark. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Whether bytes that are not UTF-16 hold a NUL, which no text does. */
export function isBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.includes(0);
}

/**
 * The text of a whole file, without its byte-order mark. Of a binary file that begins like text, the
 * text is given all the same: look for a NUL with {@linkcode isBinary} before it is used. It would
 * cost as much as decoding to do so for every file, and most have no match.
 */
export function decodeText(bytes: Uint8Array): { text: string } | { skip: NotText } {
  const encoding = utf16Of(bytes);
  if (encoding !== undefined) return { text: new TextDecoder(encoding).decode(bytes) };
  if (isBinary(bytes.subarray(0, TELLING_BYTES))) return { skip: "binary" };
  const text = lenient.decode(bytes);
  // U+FFFD stands for what could not be decoded, but a file may also hold it as a character.
  if (!text.includes("\ufffd")) return { text };
  if (isBinary(bytes)) return { skip: "binary" };
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return { skip: "not_utf8" };
  }
}

/**
 * The text of bytes that are known to be UTF-8.
 *
 * @param isStart whether a byte-order mark is none of the text
 */
export function decodeUtf8(bytes: Uint8Array, isStart: boolean): string {
  return (isStart ? lenient : continued).decode(bytes);
}

/** Decodes a file that comes in pieces. */
export class TextStream {
  #decoder: TextDecoder | undefined;
  #isUtf16 = false;
  /** A first byte, which may be half of a byte-order mark. */
  #half: number | undefined;

  /** The next piece, as text or why there is none; `last` ends the file. */
  decode(bytes: Uint8Array, last: boolean): { text: string } | { skip: NotText } {
    if (this.#decoder === undefined) {
      if (this.#half !== undefined) bytes = Uint8Array.of(this.#half, ...bytes);
      if (bytes.length < 2 && !last) {
        this.#half = bytes[0];
        return { text: "" };
      }
      const encoding = utf16Of(bytes);
      this.#isUtf16 = encoding !== undefined;
      this.#decoder = new TextDecoder(encoding ?? "utf-8", { fatal: !this.#isUtf16 });
    }
    if (!this.#isUtf16 && bytes.includes(0)) return { skip: "binary" };
    try {
      return { text: this.#decoder.decode(bytes, { stream: !last }) };
    } catch {
      return { skip: "not_utf8" };
    }
  }
}
