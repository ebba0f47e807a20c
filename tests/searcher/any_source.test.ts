/** A text has one answer, whatever its size, its encoding and where it comes from. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { entriesOf, type SomeOptions } from "../regex/support.ts";
import { pathgrep } from "../support/run_cli.ts";
import { tempTree } from "../support/tree.ts";

/** Parts of texts: all that line ends are made of, and characters of one to four bytes. */
const PARTS = [
  "\n",
  "\r",
  "\r\n",
  "\r\r\n",
  "one",
  "two",
  "x",
  " ",
  "é",
  "上",
  "😀",
  "\u2028",
  "\ufeff",
];
const PATTERNS = [
  ...["one.", "one\\r", ".\\n", "\\r$", "\\r\\n", "[^x]$", "^.?$", "\\s+", "x[^]*?one", "^", "$"],
  ...[
    "one\\s+two",
    "e\\b",
    "上|x",
    "\\u2028",
    "(?:x|.)\\r",
    "\\n\\n",
    "two",
    "\\r+",
    "(?s)x.",
    "é",
  ],
];

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Bytes of a text. */
function encoded(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "windows-1252") return Uint8Array.from(text, (char) => char.charCodeAt(0));
  const view = new DataView(new ArrayBuffer(2 * text.length));
  text.split("").forEach((unit, at) =>
    view.setUint16(2 * at, unit.charCodeAt(0), encoding === "utf-16le")
  );
  return new Uint8Array(view.buffer);
}

/** Whether bytes could as well be UTF-8, which they are taken for then. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** The forms that a text may be stored in: bytes, and the label that has to be named. */
function* formsOf(text: string): Generator<[bytes: Uint8Array<ArrayBuffer>, label?: string]> {
  yield [encoded(text, "utf-8")];
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    yield [encoded(`\ufeff${text}`, encoding)];
    const bytes = encoded(text, encoding);
    if (!isUtf8(bytes)) yield [bytes, encoding];
  }
  if (/[\x80-\uffff]/.test(text) && !/[^\0-\x7f\xa0-\xff]/.test(text)) {
    yield [encoded(text, "windows-1252"), "windows-1252"];
  }
}

const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 14 }).map((parts) => parts.join(""))
  .filter((text) => !text.startsWith("\ufeff")); // which is no part of the text there

const options = fc.record({
  multiline: fc.boolean(),
  invert: fc.boolean(),
  onlyMatching: fc.boolean(),
  column: fc.boolean(),
  before: fc.nat(1),
  after: fc.nat(1),
}).map((options) => ({ ...options, onlyMatching: options.onlyMatching && !options.invert }));

/** The answers that a text in one form gets: as a file, as one that is cached, and on standard input. */
async function* answersTo(
  query: SearchQuery,
  bytes: Uint8Array<ArrayBuffer>,
  cuts: readonly number[],
  { path, workspace, searcher }: { path: string; workspace: Workspace; searcher: Searcher },
): AsyncGenerator<[from: string, answer: ContentResult]> {
  await Deno.writeFile(path, bytes);
  const asked: SearchQuery = { ...query, maxResults: 0 };
  const named = { ...asked, path: "a.txt", maxFileSize: 0 };
  yield ["a named file", await runSearch(named, { workspace }) as ContentResult];
  yield ["a searcher", await searcher.search({ ...asked, maxFileSize: 0 }) as ContentResult];
  const ends = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  const pieces = ends.map((start, at) => bytes.slice(start, ends[at + 1]));
  const stdin = () => ReadableStream.from(pieces);
  yield [
    `pieces of ${pieces.map(({ length }) => length)}`,
    await runSearch({ ...asked, path: "-" }, { workspace, stdin }) as ContentResult,
  ];
}

/** Compares the answers to a text in each of its forms with what a scan of the whole text gives. */
async function compare(
  pattern: string,
  text: string,
  options: SomeOptions,
  cuts: readonly number[],
  at: Parameters<typeof answersTo>[3],
): Promise<void> {
  const expected = JSON.stringify(entriesOf(pattern, text, options));
  for (const [bytes, encoding] of formsOf(text)) {
    const query: SearchQuery = { pattern, maxLineLength: 0, ...options, encoding };
    for await (const [from, { matches }] of answersTo(query, bytes, cuts, at)) {
      const found = JSON.stringify(
        matches.map(({ file: _, encoding: _e, ...entry }) => entry),
      );
      const isSame = found === expected;
      assert.ok(
        isSame,
        `${encoding ?? "marked"}, ${bytes.length} bytes, ${from}: ${found.slice(-300)}; ${
          expected.slice(-300)
        }`,
      );
    }
  }
}

Deno.test("the same text has the same answer in every encoding and from every source", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const at = { path: tree.path("a.txt"), workspace, searcher };
  const cuts = fc.array(fc.nat(60), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATTERNS),
      text,
      options,
      cuts,
      (...drawn) => compare(...drawn, at),
    ),
    { numRuns: 150, seed: 5, endOnFailure: false },
  );
});

Deno.test("a text has the same answer where a piece that is read ends in it", async () => {
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const at = { path: tree.path("a.txt"), workspace, searcher };
  const cuts = fc.array(fc.nat(3 << 20), { maxLength: 3 });
  const size = 1 << 20;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATTERNS),
      fc.array(text, { minLength: 3, maxLength: 3 }),
      fc.nat(30),
      options,
      cuts,
      async (pattern, [first, middle, last], before, options, cuts) => {
        // In UTF-16 the first half ends where a piece does, in UTF-8 the whole of it.
        const half = `${"q".repeat(1000)}\n`.repeat(Math.ceil(size / 2 / 1001));
        const upTo = (length: number) => half.slice(0, Math.max(0, length - before));
        const whole = `q${upTo(size / 2)}${first}${upTo(size / 2)}${middle}one\r\r\n${half}${last}`;
        await compare(pattern, whole, options, cuts, at);
      },
    ),
    { numRuns: 12, seed: 5, endOnFailure: false },
  );
});

Deno.test("on standard input, too, one carriage return belongs to a line end, and UTF-16 may begin with one", async () => {
  await using tree = await tempTree();
  const first = async (args: string[], stdin: string | Uint8Array) => {
    const { code, ...ran } = await pathgrep([...args, "-"], { cwd: tree.root, stdin });
    return [code, ran.json().matches[0]?.line_number, ran.json().matches[0]?.line];
  };
  assert.deepEqual(await first(["-U", "one."], "one\r\r\ntwo\r\n"), [0, 1, "one\r"]);
  assert.deepEqual(await first(["-U", "e.\\ntwo$"], "one\r\r\ntwo\r\n"), [0, 1, "one\r\ntwo"]);
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    // 上 is U+4E0A: half of it looks like a line end.
    for (const text of ["\nneedle\n", "\r\nneedle", "上\nneedle\r\n", "\n\n上 needle\n"]) {
      const line = text.trimEnd().split("\n").at(-1)!;
      const number = text.trimEnd().split("\n").length;
      const found = await first(["needle", "--encoding", encoding], encoded(text, encoding));
      assert.deepEqual(found, [0, number, line], JSON.stringify([text, encoding]));
    }
  }
});
