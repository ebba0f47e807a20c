/**
 * What the notes of an answer that was cut off cover: all that the search skipped, the same on every engine
 * and on every run, as its totals do.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { search, Searcher, type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { withoutReadOverride } from "../support/acceptance.ts";
import { runSearch } from "../../src/search/search.ts";
import { pathgrep } from "../support/run.ts";
import { memoryTree, tempTree, type TreeEntry } from "../support/tree.ts";
import { ENGINES, sameAnswer } from "../support/engines.ts";
import { assertInTime, inThreeTries } from "../support/soon.ts";
import { noteOf } from "../support/notes.ts";
import { test as plain, testNeeding } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";

const test = testNeeding("setpriv");

const LATIN_1 = new Uint8Array([0x66, 0x6f, 0x6f, 0xe9, 0x0a]);

/** Three directories, each with a hundred files of three hits, four that are not UTF-8, one too large. */
function manyFiles(): Record<string, TreeEntry> {
  const files: Record<string, TreeEntry> = {};
  for (let directory = 10; directory < 13; directory++) {
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

/** The same for numbers of files that are too large and that are not UTF-8. */
function skipped(large: number, latin: number, limit = 2000, isPart = false): string[] {
  const values = { path: "", isPart };
  const notes = [
    ...large > 0 ? [noteOf("too_large", { ...values, count: large, limit })] : [],
    ...latin > 0 ? [noteOf("not_utf8", { ...values, count: latin })] : [],
  ];
  return counts({ notes })!;
}

const ALL = skipped(3, 12);

plain.slow(
  "the notes of a page cover everything that was skipped",
  inThreeTries(async () => {
    await using tree = await memoryTree(manyFiles());
    for (
      const query of [
        { maxResults: 3 },
        { maxResults: 10, outputMode: "file" },
        { maxResults: 10, offset: 600 },
        { maxResults: 10, sort: "modified" },
        { maxResults: 9000 },
      ] as Partial<SearchQuery>[]
    ) {
      const answer = await sameAnswer(tree.root, { ...PAGE, ...query }) as SearchResult;
      if (answer.total_at_least !== undefined) assertInTime(Infinity, 0, "counting");
      assert.deepEqual(counts(answer), ALL, JSON.stringify(query));
    }
  }),
);

plain("where counting ended early, notes are lower bounds, as totals are", async () => {
  await using tree = await tempTree({ a: "foo\n", b: LATIN_1, c: "foo\n".repeat(3), d: "foo\n" });
  const workspace = await Workspace.open(tree.root);
  const options = { workspace, wantsTotal: false };
  const found = await runSearch({ ...PAGE, maxResults: 2 }, options) as SearchResult;
  assert.equal(typeof found.total_at_least, "number");
  assert.deepEqual(counts(found), skipped(0, 1, 0, true));
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
      const answer = await searcher.search({ ...PAGE, maxResults: 10, offset: 300 });
      assert.deepEqual(counts(answer), ALL);
    }
  }
});

test.slow("each page reports unreadable directories", async () => {
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
    for (const results of [20, 41, 150]) {
      const { stdout } = await pathgrep(
        ["foo", "--engine", engine, "--on-overflow=truncate", `--max-results=${results}`],
        {
          cwd: tree.root,
          permissions: ["-A"],
          env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
          wrapper: withoutReadOverride(),
        },
      );
      const values = { path: "b/locked", isPart: false, isName: false, count: 2 };
      const expected = [noteOf("unreadable", values)];
      assert.deepEqual(JSON.parse(stdout).notes, expected, `${engine}, ${results} results`);
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
    const values = { path: "b.txt", isPart: false, isName: false, count: 1 };
    assert.deepEqual(notes, [noteOf("unreadable", values)], engine);
  }
});

Deno.test("why a named file was not searched is reported on each page", async () => {
  await using tree = await tempTree({ a: "foo\n".repeat(50), b: LATIN_1, c: "foo\n".repeat(50) });
  for (const maxResults of [20, 70]) {
    const query = { ...PAGE, path: ["c", "b", "a"], maxResults };
    const answer = await sameAnswer(tree.root, query);
    assert.deepEqual((answer as SearchResult).notes, [
      noteOf("not_searched", { path: "b", why: "not_utf8", isPart: false }),
    ]);
  }
});

plain.slow("files reached by links are on the page whatever the links' names", async () => {
  await using tree = await memoryTree({
    "a/file": "foo\n",
    "a/latin": LATIN_1,
    ...Object.fromEntries(
      Array.from({ length: 610 }, (_, index) => [`m/b${index + 1000}`, "foo\n"]),
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

Deno.test("a listing's page covers everything that was skipped", async () => {
  await using tree = await tempTree({ a: "x", b: "too long\n", c: "x", d: "too long\n", e: "x" });
  const { stdout } = await pathgrep(
    ["files", "--max-file-size=5", "--max-results=2", "--on-overflow=truncate"],
    { cwd: tree.root, permissions: ["-A"] },
  );
  assert.deepEqual(counts(JSON.parse(stdout)), skipped(2, 0, 5));
});
