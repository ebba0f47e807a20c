/**
 * Files that are binary, or in an encoding that nobody named: what an empty answer says of them on each
 * face, which file a note names, and that what it tells to send finds the matches.
 *
 * @module
 */

import assert from "node:assert/strict";
import { GrepTool, search, type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { pathgrep } from "../support/run.ts";
import { sameAnswer } from "../support/engines.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

/** A text in an encoding of two bytes a unit, without a mark. */
function wide(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}

/** Bytes written in hexadecimal. */
const hex = (digits: string) => Uint8Array.fromHex(digits.replaceAll(" ", ""));

/** A file that hides a match, the pattern, what a note says, and the options that find the match. */
type Hidden = readonly [
  content: TreeEntry,
  pattern: string,
  says: RegExp,
  sends: SearchQuery | Partial<SearchQuery>,
];

const HIDDEN: Record<string, Hidden> = {
  "a source with a NUL": ["TOKEN \0\n", "TOKEN", /in a binary file/, { text: true }],
  "a program": [
    hex("7f45 4c46 0201 0100 0000 5f5f 544f 4b45 4e00 ff0a"),
    "TOKEN",
    /in a binary file/,
    { text: true },
  ],
  "a NUL and another case": [
    "token \0\n",
    "TOKEN",
    /differs in letter case and is in a binary file/,
    { text: true, caseInsensitive: true },
  ],
  "a large program": [
    `TOKEN\0${"x".repeat(2_000_000)}`,
    "TOKEN",
    /in a binary file .* and is in a file over 1048576 bytes/,
    { text: true, maxFileSize: 0 },
  ],
  "UTF-16, little end first": [
    wide("a TOKEN, é\n", true),
    "TOKEN",
    /in utf-16le, not UTF-8/,
    { encoding: "utf-16le" },
  ],
  "UTF-16, big end first": [
    wide("文件 TOKEN\n", false),
    "TOKEN",
    /in utf-16be, not UTF-8/,
    { encoding: "utf-16be" },
  ],
  ...Object.fromEntries([true, false].flatMap((isLittle) => {
    const label = isLittle ? "utf-16le" : "utf-16be";
    const texts = [["привет, как дела\n", "привет"], ["この設定は\n", "設定"], [
      "数据库 连接",
      "连接",
    ]];
    return texts.map(([text, pattern]): [string, Hidden] => [
      `few letters of ASCII in ${label}: ${pattern}`,
      [wide(text!, isLittle), pattern!, RegExp(`in ${label}, not UTF-8`), { encoding: label }],
    ]);
  })),
  "a NUL beside other letters": ["この設定は\0\n", "設定", /in a binary file/, { text: true }],
  "UTF-16 without a NUL": [
    wide("数据库连接", true),
    "连接",
    /in utf-16le, not UTF-8/,
    { encoding: "utf-16le" },
  ],
  "Latin in a comment": [
    hex("2f2a20e9202a2f0a696e74206c6174696e5f68616e646c65723b0a"),
    "latin_handler",
    /in a file that is not UTF-8/,
    { text: true },
  ],
  "GBK": [hex("d6d0cec4b2e2cad40a"), "测试", /in gbk, not/, { encoding: "gbk" }],
  "two letters in GBK": [hex("b4ed0a"), "错", /in gbk, not/, { encoding: "gbk" }],
  "Big5": [hex("b4fab8d50a"), "測試", /in big5, not/, { encoding: "big5" }],
  "Shift_JIS": [hex("83658358836783800a"), "テスト", /in shift_jis, not/, {
    encoding: "shift_jis",
  }],
  "EUC-JP": [hex("b4d8bff4cccc0a"), "関数", /in euc-jp, not/, { encoding: "euc-jp" }],
  "EUC-KR": [hex("bfc0b7f920c6c4c0cf0a"), "오류", /in euc-kr, not/, { encoding: "euc-kr" }],
  "KOI8-R": [hex("cfdbc9c2cbc10a"), "ошибка", /in koi8-r, not/, { encoding: "koi8-r" }],
  "windows-1251": [hex("eef8e8e1eae00a"), "ошибка", /windows-1251/, { encoding: "windows-1251" }],
  "an expression in windows-1251": [
    hex("eef8e8e1eae0203432 0a"),
    "ошибк[аи]\\s\\d+",
    /windows-1251/,
    { encoding: "windows-1251" },
  ],
};

for (const [name, [content, pattern, says, sends]] of Object.entries(HIDDEN)) {
  Deno.test(`an empty answer names what hides a match, and what finds it: ${name}`, async () => {
    await using tree = await tempTree({ "d/f": content, "a.txt": "nothing\n" });
    const workspace = await Workspace.open(tree.root);
    for (const path of [undefined, "d/f"]) {
      const query = { pattern, path, explain: true };
      const empty = await sameAnswer(tree.root, query) as SearchResult;
      assert.equal(empty.count, 0);
      const told = empty.notes!.filter((note) => /^1 match in d\/f /.test(note));
      assert.equal(told.length, 1, String(empty.notes));
      if (path === undefined) assert.match(told[0]!, says);
      const found = await search({ ...query, ...sends }, { workspace });
      assert.equal(found.count, 1);
    }
    // The same at the shell and in the tool, where what it tells to send is the next call.
    const shell = await pathgrep([pattern], { cwd: tree.root });
    assert.match(String(shell.json().notes), says);
    const grep = new GrepTool({ workspace });
    const { notes } = await grep.execute({ pattern }) as SearchResult;
    const advice = notes!.find((note) => says.test(note))!;
    const keys = JSON.parse(/send (\{.*?\})(?:$|, or)/.exec(advice)![1]!);
    const next = await grep.execute({ pattern, ...keys }) as SearchResult;
    assert.equal(next.count, 1, JSON.stringify([keys, next]));
  });
}

Deno.test("a true absence adds no note of binary files, nor does a match", async () => {
  await using tree = await tempTree({
    "logo.png": hex("8950 4e47 0d0a 1a0a 0000 000d 4948 4452"),
    "odd": "TOKEN \0\n",
    "a.txt": "here\n",
  });
  const workspace = await Workspace.open(tree.root);
  const notes = async (query: SearchQuery) =>
    (await search({ explain: true, ...query }, { workspace })).notes;
  assert.equal(await notes({ pattern: "nowhere" }), undefined);
  assert.equal(await notes({ pattern: "here" }), undefined);
  assert.equal(
    await notes({ pattern: "a.txt", filesWithoutMatch: true, outputMode: "file" }),
    undefined,
  );
});

Deno.test("the tool searches binary files and other encodings as the shell does", async () => {
  await using tree = await tempTree({
    "s.ts": "TOKEN \0\n",
    "latin.txt": Uint8Array.of(0x54, 0x4f, 0x4b, 0x45, 0x4e, 0xe9, 0x0a),
  });
  const workspace = await Workspace.open(tree.root);
  const grep = new GrepTool({ workspace });
  const ask = async (keys: object) =>
    await grep.execute({ pattern: "TOKEN", paths: "relative", ...keys }) as SearchResult;
  const files = (answer: SearchResult) =>
    answer.output_mode === "content" ? answer.matches.map(({ file }) => file) : [];
  assert.deepEqual(files(await ask({ search_binary: true })), ["latin.txt", "s.ts"]);
  assert.deepEqual(files(await ask({ encoding: "windows-1252" })), ["latin.txt"]);
  assert.deepEqual(files(await ask({ encoding: "", search_binary: null })), []);
  for (const key of ["-a", "text", "searchBinary", "include_binary"]) {
    const { notes, ...answer } = await ask({ [key]: true });
    assert.equal(answer.count, 2, key);
    assert.match(String(notes), /was interpreted as search_binary/);
  }
  assert.match(JSON.stringify(await ask({ encoding: "gbkk" })), /"suggestions":\["gbk"\]/);
  assert.match(JSON.stringify(await grep.execute({ text: "TOKEN" })), /use pattern/);
});
