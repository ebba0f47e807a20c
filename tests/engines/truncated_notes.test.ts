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

plain.slow("the notes of a page cover what was skipped up to its last path", async () => {
  await using tree = await memoryTree(manyFiles());
  for (
    const [query, notes] of [
      [{ maxResults: 3 }, undefined],
      [{ maxResults: 4 }, [
        "1 file that is not UTF-8 was not searched",
      ]],
      [{ maxResults: 10 }, [
        "1 file that is not UTF-8 was not searched",
      ]],
      [{ maxResults: 10, outputMode: "file" }, [
        "1 file that is not UTF-8 was not searched",
      ]],
      [{ maxResults: 10, offset: 600 }, [
        "2 files over 2000 bytes were not searched",
        "9 files that are not UTF-8 were not searched",
      ]],
      [{ maxResults: 9000 }, [
        "30 files over 2000 bytes were not searched",
        "120 files that are not UTF-8 were not searched",
      ]],
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
  assert.deepEqual(counts(answer), [
    "1 file that is not UTF-8 was not searched",
  ]);
});

plain.slow("the notes of a page are the same each time a Searcher is asked", async () => {
  await using tree = await memoryTree(manyFiles());
  const workspace = await Workspace.open(tree.root);
  for (const cache of ["none", "verified"] as const) {
    await using searcher = new Searcher({ workspace, cache });
    for (let time = 0; time < 3; time++) {
      const answer = await searcher.search({ ...PAGE, maxResults: 10, offset: 3000 });
      assert.deepEqual(counts(answer), [
        "10 files over 2000 bytes were not searched",
        "41 files that are not UTF-8 were not searched",
      ]);
    }
  }
});

plain.slow("newest first, the notes of a page cover everything that was skipped", async () => {
  await using tree = await memoryTree(manyFiles());
  const answer = await sameAnswer(tree.root, { ...PAGE, maxResults: 10, sort: "modified" });
  assert.deepEqual(counts(answer), [
    "30 files over 2000 bytes were not searched",
    "120 files that are not UTF-8 were not searched",
  ]);
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
      const one = "1 file or directory could not be read and was not searched: b/locked";
      const all = "2 files or directories could not be read and were not searched, the first is " +
        "b/locked";
      assert.equal(told, ["", one, all][notes!], `${engine}, ${results} results`);
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
    const note = "1 file or directory could not be read and was not searched: b.txt";
    assert.deepEqual(notes, [note], engine);
  }
});

Deno.test("why a named file was not searched is reported on the page that reaches it", async () => {
  await using tree = await tempTree({ a: "foo\n".repeat(50), b: LATIN_1, c: "foo\n".repeat(50) });
  for (
    const [maxResults, notes] of [
      [20, undefined],
      [70, [
        "b was not searched: it is not UTF-8; name its encoding with the option encoding",
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
    "1 file that is not UTF-8 was not searched: a/latin; name its encoding with the option encoding",
  ]);
});

plain.slow("if more was skipped than can be reported, the notes say so", async () => {
  const files: Record<string, TreeEntry> = {};
  for (let file = 100_000; file < 110_050; file++) files[`b/${file}`] = "too long\n";
  await using tree = await memoryTree({ ...files, a: "foo\n", c: "foo\n", d: "foo\n" });
  const query = { ...PAGE, maxFileSize: 5, maxResults: 2 };
  const reference = await answerOf("js", tree.root, query);
  assert.deepEqual(counts(reference), ["at least 10000 files over 5 bytes were not searched"]);
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
  assert.deepEqual(counts(JSON.parse(stdout)), ["1 file over 5 bytes was not searched"]);
});
