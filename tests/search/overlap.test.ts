/**
 * Targets that overlap: every file is searched, counted and answered once, and none is lost.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { search, Searcher, type SearchQuery, Workspace } from "../../mod.ts";
import { noteOf } from "../support/notes.ts";
import { assertHolds } from "../support/draw.ts";
import { ENGINES } from "../support/engines.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

const LATIN = Uint8Array.of(0x66, 0x6f, 0x6f, 0xe4);

const FILES = {
  "a.txt": "foo\n",
  ".gitignore": "# foo\nignored/\n*.log\n",
  "src/a.txt": "foo\n",
  "src/latin.txt": LATIN,
  "src/x.log": "foo\n",
  "src/sub/b.txt": "foo\n",
  "src/sub/deep/c.txt": "foo\n",
  "src/sub/.ignore": "# foo\ndeep/\n",
  "src/.hidden/h.txt": "foo\n",
  "src/link": { symlink: "sub/deep" },
  "ignored/i.txt": "foo\n",
  "ignored/in/j.txt": "foo\n",
} as const;

const paths = fc.uniqueArray(
  fc.constantFrom(
    ...[".", "src", "src/sub", "src/sub/deep", "src/.hidden", "ignored", "ignored/in"],
    ...["a.txt", "src/a.txt", "src/x.log", "src/latin.txt", "ignored/i.txt", "src/link/c.txt"],
  ),
  { minLength: 1, maxLength: 5 },
);

const options = fc.record({
  include: fc.constantFrom([], ["*.txt"], ["sub/**"], ["deep/*", "b.txt"], ["!deep"], ["!sub/"]),
  hidden: fc.boolean(),
  ignore: fc.boolean(),
  follow: fc.boolean(),
  maxDepth: fc.constantFrom(1, 2, 9),
});

test.slow("overlapping targets give the files of each of them, each searched once", async (t) => {
  await using tree = await tempTree(FILES);
  const workspace = await Workspace.open(tree.root);
  const filesOf = async (query: Omit<SearchQuery, "pattern">) => {
    const found = await search({ pattern: "foo", outputMode: "file", stats: true, ...query }, {
      workspace,
    });
    assert.ok(found.output_mode === "file");
    return found;
  };
  await assertHolds(
    t,
    fc.asyncProperty(paths, options, async (paths, options) => {
      const alone = new Set<string>();
      for (const path of paths) {
        for (const file of (await filesOf({ ...options, path })).files) alone.add(file);
      }
      for (const engine of ENGINES.slice(0, 2)) {
        const { files, stats, notes } = await filesOf({ ...options, path: paths, engine });
        assert.deepEqual(files, [...alone].sort());
        assert.equal(stats!.files_searched, alone.size);
        assert.ok((stats!.skipped["not_utf8"] ?? 0) <= 1);
        const said = notes?.filter((note) => note.includes("UTF-8")) ?? [];
        assert.equal(said.length, stats!.skipped["not_utf8"] ?? 0);
      }
    }),
    { numRuns: 80 },
  );
});

Deno.test("nested workspace roots are searched once, in either order, warm or cold", async () => {
  await using tree = await tempTree(FILES);
  for (const roots of [["", "src/sub", "ignored"], ["src/sub", "ignored", ""]]) {
    const workspace = await Workspace.open(roots.map((root) => tree.path(root)));
    await using searcher = new Searcher({ workspace });
    for (let time = 0; time < 3; time++) {
      const found = await searcher.search({ pattern: "foo", outputMode: "count", stats: true });
      assert.equal(found.stats!.files_searched, found.count);
      assert.deepEqual(found.notes, [
        noteOf("not_utf8", {
          ...{ count: 1, isPart: false },
          path: workspace.display(tree.path("src/latin.txt")),
        }),
      ]);
      assert.ok(found.output_mode === "count");
      assert.ok(found.counts.some(({ file }) => file === tree.path("ignored/in/j.txt")));
    }
  }
});

Deno.test("what several targets or links lead to is reported as often as it exists", async () => {
  const worktree = "gitdir: /else/.git/worktrees/wt\n";
  await using tree = await tempTree({
    "a/b/.gitignore": "# nothing\n".repeat(14_000),
    "a/b/.env": "needle\n",
    "a/b/c/.git": worktree,
    "a/wt/.git": worktree,
    "a/wt/n.ts": "needle\n",
    "d/x.ts": "needle\n",
    "a/b/l": { symlink: "../../d/x.ts" },
    "z/l": { symlink: "../a/b" },
    "z/y/l": { symlink: "../../a/b" },
  });
  const workspace = await Workspace.open(tree.root);
  const told = async (path: string | string[], more: Partial<SearchQuery>) => {
    const { notes = [], stats, count } = await search(
      { pattern: "needle", path, paths: "relative", stats: true, explain: "auto", ...more },
      { workspace },
    );
    const { ignore_files, worktrees, blocked } = stats!.skipped;
    return { notes, count, skipped: { ignore_files, worktrees, blocked } };
  };
  const once = { ignore_files: 1, worktrees: 1, blocked: 1 };
  for (const more of [{ follow: true }, { include: "!x/y" }]) {
    const overlapping = await told(["a", "a/b"], more);
    assert.deepEqual(overlapping.skipped, { ...once, worktrees: 2 });
    assert.ok(overlapping.notes.some((note) => /search it: a\/b\/c, a\/wt$/.test(note)));
    const named = await told(["a", "a/wt"], more);
    assert.equal(named.count, "follow" in more ? 2 : 1);
    assert.deepEqual(named.skipped, { ...once, blocked: 2 }); // .git, too
  }
  const linked = await told("z", { follow: true, exclude: "x/y" });
  assert.deepEqual(linked.skipped, once);
  const blocked = await told(["a", "a/b"], { pattern: "nowhere", follow: true });
  assert.ok(blocked.notes.some((note) => /^1 file or directory is blocked/.test(note)));
  const unmatched = await told(["a", "a/b"], { include: "q/**", ignore: false });
  assert.ok(
    unmatched.notes.some((note) => /^1 match in d\/x\.ts/.test(note)),
    `${unmatched.notes}`,
  );
});
