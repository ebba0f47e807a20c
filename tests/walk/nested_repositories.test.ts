/**
 * A repository within another: what git reads of ignore files from above does not count in it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type FileResult, GlobTool, listFiles, search, Workspace } from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { test } from "../support/needs.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";

async function init(tree: Tree, ...directories: string[]): Promise<void> {
  for (const directory of directories) {
    await tree.write({ [`${directory}/`]: null });
    const { code, stderr } = await spawn("git", ["init", "-q"], { cwd: tree.path(directory) });
    assert.equal(code, 0, stderr);
  }
}

/** The files with a match, as every engine and the listing give them. */
async function found(root: string, path?: string): Promise<string[]> {
  const asked = { pattern: "^n$", outputMode: "file", paths: "relative", path } as const;
  const { files } = await sameAnswer(root, asked) as FileResult;
  const workspace = await Workspace.open(root);
  const listing = await listFiles({ paths: "relative", include: "!.*ignore", path }, { workspace });
  assert.deepEqual(listing.files, files);
  return files;
}

test("the rules of an outer repository do not count in an inner one, on any face", async () => {
  await using tree = await tempTree({
    ".gitignore": "build/\n*.log\n",
    "v/build/x": "n\n",
    "v/a.log": "n\n",
    "w/build/x": "n\n",
    "w/a.log": "n\n",
  });
  await init(tree, "", "v");
  assert.deepEqual(await found(tree.root), ["v/a.log", "v/build/x"]);
  assert.deepEqual(await found(tree.root, "v"), ["v/a.log", "v/build/x"]);
  assert.deepEqual(await found(tree.root, "v/build"), ["v/build/x"]);
  assert.deepEqual(await found(tree.root, "w"), []);
  const ran = await pathgrep(["-l", "n", "v", "--format", "text"], { cwd: tree.root });
  assert.equal(ran.stdout, "v/a.log\nv/build/x\n");
  const workspace = await Workspace.open(tree.root);
  const { files } = await new GlobTool({ workspace }).execute({ pattern: "*.log" }) as FileResult;
  assert.deepEqual(files, [tree.path("v/a.log")]);
});

test("exclude files from above end where a repository begins, and its own count", async () => {
  await using tree = await tempTree({
    "x/v/deep/a.out": "n\n",
    "x/v/deep/b.out": "n\n",
    "x/v/deep/c.out": "n\n",
    "x/a.out": "n\n",
    "x/.gitignore": "c.out\n",
    "x/v/deep/.gitignore": "b.out\n",
  });
  await init(tree, "", "x/v");
  await tree.write({ ".git/info/exclude": "a.out\n" });
  assert.deepEqual(await found(tree.root), ["x/v/deep/a.out", "x/v/deep/c.out"]);
  await tree.write({ "x/v/.git/info/exclude": "c.*\n" });
  assert.deepEqual(await found(tree.root), ["x/v/deep/a.out"]);
  assert.deepEqual(await found(tree.root, "x/v/deep"), ["x/v/deep/a.out"]);
});

test("what git does not read counts in inner repositories as everywhere", async () => {
  await using tree = await tempTree({
    ".gitignore": "d\n",
    ".ignore": "a\n",
    ".rgignore": "b\n",
    ".aiignore": "c\n",
    ...Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`v/x/${name}`, "n\n"])),
  });
  await init(tree, "v");
  assert.deepEqual(await found(tree.root), ["v/x/d", "v/x/e"]);
  // A negation above an inner repository does not lift what that ignores, nor the other way round.
  await tree.write({ ".gitignore": "!e\n", "v/.gitignore": "e\n!a\n" });
  assert.deepEqual(await found(tree.root), ["v/x/d"]);
});

test("a file `.git` and a link begin a repository as a directory does", async () => {
  await using tree = await tempTree({
    ".gitignore": "out\n",
    "sub/.git": "gitdir: ../.git/modules/sub\n",
    "sub/out": "n\n",
    "link/.git": { symlink: "../sub/.git" },
    "link/out": "n\n",
    "plain/.gitx/": null,
    "plain/out": "n\n",
  });
  await tree.write({ ".git/modules/sub/info/exclude": "more\n", "sub/more": "n\n" });
  assert.deepEqual(await found(tree.root), ["link/out", "sub/out"]);
});

test("an inner repository that is ignored itself is not entered, unless it is named", async () => {
  await using tree = await tempTree({
    ".gitignore": "v/\n",
    "v/.gitignore": "b\n",
    "v/a": "n\n",
    "v/x/a": "n\n",
    "v/x/b": "n\n",
  });
  await init(tree, "", "v");
  assert.deepEqual(await found(tree.root), []);
  assert.deepEqual(await found(tree.root, "v"), ["v/a", "v/x/a"]);
  // The repository that it is in does not ignore it.
  assert.deepEqual(await found(tree.root, "v/x"), ["v/x/a"]);
  await tree.write({ ".gitignore": "", ".ignore": "v/\n" });
  assert.deepEqual(await found(tree.root, "v/x"), ["v/x/a", "v/x/b"]);
});

test("no rule from above is named as the reason for what an inner repository ignores", async () => {
  await using tree = await tempTree({
    ".gitignore": "x.log\n",
    "v/.gitignore": "*.log\n",
    "v/x.log": "n\n",
  });
  await init(tree, "", "v");
  const workspace = await Workspace.open(tree.root);
  const { notes } = await search({ pattern: "^n$", explain: true }, { workspace });
  assert.match(String(notes), /the ignore rule "\*\.log" in v\/\.gitignore:1/);
});

for (const cache of ["verified", "watched"] as const) {
  test(`a ${cache} searcher heeds repositories that come and go`, async () => {
    await using tree = await tempTree({ ".gitignore": "a\n", "v/a": "n\n", "v/x/a": "n\n" });
    await using scratch = await tempTree();
    await ticked();
    const workspace = await Workspace.open(tree.root);
    await using searcher = new QuickSearcher({ workspace, cache, scratch: scratch.root });
    const ask = async () => {
      const query = { pattern: "^n$", outputMode: "file", paths: "relative" } as const;
      return (await searcher.search(query) as FileResult).files.join(" ");
    };
    for (let round = 0; round < 3; round++) {
      for (let times = 0; times < 2; times++) assert.equal(await ask(), "");
      await init(tree, "v");
      for (let times = 0; times < 2; times++) assert.equal(await ask(), "v/a v/x/a");
      await ticked();
      assert.equal(await ask(), "v/a v/x/a");
      await Deno.remove(tree.path("v/.git"), { recursive: true });
    }
  });
}
