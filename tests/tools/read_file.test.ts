/**
 * The tool `read_file`: the lines of a file, as a search would see them; what it refuses; its pages.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type FileResult,
  GlobTool,
  type PermissionAnswer,
  type ReadFileAnswer,
  ReadFileTool,
  search,
  type ToolOptions,
  ToolRegistry,
  Workspace,
} from "../../mod.ts";
import { assertErrorShape, command } from "../support/acceptance.ts";
import { assertHolds } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { sh } from "../support/spawn.ts";
import { bytesOf, rowsOf } from "../support/testdata.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

interface Failed {
  error: string;
  code: string;
  path?: string;
  resolved_path?: string;
  suggestions?: string[];
  hint?: string;
  notes?: string[];
}

async function toolOn(t: Tree, options: Partial<ToolOptions> = {}): Promise<ReadFileTool> {
  return new ReadFileTool({ workspace: await Workspace.open(t.root), ...options });
}

/** What a call answers, which is not an error. */
async function read(tool: ReadFileTool, input: object): Promise<ReadFileAnswer> {
  const answer = await tool.execute(input);
  assert.ok(!("error" in answer), JSON.stringify(answer));
  return answer as ReadFileAnswer;
}

/** The error of a call. */
async function refused(tool: ReadFileTool, input: object, code: string): Promise<Failed> {
  const answer = await tool.execute(input);
  assertErrorShape(answer as never);
  const failed = answer as object as Failed;
  assert.equal(failed.code, code, JSON.stringify(answer));
  return failed;
}

const NUMBERS = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
const NUMBERED: Record<string, TreeEntry> = {
  "src/a.ts": NUMBERS.map((line) => `${line}\n`).join(""),
};

/** The numbers of the first and last line of an answer. */
function range({ start_line, line_count, lines }: ReadFileAnswer): [first: number, last: number] {
  const last = start_line + line_count - 1;
  assert.deepEqual(lines, NUMBERS.slice(start_line - 1, last));
  return [start_line, last];
}

Deno.test("the answer has the lines without their ends, and how many there are", async () => {
  const texts: Record<string, string[]> = {
    "": [],
    "one": ["one"],
    "one\n": ["one"],
    "\n": [""],
    "\n\n": ["", ""],
    "one\ntwo": ["one", "two"],
    "one\r\n\r\ntwo\r\n": ["one", "", "two"],
    "one\rtwo\r\n\rthree\r": ["one\rtwo", "\rthree\r"],
    "\ufeffone\n\ufefftwo\n": ["one", "\ufefftwo"],
    "a\u2028b\u0085c\vd\n\te \n": ["a\u2028b\u0085c\vd", "\te "],
    "é😀\n\u0301\n": ["é😀", "\u0301"],
  };
  const entries = Object.keys(texts).map((text, index) => [`${index}.txt`, text] as const);
  await using t = await tempTree(Object.fromEntries(entries));
  const tool = await toolOn(t);
  for (const [name, text] of entries) {
    const lines = texts[text]!;
    assert.deepEqual(await read(tool, { path: name }), {
      file: t.path(name),
      start_line: 1,
      line_count: lines.length,
      total_lines: lines.length,
      lines,
    }, JSON.stringify(text));
  }
});

Deno.test("offset and limit name the lines; where more follow, next_offset goes on", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const path = "src/a.ts";
  const { lines: _, ...part } = await read(tool, { path, offset: 11, limit: 5 });
  assert.deepEqual(part, {
    file: t.path(path),
    start_line: 11,
    line_count: 5,
    total_lines: 200,
    truncated: true,
    next_offset: 16,
  });
  assert.deepEqual(range(await read(tool, { path, offset: 199 })), [199, 200]);
  const { truncated, next_offset, ...last } = await read(tool, { path, offset: 196, limit: 5 });
  assert.deepEqual([range(last), truncated, next_offset], [[196, 200], undefined, undefined]);
  const seen: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const page: ReadFileAnswer = await read(tool, { path, offset, limit: 7 });
    seen.push(...page.lines);
    offset = page.next_offset;
  }
  assert.deepEqual(seen, NUMBERS);
});

Deno.test("2000 lines are read where nothing says how many", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(3000) });
  const tool = await toolOn(t);
  const { line_count, total_lines, next_offset } = await read(tool, { path: "a.txt" });
  assert.deepEqual([line_count, total_lines, next_offset], [2000, 3000, 2001]);
});

Deno.test("an offset past the end gives no lines, and a note on how many there are", async () => {
  await using t = await tempTree({ ...NUMBERED, "one.txt": "x", "empty.txt": "" });
  const tool = await toolOn(t);
  const cases = { "src/a.ts": "200 lines", "one.txt": "1 line", "empty.txt": "0 lines" };
  for (const [path, there] of Object.entries(cases)) {
    const { lines, line_count, start_line, truncated, notes } = await read(tool, {
      path,
      offset: 201,
    });
    assert.deepEqual([lines, line_count, start_line, truncated], [[], 0, 201, undefined]);
    assert.deepEqual(notes, [`offset 201 is past the last of ${there}`]);
  }
});

Deno.test("lines at the end of a path are the lines that are read, and only other repairs are noted", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const quotes = "without the surrounding quotes, backticks or leading @";
  const cases: [path: string, range: [number, number], said?: string][] = [
    ["src/a.ts:120", [120, 200]],
    ["src/a.ts:120:", [120, 200]],
    ["src/a.ts:120:7", [120, 200]],
    ["src/a.ts:120:const a = 1;", [120, 200], "from that line, without its text"],
    ["src/a.ts:120-160", [120, 160]],
    ["src/a.ts:7-7", [7, 7]],
    ["src/a.ts:L120-L160", [120, 160]],
    ["src/a.ts#L120-L160", [120, 160]],
    ["src/a.ts#L120-160", [120, 160]],
    ["src/a.ts#L120", [120, 200]],
    ["src/a.ts:190-999", [190, 200]],
    ["`src/a.ts:120-160`", [120, 160], quotes],
    ["`src/a.ts`:120", [120, 200], quotes],
    ["a.ts:120-160", [120, 160], "as the only path with this ending"],
    [`${t.path("src/a.ts")}:120`, [120, 200]],
    [`file://${t.path("src/a.ts")}#L120-L160`, [120, 160], "as a file URL"],
    [`file://${t.path("src/a.ts")}#L120`, [120, 200], "as a file URL"],
    [`file://${t.path("src/a.ts")}:120-160`, [120, 160], "as a file URL"],
    [`file://${t.path("src/a.ts")}#parse`, [1, 200], "as a file URL"],
  ];
  for (const [path, expected, said] of cases) {
    const answer = await read(tool, { path });
    assert.deepEqual(range(answer), expected, path);
    const note = `path ${JSON.stringify(path)} was interpreted ${said}: src/a.ts`;
    assert.deepEqual(answer.notes, said === undefined ? undefined : [note], path);
  }
});

Deno.test("lines in the path and the same in the keys agree; what differs is an error that names both", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const agreeing: [input: object, range: [number, number]][] = [
    [{ path: "src/a.ts:120", offset: 120 }, [120, 200]],
    [{ path: "src/a.ts:120", limit: 3 }, [120, 122]],
    [{ path: "src/a.ts:120-160", offset: 120, limit: 41 }, [120, 160]],
    [{ path: "src/a.ts:120-160", limit: 41 }, [120, 160]],
  ];
  for (const [input, expected] of agreeing) {
    assert.deepEqual(range(await read(tool, input)), expected);
  }
  const differing: [input: object, error: RegExp][] = [
    [{ path: "src/a.ts:120", offset: 1 }, /path names line 120 .*, which offset gives as 1$/],
    [
      { path: "src/a.ts:120-160", offset: 121 },
      /path names line 120 .*, which offset gives as 121$/,
    ],
    [{ path: "src/a.ts:120-160", limit: 40 }, /path names 41 lines, which limit gives as 40$/],
    [{ path: "src/a.ts#L120-L120", limit: 2 }, /path names 1 line, which limit gives as 2$/],
    [{ path: "src/a.ts:0" }, /path names line 0, and lines are counted from 1$/],
    [{ path: "src/a.ts:0-5" }, /path names line 0, and lines are counted from 1$/],
    [{ path: "src/a.ts:160-120" }, /path names lines 160 to 120, an empty range$/],
    [{ path: `src/a.ts:${"9".repeat(30)}` }, /path names line 1e\+30, which no file has$/],
    [{ path: "src/a.ts:3-5:7" }, /path names lines twice$/],
  ];
  for (const [input, error] of differing) {
    const { error: said, hint } = await refused(tool, input, "invalid_input");
    assert.match(said, error);
    assert.match(String(hint), /offset.*limit/);
  }
});

Deno.test("a name that exists is read as it is, whatever lines it seems to name", async () => {
  const names = ["a.ts:2", "a.ts:1-2", "a.ts#L2", "a.ts:2:x"];
  const entries = Object.fromEntries(names.map((name) => [name, `own ${name}\n`]));
  await using t = await tempTree({ "a.ts": "1\n2\n3\n", ...entries });
  const tool = await toolOn(t);
  for (const path of names) {
    const { file, lines, notes } = await read(tool, { path, offset: 1 });
    assert.deepEqual([file, lines, notes], [t.path(path), [`own ${path}`], undefined]);
  }
});

Deno.test("near neighbours of lines in a path are refused", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const neighbours = [
    ...["src/a.ts:", "src/a.ts:x", "src/a.ts:-5", "src/a.ts:5-", "src/a.ts#120", "src/a.ts:1,5"],
    ...["src/a.ts 120", "src/a.ts(120)", "src/a.ts+120", "src/a.ts@120", "src/a.ts:1..5"],
  ];
  for (const path of neighbours) {
    const { suggestions } = await refused(tool, { path }, "path_not_found");
    assert.deepEqual(suggestions ?? ["src/a.ts"], ["src/a.ts"], path);
  }
});

Deno.test("long lines are cut at their end, and a note says which", async () => {
  const long = "x".repeat(2001);
  await using t = await tempTree({
    "one.txt": `a\n${long}\nb\n`,
    "limit.txt": `${"x".repeat(2000)}\n${"😀".repeat(2000)}\n`,
    "some.txt": `${long}\n`.repeat(7),
  });
  const tool = await toolOn(t);
  const one = await read(tool, { path: "one.txt" });
  assert.deepEqual(one.lines, ["a", "x".repeat(2000), "b"]);
  const rest = "cut after 2000 characters; grep shows the rest around a match";
  assert.deepEqual(one.notes, [`line 2 was ${rest}`]);
  assert.equal((await read(tool, { path: "one.txt", offset: 3 })).notes, undefined);
  assert.equal((await read(tool, { path: "limit.txt" })).notes, undefined);
  const { notes } = await read(tool, { path: "some.txt" });
  assert.deepEqual(notes, [`lines 1, 2, 3, 4, 5 and 2 more were ${rest}`]);
});

Deno.test("an answer keeps to its characters by leaving out lines at the end, never all of them", async () => {
  await using t = await tempTree({
    "a.txt": "0123456789".repeat(10).concat("\n").repeat(2000),
    "quotes.txt": `${'"'.repeat(1500)}\n${"\x1b".repeat(2000)}\nlast\n`,
  });
  const tool = await toolOn(t);
  const usual = await read(tool, { path: "a.txt" });
  const size = JSON.stringify(usual).length;
  assert.ok(size <= 40_000 && size > 39_000, `${size}`);
  assert.equal(usual.next_offset, usual.line_count + 1);
  for (const max_output_chars of [1000, 5000, 100_000, 1_000_000]) {
    for (const path of ["a.txt", "quotes.txt"]) {
      for (
        let offset: number | undefined = 1, pages = 0;
        offset !== undefined && pages < 3;
        pages++
      ) {
        const answer: ReadFileAnswer = await read(tool, { path, offset, max_output_chars });
        assert.ok(JSON.stringify(answer).length <= max_output_chars, path);
        assert.ok(answer.line_count > 0);
        assert.equal(answer.lines.length, answer.line_count);
        offset = answer.next_offset;
      }
    }
  }
  const cut = await read(tool, { path: "quotes.txt", max_output_chars: 1000 });
  assert.match(cut.lines[0]!, /^"{100,}$/);
  assert.match(cut.notes![0]!, /^line 1 was cut after \d{3} characters/);
  await refused(tool, { path: "a.txt", max_output_chars: 999 }, "invalid_input");
});

Deno.test("the notes of a call count towards its characters", async () => {
  await using t = await tempTree({ "a.txt": "x\n".repeat(2000) });
  const notes = ["n".repeat(500)];
  const tool = await toolOn(t, { notes });
  const answer = await read(tool, { path: "a.txt:1", max_output_chars: 1000 });
  assert.equal(answer.notes?.[0], notes[0]);
  assert.ok(JSON.stringify(answer).length <= 1000);
});

interface Sample {
  file: string;
  encoding?: string;
  text: string;
}

const SAMPLES = rowsOf<Sample>("encodings/samples.jsonl");

Deno.test("files in every encoding are read by its label, and without it the error says how to name it", async () => {
  const files = SAMPLES.map(({ file }) => [file, bytesOf(`encodings/${file}`)] as const);
  await using t = await tempTree(Object.fromEntries(files));
  const tool = await toolOn(t);
  for (const { file: path, encoding, text } of SAMPLES) {
    const lines = text.replace(/\n$/, "").split("\n");
    assert.deepEqual((await read(tool, { path, encoding: encoding ?? "" })).lines, lines, path);
    if (encoding === undefined) continue;
    const { hint, error } = await refused(tool, { path }, "path_unsupported");
    assert.match(error, /Path is (?:not UTF-8 text|a binary file): \//);
    assert.match(hint!, /encoding/);
  }
  await refused(tool, { path: "gbk.txt", encoding: "klingon" }, "invalid_input");
});

Deno.test("a file that is UTF-8 or marked is read so, whatever encoding is named", async () => {
  await using t = await tempTree({ "a.txt": "é\n", "b.txt": Uint8Array.of(0xff, 0xfe, 0xe9, 0) });
  const tool = await toolOn(t);
  for (const path of ["a.txt", "b.txt"]) {
    assert.deepEqual((await read(tool, { path, encoding: "windows-1252" })).lines, ["é"]);
  }
});

Deno.test("a binary file is unsupported, however far its NUL is, and the hint says what would be read", async () => {
  const late = new Uint8Array(3 << 20).fill(10);
  late[late.length - 1] = 0;
  await using t = await tempTree({ "bin": "a\0b\n", "late": late });
  const tool = await toolOn(t);
  for (const [path, sent] of [["bin", "encoding"], ["late", "everything"]] as const) {
    const { error, hint, resolved_path } = await refused(
      tool,
      { path, limit: 1 },
      "path_unsupported",
    );
    assert.equal(error, `path resolution failed: Path is a binary file: ${t.path(path)}`);
    assert.equal(resolved_path, t.path(path));
    assert.ok(hint!.startsWith(`send {"${sent}":`), hint);
  }
});

Deno.test("a directory answers with its listing, in the shape of glob's answer to DIR/*", async () => {
  await using t = await tempTree({
    ".gitignore": "*.log\nout\n",
    ".aiexclude": "hush*\n",
    "src/b.ts": "x\n",
    "src/a.ts": "x\n".repeat(1 << 20),
    "src/bin": "\0",
    "src/x.log": "x\n",
    "src/.env": "x\n",
    "src/hushed.ts": "x\n",
    "src/deep/c.ts": "x\n",
    "src/hush/d.ts": "x\n",
    "[id]/a/e.ts": "x\n",
    "empty/": null,
    "link": { symlink: "$WS/src" },
    "out/f.ts": "x\n",
  });
  const workspace = await Workspace.open(t.root);
  const [tool, glob] = [new ReadFileTool({ workspace }), new GlobTool({ workspace })];
  const cases: [path: string, pattern: string, files: string[], directories?: string[]][] = [
    ["src", "src/*", ["src/a.ts", "src/b.ts", "src/bin"], ["src/deep/"]],
    ["src/", "src/*", ["src/a.ts", "src/b.ts", "src/bin"], ["src/deep/"]],
    ["src:12", "src/*", ["src/a.ts", "src/b.ts", "src/bin"], ["src/deep/"]],
    [t.path("src/deep"), "src/deep/*", ["src/deep/c.ts"]],
    ["link", "src/*", ["src/a.ts", "src/b.ts", "src/bin"], ["src/deep/"]],
    ["[id]", "\\[id\\]/*", [], ["[id]/a/"]],
    [".", "./*", [".aiexclude", ".gitignore"], ["[id]/", "empty/", "src/"]],
    ["empty", "empty/*", []],
  ];
  for (const [path, pattern, files, directories] of cases) {
    const { scope, notes, ...answer } = await tool.execute({ path }) as FileResult;
    assert.deepEqual(answer, {
      pattern,
      base_path: await Deno.realPath(t.path(path.replace(t.root, "").replace(":12", ""))),
      output_mode: "file",
      files: files.map((file) => t.path(file)),
      ...(directories && { directories: directories.map((name) => t.path(name)) }),
      count: files.length,
    });
    assert.equal(scope!.searched, files.length);
    assert.equal(notes, undefined, "lines of a directory are its entries");
    const { files: same, directories: too } = await glob.execute({ pattern }) as FileResult;
    assert.deepEqual([same, too], [answer.files, answer.directories], pattern);
  }
  // One that is named is listed although it is ignored, as it is searched.
  assert.deepEqual((await tool.execute({ path: "out" }) as FileResult).files, [t.path("out/f.ts")]);
  for (const path of ["src/hush", "src/.env/x"]) {
    assert.equal((await refused(tool, { path }, "permission_denied_by_policy")).code !== "", true);
  }
});

Deno.test("offset and limit are entries of a listing, from 1, and its pages keep to the budget", async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `many/${index + 1000}.txt`);
  await using t = await tempTree({
    "many/deep/": null,
    ...Object.fromEntries(names.map((name) => [name, "x\n"])),
  });
  const tool = await toolOn(t);
  for (const input of [{}, { limit: 7 * 50 }, { max_output_chars: 10_000 }]) {
    const found: string[] = [];
    let directories = 0;
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const answer = await tool.execute({ path: "many", ...input, offset }) as FileResult;
      assert.ok(JSON.stringify(answer).length <= (input.max_output_chars ?? 40_000));
      directories += answer.directories?.length ?? 0;
      found.push(...answer.files);
      offset = answer.next_offset;
    }
    assert.deepEqual(found, names.map((name) => t.path(name)));
    assert.equal(directories, 1, "on the first page");
  }
});

Deno.test("who was asked for a directory outside is asked once for its listing", async () => {
  await using t = await tempTree({ "../beside/a.txt": "x\n", "../beside/b/": null });
  let asked = 0;
  const permissionRequester = {
    request: () => (asked++, Promise.resolve("allow" as const)),
  };
  const tool = new ReadFileTool({ workspace: await Workspace.open(t.root), permissionRequester });
  const answer = await tool.execute({ path: t.path("../beside") }) as FileResult;
  assert.deepEqual(answer.files, [t.path("../beside/a.txt")]);
  assert.deepEqual(answer.directories, [`${t.path("../beside/b")}/`]);
  assert.equal(asked, 1);
});

Deno.test("every other path error is that of grep", async () => {
  await using t = await tempTree({
    "src/a.ts": "x\n",
    "lib.rs/": null,
    "a/mod.rs": "x\n",
    "b/mod.rs": "x\n",
    ".env": "KEY\n",
    "secret.txt": "KEY\n",
    ".aiexclude": "secret.txt\n",
    "link": { symlink: "../outside.txt" },
    "loop": { symlink: "loop" },
    "../outside.txt": "KEY\n",
  });
  await sh("mkfifo pipe", t.root);
  const workspace = await Workspace.open(t.root);
  const tools = ToolRegistry.of({ workspace });
  const paths = [
    ...["src/b.ts", "mod.rs", "absent", "src/a.ts/x", ".env", "secret.txt"],
    ...["../outside.txt", "/etc/passwd", "link", "loop", "pipe", "a\0b", ".git/config", "/"],
  ];
  for (const path of paths) {
    const found = await tools.execute("grep", { pattern: "x", path }) as Failed & {
      pattern?: string;
    };
    const { pattern: _, hint, ...expected } = found;
    const { hint: ours, ...got } = await tools.execute("read_file", { path }) as Failed;
    assert.deepEqual(got, expected, path);
    assert.ok("error" in got, path);
    assert.equal(ours === undefined, hint === undefined);
    assert.doesNotMatch(ours ?? "", /search everything|include/);
  }
  const { hint } = await tools.execute("read_file", { path: "src/*.ts" }) as Failed;
  assert.match(hint!, /^a path cannot be a glob: .*the glob tool.* and use one path$/);
});

Deno.test("a blank path is an error that says what to use, not the whole workspace", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const tool = await toolOn(t);
  for (const path of ["", " ", "\t\n"]) {
    const { error, hint } = await refused(tool, { path }, "path_empty");
    assert.equal(error, "path resolution failed: path is empty");
    assert.match(hint!, /^send the path of a file/);
  }
  for (const input of [{}, { path: null }, { path: 7 }, { path: ["a.txt", 7] }]) {
    await refused(tool, input, "invalid_input");
  }
  assert.deepEqual((await read(tool, { path: ["a.txt"] })).lines, ["x"]);
});

Deno.test("offset and limit are whole numbers from 1", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const path = "src/a.ts";
  for (const value of [-1, 1.5, "x", true, "-1", 2 ** 53]) {
    for (const key of ["offset", "limit", "end_line"]) {
      const { error } = await refused(tool, { path, [key]: value }, "invalid_input");
      assert.match(error, new RegExp(`${key} must be a whole number from 1`));
    }
  }
  assert.deepEqual(range(await read(tool, { path, offset: "3", limit: 2.0 })), [3, 4]);
  assert.deepEqual(range(await read(tool, { path, offset: null, limit: null })), [1, 200]);
  // As a 0 it can only mean the start, or no end.
  for (const value of [0, "0", [0]]) {
    for (const key of ["offset", "limit", "end_line", "start_line", "max_output_chars"]) {
      const answer = await read(tool, { path, [key]: value });
      assert.deepEqual(range(answer), [1, 200]);
      assert.match(
        String(answer.notes),
        new RegExp(`^"?${key}.* was interpreted as (?:offset )?absent$`),
      );
      assert.deepEqual(range(await read(tool, { path: `${path}:7-9`, [key]: value })), [7, 9]);
    }
  }
});

Deno.test("keys of other agents' read tools are read where they can mean one thing", async () => {
  await using t = await tempTree(NUMBERED);
  const tools = ToolRegistry.of({ workspace: await Workspace.open(t.root) });
  const file = t.path("src/a.ts");
  const cases: [tool: string, input: object, range: [number, number]][] = [
    ["Read", { file_path: file, offset: 120, limit: 41 }, [120, 160]],
    ["read_file", { absolute_path: file }, [1, 200]],
    ["read_file", { target_file: "src/a.ts", should_read_entire_file: true }, [1, 200]],
    ["read_file", {
      target_file: "src/a.ts",
      should_read_entire_file: false,
      start_line_one_indexed: 120,
      end_line_one_indexed_inclusive: 160,
      explanation: "to see it",
    }, [120, 160]],
    ["read_file", { filePath: file, startLine: 120, endLine: 160 }, [120, 160]],
    ["read_file", { path: "src/a.ts", start_line: "120", end_line: "160" }, [120, 160]],
    ["read_file", { path: "src/a.ts", end_line: 5 }, [1, 5]],
    ["read_file", { path: "src/a.ts", end_line: 5, limit: 5 }, [1, 5]],
    ["read_file", { path: "src/a.ts", start_line: 7, end_line: null }, [7, 200]],
    ["read_file", { path: "src/a.ts", end_line: 9, offset: 8 }, [8, 9]],
    ["ReadFile", { path: "src/a.ts", line_offset: 5, n_lines: 2 }, [5, 6]],
    ["mcp__pathgrep__read_file", { arguments: { path: "src/a.ts:3-4" } }, [3, 4]],
  ];
  for (const [name, input, expected] of cases) {
    const answer = await tools.execute(name, input) as ReadFileAnswer;
    assert.ok("lines" in answer, JSON.stringify([input, answer]));
    assert.deepEqual(range(answer), expected);
    assert.ok(answer.notes!.length > 0 || name === "mcp__pathgrep__read_file");
  }
  const refusals: object[] = [
    { start_line: 9, end_line: 8 },
    { start_line: 9, offset: 8 },
    { end_line: 9, limit: 8 },
    { end_line: -1 },
    { end_line: 2 ** 53 },
    { end_line: 2.5 },
    { end_line: "last" },
    { end_line: 5, last_line: 6 },
    { should_read_entire_file: true, start_line: 1, end_line: 9 },
    { should_read_entire_file: true, limit: 9 },
    { should_read_entire_file: "maybe" },
    { skip: 4 },
    { head_limit: 4 },
    { start: 4 },
  ];
  for (const input of refusals) {
    const answer = await tools.execute("read_file", { path: "src/a.ts", ...input }) as Failed;
    assert.equal(answer.code, "invalid_input", JSON.stringify([input, answer]));
  }
  for (const name of ["read", "view", "cat", "open_file", "read_many_files", "READ"]) {
    const answer = await tools.execute(name, { path: "src/a.ts" }) as Failed;
    assert.match(answer.error, /^invalid input: unknown tool ".*"; use read_file$/);
  }
  // What means lines here means entries in a search.
  const grep = await tools.execute("grep", { pattern: "line", start_line: 2 }) as Failed;
  assert.equal(grep.code, "invalid_input");
});

/** What names lines beside the path, as a row, and the lines that each path gives with it; none: refused. */
const BESIDE: readonly [keys: object, alone: Lines, from3: Lines, from5to9: Lines][] = [
  [{}, [1, 30], [3, 30], [5, 9]],
  [{ offset: 3 }, [3, 30], [3, 30], undefined],
  [{ offset: 5 }, [5, 30], undefined, [5, 9]],
  [{ offset: 0 }, [1, 30], [3, 30], [5, 9]],
  [{ start_line: 5 }, [5, 30], undefined, [5, 9]],
  [{ line_number: 3 }, [3, 30], [3, 30], undefined],
  [{ line_number: 1 }, [1, 30], undefined, undefined],
  [{ line_number: true }, [1, 30], [3, 30], [5, 9]],
  [{ limit: 5 }, [1, 5], [3, 7], [5, 9]],
  [{ limit: 4 }, [1, 4], [3, 6], undefined],
  [{ limit: 0 }, [1, 30], [3, 30], [5, 9]],
  [{ end_line: 4 }, [1, 4], [3, 4], undefined],
  [{ end_line: 5 }, [1, 5], [3, 5], undefined],
  [{ end_line: 9 }, [1, 9], [3, 9], [5, 9]],
  [{ end_line: 2 }, [1, 2], undefined, undefined],
  [{ end_line: 0 }, [1, 30], [3, 30], [5, 9]],
  [{ end_line: 99 }, [1, 30], [3, 30], undefined],
  [{ endLine: "9", startLine: 5 }, [5, 9], undefined, [5, 9]],
  [{ offset: 3, limit: 2 }, [3, 4], [3, 4], undefined],
  [{ offset: 3, end_line: 4, limit: 2 }, [3, 4], [3, 4], undefined],
  [{ offset: 3, end_line: 4, limit: 3 }, undefined, undefined, undefined],
  [{ offset: 3, end_line: 2 }, undefined, undefined, undefined],
  [{ view_range: [5, 9] }, [5, 9], undefined, [5, 9]],
  [{ viewRange: ["5", "9"], limit: 5 }, [5, 9], undefined, [5, 9]],
  [{ line_range: "[3, 4]" }, [3, 4], [3, 4], undefined],
  [{ lines: "5-9" }, [5, 9], undefined, [5, 9]],
  [{ lines: " L5 - L9 " }, [5, 9], undefined, [5, 9]],
  [{ lines: [5, 9], offset: 5, end_line: 9 }, [5, 9], undefined, [5, 9]],
  [{ view_range: [3, -1] }, [3, 30], [3, 30], undefined],
  [{ view_range: [0, 4] }, [1, 4], undefined, undefined],
  [{ lines: `3-${"9".repeat(40)}` }, [3, 30], [3, 30], undefined],
  [{ lines: [], view_range: null }, [1, 30], [3, 30], [5, 9]],
  [{ lines: [5, 9], offset: 3 }, undefined, undefined, undefined],
  [{ lines: [5, 9], end_line: 8 }, undefined, undefined, undefined],
  [{ lines: [9, 5] }, undefined, undefined, undefined],
];

type Lines = readonly [first: number, last: number] | undefined;

Deno.test("lines in the path, in keys and in ranges give the lines that all of them mean", async () => {
  await using t = await tempTree({ "src/a.ts": `${NUMBERS.slice(0, 30).join("\n")}\n` });
  const tool = await toolOn(t);
  for (const [keys, ...expected] of BESIDE) {
    for (const [index, path] of ["src/a.ts", "src/a.ts:3", "src/a.ts:5-9"].entries()) {
      const call = { path, ...keys };
      const lines = expected[index];
      const what = JSON.stringify(call);
      if (lines === undefined) {
        const { error } = await refused(tool, call, "invalid_input");
        assert.match(error, /which .* gives as \d|name lines \d+ to \d+, an empty range/, what);
        continue;
      }
      const answer = await read(tool, call);
      assert.deepEqual(range(answer), [...lines], what);
      const last = lines[1] === 30 ? "(?:-30|-99)?" : `-${lines[1]}`;
      const shown = `^read src/a\\.ts(?::${lines[0]}${last})?$`;
      assert.match(tool.describe(call), new RegExp(shown), what);
    }
  }
  for (const lines of [5, "5", [5], [1, 2, 3], [[1, 2], [5, 6]], "1..5", [1.5, 2], [-1, 5], {}]) {
    for (const key of ["lines", "view_range", "line_range"]) {
      const { error } = await refused(tool, { path: "src/a.ts", [key]: lines }, "invalid_input");
      const got = `"${key}" must be two line numbers, such as [1, 20] or "1-20", got `;
      assert.ok(error.endsWith(got + JSON.stringify(lines)), error);
    }
  }
  const { error } = await refused(tool, { path: "src/a.ts", endLine: -1 }, "invalid_input");
  assert.match(error, /"endLine", interpreted as end_line, must be a whole number from 1, got -1$/);
  assert.deepEqual(range(await read(tool, { path: `src/a.ts:3-${"9".repeat(40)}` })), [3, 30]);
});

Deno.test("describe says which file and which lines", async () => {
  await using t = await tempTree(NUMBERED);
  const tool = await toolOn(t);
  const cases: [input: unknown, said: string][] = [
    [{ path: "src/a.ts" }, "read src/a.ts"],
    [{ path: "a.ts" }, "read a.ts"],
    [{ path: t.path("src/a.ts") }, "read src/a.ts"],
    [{ path: "src/a.ts:120-160" }, "read src/a.ts:120-160"],
    [{ path: "src/a.ts:120" }, "read src/a.ts:120"],
    [{ path: "src/a.ts:120", limit: 2 }, "read src/a.ts:120-121"],
    [{ path: "src/a.ts", offset: 120, limit: 41 }, "read src/a.ts:120-160"],
    [{ file_path: "src/a.ts", offset: 120 }, "read src/a.ts:120"],
    [{ path: "src/a.ts", limit: 50 }, "read src/a.ts:1-50"],
    [{ path: "absent:3" }, "read absent:3"],
    [{ path: "a\x1b[2J" }, "read a\\x1b[2J"],
    [{ path: "src/a.ts", offset: "x" }, "read src/a.ts"],
    [{}, "read the workspace"],
    [7, "read the workspace"],
  ];
  for (const [input, said] of cases) assert.equal(tool.describe(input), said);
});

Deno.test("with several roots a relative path is that of the first root that has it, with a note", async () => {
  await using t = await tempTree({ "../x/a.txt": "x\n", "../y/a.txt": "y\n", "../y/b.txt": "b\n" });
  const workspace = await Workspace.open([t.path("../x"), t.path("../y")]);
  const tool = new ReadFileTool({ workspace });
  const both = await read(tool, { path: "a.txt" });
  assert.deepEqual([both.file, both.lines], [t.path("../x/a.txt"), ["x"]]);
  const note = 'path "a.txt" was resolved in the first root that has it: x/a.txt, not y/a.txt';
  assert.deepEqual(both.notes, [note]);
  assert.equal((await read(tool, { path: "b.txt" })).file, t.path("../y/b.txt"));
  assert.deepEqual((await read(tool, { path: "y/a.txt:1" })).lines, ["y"]);
  const { files, pattern } = await tool.execute({ path: "." }) as FileResult;
  assert.deepEqual(files, [t.path("../x/a.txt")]);
  assert.equal(pattern, "x/*");
});

Deno.test("a path outside asks, by the name of the tool, and allow and deny count", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    ".env": "k\n",
    "../out/b.txt": "out\n",
    "../out/c.txt": "c\n",
  });
  const asked: string[] = [];
  let answer: PermissionAnswer = "allow";
  const permissionRequester = {
    request({ tool, resolvedPath }: { tool: string; resolvedPath: string }) {
      asked.push(`${tool} ${resolvedPath}`);
      return Promise.resolve(answer);
    },
  };
  const asking = await toolOn(t, { permissionRequester });
  assert.deepEqual((await read(asking, { path: "../out/b.txt" })).lines, ["out"]);
  assert.deepEqual(asked, [`read_file ${t.path("../out/b.txt")}`]);
  answer = "deny";
  await refused(asking, { path: "../out/b.txt" }, "permission_denied_by_user");
  const allowing = await toolOn(t, { allow: [".env", t.path("../out/**")], deny: ["a.txt"] });
  assert.deepEqual((await read(allowing, { path: ".env" })).lines, ["k"]);
  assert.deepEqual((await read(allowing, { path: "../out/c.txt" })).lines, ["c"]);
  await refused(allowing, { path: "a.txt" }, "permission_denied_by_policy");
});

Deno.test("what ignore files exclude from a search is read if it is named, as by grep", async () => {
  await using t = await tempTree({ ".gitignore": "build/\n", "build/out.js": "x\n" });
  assert.deepEqual((await read(await toolOn(t), { path: "build/out.js" })).lines, ["x"]);
});

test.slow(
  "a large file is read within the time, piece by piece, while others have their turn",
  inThreeTries(async () => {
    await using t = await tempTree({});
    const row = `${"0123456789".repeat(6)}\n`;
    using file = Deno.openSync(t.path("large.txt"), { write: true, create: true });
    const piece = new TextEncoder().encode(row.repeat(100_000));
    for (let written = 0; written < 300 * 1e6; written += piece.length) file.writeSync(piece);
    const lines = file.statSync().size / row.length;
    const tool = await toolOn(t);
    let longest = 0;
    let turned = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - turned);
      turned = performance.now();
    }, 1);
    const heap = Deno.memoryUsage().heapUsed;
    try {
      const answer = await read(tool, { path: "large.txt", offset: lines - 1 });
      assert.deepEqual([answer.line_count, answer.total_lines], [2, lines]);
    } finally {
      clearInterval(timer);
    }
    assertInTime(longest, 500, "a turn of others");
    assert.ok(Deno.memoryUsage().heapUsed - heap < 100e6);
    const ended = new AbortController();
    setTimeout(() => ended.abort(), 20);
    const started = performance.now();
    const stopped = await tool.execute({ path: "large.txt" }, { signal: ended.signal });
    assert.ok("error" in stopped);
    assert.equal(stopped.code, "cancelled");
    assertInTime(performance.now() - started, 1000, "a cancelled call");
    const hasty = await toolOn(t, { timeout: 20 });
    const { hint } = await refused(hasty, { path: "large.txt" }, "search_timed_out");
    assert.match(String(hint), /timeout/);
  }),
);

Deno.test("a line of any length is read without holding it", async () => {
  await using t = await tempTree({ "long.txt": `${"x".repeat(20 << 20)}\nlast\n` });
  const { lines, total_lines } = await read(await toolOn(t), { path: "long.txt" });
  assert.deepEqual([lines[0]!.length, lines[1], total_lines], [2000, "last", 2]);
});

Deno.test("calls at once never mix what they read", async () => {
  const names = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(97 + index));
  const text = (name: string, index: number) => `${name.repeat(40)}\n`.repeat(60_000 + index);
  await using t = await tempTree(
    Object.fromEntries(names.map((name, index) => [`${name}.txt`, text(name, index)])),
  );
  const tool = await toolOn(t);
  const pages = names.flatMap((name, index) =>
    [1, 30_000, 59_000].map(async (offset) => {
      const answer = await read(tool, { path: `${name}.txt`, offset, limit: 500 });
      assert.deepEqual([answer.file, answer.total_lines], [t.path(`${name}.txt`), 60_000 + index]);
      assert.deepEqual([...new Set(answer.lines)], [name.repeat(40)]);
    })
  );
  const found = search({ pattern: "a{40}", outputMode: "count", maxFileSize: 0 }, {
    workspace: await Workspace.open(t.root),
  });
  await Promise.all(pages);
  assert.equal((await found).count, 60_000);
});

Deno.test("every line that a search finds is what is read at its number", async (context) => {
  const breaks = fc.constantFrom("\n", "\r\n", "\n\n", "\r", "\u2028", "\r\r\n", "");
  const words = fc.constantFrom("", "a", "é", "😀", "\ufeff", "x".repeat(30), "needle", " ");
  const line = fc.tuple(fc.array(words, { maxLength: 4 }), breaks)
    .map(([parts, end]) => parts.join("") + end);
  const files = fc.array(fc.array(line, { maxLength: 30 }).map((lines) => lines.join("")), {
    minLength: 1,
    maxLength: 4,
  });
  await assertHolds(
    context,
    fc.asyncProperty(files, fc.constantFrom("utf-8", "utf-16le"), async (texts, encoding) => {
      const bytesOf = (text: string) =>
        encoding === "utf-8"
          ? text
          : new Uint8Array(Uint16Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).buffer);
      await using t = await tempTree(
        Object.fromEntries(texts.map((text, index) => [`${index}.txt`, bytesOf(text)])),
      );
      const workspace = await Workspace.open(t.root);
      const tool = new ReadFileTool({ workspace });
      const found = await search({ pattern: "^", maxResults: 0 }, { workspace });
      assert.ok(found.output_mode === "content");
      const byFile = Map.groupBy(found.matches, ({ file }) => file);
      for (const index of texts.keys()) {
        const { lines, file, total_lines } = await read(tool, { path: `${index}.txt` });
        const expected = byFile.get(file) ?? [];
        assert.deepEqual(lines, expected.map(({ line }) => line));
        assert.deepEqual(
          expected.map(({ line_number }) => line_number),
          [...lines.keys()].map((at) => at + 1),
        );
        assert.equal(total_lines, lines.length);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("pathgrep call read_file answers as the tool does", async () => {
  await using t = await tempTree(NUMBERED);
  const input = JSON.stringify({ path: "src/a.ts:2-3" });
  const answer = await command(["call", "read_file"], { cwd: t.root, stdin: input });
  assert.deepEqual(answer, await read(await toolOn(t), { path: "src/a.ts:2-3" }) as never);
});
