/** A text has one answer, whatever its size, its encoding and where it comes from. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentResult, type SearchQuery, Workspace } from "../../mod.ts";
import { runSearch } from "../../src/search/search.ts";
import { entriesOf, type SomeOptions } from "../regex/support.ts";
import { drawn, RUNS, seeded } from "../support/draw.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { test } from "../support/needs.ts";

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

/** One text, how it is searched, and where it is cut on standard input. */
interface Case {
  pattern: string;
  text: string;
  options: SomeOptions;
  cuts: readonly number[];
}

/**
 * Compares the answers to texts in each of their forms, from a named file, from one that is cached and from
 * standard input, with what a scan of the whole text gives.
 */
async function compare(cases: readonly Case[]): Promise<void> {
  const forms = cases.flatMap(({ text, ...how }, at) =>
    [...formsOf(text)].map(([bytes, encoding], form) => ({
      ...how,
      ...{ bytes, encoding, directory: `${at}/${form}` },
      expected: JSON.stringify(entriesOf(how.pattern, text, how.options)),
    }))
  );
  await using tree = await tempTree(
    Object.fromEntries(forms.map(({ directory, bytes }) => [`${directory}/a.txt`, bytes])),
  );
  await ticked();
  const workspace = await Workspace.open(tree.root);
  await using searcher = new QuickSearcher({ workspace, cache: "verified" });
  for (const { pattern, options, cuts, bytes, encoding, directory, expected } of forms) {
    const ends = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
      .sort((a, b) => a - b);
    const pieces = ends.map((start, at) => bytes.slice(start, ends[at + 1]));
    const stdin = () => ReadableStream.from(pieces);
    const query: SearchQuery = {
      ...{ pattern, maxLineLength: 0, maxResults: 0, maxFileSize: 0, ...options, encoding },
    };
    const cached = () => searcher.search({ ...query, path: directory });
    const answers = {
      file: await runSearch({ ...query, path: `${directory}/a.txt` }, { workspace }),
      read: await cached(),
      cached: await cached(),
      [`pieces of ${pieces.map(({ length }) => length)}`]: await runSearch(
        { ...query, path: "-" },
        { workspace, stdin },
      ),
    };
    for (const [from, answer] of Object.entries(answers)) {
      const found = JSON.stringify(
        (answer as ContentResult).matches.map(({ file: _, encoding: _e, ...entry }) => entry),
      );
      const about = [pattern, options, encoding ?? "marked", bytes.length, from];
      assert.ok(
        found === expected,
        `${JSON.stringify(about)}: ${found.slice(-300)}; ${expected.slice(-300)}`,
      );
    }
  }
}

test.slow(
  "the same text has the same answer in every encoding and from every source",
  seeded(async (seed) => {
    const cuts = fc.array(fc.nat(60), { maxLength: 5 });
    const some = fc.record({ pattern: fc.constantFrom(...PATTERNS), text, options, cuts });
    await compare(drawn(some, seed, 60 * RUNS));
  }),
);

test.slow(
  "a text has the same answer where a piece that is read ends in it",
  seeded(async (seed) => {
    const size = 1 << 20;
    const some = fc.record({
      pattern: fc.constantFrom(...PATTERNS),
      texts: fc.tuple(text, text, text),
      before: fc.nat(30),
      options,
      cuts: fc.array(fc.nat(3 * size), { maxLength: 3 }),
    }).map(({ texts: [first, middle, last], before, ...how }) => {
      // In UTF-16 the first half ends where a piece does, in UTF-8 the whole of it.
      const half = `${"q".repeat(1000)}\n`.repeat(Math.ceil(size / 2 / 1001));
      const part = half.slice(0, size / 2 - before);
      return { ...how, text: `q${part}${first}${part}${middle}one\r\r\n${half}${last}` };
    });
    await compare(drawn(some, seed, 5 * RUNS));
  }),
);

/** Texts in scripts whose UTF-16 holds bytes of line feeds, or looks like UTF-8. */
const SCRIPTS = [
  "上海是中国人口众多的城市之列位于长江入海口东临东海南接杭州湾",
  "上野の机の上に本があります《吾輩は猫である》という小説を読みました",
  "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทยชาวช",
  "ਪੰਜਾਬੀਭਾਸ਼ਾਪੰਜਾਬਦੀਸਰਕਾਰੀਭਾਸ਼ਾਹੈਸਾਰੇਮਨੁੱਖਆਜ਼ਾਦਪੈਦਾਹੁੰਦੇਹਨ",
  "भारतएकविशालदेशहैसभीमनुष्योंकोगौरवऔरअधिकारोंकेमामलेमेंसमानता",
  "МоскваявляетсястолицейРоссииСъешьжеещёэтихмягкихфранцузскихбулокЊњ",
  "ရန်ကုန်မြို့သည်မြန်မာနိုင်ငံ၏အကြီးဆုံးမြို့ဖြစ်သည်ညီမလေးသည်",
  "ΗΑθήναείναιηπρωτεύουσατηςΕλλάδαςΞεσκεπάζωτηνψυχοφθόραβδελυγμία",
  "대한민국의수도는서울이며많은사람들이살고있습니다한글은세종대왕이만든글자로",
];

test.slow(
  "UTF-16 of any script is told from UTF-8, wherever standard input is cut",
  seeded(async (seed) => {
    const some = fc.record({
      pattern: fc.constant("^.*$"),
      text: fc.array(fc.constantFrom(...SCRIPTS, "\n", "\r\n", " "), {
        minLength: 1,
        maxLength: 9,
      }),
      cuts: fc.array(fc.nat(500), { maxLength: 8 }),
    }).map(({ text, ...how }) => ({ ...how, text: text.join(""), options: {} }));
    await compare(drawn(some, seed, 40 * RUNS));
  }),
);

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
