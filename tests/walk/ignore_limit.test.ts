/**
 * Ignore files beyond the limit: the answer says that their rules were not read.
 *
 * @module
 */

import assert from "node:assert/strict";
import { listFiles, search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { ENGINES } from "../support/engines.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** More than counts along one path, and half of it. */
const TOO_MUCH = "never*\n".repeat(20_000);
const HALF = "never*\n".repeat(10_000);

const notes = (count: string) => [
  `${count} not read: at most 131072 characters of such files are read for a directory and those above it; ` +
  `files that ${count.startsWith("1 ") ? "it ignores" : "they ignore"} may be in the answer`,
];

test.slow("ignore files that exceed the limit are counted in a note, on every engine", async () => {
  await using tree = await tempTree({
    "one/.gitignore": TOO_MUCH + "a.txt\n",
    "one/a.txt": "foo\n",
    "row/.gitignore": HALF,
    "row/.ignore": HALF + "a.txt\n",
    "row/a.txt": "foo\n",
    "row/sub/.gitignore": HALF + "b.txt\n",
    "row/sub/b.txt": "foo\n",
    "row/sub/deep/c.txt": "foo\n",
    "fits/.gitignore": HALF + "a.txt\n",
    "fits/a.txt": "foo\n",
  });
  const answers: [string, Partial<SearchQuery>, number, string[] | undefined][] = [
    ["one", {}, 1, notes("1 ignore file was")],
    ["row", {}, 2, notes("2 ignore files were")],
    [".", { path: "row/sub/deep" }, 1, notes("2 ignore files were")],
    [".", {}, 3, notes("3 ignore files were")],
    ["one", { ignore: false }, 1, undefined],
    ["one", { path: "a.txt" }, 1, undefined],
    ["fits", {}, 0, undefined],
  ];
  for (const [root, query, count, said] of answers) {
    const workspace = await Workspace.open(tree.path(root));
    for (const engine of ENGINES) {
      const found = await search({ pattern: "foo", engine, ...query }, { workspace });
      assert.deepEqual([found.count, found.notes], [count, said], `${engine} in ${root}`);
    }
    if (query.path !== "a.txt") {
      const listed = await listFiles({ include: "*.txt", ...query }, { workspace });
      assert.deepEqual([listed.count, listed.notes], [count, said]);
    }
  }
});

Deno.test("a searcher that keeps what it has read says so every time", async () => {
  await using tree = await tempTree({ ".gitignore": TOO_MUCH, "sub/a.txt": "foo\n" });
  await using searcher = new Searcher({ workspace: await Workspace.open(tree.root) });
  for (let time = 0; time < 3; time++) {
    const found = await searcher.search({ pattern: "foo", stats: true });
    assert.deepEqual(found.notes, notes("1 ignore file was"));
    assert.deepEqual(found.stats?.skipped, { ignore_files: 1 });
  }
});
