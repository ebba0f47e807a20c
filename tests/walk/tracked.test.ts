/**
 * What git tracks is not ignored: the index of the real git decides, of every version and place.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type FileResult,
  GlobTool,
  GrepTool,
  listFiles,
  search,
  type SearchQuery,
  Workspace,
} from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { test } from "../support/needs.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { pathgrep } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

const ENV = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C.UTF-8" };

async function git(cwd: string, ...args: string[]): Promise<string> {
  const settings = ["user.name=a", "user.email=a@b", "protocol.file.allow=always"]
    .flatMap((setting) => ["-c", setting]);
  const { code, stdout, stderr } = await spawn("git", [...settings, ...args], { cwd, env: ENV });
  assert.equal(code, 0, `git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** A repository that tracks some of its files, ignored or not. */
async function repository(
  entries: Readonly<Record<string, TreeEntry>>,
  tracked: readonly string[],
  ...init: string[]
): Promise<Tree> {
  const tree = await tempTree(entries);
  await git(tree.root, "init", "-q", ...init);
  if (tracked.length > 0) await git(tree.root, "add", "-f", ...tracked);
  return tree;
}

/** The files with a match, as every engine and the listing give them. */
async function found(root: string, query: Partial<SearchQuery> = {}): Promise<string[]> {
  const asked = { pattern: "n", outputMode: "file", paths: "relative", ...query } as const;
  const { files } = await sameAnswer(root, asked) as FileResult;
  const workspace = await Workspace.open(root);
  const { files: listed } = await listFiles({ paths: "relative", ...query }, { workspace });
  const isText = (path: string) => /\.(?:md|js)$/.test(path);
  assert.deepEqual(listed.filter(isText), files.filter(isText));
  return files.filter(isText);
}

/** The files that are not excluded, without a search. */
async function kept(root: string): Promise<string[]> {
  const workspace = await Workspace.open(root);
  const { files } = await listFiles({ include: "*.md", paths: "relative" }, { workspace });
  return [...files];
}

/** What git itself does not ignore. */
async function keptByGit(root: string): Promise<string[]> {
  const listed = await git(root, "ls-files", "-co", "--exclude-standard", "-z");
  return [...new Set(listed.split("\0"))].filter((path) => /\.(?:md|js)$/.test(path)).sort();
}

test("a file that an ignore rule names and git tracks is found on every face", async () => {
  await using tree = await repository(
    { "C.md": "n\n", "D.md": "n\n", "R.md": "n\n", ".gitignore": "[CD].md\n" },
    ["C.md"],
  );
  assert.deepEqual(await found(tree.root), ["C.md", "R.md"]);
  assert.deepEqual(await found(tree.root), await keptByGit(tree.root));
  const ran = await pathgrep(["-l", "n", "--format", "text"], { cwd: tree.root });
  assert.equal(ran.stdout, "C.md\nR.md\n");
  const files = await pathgrep(["files", "--format", "text"], { cwd: tree.root });
  assert.equal(files.stdout, ".gitignore\nC.md\nR.md\n");
  const workspace = await Workspace.open(tree.root);
  const globbed = await new GlobTool({ workspace }).execute({ pattern: "*.md" }) as FileResult;
  assert.deepEqual(globbed.files, [tree.path("C.md"), tree.path("R.md")]);
  const grepped = await new GrepTool({ workspace }).execute({ pattern: "n", include: "C.md" });
  assert.equal((grepped as { count: number }).count, 1);
});

test("an ignored directory is entered for the tracked files in it, and for nothing else", async () => {
  await using tree = await repository({
    ".gitignore": ".gemini/\n/dist\nlogs/*\n",
    ".gemini/a.md": "n\n",
    ".gemini/b.md": "n only here\n",
    ".gemini/deep/er/c.md": "n\n",
    ".gemini/deep/er/d.md": "n\n",
    ".gemini/.gitignore": "!b.md\n",
    ".gemini/other/e.md": "n\n",
    "dist/x.js": "n\n",
    "dist/y.js": "n\n",
    "logs/keep/k.md": "n\n",
    "logs/gone/g.md": "n\n",
    "distant.md": "n\n",
  }, [".gemini/a.md", ".gemini/deep/er/c.md", "dist/x.js", "logs/keep/k.md"]);
  const expected = [
    ".gemini/a.md",
    ".gemini/deep/er/c.md",
    "dist/x.js",
    "distant.md",
    "logs/keep/k.md",
  ];
  assert.deepEqual(await keptByGit(tree.root), expected);
  assert.deepEqual(await found(tree.root), expected);
  const workspace = await Workspace.open(tree.root);
  const { notes } = await search({ pattern: "only here", explain: true }, { workspace });
  assert.match(
    String(notes),
    /^1 match in \.gemini\/b\.md is excluded by the ignore rule "\.gemini\/" in \.gitignore:1; /,
  );
  // Whoever names the directory wants what is in it.
  assert.deepEqual(await found(tree.root, { path: "dist" }), ["dist/x.js", "dist/y.js"]);
  assert.deepEqual(await found(tree.root, { path: "logs" }), ["logs/gone/g.md", "logs/keep/k.md"]);
});

test("rules of every file that git reads spare what it tracks, those of others do not", async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `x/${name}.md`);
  await using tree = await repository({
    ...Object.fromEntries(names.map((name) => [name, "n\n"])),
    "x/.gitignore": "a.md\n",
    ".ignore": "c.md\n",
    "x/.rgignore": "d.md\n",
    ".aiignore": "e.md\n",
    ".env.x.md": "n\n",
  }, [...names, ".env.x.md"]);
  await tree.write({ ".git/info/exclude": "b.md\n" });
  assert.deepEqual(await found(tree.root), ["x/a.md", "x/b.md", "x/f.md"]);
  assert.deepEqual(await found(tree.root, { path: "x" }), ["x/a.md", "x/b.md", "x/f.md"]);
  assert.deepEqual(await found(tree.root, { ignore: false }), [
    "x/a.md",
    "x/b.md",
    "x/c.md",
    "x/d.md",
    "x/f.md",
  ]);
  await tree.write({ ".ignore": "x/\n" });
  assert.deepEqual(await found(tree.root), []);
});

for (const version of ["2", "3", "4"]) {
  test(`an index of version ${version} is read`, async () => {
    const names = ["a.md", "b/c.md", "b/cc.md", "b/ä.md", "b/日本.md", `l/${"x".repeat(200)}.md`];
    const untracked = ["b/c0.md", "b/d.md", "z.md", "b/c.mda"];
    await using tree = await repository({
      ...Object.fromEntries([...names, ...untracked].map((name) => [name, "n\n"])),
      ".gitignore": "*\n",
    }, names);
    if (version === "4") await git(tree.root, "update-index", "--index-version", "4");
    // An entry with more flags needs version 3.
    if (version === "3") await git(tree.root, "update-index", "--skip-worktree", "b/c.md");
    const index = await Deno.readFile(tree.path(".git/index"));
    assert.equal(String(index[7]), version);
    assert.deepEqual((await found(tree.root)).sort(), names.toSorted());
    // As `index.skipHash` leaves it.
    await Deno.writeFile(tree.path(".git/index"), index.fill(0, index.length - 20));
    assert.deepEqual((await found(tree.root)).sort(), names.toSorted());
  });
}

test("an index with SHA-256, with conflicts or with entries to come is read", async () => {
  const files = { "a.md": "n\n", "b.md": "n\n", ".gitignore": "*\n" };
  await using wide = await repository(files, ["a.md"], "--object-format=sha256");
  assert.deepEqual(await found(wide.root), ["a.md"]);
  await using tree = await repository(files, []);
  await git(tree.root, "add", "-f", "--intent-to-add", "b.md");
  assert.deepEqual(await found(tree.root), ["b.md"]);
  const blob = (await git(tree.root, "hash-object", "-w", "a.md")).trim();
  const stages = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\ta.md\n`).join("");
  const { code } = await spawn("git", ["update-index", "--index-info"], {
    ...{ cwd: tree.root, env: ENV, stdin: stages },
  });
  assert.equal(code, 0);
  assert.deepEqual(await found(tree.root), ["a.md", "b.md"]);
});

test.slow("nested repositories, submodules and worktrees have their own index", async () => {
  await using other = await repository({ "s.md": "n\n", "t.md": "n\n" }, ["s.md"]);
  await git(other.root, "commit", "-qm", "one");
  await using tree = await repository({ "a.md": "n\n", "b.md": "n\n" }, ["a.md"]);
  await git(tree.root, "submodule", "--quiet", "add", other.root, "sub");
  await git(tree.root, "commit", "-qm", "one");
  await git(tree.root, "worktree", "add", "-q", "tree");
  await tree.write({
    ".gitignore": "sub/\n*.md\n",
    "sub/.gitignore": "*.md\n",
    "sub/u.md": "n\n",
    "nested/.gitignore": "*.md\n",
    "nested/p.md": "n\n",
    "nested/q.md": "n\n",
    "tree/.gitignore": "*.md\n",
    "tree/v.md": "n\n",
  });
  await git(tree.path("nested"), "init", "-q");
  await git(tree.path("nested"), "add", "-f", "p.md");
  assert.deepEqual(await found(tree.root), ["a.md", "nested/p.md", "sub/s.md"]);
  assert.deepEqual(await found(tree.root, { path: "sub" }), ["sub/s.md"]);
  assert.deepEqual(await found(tree.root, { path: "tree" }), ["tree/a.md"]);
  // Their repository is outside: nothing there is read.
  assert.deepEqual(await found(tree.path("sub")), []);
  assert.deepEqual(await found(tree.path("tree")), []);
});

test("an index that is missing, broken, a link, in parts or too large changes nothing", async () => {
  const files = { "a.md": "n\n", "b.md": "n\n", ".gitignore": "a.md\n" };
  await using tree = await repository(files, ["a.md", "b.md"]);
  const index = tree.path(".git/index");
  const whole = await Deno.readFile(index);
  assert.deepEqual(await kept(tree.root), ["a.md", "b.md"]);
  const changedAt = (at: number, ...bytes: number[]) => {
    const changed = whole.slice();
    changed.set(bytes, at);
    return changed;
  };
  const broken: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    cut: whole.subarray(0, 100),
    "without its end": whole.subarray(0, -30),
    signature: changedAt(0, 0x44, 0x49, 0x52, 0x44),
    "version 5": changedAt(7, 5),
    count: changedAt(8, 0xff, 0xff, 0xff, 0xff),
    "a count that is too high": changedAt(11, 3),
    noise: crypto.getRandomValues(new Uint8Array(5000)),
  };
  for (const [what, bytes] of Object.entries(broken)) {
    await Deno.writeFile(index, bytes);
    assert.deepEqual(await kept(tree.root), ["b.md"], what);
  }
  await Deno.truncate(index, 2 ** 26 + 1);
  assert.deepEqual(await kept(tree.root), ["b.md"], "too large");
  await Deno.remove(index);
  assert.deepEqual(await kept(tree.root), ["b.md"], "missing");
  await tree.write({ "../outside": whole, ".git/index": { symlink: "$BASE/outside" } });
  assert.deepEqual(await kept(tree.root), ["b.md"], "a link");
  await Deno.remove(index);
  await Deno.writeFile(index, whole);
  assert.deepEqual(await kept(tree.root), ["a.md", "b.md"]);
  await git(tree.root, "update-index", "--split-index");
  assert.deepEqual(await kept(tree.root), ["b.md"], "in parts");
});

test("a link that git tracks is followed though it is ignored", async () => {
  await using tree = await repository({
    ".gitignore": "/link\n/other\n",
    ".ignore": "/real\n/aside\n",
    "real/a.md": "n\n",
    "aside/b.md": "n\n",
    "link": { symlink: "real" },
    "other": { symlink: "aside" },
  }, ["link"]);
  const workspace = await Workspace.open(tree.root);
  const query = { include: "*.md", follow: true, paths: "relative" } as const;
  assert.deepEqual((await listFiles(query, { workspace })).files, ["real/a.md"]);
});

for (const cache of ["verified", "watched"] as const) {
  test(`a ${cache} searcher follows what git begins and ceases to track`, async () => {
    await using tree = await repository({
      ".gitignore": "*.md\nout/\n",
      "a.md": "n\n",
      "x/b.md": "n\n",
      "out/c.js": "n\n",
      "d.js": "n\n",
    }, ["a.md"]);
    await using scratch = await tempTree();
    await ticked();
    const workspace = await Workspace.open(tree.root);
    await using searcher = new QuickSearcher({ workspace, cache, scratch: scratch.root });
    const ask = async (path?: string) => {
      const query = { pattern: "n$", outputMode: "file", paths: "relative", path } as const;
      return (await searcher.search(query) as FileResult).files.join(" ");
    };
    for (let round = 0; round < 2; round++) {
      for (let times = 0; times < 2; times++) assert.equal(await ask(), "a.md d.js");
      await git(tree.root, "add", "-f", "x/b.md");
      assert.equal(await ask(), "a.md d.js x/b.md");
      assert.equal(await ask("x"), "x/b.md");
      await ticked();
      assert.equal(await ask(), "a.md d.js x/b.md");
      await git(tree.root, "add", "-f", "out/c.js");
      await git(tree.root, "rm", "-q", "--cached", "a.md");
      assert.equal(await ask(), "d.js out/c.js x/b.md");
      await git(tree.root, "status");
      for (let times = 0; times < 2; times++) assert.equal(await ask(), "d.js out/c.js x/b.md");
      await Deno.rename(tree.path(".git/index"), tree.path(".git/away"));
      assert.equal(await ask(), "d.js");
      await git(tree.root, "add", "-f", "a.md");
    }
  });
}
