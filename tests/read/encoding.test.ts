/**
 * Files in a named encoding: the same answer on every engine, however large the file is and from
 * wherever it comes; and what is said of those whose encoding nobody has named.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type ContentResult,
  type CountResult,
  PathgrepError,
  search,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { bytesOf, rowsOf } from "../support/testdata.ts";
import { test } from "../support/needs.ts";

/** A file in `testdata/encodings/`: the label to name, if it needs one, and the text that it holds. */
interface Sample {
  file: string;
  encoding?: string;
  text: string;
}

const SAMPLES = rowsOf<Sample>("encodings/samples.jsonl");
const sample = (file: string) => bytesOf(`encodings/${file}`);
const GBK = sample("gbk.txt");
const LATIN = sample("windows-1252.txt");

/** UTF-16 without a byte-order mark. */
function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  text.split("").forEach((unit, index) => view.setUint16(2 * index, unit.charCodeAt(0), true));
  return bytes;
}

function joined(...parts: (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return Uint8Array.from(
    parts.flatMap((part) => [...typeof part === "string" ? encoder.encode(part) : part]),
  );
}

/** The entries of an answer that every engine gives. */
async function entries(root: string, query: SearchQuery): Promise<string[]> {
  const { matches, notes } = await sameAnswer(root, {
    paths: "relative",
    ...query,
  }) as ContentResult;
  assert.deepEqual(notes, undefined);
  return matches.map(({ file, line_number, line, encoding }) =>
    [file, line_number, line, encoding].filter((part) => part !== undefined).join(":")
  );
}

Deno.test("each sample of an encoding is read as the text that it holds", async () => {
  await using tree = await tempTree(
    Object.fromEntries(SAMPLES.map(({ file }) => [file, sample(file)])),
  );
  for (const { file, encoding, text } of SAMPLES) {
    const query = { pattern: "^", path: file, paths: "relative", encoding } as const;
    const { matches } = await sameAnswer(tree.root, query) as ContentResult;
    assert.deepEqual(matches.map(({ line }) => line), text.trimEnd().split("\n"), file);
  }
});

test.slow("files that are not UTF-8 are read in the named encoding, and their entries say so", async () => {
  await using tree = await tempTree({
    "ascii.txt": "foo\n",
    "gbk.txt": GBK,
    "marked.txt": joined(Uint8Array.of(0xff, 0xfe), utf16("foo 你\n")),
    "utf8.txt": "foo 你好\n",
    "zero.bin": "foo\0\n",
  });
  assert.deepEqual(await entries(tree.root, { pattern: "foo|好", encoding: "gbk" }), [
    "ascii.txt:1:foo",
    "gbk.txt:1:你好世界 foo:gbk",
    "gbk.txt:2:plain foo:gbk",
    "marked.txt:1:foo 你",
    "utf8.txt:1:foo 你好",
  ]);
  assert.deepEqual(await entries(tree.root, { pattern: "^你好世", encoding: "GB2312" }), [
    "gbk.txt:1:你好世界 foo:gbk",
  ]);
  for (const encoding of ["shift_jis", "euc-kr", "windows-1252", " latin1 "]) {
    const { encoding: name } = new TextDecoder(encoding);
    const text = new TextDecoder(encoding).decode(GBK).split("\n")[0];
    const found = await entries(tree.root, { pattern: "..{2} foo$", encoding, path: "gbk.txt" });
    assert.equal(found[0], `gbk.txt:1:${text}:${name}`);
  }
});

test.slow("every mode reads the named encoding, and counts say it", async () => {
  await using tree = await tempTree({ "a.txt": LATIN, "b.txt": "foo\n" });
  const ask = async (query: Partial<SearchQuery>) =>
    await sameAnswer(tree.root, {
      pattern: "foo",
      encoding: "latin1",
      paths: "relative",
      ...query,
    }) as SearchResult;
  const counted = await ask({ outputMode: "count" }) as CountResult;
  assert.deepEqual(counted.counts, [
    { file: "a.txt", count: 1, encoding: "windows-1252" },
    { file: "b.txt", count: 1 },
  ]);
  const listed = await ask({ outputMode: "file", pattern: "é" });
  assert.deepEqual("files" in listed && listed.files, ["a.txt"]);
  const matched = await ask({ onlyMatching: true, pattern: "f.", column: true }) as ContentResult;
  assert.deepEqual(matched.matches[0], {
    file: "a.txt",
    line_number: 1,
    line: "fé",
    column: 3,
    encoding: "windows-1252",
  });
  for (const query of [{ multiline: true, pattern: "é foo\\n?" }, { invert: true, pattern: "x" }]) {
    assert.equal((await ask({ ...query, path: "a.txt" })).count, 1);
  }
});

Deno.test("large files are read in the named encoding, from their first line on", async () => {
  const lines = "plain text\n".repeat(130_000);
  await using tree = await tempTree({
    // What is UTF-8 in the first mebibyte may be something else in the encoding.
    "large.txt": joined("é foo\n", lines, LATIN),
    "small.txt": joined("é foo\n", "plain text\n", LATIN),
    "wide.txt": utf16(`foo é\n${"plain\n".repeat(100_000)}foo\n`),
  });
  const latin = { pattern: "foo", encoding: "windows-1252", maxFileSize: 0 };
  assert.deepEqual(await entries(tree.root, latin), [
    "large.txt:1:Ã© foo:windows-1252",
    "large.txt:130002:café foo:windows-1252",
    "small.txt:1:Ã© foo:windows-1252",
    "small.txt:3:café foo:windows-1252",
  ]);
  assert.deepEqual(await entries(tree.root, { ...latin, multiline: true }), [
    "large.txt:1:Ã© foo:windows-1252",
    "large.txt:130002:café foo:windows-1252",
    "small.txt:1:Ã© foo:windows-1252",
    "small.txt:3:café foo:windows-1252",
  ]);
  assert.deepEqual(await entries(tree.root, { ...latin, path: "wide.txt", encoding: "utf-16le" }), [
    "wide.txt:1:foo é:utf-16le",
    "wide.txt:100002:foo:utf-16le",
  ]);
});

Deno.test("UTF-16 without a mark is read where it is named, other binary files are none", async () => {
  await using tree = await tempTree({
    "a.txt": utf16("foo\nbar\n"),
    "b.bin": joined("foo", Uint8Array.of(0, 0, 0, 0)),
    "c.bin": joined("foo", Uint8Array.of(0, 1)),
    "d.txt": "foo\n",
  });
  assert.deepEqual(await entries(tree.root, { pattern: "foo", encoding: "utf-16le" }), [
    "a.txt:1:foo:utf-16le",
    "d.txt:1:foo",
  ]);
  assert.deepEqual(await entries(tree.root, { pattern: "foo", encoding: "gbk" }), ["d.txt:1:foo"]);
});

Deno.test("what is no character of the named encoding hides no other text", async () => {
  await using tree = await tempTree({
    "a.txt": joined("foo ", Uint8Array.of(0xff, 0xff), " bar\n"),
  });
  assert.deepEqual(await entries(tree.root, { pattern: "bar", encoding: "gbk" }), [
    "a.txt:1:foo \ufffd\ufffd bar:gbk",
  ]);
});

Deno.test("standard input is read in the named encoding, wherever its pieces end", async () => {
  for (
    const [bytes, encoding, line] of [
      [GBK, "gbk", "你好世界 foo"],
      [joined("ä UTF-8 foo\n", LATIN), "latin1", "ä UTF-8 foo"],
      [utf16("foo 你\n"), "utf-16le", "foo 你"],
    ] as const
  ) {
    const ran = await pathgrep(["foo", "-", "--encoding", encoding], { stdin: bytes });
    const { matches } = ran.json();
    assert.deepEqual([matches[0].file, matches[0].line], ["(stdin)", line]);
    assert.equal(matches[0].encoding, new TextDecoder(encoding).encoding);
  }
  const { runSearch } = await import("../../src/search/search.ts");
  await using tree = await tempTree();
  const workspace = await Workspace.open(tree.root);
  const input = joined("ä foo\n", LATIN, "x foo\n", GBK);
  const answers = new Set<string>();
  for (let size = 1; size <= input.length; size++) {
    const pieces = Array.from(
      { length: Math.ceil(input.length / size) },
      (_, index) => input.slice(index * size, (index + 1) * size),
    );
    const query = { pattern: "foo", path: "-", encoding: "windows-1252" };
    const stdin = () => ReadableStream.from(pieces);
    const { matches } = await runSearch(query, { workspace, stdin }) as ContentResult;
    answers.add(JSON.stringify(matches.map(({ line }) => line)));
  }
  assert.deepEqual([...answers], [
    JSON.stringify(["ä foo", "café foo", "x foo", "ÄãºÃÊÀ½ç foo", "plain foo"]),
  ]);
});

for (const cache of ["verified", "watched"] as const) {
  Deno.test(`a ${cache} searcher reads each search in the encoding that it names`, async () => {
    await using scratch = await tempTree();
    await using tree = await tempTree({ "a.txt": GBK, "b.txt": "foo\n", "c.txt": utf16("foo\n") });
    await ticked();
    await using searcher = new QuickSearcher({
      workspace: await Workspace.open(tree.root),
      cache,
      scratch: scratch.root,
    });
    const ask = async (encoding?: string) => {
      const { matches, notes } = await searcher.search({
        pattern: "foo",
        encoding,
      }) as ContentResult;
      return [...matches.map(({ line, encoding }) => `${line}${encoding ?? ""}`), ...notes ?? []];
    };
    const note = "1 file that is not UTF-8 was not searched: a.txt; name its encoding with the " +
      "option encoding";
    // As UTF-16, a.txt is binary: the next search says by itself why it is no text.
    assert.deepEqual(await ask("utf-16le"), ["foo", "fooutf-16le"]);
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await ask(), ["foo", note]);
      assert.deepEqual(await ask("gbk"), ["你好世界 foogbk", "plain foogbk", "foo"]);
      assert.deepEqual(await ask("utf-16le").then((lines) => lines.slice(-2)), [
        "foo",
        "fooutf-16le",
      ]);
      assert.deepEqual(await ask("utf-8"), ["foo", note]);
    }
  });
}

Deno.test("the note on files that are not UTF-8 names the option, and guesses no label", async () => {
  await using tree = await tempTree({ "d/b.txt": "x\n", "d/c.txt": GBK, "d/e.txt": LATIN });
  const notes = async (path: string) =>
    (await sameAnswer(tree.root, { pattern: "needle", path }) as SearchResult).notes;
  assert.deepEqual(await notes("d"), [
    "2 files that are not UTF-8 were not searched, the first is d/c.txt; name their encoding with " +
    "the option encoding",
  ]);
  assert.deepEqual(await notes("d/c.txt"), [
    "d/c.txt was not searched: it is not UTF-8; name its encoding with the option encoding",
  ]);
});

Deno.test("a label that there is not is refused with those near it", async () => {
  await using tree = await tempTree({ "a.txt": "foo\n" });
  const workspace = await Workspace.open(tree.root);
  for (
    const [encoding, suggestion] of [
      ["gbkk", "gbk"],
      ["SHIFT-JS", "shift_jis"],
      ["windows1252", "windows-1252"],
      ["cp936", "gbk"],
      ["cp932", "shift_jis"],
      ["", undefined],
      ["__proto__", undefined],
      [5, undefined],
    ] as const
  ) {
    const error = await search({ pattern: "x", encoding: encoding as string }, { workspace })
      .catch((error) => error);
    assert.ok(error instanceof PathgrepError, String(encoding));
    assert.equal(error.code, "invalid_input");
    assert.match(error.message, /^encoding must be a label of the Encoding Standard/);
    const { suggestions } = error.toJSON();
    if (suggestion === undefined) assert.equal(suggestions, undefined);
    else assert.ok(suggestions?.includes(suggestion), `${encoding}: ${suggestions}`);
  }
  for (
    const [encoding, suggestion] of [
      ["utf16", "utf-16"],
      ["UTF16LE", "utf-16le"],
      ["Windows 1252", "windows-1252"],
      ["euckr", "euc-kr"],
      ["latin-1", "latin1"],
      ["mac-roman", "macintosh"],
    ] as const
  ) {
    const error = await search({ pattern: "x", encoding }, { workspace }).catch((error) => error);
    assert.deepEqual(error.toJSON().suggestions, [suggestion], encoding);
    const { count } = await search({ pattern: "foo", encoding: suggestion }, { workspace });
    assert.equal(count, 1);
  }
  const ran = await pathgrep(["foo", "--encoding", "gbkk"], { cwd: tree.root });
  assert.equal(ran.code, 2);
  assert.deepEqual(ran.json().suggestions, ["gbk"]);
});

/** Bytes that the decoders of some runtimes read otherwise than the Encoding Standard does. */
const CHARACTERS: readonly [encoding: string, bytes: number[], text: string][] = [
  ["iso-8859-16", [0xa4, 0xaa, 0xde, 0xff, 0x85], "€ȘȚÿ\u0085"],
  ["koi8-u", [0xae, 0xbe, 0xad, 0xc1], "ўЎґа"],
  ["windows-874", [0xa1, 0xdb, 0xff], "ก\ufffd\ufffd"],
  ["windows-1253", [0xaa, 0xe1], "\ufffdα"],
  ["windows-1255", [0xca, 0xd9, 0xe0], "\u05ba\ufffdא"],
  // Korean as Windows writes it has syllables that EUC-KR has not.
  ["euc-kr", [0xb0, 0xa1, 0x8c, 0x63, 0xbc, 0xd5, 0x81, 0x41], "가똠손갂"],
  ["euc-kr", [0xc6, 0x52, 0xa0, 0xfe, 0xa1, 0x41, 0xa2, 0xe6, 0xa2, 0xe7], "힣좤좥€®"],
  [
    "euc-kr",
    [0x81, 0x2e, 0x80, 0xc9, 0xa1, 0x41, 0xff, 0x42, 0x81],
    "\ufffd.\ufffd\ufffdA\ufffdB\ufffd",
  ],
];

Deno.test("a named encoding is what the Encoding Standard says, on every runtime", async () => {
  for (const [encoding, bytes, text] of CHARACTERS) {
    await using tree = await tempTree({ "a.txt": Uint8Array.from(bytes) });
    const found = await entries(tree.root, { pattern: "^.+$", encoding });
    assert.deepEqual(found, [`a.txt:1:${text}:${encoding}`]);
  }
});
