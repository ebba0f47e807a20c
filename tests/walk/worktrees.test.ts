/**
 * Linked git worktrees: copies of the workspace that a walk leaves out and names, made by the real git.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type FileResult,
  GlobTool,
  listFiles,
  PathgrepError,
  search,
  Searcher,
  type SearchQuery,
  type SearchResult,
  Workspace,
} from "../../mod.ts";
import { sameAnswer } from "../support/engines.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { assertSoon } from "../support/soon.ts";
import { QuickSearcher, ticked } from "../support/quick_cache.ts";
import { test } from "../support/needs.ts";

async function git(cwd: string, ...args: string[]): Promise<void> {
  const settings = ["user.name=a", "user.email=a@b", "protocol.file.allow=always"]
    .flatMap((setting) => ["-c", setting]);
  const { success, stderr } = await new Deno.Command("git", {
    args: [...settings, ...args],
    cwd,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  }).output();
  assert.ok(success, `git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** A repository with one commit below a directory of the tree. */
async function repository(tree: Tree, below = "repo"): Promise<string> {
  const root = tree.path(below);
  await tree.write({ [`${below}/a.txt`]: "needle\n", [`${below}/src/b.txt`]: "needle\n" });
  await git(root, "init", "-q", "-b", "main");
  await git(root, "add", ".");
  await git(root, "commit", "-qm", "first");
  return root;
}

/** Makes git forget what it tracks in a directory, so that ignore rules count for it. */
async function untrack(directory: string): Promise<void> {
  await git(directory, "rm", "-r", "-q", "--cached", ".");
}

/** The answer in file mode that all engines give. */
async function answer(root: string, query: Partial<SearchQuery> = {}) {
  const asked = { pattern: "needle", outputMode: "file", paths: "relative", ...query } as const;
  const { files, notes } = await sameAnswer(root, asked) as FileResult;
  const workspace = await Workspace.open(root);
  const listed = await listFiles({ include: "*.txt", paths: "relative", ...query }, { workspace });
  assert.deepEqual(listed.files, files);
  assert.deepEqual(listed.notes, notes);
  return { files, notes };
}

const note = (...paths: string[]) => [
  paths.length === 1
    ? `1 git worktree was not searched; pass it as path to search it: ${paths[0]}`
    : `${paths.length} git worktrees were not searched; pass one as path to search it: ` +
      (paths.length > 3 ? `${paths.slice(0, 3).join(", ")} and others` : paths.join(", ")),
];

test.slow("worktrees met in a walk are excluded with a note that names them, named ones are searched", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  await git(root, "worktree", "add", "-q", ".claude/worktrees/one");
  const copy = ".claude/worktrees/one";
  assert.deepEqual(await answer(root), { files: ["a.txt", "src/b.txt"], notes: note(copy) });
  assert.deepEqual(await answer(root, { ignore: false }), {
    files: ["a.txt", "src/b.txt"],
    notes: note(copy),
  });
  const all = { files: [`${copy}/a.txt`, `${copy}/src/b.txt`], notes: undefined };
  assert.deepEqual(await answer(root, { path: copy }), all);
  assert.deepEqual(await answer(root, { path: `${copy}/src` }), {
    files: [`${copy}/src/b.txt`],
    notes: undefined,
  });
  // What is above it is walked into.
  assert.deepEqual(await answer(root, { path: ".claude" }), { files: [], notes: note(copy) });
  assert.deepEqual(await answer(root, { path: [".", copy] }), {
    files: [...all.files, "a.txt", "src/b.txt"],
    notes: undefined,
  });
  // Ignored, as most of them are, it is not met.
  await tree.write({
    "repo/.gitignore": ".claude/\n*.txt\n!a.txt\n",
    "repo/src/c.txt": "needle\n",
  });
  assert.deepEqual(await answer(root), { files: ["a.txt", "src/b.txt"], notes: undefined });
  assert.deepEqual(await answer(root, { path: copy }), all);
  for (const name of ["two", "three", "four"]) {
    await git(root, "worktree", "add", "-q", "-b", name, `w/${name}`);
  }
  assert.deepEqual((await answer(root)).notes, note("w/four", "w/three", "w/two"));
  await git(root, "worktree", "add", "-q", "-b", "five", "w/five");
  assert.deepEqual((await answer(root)).notes, note("w/five", "w/four", "w/three", "w/two"));
});

Deno.test("a page of a truncated answer names the worktrees of the whole search", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  await git(root, "worktree", "add", "-q", "b/w");
  await git(root, "worktree", "add", "-q", "x/w2");
  const workspace = await Workspace.open(root);
  const query = { pattern: "needle", outputMode: "file", onOverflow: "truncate" } as const;
  const page = await search({ ...query, maxResults: 1 }, { workspace }) as FileResult;
  assert.equal(page.truncated, true);
  assert.deepEqual(page.notes, note("b/w", "x/w2"));
  const second = await search({ ...query, maxResults: 1, offset: 1 }, { workspace }) as FileResult;
  assert.deepEqual(second.notes, page.notes);
  const { stats } = await search({ ...query, stats: true }, { workspace });
  assert.equal(stats?.skipped["worktrees"], 2);
});

Deno.test("submodules, their worktrees, nested repositories and odd .git files are searched", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  const other = await repository(tree, "modules/other");
  await git(root, "submodule", "--quiet", "add", other, "worktrees/sub");
  await git(tree.path("repo/worktrees/sub"), "worktree", "add", "-q", "../../subtree");
  await git(root, "clone", "-q", other, "nested");
  await tree.write({
    "repo/odd1/.git": "gitdir: /elsewhere/.git\n",
    "repo/odd1/c.txt": "needle\n",
    "repo/odd2/.git": "not a git file: /r/.git/worktrees/x\n",
    "repo/odd2/c.txt": "needle\n",
    "repo/odd3/.git": "gitdir: /r/.git/worktrees/x\n".repeat(10_000),
    "repo/odd3/c.txt": "needle\n",
    "repo/odd4/.git": { symlink: "../odd5" },
    "repo/odd5": "gitdir: /r/.git/worktrees/x\n",
    "repo/odd4/c.txt": "needle\n",
  });
  const { files, notes } = await answer(root);
  assert.deepEqual(notes, undefined);
  assert.deepEqual(files, [
    "a.txt",
    "nested/a.txt",
    "nested/src/b.txt",
    "odd1/c.txt",
    "odd2/c.txt",
    "odd3/c.txt",
    "odd4/c.txt",
    "src/b.txt",
    "subtree/a.txt",
    "subtree/src/b.txt",
    "worktrees/sub/a.txt",
    "worktrees/sub/src/b.txt",
  ]);
});

Deno.test("a worktree of a repository whose path is not UTF-8 is one, too", async () => {
  await using tree = await tempTree({ "ws/a.txt": "needle\n", "ws/copy/a.txt": "needle\n" });
  const written = [..."gitdir: /r\xff/.git/worktrees/copy\n"].map((char) => char.charCodeAt(0));
  await Deno.writeFile(tree.path("ws/copy/.git"), new Uint8Array(written));
  const { files, notes } = await answer(tree.path("ws"));
  assert.deepEqual(files, ["a.txt"]);
  assert.match(String(notes), /1 git worktree was not searched.*: copy/);
});

Deno.test("worktrees are known by absolute and relative ways, of bare repositories and below any directory", async () => {
  await using tree = await tempTree();
  // The directory above is called as git calls the place of submodules.
  const root = await repository(tree, "modules/repo");
  await git(root, "clone", "-q", "--bare", ".", "../bare.git");
  await git(tree.path("modules/bare.git"), "worktree", "add", "-q", "../repo/w1");
  await git(root, "worktree", "add", "-q", "-b", "w2", "w2");
  await tree.write({
    "modules/repo/w3/.git": "gitdir: ../.git/worktrees/w3\r\n",
    "modules/repo/w3/a.txt": "needle\n",
  });
  assert.deepEqual(await answer(root), {
    files: ["a.txt", "src/b.txt"],
    notes: note("w1", "w2", "w3"),
  });
});

test.slow("a workspace that is a worktree works, and honours its repository's exclude file where it may be read", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  await git(root, "worktree", "add", "-q", ".claude/worktrees/one");
  await git(root, "worktree", "add", "-q", "../aside");
  for (const path of ["repo/.claude/worktrees/one", "aside"]) await untrack(tree.path(path));
  await tree.write({ "repo/.git/info/exclude": "/a.txt\n" });
  const copy = ".claude/worktrees/one";
  // The repository is no part of the workspace.
  for (const path of [`repo/${copy}`, "aside"]) {
    assert.deepEqual(await answer(tree.path(path)), {
      files: ["a.txt", "src/b.txt"],
      notes: undefined,
    });
  }
  // Here it is.
  assert.deepEqual((await answer(root, { path: copy })).files, [`${copy}/src/b.txt`]);
  assert.deepEqual((await answer(root, { path: copy, ignore: false })).files, [
    `${copy}/a.txt`,
    `${copy}/src/b.txt`,
  ]);
  // As `git worktree add --relative-paths` writes it.
  await tree.write({ [`repo/${copy}/.git`]: "gitdir: ../../../.git/worktrees/one\n" });
  assert.deepEqual((await answer(root, { path: copy })).files, [`${copy}/src/b.txt`]);
  await tree.write({ "repo/.git/info/exclude": "/src/*.txt\n" });
  assert.deepEqual((await answer(root, { path: `${copy}/src` })).files, []);
  await tree.write({ "repo/.gitignore": ".claude\n" });
  assert.deepEqual((await answer(root, { path: copy })).files, [`${copy}/a.txt`]);
  const both = await Workspace.open([tree.path("aside"), root]);
  const { files } = await listFiles({ path: tree.path("aside") }, { workspace: both });
  assert.deepEqual(files, [tree.path("aside/a.txt")]);
});

Deno.test("an exclude file that leads out of the workspace is not read", async () => {
  await using tree = await tempTree({ "outside/info/exclude": "*\n" });
  const root = await repository(tree);
  await git(root, "worktree", "add", "-q", "w");
  await tree.write({
    "outside/worktrees/w/x": "",
    "repo/w/.git": "gitdir: ../../outside/worktrees/w\n",
  });
  assert.deepEqual((await answer(root, { path: "w" })).files, ["w/a.txt", "w/src/b.txt"]);
});

for (const cache of ["verified", "watched"] as const) {
  Deno.test(`a ${cache} searcher heeds worktrees that come, change and go`, async () => {
    await using scratch = await tempTree();
    await using tree = await tempTree();
    const root = await repository(tree);
    await git(root, "worktree", "add", "-q", "w");
    await untrack(tree.path("repo/w"));
    await tree.write({ "repo/n/.git": "gitdir: ../x\n", "repo/n/c.txt": "needle\n" });
    await ticked();
    await using searcher = new QuickSearcher({
      workspace: await Workspace.open(root),
      cache,
      scratch: scratch.root,
    });
    const ask = async (path?: string) => {
      const query = { pattern: "needle", outputMode: "file", paths: "relative" } as const;
      const { files, notes } = await searcher.search({ ...query, path }) as FileResult;
      return [files.join(" "), ...notes ?? []];
    };
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await ask(), ["a.txt n/c.txt src/b.txt", ...note("w")]);
      assert.deepEqual(await ask("w"), ["w/a.txt w/src/b.txt"]);
    }
    await tree.write({ "repo/n/.git": "gitdir: ../.git/worktrees/n\n" });
    assert.deepEqual(await ask(), ["a.txt src/b.txt", ...note("n", "w")]);
    await tree.write({ "repo/.git/info/exclude": "/a.txt\n" });
    assert.deepEqual(await ask("w"), ["w/src/b.txt"]);
    await ticked();
    assert.deepEqual(await ask("w"), ["w/src/b.txt"]);
    await tree.write({ "repo/.git/info/exclude": "/src\n" });
    assert.deepEqual(await ask("w"), ["w/a.txt"]);
    await Deno.remove(tree.path("repo/n/.git"));
    await git(root, "worktree", "remove", "--force", "w");
    assert.deepEqual(await ask(), ["a.txt n/c.txt src/b.txt"]);
  });
}

Deno.test("tools, links and the command line exclude worktrees, and suggestions are not of copies", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  await git(root, "worktree", "add", "-q", "w");
  await tree.write({ "repo/link": { symlink: "w" } });
  const workspace = await Workspace.open(root);
  const glob = await new GlobTool({ workspace }).execute({ pattern: "b.txt" }) as FileResult;
  assert.deepEqual([glob.files, glob.notes], [[tree.path("repo/src/b.txt")], note("w")]);
  const followed = await answer(root, { follow: true });
  assert.deepEqual(followed, { files: ["a.txt", "src/b.txt"], notes: note("w") });
  const ran = await pathgrep(["needle", "-l", "--format", "text"], { cwd: root });
  assert.equal(ran.stdout, "a.txt\nsrc/b.txt\n");
  assert.equal(
    ran.stderr,
    `pathgrep: note: ${note("w")[0]}\n` +
      "pathgrep: note: not shown: 2 matches in the git worktree w; w shows them\n",
  );
  const missing = async (path: string) => {
    const error = await search({ pattern: "needle", path }, { workspace }).catch((error) => error);
    assert.ok(error instanceof PathgrepError);
    return error.toJSON().suggestions;
  };
  assert.deepEqual(await missing("lib/B.txt"), ["src/b.txt"]);
  assert.deepEqual(await missing("w/src/bb.txt"), ["w/src/b.txt"]);
});

test.slow("a worktree of many threads' walk is named once", async () => {
  await using tree = await tempTree();
  const root = await repository(tree);
  const many = Array.from({ length: 400 }, (_, index) => [`repo/d${index}/c.txt`, "needle\n"]);
  await tree.write(Object.fromEntries(many));
  for (let index = 0; index < 6; index++) {
    await git(root, "worktree", "add", "-q", "-b", `b${index}`, `d${index * 60}/w`);
  }
  const workspace = await Workspace.open(root);
  await using searcher = new Searcher({ workspace });
  const expected = ["d0/w", "d120/w", "d180/w", "d240/w", "d300/w", "d60/w"];
  for (let round = 0; round < 3; round++) {
    const result: SearchResult = await searcher.search({ pattern: "needle", outputMode: "count" });
    assert.deepEqual([result.count, result.notes], [402, note(...expected)]);
  }
});

Deno.test("a file `.git` of line ends alone, but for its end, delays nothing", async () => {
  await using tree = await tempTree({
    "a.txt": "needle\n",
    "copy/.git": `gitdir: ${"\r".repeat(131_052)}x`,
    "copy/b.txt": "needle\n",
  });
  const started = performance.now();
  assert.deepEqual(await answer(tree.root), { files: ["a.txt", "copy/b.txt"], notes: undefined });
  assertSoon(started);
});
