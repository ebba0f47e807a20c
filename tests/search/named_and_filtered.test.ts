/** Filters beside files that are named: they do not count for these, and do for directories. */

import assert from "node:assert/strict";
import { GlobTool, GrepTool, listFiles, search, Workspace } from "../../mod.ts";
import { answer } from "../support/acceptance.ts";
import { tempTree } from "../support/tree.ts";

const TREE = {
  "a.txt": "needle\n",
  "b.txt": "needle\n",
  "sub/c.txt": "needle\n",
  "sub/d.md": "needle\n",
};

const said = (filter: string, files: string) =>
  `${filter} filter ignored for ${files} because a specific file path was provided; it ` +
  "applies in the directories";

Deno.test("where files and directories are named, a note says for which a filter is ignored", async () => {
  await using t = await tempTree(TREE);
  const cases: [args: string[], files: string[], notes: string[]][] = [
    [["--exclude", "*.txt", "a.txt", "sub"], ["a.txt", "sub/d.md"], [said("exclude", "a.txt")]],
    [["--include", "*.md", "sub", "a.txt"], ["a.txt", "sub/d.md"], [said("include", "a.txt")]],
    [["-t", "md", "a.txt", "sub"], ["a.txt", "sub/d.md"], [said("type", "a.txt")]],
    [["-T", "txt", "a.txt", "sub"], ["a.txt", "sub/d.md"], [said("type", "a.txt")]],
    [
      ["--iglob", "*.MD", "--exclude", "c.*", "a.txt", "b.txt", "sub"],
      ["a.txt", "b.txt", "sub/d.md"],
      [said("include", "a.txt and 1 more"), said("exclude", "a.txt and 1 more")],
    ],
    [["--exclude", "*.txt", "sub/c.txt", "sub"], ["sub/c.txt", "sub/d.md"], [
      said("exclude", "sub/c.txt"),
    ]],
  ];
  const searched = ["needle", "-l", "--paths", "relative"];
  for (const [args, files, notes] of cases) {
    const found = await answer([...searched, ...args], { cwd: t.root });
    assert.deepEqual(found.files, files, `${args}`);
    assert.deepEqual(found.notes, notes, `${args}`);
  }
  const [args, files, notes] = cases[0]!;
  for (const engine of ["rg", "git", "grep"]) {
    const found = await answer([...searched, "--engine", engine, ...args], { cwd: t.root });
    if (found.code === "engine_unavailable") continue;
    assert.deepEqual([found.files, found.notes], [files, notes], engine);
  }
});

Deno.test("the library, the tools and a listing say it, too", async () => {
  await using t = await tempTree(TREE);
  const workspace = await Workspace.open(t.root);
  const path = ["a.txt", "sub"];
  const found = await search({ pattern: "needle", path, exclude: "*.txt" }, { workspace });
  assert.deepEqual(found.notes, [said("exclude", "a.txt")]);
  const listed = await listFiles({ path, include: "*.md" }, { workspace });
  assert.deepEqual(listed.notes, [said("include", "a.txt")]);
  const grep = new GrepTool({ workspace });
  const answered = await grep.execute({ pattern: "needle", path, type: "md" });
  assert.deepEqual("notes" in answered && answered.notes, [said("type", "a.txt")]);
  // What `glob` searches for counts for a file that is named, too.
  const globbed = await new GlobTool({ workspace }).execute({ pattern: "*.md", path });
  assert.equal("notes" in globbed, false);
});

Deno.test("files alone ignore a filter, and directories alone do not", async () => {
  await using t = await tempTree(TREE);
  const files = await answer(["needle", "-g", "*.md", "a.txt", "b.txt"], { cwd: t.root });
  assert.deepEqual(files.notes, [
    "include filter ignored because a specific file path was provided",
  ]);
  const directories = await answer(["needle", "-g", "*.md", "sub", "."], { cwd: t.root });
  assert.equal(directories.notes, undefined);
});
