/**
 * Cases in `testdata/`, whose README says what their keys mean.
 *
 * @module
 */

const TESTDATA = new URL("../../testdata/", import.meta.url);

/** A case as a row of JSON Lines: what does not show is escaped, `{ "bytes": "\u00ff" }` are bytes. */
export function toRow(value: unknown): string {
  const json = JSON.stringify(
    value,
    (_key, value) =>
      value instanceof Uint8Array
        ? { bytes: Array.from(value, (byte) => String.fromCharCode(byte)).join("") }
        : value,
  );
  return json.replace(
    /[\u007f-\u00a0\u0300-\u036f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The case that a row holds. */
export function fromRow(row: string): unknown {
  return JSON.parse(row, (_key, value) => {
    const isBytes = typeof value?.bytes === "string" && Object.keys(value).length === 1;
    return isBytes ? Uint8Array.from(value.bytes, (char: string) => char.charCodeAt(0)) : value;
  });
}

/** The cases of a file of JSON Lines. */
export function rowsOf<Row>(path: string): Row[] {
  return Deno.readTextFileSync(new URL(path, TESTDATA)).split("\n").filter((row) => row !== "")
    .map((row) => fromRow(row) as Row);
}

/** Writes such a file. */
export function writeRows(path: string, rows: readonly unknown[]): void {
  Deno.writeTextFileSync(new URL(path, TESTDATA), rows.map((row) => `${toRow(row)}\n`).join(""));
}

/** Makes one test of all cases that are about the same, named by what they are about. */
export function testEach<Row extends { about: string }>(
  path: string,
  check: (row: Omit<Row, "about">) => void | Promise<void>,
): void {
  for (const [about, rows] of Map.groupBy(rowsOf<Row>(path), ({ about }) => about)) {
    Deno.test(about, async () => {
      for (const { about: _, ...row } of rows) await check(row);
    });
  }
}

/** The bytes of a file. */
export function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(path, TESTDATA));
}
