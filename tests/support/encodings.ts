/**
 * Text as bytes in the encodings that the platform only decodes.
 *
 * @module
 */

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each character of an encoding with at most two of them a character. */
export function encodingTable(label: string): ReadonlyMap<string, readonly number[]> {
  return tables.getOrInsertComputed(label, () => {
    const decoder = new TextDecoder(label);
    const table = new Map<string, number[]>();
    const add = (bytes: number[]) => {
      const text = decoder.decode(Uint8Array.from(bytes));
      const isOne = [...text].length === 1 && text !== "\ufffd" && text !== "\ufeff";
      if (isOne && !table.has(text)) table.set(text, bytes);
    };
    for (let first = 0; first < 256; first++) add([first]);
    if (label.startsWith("windows")) return table;
    for (let first = 0x81; first < 255; first++) {
      for (let second = 0x40; second < 255; second++) add([first, second]);
    }
    return table;
  });
}
