/**
 * What the notes of an answer that was cut off cover: what was skipped up to where it ends, the same
 * on every engine, on every run, and whatever was met beyond.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { search, Searcher, type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { withoutReadOverride } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { memoryTree, tempTree, type TreeEntry } from "../support/tree.ts";
import { answerOf, comparable, ENGINES, sameAnswer } from "../support/engines.ts";
import { noteOf } from "../support/notes.ts";
import { test as plain, testNeeding } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";

const test = testNeeding("setpriv");

const LATIN_1 = new Uint8Array([0x66, 0x6f, 0x6f, 0xe9, 0x0a]);

/** Thirty directories, each with a hundred files of three hits, four that are not UTF-8, one too large. */
function manyFiles(): Record<string, TreeEntry> {
  const files: Record<string, TreeEntry> = {};
  for (let directory = 10; directory < 40; directory++) {
    for (let file = 100; file < 200; file++) {
      files[`d${directory}/f${file}`] = "foo\nfoo\nfoo\n";
      if (file % 25 === 0) files[`d${directory}/f${file}_latin`] = LATIN_1;
    }
    files[`d${directory}/g`] = `foo\n${"x".repeat(3000)}`;
  }
  return files;
}

const PAGE = { pattern: "foo", maxFileSize: 2000, onOverflow: "truncate" } as const;

/** The notes as far as they count; which file is the first of those counted is told besides. */
function counts(answer: unknown): string[] | undefined {
  return (answer as SearchResult).notes?.map((note) => note.replace(/(?:, the first is|:) .*/, ""));
}

/** The same of so many files that are too large, and of so many that are not UTF-8. */
function skipped(large: number, latin: number, limit = 2000, isPart = false): string[] {
  const values = { path: "", isPart };
  const notes = [
    ...large > 0 ? [noteOf("too_large", { ...values, count: large, limit })] : [],
    ...latin > 0 ? [noteOf("not_utf8", { ...values, count: latin })] : [],
  ];
  return counts({ notes })!;
}

plain.slow("the notes of a page cover what was skipped up to its last path", async () => {
  await using tree = await memoryTree(manyFiles());
  for (
    const [query, notes] of [
      [{ maxResults: 3 }, undefined],
      [{ maxResults: 4 }, skipped(0, 1)],
      [{ maxResults: 10 }, skipped(0, 1)],
      [{ maxResults: 10, outputMode: "file" }, skipped(0, 1)],
      [{ maxResults: 10, offset: 600 }, skipped(2, 9)],
      [{ maxResults: 9000 }, skipped(30, 120)],
    ] as [Partial<SearchQuery>, string[] | undefined][]
  ) {
    const answer = await sameAnswer(tree.root, { ...PAGE, ...query });
    assert.deepEqual(counts(answer), notes, JSON.stringify(query));
  }
});

plain.slow("binary files, however many, take the notes of a page nothing away", async () => {
  const binary = Array.from({ length: 10_000 }, (_, file) => [`a/${file}`, "\0"]);
  await using tree = await memoryTree({
    ...Object.fromEntries(binary),
    ...{ "b/hit": "foo\n", "b/latin": LATIN_1, "c": "foo\nfoo\n" },
  });
  const workspace = await Workspace.open(tree.root);
  const answer = await search({ ...PAGE, maxResults: 2, stats: true }, { workspace });
  assert.deepEqual(counts(answer), skipped(0, 1));
});

plain.slow("the notes of a page are the same each time a Searcher is asked", async () => {
  await using tree = await memoryTree(manyFiles());
  const workspace = await Workspace.open(tree.root);
  for (const cache of ["none", "verified"] as const) {
    await using searcher = new Searcher({ workspace, cache });
    for (let time = 0; time < 3; time++) {
      const answer = await searcher.search({ ...PAGE, maxResults: 10, offset: 3000 });
      assert.deepEqual(counts(answer), skipped(10, 41));
    }
  }
});

plain.slow("newest first, the notes of a page cover everything that was skipped", async () => {
  await using tree = await memoryTree(manyFiles());
  const answer = await sameAnswer(tree.root, { ...PAGE, maxResults: 10, sort: "modified" });
  assert.deepEqual(counts(answer), skipped(30, 120));
});

test.slow("a page reports an unreadable directory only if it gets that far", async () => {
  const files = Object.fromEntries(
    [..."abcdefgh"].map((name) => [`${name}/file`, "foo\n".repeat(20)]),
  );
  await using tree = await tempTree({
    ...files,
    "b/locked/file": "foo\n",
    "g/locked/file": "foo\n",
  });
  for (const name of ["b", "g"]) await Deno.chmod(tree.path(`${name}/locked`), 0o000);
  for (const engine of ENGINES) {
    for (const [results, notes] of [[20, 0], [21, 0], [41, 1], [60, 1], [121, 1], [150, 2]]) {
      const { stdout } = await pathgrep(
        ["foo", "--engine", engine, "--on-overflow=truncate", `--max-results=${results}`],
        {
          cwd: tree.root,
          permissions: ["-A"],
          env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
          wrapper: withoutReadOverride(),
        },
      );
      const told = (JSON.parse(stdout).notes ?? []).join();
      const values = { path: "b/locked", isPart: false, isName: false };
      const expected = notes === 0 ? "" : noteOf("unreadable", { ...values, count: notes! });
      assert.equal(told, expected, `${engine}, ${results} results`);
    }
  }
  for (const name of ["b", "g"]) await Deno.chmod(tree.path(`${name}/locked`), 0o700);
});

test("a file that is too large and unreadable is reported the same on every engine", async () => {
  await using tree = await tempTree({
    "a.txt": "foo\n",
    "b.txt": "x".repeat(3000),
    "c.txt": "foo\n",
  });
  await Deno.chmod(tree.path("b.txt"), 0);
  for (const engine of ENGINES) {
    const { stdout } = await pathgrep(["foo", "--engine", engine, "--max-file-size", "2000"], {
      cwd: tree.root,
      permissions: ["-A"],
      env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
      wrapper: withoutReadOverride(),
    });
    const { count, notes } = JSON.parse(stdout);
    assert.equal(count, 2);
    const values = { count: 1, path: "b.txt", isPart: false, isName: false };
    assert.deepEqual(notes, [noteOf("unreadable", values)], engine);
  }
});

Deno.test("why a named file was not searched is reported on the page that reaches it", async () => {
  await using tree = await tempTree({ a: "foo\n".repeat(50), b: LATIN_1, c: "foo\n".repeat(50) });
  for (
    const [maxResults, notes] of [
      [20, undefined],
      [70, [
        noteOf("not_searched", { path: "b", why: "not_utf8", isPart: false }),
      ]],
    ] as const
  ) {
    const query = { ...PAGE, path: ["c", "b", "a"], maxResults };
    const answer = await sameAnswer(tree.root, query);
    assert.deepEqual((answer as SearchResult).notes, notes);
  }
});

plain.slow("files reached by links are on the page whatever the links' names", async () => {
  await using tree = await memoryTree({
    "a/file": "foo\n",
    "a/latin": LATIN_1,
    ...Object.fromEntries(
      Array.from({ length: 6100 }, (_, index) => [`m/b${index + 1000}`, "foo\n"]),
    ),
    "m/z/file": { symlink: "../../a/file" },
    "m/z/latin": { symlink: "../../a/latin" },
  });
  const query = { ...PAGE, path: "m", follow: true, maxResults: 2, outputMode: "file" } as const;
  const answer = await sameAnswer(tree.root, { ...query, paths: "relative" });
  assert.deepEqual((answer as { files: string[] }).files, ["a/file", "m/b1000"]);
  assert.deepEqual(answer.notes, [
    noteOf("not_utf8", { count: 1, path: "a/latin", isPart: false }),
  ]);
});

plain.slow("if more was skipped than can be reported, the notes say so", async () => {
  const files: Record<string, TreeEntry> = {};
  for (let file = 100_000; file < 110_050; file++) files[`b/${file}`] = "too long\n";
  await using tree = await memoryTree({ ...files, a: "foo\n", c: "foo\n", d: "foo\n" });
  const query = { ...PAGE, maxFileSize: 5, maxResults: 2 };
  const reference = await answerOf("js", tree.root, query);
  assert.deepEqual(counts(reference), skipped(10_000, 0, 5, true));
  const other = await answerOf("grep", tree.root, query);
  assert.deepEqual(comparable(other), comparable(reference));
  const first = await answerOf("js", tree.root, { ...query, maxResults: 1 });
  assert.equal(first.notes, undefined);
});

Deno.test("a listing's page covers what was skipped up to its last path", async () => {
  await using tree = await tempTree({ a: "x", b: "too long\n", c: "x", d: "too long\n", e: "x" });
  const { stdout } = await pathgrep(
    ["files", "--max-file-size=5", "--max-results=2", "--on-overflow=truncate"],
    { cwd: tree.root, permissions: ["-A"] },
  );
  assert.deepEqual(counts(JSON.parse(stdout)), skipped(1, 0, 5));
});
