/**
 * Contract 6 and 7, `everything`: all that the guard allows is searched and can be read, and what an answer says of
 * that is true. A row of the table is a file that a plain search does not show.
 */
import assert from "node:assert/strict";
import {
  type AnswerScope,
  type ContentResult,
  type CountResult,
  GrepTool,
  listFiles,
  ReadFileTool,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { connect } from "../mcp/clients.ts";
import { sameAnswer } from "../support/engines.ts";
import { bombOf, bytesOf, gzipOf, joined } from "../support/gzip.ts";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const wide = (text: string) => latin(text.replace(/./gs, "$&\0"));

/** What everything shows that a plain search leaves out: the line and its number, and why. */
const SHOWN: Record<string, [entry: TreeEntry, line: number, text: string]> = {
  "node_modules/a.js": ["needle\n", 1, "needle"],
  "a.log": ["one\nneedle log\n", 2, "needle log"],
  "null.ts": ["const a = '\0';\nneedle\n", 2, "needle"],
  "packed.gz": [gzipOf("one\ntwo needle\n"), 2, "two needle"],
  "no_name": [gzipOf("one\n\nneedle\n"), 3, "needle"],
  "two.gz": [joined(gzipOf("one\n"), gzipOf("two\nneedle\n")), 3, "needle"],
  "big.txt": ["filler\n".repeat(200_000) + "needle\n", 200_001, "needle"],
  "big.gz": [gzipOf("filler\n".repeat(400_000) + "needle\n"), 400_001, "needle"],
  "latin.txt": [latin("caf\xe9\nneedle \xe9\n"), 2, "needle \ufffd"],
  "unmarked.txt": [wide("one\nneedle\n"), 2, "needle"],
  "packed.utf16": [gzipOf(joined(Uint8Array.of(0xff, 0xfe), wide("needle\n"))), 1, "needle"],
};
const IGNORED = { ".gitignore": "node_modules\n*.log\n", "plain.txt": "nothing\n" };
const FILES = {
  ...IGNORED,
  ...Object.fromEntries(Object.entries(SHOWN).map(([name, [entry]]) => [name, entry])),
};
const LINES = Object.entries(SHOWN).map(([name, [, line, text]]) => `${name}:${line}:${text}`)
  .sort();

const linesOf = ({ matches }: ContentResult) =>
  matches.map(({ file, line_number, line }) => `${file}:${line_number}:${line}`).sort();

async function scopeOf(grep: GrepTool, input: object): Promise<AnswerScope> {
  return (await grep.execute(input) as ContentResult).scope!;
}

test.slow("everything is found by every engine, and by each way in", async () => {
  await using tree = await tempTree(FILES);
  const query: SearchQuery = { pattern: "needle", paths: "relative" };
  const plain = await sameAnswer(tree.root, query) as ContentResult;
  assert.deepEqual(linesOf(plain), []);
  const all = await sameAnswer(tree.root, { ...query, everything: true }) as ContentResult;
  assert.deepEqual([linesOf(all), all.notes], [LINES, undefined]);
  const relative = { cwd: tree.root };
  for (const args of [["--everything"], ["-uuu"], ["-u", "-uu"]]) {
    const { stdout, code } = await pathgrep([...args, "needle", "--paths", "relative"], relative);
    assert.deepEqual([linesOf(JSON.parse(stdout)), code], [LINES, 0]);
  }
  for (const args of [["-u"], ["-uu"]]) {
    const { stdout } = await pathgrep([...args, "needle", "--paths", "relative"], relative);
    assert.deepEqual(linesOf(JSON.parse(stdout)), [
      "a.log:2:needle log",
      "node_modules/a.js:1:needle",
    ]);
  }
  const workspace = await Workspace.open(tree.root);
  const grep = new GrepTool({ workspace });
  const answer = await grep.execute({ ...query, everything: true }) as ContentResult;
  assert.deepEqual(linesOf(answer), LINES);
  assert.deepEqual(answer.scope, { searched: 13, matched: LINES.length, everything: true });
  await using client = await connect("v1", { cwd: tree.root, args: ["--workspace", tree.root] });
  const { text } = await client.call("grep", { pattern: "two needle", everything: true });
  assert.match(
    text,
    /^packed\.gz\n2:two needle\n\n1 match in 1 file; searched everything it may \(13 files\)(?: \(in part\))?$/m,
  );
});

test.slow("what everything finds, read_file reads, with the same line numbers and a note", async () => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const tool = new ReadFileTool({ workspace });
  for (const [path, [, line, text]] of Object.entries(SHOWN)) {
    const read = await tool.execute({ path, everything: true, offset: line, limit: 1 });
    assert.ok("lines" in read, JSON.stringify(read));
    // The encoding that fits is read, where the search has bytes.
    assert.deepEqual(read.lines, [text.replace("\ufffd", "\xe9")], path);
  }
  const noted = async (path: string, more = {}) => {
    const read = await tool.execute({ path, everything: true, ...more });
    return "lines" in read ? read.notes : read;
  };
  assert.equal(await noted("plain.txt"), undefined);
  assert.match(String(await noted("packed.gz")), /gzip file/);
  assert.match(String(await noted("null.ts")), /binary \(it contains NUL bytes\)/);
  assert.match(String(await noted("latin.txt")), /decoded as windows-1252/);
  assert.match(String(await noted("unmarked.txt")), /decoded as utf-16le/);
  assert.equal(await noted("latin.txt", { encoding: "windows-1251" }), undefined);
  for (const path of ["packed.gz", "null.ts"]) {
    const error = await tool.execute({ path });
    assert.ok("code" in error && error.code === "path_unsupported");
    assert.match(error.hint!, /"everything": true/);
  }
  await using client = await connect("v1", { cwd: tree.root, args: ["--workspace", tree.root] });
  const { text } = await client.call("read_file", { path: "null.ts", everything: true });
  assert.match(text, /^1:const a = '\\x00';\n2:needle\n/);
});

/** Texts in an encoding, what they are read as, and what else they could be. */
const FITTING: readonly [bytes: Uint8Array, fits: string, others: readonly string[]][] = [
  // A word of two letters, or a Korean syllable.
  [Uint8Array.of(0xc4, 0xc1, 10), "euc-kr", ["koi8-r", "gbk"]],
  [latin("caf\xe9 prices\n"), "windows-1252", []],
  [latin("\xe9l\xe8ve\n"), "windows-1252", ["windows-1250"]],
  // What words there are tells a longer text, but not one of western Europe from one of central Europe.
  [latin("\xe9l\xe8ve d\xe9j\xe0 vu \xe0 l'\xe9cole. ".repeat(9)), "windows-1252", [
    "windows-1250",
  ]],
  [latin("M\xfcller, \xfcber, Gr\xf6\xdfe, sch\xf6n, H\xe4user. ".repeat(9)), "windows-1252", []],
  [
    Uint8Array.from(
      [..."привет мир, файл не найден"].map((char) =>
        char < "а" ? char.charCodeAt(0) : char.charCodeAt(0) - 0x430 + 0xe0
      ),
    ),
    "windows-1251",
    [],
  ],
];

for (const [bytes, fits, others] of FITTING) {
  Deno.test(`read_file says in which encodings a text may be: ${[fits, ...others]}, ${bytes.length}`, async () => {
    await using tree = await tempTree({ "a.txt": bytes });
    const tool = new ReadFileTool({ workspace: await Workspace.open(tree.root) });
    const read = async (more: object) => {
      const answer = await tool.execute({ path: "a.txt", ...more });
      assert.ok("lines" in answer, JSON.stringify(answer));
      return answer;
    };
    const { lines, notes = [] } = await read({ everything: true });
    const doubt = others.length === 0
      ? ""
      : `, but it may be ${others.join(" or ")}; name that with the key encoding`;
    assert.deepEqual(notes, [
      `the file is not UTF-8 and was decoded as ${fits}, which fits it best${doubt}`,
    ]);
    for (const encoding of others) {
      assert.notDeepEqual((await read({ encoding })).lines, lines, encoding);
    }
  });
}

Deno.test("an option that says otherwise wins over everything", async () => {
  await using tree = await tempTree({
    ...IGNORED,
    ...{
      "a.log": "needle\n",
      ".hidden": "needle\n",
      "b.bin": "\0needle\n",
      "kit/k.ts": "needle\n",
    },
    ...{ "src/link": { symlink: "../kit" }, "large.txt": "needle\n".repeat(9) },
    "latin.txt": latin("needle \xe9\xe3\n"),
  });
  const workspace = await Workspace.open(tree.root);
  const ask = async (query: Partial<SearchQuery>) => {
    const asked = { pattern: "needle", outputMode: "count", paths: "relative", ...query } as const;
    const { counts } = await search({ everything: true, ...asked }, { workspace }) as CountResult;
    return counts.map(({ file, encoding }) => file + (encoding ?? ""));
  };
  const all = [".hidden", "a.log", "b.bin", "kit/k.ts", "large.txt", "latin.txt"];
  const but = (...names: string[]) => all.filter((name) => !names.includes(name));
  assert.deepEqual(await ask({}), all);
  assert.deepEqual(await ask({ hidden: false }), but(".hidden"));
  assert.deepEqual(await ask({ ignore: true }), but("a.log"));
  assert.deepEqual(await ask({ text: false }), but("b.bin"));
  assert.deepEqual(await ask({ maxFileSize: 20 }), but("large.txt"));
  assert.deepEqual(await ask({ path: "src" }), ["kit/k.ts"]);
  assert.deepEqual(await ask({ path: "src", follow: false }), []);
  assert.deepEqual((await ask({ encoding: "gbk" })).at(-1), "latin.txtgbk");
  assert.deepEqual(await ask({ everything: false }), but("a.log", "b.bin", "latin.txt"));
  const grep = new GrepTool({ workspace });
  const scope = await scopeOf(grep, { pattern: "needle", everything: true, no_ignore: false });
  assert.deepEqual([scope.everything, scope.left_out?.ignored], [false, ["a.log"]]);
  const shell = async (...args: string[]) =>
    (await pathgrep(["-l", "--paths", "relative", "needle", ...args], { cwd: tree.root })).json()
      .files;
  assert.deepEqual(await shell("-uuu", "--no-hidden"), but(".hidden"));
  assert.deepEqual(await shell("--max-file-size", "20", "--everything"), but("large.txt"));
});

Deno.test("each canonical file is searched once, whatever links lead to it", async () => {
  await using tree = await tempTree({
    "kit/k.ts": "needle\n",
    "src/one": { symlink: "../kit" },
    "src/two": { symlink: "../kit/k.ts" },
    "kit/loop": { symlink: ".." },
  });
  for (const path of [undefined, "src", ["src", "kit"]]) {
    const query: SearchQuery = { pattern: "needle", everything: true, path, paths: "relative" };
    const answer = await sameAnswer(tree.root, query) as ContentResult;
    assert.deepEqual(linesOf(answer), ["kit/k.ts:1:needle"]);
  }
});

Deno.test("a pattern beyond ASCII is found in any encoding, the likeliest first", async () => {
  await using tree = await tempTree({
    "gbk.txt": Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3, 10),
    "greek.txt": Uint8Array.of(0xea, 0xe1, 0xeb, 0xe7, 10),
    "latin.txt": latin("caf\xe9\n"),
    "utf8.bin": joined(bytesOf("\0 café\n")),
    "wide.txt": wide("a café and more\n"),
    "packed.gz": gzipOf(latin("caf\xe9\n")),
  });
  const ask = async (pattern: string, more: Partial<SearchQuery> = {}) => {
    const query: SearchQuery = { pattern, everything: true, paths: "relative", ...more };
    const { matches } = await sameAnswer(tree.root, query) as ContentResult;
    return matches.map(({ file, encoding = "" }) => `${file} ${encoding}`.trim());
  };
  assert.deepEqual(await ask("你好"), ["gbk.txt gbk"]);
  assert.deepEqual(await ask("καλη"), ["greek.txt windows-1253"]);
  const cafes = [
    "latin.txt windows-1252",
    "packed.gz windows-1252",
    "utf8.bin",
    "wide.txt utf-16le",
  ];
  assert.deepEqual(await ask("café"), cafes);
  assert.deepEqual(await ask("caf[é]"), cafes);
  assert.deepEqual(await ask("caf\\u00e9"), cafes);
  const without = { pattern: "café", everything: true, filesWithoutMatch: true } as const;
  const { files } = await sameAnswer(tree.root, { ...without, paths: "relative" }) as {
    files: string[];
  };
  assert.deepEqual(files, ["gbk.txt", "greek.txt"]);
});

/** What cannot be searched, and how an empty answer names it. */
const NOT_LOOKED_AT: Record<string, [files: Record<string, TreeEntry>, said: string]> = {
  blocked: [{ ".env": "needle\n", "a/.env": "needle\n" }, "2 blocked"],
  archives: [
    { "a.zip": latin("PK\x03\x04...\0"), "b.7z": latin("7z\xbc\xaf\x27\x1c\0") },
    "2 archives (7z, zip)",
  ],
  "an archive under another name": [{ "a.txt": latin("\xfd7zXZ\0...") }, "1 archive (xz)"],
  "gzip in gzip": [{ "a.gz": gzipOf(gzipOf("needle")) }, "1 archive (gzip)"],
  "a damaged file": [{ "a.gz": gzipOf("something else").subarray(0, -4) }, "1 unreadable"],
  "a link out": [{ "a": { symlink: "../.." } }, "1 link"],
  "what was excluded all the same": [{ "a.txt": "x".repeat(100) }, "1 too large"],
};

for (const [name, [files, said]] of Object.entries(NOT_LOOKED_AT)) {
  Deno.test(`an empty answer says what it could not look at: ${name}`, async () => {
    await using tree = await tempTree({ "plain.txt": "nothing\n", ...files });
    const size = said.endsWith("too large") ? ["--max-file-size", "50"] : [];
    const { notes, matches } = (await pathgrep(["-uuu", "needle", ...size], { cwd: tree.root }))
      .json();
    assert.deepEqual(matches, []);
    const note = notes.find((note: string) =>
      /^searched everything it may \(\d files?\); not looked at: /.test(note)
    );
    assert.equal(note?.replace(/^.*: /, ""), said, String(notes));
    if (size.length > 0) return;
    const workspace = await Workspace.open(tree.root);
    const grep = new GrepTool({ workspace });
    const found = await scopeOf(grep, { pattern: "nothing", everything: true });
    assert.equal(found.everything, false, "whatever was found");
    await using client = await connect("v1", { cwd: tree.root, args: ["--workspace", tree.root] });
    const { text } = await client.call("grep", { pattern: "needle", everything: true });
    const lines = text.split("\n").filter((line) => line.includes("searched everything it may ("));
    assert.equal(lines.length, 1, text);
    const line = lines[0]!.replace(/ \(\.env\)| \(in part\)$/g, "");
    assert.ok(line.includes(`not looked at: ${said}`), text);
  });
}

test.slow("what is left makes the scope say so: too large, unreadable, special, other names", async () => {
  const scopeWith = async (files: Record<string, TreeEntry>, make = "") => {
    await using tree = await tempTree({ "plain.txt": "nothing\n", ...files });
    if (make !== "") await sh(make, tree.root);
    const grep = new GrepTool({ workspace: await Workspace.open(tree.root) });
    const { everything, left_out } = await scopeOf(grep, { pattern: "absent", everything: true });
    const { names: _, ...counts } = left_out ?? {};
    return [everything, left_out && counts];
  };
  assert.deepEqual(await scopeWith({}), [true, undefined]);
  assert.deepEqual(await scopeWith({ ".git/config": "" }), [true, undefined]);
  assert.deepEqual(await scopeWith({ "a.gz": bombOf(17) }), [false, { too_large: 1 }]);
  assert.deepEqual(await scopeWith({}, "mkfifo pipe"), [false, { unreadable: 1 }]);
  assert.deepEqual(await scopeWith({}, "printf x > \"$(printf 'a\\377')\""), [false, {
    unreadable: 1,
  }]);
});

/** Links that lead to nothing that may be read, and whether they hide what may be there. */
const DEAD_LINKS: readonly [
  target: string,
  isHiding: boolean,
  files?: Record<string, TreeEntry>,
][] = [
  ["nowhere", false],
  ["no/../where", false],
  ["src/other", false, { "src/other": { symlink: "deep/absent" } }],
  ["../outside", true],
  [".env", true],
  [".env", true, { ".env": "needle\n" }],
  ["kept/a.ts", true, { ".aiexclude": "kept\n" }],
  ["kept/a.ts", true, { ".aiexclude": "kept\n", "kept/a.ts": "needle\n" }],
  ["src/env", true, { "src/env": { symlink: ".ssh/config" } }],
];

for (const [target, isHiding, files = {}] of DEAD_LINKS) {
  Deno.test(`a link that leads nowhere hides nothing: ${target} in ${JSON.stringify(files)}`, async () => {
    await using tree = await tempTree({
      ...{ "plain.txt": "nothing\n", "src/a.ts": "nothing\n", link: { symlink: target } },
      ...files,
    });
    const workspace = await Workspace.open(tree.root);
    const { everything, left_out } = await scopeOf(new GrepTool({ workspace }), {
      pattern: "absent",
      everything: true,
    });
    const links = "src/env" in files ? 2 : 1;
    assert.deepEqual([everything, left_out?.links], [!isHiding, isHiding ? links : undefined]);
  });
}

test.slow("a true absence is said as such", async () => {
  await using tree = await tempTree(FILES);
  const { notes, stderr } = {
    ...(await pathgrep(["--everything", "absent"], { cwd: tree.root })).json(),
    ...(await pathgrep(["--everything", "absent", "--format", "text"], { cwd: tree.root })),
  };
  assert.deepEqual(notes, ["searched everything it may (13 files)"]);
  assert.match(stderr, /searched everything it may \(13 files\)\n/);
});

test.slow("linked worktrees are searched, and what a listing would read is listed", async () => {
  await using tree = await tempTree({ "repo/a.txt": "needle\n", "repo/.gitignore": "*.log\n" });
  const git = "git -c user.name=a -c user.email=a@b";
  await sh(
    `cd repo && git init -q && git add . && ${git} commit -qm x && git worktree add -q ../other/tree`,
    tree.root,
  );
  await tree.write({ "other/tree/b.log": "needle\n", "repo/big.txt": "x".repeat(2_000_000) });
  const workspace = await Workspace.open(tree.root);
  const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
  const files = ["other/tree/a.txt", "other/tree/b.log", "repo/a.txt"];
  assert.deepEqual((await search({ ...query, everything: true }, { workspace })).files, files);
  assert.deepEqual((await search(query, { workspace })).files, ["repo/a.txt"]);
  const { files: listed } = await listFiles({ everything: true, paths: "relative" }, { workspace });
  const rules = ["other/tree/.gitignore", "repo/.gitignore", "repo/big.txt"];
  assert.deepEqual(listed, [...files, ...rules].sort());
});

/** The MCP tools have the key, and no more than these. */
Deno.test("grep and read_file have the key everything, glob has not", async () => {
  await using tree: Tree = await tempTree({ "a.txt": "" });
  const { stdout } = await pathgrep(["tools"], { cwd: tree.root });
  const keys = JSON.parse(stdout).map((tool: {
    name: string;
    parameters?: { properties: object };
    inputSchema?: { properties: object };
    input_schema?: { properties: object };
  }) => [
    tool.name,
    "everything" in (tool.parameters ?? tool.inputSchema ?? tool.input_schema)!.properties,
  ]);
  assert.deepEqual(keys, [["grep", true], ["glob", false], ["read_file", true]]);
});
