/**
 * What an answer holds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PathgrepError, search, Workspace } from "../../mod.ts";
import {
  type Answer,
  assertErrorShape,
  assertResultShape,
  fails,
  files,
  found,
  lines,
  withoutReadOverride,
} from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test as plain, testNeeding } from "../support/needs.ts";

const test = testNeeding("setpriv");

/** The rows of a `jsonl` answer. */
function rows(stdout: string): Answer[] {
  assert.ok(stdout.endsWith("\n"));
  return stdout.slice(0, -1).split("\n").map((row) => JSON.parse(row) as Answer);
}

Deno.test("a content answer has exactly its keys, in order", async () => {
  await using t = await tempTree({ "a.txt": "one\ntwo\n" });
  const ran = await pathgrep(["two"], { cwd: t.root });
  const expected = {
    pattern: "two",
    base_path: t.root,
    output_mode: "content",
    matches: [{ file: t.path("a.txt"), line_number: 2, line: "two" }],
    count: 1,
  };
  assert.equal(JSON.stringify(JSON.parse(ran.stdout)), JSON.stringify(expected));
});

Deno.test("a file answer has exactly its keys, in order", async () => {
  await using t = await tempTree({ "a.txt": "two\ntwo\n" });
  const ran = await pathgrep(["two", "-l"], { cwd: t.root });
  const expected = {
    pattern: "two",
    base_path: t.root,
    output_mode: "file",
    files: [t.path("a.txt")],
    count: 1,
  };
  assert.equal(JSON.stringify(JSON.parse(ran.stdout)), JSON.stringify(expected));
});

Deno.test("a count answer has exactly its keys, in order, and counts matching lines", async () => {
  await using t = await tempTree({ "a.txt": "x x\nx\n", "b.txt": "xx\n", "c.txt": "y\n" });
  const ran = await pathgrep(["x", "-c"], { cwd: t.root });
  const expected = {
    pattern: "x",
    base_path: t.root,
    output_mode: "count",
    counts: [{ file: t.path("a.txt"), count: 2 }, { file: t.path("b.txt"), count: 1 }],
    count: 3,
  };
  assert.equal(JSON.stringify(JSON.parse(ran.stdout)), JSON.stringify(expected));
});

Deno.test("no match is a success with an empty list in every mode", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const content = await found(["absent"], { cwd: t.root });
  assert.deepEqual(content, {
    pattern: "absent",
    base_path: t.root,
    output_mode: "content",
    matches: [],
    count: 0,
  });
  assert.deepEqual((await found(["absent", "-l"], { cwd: t.root })).files, []);
  assert.deepEqual((await found(["absent", "-c"], { cwd: t.root })).counts, []);
  await t.write({ "empty/": null });
  assert.deepEqual((await found(["absent", "empty"], { cwd: t.root })).matches, []);
});

Deno.test("base_path is the directory, the file, or the root when no path was given", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "link": { symlink: "src" } });
  const base = async (...path: string[]) =>
    (await found(["x", ...path], { cwd: t.root })).base_path;
  assert.equal(await base(), t.root);
  assert.equal(await base(""), t.root);
  assert.equal(await base("  "), t.root);
  assert.equal(await base("."), t.root);
  assert.equal(await base("src"), t.path("src"));
  assert.equal(await base("./src/"), t.path("src"));
  assert.equal(await base("src/a.ts"), t.path("src/a.ts"));
  assert.equal(await base("link"), t.path("src"), "canonical");
  assert.equal(await base("./link/../link/a.ts"), t.path("src/a.ts"), "canonical");
  assert.equal(await base("link/a.ts"), t.path("src/a.ts"), "canonical");
});

Deno.test("files of a target reached through a symlink have their canonical paths", async () => {
  await using t = await tempTree({ "src/a.ts": "x\n", "link": { symlink: "src" } });
  const result = await found(["x", "link"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["src/a.ts:1:x"]);
});

Deno.test("with several targets base_path is the first and base_paths lists all", async () => {
  await using t = await tempTree({ "a/1.txt": "x\n", "b/2.txt": "x\n", "c.txt": "x\n" });
  const result = await found(["x", "b", "c.txt"], { cwd: t.root });
  assert.equal(result.base_path, t.path("b"));
  assert.deepEqual(result.base_paths, [t.path("b"), t.path("c.txt")]);
  assert.deepEqual(new Set(files(result, t.root)), new Set(["b/2.txt", "c.txt"]));
  const single = await found(["x", "b"], { cwd: t.root });
  assert.ok(!("base_paths" in single));
});

Deno.test("overlapping targets and roots yield each file once", async () => {
  await using t = await tempTree({
    "a/1.txt": "x\n",
    "a/b/2.txt": "x\n",
    "l.txt": { symlink: "a/1.txt" },
  });
  const targets = await found(["x", "a", ".", "a/b", "a/1.txt", "l.txt"], { cwd: t.root });
  assert.deepEqual(lines(targets, t.root), ["a/1.txt:1:x", "a/b/2.txt:1:x"]);
  const roots = await found(
    ["x", "-c", "--workspace", t.path("a/b"), "--workspace", t.root, "--workspace", t.root],
    { cwd: "/" },
  );
  assert.equal(roots.count, 2);
});

Deno.test("a line comes without its \\n or \\r\\n and keeps everything else", async () => {
  await using t = await tempTree({
    "a.txt": "x one\r\nx two\nx\tthree \r\n  x four\rfive\r\nx six",
  });
  const result = await found(["x"], { cwd: t.root });
  assert.deepEqual((result.matches ?? []).map((match) => match.line), [
    "x one",
    "x two",
    "x\tthree ",
    "  x four\rfive",
    "x six",
  ]);
  assert.deepEqual((result.matches ?? []).map((match) => match.line_number), [1, 2, 3, 4, 5]);
});

Deno.test("U+2028, U+2029, U+0085, form feed and a lone carriage return end no line", async () => {
  await using t = await tempTree({ "a.txt": "a\u2028b\u2029c\u0085d\fe\rf\vg\nz\n" });
  const result = await found(["^a.*g$"], { cwd: t.root });
  assert.deepEqual((result.matches ?? []).map((match) => [match.line_number, match.line]), [
    [1, "a\u2028b\u2029c\u0085d\fe\rf\vg"],
  ]);
  assert.equal((await found(["^b|^f"], { cwd: t.root })).count, 0);
  assert.equal((await found(["^z$"], { cwd: t.root })).matches?.[0]?.line_number, 2);
});

Deno.test("$ and ^ hold at \\r\\n lines as at \\n lines", async () => {
  await using t = await tempTree({ "a.txt": "x\r\n\r\nx\r\n" });
  assert.equal((await found(["^x$"], { cwd: t.root })).count, 2);
  assert.deepEqual(lines(await found(["^$"], { cwd: t.root }), t.root), ["a.txt:2:"]);
  assert.equal((await found(["\\r"], { cwd: t.root })).count, 0);
});

Deno.test("a final newline starts no further line and an empty file has no lines", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "b.txt": "", "c.txt": "\n", "d.txt": "x" });
  assert.deepEqual(lines(await found([".*"], { cwd: t.root }), t.root), [
    "a.txt:1:x",
    "c.txt:1:",
    "d.txt:1:x",
  ]);
});

Deno.test("the first line comes without a byte-order mark, and is matched without it", async () => {
  await using t = await tempTree({ "a.txt": "\uFEFFfirst\n\uFEFFsecond\n" });
  const result = await found(["^first", "--column"], { cwd: t.root });
  assert.deepEqual(result.matches, [
    { file: t.path("a.txt"), line_number: 1, line: "first", column: 1 },
  ]);
});

Deno.test("before and after stand in each entry, complete by itself", async () => {
  await using t = await tempTree({ "a.txt": "1\nhit a\nhit b\n4\n" });
  const result = await found(["hit", "-C1"], { cwd: t.root });
  assert.deepEqual(result.matches, [
    { file: t.path("a.txt"), line_number: 2, line: "hit a", before: ["1"], after: ["hit b"] },
    { file: t.path("a.txt"), line_number: 3, line: "hit b", before: ["hit a"], after: ["4"] },
  ]);
  const crlf = await tempTree({ "a.txt": "1\r\nhit\r\n3\r\n" });
  await using _ = crlf;
  const windows = await found(["hit", "-C1"], { cwd: crlf.root });
  assert.deepEqual(windows.matches?.[0]?.before, ["1"]);
  assert.deepEqual(windows.matches?.[0]?.after, ["3"]);
});

Deno.test("-m with context keeps the lines after the last match", async () => {
  await using t = await tempTree({ "a.txt": "hit\n2\n3\nhit\n" });
  const result = await found(["hit", "-m1", "-A2"], { cwd: t.root });
  assert.deepEqual(result.matches?.map((match) => match.after), [["2", "3"]]);
});

Deno.test("column counts code points from 1", async () => {
  await using t = await tempTree({ "a.txt": "needle\n\u{1F600}\u{1F600}needle\ne\u0301needle\n" });
  const result = await found(["needle", "--column"], { cwd: t.root });
  assert.deepEqual(result.matches?.map((match) => match.column), [1, 3, 3]);
});

Deno.test("a cut line never splits a character and says where the match is", async () => {
  const line = `${"\u{1F600}".repeat(500)}needle${"\u{1F601}".repeat(500)}`;
  await using t = await tempTree({ "a.txt": `${line}\n` });
  for (const limit of ["10", "11", "12", "13", "50"]) {
    const match = (await found(["needle", "--max-line-length", limit], { cwd: t.root })).matches
      ?.[0];
    assert.ok(match);
    assert.equal(match.line_truncated, true);
    assert.equal(match.column, 501);
    assert.match(match.line, /needle/);
    assert.ok(match.line.isWellFormed());
  }
});

Deno.test("with -U there is one entry per match with all the lines it touches", async () => {
  await using t = await tempTree({
    "a.txt": "zero\nfoo {\n  a\n} end\nfoo {\n} x\n",
    "crlf.txt": "foo {\r\n} y\r\n",
  });
  const result = await found(["-U", "foo \\{[^}]*\\}"], { cwd: t.root });
  assert.deepEqual(result.matches, [
    { file: t.path("a.txt"), line_number: 2, line: "foo {\n  a\n} end" },
    { file: t.path("a.txt"), line_number: 5, line: "foo {\n} x" },
    { file: t.path("crlf.txt"), line_number: 1, line: "foo {\n} y" },
  ]);
});

Deno.test("with -U a dot stops at the line end unless (?s) is set", async () => {
  await using t = await tempTree({ "a.txt": "a1\nb1\n" });
  assert.equal((await found(["-U", "a.*b"], { cwd: t.root })).count, 0);
  const dotAll = await found(["-U", "(?s)a.*b"], { cwd: t.root });
  assert.deepEqual(dotAll.matches?.map((match) => match.line), ["a1\nb1"]);
});

test("files too large, not UTF-8 and unreadable are counted in notes", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "big1.txt": "x".repeat(200),
    "big2.txt": "x".repeat(200),
    "latin1.txt": new Uint8Array([0x78, 0xe9, 0x0a]),
    "locked.txt": "x\n",
  });
  await Deno.chmod(t.path("locked.txt"), 0o000);
  const result = await found(["x", "-l", "--max-file-size", "100"], {
    cwd: t.root,
    wrapper: withoutReadOverride(),
  });
  assert.deepEqual(files(result, t.root), ["a.txt"]);
  const notes = result.notes ?? [];
  const large = "2 files over 100 bytes were not searched, the first is big1.txt";
  assert.ok(notes.some((note) => note.startsWith(large)), notes.join("\n"));
  assert.ok(notes.some((note) => /^1 file.*UTF-8/.test(note)), notes.join("\n"));
  assert.ok(notes.some((note) => /^1 file.*(read|permission)/i.test(note)), notes.join("\n"));
});

Deno.test("why a named file was not searched is reported", async () => {
  await using t = await tempTree({
    "a.bin": "x\0y\n",
    "latin1.txt": new Uint8Array([0x78, 0xe9, 0x0a]),
  });
  const binary = await found(["x", "a.bin"], { cwd: t.root });
  assert.equal(binary.count, 0);
  assert.match((binary.notes ?? []).join("\n"), /binary/);
  const latin1 = await found(["x", "latin1.txt"], { cwd: t.root });
  assert.equal(latin1.count, 0);
  assert.match((latin1.notes ?? []).join("\n"), /UTF-8/);
});

Deno.test("what a walk skips as binary, ignored or blocked is in stats only", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "b.bin": "x\0\n",
    ".gitignore": "c.md\n",
    "c.md": "x\n",
    ".env": "x\n",
  });
  const result = await found(["x"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
  assert.equal(result.notes, undefined);
});

Deno.test("UTF-16 with a byte-order mark is decoded, either byte order", async () => {
  const text = "first\r\nné\u{1F600}edle\r\n";
  const little = [0xff, 0xfe];
  const big = [0xfe, 0xff];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    little.push(unit & 0xff, unit >> 8);
    big.push(unit >> 8, unit & 0xff);
  }
  await using t = await tempTree({
    "big.txt": new Uint8Array(big),
    "little.txt": new Uint8Array(little),
  });
  const result = await found(["^né.edle$"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), [
    "big.txt:2:né\u{1F600}edle",
    "little.txt:2:né\u{1F600}edle",
  ]);
  assert.equal((await found(["^first"], { cwd: t.root })).count, 2);
  assert.equal(result.notes, undefined);
});

Deno.test("the note about an include on a file target has its wording, and the file is searched", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const result = await found(["x", "a.txt", "--include", "*.md"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
  assert.deepEqual(result.notes, [
    "include filter ignored because a specific file path was provided",
  ]);
  const directory = await found(["x", ".", "--include", "*.txt"], { cwd: t.root });
  assert.equal(directory.notes, undefined);
});

Deno.test("jsonl gives a row per match in the sort order and a summary at the end", async () => {
  await using t = await tempTree({ "b.txt": "x1\nx2\n", "a.txt": "0\nx3\n" });
  const whole = await found(["x", "-C1"], { cwd: t.root });
  const ran = await pathgrep(["x", "-C1", "--format", "jsonl"], { cwd: t.root });
  const all = rows(ran.stdout);
  const summary = all.pop();
  assert.deepEqual(all, whole.matches?.map((match) => ({ type: "match", ...match })));
  for (const row of all) assert.equal(Object.keys(row)[0], "type");
  assert.equal(Object.keys(summary ?? {})[0], "type");
  const { matches: _, ...rest } = whole;
  assert.deepEqual(summary, { type: "summary", ...rest });
});

Deno.test("jsonl rows are typed by the output mode", async () => {
  await using t = await tempTree({ "a.txt": "x\nx\n", "b.txt": "x\n" });
  const counts = rows((await pathgrep(["x", "-c", "--format", "jsonl"], { cwd: t.root })).stdout);
  assert.deepEqual(counts.slice(0, -1), [
    { type: "count", file: t.path("a.txt"), count: 2 },
    { type: "count", file: t.path("b.txt"), count: 1 },
  ]);
  assert.equal(counts.at(-1)?.count, 3);
  const names = rows((await pathgrep(["x", "-l", "--format", "jsonl"], { cwd: t.root })).stdout);
  assert.deepEqual(names.slice(0, -1), [
    { type: "file", file: t.path("a.txt") },
    { type: "file", file: t.path("b.txt") },
  ]);
});

Deno.test("jsonl without a match is a summary alone, and an error is the last row", async () => {
  await using t = await tempTree({ "a.txt": "x\nx\nx\n" });
  const none = rows((await pathgrep(["absent", "--format", "jsonl"], { cwd: t.root })).stdout);
  assert.equal(none.length, 1);
  assert.equal(none[0]?.type, "summary");
  assert.equal(none[0]?.count, 0);
  const broad = await pathgrep(["x", "--format", "jsonl", "--max-results", "2"], { cwd: t.root });
  const last = rows(broad.stdout).at(-1);
  assert.equal(last?.code, "search_too_broad");
  assert.equal(broad.code, 2);
  const outside = rows(
    (await pathgrep(["x", "../o", "--format", "jsonl"], { cwd: t.root })).stdout,
  );
  assert.equal(outside.length, 1);
  assertErrorShape(outside[0] ?? {});
});

Deno.test("jsonl with truncation says so in the summary", async () => {
  await using t = await tempTree({ "a.txt": "x1\nx2\nx3\n" });
  const ran = await pathgrep(["x", "--format=jsonl", "--max-results=2", "--on-overflow=truncate"], {
    cwd: t.root,
  });
  const all = rows(ran.stdout);
  assert.deepEqual(all.slice(0, -1).map((row) => row.line), ["x1", "x2"]);
  assert.equal(all.at(-1)?.truncated, true);
  assert.equal(all.at(-1)?.next_offset, 2);
});

Deno.test("a JSON answer is well-formed whatever the files hold", async () => {
  await using t = await tempTree({
    "quotes\"and'\\.txt": 'x "quoted" \\ back\u0001\u001b[31m \u2028\n',
    "new\nline.txt": "x\n",
    "\u{1F600} space.txt": "x\u0000".slice(0, 1),
  });
  const result = await found(["x"], { cwd: t.root });
  assertResultShape(result);
  assert.deepEqual(files(result, t.root), [
    "new\nline.txt",
    "quotes\"and'\\.txt",
    "\u{1F600} space.txt",
  ]);
  assert.equal(result.matches?.[1]?.line, 'x "quoted" \\ back\u0001\u001b[31m \u2028');
});

plain.slow(
  "a result never holds a file whose path left the workspace during the search",
  async () => {
    const entries: Record<string, string> = {};
    for (let i = 0; i < 20; i++) {
      entries[`d/${i}.txt`] = "nothing\n";
      entries[`../outside/${i}.txt`] = "TOPSECRET\n";
    }
    await using t = await tempTree(entries);
    const swapper = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `while (!stopped()) {
  Deno.renameSync("d", "e");
  Deno.symlinkSync("../outside", "d");
  Deno.removeSync("d");
  Deno.renameSync("e", "d");
}
function stopped() { try { return Deno.statSync("../stop").isFile; } catch { return false; } }`,
      ],
      cwd: t.root,
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      const workspace = await Workspace.open(t.root);
      const codes = new Set<string>();
      for (let round = 0; round < 500; round++) {
        for (const path of ["", "d", "d/3.txt"]) {
          try {
            const result = await search({ pattern: "TOPSECRET", path }, { workspace });
            assert.equal(result.count, 0, JSON.stringify(result));
          } catch (error) {
            if (!(error instanceof PathgrepError)) throw error;
            codes.add(error.code);
          }
        }
      }
      for (const code of codes) assert.match(code, /^path_(not_found|outside_workspace)$/);
    } finally {
      await t.write({ "../stop": "" });
      await swapper.status;
    }
  },
);

Deno.test("an error has no result keys and a result no error keys", async () => {
  await using t = await tempTree({ "a.txt": "x\n" });
  const error = await fails("path_not_found", ["x", "absent"], { cwd: t.root });
  assert.ok(!("matches" in error) && !("count" in error));
  assert.ok(!("error" in (await found(["x"], { cwd: t.root }))));
});
