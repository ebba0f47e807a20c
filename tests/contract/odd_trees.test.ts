/**
 * Trees as they really are: odd names, odd files, odd encodings, and no search that fails or hangs
 * on any of them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { files, found, lines, withoutReadOverride } from "../support/acceptance.ts";
import { encode, sh } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test as plain, testNeeding } from "../support/needs.ts";

const test = testNeeding("setpriv");

Deno.test("FIFOs, sockets and links to them are passed over in a walk, with and without --follow", async () => {
  await using t = await tempTree({ "a.txt": "x\n", "d/b.txt": "x\n" });
  await sh("mkfifo pipe d/pipe; ln -s pipe link; ln -s d/pipe d/link", t.root);
  const listener = Deno.listen({ transport: "unix", path: t.path("sock") });
  try {
    for (const flags of [[], ["--follow"], ["--no-ignore"]]) {
      const result = await found(["x", ...flags], { cwd: t.root, limit: 15_000 });
      assert.deepEqual(lines(result, t.root), ["a.txt:1:x", "d/b.txt:1:x"]);
    }
  } finally {
    listener.close();
  }
});

Deno.test("an ignore file that is a FIFO, a directory or a dangling link hangs and fails nothing", async () => {
  await using t = await tempTree({
    "a/x.txt": "x\n",
    "b/x.txt": "x\n",
    "c/x.txt": "x\n",
    "b/.gitignore/": null,
    "c/.gitignore": { symlink: "nowhere" },
  });
  await sh("mkfifo a/.gitignore a/.ignore", t.root);
  const result = await found(["^x$"], { cwd: t.root, limit: 15_000 });
  assert.deepEqual(files(result, t.root), ["a/x.txt", "b/x.txt", "c/x.txt"]);
});

Deno.test("an ignore file that links out of the workspace is not read", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "b.txt": "x\n",
    ".gitignore": { symlink: "../outside-rules" },
    "../outside-rules": "a.txt\n",
  });
  const result = await found(["^x$"], { cwd: t.root });
  assert.deepEqual(files(result, t.root), ["a.txt", "b.txt"]);
});

Deno.test("symlink loops of every kind end", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "self": { symlink: "self" },
    "one": { symlink: "two" },
    "two": { symlink: "one" },
    "d/up": { symlink: ".." },
    "d/here": { symlink: "." },
    "d/e/top": { symlink: "$WS" },
  });
  for (const flags of [[], ["--follow"]]) {
    const result = await found(["x", ...flags], { cwd: t.root, limit: 15_000 });
    assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
  }
});

Deno.test("names with newlines, quotes, glob characters and control characters are answered exactly", async () => {
  const names = [
    "a\nb",
    "a\tb",
    "a'b\"c",
    "a\\b",
    "a*b",
    "[a]",
    "{a,b}",
    "-v",
    "--help",
    "a:1:b",
    " lead",
    "trail ",
    "\u0001\u001b[31m",
    "e\u0301",
    "é",
    "\u202Etxt",
    "😀",
    "con",
    "..x",
  ];
  await using t = await tempTree(Object.fromEntries(names.map((name) => [`d/${name}`, "x\n"])));
  const result = await found(["x", "-l"], { cwd: t.root });
  assert.deepEqual(new Set(files(result, t.root)), new Set(names.map((name) => `d/${name}`)));
  assert.equal(result.count, names.length);
});

Deno.test("a workspace root may have any name", async () => {
  const name = "od d[1]{a,b}*?'\"\\:é%20\n#";
  await using t = await tempTree({
    [`../${name}/src/a.ts`]: "x\n",
    [`../${name}/.gitignore`]: "/src/b.ts\n",
    [`../${name}/src/b.ts`]: "x\n",
    [`../${name}/.env`]: "x\n",
  });
  const root = t.path(`../${name}`);
  for (
    const args of [["^x$", "--workspace", root], ["^x$", "-g", "src/*.ts", "--workspace", root]]
  ) {
    const result = await found(args, { cwd: "/" });
    assert.deepEqual(lines(result, root), ["src/a.ts:1:x"]);
    assert.equal(result.base_path, root);
  }
  for (const path of ["src/a.ts", `${root}/src/a.ts`]) {
    assert.deepEqual(lines(await found(["x", path], { cwd: root }), root), ["src/a.ts:1:x"]);
  }
  const url = new URL("file:///");
  url.pathname = `${root}/src/a.ts`.replaceAll("%", "%25").replaceAll("\\", "%5C")
    .replaceAll("\n", "%0A");
  assert.deepEqual(lines(await found(["x", url.href], { cwd: root }), root), ["src/a.ts:1:x"]);
});

Deno.test("UTF-16 that is cut short or holds half a pair never fails a search", async () => {
  const le = (...units: number[]) => units.flatMap((unit) => [unit & 0xff, unit >> 8]);
  await using t = await tempTree({
    "a.txt": "x\n",
    "half.txt": new Uint8Array([0xff, 0xfe, ...le(0x78, 0xd83d, 0x0a)]),
    "odd.txt": new Uint8Array([0xff, 0xfe, ...le(0x78, 0x0a), 0x79]),
    "mark-only.txt": new Uint8Array([0xfe, 0xff]),
  });
  const result = await found(["x"], { cwd: t.root });
  assert.ok(lines(result, t.root).includes("a.txt:1:x"));
  for (const match of result.matches ?? []) assert.ok(match.line.isWellFormed());
});

Deno.test("empty files, files of newlines and files without a final newline are read right", async () => {
  await using t = await tempTree({
    "empty": "",
    "newline": "\n",
    "newlines": "\n\n\n",
    "no-final": "a\nb",
    "crlf": "a\r\nb\r\n",
    "cr-only": "a\rb",
    "bom-only": "\uFEFF",
  });
  assert.deepEqual(lines(await found(["^"], { cwd: t.root }), t.root), [
    "cr-only:1:a\rb",
    "crlf:1:a",
    "crlf:2:b",
    "newline:1:",
    "newlines:1:",
    "newlines:2:",
    "newlines:3:",
    "no-final:1:a",
    "no-final:2:b",
  ]);
  const inverted = await found(["-v", "a|b"], { cwd: t.root });
  assert.deepEqual(files(inverted, t.root), ["newline", "newlines"]);
});

Deno.test("a NUL byte anywhere in the first part of a file makes it binary", async () => {
  await using t = await tempTree({
    "first.bin": "\0x\n",
    "middle.bin": `x\n${"filler\n".repeat(100)}\0\n`,
    "last.bin": "x\n\0",
    "a.txt": "x\n",
  });
  const result = await found(["x"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["a.txt:1:x"]);
  assert.equal(result.notes, undefined);
});

Deno.test("invalid UTF-8 of every kind is skipped and counted", async () => {
  const bad: Record<string, Uint8Array> = {
    "latin1.txt": new Uint8Array([0x78, 0x20, 0xe9, 0x0a]),
    "truncated.txt": new Uint8Array([0x78, 0x0a, 0xf0, 0x9f, 0x98]),
    "overlong.txt": new Uint8Array([0x78, 0xc0, 0xaf, 0x0a]),
    "surrogate.txt": new Uint8Array([0x78, 0xed, 0xa0, 0x80, 0x0a]),
    "late.txt": new Uint8Array([...encode("x\n".repeat(5000)), 0xff]),
  };
  await using t = await tempTree({ ...bad, "good.txt": "x \uFFFD\n" });
  const result = await found(["x"], { cwd: t.root });
  assert.deepEqual(lines(result, t.root), ["good.txt:1:x \uFFFD"]);
  assert.equal(result.notes?.length, 1);
  assert.match(result.notes?.[0] ?? "", /^5 files .*UTF-8/);
});

plain.slow("a huge line is searched, cut and answered", async () => {
  const half = "0123456789".repeat(200_000);
  await using t = await tempTree({ "min.js": `${half}needle${half}` });
  const result = await found(["needle", "min.js"], { cwd: t.root, limit: 30_000 });
  const match = result.matches?.[0];
  assert.equal(match?.column, 2_000_001);
  assert.equal(match?.line_truncated, true);
  assert.match(match?.line ?? "", /needle/);
  const end = await found(["needle\\d+$", "min.js"], { cwd: t.root, limit: 30_000 });
  assert.equal(end.count, 1);
});

Deno.test("a large file is right across every read boundary", async () => {
  let text = "";
  for (let i = 1; text.length < 3_000_000; i++) text += `line ${i} é😀 ${"-".repeat(i % 211)}\n`;
  await using t = await tempTree({ "big.txt": text, "big.crlf": text.replaceAll("\n", "\r\n") });
  const expected = text.slice(0, -1).split("\n");
  for (const file of ["big.txt", "big.crlf"]) {
    const all = await found(["^line \\d+ é😀 -*$", "-c", file], { cwd: t.root });
    assert.equal(all.count, expected.length);
    const some = await found(["line \\d*777 ", "-C1", file], { cwd: t.root });
    const numbers = expected.flatMap((line, i) => /line \d*777 /.test(line) ? [i + 1] : []);
    assert.deepEqual(some.matches?.map((match) => match.line_number), numbers);
    for (const match of some.matches ?? []) {
      assert.equal(match.line, expected[match.line_number - 1]);
      assert.deepEqual(match.before, [expected[match.line_number - 2]]);
      assert.deepEqual(match.after, [expected[match.line_number]]);
    }
  }
});

test("unreadable files and directories are counted in notes and the rest is answered", async () => {
  await using t = await tempTree({
    "a.txt": "x\n",
    "locked.txt": "x\n",
    "locked-dir/b.txt": "x\n",
    "list-only/c.txt": "x\n",
    "sub/.gitignore": "nothing\n",
    "sub/d.txt": "x\n",
  });
  await Deno.chmod(t.path("locked.txt"), 0o000);
  await Deno.chmod(t.path("locked-dir"), 0o000);
  await Deno.chmod(t.path("list-only"), 0o444);
  await Deno.chmod(t.path("sub/.gitignore"), 0o000);
  for (const flags of [[], ["--follow"], ["--sort", "modified"]]) {
    const result = await found(["^x$", ...flags], { cwd: t.root, wrapper: withoutReadOverride() });
    assert.deepEqual(new Set(lines(result, t.root)), new Set(["a.txt:1:x", "sub/d.txt:1:x"]));
    assert.ok((result.notes ?? []).length > 0);
  }
});

plain.slow("a deep tree and a wide directory are searched whole", async () => {
  const deep = `${"d/".repeat(300)}leaf.txt`;
  const wide = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`w/${i}.txt`, "y\n"]));
  await using t = await tempTree({ [deep]: "x\n", ...wide });
  const result = await found(["x|y", "-c", "--max-results", "2000"], { cwd: t.root });
  assert.equal(result.count, 1201);
});

Deno.test("files that come and go during a walk never fail the search", async () => {
  await using t = await tempTree({ "a.txt": "stay\n" });
  const churn = new Deno.Command("sh", {
    args: [
      "-c",
      "while [ ! -e ../stop ]; do mkdir -p d/e; echo stay > d/e/f; echo stay > d/g; rm -rf d; done",
    ],
    cwd: t.root,
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    for (let round = 0; round < 6; round++) {
      const result = await found(["stay"], { cwd: t.root });
      assert.ok(lines(result, t.root).includes("a.txt:1:stay"));
    }
  } finally {
    await t.write({ "../stop": "" });
    await churn.status;
  }
});
