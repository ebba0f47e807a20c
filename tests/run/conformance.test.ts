/**
 * One table of cases, each answered by every engine: the answers are the same to the byte, and right.
 *
 * The cases are what users of ripgrep and git meet at the edges.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type MatchEntry,
  type PathgrepError,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { dirname } from "node:path";
import { pathgrep } from "../support/run.ts";
import { memoryTree, tempTree, type TreeEntry } from "../support/tree.ts";
import { comparable, type EngineAnswer, ENGINES, sameAnswer } from "../support/engines.ts";
import { rgPath } from "../support/oracles.ts";
import { rowsOf } from "../support/testdata.ts";
import { test } from "../support/needs.ts";

/** What is searched, how, and the entries of the right answer as {@linkcode entriesIn} writes them. */
interface Case {
  about: string;
  files: Readonly<Record<string, TreeEntry>>;
  query: SearchQuery;
  entries: readonly string[];
  /** An expression for what the notes say. */
  note?: string;
}

/** An answer in short: `file:line:text`, `file` or `file=count`; of an error, its code. */
function entriesIn(answer: EngineAnswer, root: string): string[] {
  const short = (file: string) => file.replace(`${root}/`, "");
  // deno-lint-ignore no-explicit-any -- answers of every shape
  const { matches, files, counts, code } = answer as any;
  if (code !== undefined) return [`!${code}`];
  if (files !== undefined) return files.map(short);
  if (counts !== undefined) {
    return counts.map((entry: { file: string; count: number }) =>
      `${short(entry.file)}=${entry.count}`
    );
  }
  return matches.map((
    { file, line_number, line, column, before, after, line_truncated }: MatchEntry,
  ) =>
    [
      `${short(file)}:${line_number}:${line}`,
      column === undefined ? "" : `@${column}`,
      before === undefined ? "" : ` <${before.join("|")}`,
      after === undefined ? "" : ` >${after.join("|")}`,
      line_truncated ? " …" : "",
    ].join("")
  );
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => typeof part === "string" ? [...utf8(part)] : part));
const one = (text: TreeEntry) => ({ "a.txt": text });

/** Those whose files are too large for `testdata/`. */
const LARGE: Case[] = [
  {
    about: "line numbers of many lines",
    files: one("x\n".repeat(2000) + "foo\n" + "x\n".repeat(9)),
    query: { pattern: "foo" },
    entries: ["a.txt:2001:foo"],
  },
  {
    about: "a line longer than a program's buffer",
    files: one(`${"x".repeat(300_000)}foo\n`),
    query: { pattern: "xfoo$", outputMode: "count" },
    entries: ["a.txt=1"],
  },
  {
    about: "a match far behind in a large file",
    files: one(`${"line\n".repeat(100_000)}foo\n`),
    query: { pattern: "^foo$" },
    entries: ["a.txt:100001:foo"],
  },
  {
    about: "a NUL byte at the very end",
    files: one(bytes("foo\n".repeat(5000), [0])),
    query: { pattern: "foo" },
    entries: [],
  },
  {
    about: "a file over the usual limit",
    files: one("foo\n".repeat(270_000)),
    query: { pattern: "foo" },
    entries: [],
    note: "over 1048576 bytes",
  },
  {
    about: "a file over the usual limit that is named",
    files: one("bar\n".repeat(270_000) + "foo\n"),
    query: { pattern: "foo", path: "a.txt" },
    entries: ["a.txt:270001:foo"],
  },
  {
    about: "no size limit",
    files: one("bar\n".repeat(270_000) + "foo"),
    query: { pattern: "foo", maxFileSize: 0 },
    entries: ["a.txt:270001:foo"],
  },
  {
    about: "a directory of many files",
    files: Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`f${i}`, i % 100 === 7 ? "foo\n" : "bar\n"]),
    ),
    query: { pattern: "foo", outputMode: "file" },
    entries: ["f107", "f207", "f7"],
  },
];

for (
  const { about, files, query, entries, note } of [
    ...rowsOf<Case>("engines/conformance.jsonl"),
    ...LARGE,
  ]
) {
  Deno.test(`every engine: ${about}`, async () => {
    await using tree = await tempTree(files);
    const answer = await sameAnswer(tree.root, query);
    assert.deepEqual(entriesIn(answer, tree.root), entries);
    if (note !== undefined) assert.match(String(answer.notes), new RegExp(note));
  });
}

Deno.test("every engine: a budget leaves as much room for entries and context", async () => {
  await using tree = await tempTree({ "a.txt": "one\ntwo\nthree\n", "b.txt": "one\n" });
  const workspace = await Workspace.open(tree.root);
  for (let chars = 150; chars < 600; chars += 10) {
    for (const onOverflow of ["error", "truncate"] as const) {
      // Three engines hand this to the fourth, which a note of each says.
      const query = { pattern: "two", invert: true, before: 1, maxOutputChars: chars, onOverflow };
      const answers = ENGINES.map(async (engine) => {
        const answer = await search({ ...query, engine }, { workspace })
          .catch((error: PathgrepError) => error.toJSON());
        assert.ok(
          "error" in answer || JSON.stringify(answer).length <= chars,
          `${chars} ${engine}`,
        );
        return comparable(answer as EngineAnswer);
      });
      const [reference, ...others] = await Promise.all(answers);
      for (const answer of others) assert.deepEqual(answer, reference, `${chars} ${onOverflow}`);
    }
  }
});

test.slow("engine git: JavaScript reads directories of thousands of files", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => [`ws/many/${index}`, ""]);
  await using tree = await memoryTree({
    ...Object.fromEntries(many),
    ...{ "bin": null, "ws/many/f": "foo\n", "ws/few/f": "foo\n" },
  });
  const path = Deno.env.get("PATH")!;
  const wrapper = `#!/bin/sh\necho "$@" >> '${tree.path("calls")}'\nPATH='${path}' exec git "$@"\n`;
  await Deno.writeTextFile(tree.path("bin/git"), wrapper, { mode: 0o755 });
  const { code, stdout } = await pathgrep(["-l", "--engine", "git", "--paths", "relative", "foo"], {
    cwd: tree.path("ws"),
    permissions: ["-A"],
    env: { PATH: `${tree.path("bin")}:${path}` },
  });
  assert.equal(code, 0, stdout);
  assert.deepEqual(JSON.parse(stdout).files, ["few/f", "many/f"]);
  const calls = await Deno.readTextFile(tree.path("calls"));
  assert.match(calls, /few\/f/);
  assert.equal(calls.match(/many\//g), null);
});

for (const format of ["json", "jsonl", "text"]) {
  Deno.test(`every engine: the command line writes the same ${format}`, async () => {
    await using tree = await tempTree({
      "a.txt": "a\nfoo\nb\n",
      "d/b.txt": bytes("foo", [0xff], "\n"),
      "d/é": "foo é\r\n",
      "d/z": "x\n",
    });
    const options = {
      cwd: tree.root,
      permissions: ["-A"],
      env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
    };
    // What is not shown depends on the time that a search takes.
    const args = ["-iC1", "--column", "--explain", "never", "--format", format, "FO+"];
    const [reference, ...others] = await Promise.all(
      ENGINES.map((engine) => pathgrep([...args, "--engine", engine], options)),
    );
    assert.equal(reference!.code, 0, reference!.stdout);
    assert.match(reference!.stdout, /foo é/);
    for (const { code, stdout, stderr } of others) {
      assert.deepEqual({ code, stdout, stderr }, {
        code: 0,
        stdout: reference!.stdout,
        stderr: reference!.stderr,
      });
    }
  });
}
