/**
 * Files whose contents are packed in other ways than gzip, by their first bytes. They are searched as they are,
 * which finds the names in a ZIP archive, for example, and reported.
 *
 * @module
 */

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
